// Activation over one step and past controls.
//
// act <- act + h·act_dot, or for exact filters  act + τ·act_dot·(1 - exp(-h/τ)), the solution of τ·ȧ = u - a.
#include "force/actuator.h"

#include <math.h>

#include "math/elem.h"
#include "math/vec.h"
#include "model/history.h"

mjtNum frc_nextActivation(const mjModel* m, const mjData* d, int id, int act, mjtNum act_dot) {
  const mjtNum h = m->opt.timestep;
  mjtNum next;
  if (m->actuator_dyntype[id] == mjDYN_FILTEREXACT) {
    const mjtNum tau = mth_max(mjMINVAL, m->actuator_dynprm[mjNDYN * id]);
    next = d->act[act] + act_dot * tau * (1 - mth_exp(-h / tau));
  } else {
    next = d->act[act] + act_dot * h;
  }
  if (!m->actuator_actlimited[id]) return next;
  return mth_clip(next, m->actuator_actrange[2 * id], m->actuator_actrange[2 * id + 1]);
}

//---------------------------------- models ----------------------------------

static const snActuation* modelOf(const PhySetting* setting) {
  return (const snActuation*)sn_modelAt(SN_ACTUATION, setting->model);
}

snActuator frc_openActuator(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl) {
  const int id = setting->id;
  return (snActuator){
      .model = m,
      .data = d,
      .id = id,
      .param = setting->param,
      .ctrl = ctrl,
      .length = d->actuator_length[id],
      .velocity = d->actuator_velocity[id],
      .act = m->actuator_actadr[id] < 0 ? NULL : d->act + m->actuator_actadr[id],
      .timestep = m->opt.integrator == mjINT_RK4 ? 0 : m->opt.timestep,
  };
}

void frc_modelRate(const snActuator* a, const PhySetting* setting, mjtNum* act_dot) {
  const snActuation* model = modelOf(setting);
  if (model->rate) model->rate(a, act_dot);
}

mjtNum frc_modelForce(const snActuator* a, const PhySetting* setting) {
  return modelOf(setting)->apply(a);
}

mjtNum frc_modelForceVel(const snActuator* a, const PhySetting* setting) {
  const snActuation* model = modelOf(setting);
  if (model->derivative) return model->derivative(a);
  const mjtNum step = FRC_DIFFERENCE * mth_max(1, fabs(a->velocity));
  snActuator moved = *a;
  moved.velocity = a->velocity + step;
  const mjtNum plus = model->apply(&moved);
  moved.velocity = a->velocity - step;
  return (plus - model->apply(&moved)) / (2 * step);
}

void frc_chosenRate(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl, mjtNum* act_dot) {
  const snActuator a = frc_openActuator(m, d, setting, ctrl);
  frc_modelRate(&a, setting, act_dot);
}

mjtNum frc_chosenForce(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl) {
  const snActuator a = frc_openActuator(m, d, setting, ctrl);
  return frc_modelForce(&a, setting);
}

mjtNum frc_chosenForceVel(const mjModel* m, const mjData* d, const PhySetting* setting, mjtNum ctrl) {
  const snActuator a = frc_openActuator(m, d, setting, ctrl);
  return frc_modelForceVel(&a, setting);
}

//---------------------------------- past controls ----------------------------------

mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp) {
  if (id < 0 || id >= m->nu) {
    mju_error("mj_readCtrl: invalid actuator id %d", id);
    return 0;
  }

  // nothing recorded: the present control
  const int nsample = m->actuator_history[2 * id];
  if (nsample <= 0) return d->ctrl[id];

  // the sample that acts at this time; a negative interpolation means the actuator's own
  mjtNum value;
  const mjtNum* stored =
      mdl_historyRead(d->history + m->actuator_historyadr[id], nsample, 1, &value, time - m->actuator_delay[id],
                      interp < 0 ? m->actuator_history[2 * id + 1] : interp);
  return stored ? *stored : value;
}

void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values) {
  if (id < 0 || id >= m->nu) {
    mju_error("mj_initCtrlHistory: invalid actuator id %d", id);
    return;
  }
  const int nsample = m->actuator_history[2 * id];
  if (nsample <= 0) {
    mju_error("mj_initCtrlHistory: actuator %d has no history buffer", id);
    return;
  }
  mjtNum* buf = d->history + m->actuator_historyadr[id];
  mdl_historyInit(buf, nsample, 1, times, values, buf[0]);
}
