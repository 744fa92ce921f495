// Whether an ellipsoid touches a box, a capsule or a sphere, without a search among simplices: every lane looks at one
// feature of the box.
//
// Along a direction u of length 1 from the box to the ellipsoid the shapes are apart by u . c - h(u) - r(u): c is the
// centre of the ellipsoid in the frame of the box, h(u) = sqrt(u A u) its reach, r(u) = sum |u_i| half_i that of the
// box. Their distance is the largest of these, so any u that gives more than 0 proves that they do not touch. For
// directions of given signs, and 0 along the axes in which a face or an edge extends, it is the distance of a point
// from an ellipsoid, v = c - signs * half:
//
//   u ~ p(t) = adj(A + tI) v, where det(A + tI)² = p A p
//
// which is one equation in t. The best of all 26 features tells. A capsule is a box without width, and rounded.
#pragma once

#include "cuda/shapes.h"

// iterations for t, with which the distance of an ellipsoid of 3 : 4 : 2 is known to 1e-4 of its size; features
enum { CU_OVAL_ITER = 4, CU_OVAL_FEATURES = 27 };

// in the frame of the box, lengths relative to the longest half-axis of the ellipsoid
typedef struct {
  Real centre[3];  // of the ellipsoid
  Real A[6];       // xx yy zz yz xz xy
  Real half[3];    // of the box
  Real radius;     // around it
  Real unit;       // length of the longest half-axis
} CuOval;

// a direction of length 1, and how far the shapes are apart along it
typedef struct {
  Real u[3], gap;
} CuAlong;

CU_FN void cu_mulSym(Real r[3], const Real A[6], const Real v[3]) {
  cu_set3(r, A[0] * v[0] + A[5] * v[1] + A[4] * v[2], A[5] * v[0] + A[1] * v[1] + A[3] * v[2],
          A[4] * v[0] + A[3] * v[1] + A[2] * v[2]);
}

// the second shape as a box with a radius
CU_FN void cu_openOval(CuOval* o, const CuShape* oval, int type, const CuShape* box) {
  const Real* size = oval->size;
  Real to[3], B[9];
  o->unit = cu_max(size[0], cu_max(size[1], size[2]));
  const Real scale = 1 / o->unit;
  cu_sub3(to, oval->pos, box->pos);
  cu_mulMatT3(o->centre, box->mat, to);
  cu_scl3(o->centre, o->centre, scale);
  for (int k = 0; k < 3; k++) {
    Real axis[3], local[3];
    cu_col3(axis, oval->mat, k);
    cu_mulMatT3(local, box->mat, axis);
    for (int i = 0; i < 3; i++) B[3 * i + k] = local[i] * scale * size[k];
  }
  for (int i = 0; i < 3; i++) {
    const Real *row = B + 3 * i, *next = B + 3 * ((i + 1) % 3), *last = B + 3 * ((i + 2) % 3);
    o->A[i] = cu_dot3(row, row);
    o->A[3 + i] = cu_dot3(next, last);
  }
  if (type == mjGEOM_BOX) {
    cu_scl3(o->half, box->size, scale);
    o->radius = 0;
  } else {
    cu_set3(o->half, 0, 0, type == mjGEOM_CAPSULE ? scale * box->size[1] : 0);
    o->radius = scale * box->size[0];
  }
}

CU_FN Real cu_gapAlong(const CuOval* o, const Real u[3]) {
  Real Au[3];
  cu_mulSym(Au, o->A, u);
  Real gap = cu_dot3(u, o->centre) - cu_sqrt(cu_dot3(u, Au)) - o->radius;
  for (int i = 0; i < 3; i++) gap -= cu_abs(u[i]) * o->half[i];
  return gap;
}

// Direction of the point of an ellipsoid nearest to v. Newton's method for det(A + tI) / sqrt(p A p) = 1, nearly linear
// in t; from 0 on, and not beyond a bound of the least root of the determinant.
CU_FN void cu_nearestOf(Real u[3], const Real A[6], const Real v[3]) {
  Real q[3], r[3], Av[3], Aq[3], Ar[3], adj[6];
  const Real trace = A[0] + A[1] + A[2];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    adj[i] = A[j] * A[k] - A[3 + i] * A[3 + i];
    adj[3 + i] = A[3 + j] * A[3 + k] - A[i] * A[3 + i];
  }
  const Real minors = adj[0] + adj[1] + adj[2], det = A[0] * adj[0] + A[5] * adj[5] + A[4] * adj[4];
  cu_mulSym(Av, A, v);
  cu_mulSym(r, adj, v);
  cu_scl3(q, v, trace);
  cu_sub3(q, q, Av);
  cu_mulSym(Aq, A, q);
  cu_mulSym(Ar, A, r);

  // p A p as a polynomial in t
  const Real n4 = cu_dot3(v, Av), n3 = 2 * cu_dot3(v, Aq), n2 = cu_dot3(q, Aq) + 2 * cu_dot3(v, Ar);
  const Real n1 = 2 * cu_dot3(q, Ar), n0 = cu_dot3(r, Ar), floor = R_(-0.95) * det / minors;
  Real t = 0;
  CU_LOOP for (int i = 0; i < CU_OVAL_ITER; i++) {
    const Real D = ((t + trace) * t + minors) * t + det, dD = (3 * t + 2 * trace) * t + minors;
    const Real N = (((n4 * t + n3) * t + n2) * t + n1) * t + n0, dN = ((4 * n4 * t + 3 * n3) * t + 2 * n2) * t + n1;
    t = cu_max(floor, t - (D - cu_sqrt(N)) / (dD - D * dN / (2 * N)));
  }
  for (int i = 0; i < 3; i++) u[i] = (v[i] * t + q[i]) * t + r[i];
  cu_unit3(u);
}

// the best direction of one feature: its number has a digit for each axis, 0 1 2 for the signs -1 0 1
CU_FN void cu_askFeature(const CuOval* o, int feature, CuAlong* along) {
  const int sign[3] = {feature % 3 - 1, feature / 3 % 3 - 1, feature / 9 - 1};
  Real A[6], v[3];
  for (int i = 0; i < 3; i++) {
    v[i] = sign[i] ? o->centre[i] - (Real)sign[i] * o->half[i] : 0;
    A[i] = sign[i] ? o->A[i] : R_(1);
    A[3 + i] = sign[(i + 1) % 3] && sign[(i + 2) % 3] ? o->A[3 + i] : 0;
  }
  cu_nearestOf(along->u, A, v);
  along->gap = cu_gapAlong(o, along->u);
}

// the best of all features, for all lanes
CU_FN void cu_askOval(const CuOval* o, CuAlong* best) {
  best->gap = R_(-1e30);
  cu_set3(best->u, 0, 0, 1);
  CU_FOR(k, CU_OVAL_FEATURES) {
    CuAlong along;
    cu_askFeature(o, k, &along);
    if (along.gap > best->gap) *best = along;
  }
  const int from = cu_mostOf(best->gap);
  best->gap = cu_from(best->gap, from);
  for (int i = 0; i < 3; i++) best->u[i] = cu_from(best->u[i], from);
}

// what rounding does to a distance, relative to the shapes
#define CU_OVAL_SURE R_(1e-6)

// 1: the shapes are clearly farther apart than the margin. axis: a direction from the box to the ellipsoid that shows
// it
CU_CALL int cu_ovalApart(const CuShape* oval, int type, const CuShape* box, Real margin, Real axis[3]) {
  CuOval o;
  CuAlong best;
  cu_openOval(&o, oval, type, box);
  cu_askOval(&o, &best);
  cu_mulMat3(axis, box->mat, best.u);
  return (best.gap - CU_OVAL_SURE) * o.unit > margin;
}

// 1: shapes are clearly apart along an axis that points from the box to the ellipsoid
CU_FN int cu_ovalApartAlong(const CuShape* oval, int type, const CuShape* box, const Real axis[3], Real margin) {
  Real to[3], local[3], reach;
  cu_mulMatT3(local, oval->mat, axis);
  for (int i = 0; i < 3; i++) local[i] *= oval->size[i];
  reach = cu_sqrt(cu_dot3(local, local));
  cu_mulMatT3(local, box->mat, axis);
  if (type == mjGEOM_BOX) {
    for (int i = 0; i < 3; i++) reach += cu_abs(local[i]) * box->size[i];
  } else {
    reach += box->size[0] + (type == mjGEOM_CAPSULE ? cu_abs(local[2]) * box->size[1] : 0);
  }
  cu_sub3(to, oval->pos, box->pos);
  return cu_dot3(to, axis) > reach + margin + CU_OVAL_SURE * reach;
}
