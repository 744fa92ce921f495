// Setting up a problem for the primal solvers: pointers, Jacobian in groups of eight columns, structure of the Hessian.
#include "solver/problem.h"

#include <string.h>

#include "base/stack.h"
#include "math/simd/kernels.h"

// most rows in a block: the edges of a pyramid of dimension 6; kernels have room for as many
enum { MAXROWS = 10 };

mjtNum* sol_space(mjData* d, size_t n) {
  return mj_stackAllocByte(d, sizeof(mjtNum) * ((n + 7) & ~(size_t)7), 64);
}

mjtNum* sol_vector(mjData* d, int n) {
  const size_t padded = ((size_t)n + 7) & ~(size_t)7;
  mjtNum* res = sol_space(d, padded);
  memset(res, 0, sizeof(mjtNum) * padded);
  return res;
}

//---------------------------------- pointers ----------------------------------

static void pointToAll(SolProblem* p) {
  const mjModel* m = p->m;
  mjData* d = p->d;
  p->n = (int)m->nv;
  p->qfrc_smooth = d->qfrc_smooth;
  p->qacc_smooth = d->qacc_smooth;
  p->qacc = d->qacc;
  p->qfrc_constraint = d->qfrc_constraint;
  p->M_rownnz = m->M_rownnz;
  p->M_rowadr = m->M_rowadr;
  p->M_colind = m->M_colind;
  p->M = d->M;
  p->qLD = d->qLD;
  p->qLDiagInv = d->qLDiagInv;
  p->rows = con_allRows(d);
  p->aref = d->efc_aref;
}

static void pointToIsland(SolProblem* p, int island) {
  mjData* d = p->d;
  const int dof = d->island_idofadr[island], row = d->island_iefcadr[island];
  p->n = d->island_nv[island];
  p->qfrc_smooth = d->ifrc_smooth + dof;
  p->qacc_smooth = d->iacc_smooth + dof;
  p->qacc = d->iacc + dof;
  p->qfrc_constraint = d->ifrc_constraint + dof;
  p->M_rownnz = d->iM_rownnz + dof;
  p->M_rowadr = d->iM_rowadr + dof;
  p->M_colind = d->iM_colind;
  p->M = d->iM;
  p->qLD = d->iLD;
  p->qLDiagInv = d->iLDiagInv + dof;
  p->rows = (ConRowSet){.ne = d->island_ne[island],
                        .nf = d->island_nf[island],
                        .nefc = d->island_nefc[island],
                        .D = d->iefc_D + row,
                        .R = d->iefc_R + row,
                        .frictionloss = d->iefc_frictionloss + row,
                        .type = d->iefc_type + row,
                        .id = d->iefc_id + row,
                        .contact = d->contact,
                        .state = d->iefc_state + row,
                        .force = d->iefc_force + row};
  p->aref = d->iefc_aref + row;
}

void sol_problem(SolProblem* p, const mjModel* m, mjData* d, int island) {
  *p = (SolProblem){.m = m, .d = d, .k = sol_kernels(), .island = island, .sparse = mj_isSparse(m)};
  if (island < 0) {
    pointToAll(p);
  } else {
    pointToIsland(p, island);
  }
  p->np = (p->n + 7) & ~7;
}

//---------------------------------- Jacobian ----------------------------------

// one row of the source: dense with ind NULL, otherwise nnz values at columns ind
typedef struct {
  int nnz;
  const int* ind;
  const mjtNum* val;
} Row;

static Row rowOf(const SolProblem* p, int r) {
  const mjData* d = p->d;
  if (p->island < 0) {
    if (!p->sparse) return (Row){p->n, NULL, d->efc_J + (size_t)r * p->n};
    const int adr = d->efc_J_rowadr[r];
    return (Row){d->efc_J_rownnz[r], d->efc_J_colind + adr, d->efc_J + adr};
  }
  const int first = d->island_iefcadr[p->island];
  if (!p->sparse) return (Row){p->n, NULL, d->iefc_J + (size_t)first * d->nidof + (size_t)r * p->n};
  const int adr = d->iefc_J_rowadr[first + r];
  return (Row){d->iefc_J_rownnz[first + r], d->iefc_J_colind + adr, d->iefc_J + adr};
}

// how many rows from r on form a block: one constraint, the same columns
static int blockRows(const SolProblem* p, int r) {
  const ConRowSet* rows = &p->rows;
  const Row first = rowOf(p, r);
  int n = 1;
  while (n < MAXROWS && r + n < rows->nefc && rows->type[r + n] == rows->type[r] && rows->id[r + n] == rows->id[r]) {
    if (p->sparse) {
      const Row next = rowOf(p, r + n);
      if (next.nnz != first.nnz || memcmp(next.ind, first.ind, sizeof(int) * (size_t)first.nnz)) break;
    }
    n++;
  }
  return n;
}

// groups of a block from sparse rows; returns how many
static int sparseGroups(Row row, SolGroup* group) {
  int n = 0;
  for (int k = 0; k < row.nnz; k++) {
    const int g = row.ind[k] >> 3;
    if (!n || group[n - 1].g != g) group[n++] = (SolGroup){g, 0};
    group[n - 1].bits |= 1 << (row.ind[k] & 7);
  }
  return n;
}

// groups of a block from dense rows: the columns where any row is not zero
static int denseGroups(const SolProblem* p, int first, int nrow, SolGroup* group) {
  int n = 0;
  for (int g = 0; 8 * g < p->n; g++) {
    int bits = 0;
    const int width = p->n - 8 * g < 8 ? p->n - 8 * g : 8;
    for (int r = 0; r < nrow; r++) {
      const mjtNum* val = rowOf(p, first + r).val + 8 * g;
      for (int i = 0; i < width; i++) bits |= (val[i] != 0) << i;
    }
    if (bits) group[n++] = (SolGroup){g, bits};
  }
  return n;
}

// values of one row into its groups
static void fillRow(Row row, const SolBlock* block, const SolGroup* group, mjtNum* J, int n) {
  if (!row.ind) {
    for (int i = 0; i < block->ngroup; i++) {
      const int col = 8 * group[i].g, width = n - col < 8 ? n - col : 8;
      memcpy(J + 8 * i, row.val + col, sizeof(mjtNum) * (size_t)width);
      for (int k = width; k < 8; k++) J[8 * i + k] = 0;
    }
    return;
  }
  memset(J, 0, sizeof(mjtNum) * 8 * (size_t)block->ngroup);
  for (int k = 0, i = 0; k < row.nnz; k++) {
    while (group[i].g < row.ind[k] >> 3) i++;
    J[8 * i + (row.ind[k] & 7)] = row.val[k];
  }
}

// upper bound on the groups of all rows, for allocation
static size_t boundGroups(const SolProblem* p) {
  const size_t all = (size_t)p->np / 8;
  if (!p->sparse) return all * (size_t)p->rows.nefc;
  size_t total = 0;
  for (int r = 0; r < p->rows.nefc; r++) {
    const size_t nnz = (size_t)rowOf(p, r).nnz + 1;
    total += nnz < all ? nnz : all;
  }
  return total;
}

void sol_loadJacobian(SolProblem* p) {
  const int nefc = p->rows.nefc;
  const size_t bound = boundGroups(p);
  SolJacobian* jac = &p->J;
  jac->block = mj_stackAllocByte(p->d, sizeof(SolBlock) * (size_t)nefc, _Alignof(SolBlock));
  jac->group = mj_stackAllocByte(p->d, sizeof(SolGroup) * bound, _Alignof(SolGroup));
  jac->J = sol_space(p->d, 8 * bound);

  // block by block
  jac->nblock = 0;
  int ngroup = 0;
  size_t nJ = 0;
  for (int r = 0; r < nefc;) {
    SolBlock block = {.row = r, .nrow = blockRows(p, r), .group = ngroup, .J = nJ};
    SolGroup* group = jac->group + ngroup;
    block.ngroup = p->sparse ? sparseGroups(rowOf(p, r), group) : denseGroups(p, r, block.nrow, group);
    if (!block.ngroup) group[block.ngroup++] = (SolGroup){0, 0};
    for (int i = 0; i < block.nrow; i++) {
      fillRow(rowOf(p, r + i), &block, group, jac->J + nJ, p->n);
      nJ += 8 * (size_t)block.ngroup;
    }
    ngroup += block.ngroup;
    jac->block[jac->nblock++] = block;
    r += block.nrow;
  }
}

//---------------------------------- structure of the Hessian ----------------------------------

// highest set bit at or below word w; -1: none
static int highestBit(const uint64_t* mask, int w) {
  for (; w >= 0; w--) {
    if (mask[w]) return 64 * w + 63 - __builtin_clzll(mask[w]);
  }
  return -1;
}

// columns of M: ancestors of each dof
static void inertiaMasks(const SolProblem* p, SolFactor* F) {
  for (int i = 0; i < F->n; i++) {
    uint64_t* mask = F->mask + (size_t)i * F->words;
    const int nnz = p->M_rownnz[i];
    if (nnz > 1) {
      const int parent = p->M_colind[p->M_rowadr[i] + nnz - 2];
      memcpy(mask, F->mask + (size_t)parent * F->words, sizeof(uint64_t) * (size_t)F->words);
    } else {
      memset(mask, 0, sizeof(uint64_t) * (size_t)F->words);
    }
    mask[i >> 6] |= (uint64_t)1 << (i & 63);
  }
}

// columns that a block couples, into the row of the last of them: elimination carries them to the others
static void blockMask(const SolProblem* p, SolFactor* F, const SolBlock* block) {
  const SolGroup* group = p->J.group + block->group;
  const SolGroup* last = group + block->ngroup - 1;
  if (!last->bits) return;
  const int row = 8 * last->g + 31 - __builtin_clz((unsigned)last->bits);
  uint64_t* mask = F->mask + (size_t)row * F->words;
  for (int i = 0; i < block->ngroup; i++) mask[group[i].g >> 3] |= (uint64_t)group[i].bits << (8 * (group[i].g & 7));
}

// fill-in: what is left of an eliminated row goes to its largest column
static void eliminate(SolFactor* F) {
  for (int k = F->n - 1; k >= 0; k--) {
    uint64_t* mask = F->mask + (size_t)k * F->words;
    const int w = k >> 6;
    const uint64_t own = (uint64_t)1 << (k & 63);
    mask[w] &= ~own;
    const int parent = F->parent[k] = highestBit(mask, w);
    if (parent >= 0) {
      uint64_t* to = F->mask + (size_t)parent * F->words;
      for (int i = 0; i <= parent >> 6; i++) to[i] |= mask[i];
    }
    mask[w] |= own;
  }
}

// places of all groups of all rows, one after another; returns the number of values
static int placeGroups(SolFactor* F) {
  int next = 0;
  for (int i = 0; i < F->n; i++) {
    const uint64_t* mask = F->mask + (size_t)i * F->words;
    int* table = F->table + (size_t)i * F->ng;
    for (int g = 0; g <= i >> 3; g++) {
      if (!(mask[g >> 3] >> (8 * (g & 7)) & 255)) continue;
      table[g] = next;
      next += 8;
    }
  }
  return next;
}

SolFactor sol_pattern(const SolProblem* p) {
  mjData* d = p->d;
  SolFactor F = {.n = p->n, .ng = p->np / 8, .words = (p->n + 63) / 64};
  F.mask = mj_stackAllocByte(d, sizeof(uint64_t) * (size_t)F.n * F.words, 8);
  F.parent = mj_stackAllocInt(d, (size_t)F.n);
  inertiaMasks(p, &F);
  for (int b = 0; b < p->J.nblock; b++) blockMask(p, &F, p->J.block + b);
  eliminate(&F);

  // small problems store all groups, large ones only those that occur; the table ends with scratch of ng
  F.nval = 8 * F.n * F.ng;
  if (F.words > 1) {
    F.table = mj_stackAllocInt(d, (size_t)F.n * F.ng + F.ng);
    F.nval = placeGroups(&F);
  }
  F.val = sol_space(d, (size_t)F.nval);
  F.diag = sol_space(d, (size_t)F.n);
  F.inv = sol_space(d, (size_t)F.n);
  return F;
}

void sol_setInertia(const SolProblem* p, SolFactor* H) {
  memset(H->val, 0, sizeof(mjtNum) * (size_t)H->nval);
  for (int i = 0; i < p->n; i++) {
    const int adr = p->M_rowadr[i];
    for (int k = adr; k < adr + p->M_rownnz[i]; k++) {
      const int col = p->M_colind[k];
      sol_at(H, i, col >> 3)[col & 7] = p->M[k];
    }
  }
}

//---------------------------------- inertia ----------------------------------

void sol_mulM(const SolProblem* p, mjtNum* res, const mjtNum* v) {
  for (int i = 0; i < p->n; i++) {
    const int adr = p->M_rowadr[i], nnz = p->M_rownnz[i] - 1;
    const int* ind = p->M_colind + adr;
    const mjtNum* M = p->M + adr;

    // the row, and the same values as a column
    mjtNum sum = M[nnz] * v[i];
    const mjtNum x = v[i];
    for (int k = 0; k < nnz; k++) {
      sum += M[k] * v[ind[k]];
      res[ind[k]] += M[k] * x;
    }
    res[i] = sum;
  }
}

void sol_solveM(const SolProblem* p, mjtNum* x) {
  for (int i = p->n - 1; i >= 0; i--) {
    const int adr = p->M_rowadr[i];
    if (x[i]) mth_addToSclScatter(x, p->qLD + adr, -x[i], p->M_rownnz[i] - 1, p->M_colind + adr);
  }
  for (int i = 0; i < p->n; i++) x[i] *= p->qLDiagInv[i];
  for (int i = 0; i < p->n; i++) {
    const int adr = p->M_rowadr[i];
    x[i] -= mth_dotSparse(p->qLD + adr, x, p->M_rownnz[i] - 1, p->M_colind + adr);
  }
}
