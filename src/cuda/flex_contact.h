// Contacts of geoms with flexes: vertices with planes, edges and triangles with spheres, capsules and boxes, as
// collision/flex_pairs.c finds them. A pair is a geom and a whole flex: lanes share its elements.
#pragma once

#include "cuda/convex.h"
#include "collision/narrow/sphere_triangle_body.h"
#include "collision/narrow/capsule_triangle_body.h"
#include "collision/narrow/box_triangle_body.h"

enum { CU_MAXFLEX = 11 };

// vertices of an element, and how many
CU_FN int cu_elemVerts(const CudModel* m, int f, int e, const int** vert) {
  const int n = m->flex_dim[f] + 1;
  *vert = m->flex_elem + m->flex_elemdataadr[f] + n * e;
  return n;
}

// 1: a cube around a point is apart from the box around an element
CU_FN int cu_elemApart(const Cu* c, int f, int e, const Real point[3], Real reach) {
  const CudModel* m = c->m;
  const int *vert, n = cu_elemVerts(m, f, e, &vert);
  const Real* x = CU_W(c, vert) + 3 * m->flex_vertadr[f];
  for (int k = 0; k < 3; k++) {
    Real low = x[3 * vert[0] + k], high = low;
    for (int i = 1; i < n; i++) {
      low = cu_min(low, x[3 * vert[i] + k]);
      high = cu_max(high, x[3 * vert[i] + k]);
    }
    if (point[k] + reach < low - m->flex_radius[f] || point[k] - reach > high + m->flex_radius[f]) return 1;
  }
  return 0;
}

// 1: an element hangs on a body
CU_FN int cu_hangsOn(const CudModel* m, int f, int e, int body) {
  const int *vert, n = cu_elemVerts(m, f, e, &vert);
  if (m->flex_interp[f]) return 0;
  for (int i = 0; i < n; i++) {
    if (m->flex_vertbodyid[m->flex_vertadr[f] + vert[i]] == body) return 1;
  }
  return 0;
}

// contacts of one geom and the capsule around an edge; of its orientation only the axis counts
CU_FN int cu_edgeHits(const Cu* c, int p, int e, CuHit* hit) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], type = m->geom_type[g], *vert;
  const Real margin = m->param_margin[m->pair_param[p]], *x = CU_W(c, vert) + 3 * m->flex_vertadr[f];
  Real pos[3], mat[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, axis[3], size[3] = {m->flex_radius[f], 0, 0};
  cu_elemVerts(m, f, e, &vert);
  cu_sub3(axis, x + 3 * vert[0], x + 3 * vert[1]);
  cu_add3(pos, x + 3 * vert[0], x + 3 * vert[1]);
  cu_scl3(pos, pos, R_(0.5));
  size[1] = R_(0.5) * cu_unit3(axis);
  for (int k = 0; k < 3; k++) mat[3 * k + 2] = axis[k];
  if (type != mjGEOM_BOX) {
    const CuShape s[2] = {
        {CU_W(c,                geom_xpos) + 3 * g, CU_W(c, geom_xmat) + 9 * g, m->geom_size + 3 * g},
        {pos, mat,                   size                      },
    };
    return type == mjGEOM_SPHERE ? cu_sphereCapsule(hit, margin, s) : cu_capsuleCapsule(hit, margin, s);
  }

  // the box is the second one there
  const CuPose box = cu_poseOf(c, g);
  CuPose edge;
  for (int k = 0; k < 9; k++) {
    edge.mat[k] = mat[k];
    edge.pos[k % 3] = pos[k % 3];
    edge.size[k % 3] = size[k % 3];
  }
  const ColShape capsule = {edge.pos, edge.mat, edge.size}, geom = {box.pos, box.mat, box.size};
  ColContact con[2];
  const int n = col_rawCapsuleBox(con, margin, &capsule, &geom);
  for (int i = 0; i < n; i++) {
    mth_neg3(con[i].frame, con[i].frame);
    cu_toHit(hit + i, con + i);
  }
  return n;
}

// contacts of one geom and one triangle
CU_FN int cu_triangleHits(const Cu* c, int p, int e, CuHit* hit) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], type = m->geom_type[g], *vert;
  const mjtNum margin = m->param_margin[m->pair_param[p]], radius = m->flex_radius[f];
  const CuPose pose = cu_poseOf(c, g);
  const ColShape geom = {pose.pos, pose.mat, pose.size};
  ColContact con[CU_MAXFLEX];
  mjtNum x[3][3];
  cu_elemVerts(m, f, e, &vert);
  for (int i = 0; i < 9; i++) x[i / 3][i % 3] = CU_W(c, vert)[3 * (m->flex_vertadr[f] + vert[i / 3]) + i % 3];
  const mjtNum* const at[3] = {x[0], x[1], x[2]};
  const int n = type == mjGEOM_SPHERE    ? col_sphereTriangle(con, margin, &geom, at, radius)
                : type == mjGEOM_CAPSULE ? col_capsuleTriangle(con, margin, &geom, at, radius)
                                         : col_boxTriangle(con, margin, &geom, at, radius);
  for (int i = 0; i < n; i++) cu_toHit(hit + i, con + i);
  return n;
}

// contacts of a geom and a vertex (planes) or an element
CU_FN int cu_flexHits(const Cu* c, int p, int i, CuHit* hit) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], shape = m->pair_shape[p];
  const Real margin = m->param_margin[m->pair_param[p]], *xpos = CU_W(c, geom_xpos) + 3 * g;
  if (shape == CUD_FLEX_PLANE) {
    const CuShape plane = {xpos, CU_W(c, geom_xmat) + 9 * g, m->geom_size + 3 * g};
    return cu_planeBall(hit, margin, &plane, CU_W(c, vert) + 3 * (m->flex_vertadr[f] + i), m->flex_radius[f]);
  }
  if (cu_elemApart(c, f, i, xpos, m->geom_rbound[g] + margin) || cu_hangsOn(m, f, i, m->geom_bodyid[g])) return 0;
  return shape == CUD_FLEX_EDGE ? cu_edgeHits(c, p, i, hit) : cu_triangleHits(c, p, i, hit);
}

// 1: a contact has no rows: its flex asks for none, or, where Jacobians are sparse, no dof moves what touches
CU_FN int cu_isStill(const Cu* c, int p, int part) {
  const CudModel* m = c->m;
  const int f = m->pair_geom[2 * p + 1];
  if (m->flex_passive[f]) return 1;
  if (!m->sparse || m->body_lastdof[m->geom_bodyid[m->pair_geom[2 * p]]] >= 0 || m->flex_interp[f]) return 0;
  const int one = part % 2, *vert;
  const int size = cu_elemVerts(m, f, one ? 0 : part / 2, &vert), n = one ? 1 : size;
  for (int i = 0; i < n; i++) {
    const int v = m->flex_vertadr[f] + (one ? part / 2 : vert[i]);
    if (m->body_lastdof[m->flex_vertbodyid[v]] >= 0) return 0;
  }
  return 1;
}

// pairs of a geom and a flex one after the other
CU_CALL int cu_collideFlexes(Cu* c, CuFound* found) {
  const CudModel* m = c->m;
  CU_LOOP for (int p = m->npair; p < m->nallpair; p++) {
    const int f = m->pair_geom[2 * p + 1], planes = m->pair_shape[p] == CUD_FLEX_PLANE;
    CU_FOR_ALL(i, valid, planes ? m->flex_vertnum[f] : m->flex_elemnum[f]) {
      CuHit hit[CU_MAXFLEX];
      const int n = valid ? cu_flexHits(c, p, i, hit) : 0;
      found->part = 2 * i + planes;
      found->still = n && cu_isStill(c, p, found->part);
      if (cu_any(n) && !cu_addContacts(c, found, p, n, hit)) return 0;
    }
  }
  return 1;
}
