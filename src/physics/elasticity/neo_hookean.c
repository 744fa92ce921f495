// Neo-Hookean solids and surfaces: W = μ/2 (I₁ - dim) - μ ln J + λ/2 (ln J)², I₁ = tr FᵀF, J the ratio of volumes or
// areas.
#include "physics/elasticity/invariants.h"

static const snParam params[] = {ELASTIC_PARAMS};

static void prepare(const mjtNum* param, int dim, mjtNum* constant) {
  (void)dim;
  lame(param, constant);
}

static mjtNum energy(const mjtNum* constant, int dim, const mjtNum* F) {
  mjtNum grad[9], slope[2];
  const mjtNum mu = constant[0], lambda = constant[1], L = logRatio(ratio(dim, F, grad), slope);
  return mu / 2 * (sumSquares(F, 3 * dim) - dim) - mu * L + lambda / 2 * L * L;
}

// P = μF + (λ ln J - μ) (ln J)' ∂J/∂F
static void stress(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P) {
  mjtNum grad[9], slope[2];
  const mjtNum mu = constant[0], lambda = constant[1], L = logRatio(ratio(dim, F, grad), slope);
  for (int i = 0; i < 3 * dim; i++) P[i] = mu * F[i] + (lambda * L - mu) * slope[0] * grad[i];
}

// for solids; that of surfaces is left to differences of the stress
static void solidSlope(const mjtNum* constant, const mjtNum* F, mjtNum* dP) {
  mjtNum grad[9], slope[2];
  const mjtNum mu = constant[0], lambda = constant[1], L = logRatio(ratio(3, F, grad), slope);
  const mjtNum first = (lambda * L - mu) * slope[0];
  const mjtNum second = lambda * slope[0] * slope[0] + (lambda * L - mu) * slope[1];
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 9; j++) dP[9 * i + j] = second * grad[i] * grad[j] + (i == j ? mu : 0);
  }
  addCofactorSlope(F, first, dP);
}

static void derivative(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP) {
  if (dim == 3) {
    solidSlope(constant, F, dP);
  } else {
    phy_differences(&phy_neoHookean, constant, dim, F, dP);
  }
}

const snElasticity phy_neoHookean = {
    .info = {"neo_hookean", "hyperelastic: large deformations, rubber and tissue", 3, params},
    .dims = 1 << 2 | 1 << 3,
    .nconst = 2,
    .prepare = prepare,
    .energy = energy,
    .apply = stress,
    .derivative = derivative,
};
