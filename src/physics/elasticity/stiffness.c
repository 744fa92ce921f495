// Stiffness of an element in terms of its deformation gradient: differences where a model has none of its own, and the
// nearest positive semi-definite matrix, without which implicit steps would push along directions of collapse.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "physics/physics.h"

void phy_differences(const snElasticity* model, const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP) {
  const int n = 3 * dim;
  const mjtNum step = 1e-6;
  mjtNum moved[9], plus[9], minus[9], column[9][9];
  memcpy(moved, F, (size_t)n * sizeof(mjtNum));
  for (int j = 0; j < n; j++) {
    moved[j] = F[j] + step;
    model->apply(constant, dim, moved, plus);
    moved[j] = F[j] - step;
    model->apply(constant, dim, moved, minus);
    moved[j] = F[j];
    for (int i = 0; i < n; i++) column[i][j] = (plus[i] - minus[i]) / (2 * step);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) dP[n * i + j] = (column[i][j] + column[j][i]) / 2;
  }
}

void phy_stiffness(const snElasticity* model, const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP) {
  if (model->derivative) {
    model->derivative(constant, dim, F, dP);
  } else {
    phy_differences(model, constant, dim, F, dP);
  }
}

// 1: a Cholesky factorisation exists, up to rounding
static int isPositive(const mjtNum* A, int n) {
  mjtNum L[81], trace = 0;
  memcpy(L, A, (size_t)(n * n) * sizeof(mjtNum));
  for (int i = 0; i < n; i++) trace += fabs(A[(n + 1) * i]);
  for (int j = 0; j < n; j++) {
    mjtNum diagonal = L[n * j + j] + 1e-12 * trace;
    for (int k = 0; k < j; k++) diagonal -= L[n * j + k] * L[n * j + k];
    if (!(diagonal > 0)) return 0;
    L[n * j + j] = sqrt(diagonal);
    for (int i = j + 1; i < n; i++) {
      mjtNum sum = L[n * i + j];
      for (int k = 0; k < j; k++) sum -= L[n * i + k] * L[n * j + k];
      L[n * i + j] = sum / L[n * j + j];
    }
  }
  return 1;
}

// 1: what is beside the diagonal is lost in rounding
static int isDiagonal(const mjtNum* A, int n) {
  mjtNum beside = 0, along = 0;
  for (int i = 0; i < n; i++) {
    along += A[(n + 1) * i] * A[(n + 1) * i];
    for (int j = i + 1; j < n; j++) beside += A[n * i + j] * A[n * i + j];
  }
  return beside <= 1e-28 * along;
}

// one rotation of Jacobi's method: makes A(p, q) zero, V collects the rotations
static void rotate(mjtNum* A, mjtNum* V, int n, int p, int q) {
  const mjtNum apq = A[n * p + q];
  if (apq == 0) return;
  const mjtNum theta = (A[n * q + q] - A[n * p + p]) / (2 * apq);
  const mjtNum t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const mjtNum c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    const mjtNum akp = A[n * k + p], akq = A[n * k + q];
    A[n * k + p] = c * akp - s * akq;
    A[n * k + q] = s * akp + c * akq;
  }
  for (int k = 0; k < n; k++) {
    const mjtNum apk = A[n * p + k], aqk = A[n * q + k], vkp = V[n * k + p], vkq = V[n * k + q];
    A[n * p + k] = c * apk - s * aqk;
    A[n * q + k] = s * apk + c * aqk;
    V[n * k + p] = c * vkp - s * vkq;
    V[n * k + q] = s * vkp + c * vkq;
  }
}

void phy_dropNegative(mjtNum* A, int n) {
  if (isPositive(A, n)) return;
  enum { SWEEPS = 12 };
  mjtNum D[81], V[81] = {0};
  memcpy(D, A, (size_t)(n * n) * sizeof(mjtNum));
  for (int i = 0; i < n; i++) V[(n + 1) * i] = 1;
  for (int sweep = 0; sweep < SWEEPS && !isDiagonal(D, n); sweep++) {
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) rotate(D, V, n, p, q);
    }
  }
  memset(A, 0, (size_t)(n * n) * sizeof(mjtNum));
  for (int k = 0; k < n; k++) {
    const mjtNum value = D[(n + 1) * k];
    if (value <= 0) continue;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) A[n * i + j] += value * V[n * i + k] * V[n * j + k];
    }
  }
}
