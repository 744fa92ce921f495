// Rays and flexes: vertices as spheres, edges as capsules, elements as triangles, depending on what is shown.
#include <math.h>
#include <stddef.h>

#include "collision/ray.h"
#include "math/quat.h"
#include "math/vec.h"

// nearest hit so far, with the flex vertex next to it
typedef struct {
  const ColRay* ray;
  mjtNum x;
  int vert;
  mjtNum normal[3];
} Hit;

// keeps a nearer solution; 1 if it was kept
static int keepNearer(Hit* hit, mjtNum x, const mjtNum normal[3]) {
  if (!(x >= 0 && (hit->x < 0 || x < hit->x))) return 0;
  hit->x = x;
  mth_copy3(hit->normal, normal);
  return 1;
}

static const mjtNum* vertexPos(const mjModel* m, const mjData* d, int flex, int v) {
  return d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + v);
}

// the ray misses the box around all vertices
static int missesBox(const mjModel* m, const mjData* d, int flex, const ColRay* ray) {
  mjtNum low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, center[3], half[3];
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    const mjtNum* v = vertexPos(m, d, flex, i);
    for (int j = 0; j < 3; j++) {
      if (low[j] > v[j] || i == 0) low[j] = v[j];
      if (high[j] < v[j] || i == 0) high[j] = v[j];
    }
  }
  const mjtNum radius = m->flex_radius[flex];
  for (int j = 0; j < 3; j++) {
    low[j] -= radius;
    high[j] += radius;
    center[j] = 0.5 * (low[j] + high[j]);
    half[j] = 0.5 * (high[j] - low[j]);
  }
  ColRay local = *ray;
  mth_sub3(local.pnt, ray->pnt, center);
  return col_rayBox(&local, half, NULL, NULL) < 0;
}

static void rayEdges(Hit* hit, const mjModel* m, const mjData* d, int flex) {
  const int* edge = m->flex_edge + 2 * m->flex_edgeadr[flex];
  for (int i = 0; i < m->flex_edgenum[flex]; i++, edge += 2) {
    // capsule between the two vertices
    const mjtNum *v0 = vertexPos(m, d, flex, edge[0]), *v1 = vertexPos(m, d, flex, edge[1]);
    mjtNum pos[3], dir[3], quat[4], mat[9], normal[3], at[3];
    mth_add3(pos, v0, v1);
    mth_scl3(pos, pos, 0.5);
    mth_sub3(dir, v1, v0);
    const mjtNum size[3] = {m->flex_radius[flex], 0.5 * mth_normalize3(dir), 0};
    mth_quatZ2Vec(quat, dir);
    mth_quat2Mat(mat, quat);
    const mjtNum x = mju_rayGeom(pos, mat, size, hit->ray->pnt, hit->ray->vec, mjGEOM_CAPSULE, normal);
    if (!keepNearer(hit, x, normal)) continue;

    mth_addScl3(at, hit->ray->pnt, hit->ray->vec, x);
    hit->vert = mth_dist3(v0, at) < mth_dist3(v1, at) ? edge[0] : edge[1];
  }
}

static void rayVertices(Hit* hit, const mjModel* m, const mjData* d, int flex) {
  const mjtNum size[3] = {m->flex_radius[flex], 0, 0};
  for (int i = 0; i < m->flex_vertnum[flex]; i++) {
    mjtNum normal[3];
    const mjtNum* pos = vertexPos(m, d, flex, i);
    const mjtNum x = mju_rayGeom(pos, NULL, size, hit->ray->pnt, hit->ray->vec, mjGEOM_SPHERE, normal);
    if (keepNearer(hit, x, normal)) hit->vert = i;
  }
}

// triangle of an element; vert are vertices of the flex
static void rayFace(Hit* hit, const ColRayPlane* plane, const mjtNum* xpos, const int vert[3]) {
  mjtNum tri[3][3], normal[3], at[3], dist[3];
  for (int i = 0; i < 3; i++) mth_copy3(tri[i], xpos + 3 * vert[i]);
  const mjtNum x = col_rayTriangle((const mjtNum(*)[3])tri, plane, normal);
  if (!keepNearer(hit, x, normal)) return;

  mth_addScl3(at, hit->ray->pnt, hit->ray->vec, x);
  for (int i = 0; i < 3; i++) dist[i] = mth_dist3(tri[i], at);
  const int nearest = dist[0] <= dist[1] && dist[0] <= dist[2] ? 0 : dist[1] <= dist[2] ? 1 : 2;
  hit->vert = vert[nearest];
}

// layers that are looked at: one of them, or what the skin shows, the outermost
enum { SKIN_LAYER = -1 };

// a solid shows the elements of the layer, a surface all of them
static int isShown(const mjModel* m, int flex, int element, int layer) {
  if (m->flex_dim[flex] < 3) return 1;
  const int own = m->flex_elemlayer[m->flex_elemadr[flex] + element];
  return layer == SKIN_LAYER ? own <= 0 : own == layer;
}

// The faces of the elements that are shown. A face has all corners of a tetrahedron but one, the last one first; a
// triangle has no fourth corner to leave out.
static void rayElements(Hit* hit, const mjModel* m, const mjData* d, int flex, int layer) {
  const int ncorner = m->flex_dim[flex] + 1, last = ncorner == 3 ? 3 : 0,
            *corner = m->flex_elem + m->flex_elemdataadr[flex];
  const mjtNum* xpos = vertexPos(m, d, flex, 0);
  const ColRayPlane plane = col_rayPlane(hit->ray);
  for (int e = 0; e < m->flex_elemnum[flex]; e++, corner += ncorner) {
    if (!isShown(m, flex, e, layer)) continue;
    for (int left = 3; left >= last; left--) {
      int vert[3];
      for (int i = 0, n = 0; n < 3; i++) {
        if (i != left) vert[n++] = corner[i];
      }
      rayFace(hit, &plane, xpos, vert);
    }
  }
}

// A skin is faces with round edges; without one the flags say what there is to hit, and edges cover vertices.
mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                  mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
                  int vertid[1], mjtNum normal[3]) {
  ColRay ray;
  mth_copy3(ray.pnt, pnt);
  mth_copy3(ray.vec, vec);
  if (normal) mth_zero3(normal);
  if (missesBox(m, d, flexid, &ray)) return -1;

  // parts in the order in which they are tried
  const int area = m->flex_dim[flexid] > 1, skin = area && flg_skin, edges = skin || flg_edge;
  Hit hit = {.ray = &ray, .x = -1, .vert = -1};
  if (edges) rayEdges(&hit, m, d, flexid);
  if (!edges && flg_vert) rayVertices(&hit, m, d, flexid);
  if (skin || (area && flg_face)) rayElements(&hit, m, d, flexid, skin ? SKIN_LAYER : flex_layer);

  if (hit.vert >= 0 && vertid) *vertid = hit.vert;
  if (hit.x >= 0 && normal) mth_copy3(normal, hit.normal);
  return hit.x;
}
