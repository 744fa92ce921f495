// Spatial algebra that is too long to inline; see spatial.h.
#include "math/spatial.h"

#include <mujoco/mujoco.h>

#include "math/pair.h"

void mth_inertCom(mjtNum res[10], const mjtNum inert[3], const mjtNum mat[9], const mjtNum dif[3], mjtNum mass) {
  // rotational inertia in the global frame: R diag(inert) R'
  mjtNum scaled[9];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) scaled[3 * r + c] = mat[3 * r + c] * inert[c];
  }
  const mjtNum xx = mth_dot3(mat, scaled), yy = mth_dot3(mat + 3, scaled + 3), zz = mth_dot3(mat + 6, scaled + 6);
  const mjtNum xy = mth_dot3(mat, scaled + 3), xz = mth_dot3(mat, scaled + 6), yz = mth_dot3(mat + 3, scaled + 6);

  // moved to the origin: + m (|d|^2 1 - d d')
  res[0] = xx + mass * (dif[1] * dif[1] + dif[2] * dif[2]);
  res[1] = yy + mass * (dif[0] * dif[0] + dif[2] * dif[2]);
  res[2] = zz + mass * (dif[0] * dif[0] + dif[1] * dif[1]);
  res[3] = xy - mass * dif[0] * dif[1];
  res[4] = xz - mass * dif[0] * dif[2];
  res[5] = yz - mass * dif[1] * dif[2];

  mth_scl3(res + 6, dif, mass);
  res[9] = mass;
}

// res = mat' * vec, two numbers at a time
static inline void turnBack(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  const MthPair xy = mth_load2(mat) * vec[0] + mth_load2(mat + 3) * vec[1] + mth_load2(mat + 6) * vec[2];
  const mjtNum z = mat[2] * vec[0] + mat[5] * vec[1] + mat[8] * vec[2];
  mth_storePair(res, xy);
  res[2] = z;
}

void mth_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum* rotnew2old) {
  mjtNum moved[6], dif[3], moment[3];
  mth_copy6(moved, vec);
  mth_sub3(dif, newpos, oldpos);

  // a force changes its torque by f x d, a motion its translation by w x d
  if (flg_force) {
    mth_cross3(moment, dif, vec + 3);
    mth_subFrom3(moved, moment);
  } else {
    mth_cross3(moment, dif, vec);
    mth_subFrom3(moved + 3, moment);
  }

  if (rotnew2old) {
    turnBack(res, rotnew2old, moved);
    turnBack(res + 3, rotnew2old, moved + 3);
  } else {
    mth_copy6(res, moved);
  }
}

void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  mth_transformSpatial(res, vec, flg_force, newpos, oldpos, rotnew2old);
}
