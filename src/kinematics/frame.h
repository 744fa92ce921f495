// Frames that are fixed to bodies: geoms, sites, cameras, inertial frames.
#pragma once

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/vec.h"

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
    mth_quat2Mat(xmat, xquat);
  } else if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    mth_copy9(xmat, d->xmat + 9 * body);
  } else {
    mth_copy9(xmat, d->ximat + 9 * body);
  }
}
