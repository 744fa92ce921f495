// Frames that are fixed to bodies: geoms, sites, cameras, inertial frames.
#pragma once

#include <mujoco/mujoco.h>

#include "math/pair.h"
#include "math/quat.h"
#include "math/vec.h"

// Rotations without the checks for zero vectors and identities of math/quat.h: the formulas are exact for those anyway.

// v + 2 u × (w v + u × v)
static inline void kin_rotate(mjtNum res[3], const mjtNum vec[3], const mjtNum q[4]) {
  const mjtNum t0 = q[0] * vec[0] + q[2] * vec[2] - q[3] * vec[1];
  const mjtNum t1 = q[0] * vec[1] + q[3] * vec[0] - q[1] * vec[2];
  const mjtNum t2 = q[0] * vec[2] + q[1] * vec[1] - q[2] * vec[0];
  const mjtNum x = q[1] + q[1], y = q[2] + q[2], z = q[3] + q[3];
  mth_set3(res, vec[0] + (y * t2 - z * t1), vec[1] + (z * t0 - x * t2), vec[2] + (x * t1 - y * t0));
}

static inline void kin_quat2Mat(mjtNum res[9], const mjtNum q[4]) {
  const mjtNum x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
  const mjtNum wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
  const mjtNum ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  // the diagonal is summed in this order: convex contacts of nearly parallel faces amplify its last bit
  const mjtNum outer = ww - xx;
  mth_store2(res, ww + xx - yy - zz, xy - wz);
  mth_store2(res + 2, xz + wy, xy + wz);
  mth_store2(res + 4, outer + yy - zz, yz - wx);
  mth_store2(res + 6, xz - wy, yz + wx);
  res[8] = outer - yy + zz;
}

// scales to length 1 unless it has that already; nearly always it has
static inline void kin_normalizeQuat(mjtNum q[4]) {
  const mjtNum square = mth_dot4(q, q);
  if (fabs(square - 1) > 1.9 * mjMINVAL) mth_normalize4(q);
}

// world position of a point that is fixed to a body; sameframe says that it coincides with a known frame
static inline void kin_framePos(const mjData* d, mjtNum xpos[3], const mjtNum pos[3], int body, int sameframe) {
  if (sameframe == mjSAMEFRAME_BODY) {
    mth_copy3(xpos, d->xpos + 3 * body);
  } else if (sameframe == mjSAMEFRAME_INERTIA) {
    mth_copy3(xpos, d->xipos + 3 * body);
  } else {
    mth_mulMatVec3(xpos, d->xmat + 9 * body, pos);
    mth_addTo3(xpos, d->xpos + 3 * body);
  }
}

// world orientation of a frame that is fixed to a body
static inline void kin_frameMat(const mjData* d, mjtNum xmat[9], const mjtNum quat[4], int body, int sameframe) {
  if (sameframe == mjSAMEFRAME_NONE) {
    mjtNum xquat[4];
    mth_mulQuat(xquat, d->xquat + 4 * body, quat);
    kin_quat2Mat(xmat, xquat);
  } else if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    mth_copy9(xmat, d->xmat + 9 * body);
  } else {
    mth_copy9(xmat, d->ximat + 9 * body);
  }
}
