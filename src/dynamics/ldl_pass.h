// Factor, solve and multiply on one tree of the plan: the inner passes of ldl.c, compiled once for the baseline and
// once for machines with wider registers (same source, same bits).
//
// Elimination runs from the last dof to the first. Dof k with row a (ancestors at entries 0 … n−1, diagonal D at
// entry n) takes a_p a_c / D from entry (p, c) of every ancestor's row; no row outside its path changes, so there
// is no fill-in. The dofs of a block are eliminated together: the rows of their common ancestors are then loaded and
// stored once. Factoring works on a copy whose rows are padded, so that no loop has a remainder.
//
// Vectors are read through the path from the root to the current dof, an array by depth, instead of column indices.
#pragma once

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dynamics/pass.h"
#include "math/quad.h"

// ---------------------------------------------------------------- factor

// one tree: its padded rows, and what leads to them
typedef struct {
  const mjModel* m;
  const int* row;  // place of a dof's row in work
  mjtNum* work;
  mjtNum* diag;  // D of every dof
} FactorTask;

// a block's own triangle: what each row takes from the rows above it (ratio), 1/D, D
typedef struct {
  mjtNum ratio[DYN_CHAIN][DYN_CHAIN];
  mjtNum inv[DYN_CHAIN];
  mjtNum diag[DYN_CHAIN];
} Triangle;

static MTH_ALWAYS_INLINE void factorTriangle(Triangle* t, const mjtNum* const row[DYN_CHAIN], int depth, int nrow) {
  mjtNum a[DYN_CHAIN][DYN_CHAIN];
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    DYN_UNROLL for (int i = 0; i <= j; i++) a[j][i] = row[j][depth + i];
  }
  DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) {
    t->diag[j] = a[j][j];
    t->inv[j] = 1 / a[j][j];
    DYN_UNROLL for (int i = j - 1; i >= 0; i--) {
      t->ratio[j][i] = a[j][i] * t->inv[j];
      DYN_UNROLL for (int c = 0; c <= i; c++) a[i][c] -= a[j][c] * t->ratio[j][i];
    }
  }
}

// four columns at a time from the last: eliminates the rows among each other, stores L, then takes their part from the
// common ancestors, for which L of columns c and above is needed
static MTH_ALWAYS_INLINE void eliminate(const FactorTask* task, const DynBlock* block, mjtNum* diaginv, int nrow) {
  const int depth = block->depth, *col = task->m->M_colind + task->m->M_rowadr[block->first];
  mjtNum* row[DYN_CHAIN];
  Triangle t;
  DYN_UNROLL for (int j = 0; j < nrow; j++) row[j] = task->work + task->row[block->first + j];
  factorTriangle(&t, (const mjtNum* const*)row, depth, nrow);

  for (int c = (depth + nrow - 1) & ~3; c >= 0; c -= 4) {
    MthQuad v[DYN_CHAIN];
    DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) {
      v[j] = MTH_QUAD(row[j] + c);
      DYN_UNROLL for (int i = nrow - 1; i > j; i--) v[j] -= v[i] * t.ratio[i][j];
      MTH_QUAD(row[j] + c) = v[j] * t.inv[j];
    }
    for (int p = c; p < depth; p++) {
      mjtNum* ancestor = task->work + task->row[col[p]] + c;
      MthQuad sum = MTH_QUAD(ancestor);
      DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) sum -= v[j] * row[j][p];
      MTH_QUAD(ancestor) = sum;
    }
  }
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    task->diag[block->first + j] = t.diag[j];
    diaginv[block->first + j] = t.inv[j];
  }
}

// the first n ≤ 3 numbers from an address on, then zeros
static MTH_ALWAYS_INLINE void loadFirst(MthQuad* quad, const mjtNum* from, int n) {
  *quad = (MthQuad){from[0], n > 1 ? from[1] : 0, n > 2 ? from[2] : 0, 0};
}

// padded copies of the rows of a tree. Numbers behind the end of a row do no harm there, but behind the end of the tree
// another thread may be writing, or there are none.
static MTH_ALWAYS_INLINE void loadRows(const FactorTask* task, const DynPart* part, const mjtNum* mat) {
  const mjModel* m = task->m;
  const int last = part->first + part->n - 1, end = m->M_rowadr[last] + m->M_rownnz[last];
  for (int i = part->first; i <= last; i++) {
    const int n = m->M_rownnz[i], room = end - m->M_rowadr[i];
    const mjtNum* from = mat + m->M_rowadr[i];
    mjtNum* to = task->work + task->row[i];
    int c = 0;
    for (; c < n && c + 4 <= room; c += 4) MTH_QUAD(to + c) = MTH_CONST_QUAD(from + c);
    if (c < n) loadFirst((MthQuad*)(to + c), from + c, n - c);
  }
}

// rows of L with D to their place. What runs over the end of a row is written again by the next, except at the end of
// the tree.
static MTH_ALWAYS_INLINE void storeRows(const FactorTask* task, const DynPart* part, mjtNum* L) {
  const mjModel* m = task->m;
  const int last = part->first + part->n - 1, end = m->M_rowadr[last] + m->M_rownnz[last];
  for (int i = part->first; i <= last; i++) {
    const int n = m->M_rownnz[i], room = end - m->M_rowadr[i];
    const mjtNum* from = task->work + task->row[i];
    mjtNum* to = L + m->M_rowadr[i];
    int c = 0;
    for (; c < n && c + 4 <= room; c += 4) MTH_QUAD(to + c) = MTH_CONST_QUAD(from + c);
    if (c < n) mth_storeFirst(to + c, (const MthQuad*)(from + c), n - c);
    to[n - 1] = task->diag[i];
  }
}

// a tree that is a chain is its own triangle
static MTH_ALWAYS_INLINE void factorChain(const mjModel* m, const DynBlock* block, const mjtNum* mat, DynFactor res,
                                          int nrow) {
  const int* adr = m->M_rowadr + block->first;
  const mjtNum* row[DYN_CHAIN];
  Triangle t;
  DYN_UNROLL for (int j = 0; j < nrow; j++) row[j] = mat + adr[j];
  factorTriangle(&t, row, 0, nrow);
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    DYN_UNROLL for (int i = 0; i < j; i++) res.L[adr[j] + i] = t.ratio[j][i];
    res.L[adr[j] + j] = t.diag[j];
    res.diaginv[block->first + j] = t.inv[j];
  }
}

// any other tree; the result may be where the matrix is
static inline void factorTree(const FactorTask* task, const DynBlock* block, const DynPart* part, const mjtNum* mat,
                              DynFactor res) {
  loadRows(task, part, mat);
  for (int b = part->nblock - 1; b >= 0; b--) {
    DYN_BY_ROWS(eliminate, block[b].n, task, block + b, res.diaginv);
  }
  storeRows(task, part, res.L);
}

static MTH_ALWAYS_INLINE void factorRun(const mjModel* m, const DynPart* part, const mjtNum* mat, DynFactor res) {
  const int adr = m->M_rowadr[part->first];
  for (int i = 0; i < part->n; i++) {
    const mjtNum diag = res.L[adr + i] = mat[adr + i];
    res.diaginv[part->first + i] = 1 / diag;
  }
}

static inline void dyn_factorPass(const mjModel* m, mjData* d, const DynFactorPass* pass, const SlpRange* range) {
  const SlpRange dofs = *range;
  const DynPlan* plan = dyn_plan(d);
  const FactorTask task = {m, dyn_workRows(plan), pass->work, dyn_diagonal(d)};
  const mjtNum* mat = pass->mat;
  const DynFactor res = pass->res;
  DynWalk walk = dyn_walk(plan, dofs);
  for (const DynPart* part; (part = dyn_nextPart(&walk));) {
    const DynBlock* block = dyn_blocks(plan) + part->block;
    if (part->nblock == 0) {
      factorRun(m, part, mat, res);
    } else if (part->chain) {
      DYN_BY_LENGTH(factorChain, part->n, m, block, mat, res);
    } else {
      factorTree(&task, block, part, mat, res);
    }
  }
}

// ---------------------------------------------------------------- solve

// rows of a block, of L or of M
static MTH_ALWAYS_INLINE void blockRows(const mjModel* m, const mjtNum* mat, const DynBlock* block,
                                        const mjtNum* row[DYN_CHAIN], int nrow) {
  DYN_UNROLL for (int j = 0; j < nrow; j++) row[j] = mat + m->M_rowadr[block->first + j];
}

// adds what the rows of a block, times their values, contribute to their ancestors
static MTH_ALWAYS_INLINE void addToPath(mjtNum* path, const mjtNum* const row[DYN_CHAIN], const mjtNum value[DYN_CHAIN],
                                        int depth, int nrow) {
  int c = 0;
  for (; c + 2 <= depth; c += 2) {
    MthPair sum = mth_load2(path + c);
    DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) sum += mth_load2(row[j] + c) * value[j];
    mth_storePair(path + c, sum);
  }
  if (c < depth) {
    mjtNum sum = path[c];
    DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) sum += row[j][c] * value[j];
    path[c] = sum;
  }
}

// products of the rows of a block with the values of their common ancestors, each as the sum of its even and its odd
// entries. The latest values were stored one by one, so they are also read one by one.
static MTH_ALWAYS_INLINE void timesPath(mjtNum product[DYN_CHAIN], const mjtNum* const row[DYN_CHAIN],
                                        const mjtNum* path, int depth, int nrow) {
  MthPair sum[DYN_CHAIN];
  DYN_UNROLL for (int j = 0; j < nrow; j++) sum[j] = (MthPair){0, 0};
  int c = 0;
  for (; c + 6 <= depth; c += 2) {
    const MthPair value = mth_load2(path + c);
    DYN_UNROLL for (int j = 0; j < nrow; j++) sum[j] += mth_load2(row[j] + c) * value;
  }
  for (; c + 2 <= depth; c += 2) {
    const MthPair value = {path[c], path[c + 1]};
    DYN_UNROLL for (int j = 0; j < nrow; j++) sum[j] += mth_load2(row[j] + c) * value;
  }
  if (c < depth) {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the path is set above the block's depth
    DYN_UNROLL for (int j = 0; j < nrow; j++) sum[j][0] += row[j][c] * path[c];
  }
  DYN_UNROLL for (int j = 0; j < nrow; j++) product[j] = sum[j][0] + sum[j][1];
}

// x ← L'⁻¹ x: what descendants take from their ancestors is added up by depth on the way to the root. A chain that
// is its tree has no path.
static MTH_ALWAYS_INLINE void solveUp(const mjModel* m, const mjtNum* L, const DynBlock* block, mjtNum* x, mjtNum* path,
                                      int nrow) {
  const int depth = block->depth;
  const mjtNum* row[DYN_CHAIN];
  mjtNum value[DYN_CHAIN];
  blockRows(m, L, block, row, nrow);
  x += block->first;
  DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) {
    value[j] = path ? x[j] - path[depth + j] : x[j];
    DYN_UNROLL for (int i = nrow - 1; i > j; i--) value[j] -= row[i][depth + j] * value[i];
    if (path) path[depth + j] = 0;
    x[j] = value[j];
  }
  if (path) addToPath(path, row, value, depth, nrow);
}

// x ← L⁻¹ D⁻¹ x: the solved values of the ancestors are at hand on the way from the root
static MTH_ALWAYS_INLINE void solveDown(const mjModel* m, DynFactor f, const DynBlock* block, mjtNum* x, mjtNum* path,
                                        int nrow) {
  const int depth = block->depth;
  const mjtNum *row[DYN_CHAIN], *diaginv = f.diaginv + block->first;
  mjtNum value[DYN_CHAIN], sum[DYN_CHAIN];
  blockRows(m, f.L, block, row, nrow);
  if (path) timesPath(sum, row, path, depth, nrow);
  x += block->first;
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    value[j] = path ? x[j] * diaginv[j] - sum[j] : x[j] * diaginv[j];
    DYN_UNROLL for (int i = 0; i < j; i++) value[j] -= row[j][depth + i] * value[i];
    x[j] = value[j];
    if (path) path[depth + j] = value[j];
  }
}

static MTH_ALWAYS_INLINE void clearPath(mjtNum* path, int n) {
  for (int c = 0; c < n; c += 4) MTH_QUAD(path + c) = (MthQuad){0, 0, 0, 0};
}

static MTH_ALWAYS_INLINE void solveChain(const mjModel* m, DynFactor f, const DynBlock* block, mjtNum* x, int nrow) {
  solveUp(m, f.L, block, x, NULL, nrow);
  solveDown(m, f, block, x, NULL, nrow);
}

static inline void solveUpTree(const mjModel* m, const mjtNum* L, const DynBlock* block, const DynPart* part,
                               mjtNum* x) {
  mjtNum path[DYN_DEPTH];
  clearPath(path, part->deepest);
  for (int b = part->nblock - 1; b >= 0; b--) DYN_BY_ROWS(solveUp, block[b].n, m, L, block + b, x, path);
}

static inline void solveDownTree(const mjModel* m, DynFactor f, const DynBlock* block, const DynPart* part, mjtNum* x) {
  mjtNum path[DYN_DEPTH];
  for (int b = 0; b < part->nblock; b++) DYN_BY_ROWS(solveDown, block[b].n, m, f, block + b, x, path);
}

// the same for trees that are too deep for a path: through column indices
static inline void solveUpIndexed(const mjModel* m, const mjtNum* L, const DynPart* part, mjtNum* x) {
  for (int i = part->first + part->n - 1; i >= part->first; i--) {
    const int adr = m->M_rowadr[i];
    for (int c = 0; c < m->M_rownnz[i] - 1; c++) x[m->M_colind[adr + c]] -= L[adr + c] * x[i];
  }
}

static inline void solveDownIndexed(const mjModel* m, DynFactor f, const DynPart* part, mjtNum* x) {
  for (int i = part->first; i < part->first + part->n; i++) {
    const int adr = m->M_rowadr[i];
    mjtNum sum = 0;
    for (int c = 0; c < m->M_rownnz[i] - 1; c++) sum += f.L[adr + c] * x[m->M_colind[adr + c]];
    x[i] = x[i] * f.diaginv[i] - sum;
  }
}

static inline void dyn_solvePass(const mjModel* m, const mjData* d, DynFactor f, mjtNum* x, const SlpRange* range) {
  const SlpRange dofs = *range;
  const DynPlan* plan = dyn_plan(d);
  DynWalk walk = dyn_walk(plan, dofs);
  for (const DynPart* part; (part = dyn_nextPart(&walk));) {
    const DynBlock* block = dyn_blocks(plan) + part->block;
    if (part->nblock == 0) {
      for (int i = part->first; i < part->first + part->n; i++) x[i] *= f.diaginv[i];
    } else if (part->chain) {
      DYN_BY_LENGTH(solveChain, part->n, m, f, block, x);
    } else if (part->deepest <= DYN_DEPTH) {
      solveUpTree(m, f.L, block, part, x);
      solveDownTree(m, f, block, part, x);
    } else {
      solveUpIndexed(m, f.L, part, x);
      solveDownIndexed(m, f, part, x);
    }
  }
}

// ---------------------------------------------------------------- multiply

// res = rows · vec over the ancestors and the diagonal
static MTH_ALWAYS_INLINE void mulDown(const mjModel* m, const mjtNum* mat, const DynBlock* block, DynProduct product,
                                      mjtNum* path, int nrow) {
  const int depth = block->depth;
  const mjtNum *row[DYN_CHAIN], *v = product.vec + block->first;
  mjtNum sum[DYN_CHAIN];
  blockRows(m, mat, block, row, nrow);
  timesPath(sum, row, path, depth, nrow);
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    DYN_UNROLL for (int i = 0; i <= j; i++) sum[j] += row[j][depth + i] * v[i];
    path[depth + j] = v[j];
    product.res[block->first + j] = sum[j];
  }
}

// adds the entries of the descendants, which are those of their rows
static MTH_ALWAYS_INLINE void mulUp(const mjModel* m, const mjtNum* mat, const DynBlock* block, DynProduct product,
                                    mjtNum* path, int nrow) {
  const int depth = block->depth;
  const mjtNum *row[DYN_CHAIN], *v = product.vec + block->first;
  blockRows(m, mat, block, row, nrow);
  DYN_UNROLL for (int j = nrow - 1; j >= 0; j--) {
    mjtNum sum = path[depth + j];
    DYN_UNROLL for (int i = nrow - 1; i > j; i--) sum += row[i][depth + j] * v[i];
    path[depth + j] = 0;
    product.res[block->first + j] += sum;
  }
  addToPath(path, row, v, depth, nrow);
}

// a tree that is a chain
static MTH_ALWAYS_INLINE void mulChain(const mjModel* m, const mjtNum* mat, const DynBlock* block, DynProduct product,
                                       int nrow) {
  const mjtNum *row[DYN_CHAIN], *v = product.vec + block->first;
  blockRows(m, mat, block, row, nrow);
  DYN_UNROLL for (int j = 0; j < nrow; j++) {
    mjtNum sum = 0;
    DYN_UNROLL for (int i = 0; i < nrow; i++) sum += (i <= j ? row[j][i] : row[i][j]) * v[i];
    product.res[block->first + j] = sum;
  }
}

static inline void mulTree(const mjModel* m, const mjtNum* mat, const DynBlock* block, const DynPart* part,
                           DynProduct product) {
  mjtNum path[DYN_DEPTH];
  for (int b = 0; b < part->nblock; b++) DYN_BY_ROWS(mulDown, block[b].n, m, mat, block + b, product, path);
  clearPath(path, part->deepest);
  for (int b = part->nblock - 1; b >= 0; b--) DYN_BY_ROWS(mulUp, block[b].n, m, mat, block + b, product, path);
}

static inline void mulIndexed(const mjModel* m, const mjtNum* mat, const DynPart* part, DynProduct product) {
  const mjtNum* vec = product.vec;
  for (int i = part->first; i < part->first + part->n; i++) {
    const int n = m->M_rownnz[i] - 1, adr = m->M_rowadr[i];
    mjtNum sum = 0;
    for (int c = 0; c < n; c++) {
      sum += mat[adr + c] * vec[m->M_colind[adr + c]];
      product.res[m->M_colind[adr + c]] += mat[adr + c] * vec[i];
    }
    product.res[i] = sum + mat[adr + n] * vec[i];
  }
}

static inline void dyn_mulPass(const mjModel* m, const mjData* d, const mjtNum* mat, DynProduct product) {
  const DynPlan* plan = dyn_plan(d);
  DynWalk walk = dyn_walk(plan, (SlpRange){0, (int)m->nv, NULL});
  for (const DynPart* part; (part = dyn_nextPart(&walk));) {
    const DynBlock* block = dyn_blocks(plan) + part->block;
    if (part->nblock == 0) {
      const mjtNum *diagonal = mat + m->M_rowadr[part->first], *vec = product.vec + part->first;
      for (int i = 0; i < part->n; i++) product.res[part->first + i] = diagonal[i] * vec[i];
    } else if (part->chain) {
      DYN_BY_LENGTH(mulChain, part->n, m, mat, block, product);
    } else if (part->deepest <= DYN_DEPTH) {
      mulTree(m, mat, block, part, product);
    } else {
      mulIndexed(m, mat, part, product);
    }
  }
}
