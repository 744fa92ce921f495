// Selecting with the mouse: the first geom, flex or skin on the ray through a pixel.
#include "math/vec.h"
#include "vis/vis.h"

// a ray into the scene
typedef struct {
  const mjModel* m;
  const mjData* d;
  const mjvOption* opt;
  const mjvScene* scn;
  mjtNum origin[3], ray[3];
} Shot;

// what the ray meets of one thing
typedef struct {
  mjtNum distance;  // -1: nothing
  int id;
  int vertex;  // of a flex or skin: the nearest to the ray
} Hit;

// the ray through a point of the window, (0, 0) lower left, (1, 1) upper right
static void windowRay(const mjvScene* scn, mjtNum aspectratio, const mjtNum at[2], mjtNum origin[3], mjtNum ray[3]) {
  const mjvGLCamera camera = mjv_averageCamera(scn->camera, scn->camera + 1);
  const mjtNum height = camera.frustum_top - camera.frustum_bottom;
  const mjtNum above = camera.frustum_bottom + at[1] * height;
  const mjtNum beside = -(camera.frustum_center + (2 * at[0] - 1) * 0.5 * aspectratio * height);
  mjtNum forward[3], up[3], left[3];
  mjv_cameraInModel(origin, forward, up, scn);
  mth_cross3(left, up, forward);
  mth_normalize3(left);

  // parallel rays start in different places, others go in different directions
  mth_scl3(ray, forward, camera.orthographic ? 1 : camera.frustum_near);
  mjtNum* const moved = camera.orthographic ? origin : ray;
  mth_addToScl3(moved, up, above);
  mth_addToScl3(moved, left, beside);
  if (!camera.orthographic) mth_normalize3(ray);
}

//---------------------------------- geoms ----------------------------------

// all of them are one thing
static int countGeoms(const Shot* s) {
  (void)s;
  return 1;
}

static Hit hitGeoms(const Shot* s, int all) {
  (void)all;
  Hit hit = {-1, -1, -1};
  hit.distance =
      mj_ray(s->m, s->d, s->origin, s->ray, s->opt->geomgroup, s->opt->flags[mjVIS_STATIC], -1, &hit.id, NULL);
  return hit;
}

static int graspGeom(const Shot* s, Hit hit, mjtNum point[3]) {
  mth_addScl3(point, s->origin, s->ray, hit.distance);
  return s->m->geom_bodyid[hit.id];
}

//---------------------------------- flexes ----------------------------------

static int countFlexes(const Shot* s) {
  const mjtByte* show = s->opt->flags;
  return show[mjVIS_FLEXVERT] || show[mjVIS_FLEXEDGE] || show[mjVIS_FLEXFACE] || show[mjVIS_FLEXSKIN] ? (int)s->m->nflex
                                                                                                      : 0;
}

static Hit hitFlex(const Shot* s, int id) {
  const mjtByte* show = s->opt->flags;
  Hit hit = {-1, id, -1};
  hit.distance = mj_rayFlex(s->m, s->d, s->opt->flex_layer, show[mjVIS_FLEXVERT], show[mjVIS_FLEXEDGE],
                            show[mjVIS_FLEXFACE], show[mjVIS_FLEXSKIN], id, s->origin, s->ray, &hit.vertex, NULL);
  return hit;
}

// a flex is held at the vertex, or at the corner of its grid of nodes in that octant
static int graspFlex(const Shot* s, Hit hit, mjtNum point[3]) {
  const mjModel* m = s->m;
  const int vertex = m->flex_vertadr[hit.id] + hit.vertex;
  if (!m->flex_interp[hit.id]) {
    mth_copy3(point, s->d->flexvert_xpos + 3 * vertex);
    return m->flex_vertbodyid[vertex];
  }
  int corner = 0;
  for (int axis = 0; axis < 3; axis++) corner = 2 * corner + (m->flex_vert0[3 * vertex + axis] > 0.5);
  return vis_flexNode(m, s->d, hit.id, corner, point);
}

//---------------------------------- skins ----------------------------------

static int countSkins(const Shot* s) {
  return s->opt->flags[mjVIS_SKIN] ? (int)s->m->nskin : 0;
}

static const float* skinVertices(const Shot* s, int id) {
  return s->scn->skinvert + 3 * s->m->skin_vertadr[id];
}

static Hit hitSkin(const Shot* s, int id) {
  const mjModel* m = s->m;
  Hit hit = {-1, id, -1};
  hit.distance = mju_raySkin(m->skin_facenum[id], m->skin_vertnum[id], m->skin_face + 3 * m->skin_faceadr[id],
                             skinVertices(s, id), s->origin, s->ray, &hit.vertex);
  return hit;
}

// how strongly a bone moves a vertex; -1: not at all
static float boneWeight(const mjModel* m, int bone, int vertex) {
  const int* id = m->skin_bonevertid + m->skin_bonevertadr[bone];
  const float* weight = m->skin_bonevertweight + m->skin_bonevertadr[bone];
  float largest = -1;
  for (int k = 0; k < m->skin_bonevertnum[bone]; k++) {
    if (id[k] == vertex && weight[k] > largest) largest = weight[k];
  }
  return largest;
}

// a skin is held by the body that moves the vertex most
static int graspSkin(const Shot* s, Hit hit, mjtNum point[3]) {
  const mjModel* m = s->m;
  mju_f2n(point, skinVertices(s, hit.id) + 3 * hit.vertex, 3);
  float largest = -1;
  int body = -1;
  for (int k = 0; k < m->skin_bonenum[hit.id]; k++) {
    const int bone = m->skin_boneadr[hit.id] + k;
    const float weight = boneWeight(m, bone, hit.vertex);
    if (weight <= largest) continue;
    largest = weight;
    body = m->skin_bonebodyid[bone];
  }
  return body;
}

//---------------------------------- the closest ----------------------------------

int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio, mjtNum relx, mjtNum rely,
               const mjvScene* scn, mjtNum selpnt[3], int geomid[1], int flexid[1], int skinid[1]) {
  const struct {
    int (*count)(const Shot* s);
    Hit (*hit)(const Shot* s, int id);
    int (*grasp)(const Shot* s, Hit hit, mjtNum point[3]);  // the point to pull at; returns the body that moves it
    int* id;
  } kinds[3] = {
      {countGeoms,  hitGeoms, graspGeom, geomid},
      {countFlexes, hitFlex,  graspFlex, flexid},
      {countSkins,  hitSkin,  graspSkin, skinid},
  };
  Shot shot = {.m = m, .d = d, .opt = vopt, .scn = scn};
  windowRay(scn, aspectratio, (const mjtNum[2]){relx, rely}, shot.origin, shot.ray);

  // of things at equal distance the first
  Hit best = {-1, -1, -1};
  int kind = -1;
  for (int k = 0; k < 3; k++) {
    *kinds[k].id = -1;
    for (int i = 0; i < kinds[k].count(&shot); i++) {
      const Hit hit = kinds[k].hit(&shot, i);
      if (hit.distance < 0 || (kind >= 0 && hit.distance >= best.distance)) continue;
      best = hit;
      kind = k;
    }
  }
  if (kind < 0) return -1;
  *kinds[kind].id = best.id;
  return kinds[kind].grasp(&shot, best, selpnt);
}
