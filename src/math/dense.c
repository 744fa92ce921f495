// Dense matrices, row-major. Products add rows in sequence and skip zero coefficients, because Jacobians and
// inertias handed in as dense are mostly zeros. See dense.h.
#include "math/dense.h"

#include <mujoco/mujoco.h>

#include "math/simd/kernels.h"
#include "math/vec.h"

//---------------------------------- matrix and vector ----------------------------------

void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_mulMatTVec(res, mat, vec, nr, nc);
}

// rows or columns that are buffered on the stack
enum { CHUNK = 64 };

mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  return mth_kernel.mulVecMatVec(vec1, mat, vec2, n);
}

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
    for (int c = 0; c < r; c++) {
      const size_t low = (size_t)r * n + c, high = (size_t)c * n + r;
      const mjtNum mean = 0.5 * (mat[low] + mat[high]);
      res[low] = mean;
      res[high] = mean;
    }
    res[(size_t)r * n + r] = mat[(size_t)r * n + r];
  }
}

void mju_eye(mjtNum* mat, int n) {
  mth_zero(mat, n * n);
  for (int i = 0; i < n; i++) mat[(size_t)i * n + i] = 1;
}

void mth_mirrorLower(mjtNum* mat, int n) {
  for (int r = 1; r < n; r++) {
    for (int c = 0; c < r; c++) mat[(size_t)c * n + r] = mat[(size_t)r * n + c];
  }
}

//---------------------------------- two matrices ----------------------------------

// up to three columns: not worth a call per row
static void mulMatFew(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  for (int i = 0; i < r1; i++, mat1 += c1, res += c2) {
    for (int j = 0; j < c2; j++) {
      mjtNum sum = 0;
      for (int k = 0; k < c1; k++) {
        if (mat1[k] != 0) sum += mat1[k] * mat2[k * c2 + j];
      }
      res[j] = sum;
    }
  }
}

void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  if (c2 < 4) {
    mulMatFew(res, mat1, mat2, r1, c1, c2);
    return;
  }

  // row i of the product is row i of mat1 times mat2
  for (int i = 0; i < r1; i++) mth_mulMatTVec(res + (size_t)i * c2, mat2, mat1 + (size_t)i * c1, c1, c2);
}

void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  mth_kernel.mulMatMatT(res, mat1, mat2, r1, c1, r2);
}

void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  mjtNum column[CHUNK];

  // row j of the product is column j of mat1 times mat2
  if (r1 <= CHUNK) {
    for (int j = 0; j < c1; j++) {
      for (int i = 0; i < r1; i++) column[i] = mat1[(size_t)i * c1 + j];
      mth_mulMatTVec(res + (size_t)j * c2, mat2, column, r1, c2);
    }
    return;
  }

  // tall matrices: add the rows of mat2 where they belong
  mth_zero(res, c1 * c2);
  for (int i = 0; i < r1; i++) {
    for (int j = 0; j < c1; j++) {
      const mjtNum scl = mat1[(size_t)i * c1 + j];
      if (scl != 0) mth_addToScl(res + (size_t)j * c2, mat2 + (size_t)i * c2, scl, c2);
    }
  }
}

void mth_sqrMatTDLower(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  const MthSqrTask task = {res, mat, diag, nr, nc};
  mth_kernel.sqrMatTD(&task);
}

void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  mth_sqrMatTDLower(res, mat, diag, nr, nc);
  mth_mirrorLower(res, nc);
}
