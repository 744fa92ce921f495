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

// row r of a matrix; what is only read loses its const, since a row is a target as well
static MthRow rowOf(const mjtNum* mat, const int* rownnz, const int* rowadr, const int* colind, int r) {
  return (MthRow){rownnz[r], (int*)colind + rowadr[r], (mjtNum*)mat + rowadr[r]};
}

void mju_addToMatSparse(mjtNum* dst, int* rownnz, int* rowadr, int* colind, int nr, const mjtNum* M,
                        const int* M_rownnz, const int* M_rowadr, const int* M_colind, mjtNum* buf_val, int* buf_ind) {
  (void)buf_val, (void)buf_ind;
  for (int r = 0; r < nr; r++) {
    MthRow sum = rowOf(dst, rownnz, rowadr, colind, r);
    const MthRow more = rowOf(M, M_rownnz, M_rowadr, M_colind, r);
    mth_combineSparse(&sum, &more, 1, 1);
    rownnz[r] = sum.nnz;
  }
}

// adds the entries left of column `end` to every stride-th number from res on
static void addStrided(mjtNum* res, int stride, const MthRow* row, int end) {
  for (int k = 0; k < row->nnz && row->ind[k] < end; k++) res[(size_t)row->ind[k] * stride] += row->val[k];
}

void mju_addToSymSparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr, const int* colind,
                        int flg_upper) {
  for (int r = 0; r < n; r++) {
    const MthRow row = rowOf(mat, rownnz, rowadr, colind, r);
    addStrided(res + (size_t)r * n, 1, &row, n);
    if (flg_upper) addStrided(res + r, n, &row, r);
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

// The lower triangle of mat'*mat, diagonal last, in packed rows on the stack; columns of mat that are empty have no
// diagonal when strict. The caller marks and frees the stack.
static MthPatternOut lowerOfSquare(const MthPattern* J, const MthPattern* JT, int strict, mjData* d) {
  const size_t nc = (size_t)J->nc;
  int* const room = mj_stackAllocInt(d, 3 * nc);
  MthPatternOut lower = {room, room + nc, NULL};
  const int nnz = mth_sqrMatTDSymbolic(&lower, J, JT, room + 2 * nc);
  lower.colind = mj_stackAllocInt(d, (size_t)nnz);
  mth_sqrMatTDSymbolic(&lower, J, JT, room + 2 * nc);
  for (int r = 0; strict && r < J->nc; r++) {
    if (!JT->rownnz[r]) lower.rownnz[r] = 0;
  }
  return lower;
}

// mat'*diag*mat: the factors, and the result, whose rows have their places
typedef struct {
  MthPattern J, JT;
  const mjtNum *mat, *matT, *diag;
  mjtNum* res;
  int* rownnz;
  const int* rowadr;
  int* colind;
} Square;

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
  mj_markStack(d);

  // structure, each row to its place
  const MthPatternOut lower = lowerOfSquare(&s->J, &s->JT, strict, d);
  for (int r = 0; r < nc; r++) {
    s->rownnz[r] = lower.rownnz[r];
    mth_copyInt(s->colind + s->rowadr[r], lower.colind + lower.rowadr[r], lower.rownnz[r]);
  }

  // values
  mjtNum* const scratch = mj_stackAllocNum(d, (size_t)nc);
  mth_zero(scratch, nc);
  const MthPattern H = {nc, nc, s->rownnz, s->rowadr, s->colind, NULL};
  mth_sqrMatTDNumeric(s->res, s->mat, s->matT, s->diag, &(MthSqrPattern){&H, &s->J, &s->JT}, scratch);
  mj_freeStack(d);
  if (diagind) mirrorLower(s, diagind);
}

// the arguments of both functions below
#define SQUARE_OF_ARGUMENTS                                                                                           \
  &(Square) {                                                                                                         \
    {nr, nc, rownnz, rowadr, colind, rowsuper}, {nc, nr, rownnzT, rowadrT, colindT, rowsuperT}, mat, matT, diag, res, \
        res_rownnz, res_rowadr, res_colind                                                                            \
  }

void mju_sqrMatTDSparse(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr, int nc,
                        int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz, const int* rowadr,
                        const int* colind, const int* rowsuper, const int* rownnzT, const int* rowadrT,
                        const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  square(SQUARE_OF_ARGUMENTS, 0, d, diagind);
}

void mju_sqrMatTDSparse_row(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr, int nc,
                            int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz,
                            const int* rowadr, const int* colind, const int* rowsuper, const int* rownnzT,
                            const int* rowadrT, const int* colindT, const int* rowsuperT, mjData* d, int* diagind) {
  square(SQUARE_OF_ARGUMENTS, 1, d, diagind);
}

int mju_sqrMatTDSparseCount(int* res_rownnz, int* res_rowadr, int nr, const int* rownnz, const int* rowadr,
                            const int* colind, const int* rownnzT, const int* rowadrT, const int* colindT,
                            const int* rowsuperT, mjData* d, int flg_upper) {
  // the rows of the factor are reached through its transpose: how many they are is not needed
  const MthPattern J = {0, nr, rownnz, rowadr, colind, NULL}, JT = {nr, 0, rownnzT, rowadrT, colindT, rowsuperT};
  mj_markStack(d);
  const MthPatternOut lower = lowerOfSquare(&J, &JT, 1, d);
  mth_copyInt(res_rownnz, lower.rownnz, nr);

  // an entry left of the diagonal of row r is one of column r in another row
  for (int r = 0; flg_upper && r < nr; r++) {
    for (int k = 0; k < lower.rownnz[r] - 1; k++) res_rownnz[lower.colind[lower.rowadr[r] + k]]++;
  }
  mj_freeStack(d);

  int nnz = 0;
  for (int r = 0; r < nr; nnz += res_rownnz[r++]) res_rowadr[r] = nnz;
  return nnz;
}

void mju_sqrMatTDUncompressedInit(int* res_rowadr, int nc) {
  for (int r = 0; r < nc; r++) res_rowadr[r] = r * nc;
}

//---------------------------------- blocks ----------------------------------

void mju_blockDiag(mjtNum* res, const mjtNum* mat, int nc_mat, int nc_res, int nb, const int* perm_r, const int* perm_c,
                   const int* block_nr, const int* block_nc, const int* block_r, const int* block_c) {
  for (int b = 0; b < nb; b++) {
    const int first = block_r[b], width = block_nc[b], *column = perm_c + block_c[b];
    mjtNum* const block = res + (size_t)nc_res * first;
    for (int r = 0; r < block_nr[b]; r++) {
      mth_gather(block + (size_t)r * width, mat + (size_t)nc_mat * perm_r[first + r], column, width);
    }
  }
}

void mju_blockDiagSparse(mjtNum* res, int* res_rownnz, int* res_rowadr, int* res_colind, const mjtNum* mat,
                         const int* rownnz, const int* rowadr, const int* colind, int nr, int nb, const int* perm_r,
                         const int* perm_c, const int* block_r, const int* block_c, mjtNum* res2, const mjtNum* mat2) {
  // rows in their new order, columns still where perm_c puts them
  int end = 0;
  for (int r = 0; r < nr; r++) {
    const MthRow from = rowOf(mat, rownnz, rowadr, colind, perm_r[r]);
    res_rownnz[r] = from.nnz;
    res_rowadr[r] = end;
    mth_copy(res + end, from.val, from.nnz);
    if (res2 && mat2) mth_copy(res2 + end, mat2 + rowadr[perm_r[r]], from.nnz);
    for (int k = 0; k < from.nnz; k++) res_colind[end++] = perm_c[from.ind[k]];
  }

  // columns of each block count from its first: the blocks backwards, each up to where the one behind it starts
  for (int b = nb - 1; b >= 0; b--) {
    const int start = block_r[b] < nr ? res_rowadr[block_r[b]] : end;
    while (end > start) res_colind[--end] -= block_c[b];
  }
}
