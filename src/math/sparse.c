// Sparse matrices by rows: products, rows, whole matrices and J' D J. See sparse.h.
//
// Rows of one contact or one equality have the same columns. Where rowsuper says so, the dense operand is gathered once
// for all of them; the bits do not depend on it.
#include "math/sparse.h"

#include <mujoco/mujoco.h>

#include "math/vec.h"

//---------------------------------- conversion ----------------------------------

int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, int nnz) {
  if (nnz <= 0) return 1;
  int count = 0;
  for (int r = 0; r < nr; r++) {
    const int start = count;
    rowadr[r] = start;
    for (int c = 0; c < nc; c++) {
      const mjtNum value = mat[(size_t)r * nc + c];
      if (value == 0) continue;

      // no room left
      if (count >= nnz) {
        rownnz[r] = count - start;
        return 1;
      }
      colind[count] = c;
      res[count++] = value;
    }
    rownnz[r] = count - start;
  }
  return 0;
}

void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const int* rowadr,
                      const int* colind) {
  mth_zero(res, nr * nc);
  for (int r = 0; r < nr; r++) {
    // four numbers at a time: stores to the result do not touch the rest
    mjtNum* const row = res + (size_t)r * nc;
    const mjtNum* val = mat + rowadr[r];
    const int* ind = colind + rowadr[r];
    int left = rownnz[r];
    for (; left >= 4; val += 4, ind += 4) {
      const mjtNum first = val[0], second = val[1], third = val[2], fourth = val[3];
      row[ind[0]] = first;
      row[ind[1]] = second;
      row[ind[2]] = third;
      row[ind[3]] = fourth;
      left -= 4;
      __asm__("" : "+r"(left));  // counted as written: compilers would count something else and compute it back
    }
    for (; left > 0; left--) row[*ind++] = *val++;
  }
}

//---------------------------------- products ----------------------------------

mjtNum mth_dotSparse2(const mjtNum* val1, const int* ind1, int nnz1, const mjtNum* val2, const int* ind2, int nnz2) {
  mjtNum res = 0;
  for (int i = 0, j = 0; i < nnz1 && j < nnz2;) {
    const int step = ind1[i] - ind2[j];
    if (step == 0) res += val1[i] * val2[j];
    i += step <= 0;
    j += step >= 0;
  }
  return res;
}

// longest row that is gathered on the stack for several rows at once
enum { GATHERED = 128 };

void mth_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p) {
  mjtNum gathered[GATHERED];
  for (int r = 0; r < p->nr;) {
    const int nnz = p->rownnz[r], more = p->rowsuper ? p->rowsuper[r] : 0;
    const int* ind = p->colind + p->rowadr[r];

    // one row alone, or too long a group
    if (more == 0 || nnz > GATHERED) {
      res[r] = mth_dotSparse(mat + p->rowadr[r], vec, nnz, ind);
      r++;
      continue;
    }

    // rows with the same columns: gather once
    mth_gather(gathered, vec, ind, nnz);
    for (const int end = r + more; r <= end; r++) res[r] = mth_dot(mat + p->rowadr[r], gathered, nnz);
  }
}

void mth_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p) {
  mth_zero(res, p->nc);
  for (int r = 0; r < p->nr; r++) {
    if (vec[r] != 0) mth_addToSclScatter(res, mat + p->rowadr[r], vec[r], p->rownnz[r], p->colind + p->rowadr[r]);
  }
}

void mth_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p) {
  for (int r = 0; r < p->nr; r++) {
    // row r of the lower triangle, diagonal last, and its mirror image
    const int adr = p->rowadr[r], left = p->rownnz[r] - 1;
    res[r] = mth_dotSparse(mat + adr, vec, left + 1, p->colind + adr);
    mth_addToSclScatter(res, mat + adr, vec[r], left, p->colind + adr);
  }
}

//---------------------------------- rows ----------------------------------

int mth_combineSparseCount(int n1, int n2, const int* ind1, const int* ind2) {
  int common = 0;
  for (int i = 0, j = 0; i < n1 && j < n2;) {
    const int step = ind1[i] - ind2[j];
    common += step == 0;
    i += step <= 0;
    j += step >= 0;
  }
  return n1 + n2 - common;
}

void mth_combineSparse(MthRow* dst, const MthRow* src, mjtNum a, mjtNum b) {
  // same columns: no merge
  if (dst->nnz == src->nnz && !memcmp(dst->ind, src->ind, sizeof(int) * (size_t)dst->nnz)) {
    mth_sclAddScl(dst->val, dst->val, a, src->val, b, dst->nnz);
    return;
  }

  // merge from the end, where dst has room, so that nothing is overwritten before it is read
  const int nnz = mth_combineSparseCount(dst->nnz, src->nnz, dst->ind, src->ind);
  int i = dst->nnz - 1, j = src->nnz - 1;
  for (int k = nnz - 1; k >= 0; k--) {
    const int col1 = i >= 0 ? dst->ind[i] : -1, col2 = j >= 0 ? src->ind[j] : -1;
    if (col1 == col2) {
      dst->val[k] = a * dst->val[i--] + b * src->val[j--];
    } else if (col1 > col2) {
      dst->val[k] = a * dst->val[i--];
    } else {
      dst->val[k] = b * src->val[j--];
    }
    dst->ind[k] = mth_maxInt(col1, col2);
  }
  dst->nnz = nnz;
}

void mth_addToSclSparseInc(const MthRow* dst, const MthRow* src, mjtNum scl) {
  // contained and of the same size: the same columns
  if (dst->nnz == src->nnz) {
    mth_addToScl(dst->val, src->val, scl, src->nnz);
    return;
  }
  for (int i = 0, j = 0; j < src->nnz; j++, i++) {
    while (dst->ind[i] < src->ind[j]) i++;
    dst->val[i] += scl * src->val[j];
  }
}

//---------------------------------- whole matrices ----------------------------------

// row addresses of packed rows; returns the number of entries
static int packRows(int* rowadr, const int* rownnz, int nr) {
  int adr = 0;
  for (int r = 0; r < nr; r++) {
    rowadr[r] = adr;
    adr += rownnz[r];
  }
  return adr;
}

void mth_transposeSparse(mjtNum* res, const MthPatternOut* out, const mjtNum* mat, const MthPattern* p) {
  // columns and values begin with the first row, which may be one in the middle of a larger matrix
  const int base = p->nr ? p->rowadr[0] : 0;

  // entries per column
  mth_zeroInt(out->rownnz, p->nc);
  for (int r = 0; r < p->nr; r++) {
    const int* ind = p->colind + p->rowadr[r] - base;
    for (int k = 0; k < p->rownnz[r]; k++) out->rownnz[ind[k]]++;
  }
  packRows(out->rowadr, out->rownnz, p->nc);

  // rows in order, so that the columns of the result ascend; the addresses serve as cursors
  for (int r = 0; r < p->nr; r++) {
    const int first = p->rowadr[r] - base;
    for (int k = first; k < first + p->rownnz[r]; k++) {
      const int to = out->rowadr[p->colind[k]]++;
      out->colind[to] = r;
      if (res) res[to] = mat[k];
    }
  }
  for (int c = 0; c < p->nc; c++) out->rowadr[c] -= out->rownnz[c];
}

int mth_compressSparse(mjtNum* mat, int nr, const MthPatternOut* p, mjtNum minval) {
  int to = 0;
  for (int r = 0; r < nr; r++) {
    const int from = p->rowadr[r], end = from + p->rownnz[r];
    p->rowadr[r] = to;
    for (int k = from; k < end; k++) {
      if (minval >= 0 && fabs(mat[k]) <= minval) continue;
      p->colind[to] = p->colind[k];
      mat[to++] = mat[k];
    }
    p->rownnz[r] = to - p->rowadr[r];
  }
  return to;
}

void mth_superSparse(int* rowsuper, const MthPattern* p) {
  // from the end, so that a row continues the count of the next
  for (int r = p->nr - 1; r >= 0; r--) {
    const int nnz = p->rownnz[r];
    const int same = r + 1 < p->nr && nnz == p->rownnz[r + 1] &&
                     !memcmp(p->colind + p->rowadr[r], p->colind + p->rowadr[r + 1], sizeof(int) * (size_t)nnz);
    rowsuper[r] = same ? rowsuper[r + 1] + 1 : 0;
  }
}

//---------------------------------- J' D J ----------------------------------

// Calls for each entry (i, c) of the lower triangle, column c by column: entries of row i are met with ascending
// columns. cursor NULL counts into rownnz; otherwise writes columns at the cursors.
static void visitSquare(const MthPattern* J, const MthPattern* JT, int* marker, int* rownnz, int* cursor, int* colind) {
  for (int i = 0; i < J->nc; i++) marker[i] = -1;
  for (int c = 0; c < J->nc; c++) {
    for (int k = 0; k < JT->rownnz[c]; k++) {
      const int r = JT->colind[JT->rowadr[c] + k];

      // columns from c on of a row that has c
      const int adr = J->rowadr[r];
      for (int q = adr + J->rownnz[r] - 1; q >= adr && J->colind[q] > c; q--) {
        const int i = J->colind[q];
        if (marker[i] == c) continue;
        marker[i] = c;
        if (cursor) {
          colind[cursor[i]++] = c;
        } else {
          rownnz[i]++;
        }
      }

      // the next rows may have the same columns
      if (J->rowsuper) k += J->rowsuper[r];
    }

    // diagonal: the last of its row
    if (cursor) {
      colind[cursor[c]++] = c;
    } else {
      rownnz[c]++;
    }
  }
}

int mth_sqrMatTDSymbolic(const MthPatternOut* out, const MthPattern* J, const MthPattern* JT, int* scratch) {
  mth_zeroInt(out->rownnz, J->nc);
  visitSquare(J, JT, scratch, out->rownnz, NULL, NULL);
  const int nnz = packRows(out->rowadr, out->rownnz, J->nc);
  if (!out->colind) return nnz;

  // the addresses serve as cursors
  visitSquare(J, JT, scratch, NULL, out->rowadr, out->colind);
  packRows(out->rowadr, out->rownnz, J->nc);
  return nnz;
}

// scratch[cols <= limit] += sum over n rows with the same columns of coef[i] * row i, in sequence
static void addGroup(mjtNum* scratch, const mjtNum* const* row, const mjtNum* coef, int n, const int* ind, int limit) {
  for (int q = 0; ind[q] <= limit; q++) {
    mjtNum sum = scratch[ind[q]];
    for (int i = 0; i < n; i++) sum += coef[i] * row[i][q];
    scratch[ind[q]] = sum;
    if (ind[q] == limit) break;
  }
}

void mth_sqrMatTDNumeric(mjtNum* res, const mjtNum* J, const mjtNum* JT, const mjtNum* diag, const MthSqrPattern* p,
                         mjtNum* scratch) {
  enum { GROUP = 8 };
  const MthPattern *Jp = p->J, *Tp = p->JT, *Hp = p->H;
  for (int i = 0; i < Hp->nr; i++) {
    // row i: over the rows of J that have column i, groups with the same columns together
    for (int k = 0; k < Tp->rownnz[i];) {
      const int first = Tp->rowadr[i] + k, r = Tp->colind[first];
      const int count = mth_minInt(GROUP, Jp->rowsuper ? 1 + Jp->rowsuper[r] : 1);
      const mjtNum* row[GROUP];
      mjtNum coef[GROUP];
      int n = 0;
      for (int g = 0; g < count; g++) {
        const mjtNum d = diag ? diag[r + g] : 1;
        if (d == 0) continue;
        row[n] = J + Jp->rowadr[r + g];
        coef[n++] = JT[first + g] * d;
      }
      if (n) addGroup(scratch, row, coef, n, Jp->colind + Jp->rowadr[r], i);
      k += count;
    }

    // gather the row and clear
    const int adr = Hp->rowadr[i];
    for (int q = adr; q < adr + Hp->rownnz[i]; q++) {
      res[q] = scratch[Hp->colind[q]];
      scratch[Hp->colind[q]] = 0;
    }
  }
}
