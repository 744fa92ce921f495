// Properties of actuators that several stages need.
#pragma once

#include <mujoco/mujoco.h>

#include "math/vec.h"
#include "physics/physics.h"

// step of velocity over which forces without derivative are compared, relative to velocities above 1
#define FRC_DIFFERENCE 1e-5

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

// control that acts now: delayed, clamped
static inline mjtNum frc_control(const mjModel* m, const mjData* d, int id, int clamp) {
  const mjtNum ctrl =
      m->actuator_delay[id] ? mj_readCtrl(m, d, id, d->time, m->actuator_history[2 * id + 1]) : d->ctrl[id];
  if (!clamp || !m->actuator_ctrllimited[id]) return ctrl;
  return mth_clip(ctrl, m->actuator_ctrlrange[2 * id], m->actuator_ctrlrange[2 * id + 1]);
}

// an actuator with a model of its own, as the model sees it
snActuator frc_openActuator(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl);
// rates of its states, its force, and the derivative of that with respect to velocity
void frc_modelRate(const snActuator* a, const PhySetting* setting, mjtNum* act_dot);
mjtNum frc_modelForce(const snActuator* a, const PhySetting* setting);
mjtNum frc_modelForceVel(const snActuator* a, const PhySetting* setting);

// the same at this moment; kept out of the loops over all actuators, few of which have models of their own
#define FRC_RARE __attribute__((noinline))
FRC_RARE void frc_chosenRate(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl,
                             mjtNum* act_dot);
FRC_RARE mjtNum frc_chosenForce(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl);
FRC_RARE mjtNum frc_chosenForceVel(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl);

// activation variable act (of actuator id) one timestep later, clamped to its range
mjtNum frc_nextActivation(const mjModel* m, const mjData* d, int id, int act, mjtNum act_dot);

// activation that the gain of an actuator multiplies: its last one, possibly already that of the next step
static inline mjtNum frc_activation(const mjModel* m, const mjData* d, int id) {
  const int act = frc_lastAct(m, id);
  return m->actuator_actearly[id] ? frc_nextActivation(m, d, id, act, d->act_dot[act]) : d->act[act];
}
