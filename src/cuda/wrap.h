// Tendons around spheres and cylinders, as kinematics/wrap.c has them: solved in the plane of the centre and the two
// ends, or across the cylinder.
#pragma once

#include "cuda/algebra.h"

CU_FN Real cu_dot2(const Real a[2], const Real b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

CU_FN Real cu_cross2(const Real a[2], const Real b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

// scales to length 1; (1, 0) where there is no direction
CU_FN void cu_unit2(Real a[2]) {
  const Real length = cu_sqrt(cu_dot2(a, a)), scale = length < CU_MINVAL ? R_(0) : 1 / length;
  a[0] = length < CU_MINVAL ? R_(1) : a[0] * scale;
  a[1] *= scale;
}

//---------------------------------- outside ----------------------------------

// do the segments a-b and c-d cross?
CU_FN int cu_cross(const Real a[2], const Real b[2], const Real c[2], const Real d[2]) {
  const Real ab[2] = {b[0] - a[0], b[1] - a[1]}, cd[2] = {d[0] - c[0], d[1] - c[1]}, ca[2] = {a[0] - c[0], a[1] - c[1]};
  const Real det = cd[1] * ab[0] - cd[0] * ab[1];
  if (cu_abs(det) < CU_MINVAL) return 0;
  const Real s = (cd[0] * ca[1] - cd[1] * ca[0]) / det, t = (ab[0] * ca[1] - ab[1] * ca[0]) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// length of the arc between two points of the circle, clockwise (way 0) or the other way
CU_FN Real cu_arc(const Real from[2], const Real to[2], int way, Real radius) {
  const Real pi = R_(3.14159265358979323846);
  Real a[2] = {from[0], from[1]}, b[2] = {to[0], to[1]};
  cu_unit2(a);
  cu_unit2(b);
  Real angle = cu_acos(cu_clip(cu_dot2(a, b), -1, 1));
  const Real turn = -cu_cross2(from, to);
  if ((turn > 0 && way) || (turn < 0 && !way)) angle = 2 * pi - angle;
  return radius * angle;
}

// where the tangents touch when the tendon goes this way round
CU_FN void cu_tangents(Real pnt[4], const Real end[4], Real radius, int way) {
  const Real square = radius * radius;
  for (int k = 0; k < 2; k++) {
    const Real *e = end + 2 * k, length = cu_dot2(e, e), tangent = cu_sqrt(length - square);
    const Real sign = (way == 0) == (k == 0) ? R_(1) : R_(-1);
    pnt[2 * k] = (e[0] * square + sign * radius * e[1] * tangent) / length;
    pnt[2 * k + 1] = (e[1] * square - sign * radius * e[0] * tangent) / length;
  }
}

// how good a way is: close to the side, or short; crossing itself is out of the question
CU_FN Real cu_goodness(const Real pnt[4], const Real end[4], const Real* side) {
  if (cu_cross(end, pnt, end + 2, pnt + 2)) return -10000;
  Real v[2] = {pnt[0] + pnt[2], pnt[1] + pnt[3]};
  if (side) {
    cu_unit2(v);
    return cu_dot2(v, side);
  }
  v[0] = pnt[0] - pnt[2], v[1] = pnt[1] - pnt[3];
  return -cu_dot2(v, v);
}

// length on the circle, -1: the straight path is clear
CU_FN Real cu_wrapCircle(Real pnt[4], const Real end[4], const Real* side, Real radius) {
  const Real square = radius * radius;
  if (cu_dot2(end, end) < square || cu_dot2(end + 2, end + 2) < square || radius < CU_MINVAL) return -1;
  const Real dif[2] = {end[2] - end[0], end[3] - end[1]}, length = cu_dot2(dif, dif);
  if (length < CU_MINVAL) return -1;
  const Real a = cu_clip(-cu_dot2(dif, end) / length, 0, 1);
  const Real nearest[2] = {a * dif[0] + end[0], a * dif[1] + end[1]};
  if (cu_dot2(nearest, nearest) > square && (!side || cu_dot2(side, nearest) >= 0)) return -1;

  // the better of both ways round
  Real other[4];
  cu_tangents(pnt, end, radius, 0);
  cu_tangents(other, end, radius, 1);
  const int way = cu_goodness(pnt, end, side) > cu_goodness(other, end, side) ? 0 : 1;
  if (way) cu_copy4(pnt, other);
  if (cu_cross(end, pnt, end + 2, pnt + 2)) return -1;
  return cu_arc(pnt, pnt + 2, way, radius);
}

//---------------------------------- inside ----------------------------------

CU_FN Real cu_insideResidual(Real z, Real A, Real B, Real G) {
  return cu_asin(A * z) + cu_asin(B * z) - 2 * cu_asin(z) + G;
}

CU_FN Real cu_asinSlope(Real z, Real A) {
  return A / cu_max(CU_MINVAL, cu_sqrt(1 - z * z * A * A));
}

// Newton from the right; 0: it does not get to the root
CU_FN int cu_solveInside(Real* root, Real A, Real B, Real G) {
  const Real tolerance = R_(1e-6);
  Real z = R_(1 - 1e-7), f = cu_insideResidual(z, A, B, G);
  if (f > 0) return 0;
  int step = 0;
  for (; step < 20 && cu_abs(f) > tolerance; step++) {
    const Real slope = cu_asinSlope(z, A) + cu_asinSlope(z, B) - 2 * cu_asinSlope(z, 1);
    if (slope > -CU_MINVAL) return 0;
    const Real next = z - f / slope;
    if (next > z) return 0;
    z = next;
    f = cu_insideResidual(z, A, B, G);
    if (f > tolerance) return 0;
  }
  *root = z;
  return step < 20;
}

// through one point of the circle: both points are the same, and the length is 0
CU_FN Real cu_wrapInside(Real pnt[4], const Real end[4], Real radius) {
  const Real len0 = cu_sqrt(cu_dot2(end, end)), len1 = cu_sqrt(cu_dot2(end + 2, end + 2));
  if (len0 <= radius || len1 <= radius || radius < CU_MINVAL || len0 < CU_MINVAL || len1 < CU_MINVAL) return -1;
  const Real dif[2] = {end[2] - end[0], end[3] - end[1]}, square = cu_dot2(dif, dif);
  if (square > CU_MINVAL) {
    const Real a = -cu_dot2(dif, end) / square, nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
    if (a > 0 && a < 1 && cu_sqrt(cu_dot2(nearest, nearest)) <= radius) return -1;
  }

  // where the equation has no solution: between the ends
  Real vec[2] = {R_(0.5) * (end[0] + end[2]), R_(0.5) * (end[1] + end[3])}, z, s, c;
  cu_unit2(vec);
  cu_set4(pnt, vec[0] * radius, vec[1] * radius, vec[0] * radius, vec[1] * radius);
  const Real A = radius / len0, B = radius / len1, cosine = (len0 * len0 + len1 * len1 - square) / (2 * len0 * len1);
  if (cosine < -1 + CU_MINVAL) return -1;
  if (cosine > 1 - CU_MINVAL) return 0;
  if (!cu_solveInside(&z, A, B, cu_acos(cosine))) return 0;

  // counter-clockwise from the end that comes first in that direction
  const int first = cu_cross2(end, end + 2) > 0 ? 0 : 1;
  vec[0] = end[2 * first], vec[1] = end[2 * first + 1];
  cu_unit2(vec);
  cu_sincos(cu_asin(z) - cu_asin((first == 0 ? A : B) * z), &s, &c);
  pnt[0] = pnt[2] = radius * (c * vec[0] - s * vec[1]);
  pnt[1] = pnt[3] = radius * (s * vec[0] + c * vec[1]);
  return 0;
}

//---------------------------------- in space ----------------------------------

// a geom between two points
typedef struct {
  Real xpos[3], xmat[9], radius;
  int cylinder;
  int sided;     // 1: there is a side
  Real side[3];  // which way round, or inside the geom: through it
} CuWrap;

CU_FN void cu_toLocal(Real r[3], const CuWrap* w, const Real point[3]) {
  Real dif[3];
  cu_sub3(dif, point, w->xpos);
  cu_mulMatT3(r, w->xmat, dif);
}

// the plane of the centre and two points; any plane where they are in line
CU_FN void cu_spherePlane(Real axis[2][3], const Real p0[3], const Real p1[3]) {
  Real normal[3];
  cu_copy3(axis[0], p0);
  cu_unit3(axis[0]);
  cu_cross3(normal, p0, p1);
  if (cu_unit3(normal) < CU_MINVAL) {
    const Real x = cu_abs(axis[0][0]), y = cu_abs(axis[0][1]), z = cu_abs(axis[0][2]);
    const int largest = y > x && y > z ? 1 : z > x && z > y ? 2 : 0;
    const Real other[3] = {(Real)(largest != 0), (Real)(largest != 1), (Real)(largest != 2)};
    cu_cross3(normal, axis[0], other);
    cu_unit3(normal);
  }
  cu_cross3(axis[1], normal, axis[0]);
  cu_unit3(axis[1]);
}

// spreads the height along the path in proportion to its three lengths; returns the length of the helix
CU_FN Real cu_spreadHeight(Real r[2][3], const Real p[2][3], Real arc) {
  Real leg[2];
  for (int k = 0; k < 2; k++) {
    const Real dif[2] = {p[k][0] - r[k][0], p[k][1] - r[k][1]};
    leg[k] = cu_sqrt(cu_dot2(dif, dif));
  }
  const Real rise = p[1][2] - p[0][2], total = leg[0] + arc + leg[1];
  r[0][2] = p[0][2] + rise * leg[0] / total;
  r[1][2] = p[0][2] + rise * (leg[0] + arc) / total;
  const Real height = r[1][2] - r[0][2];
  return cu_sqrt(arc * arc + height * height);
}

// length on the surface, and where the tendon touches and leaves it; -1: it does not touch
CU_CALL Real cu_wrap(Real touch[2][3], const CuWrap* w, const Real from[3], const Real to[3]) {
  Real p[2][3],
      axis[2][3] =
          {
              {1, 0, 0},
              {0, 1, 0}
  },
      side[3], flat[2] = {0, 0}, pnt[4], r[2][3];
  cu_toLocal(p[0], w, from);
  cu_toLocal(p[1], w, to);
  if (cu_dot3(p[0], p[0]) < CU_MINVAL * CU_MINVAL || cu_dot3(p[1], p[1]) < CU_MINVAL * CU_MINVAL) return -1;
  if (!w->cylinder) cu_spherePlane(axis, p[0], p[1]);
  const Real end[4] = {cu_dot3(p[0], axis[0]), cu_dot3(p[0], axis[1]), cu_dot3(p[1], axis[0]), cu_dot3(p[1], axis[1])};

  // which way
  int inside = 0;
  if (w->sided) {
    cu_toLocal(side, w, w->side);
    inside = cu_sqrt(cu_dot3(side, side)) < w->radius;
    flat[0] = cu_dot3(side, axis[0]), flat[1] = cu_dot3(side, axis[1]);
    cu_unit2(flat);
    flat[0] *= w->radius, flat[1] *= w->radius;
  }
  Real length = inside ? cu_wrapInside(pnt, end, w->radius) : cu_wrapCircle(pnt, end, w->sided ? flat : 0, w->radius);
  if (length < 0) return -1;

  // back to space
  for (int k = 0; k < 2; k++) {
    cu_scl3(r[k], axis[0], pnt[2 * k]);
    cu_addScl3(r[k], r[k], axis[1], pnt[2 * k + 1]);
  }
  if (w->cylinder) length = cu_spreadHeight(r, p, length);
  for (int k = 0; k < 2; k++) {
    cu_mulMat3(touch[k], w->xmat, r[k]);
    cu_add3(touch[k], touch[k], w->xpos);
  }
  return length;
}
