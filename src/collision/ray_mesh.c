// Rays and surfaces made of triangles: meshes, through their bounding volume hierarchy, and skins.
#include <math.h>
#include <stddef.h>

#include "collision/ray.h"
#include "collision/section.h"
#include "math/vec.h"

// deepest hierarchy that can be walked
enum { COL_TREE_DEPTH = 50 };

//---------------------------------- mesh ----------------------------------------------------------

// where the ray enters the box (centre, half sizes), -1 if it misses; inv is 1/vec
static mjtNum enterBox(const mjtNum aabb[6], const mjtNum pnt[3], const mjtNum inv[3]) {
  mjtNum in = 0, out = INFINITY;
  for (int i = 0; i < 3; i++) {
    const mjtNum t1 = (aabb[i] - aabb[i + 3] - pnt[i]) * inv[i];
    const mjtNum t2 = (aabb[i] + aabb[i + 3] - pnt[i]) * inv[i];
    const mjtNum low = t1 < t2 ? t1 : t2;
    const mjtNum high = t1 < t2 ? t2 : t1;
    in = in > low ? in : low;
    out = out < high ? out : high;
  }
  return in < out ? in : -1;
}

// triangle of a mesh
static void meshTriangle(mjtNum vert[3][3], const mjModel* m, int mesh, int face) {
  const int* corner = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + face);
  const float* v = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) vert[i][j] = v[3 * corner[i] + j];
  }
}

// nearest triangle; boxes that begin behind the best hit so far are skipped
static mjtNum rayTree(const mjModel* m, const mjData* d, int geom, const ColRay* ray, mjtNum normal[3]) {
  const int mesh = m->geom_dataid[geom];
  const int adr = m->mesh_bvhadr[mesh];
  mjtByte* active = m->vis.global.bvactive ? d->bvh_active + adr : NULL;
  if (active) col_meshBoxesMarked(m, d);
  const ColRayPlane plane = col_rayPlane(ray);
  const mjtNum inv[3] = {1 / ray->vec[0], 1 / ray->vec[1], 1 / ray->vec[2]};

  int stack[COL_TREE_DEPTH], n = 1;
  mjtNum x = -1;
  stack[0] = 0;
  while (n) {
    // box of the node, with room for rounding
    const int node = stack[--n];
    const mjtNum in = enterBox(m->bvh_aabb + 6 * (adr + node), ray->pnt, inv);
    if (in < 0 || (x >= 0 && !active && in > x + 1e-9 * x)) continue;

    // leaf
    const int face = m->bvh_nodeid[adr + node];
    if (face != -1) {
      mjtNum vert[3][3], tri[3];
      meshTriangle(vert, m, mesh, face);
      const mjtNum s = col_rayTriangle((const mjtNum(*)[3])vert, &plane, normal ? tri : NULL);
      if (s >= 0 && (x < 0 || s < x)) {
        x = s;
        if (normal) mth_copy3(normal, tri);
        if (active) active[node] = 1;
      }
      continue;
    }

    // children
    if (active) active[node] = 1;
    const int* child = m->bvh_child + 2 * (adr + node);
    for (int i = 0; i < 2; i++) {
      if (child[i] == -1) continue;
      if (n == COL_TREE_DEPTH) {
        mju_error("bounding volume hierarchy of geom %d is too deep", geom);
        return x;
      }
      stack[n++] = child[i];
    }
  }
  return x;
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                  mjtNum normal[3]) {
  if (normal) mth_zero3(normal);
  if (m->geom_type[geomid] != mjGEOM_MESH) {
    mju_error("mj_rayMesh: geom with mesh type expected");
    return -1;
  }

  // bounding box first
  const mjtNum* mat = d->geom_xmat + 9 * geomid;
  const ColRay ray = col_rayLocal(d->geom_xpos + 3 * geomid, mat, pnt, vec);
  if (col_rayBox(&ray, m->geom_size + 3 * geomid, NULL, NULL) < 0) return -1;
  const mjtNum x = rayTree(m, d, geomid, &ray, normal);
  if (normal && x >= 0) mth_mulMatVec3(normal, mat, normal);
  return x;
}

//---------------------------------- skin ----------------------------------------------------------

mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3], const mjtNum vec[3],
                   int vertid[1]) {
  // bounding box
  mjtNum low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, center[3], half[3];
  for (int i = 0; i < nvert; i++) {
    for (int j = 0; j < 3; j++) {
      const mjtNum v = vert[3 * i + j];
      if (low[j] > v || i == 0) low[j] = v;
      if (high[j] < v || i == 0) high[j] = v;
    }
  }
  for (int j = 0; j < 3; j++) {
    center[j] = 0.5 * (low[j] + high[j]);
    half[j] = 0.5 * (high[j] - low[j]);
  }
  static const mjtNum eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ColRay boxed = col_rayLocal(center, eye, pnt, vec);
  if (col_rayBox(&boxed, half, NULL, NULL) < 0) return -1;

  // nearest face, and the vertex of it that is nearest to the hit
  const ColRay ray = {
      {pnt[0], pnt[1], pnt[2]},
      {vec[0], vec[1], vec[2]}
  };
  const ColRayPlane plane = col_rayPlane(&ray);
  mjtNum x = -1;
  for (int i = 0; i < nface; i++) {
    mjtNum tri[3][3];
    for (int j = 0; j < 9; j++) tri[j / 3][j % 3] = vert[3 * face[3 * i + j / 3] + j % 3];
    const mjtNum s = col_rayTriangle((const mjtNum(*)[3])tri, &plane, NULL);
    if (!(s >= 0 && (x < 0 || s < x))) continue;
    x = s;
    if (!vertid) continue;

    mjtNum hit[3], best = 0;
    mth_addScl3(hit, pnt, vec, s);
    for (int j = 0; j < 3; j++) {
      const mjtNum dist = mth_dist3(hit, tri[j]);
      if (j == 0 || dist < best) {
        best = dist;
        *vertid = face[3 * i + j];
      }
    }
  }
  return x;
}
