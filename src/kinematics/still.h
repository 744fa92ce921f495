// Sleeping bodies that are where they were.
#pragma once

#include "math/vec.h"
#include "sleep/sleep.h"

// 1: a sleeping body with this free joint is where it was; a unit quaternion needs no second look
static inline int kin_sleepsOn(const mjModel* m, const mjData* d, int body, int joint) {
  const mjtNum *qpos = d->qpos + m->jnt_qposadr[joint], *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
  return mth_equal3(qpos, pos) && qpos[3] == quat[0] && mth_equal3(qpos + 4, quat + 1);
}

typedef enum {
  KIN_BAD,      // a coordinate is not a usable number
  KIN_CHANGED,  // a sleeper may be elsewhere
  KIN_SETTLED   // all sleepers move freely when they move, and are where they were
} KinLook;

// looks at the coordinates of all bodies
KinLook kin_lookAtSleepers(const mjModel* m, const mjData* d);
