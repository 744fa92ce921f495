// Symmetric matrices with a band and a few dense rows at the end, of which the lower triangle is stored:
// (ntotal-ndense) rows of nband numbers that end at the diagonal, then ndense rows of ntotal numbers.
// Cholesky A = L L' keeps that shape.
#include <math.h>

#include <mujoco/mujoco.h>

#include "math/simd/kernels.h"
#include "math/vec.h"

int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  const int nsparse = ntotal - ndense;
  return i < nsparse ? (i + 1) * nband - 1 : nsparse * nband + (i - nsparse) * ntotal + i;
}

// A row up to and including its diagonal: `width` numbers, the first of which stands in column `start`.
typedef struct {
  int adr, start, width;
} BandRow;

static BandRow bandRow(int i, int ntotal, int nband, int ndense) {
  const int width = i < ntotal - ndense ? mth_minInt(i + 1, nband) : i + 1;
  return (BandRow){mju_bandDiag(i, ntotal, nband, ndense) - width + 1, i + 1 - width, width};
}

// The part of column j of L in the band, below its pivot `diag`: `below` rows, of which each reaches less far to the
// left. dot is a constant where this is inlined.
typedef mjtNum (*Dot)(const mjtNum* a, const mjtNum* b, int n);
static inline __attribute__((always_inline)) void factorColumn(mjtNum* diag, int j, int nband, int below, mjtNum inv,
                                                               Dot dot) {
  mjtNum* entry = diag;
  for (int k = 1; k <= below; k++) {
    entry += nband - 1;
    const int common = mth_minInt(j, nband - 1 - k);
    *entry = inv * (*entry - dot(entry - common, diag - common, common));
  }
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul) {
  const int nsparse = ntotal - ndense;
  mjtNum mindiag = -1;
  for (int j = 0; j < ntotal; j++) {
    // row j has `left` numbers before its diagonal
    mjtNum* diag = mat + mju_bandDiag(j, ntotal, nband, ndense);
    const int left = j < nsparse ? mth_minInt(j, nband - 1) : j;

    // pivot; give up where it is not positive
    const mjtNum pivot = diagadd + diagmul * *diag + *diag - mth_dot(diag - left, diag - left, left);
    if (pivot < mindiag || mindiag < 0) mindiag = pivot;
    if (pivot < mjMINVAL) return 0;
    *diag = sqrt(pivot);
    const mjtNum inv = 1 / *diag;

    // The column below it. In a narrow band nothing is called: inv stays in its register.
    const int below = mth_minInt(nband, nsparse - j) - 1;
    if (nband <= MTH_INLINE) {
      factorColumn(diag, j, nband, below, inv, mth_dotShort);
    } else {
      factorColumn(diag, j, nband, below, inv, mth_dot);
    }
    for (int i = mth_maxInt(nsparse, j + 1); i < ntotal; i++) {
      mjtNum* entry = mat + (size_t)nsparse * nband + (size_t)(i - nsparse) * ntotal + j;
      *entry = inv * (*entry - mth_dot(entry - left, diag - left, left));
    }
  }
  return mindiag;
}

void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense) {
  if (res != vec) mth_copy(res, vec, ntotal);

  // L y = vec
  for (int i = 0; i < ntotal; i++) {
    const BandRow row = bandRow(i, ntotal, nband, ndense);
    const int left = row.width - 1;
    res[i] = (res[i] - mth_dot(mat + row.adr, res + row.start, left)) / mat[row.adr + left];
  }

  // L' x = y
  for (int i = ntotal - 1; i >= 0; i--) {
    const BandRow row = bandRow(i, ntotal, nband, ndense);
    const int left = row.width - 1;
    res[i] /= mat[row.adr + left];
    mth_addToScl(res + row.start, mat + row.adr, -res[i], left);
  }
}

void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte flg_sym) {
  mth_zero(res, ntotal * ntotal);
  for (int i = 0; i < ntotal; i++) {
    const BandRow row = bandRow(i, ntotal, nband, ndense);
    mth_copy(res + (size_t)i * ntotal + row.start, mat + row.adr, row.width);
    if (!flg_sym) continue;
    for (int k = 0; k < row.width - 1; k++) res[(size_t)(row.start + k) * ntotal + i] = mat[row.adr + k];
  }
}

void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  for (int i = 0; i < ntotal; i++) {
    const BandRow row = bandRow(i, ntotal, nband, ndense);
    mth_copy(res + row.adr, mat + (size_t)i * ntotal + row.start, row.width);
  }
}

// one row of the lower triangle times vec and, for symmetric matrices, its mirror image
static inline void mulRow(mjtNum* res, const mjtNum* row, const mjtNum* vec, int start, int width, int flg_sym) {
  const int i = start + width - 1;
  res[i] = mth_dot(row, vec + start, width);
  if (flg_sym) mth_addToScl(res + start, row, vec[i], width - 1);
}

void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband, int ndense, int nvec,
                       mjtByte flg_sym) {
  const int nsparse = ntotal - ndense;
  for (int v = 0; v < nvec; v++, res += ntotal, vec += ntotal) {
    // band rows end at the diagonal
    const mjtNum* row = mat;
    for (int i = 0; i < nsparse; i++, row += nband) {
      const int width = mth_minInt(i + 1, nband);
      mulRow(res, row + nband - width, vec, i + 1 - width, width, flg_sym);
    }
    for (int i = nsparse; i < ntotal; i++, row += ntotal) mulRow(res, row, vec, 0, i + 1, flg_sym);
  }
}
