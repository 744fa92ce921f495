// Callbacks of plugins that do nothing.
#pragma once

#include <mujoco/mujoco.h>

static inline int plg_noState(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static inline void plg_noForce(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m;
  (void)d;
  (void)instance;
  (void)capability;
}
