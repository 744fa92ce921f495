// Series elastic actuator: a motor that follows its command exactly, behind a spring and a damper,
// force = k (x_m - x) + d (v_m - v),  x_m = gear · ctrl.
//
// The motor's speed is the change of the command since the last step; the last command is the state.
#include "physics/physics.h"

static const snParam params[] = {
    {"k",       1000, 0,    1e12, "stiffness (N/m or N m/rad)"                   },
    {"damping", 10,   0,    1e12, "damping (N s/m or N m s/rad)"                 },
    {"gear",    1,    -1e9, 1e9,  "position of the motor per unit of the command"},
};

static int states(const mjtNum* param) {
  (void)param;
  return 1;
}

// change of the command per time
static mjtNum commandRate(const snActuator* a) {
  const mjtNum h = a->model->opt.timestep;
  return h > 0 ? (a->ctrl - a->act[0]) / h : 0;
}

static void rate(const snActuator* a, mjtNum* act_dot) {
  act_dot[0] = commandRate(a);
}

static mjtNum force(const snActuator* a) {
  const mjtNum k = a->param[0], damping = a->param[1], gear = a->param[2];
  return k * (gear * a->ctrl - a->length) + damping * (gear * commandRate(a) - a->velocity);
}

static mjtNum derivative(const snActuator* a) {
  return -a->param[1];
}

const snActuation phy_seriesElastic = {
    .info = {"series_elastic", "motor behind a spring and a damper", 3, params},
    .states = states,
    .rate = rate,
    .apply = force,
    .derivative = derivative,
};
