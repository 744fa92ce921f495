// Quaternions and rotations: what is too long to inline, and the public functions. See quat.h.
#include "math/quat.h"

#include <ctype.h>

#include <mujoco/mujoco.h>

void mth_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  // 4 q_k^2 for the component of largest magnitude is positive: divide by that one
  const mjtNum xx = mat[0], yy = mat[4], zz = mat[8];
  if (xx + yy + zz > 0) {
    quat[0] = 0.5 * sqrt(1 + xx + yy + zz);
    quat[1] = 0.25 * (mat[7] - mat[5]) / quat[0];
    quat[2] = 0.25 * (mat[2] - mat[6]) / quat[0];
    quat[3] = 0.25 * (mat[3] - mat[1]) / quat[0];
  } else if (xx > yy && xx > zz) {
    quat[1] = 0.5 * sqrt(1 + xx - yy - zz);
    quat[0] = 0.25 * (mat[7] - mat[5]) / quat[1];
    quat[2] = 0.25 * (mat[1] + mat[3]) / quat[1];
    quat[3] = 0.25 * (mat[2] + mat[6]) / quat[1];
  } else if (yy > zz) {
    quat[2] = 0.5 * sqrt(1 - xx + yy - zz);
    quat[0] = 0.25 * (mat[2] - mat[6]) / quat[2];
    quat[1] = 0.25 * (mat[1] + mat[3]) / quat[2];
    quat[3] = 0.25 * (mat[5] + mat[7]) / quat[2];
  } else {
    quat[3] = 0.5 * sqrt(1 - xx - yy + zz);
    quat[0] = 0.25 * (mat[3] - mat[1]) / quat[3];
    quat[1] = 0.25 * (mat[2] + mat[6]) / quat[3];
    quat[2] = 0.25 * (mat[5] + mat[7]) / quat[3];
  }
  mth_normalize4(quat);
}

void mth_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mth_unit4(quat);

  // no direction: no rotation
  mjtNum dir[3] = {vec[0], vec[1], vec[2]};
  if (mth_normalize3(dir) < mjMINVAL) return;

  // axis z x dir; parallel directions leave or flip z
  mjtNum axis[3] = {-dir[1], dir[0], 0};
  const mjtNum sine = mth_normalize3(axis);
  if (fabs(sine) < mjMINVAL) {
    if (dir[2] < 0) mth_set4(quat, 0, 1, 0, 0);
    return;
  }
  mth_axisAngle2Quat(quat, axis, mth_atan2(sine, dir[2]));
}
