// Corotational solids and surfaces: linear elasticity in the frame that turns with the element,
// W = μ |F - R|² + λ/2 (tr RᵀF - dim)², R the rotation nearest to F.
//
// Of surfaces, F is completed by the unit normal. P = 2μ (F - R) + λ (tr RᵀF - dim) R, since dR does no work.
#include "math/quat.h"
#include "physics/elasticity/invariants.h"

static const snParam params[] = {ELASTIC_PARAMS};

static void prepare(const mjtNum* param, int dim, mjtNum* constant) {
  (void)dim;
  lame(param, constant);
}

// rotation nearest to F, 3 x dim by rows
static void nearestRotation(int dim, const mjtNum* F, mjtNum* R) {
  mjtNum full[9], quat[4] = {1, 0, 0, 0}, mat[9];
  if (dim == 3) {
    mth_copy9(full, F);
  } else {
    const mjtNum f1[3] = {F[0], F[2], F[4]}, f2[3] = {F[1], F[3], F[5]};
    mjtNum n[3];
    mth_cross3(n, f1, f2);
    mth_normalize3(n);
    for (int i = 0; i < 3; i++) mth_set3(full + 3 * i, F[2 * i], F[2 * i + 1], n[i]);

    // turned so that little is left to find
    mjtNum axes[9], x[3], y[3];
    mth_copy3(x, f1);
    mth_normalize3(x);
    mth_cross3(y, n, x);
    for (int i = 0; i < 3; i++) mth_set3(axes + 3 * i, x[i], y[i], n[i]);
    mju_mat2Quat(quat, axes);
  }

  // the iteration ends early far from the solution: a second call goes on
  for (int i = 0; i < 3; i++) mju_mat2Rot(quat, full);
  mth_quat2Mat(mat, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < dim; j++) R[dim * i + j] = mat[3 * i + j];
  }
}

static mjtNum excess(int dim, const mjtNum* F, const mjtNum* R) {
  mjtNum trace = 0;
  for (int i = 0; i < 3 * dim; i++) trace += R[i] * F[i];
  return trace - dim;
}

static mjtNum energy(const mjtNum* constant, int dim, const mjtNum* F) {
  mjtNum R[9], square = 0;
  nearestRotation(dim, F, R);
  const mjtNum t = excess(dim, F, R);
  for (int i = 0; i < 3 * dim; i++) square += (F[i] - R[i]) * (F[i] - R[i]);
  return constant[0] * square + constant[1] / 2 * t * t;
}

static void stress(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P) {
  mjtNum R[9];
  nearestRotation(dim, F, R);
  const mjtNum t = constant[1] * excess(dim, F, R);
  for (int i = 0; i < 3 * dim; i++) P[i] = 2 * constant[0] * (F[i] - R[i]) + t * R[i];
}

// with R held: positive semi-definite as it is
static void derivative(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP) {
  mjtNum R[9] = {0};
  const int n = 3 * dim;
  nearestRotation(dim, F, R);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) dP[n * i + j] = constant[1] * R[i] * R[j] + (i == j ? 2 * constant[0] : 0);
  }
}

const snElasticity phy_corotational = {
    .info = {"corotational", "linear in the frame of the element: large turns, small strains", 3, params},
    .dims = 1 << 2 | 1 << 3,
    .nconst = 2,
    .prepare = prepare,
    .energy = energy,
    .apply = stress,
    .derivative = derivative,
};
