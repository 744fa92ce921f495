// Sparse factorisation A = L' L, from the last row to the first. See sparse.h.
//
// Row r of L, once final, is subtracted from the rows of its columns c < r, scaled with L(r,c). The columns of row r up
// to c are contained in row c; where their numbers agree they are the same, and the update is one dense addition.
#include <math.h>

#include <mujoco/mjmodel.h>

#include "math/sparse.h"

//---------------------------------- structure ----------------------------------

// Lower triangle by columns: rows of column c are row[adr[c]] ... row[adr[c+1]-1], diagonal left out.
typedef struct {
  const int *adr, *row;
} Columns;

static Columns byColumns(const MthPattern* A, int* scratch) {
  const int n = A->nr;
  int *adr = scratch, *row = scratch + n + 1;
  mth_zeroInt(adr, n + 1);
  for (int r = 0; r < n; r++) {
    for (int k = A->rowadr[r]; k < A->rowadr[r] + A->rownnz[r]; k++) {
      if (A->colind[k] < r) adr[A->colind[k] + 1]++;
    }
  }
  for (int c = 0; c < n; c++) adr[c + 1] += adr[c];

  // the addresses serve as cursors, then move back by one column
  for (int r = 0; r < n; r++) {
    for (int k = A->rowadr[r]; k < A->rowadr[r] + A->rownnz[r]; k++) {
      if (A->colind[k] < r) row[adr[A->colind[k]]++] = r;
    }
  }
  for (int c = n; c > 0; c--) adr[c] = adr[c - 1];
  adr[0] = 0;
  return (Columns){adr, row};
}

// Follows the elimination tree from every entry of column r upwards: row i of L has an entry in column r. Counts into
// rownnz, or writes the columns downwards from the cursors.
static void visitColumn(Columns A, int r, int* parent, int* flag, int* rownnz, int* cursor, int* colind) {
  flag[r] = r;
  for (int k = A.adr[r]; k < A.adr[r + 1]; k++) {
    for (int i = A.row[k]; flag[i] != r; i = parent[i]) {
      if (parent[i] < 0) parent[i] = r;
      flag[i] = r;
      if (cursor) {
        colind[cursor[i]--] = r;
      } else {
        rownnz[i]++;
      }
    }
  }
}

int mth_cholSymbolicSparse(const MthPatternOut* out, const MthPattern* A, int* scratch) {
  const int n = A->nr;
  int *parent = scratch, *flag = scratch + n;
  const Columns columns = byColumns(A, scratch + 2 * n);

  // count
  for (int r = n - 1; r >= 0; r--) {
    parent[r] = -1;
    out->rownnz[r] = 1;
    visitColumn(columns, r, parent, flag, out->rownnz, NULL, NULL);
  }
  int nnz = 0;
  for (int r = 0; r < n; r++) {
    out->rowadr[r] = nnz;
    nnz += out->rownnz[r];
  }
  if (!out->colind) return nnz;

  // fill every row from its end; the addresses serve as cursors
  for (int r = 0; r < n; r++) {
    parent[r] = -1;
    out->rowadr[r] += out->rownnz[r] - 1;
    out->colind[out->rowadr[r]--] = r;
  }
  for (int r = n - 1; r >= 0; r--) visitColumn(columns, r, parent, flag, NULL, out->rowadr, out->colind);
  for (int r = 0; r < n; r++) out->rowadr[r]++;
  return nnz;
}

//---------------------------------- numbers ----------------------------------

// row c += scl * row r, columns up to and including c; `count` of them in row r
static inline void addRow(mjtNum* mat, const MthPattern* p, int c, int r, int count, mjtNum scl) {
  const int adrc = p->rowadr[c], adrr = p->rowadr[r];
  if (p->rownnz[c] == count) {
    mth_addToScl(mat + adrc, mat + adrr, scl, count);
    return;
  }
  const int *indc = p->colind + adrc, *indr = p->colind + adrr;
  for (int i = 0, j = 0; j < count; j++, i++) {
    while (indc[i] < indr[j]) i++;
    mat[adrc + i] += scl * mat[adrr + j];
  }
}

int mth_cholNumericSparse(mjtNum* L, const MthPattern* p, const mjtNum* A, const MthPattern* Ap, mjtNum mindiag) {
  // A in the structure of L
  for (int r = 0; r < p->nr; r++) {
    const int adr = p->rowadr[r], nnz = p->rownnz[r], from = Ap->rowadr[r];
    if (nnz == Ap->rownnz[r]) {
      mth_copy(L + adr, A + from, nnz);
      continue;
    }
    mth_zero(L + adr, nnz);
    for (int i = adr, k = from; k < from + Ap->rownnz[r] && Ap->colind[k] <= r; k++, i++) {
      while (p->colind[i] < Ap->colind[k]) i++;
      L[i] = A[k];
    }
  }

  int rank = p->nr;
  for (int r = p->nr - 1; r >= 0; r--) {
    const int adr = p->rowadr[r], left = p->rownnz[r] - 1;
    mjtNum pivot = L[adr + left];
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    pivot = sqrt(pivot);
    L[adr + left] = pivot;
    mth_scl(L + adr, L + adr, 1 / pivot, left);

    // the rows above
    for (int k = 0; k < left; k++) addRow(L, p, p->colind[adr + k], r, k + 1, -L[adr + k]);
  }
  return rank;
}

void mth_cholSolveSparse(mjtNum* res, const mjtNum* L, const mjtNum* vec, const MthPattern* p) {
  if (res != vec) mth_copy(res, vec, p->nr);

  // L' y = vec
  for (int i = p->nr - 1; i >= 0; i--) {
    if (res[i] == 0) continue;
    const int adr = p->rowadr[i], left = p->rownnz[i] - 1;
    res[i] /= L[adr + left];
    mth_addToSclScatter(res, L + adr, -res[i], left, p->colind + adr);
  }

  // L x = y
  for (int i = 0; i < p->nr; i++) {
    const int adr = p->rowadr[i], left = p->rownnz[i] - 1;
    res[i] = (res[i] - mth_dotSparse(L + adr, res, left, p->colind + adr)) / L[adr + left];
  }
}

int mth_cholUpdateSparse(mjtNum* L, const MthPattern* p, mjtNum* x, int last, int flg_plus) {
  int rank = p->nr;
  for (int r = last; r >= 0; r--) {
    if (x[r] == 0) continue;
    const int left = p->rownnz[r] - 1;
    mjtNum* row = L + p->rowadr[r];
    const int* ind = p->colind + p->rowadr[r];

    // rotation (hyperbolic when subtracting) that moves x[r] into the diagonal
    const mjtNum diag = row[left], square = x[r] * x[r];
    mjtNum sum = diag * diag + (flg_plus ? square : -square);
    if (sum < mjMINVAL) {
      sum = mjMINVAL;
      rank--;
    }
    const mjtNum norm = sqrt(sum), c = diag / norm, s = x[r] / norm, signeds = flg_plus ? s : -s;
    row[left] = norm;
    x[r] = 0;

    for (int k = 0; k < left; k++) {
      const mjtNum old = row[k], xk = x[ind[k]];
      row[k] = c * old + signeds * xk;
      x[ind[k]] = c * xk - s * old;
    }
  }
  return rank;
}
