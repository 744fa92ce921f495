// Tendons around spheres and cylinders, solved in a plane: that of the sphere's centre and the two ends, or the one
// across the cylinder, along which the path is then a helix.
//
// Round the outside: the two tangents from each end to the circle give two candidate paths; the side site or
// the shorter way decides.
// Through the inside: the path from end to end by one point of the circle is shortest where both halves make the
// same angle with the radius. With z the sine of that angle, A and B the radius over the distances of the
// ends, G the angle between the ends seen from the centre:
//   asin(A z) + asin(B z) − 2 asin(z) + G = 0
//
// The CPU (wrap.c) and the kernels for GPUs (cuda/wrap.h) share this code, in double precision: which way is taken is
// decided by signs of differences.
#pragma once

#include <math.h>

#include "kinematics/wrap.h"
#include "math/vec.h"

#if defined(__CUDACC__)
#define KIN_FN  static __device__
#define KIN_API static __device__ __noinline__
#elif defined(KIN_GPU)
#define KIN_FN  static inline
#define KIN_API static inline
#else
#define KIN_FN static
#define KIN_API
#endif

// sines and their inverses: ours on the CPU, those of the device on a GPU
#ifdef KIN_GPU
#define kin_acos(x)         acos(x)
#define kin_asin(x)         asin(x)
#define kin_sincos(x, s, c) (*(s) = sin(x), *(c) = cos(x))
#else
#include "math/elem.h"
#define kin_acos(x)         mth_acos(x)
#define kin_asin(x)         mth_asin(x)
#define kin_sincos(x, s, c) mth_sincos(x, s, c)
#endif

KIN_FN mjtNum dot2(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

KIN_FN mjtNum cross2(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

KIN_FN void sub2(mjtNum res[2], const mjtNum a[2], const mjtNum b[2]) {
  res[0] = a[0] - b[0];
  res[1] = a[1] - b[1];
}

// scales to length 1; (1, 0) when too short to have a direction
KIN_FN void normalize2(mjtNum a[2]) {
  const mjtNum norm = sqrt(dot2(a, a));
  const mjtNum scale = norm < mjMINVAL ? 0 : 1 / norm;
  a[0] = norm < mjMINVAL ? 1 : a[0] * scale;
  a[1] *= scale;
}

// ---------------------------------------------------------------- outside

// do the segments a-b and c-d cross?
KIN_FN int segmentsCross(const mjtNum a[2], const mjtNum b[2], const mjtNum c[2], const mjtNum d[2]) {
  mjtNum ab[2], cd[2], ca[2];
  sub2(ab, b, a);
  sub2(cd, d, c);
  sub2(ca, a, c);
  const mjtNum det = cd[1] * ab[0] - cd[0] * ab[1];
  if (fabs(det) < mjMINVAL) return 0;
  const mjtNum s = (cd[0] * ca[1] - cd[1] * ca[0]) / det;
  const mjtNum t = (ab[0] * ca[1] - ab[1] * ca[0]) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// length of the arc between two points of the circle, running clockwise (way 0) or counter-clockwise (way 1)
KIN_FN mjtNum arcLength(const mjtNum from[2], const mjtNum to[2], int way, mjtNum radius) {
  mjtNum a[2] = {from[0], from[1]}, b[2] = {to[0], to[1]};
  normalize2(a);
  normalize2(b);
  const mjtNum cosine = mth_clip(dot2(a, b), -1, 1);
  mjtNum angle = kin_acos(cosine);
  const mjtNum turn = -cross2(from, to);
  if ((turn > 0 && way) || (turn < 0 && !way)) angle = 2 * mjPI - angle;
  return radius * angle;
}

// where the tangents touch when the tendon goes this way round
KIN_FN void tangentPoints(mjtNum pnt[4], const mjtNum end[4], mjtNum radius, int way) {
  const mjtNum sqrad = radius * radius;
  for (int k = 0; k < 2; k++) {
    const mjtNum *e = end + 2 * k, sqlen = dot2(e, e);
    const mjtNum tangent = sqrt(sqlen - sqrad), sign = (way == 0) == (k == 0) ? 1 : -1;
    pnt[2 * k] = (e[0] * sqrad + sign * radius * e[1] * tangent) / sqlen;
    pnt[2 * k + 1] = (e[1] * sqrad - sign * radius * e[0] * tangent) / sqlen;
  }
}

// how good a candidate is: close to the side, or short; crossing itself is out of the question
KIN_FN mjtNum goodness(const mjtNum pnt[4], const mjtNum end[4], const mjtNum* side) {
  if (segmentsCross(end, pnt, end + 2, pnt + 2)) return -10000;
  mjtNum v[2];
  if (side) {
    v[0] = pnt[0] + pnt[2];
    v[1] = pnt[1] + pnt[3];
    normalize2(v);
    return dot2(v, side);
  }
  sub2(v, pnt, pnt + 2);
  return -dot2(v, v);
}

KIN_API mjtNum kin_wrapCircle(mjtNum pnt[4], const mjtNum end[4], const mjtNum* side, mjtNum radius) {
  const mjtNum sqrad = radius * radius;
  if (dot2(end, end) < sqrad || dot2(end + 2, end + 2) < sqrad || radius < mjMINVAL) return -1;

  // point of the straight path that is nearest to the centre
  mjtNum dif[2];
  sub2(dif, end + 2, end);
  const mjtNum sqdif = dot2(dif, dif);
  if (sqdif < mjMINVAL) return -1;
  const mjtNum a = mth_clip(-dot2(dif, end) / sqdif, 0, 1);
  const mjtNum nearest[2] = {a * dif[0] + end[0], a * dif[1] + end[1]};

  // the straight path is clear and on the right side
  if (dot2(nearest, nearest) > sqrad && (!side || dot2(side, nearest) >= 0)) return -1;

  mjtNum candidate[2][4];
  tangentPoints(candidate[0], end, radius, 0);
  tangentPoints(candidate[1], end, radius, 1);
  const int way = goodness(candidate[0], end, side) > goodness(candidate[1], end, side) ? 0 : 1;
  mth_copy4(pnt, candidate[way]);
  if (segmentsCross(end, pnt, end + 2, pnt + 2)) return -1;
  return arcLength(pnt, pnt + 2, way, radius);
}

// ---------------------------------------------------------------- inside

// left-hand side of the equation at the top of this file
KIN_FN mjtNum insideResidual(mjtNum z, mjtNum A, mjtNum B, mjtNum G) {
  return kin_asin(A * z) + kin_asin(B * z) - 2 * kin_asin(z) + G;
}

KIN_FN mjtNum asinSlope(mjtNum z, mjtNum A) {
  return A / mth_max(mjMINVAL, sqrt(1 - z * z * A * A));
}

// Newton from the right, where the residual is negative; 0 when it does not get to the root in 20 steps
KIN_FN int solveInside(mjtNum* root, mjtNum A, mjtNum B, mjtNum G) {
  const mjtNum tolerance = 1e-6;
  mjtNum z = 1 - 1e-7, f = insideResidual(z, A, B, G);
  if (f > 0) return 0;

  int step = 0;
  for (; step < 20 && fabs(f) > tolerance; step++) {
    const mjtNum slope = asinSlope(z, A) + asinSlope(z, B) - 2 * asinSlope(z, 1);
    if (slope > -mjMINVAL) return 0;
    const mjtNum next = z - f / slope;
    if (next > z) return 0;
    z = next;
    f = insideResidual(z, A, B, G);
    if (f > tolerance) return 0;
  }
  *root = z;
  return step < 20;
}

KIN_API mjtNum kin_wrapInside(mjtNum pnt[4], const mjtNum end[4], mjtNum radius) {
  const mjtNum len0 = sqrt(dot2(end, end)), len1 = sqrt(dot2(end + 2, end + 2));
  if (len0 <= radius || len1 <= radius || radius < mjMINVAL || len0 < mjMINVAL || len1 < mjMINVAL) return -1;

  // the straight path meets the circle anyway
  mjtNum dif[2];
  sub2(dif, end + 2, end);
  const mjtNum sqdif = dot2(dif, dif);
  if (sqdif > mjMINVAL) {
    const mjtNum a = -dot2(dif, end) / sqdif;
    const mjtNum nearest[2] = {end[0] + a * dif[0], end[1] + a * dif[1]};
    if (a > 0 && a < 1 && sqrt(dot2(nearest, nearest)) <= radius) return -1;
  }

  // when the solver fails: between the ends
  mjtNum vec[2] = {0.5 * (end[0] + end[2]), 0.5 * (end[1] + end[3])};
  normalize2(vec);
  mth_set4(pnt, vec[0] * radius, vec[1] * radius, vec[0] * radius, vec[1] * radius);

  const mjtNum A = radius / len0, B = radius / len1;
  const mjtNum cosG = (len0 * len0 + len1 * len1 - sqdif) / (2 * len0 * len1);
  if (cosG < -1 + mjMINVAL) return -1;
  if (cosG > 1 - mjMINVAL) return 0;
  mjtNum z;
  if (!solveInside(&z, A, B, kin_acos(cosG))) return 0;

  // counter-clockwise from the end that comes first in that direction
  const int first = cross2(end, end + 2) > 0 ? 0 : 1;
  vec[0] = end[2 * first];
  vec[1] = end[2 * first + 1];
  normalize2(vec);
  mjtNum s, c;
  kin_sincos(kin_asin(z) - kin_asin((first == 0 ? A : B) * z), &s, &c);
  pnt[0] = pnt[2] = radius * (c * vec[0] - s * vec[1]);
  pnt[1] = pnt[3] = radius * (s * vec[0] + c * vec[1]);
  return 0;
}

// ---------------------------------------------------------------- in space

// the plane of the sphere's centre and two points; any plane when they are in line with it
KIN_FN void spherePlane(mjtNum axis[2][3], const mjtNum p0[3], const mjtNum p1[3]) {
  mjtNum normal[3];
  mth_copy3(axis[0], p0);
  mth_normalize3(axis[0]);
  mth_cross3(normal, p0, p1);
  if (mth_normalize3(normal) < mjMINVAL) {
    // ones everywhere but along the largest component of the first axis
    const mjtNum size[3] = {fabs(axis[0][0]), fabs(axis[0][1]), fabs(axis[0][2])};
    const int largest = size[1] > size[0] && size[1] > size[2] ? 1 : size[2] > size[0] && size[2] > size[1] ? 2 : 0;
    mjtNum other[3] = {1, 1, 1};
    other[largest] = 0;
    mth_cross3(normal, axis[0], other);
    mth_normalize3(normal);
  }
  mth_cross3(axis[1], normal, axis[0]);
  mth_normalize3(axis[1]);
}

// spreads the height along the three pieces of the path in proportion to their lengths; returns the helix's length
KIN_FN mjtNum spreadHeight(mjtNum res[2][3], const mjtNum p[2][3], mjtNum arc) {
  mjtNum leg[2];
  for (int k = 0; k < 2; k++) {
    const mjtNum dif[2] = {p[k][0] - res[k][0], p[k][1] - res[k][1]};
    leg[k] = sqrt(dot2(dif, dif));
  }
  const mjtNum rise = p[1][2] - p[0][2], total = leg[0] + arc + leg[1];
  res[0][2] = p[0][2] + rise * leg[0] / total;
  res[1][2] = p[0][2] + rise * (leg[0] + arc) / total;
  const mjtNum height = fabs(res[1][2] - res[0][2]);
  return sqrt(arc * arc + height * height);
}

// world point to the geom's frame
KIN_FN void wrapLocal(mjtNum res[3], const KinWrap* wrap, const mjtNum point[3]) {
  mjtNum dif[3];
  mth_sub3(dif, point, wrap->xpos);
  mth_mulMatTVec3(res, wrap->xmat, dif);
}

KIN_API mjtNum kin_wrap(mjtNum point[6], const KinWrap* wrap) {
  const mjtNum radius = wrap->radius;
  mjtNum p[2][3];
  wrapLocal(p[0], wrap, wrap->site[0]);
  wrapLocal(p[1], wrap, wrap->site[1]);
  if (mth_norm3(p[0]) < mjMINVAL || mth_norm3(p[1]) < mjMINVAL) return -1;

  // the plane, and the ends in it
  mjtNum axis[2][3] = {
      {1, 0, 0},
      {0, 1, 0}
  };
  if (wrap->type == mjWRAP_SPHERE) spherePlane(axis, p[0], p[1]);
  const mjtNum end[4] = {mth_dot3(p[0], axis[0]), mth_dot3(p[0], axis[1]), mth_dot3(p[1], axis[0]),
                         mth_dot3(p[1], axis[1])};

  // which way
  mjtNum length, pnt[4] = {0};
  if (wrap->side) {
    mjtNum side[3];
    wrapLocal(side, wrap, wrap->side);
    if (mth_norm3(side) < radius) {
      length = kin_wrapInside(pnt, end, radius);
    } else {
      mjtNum flat[2] = {mth_dot3(side, axis[0]), mth_dot3(side, axis[1])};
      normalize2(flat);
      flat[0] *= radius;
      flat[1] *= radius;
      length = kin_wrapCircle(pnt, end, flat, radius);
    }
  } else {
    length = kin_wrapCircle(pnt, end, NULL, radius);
  }
  if (length < 0) return -1;

  // back to space
  mjtNum res[2][3];
  for (int k = 0; k < 2; k++) {
    mth_scl3(res[k], axis[0], pnt[2 * k]);
    mth_addToScl3(res[k], axis[1], pnt[2 * k + 1]);
  }
  if (wrap->type == mjWRAP_CYLINDER) length = spreadHeight(res, p, length);
  for (int k = 0; k < 2; k++) {
    mth_mulMatVec3(point + 3 * k, wrap->xmat, res[k]);
    mth_addTo3(point + 3 * k, wrap->xpos);
  }
  return length;
}
