// Spatial (6D) algebra: motion vectors are (rotation, translation), force vectors (torque, force).
//
// The inertia of a body about a point is packed in ten numbers: the symmetric 3x3 part I as
// (xx, yy, zz, xy, xz, yz), mass times offset m*c (3), mass m.
#pragma once

#include "math/spatial_body.h"
#include "math/vec.h"

// res = vel x v for motion vectors
static inline void mth_crossMotion(mjtNum res[6], const mjtNum vel[6], const mjtNum v[6]) {
  const mjtNum rot[3] = {vel[1] * v[2] - vel[2] * v[1], vel[2] * v[0] - vel[0] * v[2], vel[0] * v[1] - vel[1] * v[0]};
  const mjtNum lin[3] = {vel[1] * v[5] - vel[2] * v[4] + vel[4] * v[2] - vel[5] * v[1],
                         vel[2] * v[3] - vel[0] * v[5] + vel[5] * v[0] - vel[3] * v[2],
                         vel[0] * v[4] - vel[1] * v[3] + vel[3] * v[1] - vel[4] * v[0]};
  mth_copy3(res, rot);
  mth_copy3(res + 3, lin);
}

// res = vel x* f for a force vector
static inline void mth_crossForce(mjtNum res[6], const mjtNum vel[6], const mjtNum f[6]) {
  const mjtNum rot[3] = {vel[1] * f[2] - vel[2] * f[1] + vel[4] * f[5] - vel[5] * f[4],
                         vel[2] * f[0] - vel[0] * f[2] + vel[5] * f[3] - vel[3] * f[5],
                         vel[0] * f[1] - vel[1] * f[0] + vel[3] * f[4] - vel[4] * f[3]};
  const mjtNum lin[3] = {vel[1] * f[5] - vel[2] * f[4], vel[2] * f[3] - vel[0] * f[5], vel[0] * f[4] - vel[1] * f[3]};
  mth_copy3(res, rot);
  mth_copy3(res + 3, lin);
}

// packed inertia of a body with principal inertia `inert` in frame `mat`, centre of mass at `dif` from the origin
void mth_inertCom(mjtNum res[10], const mjtNum inert[3], const mjtNum mat[9], const mjtNum dif[3], mjtNum mass);

// res = inertia * motion: a force vector; res must not alias vec
static inline void mth_mulInertVec(mjtNum res[6], const mjtNum i[10], const mjtNum v[6]) {
  MTH_MUL_INERT(res, i, v);
}

// motion of a hinge about `axis` whose anchor is at -offset from the origin; offset NULL: a slide along axis
static inline void mth_dofCom(mjtNum res[6], const mjtNum axis[3], const mjtNum* offset) {
  if (offset) {
    mth_copy3(res, axis);
    mth_cross3(res + 3, axis, offset);
  } else {
    mth_zero3(res);
    mth_copy3(res + 3, axis);
  }
}

// res = sum over n dofs of dof[i] * vec[i]; res must not alias
static inline void mth_mulDofVec(mjtNum res[6], const mjtNum* dof, const mjtNum* vec, int n) {
  if (n == 0) {
    mth_zero6(res);
    return;
  }
  mth_scl6(res, dof, vec[0]);
  for (int i = 1; i < n; i++) mth_addToScl6(res, dof + 6 * i, vec[i]);
}

// moves a motion (or force) vector from oldpos to newpos, then rotates it by rotnew2old' when that is not NULL
void mth_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum* rotnew2old);
