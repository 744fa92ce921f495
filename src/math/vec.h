// Vectors of fixed size (3, 4, 6) and 3x3 matrices, row-major, as inline functions.
// The result may alias any argument unless a function says otherwise. Sums run left to right.
#pragma once

#include <math.h>
#include <string.h>

#include <mujoco/mjtnum.h>

// the kernels for GPUs use these functions too
#ifdef __CUDACC__
#define MTH_FN static __device__ __forceinline__
#else
#define MTH_FN static inline
#endif

//---------------------------------- 3-vectors ----------------------------------

MTH_FN void mth_set3(mjtNum res[3], mjtNum x, mjtNum y, mjtNum z) {
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

MTH_FN void mth_zero3(mjtNum res[3]) {
  mth_set3(res, 0, 0, 0);
}

MTH_FN void mth_copy3(mjtNum res[3], const mjtNum a[3]) {
  mth_set3(res, a[0], a[1], a[2]);
}

MTH_FN void mth_scl3(mjtNum res[3], const mjtNum a[3], mjtNum scl) {
  mth_set3(res, a[0] * scl, a[1] * scl, a[2] * scl);
}

MTH_FN void mth_neg3(mjtNum res[3], const mjtNum a[3]) {
  mth_set3(res, -a[0], -a[1], -a[2]);
}

MTH_FN void mth_add3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mth_set3(res, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

MTH_FN void mth_sub3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mth_set3(res, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

MTH_FN void mth_addTo3(mjtNum res[3], const mjtNum a[3]) {
  mth_add3(res, res, a);
}

MTH_FN void mth_subFrom3(mjtNum res[3], const mjtNum a[3]) {
  mth_sub3(res, res, a);
}

// res = a + scl*b
MTH_FN void mth_addScl3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3], mjtNum scl) {
  mth_set3(res, a[0] + scl * b[0], a[1] + scl * b[1], a[2] + scl * b[2]);
}

// res += scl*a
MTH_FN void mth_addToScl3(mjtNum res[3], const mjtNum a[3], mjtNum scl) {
  mth_addScl3(res, res, a, scl);
}

MTH_FN mjtNum mth_dot3(const mjtNum a[3], const mjtNum b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

MTH_FN mjtNum mth_norm3(const mjtNum a[3]) {
  return sqrt(mth_dot3(a, a));
}

MTH_FN mjtNum mth_distSqr3(const mjtNum a[3], const mjtNum b[3]) {
  const mjtNum d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return mth_dot3(d, d);
}

MTH_FN mjtNum mth_dist3(const mjtNum a[3], const mjtNum b[3]) {
  return sqrt(mth_distSqr3(a, b));
}

// scales a to length 1 and returns its old length; a vector shorter than mjMINVAL becomes (1,0,0)
MTH_FN mjtNum mth_normalize3(mjtNum a[3]) {
  const mjtNum norm = mth_norm3(a);
  if (norm < mjMINVAL) {
    mth_set3(a, 1, 0, 0);
  } else {
    mth_scl3(a, a, 1 / norm);
  }
  return norm;
}

MTH_FN void mth_cross3(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mth_set3(res, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

MTH_FN int mth_equal3(const mjtNum a[3], const mjtNum b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

//---------------------------------- 4-vectors ----------------------------------

MTH_FN void mth_set4(mjtNum res[4], mjtNum w, mjtNum x, mjtNum y, mjtNum z) {
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

MTH_FN void mth_zero4(mjtNum res[4]) {
  mth_set4(res, 0, 0, 0, 0);
}

MTH_FN void mth_unit4(mjtNum res[4]) {
  mth_set4(res, 1, 0, 0, 0);
}

MTH_FN void mth_copy4(mjtNum res[4], const mjtNum a[4]) {
  mth_set4(res, a[0], a[1], a[2], a[3]);
}

MTH_FN mjtNum mth_dot4(const mjtNum a[4], const mjtNum b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// scales a to length 1 and returns its old length; (1,0,0,0) for one shorter than mjMINVAL, untouched when it is
// already 1 up to mjMINVAL
MTH_FN mjtNum mth_normalize4(mjtNum a[4]) {
  const mjtNum norm = sqrt(mth_dot4(a, a));
  if (norm < mjMINVAL) {
    mth_unit4(a);
  } else if (fabs(norm - 1) > mjMINVAL) {
    const mjtNum inv = 1 / norm;
    mth_set4(a, a[0] * inv, a[1] * inv, a[2] * inv, a[3] * inv);
  }
  return norm;
}

//---------------------------------- 6-vectors ----------------------------------

MTH_FN void mth_zero6(mjtNum res[6]) {
  mth_zero3(res);
  mth_zero3(res + 3);
}

MTH_FN void mth_copy6(mjtNum res[6], const mjtNum a[6]) {
  mth_copy3(res, a);
  mth_copy3(res + 3, a + 3);
}

MTH_FN mjtNum mth_dot6(const mjtNum a[6], const mjtNum b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

MTH_FN void mth_scl6(mjtNum res[6], const mjtNum a[6], mjtNum scl) {
  for (int i = 0; i < 6; i++) res[i] = a[i] * scl;
}

MTH_FN void mth_add6(mjtNum res[6], const mjtNum a[6], const mjtNum b[6]) {
  for (int i = 0; i < 6; i++) res[i] = a[i] + b[i];
}

MTH_FN void mth_sub6(mjtNum res[6], const mjtNum a[6], const mjtNum b[6]) {
  for (int i = 0; i < 6; i++) res[i] = a[i] - b[i];
}

MTH_FN void mth_addTo6(mjtNum res[6], const mjtNum a[6]) {
  mth_add6(res, res, a);
}

MTH_FN void mth_subFrom6(mjtNum res[6], const mjtNum a[6]) {
  mth_sub6(res, res, a);
}

MTH_FN void mth_addToScl6(mjtNum res[6], const mjtNum a[6], mjtNum scl) {
  for (int i = 0; i < 6; i++) res[i] += scl * a[i];
}

//---------------------------------- 3x3 matrices ----------------------------------

// number by number: a wide copy would have to wait for the narrow stores that usually precede it
MTH_FN void mth_copy9(mjtNum res[9], const mjtNum a[9]) {
  mth_copy3(res, a);
  mth_copy3(res + 3, a + 3);
  mth_copy3(res + 6, a + 6);
}

MTH_FN void mth_eye3(mjtNum res[9]) {
  mth_set3(res, 1, 0, 0);
  mth_set3(res + 3, 0, 1, 0);
  mth_set3(res + 6, 0, 0, 1);
}

// column of a matrix
MTH_FN void mth_col3(mjtNum res[3], const mjtNum mat[9], int col) {
  mth_set3(res, mat[col], mat[col + 3], mat[col + 6]);
}

// res = mat * vec
MTH_FN void mth_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mth_set3(res, mth_dot3(mat, vec), mth_dot3(mat + 3, vec), mth_dot3(mat + 6, vec));
}

// res = mat' * vec
MTH_FN void mth_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mth_set3(res, mat[0] * vec[0] + mat[3] * vec[1] + mat[6] * vec[2],
           mat[1] * vec[0] + mat[4] * vec[1] + mat[7] * vec[2], mat[2] * vec[0] + mat[5] * vec[1] + mat[8] * vec[2]);
}

// res = a * b
MTH_FN void mth_mulMatMat3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  mjtNum tmp[9];
  for (int r = 0; r < 9; r += 3) mth_mulMatTVec3(tmp + r, b, a + r);
  mth_copy9(res, tmp);
}

// res = a' * b
MTH_FN void mth_mulMatTMat3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  mjtNum tmp[9];
  for (int r = 0; r < 3; r++) {
    const mjtNum col[3] = {a[r], a[r + 3], a[r + 6]};
    mth_mulMatTVec3(tmp + 3 * r, b, col);
  }
  mth_copy9(res, tmp);
}

// res = a * b'
MTH_FN void mth_mulMatMatT3(mjtNum res[9], const mjtNum a[9], const mjtNum b[9]) {
  mjtNum tmp[9];
  for (int r = 0; r < 9; r += 3) mth_mulMatVec3(tmp + r, b, a + r);
  mth_copy9(res, tmp);
}

// res = a'
MTH_FN void mth_transpose3(mjtNum res[9], const mjtNum a[9]) {
  const mjtNum tmp[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
  mth_copy9(res, tmp);
}

MTH_FN mjtNum mth_det3(const mjtNum a[9]) {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

//---------------------------------- scalars ----------------------------------

MTH_FN mjtNum mth_min(mjtNum a, mjtNum b) {
  return a <= b ? a : b;
}

MTH_FN mjtNum mth_max(mjtNum a, mjtNum b) {
  return a >= b ? a : b;
}

MTH_FN mjtNum mth_clip(mjtNum x, mjtNum low, mjtNum high) {
  return x < low ? low : x > high ? high : x;
}

MTH_FN mjtNum mth_sign(mjtNum x) {
  return x < 0 ? -1 : x > 0 ? 1 : 0;
}

MTH_FN int mth_minInt(int a, int b) {
  return a < b ? a : b;
}

MTH_FN int mth_maxInt(int a, int b) {
  return a > b ? a : b;
}
