// Servo: force = kp (r - x) + I - kd v,  I' = ki (r - x) within ± windup,  r the command, followed at most at speed
// slew.
//
// States: I (in units of force) where ki > 0, r where slew > 0. I stands still while the actuator's force range cuts
// off what the error asks for.
#include <math.h>

#include "math/vec.h"
#include "physics/physics.h"

enum { KP, KI, KD, WINDUP, SLEW, NPARAM };

static const snParam params[] = {
    {"kp",     100, 0, 1e12, "force per error"                                         },
    {"ki",     0,   0, 1e12, "force per error and time; 0: no integral"                },
    {"kd",     0,   0, 1e12, "force per velocity"                                      },
    {"windup", 1e9, 0, 1e12, "the integral's force stays within this (N or N m)"       },
    {"slew",   0,   0, 1e12, "largest speed of the set point (m/s, rad/s); 0: no limit"},
};

static int states(const mjtNum* param) {
  return (param[KI] > 0) + (param[SLEW] > 0);
}

// set point at the end of the step
static mjtNum setPoint(const snActuator* a) {
  if (a->param[SLEW] <= 0) return a->ctrl;
  const mjtNum now = a->act[a->param[KI] > 0], most = a->param[SLEW] * a->timestep;
  return now + mth_clip(a->ctrl - now, -most, most);
}

static mjtNum integral(const snActuator* a) {
  return a->param[KI] > 0 ? mth_clip(a->act[0], -a->param[WINDUP], a->param[WINDUP]) : 0;
}

static mjtNum force(const snActuator* a) {
  return a->param[KP] * (setPoint(a) - a->length) + integral(a) - a->param[KD] * a->velocity;
}

static mjtNum derivative(const snActuator* a) {
  return -a->param[KD];
}

// 1: more integral would only be cut off
static int isCut(const snActuator* a, mjtNum growth) {
  const mjtNum* range = a->model->actuator_forcerange + 2 * a->id;
  if (fabs(a->act[0]) >= a->param[WINDUP] && growth * a->act[0] > 0) return 1;
  if (!a->model->actuator_forcelimited[a->id]) return 0;
  const mjtNum f = force(a);
  return (f > range[1] && growth > 0) || (f < range[0] && growth < 0);
}

static void rate(const snActuator* a, mjtNum* act_dot) {
  const mjtNum r = setPoint(a);
  if (a->param[KI] > 0) {
    const mjtNum growth = a->param[KI] * (r - a->length);
    const mjtNum step = a->timestep, next = mth_clip(a->act[0] + step * growth, -a->param[WINDUP], a->param[WINDUP]);
    *act_dot++ = isCut(a, growth) ? 0 : step > 0 ? (next - a->act[0]) / step : growth;
  }
  if (a->param[SLEW] > 0) {
    // Runge-Kutta: towards the command within a step, at most at the slew rate
    const mjtNum h = a->timestep > 0 ? a->timestep : a->model->opt.timestep;
    const mjtNum now = a->act[a->param[KI] > 0];
    *act_dot = h > 0 ? mth_clip((a->ctrl - now) / h, -a->param[SLEW], a->param[SLEW]) : 0;
  }
}

const snActuation phy_pid = {
    .info = {"pid", "servo with integral, anti-windup and slew limit", NPARAM, params},
    .states = states,
    .rate = rate,
    .apply = force,
    .derivative = derivative,
};
