// What double-acting cylinders share. The piston's place x is the actuator's length, 0 to stroke; chamber 1 pushes it
// out.
//   force = p₁ A₁ - p₂ A₂,   V₁ = V₀ + A₁ x,   V₂ = V₀ + A₂ (stroke - x)
// States: the two pressures above that of the surroundings. They are stiff, so over a step they advance in a few
// linearly implicit pieces; the force is that at the end of the step.
#pragma once

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "physics/physics.h"

// parameters that all cylinders start with
enum { CYL_SUPPLY, CYL_AREA1, CYL_AREA2, CYL_STROKE, CYL_VOLUME, CYL_NPARAM };

#define CYLINDER_PARAMS(supply)                                                      \
  {"supply", supply, 0, 1e10, "pressure of the supply above the surroundings (Pa)"}, \
      {"area1", 1e-3, 1e-9, 1e3, "of the piston towards chamber 1 (m²)"},            \
      {"area2", 1e-3, 1e-9, 1e3, "of the piston towards chamber 2 (m²)"},            \
      {"stroke", 0.1, 1e-6, 1e3, "way of the piston (m)"}, {                         \
    "volume", 1e-5, 1e-12, 1e3, "of a chamber when the piston is at its end (m³)"   \
  }

// rates of the pressures for given pressures
typedef void (*CylinderRates)(const snActuator* a, const mjtNum p[2], mjtNum dot[2]);

static inline int cylinderStates(const mjtNum* param) {
  (void)param;
  return 2;
}

static inline void chambers(const snActuator* a, mjtNum volume[2]) {
  const mjtNum *q = a->param, x = mth_clip(a->length, 0, q[CYL_STROKE]);
  volume[0] = q[CYL_VOLUME] + q[CYL_AREA1] * x;
  volume[1] = q[CYL_VOLUME] + q[CYL_AREA2] * (q[CYL_STROKE] - x);
}

// one correction of p towards p = start + h · rates(p), with derivatives by differences; returns its size
static inline mjtNum correct(const snActuator* a, CylinderRates rates, mjtNum h, const mjtNum start[2], mjtNum p[2]) {
  mjtNum f[2], g[2], J[2][2], r[2], moved[2];
  rates(a, p, f);
  for (int j = 0; j < 2; j++) {
    const mjtNum step = 1 + 1e-6 * fabs(p[j]);
    memcpy(moved, p, sizeof(moved));
    moved[j] += step;
    rates(a, moved, g);
    for (int i = 0; i < 2; i++) J[i][j] = (i == j) - h * (g[i] - f[i]) / step;
    r[j] = start[j] + h * f[j] - p[j];
  }
  const mjtNum det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (det == 0) return 0;
  const mjtNum change[2] = {(J[1][1] * r[0] - J[0][1] * r[1]) / det, (J[0][0] * r[1] - J[1][0] * r[0]) / det};
  p[0] += change[0];
  p[1] += change[1];
  return fabs(change[0]) + fabs(change[1]);
}

// an implicit Euler step
static inline void implicitPiece(const snActuator* a, CylinderRates rates, mjtNum h, mjtNum p[2]) {
  enum { MOST = 30 };
  const mjtNum start[2] = {p[0], p[1]}, enough = 1e-4;  // Pa
  for (int i = 0; i < MOST && correct(a, rates, h, start, p) > enough; i++) continue;
}

// pressures that make the force: those at the end of the step
static inline void endPressures(const snActuator* a, CylinderRates rates, mjtNum p[2]) {
  enum { PIECES = 4 };
  memcpy(p, a->act, 2 * sizeof(mjtNum));
  for (int i = 0; i < PIECES && a->timestep > 0; i++) implicitPiece(a, rates, a->timestep / PIECES, p);
}

static inline void cylinderRate(const snActuator* a, CylinderRates rates, mjtNum* act_dot) {
  if (a->timestep <= 0) {
    rates(a, a->act, act_dot);
    return;
  }
  mjtNum p[2];
  endPressures(a, rates, p);
  for (int i = 0; i < 2; i++) act_dot[i] = (p[i] - a->act[i]) / a->timestep;
}

static inline mjtNum cylinderForce(const snActuator* a, CylinderRates rates) {
  mjtNum p[2];
  endPressures(a, rates, p);
  return p[0] * a->param[CYL_AREA1] - p[1] * a->param[CYL_AREA2];
}
