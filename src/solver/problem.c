// Setting up a problem for the primal solvers: pointers, Jacobian in groups of eight columns, structure of the Hessian.
#include "solver/problem.h"

#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "dynamics/ldl.h"
#include "math/simd/kernels.h"
#include "base/assert.h"
#include "solver/cut.h"

mjtNum* sol_space(mjData* d, size_t n) {
  const size_t bytes = sizeof(mjtNum) * ((n + 7) & ~(size_t)7);
  mjtNum* const res = mj_stackAllocByte(d, bytes, 64);
  // what is read before it is written becomes no number, which tests notice
  if (BAS_DEBUG) memset(res, 255, bytes);
  return res;
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
  p->regrouped = island >= 0 && (d->nisland > 1 || d->nidof < m->nv);
  if (p->regrouped) {
    pointToIsland(p, island);
  } else {
    pointToAll(p);
  }
  // with conjugate gradients, equalities can read and write three numbers more than there are dofs (SolTriples)
  p->conjugate = m->opt.solver == mjSOL_CG;
  p->np = (p->n + (p->conjugate && p->rows.ne ? SOL_PADDING : 7)) & ~7;
  BAS_CHECK(sol_assertProblem(p));
}

//---------------------------------- Jacobian ----------------------------------

static SolSource sourceOf(const SolProblem* p) {
  const mjData* d = p->d;
  if (!p->regrouped) return (SolSource){d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind, d->efc_J};
  const int first = d->island_iefcadr[p->island];
  if (!p->sparse) return (SolSource){.val = d->iefc_J + (size_t)first * d->nidof};
  return (SolSource){d->iefc_J_rownnz + first, d->iefc_J_rowadr + first, d->iefc_J_rowsuper + first, d->iefc_J_colind,
                     d->iefc_J};
}

// 1: rows r and r + 1 belong to the same constraint
static int sameConstraint(const ConRowSet* rows, int r) {
  return rows->type[r] == rows->type[r + 1] && rows->id[r] == rows->id[r + 1];
}

// the column of a dense row that has only one, -1: more
static int singleColumn(const SolProblem* p, int r) {
  const mjModel* m = p->m;
  const mjData* d = p->d;
  const int type = p->rows.type[r], id = p->rows.id[r];
  int dof;
  if (type == mjCNSTR_FRICTION_DOF) {
    dof = id;
  } else if (type == mjCNSTR_LIMIT_JOINT && m->jnt_type[id] != mjJNT_BALL) {
    dof = m->jnt_dofadr[id];
  } else {
    return -1;
  }
  return p->regrouped ? d->map_dof2idof[dof] - d->island_idofadr[p->island] : dof;
}

// rows that are loaded, and where the next block's groups and values go
typedef struct {
  int row, end;
  SolGroup* group;
  mjtNum* J;
} Loading;

// the next rows that have a single entry, as a block; nrow is 0 when the first has more
static SolBlock singleBlock(const SolProblem* p, const SolSource* src, const Loading* at) {
  SolBlock block = {.row = at->row};
  int* column = p->J.column;
  mjtNum* J = at->J;
  for (int r = at->row; r < at->end; r++) {
    int col;
    if (p->sparse) {
      if (src->nnz[r] != 1) break;
      col = src->ind[src->adr[r]];
      J[block.nrow++] = src->val[src->adr[r]];
    } else {
      col = singleColumn(p, r);
      if (col < 0) break;
      J[block.nrow++] = src->val[(size_t)r * p->n + col];
    }
    column[r] = col;
  }
  return block;
}

// a block of sparse rows: all that have the same columns
static SolBlock sparseBlock(const SolProblem* p, const SolSource* src, const Loading* at) {
  const int r = at->row;
  SolGroup* group = at->group;
  mjtNum* J = at->J;
  SolBlock block = {.row = r, .nrow = src->super[r] + 1 < at->end - r ? src->super[r] + 1 : at->end - r};
  if (block.nrow > SOL_MAXROWS) {
    block.nrow = SOL_MAXROWS;
    while (block.nrow > 1 && sameConstraint(&p->rows, r + block.nrow - 1)) block.nrow--;
  }

  // groups of columns
  const int nnz = src->nnz[r];
  const int* ind = src->ind + src->adr[r];
  for (int k = 0; k < nnz; k++) {
    const int g = ind[k] >> 3;
    if (!block.ngroup || group[block.ngroup - 1].g != g) group[block.ngroup++] = (SolGroup){g, 0};
    group[block.ngroup - 1].bits |= 1 << (ind[k] & 7);
  }
  if (!block.ngroup) group[block.ngroup++] = (SolGroup){0, 0};

  // values: a run of columns has the same places in every row
  memset(J, 0, sizeof(mjtNum) * 8 * (size_t)block.ngroup * block.nrow);
  for (int k = 0, n, place = 0; k < nnz; k += n) {
    while (group[place].g < ind[k] >> 3) place++;
    n = 1;
    while (k + n < nnz && ind[k + n] == ind[k] + n) n++;
    mjtNum* to = J + 8 * place + (ind[k] & 7);
    for (int i = 0; i < block.nrow; i++, to += 8 * block.ngroup) {
      const mjtNum* val = src->val + src->adr[r + i] + k;
      for (int c = 0; c < n; c++) to[c] = val[c];
    }
  }
  return block;
}

// a block of dense rows: one constraint, the columns where any of its rows is not zero
static SolBlock denseBlock(const SolProblem* p, const SolSource* src, const Loading* at) {
  const int n = p->n, r = at->row;
  SolGroup* group = at->group;
  mjtNum* J = at->J;
  SolBlock block = {.row = r, .nrow = 1};
  while (block.nrow < SOL_MAXROWS && r + block.nrow < at->end && sameConstraint(&p->rows, r + block.nrow - 1)) {
    block.nrow++;
  }

  // every group of the rows, of which those without any value are left out
  const int all = (n + 7) / 8;
  SolDense rows = {.val = src->val + (size_t)r * n, .J = J, .stride = n, .step = 8 * all, .nrow = block.nrow};
  for (int g = 0; g < all; g++, rows.val += 8, rows.J += 8) {
    rows.width = n - 8 * g < 8 ? n - 8 * g : 8;
    const int bits = p->k->dense(&rows);
    if (bits) group[block.ngroup++] = (SolGroup){g, bits};
  }
  if (!block.ngroup) group[block.ngroup++] = (SolGroup){0, 0};
  if (block.ngroup == all) return block;
  mjtNum* to = J;
  for (int i = 0; i < block.nrow; i++) {
    for (int k = 0; k < block.ngroup; k++, to += 8) memmove(to, J + 8 * (i * all + group[k].g), sizeof(mjtNum) * 8);
  }
  return block;
}

// 1: two blocks have the same columns and fit into one
static int canMerge(const SolJacobian* jac, const SolBlock* a, const SolBlock* b) {
  if (a->ngroup != b->ngroup || !a->ngroup || a->nrow + b->nrow > SOL_MAXROWS || a->row + a->nrow != b->row) return 0;
  return !memcmp(jac->group + a->group, jac->group + b->group, sizeof(SolGroup) * (size_t)a->ngroup);
}

// upper bound on the groups of some rows, for allocation
static size_t boundGroups(const SolProblem* p, const SolSource* src, BasPart rows) {
  const size_t all = (size_t)p->np / 8;
  if (!p->sparse) return all * (size_t)(rows.end - rows.begin);
  size_t total = 0;
  for (int r = rows.begin; r < rows.end; r++) {
    const size_t nnz = (size_t)src->nnz[r] + 1;
    total += nnz < all ? nnz : all;
  }
  return total;
}

// pieces of the rows: each has its own part of the memory, and its blocks move together afterwards
typedef struct {
  SolProblem* p;
  SolSource src;
  const int* row;  // (pieces + 1) where each one's rows start
  size_t* group;   // (pieces) and its groups
  int* nblock;     // (pieces)
} Load;

// blocks of one piece
static void loadPart(void* arg, int piece) {
  const Load* load = arg;
  const SolProblem* p = load->p;
  const SolJacobian* jac = &p->J;
  const SolTriples* triples = &jac->triples;
  SolBlock* const first = jac->block + load->row[piece];
  Loading at = {load->row[piece], load->row[piece + 1], jac->group + load->group[piece],
                jac->J + 8 * load->group[piece]};
  int next = 0, nblock = 0;
  while (at.row < at.end) {
    // rows in triples are stored apart
    if (next < triples->nrow && triples->row[next] == at.row) {
      next++;
      at.row++;
      continue;
    }
    SolBlock* block = first + nblock++;
    *block = singleBlock(p, &load->src, &at);
    block->J = (size_t)(at.J - jac->J);
    at.row += block->nrow;
    if (block->nrow) {
      at.J += ((size_t)block->nrow + 7) & ~(size_t)7;
      continue;
    }
    *block = p->sparse ? sparseBlock(p, &load->src, &at) : denseBlock(p, &load->src, &at);
    block->group = (int)(at.group - jac->group);
    block->J = (size_t)(at.J - jac->J);
    at.J += 8 * (size_t)block->ngroup * block->nrow;
    at.row += block->nrow;

    // the values follow those of the block before, so that two blocks are one when their columns are the same
    if (nblock > 1 && canMerge(jac, block - 1, block)) {
      (block - 1)->nrow += block->nrow;
      nblock--;
    } else {
      at.group += block->ngroup;
    }
  }
  load->nblock[piece] = nblock;
}

// where pieces of the rows begin: constraints stay whole
static void cutRows(SolProblem* p, int n) {
  const int nefc = p->rows.nefc;
  p->cut.n = n;
  p->cut.row = mj_stackAllocInt(p->d, 2 * (size_t)(n + 1));
  p->cut.block = p->cut.row + n + 1;
  p->cut.cost = mj_stackAllocNum(p->d, (size_t)nefc);
  for (int k = 0; k <= n; k++) {
    int row = bas_part(nefc, n, k).begin;
    if (k && row < p->cut.row[k - 1]) row = p->cut.row[k - 1];
    while (row > 0 && row < nefc && sameConstraint(&p->rows, row - 1)) row++;
    p->cut.row[k] = row;
  }
  p->cut.row[n] = nefc;
}

// all blocks, in pieces of the rows
static void loadInPieces(SolProblem* p, const SolSource* src, int n) {
  SolJacobian* jac = &p->J;
  cutRows(p, n);
  mj_markStack(p->d);
  size_t* group = mj_stackAllocByte(p->d, sizeof(size_t) * (size_t)n, _Alignof(size_t));
  const Load load = {p, *src, p->cut.row, group, mj_stackAllocInt(p->d, (size_t)n)};
  group[0] = 0;
  for (int k = 1; k < n; k++) {
    group[k] = group[k - 1] + boundGroups(p, src, (BasPart){p->cut.row[k - 1], p->cut.row[k]});
  }
  bas_share(p->d, NULL, loadPart, (void*)&load, n);

  // together
  jac->nblock = 0;
  for (int k = 0; k < n; k++) {
    p->cut.block[k] = jac->nblock;
    memmove(jac->block + jac->nblock, jac->block + p->cut.row[k], sizeof(SolBlock) * (size_t)load.nblock[k]);
    jac->nblock += load.nblock[k];
  }
  p->cut.block[n] = jac->nblock;
  mj_freeStack(p->d);
}

void sol_loadJacobian(SolProblem* p) {
  const SolSource src = sourceOf(p);
  const int nefc = p->rows.nefc;
  const size_t bound = boundGroups(p, &src, (BasPart){0, nefc});
  SolJacobian* jac = &p->J;
  const size_t blocks = sizeof(SolBlock) * (size_t)nefc, groups = sizeof(SolGroup) * bound;
  char* memory = mj_stackAllocByte(p->d, blocks + groups + sizeof(int) * (size_t)nefc, _Alignof(SolBlock));
  jac->block = (SolBlock*)memory;
  jac->group = (SolGroup*)(memory + blocks);
  jac->column = (int*)(memory + blocks + groups);
  jac->J = sol_space(p->d, 8 * bound);
  if (p->conjugate && p->sparse) sol_loadTriples(p, &src);

  // block by block
  const int n = p->wide && !jac->triples.nrow ? bas_parts(p->d, (int)bound, SOL_PIECE) : 1;
  if (n > 1) {
    loadInPieces(p, &src, n);
    sol_columnSpace(p, bound);
  } else {
    size_t group = 0;
    Load load = {
        p, src, (const int[]){0, nefc},
           &group, &jac->nblock
    };
    loadPart(&load, 0);
  }
  BAS_CHECK(sol_assertJacobian(p));
}

//---------------------------------- rows ----------------------------------

// end of the run of scalar rows that starts behind the friction rows at i
static int runEnd(const SolProblem* p, int i, int end) {
  if (p->m->opt.cone != mjCONE_ELLIPTIC) return end;
  for (i++; i < end && p->rows.type[i] != mjCNSTR_CONTACT_ELLIPTIC; i++) continue;
  return i;
}

mjtNum sol_update(const SolProblem* p, const mjtNum* jar, int cones) {
  const ConRowSet* r = &p->rows;
  mjtNum cost = p->conjugate ? p->k->equality(r->D, jar, r->force, r->state, r->ne) : 0;
  cost = con_updateHead(r, jar, p->conjugate ? r->ne : 0, cost);
  for (int i = r->ne + r->nf; i < r->nefc;) {
    if (r->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      cost += con_updateCone(r, jar, i, cones);
      i += r->contact[r->id[i]].dim;
      continue;
    }

    // a run of scalar rows
    const int end = runEnd(p, i, r->nefc);
    cost += p->k->inequality(r->D + i, jar + i, r->force + i, r->state + i, end - i);
    i = end;
  }
  return cost;
}

void sol_updatePart(const SolProblem* p, const mjtNum* jar, int cones, int piece) {
  const ConRowSet* r = &p->rows;
  const int end = p->cut.row[piece + 1], head = r->ne + r->nf;
  int i = p->cut.row[piece];
  for (; i < end && i < head; i++) p->cut.cost[i] = con_updateRow(r, jar, i);
  while (i < end) {
    if (r->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      p->cut.cost[i] = con_updateCone(r, jar, i, cones);
      i += r->contact[r->id[i]].dim;
      continue;
    }
    const int stop = runEnd(p, i, end);
    p->k->inequality(r->D + i, jar + i, r->force + i, r->state + i, stop - i);
    i = stop;
  }
}

mjtNum sol_sumCost(const SolProblem* p, const mjtNum* jar) {
  const ConRowSet* r = &p->rows;
  mjtNum cost = p->conjugate ? p->k->cost(r->force, jar, r->ne) : 0;
  for (int i = p->conjugate ? r->ne : 0; i < r->ne + r->nf; i++) cost += p->cut.cost[i];
  for (int i = r->ne + r->nf; i < r->nefc;) {
    if (r->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      cost += p->cut.cost[i];
      i += r->contact[r->id[i]].dim;
      continue;
    }
    const int end = runEnd(p, i, r->nefc);
    cost += p->k->cost(r->force + i, jar + i, end - i);
    i = end;
  }
  return cost;
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
  const int words = F->words;
  for (int i = 0; i < F->n; i++) {
    uint64_t* mask = F->mask + (size_t)i * words;
    const int nnz = p->M_rownnz[i], parent = nnz > 1 ? p->M_colind[p->M_rowadr[i] + nnz - 2] : -1;
    const uint64_t* from = F->mask + (size_t)(parent < 0 ? 0 : parent) * words;
    for (int w = 0; w < words; w++) mask[w] = parent < 0 ? 0 : from[w];
    mask[i >> 6] |= (uint64_t)1 << (i & 63);
  }
}

// columns that a block couples, into the row of the last of them: elimination carries them to the others
static void blockMask(const SolProblem* p, SolFactor* F, const SolBlock* block) {
  if (!block->ngroup) return;
  const SolGroup* group = p->J.group + block->group;
  const SolGroup* last = group + block->ngroup - 1;
  if (!last->bits) return;
  const int row = 8 * last->g + 31 - __builtin_clz((unsigned)last->bits);
  uint64_t* mask = F->mask + (size_t)row * F->words;
  for (int i = 0; i < block->ngroup; i++) mask[group[i].g >> 3] |= (uint64_t)group[i].bits << (8 * (group[i].g & 7));
}

// fill-in: what is left of an eliminated row goes to its largest column
static void eliminate(SolFactor* F) {
  // one word a row
  for (int k = F->n - 1; k >= 0 && F->words == 1; k--) {
    const uint64_t rest = F->mask[k] & ~((uint64_t)1 << k);
    const int parent = rest ? 63 - __builtin_clzll(rest) : -1;
    F->parent[k] = parent;
    if (rest) F->mask[parent] |= rest;
  }
  if (F->words == 1) return;

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

// groups of each row, and for large problems their places one after another; returns the number of groups
static int listGroups(SolFactor* F) {
  int next = 0;
  for (int i = 0; i < F->n; i++) {
    const uint64_t* mask = F->mask + (size_t)i * F->words;
    F->first[i] = next;
    for (int w = 0; w <= i >> 6; w++) {
      for (uint64_t left = mask[w]; left;) {
        const int byte = __builtin_ctzll(left) >> 3, g = 8 * w + byte;
        if (F->table) F->table[(size_t)i * F->ng + g] = 8 * next;
        F->list[next++] = g;
        left &= ~((uint64_t)255 << (8 * byte));
      }
    }
  }
  F->first[F->n] = next;
  return next;
}

// groups of all rows together
static int countGroups(const SolFactor* F) {
  int total = 0;
  for (int i = 0; i < F->n * F->words; i++) {
    // one bit per byte that is not zero
    uint64_t x = F->mask[i];
    x |= x >> 4;
    x |= x >> 2;
    x |= x >> 1;
    total += (int)(((x & 0x0101010101010101u) * 0x0101010101010101u) >> 56);
  }
  return total;
}

SolFactor sol_pattern(const SolProblem* p) {
  mjData* d = p->d;
  SolFactor F = {.n = p->n, .ng = p->np / 8, .full = p->full.n > 0};
  const size_t n = (size_t)F.n;
  if (F.full) {
    // half of a small matrix is soon computed: looking for zeros in it takes as long as using them
    F.nval = p->n * p->np;
    F.val = sol_space(d, (size_t)F.nval + 2 * n);
    F.diag = F.val + F.nval;
    F.inv = F.diag + n;
    BAS_CHECK(sol_assertFactor(&F));
    return F;
  }
  F.words = (p->n + 63) / 64;
  F.mask = mj_stackAllocByte(d, (sizeof(uint64_t) * F.words + 2 * sizeof(int)) * n + sizeof(int), 8);
  F.parent = (int*)(F.mask + n * F.words);
  F.first = F.parent + n;
  inertiaMasks(p, &F);
  for (int b = 0; b < p->J.nblock; b++) blockMask(p, &F, p->J.block + b);
  eliminate(&F);

  // small problems store all groups, large ones only those that occur
  const int small = F.words == 1;
  const size_t places = n * F.ng;
  F.list = mj_stackAllocInt(d, small ? places : places + (size_t)countGroups(&F));
  if (!small) {
    F.table = F.list;
    F.list += places;
  }
  const int ngroup = listGroups(&F);
  F.nval = 8 * (small ? (int)places : ngroup);
  F.val = sol_space(d, (size_t)F.nval + 3 * n);
  F.diag = F.val + F.nval;
  F.inv = F.diag + n;
  F.y = F.inv + n;
  BAS_CHECK(sol_assertFactor(&F));
  return F;
}

void sol_setInertia(const SolProblem* p, SolFactor* H, BasPart rows) {
  if (H->full) {
    memcpy(H->val, p->full.val, sizeof(mjtNum) * (size_t)H->nval);
    for (int i = 0; i < p->n; i++) H->val[i * (p->np + 1)] = p->full.diag[i];
    return;
  }
  const int begin = 8 * (H->table ? H->first[rows.begin] : rows.begin * H->ng);
  const int end = 8 * (H->table ? H->first[rows.end] : rows.end * H->ng);
  memset(H->val + begin, 0, sizeof(mjtNum) * (size_t)(end - begin));
  for (int i = rows.begin; i < rows.end; i++) {
    const int adr = p->M_rowadr[i];
    for (int k = adr; k < adr + p->M_rownnz[i]; k++) {
      const int col = p->M_colind[k];
      sol_at(H, i, col >> 3)[col & 7] = p->M[k];
    }
  }
}

//---------------------------------- inertia ----------------------------------

// most ancestors of rows whose shares are summed up before they are written
enum { SIBLING_COLUMNS = 7 };

// 1: two rows have the same ancestors, few of them
static int areSiblings(const SolProblem* p, int a, int b) {
  if (a < 0 || p->M_rownnz[a] != p->M_rownnz[b] || p->M_rownnz[a] > SIBLING_COLUMNS + 1) return 0;
  const int last = p->M_rownnz[a] - 2;
  return p->M_colind[p->M_rowadr[a] + last] == p->M_colind[p->M_rowadr[b] + last];
}

void sol_loadDiagonal(SolProblem* p) {
  int previous = -1;
  for (int i = 0; i < p->n; i++) {
    const int nnz = p->M_rownnz[i];
    p->diag[i] = p->M[p->M_rowadr[i] + nnz - 1];
    if (nnz == 1) continue;
    if (!areSiblings(p, previous, i)) p->run[p->nrun++] = p->ncoupled;
    p->coupled[p->ncoupled++] = previous = i;
  }
  p->run[p->nrun] = p->ncoupled;
}

void sol_loadInertia(SolProblem* p) {
  if (p->n == 0) return;
  if (p->np > SOL_FULL) {
    p->diag = sol_vector(p->d, p->np);
    p->coupled = mj_stackAllocInt(p->d, 2 * (size_t)p->n + 1);
    p->run = p->coupled + p->n;
    if (!p->cut.n) sol_loadDiagonal(p);
    return;
  }
  const size_t np = (size_t)p->np;
  mjtNum* const val = sol_vector(p->d, (int)((p->n + 1) * np));
  p->full = (SolFull){.n = p->n, .ng = p->np / 8, .val = val, .diag = val + p->n * np};
  for (int i = 0; i < p->n; i++) {
    const int adr = p->M_rowadr[i], nnz = p->M_rownnz[i] - 1;
    for (int k = adr; k < adr + nnz; k++) {
      const size_t col = (size_t)p->M_colind[k];
      val[i * np + col] = val[col * np + i] = p->M[k];
    }
    p->full.diag[i] = p->M[adr + nnz];
  }
}

// row i of M without its diagonal, and the same values as a column; rows further down add their columns later
static void mulRow(const SolProblem* p, mjtNum* res, const mjtNum* v, int i) {
  const int adr = p->M_rowadr[i], nnz = p->M_rownnz[i] - 1;
  const int* ind = p->M_colind + adr;
  const mjtNum* M = p->M + adr;
  mjtNum sum = res[i];
  const mjtNum x = v[i];
  for (int k = 0; k < nnz; k++) {
    sum += M[k] * v[ind[k]];
    res[ind[k]] += M[k] * x;
  }
  res[i] = sum;
}

// the same for n rows with the same ancestors, whose sums stay in registers
static void mulSiblings(const SolProblem* p, mjtNum* res, const mjtNum* v, const int* row, int n) {
  const int nnz = p->M_rownnz[row[0]] - 1, *ind = p->M_colind + p->M_rowadr[row[0]];
  mjtNum sums[SIBLING_COLUMNS], given[SIBLING_COLUMNS];
  for (int k = 0; k < nnz; k++) {
    sums[k] = res[ind[k]];
    given[k] = v[ind[k]];
  }
  for (int r = 0; r < n; r++) {
    const mjtNum *M = p->M + p->M_rowadr[row[r]], x = v[row[r]];
    mjtNum sum = res[row[r]];
    for (int k = 0; k < nnz; k++) {
      sum += M[k] * given[k];
      sums[k] += M[k] * x;
    }
    res[row[r]] = sum;
  }
  for (int k = 0; k < nnz; k++) res[ind[k]] = sums[k];
}

void sol_mulTrees(const SolProblem* p, mjtNum* res, const mjtNum* v, BasPart dofs) {
  for (int i = dofs.begin; i < dofs.end; i++) res[i] = p->M[p->M_rowadr[i] + p->M_rownnz[i] - 1] * v[i];
  for (int i = dofs.begin; i < dofs.end; i++) mulRow(p, res, v, i);
}

void sol_mulM(const SolProblem* p, mjtNum* res, const mjtNum* v) {
  if (p->full.n) {
    p->k->mulFull(res, &p->full, v);
    return;
  }
  if (!p->diag) {
    sol_mulTrees(p, res, v, (BasPart){0, p->n});
    return;
  }

  // the diagonal, then the rows that have more
  p->k->mulEach(res, p->diag, v, p->n);
  for (int r = 0; r < p->nrun; r++) {
    const int *row = p->coupled + p->run[r], n = p->run[r + 1] - p->run[r];
    if (n > 1) {
      mulSiblings(p, res, v, row, n);
    } else {
      mulRow(p, res, v, row[0]);
    }
  }
}

// rows with the same ancestors, last first: what the ancestors are left with
static void reduceSiblings(const SolProblem* p, mjtNum* x, const int* row, int n) {
  const int nnz = p->M_rownnz[row[0]] - 1, *ind = p->M_colind + p->M_rowadr[row[0]];
  mjtNum left[SIBLING_COLUMNS];
  for (int k = 0; k < nnz; k++) left[k] = x[ind[k]];
  for (int r = n - 1; r >= 0; r--) {
    const mjtNum *L = p->qLD + p->M_rowadr[row[r]], scale = -x[row[r]];
    for (int k = 0; k < nnz; k++) left[k] += L[k] * scale;
  }
  for (int k = 0; k < nnz; k++) x[ind[k]] = left[k];
}

// the same rows, with the ancestors solved
static void finishSiblings(const SolProblem* p, mjtNum* x, const int* row, int n) {
  const int nnz = p->M_rownnz[row[0]] - 1, *ind = p->M_colind + p->M_rowadr[row[0]];
  BAS_ASSERT(nnz > 0 && nnz <= SIBLING_COLUMNS);
  mjtNum solved[SIBLING_COLUMNS];
  for (int k = 0; k < nnz; k++) solved[k] = x[ind[k]];
  for (int r = 0; r < n; r++) {
    const mjtNum* L = p->qLD + p->M_rowadr[row[r]];
    mjtNum sum = L[0] * solved[0];
    for (int k = 1; k < nnz; k++) sum += L[k] * solved[k];
    x[row[r]] -= sum;
  }
}

void sol_solveM(const SolProblem* p, mjtNum* x) {
  if (!p->diag) {
    const MthPattern rows = {p->n, p->n, p->M_rownnz, p->M_rowadr, p->M_colind, NULL};
    dyn_solveRows(x, p->qLD, p->qLDiagInv, &rows, NULL);
    return;
  }

  // rows that are coupled to none are divided, the others solved
  for (int r = p->nrun - 1; r >= 0; r--) {
    const int *row = p->coupled + p->run[r], n = p->run[r + 1] - p->run[r], adr = p->M_rowadr[row[0]];
    if (n > 1) {
      reduceSiblings(p, x, row, n);
    } else if (x[row[0]]) {
      mth_addToSclScatter(x, p->qLD + adr, -x[row[0]], p->M_rownnz[row[0]] - 1, p->M_colind + adr);
    }
  }
  p->k->mulEach(x, p->qLDiagInv, x, p->n);
  for (int r = 0; r < p->nrun; r++) {
    const int *row = p->coupled + p->run[r], n = p->run[r + 1] - p->run[r], adr = p->M_rowadr[row[0]];
    if (n > 1) {
      finishSiblings(p, x, row, n);
    } else {
      x[row[0]] -= mth_dotSparse(p->qLD + adr, x, p->M_rownnz[row[0]] - 1, p->M_colind + adr);
    }
  }
}
