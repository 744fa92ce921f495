// Sparse factors A = L'*L, on the kernels of math/sparse.h. See compat.h.
//
// Structure (Davis, "Algorithm 849: a concise sparse Cholesky factorization package"): column r of L has the rows met
// on the way from every entry of row r of the upper triangle towards r in the elimination tree, whose edges are found
// on the way.
#include <math.h>

#include "compat/compat.h"
#include "math/sparse.h"

//---------------------------------- in place ----------------------------------

int mju_cholFactorSparse(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr, int* colind, mjData* d) {
  (void)d;
  int rank = n;
  for (int r = n - 1; r >= 0; r--) {
    mjtNum* const row = mat + rowadr[r];
    int* const ind = colind + rowadr[r];
    const int left = rownnz[r] - 1;
    mjtNum pivot = row[left];
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    row[left] = sqrt(pivot);
    mth_scl(row, row, 1 / row[left], left);

    // the rows above, which may get new entries
    for (int k = 0; k < left; k++) {
      MthRow above = {rownnz[ind[k]], colind + rowadr[ind[k]], mat + rowadr[ind[k]]};
      mth_combineSparse(&above, &(MthRow){k + 1, ind, row}, 1, -row[k]);
      rownnz[ind[k]] = above.nnz;
    }
  }
  return rank;
}

//---------------------------------- structure ----------------------------------

// What is known while the rows are visited from the last to the first.
typedef struct {
  int* parent;  // in the elimination tree, -1: none yet
  int* seen;    // last column in which the row was met
  int *nnz, *nnzT;
  int *colind, *colindT, *map;  // NULL: count only
  int *place, *placeT;          // next entry of each row: of L downwards, of its transpose upwards
} Symbolic;

// row i has an entry in column r
static void meet(const Symbolic* s, int i, int r) {
  s->seen[i] = r;
  if (!s->colind) {
    s->nnz[i]++;
    s->nnzT[r]++;
    return;
  }
  const int at = s->place[i]--, atT = s->placeT[r]++;
  s->colind[at] = r;
  s->colindT[atT] = i;
  s->map[atT] = at;
}

static void visitRow(const Symbolic* s, int r, const int* ind, int nnz) {
  s->parent[r] = -1;
  meet(s, r, r);
  for (int k = 0; k < nnz; k++) {
    if (ind[k] <= r) continue;
    for (int i = ind[k]; s->seen[i] != r; i = s->parent[i]) {
      if (s->parent[i] < 0) s->parent[i] = r;
      meet(s, i, r);
    }
  }
}

int mju_cholFactorSymbolic(int* L_colind, int* L_rownnz, int* L_rowadr, int* LT_colind, int* LT_rownnz, int* LT_rowadr,
                           int* LT_map, const int* rownnz, const int* rowadr, const int* colind, int n, mjData* d) {
  mj_markStack(d);
  Symbolic s = {.nnz = L_rownnz, .nnzT = LT_rownnz, .colind = L_colind, .colindT = LT_colind, .map = LT_map};
  s.parent = mj_stackAllocInt(d, (size_t)n);
  s.seen = mj_stackAllocInt(d, (size_t)n);
  if (L_colind) {
    s.place = mj_stackAllocInt(d, (size_t)n);
    s.placeT = mj_stackAllocInt(d, (size_t)n);
    for (int r = 0; r < n; r++) s.place[r] = L_rowadr[r] + L_rownnz[r] - 1;
    mth_copyInt(s.placeT, LT_rowadr, n);
  } else {
    mth_zeroInt(L_rownnz, n);
    mth_zeroInt(LT_rownnz, n);
  }
  for (int r = n - 1; r >= 0; r--) visitRow(&s, r, colind + rowadr[r], rownnz[r]);
  mj_freeStack(d);
  if (L_colind) return 0;

  // addresses of packed rows
  int nnz = 0, nnzT = 0;
  for (int r = 0; r < n; r++) {
    L_rowadr[r] = nnz;
    LT_rowadr[r] = nnzT;
    nnz += L_rownnz[r];
    nnzT += LT_rownnz[r];
  }
  return nnz;
}

//---------------------------------- numbers ----------------------------------

int mju_cholFactorNumeric(mjtNum* L, int n, mjtNum mindiag, const int* L_rownnz, const int* L_rowadr,
                          const int* L_colind, const int* LT_rownnz, const int* LT_rowadr, const int* LT_colind,
                          const int* LT_map, const mjtNum* H, const int* H_rownnz, const int* H_rowadr,
                          const int* H_colind, mjData* d) {
  // the transpose tells nothing new
  (void)LT_rownnz;
  (void)LT_rowadr;
  (void)LT_colind;
  (void)LT_map;

  // rows of H end at the diagonal
  mj_markStack(d);
  int* const lower = mj_stackAllocInt(d, (size_t)n);
  for (int r = 0; r < n; r++) {
    lower[r] = H_rownnz[r];
    while (lower[r] > 0 && H_colind[H_rowadr[r] + lower[r] - 1] > r) lower[r]--;
  }
  const MthPattern p = {n, n, L_rownnz, L_rowadr, L_colind, NULL}, Hp = {n, n, lower, H_rowadr, H_colind, NULL};
  const int rank = mth_cholNumericSparse(L, &p, H, &Hp, mindiag);
  mj_freeStack(d);
  return rank;
}

int mju_cholUpdateSparse(mjtNum* mat, const mjtNum* x, int n, int flg_plus, const int* rownnz, const int* rowadr,
                         const int* colind, int x_nnz, const int* x_ind, mjData* d) {
  if (x_nnz == 0) return n;
  mj_markStack(d);
  mjtNum* const dense = mj_stackAllocNum(d, (size_t)n);
  mth_zero(dense, n);
  mth_scatter(dense, x, x_ind, x_nnz);
  const MthPattern p = {n, n, rownnz, rowadr, colind, NULL};
  const int rank = mth_cholUpdateSparse(mat, &p, dense, x_ind[x_nnz - 1], flg_plus);
  mj_freeStack(d);
  return rank;
}
