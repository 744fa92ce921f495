// Mooney-Rivlin solids: W = c₁ (I₁ - 3) + c₂ (I₂ - 3) - 2 (c₁ + 2c₂) ln J + λ/2 (ln J)², with 2 (c₁ + c₂) = μ.
//
// I₂ = ½ (I₁² - tr C²), C = FᵀF, so ∂I₂/∂F = 2 (I₁ F - F C). Without c₂ it is Neo-Hookean.
#include "physics/elasticity/invariants.h"

static const snParam params[] = {
    ELASTIC_PARAMS, {"ratio", 0.3, 0, 1, "share c₂ / (c₁ + c₂) of the second invariant"}
};

static void prepare(const mjtNum* param, int dim, mjtNum* constant) {
  (void)dim;
  mjtNum moduli[2];
  lame(param, moduli);
  constant[0] = moduli[0] / 2 * (1 - param[3]);
  constant[1] = moduli[0] / 2 * param[3];
  constant[2] = moduli[1];
}

static mjtNum energy(const mjtNum* constant, int dim, const mjtNum* F) {
  mjtNum grad[9], slope[2], C[9];
  const mjtNum I1 = sumSquares(F, 9), c1 = constant[0], c2 = constant[1];
  mth_mulMatTMat3(C, F, F);
  const mjtNum I2 = (I1 * I1 - sumSquares(C, 9)) / 2;
  return c1 * (I1 - 3) + c2 * (I2 - 3) + volumeEnergy(-2 * (c1 + 2 * c2), constant[2], ratio(dim, F, grad), slope);
}

static void stress(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P) {
  mjtNum grad[9], slope[2], C[9], FC[9];
  const mjtNum I1 = sumSquares(F, 9), c1 = constant[0], c2 = constant[1];
  volumeEnergy(-2 * (c1 + 2 * c2), constant[2], ratio(dim, F, grad), slope);
  mth_mulMatTMat3(C, F, F);
  mth_mulMatMat3(FC, F, C);
  for (int i = 0; i < 9; i++) P[i] = 2 * c1 * F[i] + 2 * c2 * (I1 * F[i] - FC[i]) + slope[0] * grad[i];
}

const snElasticity phy_mooneyRivlin = {
    .info = {"mooney_rivlin", "hyperelastic solids with a second invariant", 4, params},
    .dims = 1 << 3,
    .nconst = 3,
    .prepare = prepare,
    .energy = energy,
    .apply = stress,
};
