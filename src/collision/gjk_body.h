// GJK: the point of the Minkowski difference nearest to the origin.
//
// Each step adds the vertex farthest against the current nearest point x and keeps the part of the simplex that
// supports the new nearest point. The sub-problem is solved by signed volumes: barycentric coordinates are ratios of
// determinants, and a wrong sign sends the search to a face (Montanari, Petrinic, Barbieri: Improving the GJK Algorithm
// for Faster and More Reliable Distance Queries, ACM ToG 2017). The gap x.(x - s) bounds the error of x.
//
// Here are the parts; the loops are in gjk.c and, by all lanes of a group, in cuda/gjk.h.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

#ifdef COL_GPU
#define BAS_ASSERT(x) ((void)0)
#else
#include "base/assert.h"
#endif

//---------------------------------- vertices ------------------------------------------------------

COL_API int col_discretePair(const ColConvex* a, const ColConvex* b) {
  const ColConvex* const s[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const int polytope = s[i]->type == mjGEOM_MESH || s[i]->type == mjGEOM_BOX || s[i]->type == mjGEOM_HFIELD;
    if (!polytope || s[i]->margin != 0) return 0;
  }
  return 1;
}

COL_API void col_supportPair(ColVertex* v, ColConvex* a, ColConvex* b, const mjtNum dir[3], const mjtNum opposite[3]) {
  COL_SUPPORT(v->a, a, dir);
  if (a->inflate != 0) mth_addToScl3(v->a, dir, a->inflate);

  COL_SUPPORT(v->b, b, opposite);
  if (b->inflate != 0) mth_addToScl3(v->b, opposite, b->inflate);

  mth_sub3(v->p, v->a, v->b);
  v->ia = a->vertid;
  v->ib = b->vertid;
}

//---------------------------------- nearest point of a simplex ------------------------------------

COL_FN int sameSign(mjtNum a, mjtNum b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

// |sum_i w_i v_i|^2, in the order of the vertices
COL_FN mjtNum combinedSqr(const mjtNum* w, const mjtNum* const* v, int n) {
  mjtNum x[3];
  mth_scl3(x, v[0], w[0]);
  for (int i = 1; i < n; i++) mth_addToScl3(x, v[i], w[i]);
  return mth_dot3(x, x);
}

// coordinates of the point of a segment nearest to the origin; a degenerate projection gives the second end
COL_FN void nearestOnSegment(mjtNum w[2], const mjtNum v0[3], const mjtNum v1[3]) {
  // foot of the origin on the line
  mjtNum along[3], foot[3];
  mth_sub3(along, v1, v0);
  const mjtNum t = -(mth_dot3(v1, along) / mth_dot3(along, along));
  mth_addScl3(foot, v1, along, t);

  // axis with the longest shadow, the last one of equals
  int axis = 0;
  mjtNum len = v0[0] - v1[0];
  for (int i = 1; i < 3; i++) {
    const mjtNum shadow = v0[i] - v1[i];
    if (fabs(shadow) >= fabs(len)) {
      len = shadow;
      axis = i;
    }
  }

  // inside if both parts have the sign of the whole
  const mjtNum part0 = foot[axis] - v1[axis];
  const mjtNum part1 = v0[axis] - foot[axis];
  const int inside = sameSign(len, part0) && sameSign(len, part1);
  w[0] = inside ? part0 / len : 0;
  w[1] = inside ? part1 / len : 1;
}

// foot of the origin along the normal n of a plane through v; 0 when n is too short to decide
COL_FN int footAlong(mjtNum res[3], const mjtNum n[3], const mjtNum v[3], int last) {
  const mjtNum nv = mth_dot3(n, v);
  const mjtNum nn = mth_dot3(n, n);
  if (!last && (nv == 0 || !(nn > mjMINVAL))) return 0;
  mth_scl3(res, n, COL_DIV(nv, nn));
  return 1;
}

COL_HOT int col_projectOrigin(mjtNum res[3], const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3]) {
  mjtNum e10[3], e20[3], e21[3], n[3];
  mth_sub3(e10, v1, v0);
  mth_sub3(e20, v2, v0);
  mth_sub3(e21, v2, v1);

  // the normal from the edges at each vertex in turn, until one is well conditioned
  mth_cross3(n, e21, e10);
  if (mth_dot3(n, n) == 0) return 0;
  if (footAlong(res, n, v1, 0)) return 1;

  mth_cross3(n, e10, e20);
  if (mth_dot3(n, n) == 0) return 0;
  if (footAlong(res, n, v0, 0)) return 1;

  mth_cross3(n, e20, e21);
  return footAlong(res, n, v2, 1);
}

// twice the area of (p, q, r) in the plane (x, y)
COL_FN mjtNum area2(const mjtNum p[3], const mjtNum q[3], const mjtNum r[3], int x, int y) {
  return p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y];
}

// the same for a triangle alone; the order of the terms differs
COL_FN mjtNum shadow2(const mjtNum* const v[3], int x, int y) {
  const mjtNum *a = v[0], *b = v[1], *c = v[2];
  return b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
}

COL_API mjtNum col_subareas(mjtNum area[3], const mjtNum* const v[3], const mjtNum p[3]) {
  // coordinate plane with the largest shadow
  int x = 1, y = 2;
  mjtNum largest = shadow2(v, 1, 2);
  const mjtNum xz = shadow2(v, 0, 2);
  const mjtNum xy = shadow2(v, 0, 1);
  if (!(fabs(largest) >= fabs(xz) && fabs(largest) >= fabs(xy))) {
    x = 0;
    y = fabs(xz) >= fabs(xy) ? 2 : 1;
    largest = y == 2 ? xz : xy;
  }

  area[0] = area2(p, v[1], v[2], x, y);
  area[1] = area2(p, v[2], v[0], x, y);
  area[2] = area2(p, v[0], v[1], x, y);
  return largest;
}

// coordinates of the point of a triangle nearest to the origin
COL_FN void nearestOnTriangle(mjtNum w[3], const mjtNum* const v[3]) {
  // collinear: the first edge stands for the triangle
  mjtNum foot[3];
  if (!col_projectOrigin(foot, v[0], v[1], v[2])) {
    nearestOnSegment(w, v[0], v[1]);
    w[2] = 0;
    return;
  }

  // the foot is inside if all parts have the sign of the whole
  mjtNum part[3];
  const mjtNum whole = col_subareas(part, v, foot);
  int inside[3];
  for (int i = 0; i < 3; i++) inside[i] = sameSign(whole, part[i]);
  if (inside[0] && inside[1] && inside[2]) {
    for (int i = 0; i < 3; i++) w[i] = part[i] / whole;
    return;
  }

  // else the nearest of the edges beyond which it lies
  static const int edge[3][2] = {
      {1, 2},
      {0, 2},
      {0, 1}
  };
  mjtNum best = COL_FAR;
  for (int i = 0; i < 3; i++) {
    if (inside[i]) continue;
    const mjtNum* const end[2] = {v[edge[i][0]], v[edge[i][1]]};
    mjtNum we[2];
    nearestOnSegment(we, end[0], end[1]);
    const mjtNum sqr = combinedSqr(we, end, 2);
    if (i == 0 || sqr < best) {
      w[i] = 0;
      w[edge[i][0]] = we[0];
      w[edge[i][1]] = we[1];
      best = sqr;
    }
  }
}

// a . (b x c)
COL_FN mjtNum volume6(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum bc[3];
  mth_cross3(bc, b, c);
  return mth_dot3(a, bc);
}

// coordinates of the point of a tetrahedron nearest to the origin
COL_FN void nearestOnTetrahedron(mjtNum w[4], const mjtNum* const v[4]) {
  // volumes of the origin with each face; together they make the tetrahedron
  static const int face[4][3] = {
      {1, 2, 3},
      {0, 2, 3},
      {0, 1, 3},
      {0, 1, 2}
  };
  mjtNum part[4];
  for (int i = 0; i < 4; i++) {
    const mjtNum vol = volume6(v[face[i][0]], v[face[i][1]], v[face[i][2]]);
    part[i] = i % 2 ? vol : -vol;
  }
  const mjtNum whole = part[0] + part[1] + part[2] + part[3];

  // the origin is inside if all have the same sign
  int inside[4];
  for (int i = 0; i < 4; i++) inside[i] = sameSign(whole, part[i]);
  if (inside[0] && inside[1] && inside[2] && inside[3]) {
    for (int i = 0; i < 4; i++) w[i] = part[i] / whole;
    return;
  }

  // else the nearest of the faces beyond which it lies
  mjtNum best = COL_FAR;
  for (int i = 0; i < 4; i++) {
    if (inside[i]) continue;
    const mjtNum* const corner[3] = {v[face[i][0]], v[face[i][1]], v[face[i][2]]};
    mjtNum wf[3];
    nearestOnTriangle(wf, corner);
    const mjtNum sqr = combinedSqr(wf, corner, 3);
    if (i == 0 || sqr < best) {
      // the last face leaves the weight of the fourth vertex from an earlier face, as the reference does: the simplex
      // then keeps all four and the search ends a little early
      if (i < 3) w[i] = 0;
      for (int j = 0; j < 3; j++) w[face[i][j]] = wf[j];
      best = sqr;
    }
  }
}

// keeps the vertices that support the nearest point, their weights in w; returns their number
COL_FN int reduceSimplex(mjtNum w[4], ColVertex simplex[4], int n) {
  const mjtNum* const v[4] = {simplex[0].p, simplex[1].p, simplex[2].p, simplex[3].p};
  w[0] = w[1] = w[2] = w[3] = 0;
  switch (n) {
    case 4:
      nearestOnTetrahedron(w, v);
      break;
    case 3:
      nearestOnTriangle(w, v);
      break;
    case 2:
      nearestOnSegment(w, v[0], v[1]);
      break;
    default:
      w[0] = 1;
  }

  int kept = 0;
  for (int i = 0; i < 4; i++) {
    if (w[i] == 0) continue;
    if (kept < i) simplex[kept] = simplex[i];
    w[kept++] = w[i];
  }
  return kept;
}

//---------------------------------- overlap only --------------------------------------------------

// distance of the origin from the plane through three vertices, positive inside; its outward normal is what to search.
// A face without a normal is never the nearest.
COL_FN mjtNum signedDistance(mjtNum normal[3], const ColVertex* v0, const ColVertex* v1, const ColVertex* v2) {
  mjtNum e20[3], e10[3];
  mth_sub3(e20, v2->p, v0->p);
  mth_sub3(e10, v1->p, v0->p);
  mth_cross3(normal, e20, e10);
  const mjtNum sqr = mth_dot3(normal, normal);
  if (!(sqr > COL_MINSQR && sqr < COL_MAXSQR)) return COL_FAR;
  mth_scl3(normal, normal, COL_DIV(1, COL_SQRT(sqr)));
  return mth_dot3(normal, v0->p);
}

enum { COL_SEPARATE, COL_OVERLAP, COL_UNDECIDED };

//---------------------------------- ends of the loop ----------------------------------------------

// the plane through s across x keeps everything farther away than what is asked for
COL_FN int beyondCutoff(const ColQuery* q, const mjtNum x[3], const mjtNum s[3]) {
  const mjtNum xs = mth_dot3(x, s);
  if (!(xs > 0)) return 0;
  if (!(q->cutoff > 0)) return 1;
  return q->cutoff < COL_FAR && xs * xs / mth_dot3(x, x) >= q->cutoff * q->cutoff;
}

COL_FN void setFar(ColQuery* q) {
  q->nsimplex = 0;
  q->npoint = 0;
  q->dist = COL_FAR;
}

// weighted sum of n points
COL_FN void combine(mjtNum res[3], const mjtNum* w, const mjtNum* const* v, int n) {
  if (n < 1) return;
  mth_scl3(res, v[0], w[0]);
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the simplex has n vertices
  for (int i = 1; i < n; i++) mth_addToScl3(res, v[i], w[i]);
}

// nearest points on the two shapes from the weights of the simplex
COL_FN void setNearest(ColQuery* q, const mjtNum* w, int n, mjtNum dist) {
  BAS_ASSERT(n >= 0 && n <= 4);
  const ColVertex* s = q->simplex;
  const mjtNum* const a[4] = {s[0].a, s[1].a, s[2].a, s[3].a};
  const mjtNum* const b[4] = {s[0].b, s[1].b, s[2].b, s[3].b};
  combine(q->x1, w, a, n);
  combine(q->x2, w, b, n);
  q->npoint = 1;
  q->nsimplex = n;
  q->dist = dist;
}

COL_FN int close3(const mjtNum a[3], const mjtNum b[3]) {
  return fabs(a[0] - b[0]) < mjMINVAL && fabs(a[1] - b[1]) < mjMINVAL && fabs(a[2] - b[2]) < mjMINVAL;
}
