// What hyperelastic models share: parameters, and the ratio of volumes (areas of surfaces) with its gradient.
//
// The energy of a change of volume goes on below LEAST_RATIO as its tangent: a crushed or inverted element is pushed
// back by a constant pressure. One that grew with the inversion would throw it further than an implicit step can
// follow.
#pragma once

#include <math.h>

#include "math/elem.h"
#include "math/vec.h"
#include "physics/physics.h"

// volume ratio below which it is continued; smaller: stiffer under extreme compression, larger: softer there
#define LEAST_RATIO 0.2

#define ELASTIC_PARAMS                                                                   \
  {"young", NAN, 1e-9, 1e15, "Young's modulus (Pa); default: that of the flex"},         \
      {"poisson", NAN, 0, 0.4999, "Poisson's ratio; default: that of the flex"}, {       \
    "thickness", NAN, 1e-9, 1e3, "thickness of a surface (m); default: that of the flex" \
  }

// Lamé's constants
static inline void lame(const mjtNum* param, mjtNum constant[2]) {
  const mjtNum E = param[0], nu = param[1];
  constant[0] = E / (2 * (1 + nu));
  constant[1] = E * nu / ((1 + nu) * (1 - 2 * nu));
}

// energy of a change of volume, a ln J + λ/2 (ln J)², continued, with its first two derivatives
static inline mjtNum volumeEnergy(mjtNum a, mjtNum lambda, mjtNum J, mjtNum slope[2]) {
  const mjtNum at = mth_max(J, LEAST_RATIO), log = mth_log(at);
  slope[0] = (a + lambda * log) / at;
  slope[1] = J < LEAST_RATIO ? 0 : (lambda - a - lambda * log) / (at * at);
  return a * log + lambda / 2 * log * log + slope[0] * (J - at);
}

static inline mjtNum sumSquares(const mjtNum* F, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += F[i] * F[i];
  return sum;
}

// ratio of volumes or areas and its gradient, 3 x dim by rows
static inline mjtNum ratio(int dim, const mjtNum* F, mjtNum* grad) {
  if (dim == 3) {
    mth_cross3(grad, F + 3, F + 6);
    mth_cross3(grad + 3, F + 6, F);
    mth_cross3(grad + 6, F, F + 3);
    return mth_dot3(F, grad);
  }
  const mjtNum f1[3] = {F[0], F[2], F[4]}, f2[3] = {F[1], F[3], F[5]};
  mjtNum n[3], g1[3], g2[3];
  mth_cross3(n, f1, f2);
  const mjtNum area = mth_norm3(n);
  mth_scl3(n, n, 1 / mth_max(area, mjMINVAL));
  mth_cross3(g1, f2, n);
  mth_cross3(g2, n, f1);
  for (int i = 0; i < 3; i++) {
    grad[2 * i] = g1[i];
    grad[2 * i + 1] = g2[i];
  }
  return area;
}

// adds scale · ∂²J/∂F² of a solid: the derivative of the cofactor matrix
static inline void addCofactorSlope(const mjtNum* F, mjtNum scale, mjtNum* dP) {
  for (int i = 0; i < 3; i++) {
    // row i of the cofactors is row j × row k
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      mjtNum* row = dP + 9 * (3 * i + a);
      row[3 * j + b] += scale * F[3 * k + c];
      row[3 * j + c] -= scale * F[3 * k + b];
      row[3 * k + c] += scale * F[3 * j + b];
      row[3 * k + b] -= scale * F[3 * j + c];
    }
  }
}
