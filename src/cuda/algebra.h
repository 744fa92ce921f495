// Vectors, quaternions (w, x, y, z) and spatial vectors (rotation, translation) of the kernels, as math/vec.h,
// math/quat.h and math/spatial.h have them for the CPU: same conventions, in the precision of the file.
#pragma once

#include "cuda/lanes.h"
#include "math/spatial_body.h"

CU_FN Real cu_clip(Real x, Real lo, Real hi) {
  return cu_max(lo, cu_min(hi, x));
}

//---------------------------------- three numbers ----------------------------------

CU_FN void cu_set3(Real r[3], Real x, Real y, Real z) {
  r[0] = x, r[1] = y, r[2] = z;
}

CU_FN void cu_copy3(Real r[3], const Real a[3]) {
  cu_set3(r, a[0], a[1], a[2]);
}

CU_FN void cu_copyN(Real* r, const Real* a, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i];
}

CU_FN void cu_add3(Real r[3], const Real a[3], const Real b[3]) {
  cu_set3(r, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

CU_FN void cu_sub3(Real r[3], const Real a[3], const Real b[3]) {
  cu_set3(r, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

CU_FN void cu_scl3(Real r[3], const Real a[3], Real s) {
  cu_set3(r, a[0] * s, a[1] * s, a[2] * s);
}

// r = a + s b
CU_FN void cu_addScl3(Real r[3], const Real a[3], const Real b[3], Real s) {
  cu_set3(r, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

CU_FN Real cu_dot3(const Real a[3], const Real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

CU_FN void cu_cross3(Real r[3], const Real a[3], const Real b[3]) {
  cu_set3(r, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

// scales to length 1, returns the old length; what is too short becomes (1, 0, 0)
CU_FN Real cu_unit3(Real a[3]) {
  const Real length = cu_sqrt(cu_dot3(a, a));
  if (length < CU_MINVAL) {
    cu_set3(a, 1, 0, 0);
  } else {
    cu_scl3(a, a, 1 / length);
  }
  return length;
}

//---------------------------------- 3x3 matrices, row by row ----------------------------------

CU_FN void cu_mulMat3(Real r[3], const Real m[9], const Real v[3]) {
  cu_set3(r, cu_dot3(m, v), cu_dot3(m + 3, v), cu_dot3(m + 6, v));
}

CU_FN void cu_mulMatT3(Real r[3], const Real m[9], const Real v[3]) {
  cu_set3(r, m[0] * v[0] + m[3] * v[1] + m[6] * v[2], m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
          m[2] * v[0] + m[5] * v[1] + m[8] * v[2]);
}

CU_FN void cu_col3(Real r[3], const Real m[9], int k) {
  cu_set3(r, m[k], m[k + 3], m[k + 6]);
}

//---------------------------------- quaternions ----------------------------------

CU_FN void cu_set4(Real r[4], Real w, Real x, Real y, Real z) {
  r[0] = w, r[1] = x, r[2] = y, r[3] = z;
}

CU_FN void cu_copy4(Real r[4], const Real a[4]) {
  cu_set4(r, a[0], a[1], a[2], a[3]);
}

CU_FN void cu_mulQuat(Real r[4], const Real a[4], const Real b[4]) {
  cu_set4(r, a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2], a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]);
}

// the zero quaternion becomes the identity; in double precision one of length 1 up to rounding stays as it is, as on
// the CPU
CU_FN void cu_unit4(Real q[4]) {
  const Real length = cu_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (length < CU_MINVAL) {
    cu_set4(q, 1, 0, 0, 0);
  } else if (!CU_DOUBLE || cu_abs(length - 1) > CU_MINVAL) {
    const Real s = 1 / length;
    cu_set4(q, q[0] * s, q[1] * s, q[2] * s, q[3] * s);
  }
}

// v + 2 u x (w v + u x v)
CU_FN void cu_rotate(Real r[3], const Real q[4], const Real v[3]) {
  const Real t0 = q[0] * v[0] + q[2] * v[2] - q[3] * v[1];
  const Real t1 = q[0] * v[1] + q[3] * v[0] - q[1] * v[2];
  const Real t2 = q[0] * v[2] + q[1] * v[1] - q[2] * v[0];
  cu_set3(r, v[0] + 2 * (q[2] * t2 - q[3] * t1), v[1] + 2 * (q[3] * t0 - q[1] * t2),
          v[2] + 2 * (q[1] * t1 - q[2] * t0));
}

CU_FN void cu_quat2Mat(Real r[9], const Real q[4]) {
  const Real x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
  const Real wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
  const Real ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  cu_set3(r, ww + xx - yy - zz, xy - wz, xz + wy);
  cu_set3(r + 3, xy + wz, ww - xx + yy - zz, yz - wx);
  cu_set3(r + 6, xz - wy, yz + wx, ww - xx - yy + zz);
}

// rotation vector that turns the identity into q, the shorter way round
CU_FN void cu_quat2Vec(Real r[3], const Real q[4]) {
  const Real pi = R_(3.14159265358979323846);
  cu_copy3(r, q + 1);
  const Real sine = cu_unit3(r);
  Real angle = 2 * cu_atan2(sine, q[0]);
  if (angle > pi) angle -= 2 * pi;
  cu_scl3(r, r, angle);
}

// rotation vector d with b exp(d) = a
CU_FN void cu_subQuat(Real r[3], const Real a[4], const Real b[4]) {
  const Real inverse[4] = {b[0], -b[1], -b[2], -b[3]};
  Real q[4];
  cu_mulQuat(q, inverse, a);
  cu_quat2Vec(r, q);
}

// q <- q exp(v h / 2), of length 1
CU_FN void cu_turnQuat(Real q[4], const Real v[3], Real h) {
  Real axis[3], turn[4], s, c;
  cu_copy3(axis, v);
  const Real angle = h * cu_unit3(axis);
  cu_sincos(angle / 2, &s, &c);
  cu_set4(turn, c, s * axis[0], s * axis[1], s * axis[2]);
  cu_unit4(q);
  cu_mulQuat(q, q, turn);
}

//---------------------------------- spatial ----------------------------------

CU_FN Real cu_dot6(const Real a[6], const Real b[6]) {
  return cu_dot3(a, b) + cu_dot3(a + 3, b + 3);
}

// r = vel x v for motions
CU_FN void cu_crossMotion(Real r[6], const Real vel[6], const Real v[6]) {
  Real a[3], b[3];
  cu_cross3(r, vel, v);
  cu_cross3(a, vel, v + 3);
  cu_cross3(b, vel + 3, v);
  cu_add3(r + 3, a, b);
}

// r += vel x* f for forces
CU_FN void cu_addCrossForce(Real r[6], const Real vel[6], const Real f[6]) {
  Real a[3], b[3], c[3];
  cu_cross3(a, vel, f);
  cu_cross3(b, vel + 3, f + 3);
  cu_cross3(c, vel, f + 3);
  cu_add3(a, a, b);
  cu_add3(r, r, a);
  cu_add3(r + 3, r + 3, c);
}

// inertia packed as (xx, yy, zz, xy, xz, yz, m c (3), m) times a motion
CU_FN void cu_mulInertia(Real r[6], const Real i[10], const Real v[6]) {
  MTH_MUL_INERT(r, i, v);
}
