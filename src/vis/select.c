// Selecting with the mouse: the first geom, flex or skin on the ray through a pixel.
#include "math/vec.h"
#include "vis/vis.h"

// something that the ray meets
typedef struct {
  mjtNum distance;  // -1: nothing
  int id, body;
  mjtNum point[3];
} Hit;

// 1: the distance is that of a hit, and a closer one
static int closer(mjtNum distance, const Hit* than) {
  return distance >= 0 && (than->distance < 0 || distance < than->distance);
}

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

static Hit meetGeoms(const mjModel* m, const mjData* d, const mjvOption* opt, const mjtNum pos[3],
                     const mjtNum ray[3]) {
  Hit hit = {.distance = -1, .id = -1, .body = -1};
  hit.distance = mj_ray(m, d, pos, ray, opt->geomgroup, opt->flags[mjVIS_STATIC], -1, &hit.id, NULL);
  if (hit.distance < 0) return hit;
  hit.body = m->geom_bodyid[hit.id];
  mth_addScl3(hit.point, pos, ray, hit.distance);
  return hit;
}

// where a flex is held when one of its vertices was hit: there, or at the corner of its grid of nodes in that octant
static int graspFlex(const mjModel* m, const mjData* d, int flex, int vertex, mjtNum point[3]) {
  if (!m->flex_interp[flex]) {
    mth_copy3(point, d->flexvert_xpos + 3 * vertex);
    return m->flex_vertbodyid[vertex];
  }
  int corner = 0;
  for (int axis = 0; axis < 3; axis++) corner = 2 * corner + (m->flex_vert0[3 * vertex + axis] > 0.5);
  return vis_flexNode(m, d, flex, corner, point);
}

static Hit meetFlexes(const mjModel* m, const mjData* d, const mjvOption* opt, const mjtNum pos[3],
                      const mjtNum ray[3]) {
  const mjtByte vert = opt->flags[mjVIS_FLEXVERT], edge = opt->flags[mjVIS_FLEXEDGE];
  const mjtByte face = opt->flags[mjVIS_FLEXFACE], skin = opt->flags[mjVIS_FLEXSKIN];
  Hit hit = {.distance = -1, .id = -1, .body = -1};
  if (!vert && !edge && !face && !skin) return hit;
  for (int i = 0; i < m->nflex; i++) {
    int nearest = -1;
    const mjtNum distance = mj_rayFlex(m, d, opt->flex_layer, vert, edge, face, skin, i, pos, ray, &nearest, NULL);
    if (!closer(distance, &hit)) continue;
    hit.distance = distance;
    hit.id = i;
    hit.body = graspFlex(m, d, i, m->flex_vertadr[i] + nearest, hit.point);
  }
  return hit;
}

// the body that moves a vertex of a skin most, or -1
static int strongestBone(const mjModel* m, int skin, int vertex) {
  float largest = -1;
  int body = -1;
  for (int bone = m->skin_boneadr[skin]; bone < m->skin_boneadr[skin] + m->skin_bonenum[skin]; bone++) {
    for (int k = m->skin_bonevertadr[bone]; k < m->skin_bonevertadr[bone] + m->skin_bonevertnum[bone]; k++) {
      if (m->skin_bonevertid[k] != vertex || m->skin_bonevertweight[k] <= largest) continue;
      largest = m->skin_bonevertweight[k];
      body = m->skin_bonebodyid[bone];
    }
  }
  return body;
}

static Hit meetSkins(const mjModel* m, const mjvOption* opt, const mjvScene* scn, const mjtNum pos[3],
                     const mjtNum ray[3]) {
  Hit hit = {.distance = -1, .id = -1, .body = -1};
  for (int i = 0; opt->flags[mjVIS_SKIN] && i < m->nskin; i++) {
    int nearest = -1;
    const float* const vert = scn->skinvert + 3 * m->skin_vertadr[i];
    const mjtNum distance = mju_raySkin(m->skin_facenum[i], m->skin_vertnum[i], m->skin_face + 3 * m->skin_faceadr[i],
                                        vert, pos, ray, &nearest);
    if (!closer(distance, &hit)) continue;
    hit.distance = distance;
    hit.id = i;
    hit.body = strongestBone(m, i, nearest);
    mju_f2n(hit.point, vert + 3 * nearest, 3);
  }
  return hit;
}

int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio, mjtNum relx, mjtNum rely,
               const mjvScene* scn, mjtNum selpnt[3], int geomid[1], int flexid[1], int skinid[1]) {
  const mjtNum at[2] = {relx, rely};
  mjtNum pos[3], ray[3];
  windowRay(scn, aspectratio, at, pos, ray);
  const Hit hits[3] = {meetGeoms(m, d, vopt, pos, ray), meetFlexes(m, d, vopt, pos, ray),
                       meetSkins(m, vopt, scn, pos, ray)};
  int* const ids[3] = {geomid, flexid, skinid};

  // the closest of the three; at equal distance in this order
  const Hit none = {.distance = -1, .id = -1, .body = -1};
  const Hit* best = &none;
  for (int k = 0; k < 3; k++) {
    *ids[k] = -1;
    if (closer(hits[k].distance, best)) best = hits + k;
  }
  if (best == &none) return -1;
  *ids[best - hits] = best->id;
  mth_copy3(selpnt, best->point);
  return best->body;
}
