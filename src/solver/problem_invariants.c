// What holds of a problem for the primal solvers once it is set up.
#include <limits.h>

#include "base/assert.h"
#include "solver/problem.h"

void sol_assertProblem(const SolProblem* p) {
  BAS_ASSERT(p->n >= 0 && p->np >= p->n && p->np <= p->n + SOL_PADDING && p->np % 8 == 0);
  BAS_ASSERT(p->island < p->d->nisland);
  BAS_ASSERT(p->rows.ne >= 0 && p->rows.nf >= 0 && p->rows.ne + p->rows.nf <= p->rows.nefc);
  BAS_ASSERT(p->rows.contact == p->d->contact);
  BAS_ASSERT(p->k != NULL);
  for (int i = 0; i < p->n; i++) {
    const int nnz = p->M_rownnz[i], *col = p->M_colind + p->M_rowadr[i];
    BAS_ASSERT(nnz > 0 && col[nnz - 1] == i && col[0] >= 0);
  }
}

// groups of a block, increasing; none: rows with a single entry each
static void assertGroups(const SolProblem* p, const SolBlock* block) {
  const SolJacobian* jac = &p->J;
  for (int i = 0; i < block->ngroup; i++) {
    const SolGroup group = jac->group[block->group + i];
    BAS_ASSERT(group.g >= 0 && group.g < p->np / 8);
    BAS_ASSERT(group.bits >= 0 && group.bits < 256);
    BAS_ASSERT(i == 0 || group.g > jac->group[block->group + i - 1].g);
    BAS_ASSERT(group.bits || block->ngroup == 1);
  }
  for (int r = block->row; !block->ngroup && r < block->row + block->nrow; r++) {
    BAS_ASSERT(jac->column[r] >= 0 && jac->column[r] < p->n);
  }
}

// rows, triples and targets increasing; every triple is an item of the target at its column
static void assertTriples(const SolProblem* p) {
  const SolTriples* t = &p->J.triples;
  if (!t->nrow) return;
  BAS_ASSERT(p->np >= p->n + 3 && bas_isAligned(t->J, 32));
  BAS_ASSERT(bas_isIncreasing(t->row, t->nrow, 0, p->rows.nefc));
  BAS_ASSERT(bas_isIncreasing(t->target, t->ntarget, 0, p->n));
  BAS_ASSERT(bas_isIncreasing(t->first, t->nrow + 1, 0, INT_MAX));
  BAS_ASSERT(t->itemadr[t->ntarget] == t->first[t->nrow]);
  for (int k = 0; k < t->ntarget; k++) {
    for (int i = t->itemadr[k]; i < t->itemadr[k + 1]; i++) BAS_ASSERT(t->column[t->item[i]] == t->target[k]);
  }
}

void sol_assertJacobian(const SolProblem* p) {
  const SolJacobian* jac = &p->J;
  BAS_ASSERT(bas_isAligned(jac->J, 64));
  BAS_ASSERT(bas_isAligned(jac->block, _Alignof(SolBlock)));
  assertTriples(p);
  int row = 0, next = 0;
  size_t end = 0;
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    for (; next < jac->triples.nrow && jac->triples.row[next] == row; next++) row++;
    BAS_ASSERT(block->row == row && block->nrow > 0);
    BAS_ASSERT(block->ngroup == 0 || block->nrow <= SOL_MAXROWS);
    BAS_ASSERT(block->J >= end && block->J % 8 == 0);
    assertGroups(p, block);
    row += block->nrow;
    end = block->J;
    end += block->ngroup ? 8 * (size_t)block->ngroup * (size_t)block->nrow : ((size_t)block->nrow + 7) & ~(size_t)7;
  }
  BAS_ASSERT(row + jac->triples.nrow - next == p->rows.nefc);
}

void sol_assertFactor(const SolFactor* F) {
  BAS_ASSERT(F->ng == (F->n + 7) / 8);
  BAS_ASSERT(bas_isAligned(F->val, 64) && F->nval % 8 == 0);
  if (F->full) {
    BAS_ASSERT(F->n <= SOL_FULL && F->nval == 8 * F->n * F->ng && !F->table);
    return;
  }
  BAS_ASSERT(F->words == (F->n + 63) / 64);
  BAS_ASSERT(F->table == NULL || F->words > 1);
  for (int i = 0; i < F->n; i++) {
    const int n = F->first[i + 1] - F->first[i], *list = F->list + F->first[i];
    BAS_ASSERT(F->parent[i] >= -1 && F->parent[i] < i);
    BAS_ASSERT(F->mask[(size_t)i * F->words + (i >> 6)] >> (i & 63) == 1);
    BAS_ASSERT(n > 0 && list[n - 1] == i >> 3);
    BAS_ASSERT(bas_isIncreasing(list, n, 0, F->ng));
    BAS_ASSERT(8 * F->first[i + 1] <= F->nval || !F->table);
  }
}
