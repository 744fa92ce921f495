// Dense matrices, row-major: what is not a kernel of its own (simd/kernels.h). See dense.h.
#include "math/dense.h"

#include <mujoco/mujoco.h>

#include "math/simd/kernels.h"
#include "math/vec.h"

//---------------------------------- matrix and vector ----------------------------------

void mth_mulSymVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    // row i of the lower triangle, and its mirror image
    const mjtNum* row = mat + (size_t)i * n;
    res[i] = mth_dot(row, vec, i + 1);
    mth_addToScl(res, row, vec[i], i);
  }
}

//---------------------------------- one matrix ----------------------------------

void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  // four rows at a time: the stores are next to each other
  int r = 0;
  for (; r <= nr - 4; r += 4) {
    const mjtNum *row0 = mat + (size_t)r * nc, *row1 = row0 + nc, *row2 = row1 + nc, *row3 = row2 + nc;
    mjtNum* to = res + r;
    for (int c = 0; c < nc; c++, to += nr) {
      to[0] = row0[c];
      to[1] = row1[c];
      to[2] = row2[c];
      to[3] = row3[c];
    }
  }
  for (; r < nr; r++) {
    for (int c = 0; c < nc; c++) res[(size_t)c * nr + r] = mat[(size_t)r * nc + c];
  }
}

void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  for (int r = 0; r < n; r++) {
    // row r left of the diagonal, and column r above it
    const size_t row = (size_t)r * n;
    size_t high = (size_t)r;
    for (int c = 0; c < r; c++) {
      const mjtNum mean = 0.5 * (mat[row + c] + mat[high]);
      res[row + c] = mean;
      res[high] = mean;
      MTH_NEXT_ROW(high, (size_t)n);
    }
    res[row + r] = mat[row + r];
  }
}

void mth_mirrorLower(mjtNum* mat, int n) {
  for (int r = 1; r < n; r++) {
    for (int c = 0; c < r; c++) mat[(size_t)c * n + r] = mat[(size_t)r * n + c];
  }
}

//---------------------------------- J' D J ----------------------------------

void mth_sqrMatTDLower(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  const MthSqrTask task = {res, mat, diag, nr, nc};
  mth_kernel.sqrMatTD(&task);
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  mth_sqrMatTDLower(res, mat, diag, nr, nc);
  mth_mirrorLower(res, nc);
}
