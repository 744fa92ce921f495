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

// sum over k < j of L(i,k) L(j,k), j <= i
static mjtNum dotLeft(const mjtNum* mat, BandRow i, BandRow j) {
  const int from = mth_maxInt(i.start, j.start), to = j.start + j.width - 1;
  return mth_dot(mat + i.adr + (from - i.start), mat + j.adr + (from - j.start), mth_maxInt(0, to - from));
}

mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd, mjtNum diagmul) {
  const int nsparse = ntotal - ndense;
  mjtNum mindiag = -1;
  for (int j = 0; j < ntotal; j++) {
    const BandRow rowj = bandRow(j, ntotal, nband, ndense);
    mjtNum* diag = mat + rowj.adr + rowj.width - 1;

    // pivot; give up where it is not positive
    const mjtNum pivot = diagadd + diagmul * *diag + *diag - dotLeft(mat, rowj, rowj);
    if (pivot < mindiag || mindiag < 0) mindiag = pivot;
    if (pivot < mjMINVAL) return 0;
    *diag = sqrt(pivot);
    const mjtNum inv = 1 / *diag;

    // the column below it
    for (int i = j + 1; i < ntotal; i++) {
      // below the band: on to the dense rows
      if (i < nsparse && i - j >= nband) {
        i = nsparse - 1;
        continue;
      }
      const BandRow rowi = bandRow(i, ntotal, nband, ndense);
      mjtNum* entry = mat + rowi.adr + (j - rowi.start);
      *entry = inv * (*entry - dotLeft(mat, rowi, rowj));
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
