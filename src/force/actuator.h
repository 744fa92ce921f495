// Properties of actuators that several stages need.
#pragma once

#include <mujoco/mujoco.h>

// 1: the group of the actuator is disabled
static inline int frc_actuatorDisabled(const mjModel* m, int id) {
  const int group = m->actuator_group[id];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

// last activation variable of an actuator: the one that drives its force; -1: it has none
static inline int frc_lastAct(const mjModel* m, int id) {
  const int first = m->actuator_actadr[id];
  return first < 0 ? -1 : first + m->actuator_actnum[id] - 1;
}

// activation variable act (of actuator id) one timestep later, clamped to its range
mjtNum frc_nextActivation(const mjModel* m, const mjData* d, int id, int act, mjtNum act_dot);

// activation that the gain of an actuator multiplies: its last one, possibly already that of the next step
static inline mjtNum frc_activation(const mjModel* m, const mjData* d, int id) {
  const int act = frc_lastAct(m, id);
  return m->actuator_actearly[id] ? frc_nextActivation(m, d, id, act, d->act_dot[act]) : d->act[act];
}
