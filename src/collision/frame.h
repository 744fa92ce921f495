// Completion of a contact frame.
#pragma once

#include <mujoco/mujoco.h>

#include "math/vec.h"

// Rows of frame: the normal, which must be about unit length; a tangent or zero; room for the second tangent. Without a
// tangent the y axis is taken, or the z axis when the normal is close to y.
static inline void col_makeFrame(mjtNum frame[9]) {
  if (mth_norm3(frame) < 0.5) mju_error("contact frame without a normal");
  mth_normalize3(frame);

  mjtNum* tangent = frame + 3;
  if (mth_norm3(tangent) < 0.5) {
    mth_zero3(tangent);
    tangent[frame[1] < 0.5 && frame[1] > -0.5 ? 1 : 2] = 1;
  }

  // orthogonal to the normal
  mth_addToScl3(tangent, frame, -mth_dot3(frame, tangent));
  mth_normalize3(tangent);
  mth_cross3(frame + 6, frame, tangent);
}
