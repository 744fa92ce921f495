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
  const mjtNum mu = constant[0], volume = volumeEnergy(-mu, constant[1], ratio(dim, F, grad), slope);
  return mu / 2 * (sumSquares(F, 3 * dim) - dim) + volume;
}

// P = μF + g'(J) ∂J/∂F with g the energy of the change of volume
static void stress(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P) {
  mjtNum grad[9], slope[2];
  volumeEnergy(-constant[0], constant[1], ratio(dim, F, grad), slope);
  for (int i = 0; i < 3 * dim; i++) P[i] = constant[0] * F[i] + slope[0] * grad[i];
}

// for solids; that of surfaces is left to differences of the stress
static void solidSlope(const mjtNum* constant, const mjtNum* F, mjtNum* dP) {
  mjtNum grad[9], slope[2];
  volumeEnergy(-constant[0], constant[1], ratio(3, F, grad), slope);
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 9; j++) dP[9 * i + j] = slope[1] * grad[i] * grad[j] + (i == j ? constant[0] : 0);
  }
  addCofactorSlope(F, slope[0], dP);
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
