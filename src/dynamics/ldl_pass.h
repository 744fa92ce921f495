// Factor and solve on the path of ancestors: the inner passes of ldl.c, compiled once for the baseline and once for
// machines with wider registers (same source, same bits).
//
// Elimination runs from the last dof to the first. Dof k with row a (ancestors at entries 0 … n−1, diagonal D at
// entry n) takes a_p a_c / D from entry (p, c) of every ancestor's row; no row outside its path changes, so there
// is no fill-in. Up to four dofs, each the parent of the one before, are eliminated together: the rows of their common
// ancestors are then loaded and stored once.
#pragma once

#include <stddef.h>
#include <string.h>

#include "dynamics/ldl.h"
#include "math/lanes.h"

// ---------------------------------------------------------------- row operations

// r -= Σ s_j a_j over nrow rows, one after the other: lanes, then a pair, then one
static inline __attribute__((always_inline)) void subtractRows(mjtNum* r, mjtNum* const* a, const mjtNum* s, int nrow,
                                                               ptrdiff_t n) {
  ptrdiff_t c = 0;
  for (; c <= n - MTH_LANES; c += MTH_LANES) {
    MthLanes v = *(const MthLanes*)(r + c);
    for (int j = 0; j < nrow; j++) v -= *(const MthLanes*)(a[j] + c) * s[j];
    *(MthLanes*)(r + c) = v;
  }
  if (MTH_LANES > 2 && (n & 2)) {
    MthPair v = mth_load2(r + c);
    for (int j = 0; j < nrow; j++) v -= mth_load2(a[j] + c) * s[j];
    mth_storePair(r + c, v);
    c += 2;
  }
  if (n & 1) {
    mjtNum v = r[c];
    for (int j = 0; j < nrow; j++) v -= a[j][c] * s[j];
    r[c] = v;
  }
}

static inline void scaleRow(mjtNum* r, mjtNum s, ptrdiff_t n) {
  ptrdiff_t c = 0;
  for (; c <= n - MTH_LANES; c += MTH_LANES) *(MthLanes*)(r + c) *= s;
  if (MTH_LANES > 2 && (n & 2)) {
    mth_storePair(r + c, mth_load2(r + c) * s);
    c += 2;
  }
  if (n & 1) r[c] *= s;
}

// ---------------------------------------------------------------- factor

// eliminates dofs k, k − 1, … of which each is the parent of the one before
static inline __attribute__((always_inline)) void eliminate(const mjModel* m, mjtNum* mat, mjtNum* diaginv, int k,
                                                            int nrow) {
  const int n = m->M_rownnz[k] - 1, *rowadr = m->M_rowadr, *col = m->M_colind + rowadr[k];
  mjtNum *row[4], inv[4];

  // each other; the ancestor k − i is entry n − i of the rows above it
  for (int j = 0; j < nrow; j++) {
    row[j] = mat + rowadr[k - j];
    inv[j] = 1 / row[j][n - j];
    if (diaginv) diaginv[k - j] = inv[j];
    for (int i = j + 1; i < nrow; i++) {
      const mjtNum factor = row[j][n - i] * inv[j];
      subtractRows(mat + rowadr[k - i], row + j, &factor, 1, n - i + 1);
    }
  }

  // the other ancestors
  for (int p = n - nrow; p >= 0; p--) {
    mjtNum factor[4];
    for (int j = 0; j < nrow; j++) factor[j] = row[j][p] * inv[j];
    subtractRows(mat + rowadr[col[p]], row, factor, nrow, p + 1);
  }
  for (int j = 0; j < nrow; j++) scaleRow(row[j], inv[j], n - j);
}

// how many dofs from k on, at most four, are each the parent of the one before
static inline int chainLength(const mjModel* m, int k) {
  int length = 1;
  while (length < 4 && m->dof_parentid[k - length + 1] == k - length && k - length >= 0) length++;
  return length;
}

static inline void dyn_factorPass(const mjModel* m, mjtNum* mat, mjtNum* diaginv, SlpRange dofs) {
  int j = dofs.n - 1;
  while (j >= 0) {
    // trees sleep as a whole: the parent is the next one of the range
    const int k = slp_at(dofs, j);
    if (m->M_rownnz[k] == 1) {
      if (diaginv) diaginv[k] = 1 / mat[m->M_rowadr[k]];
      j--;
      continue;
    }
    const int length = chainLength(m, k);
    if (length == 4) {
      eliminate(m, mat, diaginv, k, 4);
      j -= 4;
    } else if (length >= 2) {
      eliminate(m, mat, diaginv, k, 2);
      j -= 2;
    } else {
      eliminate(m, mat, diaginv, k, 1);
      j--;
    }
  }
}

// ---------------------------------------------------------------- solve

// x ← L'⁻¹ x: what descendants take from their ancestors is added up by depth on the way to the root
static inline void dyn_solveUpPass(const mjModel* m, const mjtNum* L, mjtNum* x, SlpRange dofs) {
  mjtNum path[DYN_DEPTH];
  memset(path, 0, (m->nv < DYN_DEPTH ? m->nv : DYN_DEPTH) * sizeof(mjtNum));
  for (int j = dofs.n - 1; j >= 0; j--) {
    const int i = slp_at(dofs, j), depth = m->M_rownnz[i] - 1;
    const mjtNum value = x[i] = x[i] - path[depth];
    path[depth] = 0;
    if (!depth || !value) continue;
    const mjtNum* row = L + m->M_rowadr[i];
    int c = 0;
    for (; c + 2 <= depth; c += 2) mth_storePair(path + c, mth_load2(path + c) + mth_load2(row + c) * value);
    if (c < depth) path[c] += row[c] * value;
  }
}

// x ← L⁻¹ D⁻¹ x: the solved values of the ancestors are at hand on the way from the root. They were stored one by one,
// so the last few are also read one by one; the sum has two parts, of even and odd entries.
static inline void dyn_solveDownPass(const mjModel* m, DynFactor f, mjtNum* x, SlpRange dofs) {
  mjtNum path[DYN_DEPTH];
  for (int j = 0; j < dofs.n; j++) {
    const int i = slp_at(dofs, j), depth = m->M_rownnz[i] - 1;
    const mjtNum* row = f.L + m->M_rowadr[i];
    MthPair sum = {0, 0};
    int c = 0;
    for (; c + 6 <= depth; c += 2) sum += mth_load2(row + c) * mth_load2(path + c);
    for (; c + 2 <= depth; c += 2) sum += (MthPair){row[c] * path[c], row[c + 1] * path[c + 1]};
    mjtNum total = sum[0] + sum[1];
    if (c < depth) total += row[c] * path[c];
    path[depth] = x[i] = x[i] * f.diaginv[i] - total;
  }
}
