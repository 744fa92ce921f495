// Surfaces that deform: faces of flexes, vertices and normals of skins.
//
// Skin vertex: x = sum_b w_b (R_b (x0 - p_b) + q_b) over its bones b, with bind pose p_b and current pose q_b, R_b.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec.h"
#include "vis/vis.h"

//---------------------------------- flexes ------------------------------------------------------------------------

// the faces of one flex while they are made. A vertex is part of several faces on both sides: where it and its normal
// are on each side is worked out once.
typedef struct {
  const mjtNum* xpos;  // vertices
  mjtNum* normal;      // normals at vertices, for smooth faces
  struct {
    float *pos, *normal;
  } side[2];  // vertices moved along their normals, and against them
  mjtNum radius;
  const float* texcoord;  // of the model, NULL: none
  float *face, *facenormal, *facetexcoord;
  int nface;
} Faces;

// corners of the sides of a triangle, and of a tetrahedron, seen from outside
static const int TRIANGLE[2][3] = {
    {0, 1, 2},
    {0, 2, 1}
};
static const int TETRAHEDRON[4][3] = {
    {0, 1, 2},
    {0, 2, 3},
    {0, 3, 1},
    {1, 3, 2}
};

// vertex numbers of one side of an element
static inline void pick(int corner[3], const int* element, const int side[3]) {
  for (int k = 0; k < 3; k++) corner[k] = element[side[k]];
}

static inline void faceNormal(const Faces* s, const int corner[3], mjtNum normal[3]) {
  mjtNum edge[2][3];
  for (int k = 0; k < 2; k++) mth_sub3(edge[k], s->xpos + 3 * corner[k + 1], s->xpos + 3 * corner[0]);
  mth_cross3(normal, edge[0], edge[1]);
  mth_normalize3(normal);
}

// writes corner k of the next face
static inline void putCorner(Faces* s, int k, const float pos[3], const float normal[3]) {
  float *const face = s->face + 9 * s->nface + 3 * k, *const facenormal = s->facenormal + 9 * s->nface + 3 * k;
  for (int i = 0; i < 3; i++) {
    face[i] = pos[i];
    facenormal[i] = normal[i];
  }
}

// finishes a face; texture coordinates have an index of their own
static inline void putFace(Faces* s, const int coordinate[3]) {
  for (int k = 0; s->texcoord && k < 3; k++) {
    memcpy(s->facetexcoord + 6 * s->nface + 2 * k, s->texcoord + 2 * coordinate[k], 2 * sizeof(float));
  }
  s->nface++;
}

// flat, moved out by the radius
static void addFlat(Faces* s, const int corner[3], const int coordinate[3]) {
  mjtNum normal[3], pos[3];
  float outside[3], n[3];
  faceNormal(s, corner, normal);
  mju_n2f(n, normal, 3);
  for (int k = 0; k < 3; k++) {
    mth_addScl3(pos, s->xpos + 3 * corner[k], normal, s->radius);
    mju_n2f(outside, pos, 3);
    putCorner(s, k, outside, n);
  }
  putFace(s, coordinate);
}

// normals on a side point away from the flex; one without thickness has a back only
static inline int outward(const Faces* s, int back) {
  return !back && s->radius > 0 ? 1 : -1;
}

// a face with vertices of one side
static inline void addSmooth(Faces* s, const int corner[3], const int coordinate[3], int back, int flat) {
  float own[3];
  if (flat) {
    mjtNum normal[3];
    faceNormal(s, corner, normal);
    mth_scl3(normal, normal, outward(s, back));
    mju_n2f(own, normal, 3);
  }
  for (int k = 0; k < 3; k++) {
    putCorner(s, k, s->side[back].pos + 3 * corner[k], flat ? own : s->side[back].normal + 3 * corner[k]);
  }
  putFace(s, coordinate);
}

// half of the strip that closes the border of a cloth along an edge
static void addBorder(Faces* s, int from, int to, int back) {
  const int corner[3] = {from, to, to};
  mjtNum edge[3], normal[3];
  mth_sub3(edge, s->xpos + 3 * to, s->xpos + 3 * from);
  mth_cross3(normal, edge, s->normal + 3 * to);
  if (back && s->radius > 0) mth_neg3(normal, normal);
  mth_normalize3(normal);
  float n[3];
  mju_n2f(n, normal, 3);
  for (int k = 0; k < 3; k++) putCorner(s, k, s->side[k == 1 ? !back : back].pos + 3 * corner[k], n);
  putFace(s, corner);
}

// element e of a flex, and its texture coordinates
static const int* element(const mjModel* m, int flex, int e) {
  return m->flex_elem + m->flex_elemdataadr[flex] + (ptrdiff_t)e * (m->flex_dim[flex] + 1);
}

static const int* elementTexture(const mjModel* m, int flex, int e) {
  return m->flex_elemtexcoord + m->flex_elemdataadr[flex] + (ptrdiff_t)e * (m->flex_dim[flex] + 1);
}

// all sides of elements; of a solid those of one layer
static void addElements(const mjModel* m, int flex, int layer, Faces* s) {
  const int cloth = m->flex_dim[flex] == 2;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    if (!cloth && m->flex_elemlayer[m->flex_elemadr[flex] + e] != layer) continue;
    for (int k = 0; k < (cloth ? 2 : 4); k++) {
      int corner[3], coordinate[3];
      pick(corner, element(m, flex, e), cloth ? TRIANGLE[k] : TETRAHEDRON[k]);
      pick(coordinate, elementTexture(m, flex, e), cloth ? TRIANGLE[k] : TETRAHEDRON[k]);
      addFlat(s, corner, coordinate);
    }
  }
}

// normals of vertices, the sum of those of the faces around them, and both sides
static void smoothNormals(const mjModel* m, int flex, Faces* s) {
  const int cloth = m->flex_dim[flex] == 2, n = cloth ? m->flex_elemnum[flex] : m->flex_shellnum[flex];
  const int nvert = m->flex_vertnum[flex];
  memset(s->normal, 0, 3 * (size_t)nvert * sizeof(mjtNum));
  for (int e = 0; e < n; e++) {
    const int* const corner =
        cloth ? element(m, flex, e) : m->flex_shell + m->flex_shelldataadr[flex] + 3 * (ptrdiff_t)e;
    mjtNum normal[3];
    faceNormal(s, corner, normal);
    for (int k = 0; k < 3; k++) mth_addTo3(s->normal + 3 * corner[k], normal);
  }
  for (int i = 0; i < nvert; i++) mth_normalize3(s->normal + 3 * i);
  for (int back = 0; back < 2; back++) {
    const mjtNum radius = back ? -s->radius : s->radius, sign = outward(s, back);
    float *const pos = s->side[back].pos, *const normal = s->side[back].normal;
    for (int i = 0; i < 3 * nvert; i++) {
      pos[i] = (float)(s->xpos[i] + radius * s->normal[i]);
      normal[i] = (float)(sign * s->normal[i]);
    }
  }
}

// the smooth surface: both sides and the border of a cloth, the shell of a solid
static void addSurface(const mjModel* m, int flex, Faces* s) {
  const int flat = m->flex_flatskin[flex], nshell = m->flex_shellnum[flex];
  const int* const shell = m->flex_shell + m->flex_shelldataadr[flex];
  smoothNormals(m, flex, s);
  if (m->flex_dim[flex] == 3) {
    for (int k = 0; k < nshell; k++) addSmooth(s, shell + 3 * k, shell + 3 * k, 0, flat);
    return;
  }
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    for (int k = 0; k < 2; k++) {
      int corner[3], coordinate[3];
      pick(corner, element(m, flex, e), TRIANGLE[k]);
      pick(coordinate, elementTexture(m, flex, e), TRIANGLE[k]);
      addSmooth(s, corner, coordinate, k, flat);
    }
  }
  for (int k = 0; k < nshell; k++) {
    addBorder(s, shell[2 * k], shell[2 * k + 1], 0);
    addBorder(s, shell[2 * k + 1], shell[2 * k], 1);
  }
}

void vis_updateFlexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn) {
  // the renderer asks what the scene was made for
  scn->flexvertopt = opt->flags[mjVIS_FLEXVERT];
  scn->flexedgeopt = opt->flags[mjVIS_FLEXEDGE];
  scn->flexfaceopt = opt->flags[mjVIS_FLEXFACE];
  scn->flexskinopt = opt->flags[mjVIS_FLEXSKIN];
  if (m->nflexvert) mju_n2f(scn->flexvert, d->flexvert_xpos, 3 * (int)m->nflexvert);
  for (int f = 0; f < m->nflex; f++) {
    const ptrdiff_t first = scn->flexfaceadr[f], coordinates = m->flex_texcoordadr[f];
    scn->flexfaceused[f] = 0;
    if (m->flex_dim[f] == 1 || (!opt->flags[mjVIS_FLEXFACE] && !opt->flags[mjVIS_FLEXSKIN])) continue;
    mj_markStack(d);
    Faces s = {.xpos = d->flexvert_xpos + 3 * m->flex_vertadr[f],
               .normal = mj_stackAllocNum(d, 3 * (size_t)m->flex_vertnum[f]),
               .radius = m->flex_radius[f],
               .texcoord = coordinates >= 0 ? m->flex_texcoord + 2 * coordinates : NULL,
               .face = scn->flexface + 9 * first,
               .facenormal = scn->flexnormal + 9 * first,
               .facetexcoord = scn->flextexcoord + 6 * first};
    for (int back = 0; back < 2; back++) {
      s.side[back].pos = mj_stackAllocByte(d, 3 * sizeof(float) * (size_t)m->flex_vertnum[f], _Alignof(float));
      s.side[back].normal = mj_stackAllocByte(d, 3 * sizeof(float) * (size_t)m->flex_vertnum[f], _Alignof(float));
    }
    if (opt->flags[mjVIS_FLEXSKIN]) {
      addSurface(m, f, &s);
    } else {
      addElements(m, f, opt->flex_layer, &s);
    }
    mj_freeStack(d);
    scn->flexfaceused[f] = s.nface;
  }
}

//---------------------------------- skins -------------------------------------------------------------------------

// adds what one bone contributes to the vertices it moves
static void moveByBone(const mjModel* m, const mjData* d, int bone, const float* rest, float* vert) {
  // rotation and translation since the bind pose
  const int body = m->skin_bonebodyid[bone];
  mjtNum bindpos[3], bindquat[4], quat[4], rotate[9], translate[3];
  mju_f2n(bindpos, m->skin_bonebindpos + 3 * bone, 3);
  mju_f2n(bindquat, m->skin_bonebindquat + 4 * bone, 4);
  mth_negQuat(bindquat, bindquat);
  mth_mulQuat(quat, d->xquat + 4 * body, bindquat);
  mth_quat2Mat(rotate, quat);
  mth_mulMatVec3(translate, rotate, bindpos);
  mth_sub3(translate, d->xpos + 3 * body, translate);
  for (int k = m->skin_bonevertadr[bone]; k < m->skin_bonevertadr[bone] + m->skin_bonevertnum[bone]; k++) {
    const int id = m->skin_bonevertid[k];
    mjtNum pos[3], moved[3];
    mju_f2n(pos, rest + 3 * id, 3);
    mth_mulMatVec3(moved, rotate, pos);
    mth_addTo3(moved, translate);
    for (int i = 0; i < 3; i++) vert[3 * id + i] += m->skin_bonevertweight[k] * (float)moved[i];
  }
}

// normals at vertices: those of the faces around them, weighted by area
static void skinNormals(const mjModel* m, int skin, const float* vert, float* normal) {
  const int* face = m->skin_face + 3 * (ptrdiff_t)m->skin_faceadr[skin];
  for (int k = 0; k < m->skin_facenum[skin]; k++, face += 3) {
    mjtNum edge[2][3], area[3];
    for (int i = 0; i < 3; i++) {
      for (int e = 0; e < 2; e++) edge[e][i] = vert[3 * face[e + 1] + i] - vert[3 * face[0] + i];
    }
    mth_cross3(area, edge[0], edge[1]);
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < 3; i++) normal[3 * face[c] + i] = (float)(normal[3 * face[c] + i] + area[i]);
    }
  }
  for (int k = 0; k < m->skin_vertnum[skin]; k++) {
    float* const n = normal + 3 * k;
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const float scale = (float)(1 / mth_max(mjMINVAL, length));
    for (int i = 0; i < 3; i++) n[i] *= scale;
  }
}

void vis_updateSkins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn) {
  for (int i = 0; i < m->nskin; i++) {
    const ptrdiff_t first = 3 * (ptrdiff_t)m->skin_vertadr[i];
    const size_t bytes = 3 * (size_t)m->skin_vertnum[i] * sizeof(float);
    float *const vert = scn->skinvert + first, *const normal = scn->skinnormal + first;
    memset(vert, 0, bytes);
    memset(normal, 0, bytes);
    if (!vis_shown(opt->skingroup, m->skin_group[i])) continue;
    for (int bone = m->skin_boneadr[i]; bone < m->skin_boneadr[i] + m->skin_bonenum[i]; bone++) {
      moveByBone(m, d, bone, m->skin_vert + first, vert);
    }
    skinNormals(m, i, vert, normal);
    for (int k = 0; k < 3 * m->skin_vertnum[i]; k++) vert[k] += m->skin_inflate[i] * normal[k];
  }
}

void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn) {
  mjvOption all;
  mjv_defaultOption(&all);
  vis_updateSkins(m, d, &all, scn);
  mju_warning("mjv_updateSkin is deprecated, please use mjv_updateActiveSkin.");
}
