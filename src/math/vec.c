// The public vector functions: thin wrappers around the inline ones and the kernels. Those with a kernel of their own
// are in simd/public.c.
#include "math/vec.h"

#include <mujoco/mujoco.h>

#include "math/simd/kernels.h"

//---------------------------------- fixed size ----------------------------------

void mju_zero3(mjtNum res[3]) {
  mth_zero3(res);
}

void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  mth_copy3(res, data);
}

void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  mth_scl3(res, vec, scl);
}

void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  mth_add3(res, vec1, vec2);
}

void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  mth_sub3(res, vec1, vec2);
}

void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  mth_addTo3(res, vec);
}

void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  mth_subFrom3(res, vec);
}

void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  mth_addToScl3(res, vec, scl);
}

void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  mth_addScl3(res, vec1, vec2, scl);
}

mjtNum mju_normalize3(mjtNum vec[3]) {
  return mth_normalize3(vec);
}

mjtNum mju_norm3(const mjtNum vec[3]) {
  return mth_norm3(vec);
}

mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return mth_dot3(vec1, vec2);
}

mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  return mth_dist3(pos1, pos2);
}

void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mth_mulMatTVec3(res, mat, vec);
}

void mju_zero4(mjtNum res[4]) {
  mth_zero4(res);
}

void mju_unit4(mjtNum res[4]) {
  mth_unit4(res);
}

void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  mth_copy4(res, data);
}

mjtNum mju_normalize4(mjtNum vec[4]) {
  return mth_normalize4(vec);
}
