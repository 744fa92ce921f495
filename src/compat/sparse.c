// Sparse matrices by rows, on the kernels of math/sparse.h. See compat.h.
#include "math/sparse.h"

#include "compat/compat.h"

//---------------------------------- products ----------------------------------

mjtNum mju_dotSparse2(const mjtNum* vec1, const int* ind1, int nnz1, const mjtNum* vec2, const int* ind2, int nnz2) {
  return mth_dotSparse2(vec1, ind1, nnz1, vec2, ind2, nnz2);
}

void mju_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, const int* rownnz,
                         const int* rowadr, const int* colind, const int* rowsuper) {
  mth_mulMatVecSparse(res, mat, vec, &(MthPattern){nr, 0, rownnz, rowadr, colind, rowsuper});
}

void mju_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc, const int* rownnz,
                          const int* rowadr, const int* colind) {
  mth_mulMatTVecSparse(res, mat, vec, &(MthPattern){nr, nc, rownnz, rowadr, colind, NULL});
}

void mju_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n, const int* rownnz, const int* rowadr,
                         const int* colind) {
  mth_mulSymVecSparse(res, mat, vec, &(MthPattern){n, n, rownnz, rowadr, colind, NULL});
}

//---------------------------------- sums ----------------------------------

void mju_addToMatSparse(mjtNum* dst, int* rownnz, int* rowadr, int* colind, int nr, const mjtNum* M,
                        const int* M_rownnz, const int* M_rowadr, const int* M_colind, mjtNum* buf_val, int* buf_ind) {
  (void)buf_val;
  (void)buf_ind;
  for (int r = 0; r < nr; r++) {
    MthRow to = {rownnz[r], colind + rowadr[r], dst + rowadr[r]};
    const MthRow from = {M_rownnz[r], (int*)M_colind + M_rowadr[r], (mjtNum*)M + M_rowadr[r]};
    mth_combineSparse(&to, &from, 1, 1);
    rownnz[r] = to.nnz;
  }
}

void mju_addToSymSparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr, const int* colind,
                        int flg_upper) {
  for (int r = 0; r < n; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      const int c = colind[k];
      res[(size_t)r * n + c] += mat[k];
      if (flg_upper && c < r) res[(size_t)c * n + r] += mat[k];
    }
  }
}

int mju_combineSparseCount(int a_nnz, int b_nnz, const int* a_ind, const int* b_ind) {
  return mth_combineSparseCount(a_nnz, b_nnz, a_ind, b_ind);
}

//---------------------------------- whole matrices ----------------------------------

int mju_compressSparse(mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, mjtNum minval) {
  (void)nc;
  return mth_compressSparse(mat, nr, &(MthPatternOut){rownnz, rowadr, colind}, minval);
}

void mju_transposeSparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz, int* res_rowadr,
                         int* res_colind, int* res_rowsuper, const int* rownnz, const int* rowadr, const int* colind) {
  const MthPatternOut out = {res_rownnz, res_rowadr, res_colind};
  mth_transposeSparse(res, &out, mat, &(MthPattern){nr, nc, rownnz, rowadr, colind, NULL});
  if (res_rowsuper) mju_superSparse(nc, res_rowsuper, res_rownnz, res_rowadr, res_colind);
}

void mju_superSparse(int nr, int* rowsuper, const int* rownnz, const int* rowadr, const int* colind) {
  mth_superSparse(rowsuper, &(MthPattern){nr, 0, rownnz, rowadr, colind, NULL});
}

//---------------------------------- squares ----------------------------------

// mat'*diag*mat: the factors, and the result, where the addresses of the rows are given.
typedef struct {
  MthPattern J, JT;
  const mjtNum *mat, *matT, *diag;
  mjtNum* res;
  int* rownnz;
  const int* rowadr;
  int* colind;
} Square;

// structure of the lower triangle, diagonal last; empty columns have none when `strict`
static void lowerStructure(const Square* s, int strict, mjData* d) {
  const int nc = s->J.nc;
  mj_markStack(d);

  // packed rows first, then to their places
  MthPatternOut packed = {s->rownnz, mj_stackAllocInt(d, (size_t)nc), NULL};
  int* const scratch = mj_stackAllocInt(d, (size_t)nc);
  const int nnz = mth_sqrMatTDSymbolic(&packed, &s->J, &s->JT, scratch);
  packed.colind = mj_stackAllocInt(d, (size_t)nnz);
  mth_sqrMatTDSymbolic(&packed, &s->J, &s->JT, scratch);
  for (int r = 0; r < nc; r++) {
    if (strict && s->JT.rownnz[r] == 0) s->rownnz[r] = 0;
    mth_copyInt(s->colind + s->rowadr[r], packed.colind + packed.rowadr[r], s->rownnz[r]);
  }
  mj_freeStack(d);
}

// appends the mirror image of the lower triangle; diagind gets the places of the diagonal
static void mirrorLower(const Square* s, int* diagind) {
  const int nc = s->J.nc;
  for (int r = 0; r < nc; r++) diagind[r] = s->rowadr[r] + s->rownnz[r] - 1;
  for (int r = 0; r < nc; r++) {
    for (int k = s->rowadr[r]; k < diagind[r]; k++) {
      const int c = s->colind[k], to = s->rowadr[c] + s->rownnz[c]++;
      s->res[to] = s->res[k];
      s->colind[to] = r;
    }
  }
}

static void square(const Square* s, int strict, mjData* d, int* diagind) {
  const int nc = s->J.nc;
  lowerStructure(s, strict, d);
  mj_markStack(d);
  mjtNum* const scratch = mj_stackAllocNum(d, (size_t)nc);
  mth_zero(scratch, nc);
  const MthPattern H = {nc, nc, s->rownnz, s->rowadr, s->colind, NULL};
  mth_sqrMatTDNumeric(s->res, s->mat, s->matT, s->diag, &(MthSqrPattern){&H, &s->J, &s->JT}, scratch);
  mj_freeStack(d);
  if (diagind) mirrorLower(s, diagind);
}

void mju_sqrMatTDSparse(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr, int nc,
                        int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                        const int* colind, const int* rowsuper, const int* rownnzT, const int* rowadrT,
                        const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  const Square s = {
      .J = {nr, nc, rownnz,  rowadr,  colind,  rowsuper },
      .JT = {nc, nr, rownnzT, rowadrT, colindT, rowsuperT},
      .mat = mat,
      .matT = matT,
      .diag = diag,
      .res = res,
      .rownnz = res_rownnz,
      .rowadr = res_rowadr,
      .colind = res_colind
  };
  square(&s, 0, d, diagind);
}

void mju_sqrMatTDSparse_row(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr, int nc,
                            int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz,
                            const int* rowadr, const int* colind, const int* rowsuper, const int* rownnzT,
                            const int* rowadrT, const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  const Square s = {
      .J = {nr, nc, rownnz,  rowadr,  colind,  rowsuper },
      .JT = {nc, nr, rownnzT, rowadrT, colindT, rowsuperT},
      .mat = mat,
      .matT = matT,
      .diag = diag,
      .res = res,
      .rownnz = res_rownnz,
      .rowadr = res_rowadr,
      .colind = res_colind
  };
  square(&s, 1, d, diagind);
}

int mju_sqrMatTDSparseCount(int* res_rownnz, int* res_rowadr, int nr, const int* rownnz, const int* rowadr,
                            const int* colind, const int* rownnzT, const int* rowadrT, const int* colindT,
                            const int* rowsuperT, mjData* d, int flg_upper) {
  (void)rowsuperT;
  mj_markStack(d);
  int* const last = mj_stackAllocInt(d, (size_t)nr);
  for (int c = 0; c < nr; c++) last[c] = -1;
  mth_zeroInt(res_rownnz, nr);

  // columns up to r of the rows that have r, each once
  for (int r = 0; r < nr; r++) {
    for (int k = rowadrT[r]; k < rowadrT[r] + rownnzT[r]; k++) {
      const int row = colindT[k], end = rowadr[row] + rownnz[row];
      for (int q = rowadr[row]; q < end && colind[q] <= r; q++) {
        const int c = colind[q];
        if (last[c] == r) continue;
        last[c] = r;
        res_rownnz[r]++;
        if (flg_upper && c < r) res_rownnz[c]++;
      }
    }
  }
  mj_freeStack(d);

  int nnz = 0;
  for (int r = 0; r < nr; r++) {
    res_rowadr[r] = nnz;
    nnz += res_rownnz[r];
  }
  return nnz;
}

void mju_sqrMatTDUncompressedInit(int* res_rowadr, int nc) {
  for (int r = 0; r < nc; r++) res_rowadr[r] = r * nc;
}

//---------------------------------- blocks ----------------------------------

void mju_blockDiag(mjtNum* res, const mjtNum* mat, int nc_mat, int nc_res, int nb, const int* perm_r, const int* perm_c,
                   const int* block_nr, const int* block_nc, const int* block_r, const int* block_c) {
  for (int b = 0; b < nb; b++) {
    mjtNum* to = res + (size_t)nc_res * block_r[b];
    for (int r = block_r[b]; r < block_r[b] + block_nr[b]; r++) {
      mth_gather(to, mat + (size_t)nc_mat * perm_r[r], perm_c + block_c[b], block_nc[b]);
      to += block_nc[b];
    }
  }
}

void mju_blockDiagSparse(mjtNum* res, int* res_rownnz, int* res_rowadr, int* res_colind, const mjtNum* mat,
                         const int* rownnz, const int* rowadr, const int* colind, int nr, int nb, const int* perm_r,
                         const int* perm_c, const int* block_r, const int* block_c, mjtNum* res2, const mjtNum* mat2) {
  for (int r = 0, to = 0, b = 0; r < nr; r++) {
    while (b + 1 < nb && r >= block_r[b + 1]) b++;
    const int from = rowadr[perm_r[r]], nnz = rownnz[perm_r[r]];
    res_rowadr[r] = to;
    res_rownnz[r] = nnz;

    // columns keep their order within a block
    for (int k = 0; k < nnz; k++) res_colind[to + k] = perm_c[colind[from + k]] - block_c[b];
    mth_copy(res + to, mat + from, nnz);
    if (mat2 && res2) mth_copy(res2 + to, mat2 + from, nnz);
    to += nnz;
  }
}
