// Dense Cholesky factorisation A = L L', in the lower triangle of a row-major matrix; the upper one is not touched. The
// factorisation is a kernel (simd/kernels.h).
#include <math.h>

#include <mujoco/mujoco.h>

#include "math/dense.h"
#include "math/simd/kernels.h"

void mth_solveLower(mjtNum* res, const mjtNum* L, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    const mjtNum* row = L + (size_t)i * n;
    res[i] = (vec[i] - mth_dot(row, res, i)) / row[i];
  }
}

void mth_solveLowerT(mjtNum* res, const mjtNum* L, const mjtNum* vec, int n) {
  // few unknowns: each from those behind it
  if (n < 4) {
    for (int i = n - 1; i >= 0; i--) {
      mjtNum sum = vec[i];
      for (int j = i + 1; j < n; j++) sum -= L[(size_t)j * n + i] * res[j];
      res[i] = sum / L[(size_t)i * n + i];
    }
    return;
  }

  // column by column of L', which are rows of L
  if (res != vec) mth_copy(res, vec, n);
  for (int i = n - 1; i >= 0; i--) {
    const mjtNum* row = L + (size_t)i * n;
    res[i] /= row[i];
    mth_addToScl(res, row, -res[i], i);
  }
}

void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  mth_solveLower(res, mat, vec, n);
  mth_solveLowerT(res, mat, res, n);
}

int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  int rank = n;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;

    // rotation that moves x[k] into the diagonal
    mjtNum* diag = mat + (size_t)k * n + k;
    const mjtNum square = x[k] * x[k];
    mjtNum sum = *diag * *diag + (flg_plus ? square : -square);
    if (sum < mjMINVAL) {
      sum = mjMINVAL;
      rank--;
    }
    const mjtNum r = sqrt(sum);
    const mjtNum c = r / *diag, s = x[k] / *diag;
    const mjtNum cinv = *diag / r, signeds = flg_plus ? s : -s;
    *diag = r;

    // column k and the rest of x
    mjtNum* entry = diag;
    for (int i = k + 1; i < n; i++) {
      MTH_NEXT_ROW(entry, n);
      *entry = (*entry + signeds * x[i]) * cinv;
      x[i] = c * x[i] - s * *entry;
    }
  }
  return rank;
}
