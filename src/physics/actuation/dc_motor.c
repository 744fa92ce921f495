// Brushed motor with permanent magnets; the command is its voltage u:
//   L i' = u - R i - k_e v,   force = k_t i - viscous v - coulomb tanh(v / slip),
//   C T' = R i² - T / R_th    (T above the surroundings).
//
// States: the current where there is inductance, the temperature where there is a thermal resistance. Over a step the
// current takes the exact solution for constant u and v, and the force is that of the current at the end of the step:
// so back-EMF damps stiffly coupled motors without limiting the timestep. Runge-Kutta sees the equations as they are.
// Near the largest temperature the current limit falls, linearly from 90 % of it to zero at it.
#include <math.h>

#include "math/elem.h"
#include "math/vec.h"
#include "physics/physics.h"

enum { R, L, KT, KE, VISCOUS, COULOMB, SLIP, VMAX, IMAX, RTH, CTH, TMAX, NPARAM };

static const snParam params[] = {
    {"resistance",      1,    1e-6, 1e9,  "of the winding (Ω)"                                       },
    {"inductance",      0,    0,    1e3,  "of the winding (H); 0: the current has no state"           },
    {"torque_const",    0.1,  -1e9, 1e9,  "force or torque per current (N/A or N m/A)"                },
    {"emf_const",       0.1,  -1e9, 1e9,  "voltage per velocity (V s/m or V s/rad)"                   },
    {"viscous",         0,    0,    1e9,  "viscous friction (N s/m or N m s/rad)"                     },
    {"coulomb",         0,    0,    1e9,  "dry friction (N or N m)"                                   },
    {"slip",            0.01, 1e-9, 1e9,  "velocity at which dry friction is nearly full (m/s, rad/s)"},
    {"max_voltage",     1e9,  0,    1e9,  "the command is cut to this (V)"                            },
    {"max_current",     1e9,  0,    1e9,  "the drive holds the current within this (A)"               },
    {"thermal_res",     0,    0,    1e9,  "from winding to surroundings (K/W); 0: no temperature"     },
    {"heat_capacity",   10,   1e-9, 1e12, "of the winding (J/K)"                                      },
    {"max_temperature", 100,  1e-3, 1e9,  "of the winding above the surroundings (K)"                 },
};

static int states(const mjtNum* param) {
  return (param[L] > 0) + (param[RTH] > 0);
}

static mjtNum temperature(const snActuator* a) {
  return a->param[RTH] > 0 ? a->act[a->param[L] > 0] : 0;
}

static mjtNum currentLimit(const snActuator* a) {
  const mjtNum most = a->param[TMAX], room = (most - temperature(a)) / (0.1 * most);
  return a->param[RTH] > 0 ? a->param[IMAX] * mth_clip(room, 0, 1) : a->param[IMAX];
}

// how far the current comes towards its final value within the step; 1: all the way
static mjtNum approach(const snActuator* a) {
  if (a->param[L] <= 0) return 1;
  return 1 - mth_exp(-a->timestep * a->param[R] / a->param[L]);
}

// current that the voltage would drive in the end
static mjtNum finalCurrent(const snActuator* a) {
  const mjtNum u = mth_clip(a->ctrl, -a->param[VMAX], a->param[VMAX]);
  return (u - a->param[KE] * a->velocity) / a->param[R];
}

// current that makes the force, before the limit
static mjtNum freeCurrent(const snActuator* a) {
  if (a->param[L] > 0 && a->timestep == 0) return a->act[0];
  const mjtNum end = finalCurrent(a), now = a->param[L] > 0 ? a->act[0] : end;
  return now + (end - now) * approach(a);
}

static mjtNum current(const snActuator* a) {
  const mjtNum limit = currentLimit(a);
  return mth_clip(freeCurrent(a), -limit, limit);
}

static void rate(const snActuator* a, mjtNum* act_dot) {
  const mjtNum i = current(a);
  if (a->param[L] > 0) {
    *act_dot++ =
        a->timestep > 0 ? (i - a->act[0]) / a->timestep : (finalCurrent(a) - a->act[0]) * a->param[R] / a->param[L];
  }
  if (a->param[RTH] > 0) *act_dot = (a->param[R] * i * i - temperature(a) / a->param[RTH]) / a->param[CTH];
}

static mjtNum force(const snActuator* a) {
  const mjtNum* p = a->param;
  return p[KT] * current(a) - p[VISCOUS] * a->velocity - p[COULOMB] * mth_tanh(a->velocity / p[SLIP]);
}

static mjtNum derivative(const snActuator* a) {
  const mjtNum *p = a->param, t = mth_tanh(a->velocity / p[SLIP]);
  const int follows = fabs(freeCurrent(a)) < currentLimit(a) && (p[L] <= 0 || a->timestep > 0);
  const mjtNum electric = follows ? -p[KT] * p[KE] / p[R] * approach(a) : 0;
  return electric - p[VISCOUS] - p[COULOMB] / p[SLIP] * (1 - t * t);
}

const snActuation phy_dcMotor = {
    .info = {"dc_motor", "motor driven by a voltage", NPARAM, params},
    .states = states,
    .rate = rate,
    .apply = force,
    .derivative = derivative,
};
