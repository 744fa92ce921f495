// Pneumatic cylinder behind a proportional valve; the command is the valve's opening, -1 to 1: positive fills chamber 1
// and empties chamber 2.
//   p' = κ / V (R_s T ṁ - p A v),   ṁ = opening · C ρ₀ p_up √(T₀/T) ψ(p_down / p_up)
// with the flow function ψ of ISO 6358: 1 below the critical ratio b (choked), an ellipse above it.
#include "physics/actuation/cylinder.h"

enum { CONDUCTANCE = CYL_NPARAM, CRITICAL, KAPPA, TEMPERATURE, NPARAM };

static const snParam params[] = {
    CYLINDER_PARAMS(5e5),
    {"conductance", 1e-8, 0, 1,    "sonic conductance of the open valve (m³/(s Pa))"},
    {"critical",    0.3,  0, 0.99, "pressure ratio below which the flow is choked"   },
    {"exponent",    1.2,  1, 1.67, "of the gas: 1 heat is exchanged, 1.4 none is"    },
    {"temperature", 293,  1, 5000, "of the gas (K)"                                  },
};

static const mjtNum AMBIENT = 101325;    // Pa
static const mjtNum DENSITY = 1.185;     // of air at reference conditions (kg/m³)
static const mjtNum REFERENCE = 293.15;  // K
static const mjtNum GAS = 287.06;        // specific constant of air (J/(kg K))

// mass per time from one absolute pressure to another through the open valve
static mjtNum massFlow(const snActuator* a, mjtNum from, mjtNum to) {
  const mjtNum *q = a->param, up = mth_max(from, to), down = mth_max(0, mth_min(from, to));
  if (up <= 0) return 0;

  // close to equal pressures the ellipse is replaced by a line, whose slope is finite
  const mjtNum r = down / up, line = 0.999, s = mth_min(r, line);
  const mjtNum x = s <= q[CRITICAL] ? 0 : (s - q[CRITICAL]) / (1 - q[CRITICAL]);
  const mjtNum psi = sqrt(mth_max(0, 1 - x * x)) * (r > line ? (1 - r) / (1 - line) : 1);
  const mjtNum flow = q[CONDUCTANCE] * DENSITY * up * sqrt(REFERENCE / q[TEMPERATURE]) * psi;
  return from >= to ? flow : -flow;
}

static void rates(const snActuator* a, const mjtNum p[2], mjtNum dot[2]) {
  const mjtNum *q = a->param, opening = mth_clip(a->ctrl, -1, 1), sides[2] = {q[CYL_AREA1], -q[CYL_AREA2]};
  mjtNum volume[2];
  chambers(a, volume);
  for (int i = 0; i < 2; i++) {
    const int fills = (i == 0) == (opening > 0);
    const mjtNum inside = p[i] + AMBIENT, outside = fills ? q[CYL_SUPPLY] + AMBIENT : AMBIENT;
    const mjtNum mass = fabs(opening) * massFlow(a, outside, inside);
    dot[i] = q[KAPPA] / volume[i] * (GAS * q[TEMPERATURE] * mass - inside * sides[i] * a->velocity);
  }
}

static void rate(const snActuator* a, mjtNum* act_dot) {
  cylinderRate(a, rates, act_dot);
}

static mjtNum force(const snActuator* a) {
  return cylinderForce(a, rates);
}

const snActuation phy_pneumatic = {
    .info = {"pneumatic", "double-acting air cylinder behind a valve", NPARAM, params},
    .states = cylinderStates,
    .rate = rate,
    .apply = force,
};
