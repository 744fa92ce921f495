// Makes the plan of plan.h from the pattern of M.
#include "dynamics/plan.h"

#include <string.h>

// does dof i have a column for dof i − 1 and for all of its columns?
static int followsParent(const mjModel* m, int i) {
  const int nnz = m->M_rownnz[i];
  return nnz > 1 && m->M_colind[m->M_rowadr[i] + nnz - 2] == i - 1;
}

static int isRoot(const mjModel* m, int i) {
  return m->M_rownnz[i] == 1;
}

// neither ancestors nor descendants
static int isAlone(const mjModel* m, int i) {
  return isRoot(m, i) && (i + 1 == m->nv || isRoot(m, i + 1));
}

// length of a block's rows in the work space
static int rowSize(const DynBlock* block) {
  return (block->depth + block->n + 3) & ~3;
}

// end of the part that starts with a dof
static int partEnd(const mjModel* m, int first) {
  int end = first + 1;
  if (isAlone(m, first)) {
    while (end < m->nv && isAlone(m, end)) end++;
  } else {
    while (end < m->nv && !isRoot(m, end)) end++;
  }
  return end;
}

// end of the chain from parent to child that starts with a dof
static int chainEnd(const mjModel* m, int start, int end) {
  int stop = start + 1;
  while (stop < end && followsParent(m, stop)) stop++;
  return stop;
}

// Places of everything. Blocks are not counted but bounded by the dofs; so are the rows of a tree, each of which is at
// most DYN_ROWS + 3 numbers longer in the work space.
static DynPlan layOut(const mjModel* m, size_t* bytes) {
  DynPlan plan = {.nv = (int)m->nv};
  size_t scratch = 0;
  for (int first = 0, end; first < m->nv; first = end, plan.npart++) {
    end = partEnd(m, first);
    if (isAlone(m, first)) continue;
    size_t size = 0;
    for (int i = first; i < end; i++) size += m->M_rownnz[i] + DYN_ROWS + 3;
    if (size > scratch) scratch = size;
  }
  const size_t line = 64;  // of the cache
  plan.blocks = sizeof(DynPlan) + plan.npart * sizeof(DynPart);
  plan.partof = plan.blocks + m->nv * sizeof(DynBlock);
  plan.work = plan.partof + m->nv * sizeof(int);
  plan.links = plan.work + m->nv * sizeof(int);
  plan.diagonal = (plan.links + 2 * m->nv * sizeof(int) + line - 1) / line * line;
  plan.scratch = (plan.diagonal + m->nv * sizeof(mjtNum) + line - 1) / line * line;
  plan.nscratch = scratch;
  *bytes = plan.scratch + scratch * sizeof(mjtNum);
  return plan;
}

size_t dyn_sectionSize(const mjModel* m) {
  size_t bytes;
  layOut(m, &bytes);
  return bytes;
}

// what has been filled so far
typedef struct {
  int part, block;
} Filled;

// cuts a chain into blocks from the last dof upwards, so that short blocks come where rows are short
static void cutChain(const mjModel* m, DynPlan* plan, Filled* filled, int start, int stop) {
  DynBlock* block = (DynBlock*)dyn_blocks(plan);
  int size = (stop - start) % DYN_ROWS;
  if (!size) size = DYN_ROWS;
  for (int i = start; i < stop; i += size, size = DYN_ROWS) {
    block[filled->block++] = (DynBlock){i, size, m->M_rownnz[i] - 1};
  }
}

// fills the arrays for the part that starts with a dof; returns its end
static int fillPart(const mjModel* m, DynPlan* plan, Filled* filled, int first) {
  const int end = partEnd(m, first);
  DynPart* part = (DynPart*)dyn_parts(plan) + filled->part;
  int *partof = (int*)((char*)plan + plan->partof), *work = (int*)dyn_workRows(plan);
  *part = (DynPart){.first = first, .n = end - first, .block = filled->block, .deepest = 1};
  for (int i = first; i < end; i++) {
    partof[i] = filled->part;
    if (m->M_rownnz[i] > part->deepest) part->deepest = m->M_rownnz[i];
  }
  filled->part++;
  if (isAlone(m, first)) return end;

  for (int i = first; i < end; i = chainEnd(m, i, end)) cutChain(m, plan, filled, i, chainEnd(m, i, end));
  part->nblock = filled->block - part->block;
  part->chain = part->n <= DYN_CHAIN && part->deepest == part->n;
  const DynBlock* block = dyn_blocks(plan) + part->block;
  for (int b = 0, size = 0; b < part->nblock; b++) {
    for (int i = 0; i < block[b].n; i++, size += rowSize(block + b)) work[block[b].first + i] = size;
  }
  return end;
}

void dyn_sectionInit(const mjModel* m, void* memory) {
  size_t bytes;
  DynPlan* plan = memory;
  *plan = layOut(m, &bytes);
  Filled filled = {0};
  for (int dof = 0; dof < m->nv;) dof = fillPart(m, plan, &filled, dof);
  BAS_ASSERT(filled.part == plan->npart && filled.block <= m->nv);
  if (!m->nv) return;
  int* const links = (int*)((char*)plan + plan->links);
  memcpy(links, m->M_rownnz, sizeof(int) * (size_t)m->nv);
  memcpy(links + m->nv, m->dof_parentid, sizeof(int) * (size_t)m->nv);
}

// equal numbers; calling memcmp is not worth it for a few
static inline int isSame(const int* a, const int* b, int n) {
  if (n > 16) return !memcmp(a, b, sizeof(int) * (size_t)n);
  int i = 0;
  while (i < n && a[i] == b[i]) i++;
  return i == n;
}

// 1: the plan is that of the model, as far as dofs are awake; of another model than last time it is all that counts
static int isOf(const mjModel* m, const mjData* d, DynPlan* plan) {
  const int nv = (int)m->nv, *const rownnz = (const int*)((const char*)plan + plan->links);
  const SlpRange dofs = slp_dofs(m, d);
  if (dofs.list && plan->model == m) {
    int same = 1;
    for (int k = 0; k < dofs.n; k++) {
      const int i = dofs.list[k];
      same &= rownnz[i] == m->M_rownnz[i] && rownnz[nv + i] == m->dof_parentid[i];
    }
    return same;
  }
  plan->model = m;
  return isSame(rownnz, m->M_rownnz, nv) && isSame(rownnz + nv, m->dof_parentid, nv);
}

void dyn_checkPlan(const mjModel* m, mjData* d) {
  if (__builtin_expect(isOf(m, d, (DynPlan*)dyn_plan(d)), 1)) return;

  // the model was edited, or is another one
  void* const memory = mdl_sectionRenew(d, MDL_DYNAMICS, dyn_sectionSize(m));
  if (!memory) {
    mju_error("mj_crb: could not allocate memory for the structure of the inertia matrix");
    return;
  }
  dyn_sectionInit(m, memory);
}

//---------------------------------- invariants ----------------------------------

// the blocks of a tree: chains of its dofs, in order
static void assertBlocks(const mjModel* m, const DynPlan* plan, const DynPart* part) {
  const int* work = dyn_workRows(plan);
  int dof = part->first;
  for (int b = part->block; b < part->block + part->nblock; b++) {
    const DynBlock* block = dyn_blocks(plan) + b;
    BAS_ASSERT(block->first == dof);
    BAS_ASSERT(block->n >= 1 && block->n <= DYN_ROWS);
    BAS_ASSERT(block->depth + block->n <= part->deepest);
    for (int i = 0; i < block->n; i++, dof++) {
      BAS_ASSERT(m->M_rownnz[dof] == block->depth + i + 1);
      BAS_ASSERT(i == 0 || m->M_colind[m->M_rowadr[dof] + block->depth + i - 1] == dof - 1);
      BAS_ASSERT(work[dof] >= 0 && work[dof] % 4 == 0);
      BAS_ASSERT(dof == part->first || work[dof] >= work[dof - 1] + m->M_rownnz[dof - 1]);
    }
  }
  BAS_ASSERT(dof == part->first + part->n);
}

void dyn_assertPlan(const mjModel* m, const mjData* d) {
  const DynPlan* plan = dyn_plan(d);
  const int* partof = (const int*)((const char*)plan + plan->partof);
  BAS_ASSERT(plan->npart >= 0 && plan->npart <= m->nv);
  BAS_ASSERT(plan->diagonal % 64 == 0 && plan->scratch % 64 == 0);
  BAS_ASSERT(plan->blocks <= plan->partof && plan->partof <= plan->work && plan->work <= plan->diagonal);
  BAS_ASSERT(plan->diagonal <= plan->scratch);
  int dof = 0;
  for (int p = 0; p < plan->npart; p++) {
    const DynPart* part = dyn_parts(plan) + p;
    BAS_ASSERT(part->first == dof && part->n > 0);
    BAS_ASSERT(part->nblock >= 0 && part->block + part->nblock <= m->nv);
    BAS_ASSERT(!part->chain || (part->nblock && part->n <= DYN_CHAIN && part->deepest == part->n));
    for (; dof < part->first + part->n; dof++) {
      BAS_ASSERT(partof[dof] == p);
      BAS_ASSERT(m->M_rownnz[dof] <= part->deepest);
      BAS_ASSERT(part->nblock || m->M_rownnz[dof] == 1);
    }
    if (part->nblock) assertBlocks(m, plan, part);
  }
  BAS_ASSERT(dof == m->nv);
}
