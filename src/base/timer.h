// The timers of mjData: they run when the user has installed a clock in mjcb_time.
#pragma once

#include <mujoco/mujoco.h>

// the time now, 0 without a clock
static inline mjtNum bas_now(void) {
  return mjcb_time ? mjcb_time() : 0;
}

// adds the time since start to a timer
static inline void bas_timerAdd(mjData* d, int timer, mjtNum start) {
  d->timer[timer].duration += bas_now() - start;
}

// the same, and counts one more run
static inline void bas_timerEnd(mjData* d, int timer, mjtNum start) {
  bas_timerAdd(d, timer, start);
  d->timer[timer].number++;
}
