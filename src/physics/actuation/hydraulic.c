// Hydraulic cylinder behind a servo valve; the command is the valve's opening, -1 to 1: positive feeds chamber 1.
//   p' = β / V (Q - A v ∓ leakage · (p₁ - p₂)),   Q = opening · k_v √Δp
#include "physics/actuation/cylinder.h"

enum { VALVE = CYL_NPARAM, BULK, LEAKAGE, NPARAM };

static const snParam params[] = {
    CYLINDER_PARAMS(1e7),
    {"valve",   1e-7,  0,   1,    "flow of the open valve per root of pressure (m³/(s √Pa))"},
    {"bulk",    1e9,   1e3, 1e12, "bulk modulus of the oil (Pa)"                               },
    {"leakage", 1e-13, 0,   1,    "flow past the piston per pressure (m³/(s Pa))"             },
};

// signed root, linear close to zero so that its slope is finite
static mjtNum signedRoot(mjtNum dp) {
  const mjtNum soft = 100;  // Pa
  return dp / sqrt(fabs(dp) + soft);
}

static void rates(const snActuator* a, const mjtNum p[2], mjtNum dot[2]) {
  const mjtNum *q = a->param, opening = mth_clip(a->ctrl, -1, 1), leak = q[LEAKAGE] * (p[0] - p[1]);
  const mjtNum sides[2] = {q[CYL_AREA1], -q[CYL_AREA2]};
  mjtNum volume[2];
  chambers(a, volume);
  for (int i = 0; i < 2; i++) {
    const mjtNum outside = (i == 0) == (opening > 0) ? q[CYL_SUPPLY] : 0;
    const mjtNum flow = fabs(opening) * q[VALVE] * signedRoot(outside - p[i]);
    dot[i] = q[BULK] / volume[i] * (flow - sides[i] * a->velocity - (i == 0 ? leak : -leak));
  }
}

static void rate(const snActuator* a, mjtNum* act_dot) {
  cylinderRate(a, rates, act_dot);
}

static mjtNum force(const snActuator* a) {
  return cylinderForce(a, rates);
}

const snActuation phy_hydraulic = {
    .info = {"hydraulic", "double-acting oil cylinder behind a valve", NPARAM, params},
    .states = cylinderStates,
    .rate = rate,
    .apply = force,
};
