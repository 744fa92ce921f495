// What the dual solvers do with one contact: code that the CPU (dual.c) and the kernels for GPUs (cuda/pgs.h) share, in
// double precision.
#pragma once

#include <math.h>
#include <string.h>

#include "math/vec.h"

#if defined(__CUDACC__)
#define SOL_FN  static __device__
#define SOL_API static __device__ __noinline__
#elif defined(SOL_GPU)
#define SOL_FN  static inline
#define SOL_API static inline
#else
#define SOL_FN static
#define SOL_API
#endif

//---------------------------------- cost ----------------------------------

SOL_API mjtNum sol_dualChange(const mjtNum* block, mjtNum* force, const mjtNum* oldforce, const mjtNum* res, int dim) {
  mjtNum change = 0;
  for (int i = 0; i < dim; i++) {
    const mjtNum delta = force[i] - oldforce[i];
    mjtNum half = 0;
    for (int j = 0; j < dim; j++) half += block[i * dim + j] * (force[j] - oldforce[j]);
    change += delta * (0.5 * half + res[i]);
  }
  if (change > 1e-10) {
    memcpy(force, oldforce, sizeof(mjtNum) * (size_t)dim);
    return 0;
  }
  return change;
}

//---------------------------------- friction of one contact ----------------------------------

// Cholesky factor of A + shift·I in place of a copy; 0 when it is singular
SOL_FN int factorShifted(mjtNum L[25], const mjtNum* A, mjtNum shift, int n) {
  mjtNum det = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      mjtNum sum = A[i * n + j] + (i == j ? shift : 0);
      for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      if (i > j) {
        L[i * n + j] = sum / L[j * n + j];
        continue;
      }
      det *= sum;
      if (n > 3 ? sum < 1e-10 : sum <= 0) return 0;
      L[i * n + i] = sqrt(sum);
    }
  }
  return n > 3 || det >= 1e-10;
}

// x = (L Lᵀ)⁻¹ b
SOL_FN void solveFactored(mjtNum* x, const mjtNum L[25], const mjtNum* b, int n) {
  for (int i = 0; i < n; i++) {
    mjtNum sum = b[i];
    for (int k = 0; k < i; k++) sum -= L[i * n + k] * x[k];
    x[i] = sum / L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): the loop above has set all n
    x[i] /= L[i * n + i];
  }
}

// minimum of ½ xᵀAx + xᵀb in the ball |x| ≤ r, by Newton on the multiplier; 1 when the bound is active
SOL_FN int ballProgram(mjtNum* x, const mjtNum* A, const mjtNum* b, mjtNum r, int n) {
  mjtNum shift = 0, L[25], y[5];
  for (int iter = 0; iter < 20; iter++) {
    if (!factorShifted(L, A, shift, n)) {
      memset(x, 0, sizeof(mjtNum) * (size_t)n);
      return 0;
    }
    solveFactored(x, L, b, n);
    mjtNum excess = -r * r, slope = 0;
    for (int i = 0; i < n; i++) {
      x[i] = -x[i];
      excess += x[i] * x[i];
    }
    if (excess < 1e-10) break;

    // derivative of |x|² with respect to the multiplier
    solveFactored(y, L, x, n);
    for (int i = 0; i < n; i++) slope -= 2 * x[i] * y[i];
    const mjtNum delta = -excess / slope;
    if (delta < 1e-10) break;
    shift += delta;
  }
  return shift != 0;
}

SOL_API void sol_dualFriction(mjtNum* force, const mjtNum* A, const mjtNum* b, const mjtNum* mu, mjtNum normal, int n) {
  // without pressure there is no friction
  if (normal < mjMINVAL) {
    memset(force, 0, sizeof(mjtNum) * (size_t)n);
    return;
  }

  // scaled by mu the ellipsoid is a ball
  mjtNum scaledA[25], scaledb[5];
  for (int i = 0; i < n; i++) {
    scaledb[i] = b[i] * mu[i];
    for (int j = 0; j < n; j++) scaledA[i * n + j] = A[i * n + j] * mu[i] * mu[j];
  }
  const int bound = ballProgram(force, scaledA, scaledb, normal, n);
  for (int i = 0; i < n; i++) force[i] *= mu[i];
  if (!bound) return;

  // on the surface: exactly
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += force[i] * force[i] / (mu[i] * mu[i]);
  const mjtNum scale = sqrt(normal * normal / mth_max(mjMINVAL, sum));
  for (int i = 0; i < n; i++) force[i] *= scale;
}

//---------------------------------- a contact with an elliptic cone ----------------------------------

// all forces of a contact by a common factor, or its normal force when there is none yet
SOL_FN void rayUpdate(mjtNum* force, const mjtNum* A, const mjtNum* res, mjtNum inv, int dim) {
  if (force[0] < mjMINVAL) {
    force[0] = mth_max(0, force[0] - res[0] * inv);
    for (int j = 1; j < dim; j++) force[j] = 0;
    return;
  }
  mjtNum curve = 0, slope = 0;
  for (int i = 0; i < dim; i++) {
    mjtNum sum = 0;
    for (int j = 0; j < dim; j++) sum += A[i * dim + j] * force[j];
    curve += force[i] * sum;
    slope += force[i] * res[i];
  }
  if (curve < mjMINVAL) return;
  mjtNum x = -slope / curve;
  if (force[0] + x * force[0] < 0) x = -1;
  for (int j = 0; j < dim; j++) force[j] += x * force[j];
}

// forces of one contact: along their ray, then friction with the normal fixed; returns the change of the cost
SOL_API mjtNum sol_dualCone(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* mu, mjtNum inv, int dim) {
  const int n = dim - 1;
  mjtNum oldforce[6], Af[25], b[5];
  memcpy(oldforce, force, sizeof(mjtNum) * (size_t)dim);
  rayUpdate(force, A, res, inv, dim);

  // linear term without friction
  for (int r = 0; r < n; r++) {
    b[r] = res[r + 1] + A[(r + 1) * dim] * (force[0] - oldforce[0]);
    for (int c = 0; c < n; c++) {
      Af[r * n + c] = A[(r + 1) * dim + c + 1];
      b[r] -= Af[r * n + c] * oldforce[c + 1];
    }
  }
  sol_dualFriction(force + 1, Af, b, mu, force[0], n);
  return sol_dualChange(A, force, oldforce, res, dim);
}
