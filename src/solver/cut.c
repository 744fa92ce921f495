// A problem in pieces for threads. See cut.h and SolCut.
#include "solver/cut.h"

#include <string.h>

#include "base/stack.h"

//---------------------------------- pieces ----------------------------------

// what a block has in each group goes to next[group], or is only counted there (item is NULL)
static void addItems(const SolProblem* p, int b, int* next, SolItem* item) {
  const SolBlock* block = p->J.block + b;
  const SolGroup* group = p->J.group + block->group;
  for (int i = 0; i < block->ngroup; i++) {
    const int at = next[group[i].g]++;
    if (item) item[at] = (SolItem){b, i};
  }
  for (int r = 0; r < (block->ngroup ? 0 : block->nrow); r++) {
    const int at = next[p->J.column[block->row + r] >> 3]++;
    if (item) item[at] = (SolItem){b, -1 - r};
  }
}

// where pieces of the columns begin: each has about as many items
static void cutGroups(SolProblem* p, int ng) {
  const int n = p->cut.n, total = p->cut.columns.first[ng];
  for (int k = 0, g = 0; k <= n; k++) {
    while (g < ng && p->cut.columns.first[g] < bas_part(total, n, k).begin) g++;
    p->cut.group[k] = k < n ? g : ng;
  }
}

void sol_columnSpace(SolProblem* p, size_t nitem) {
  mjData* d = p->d;
  p->cut.group = mj_stackAllocInt(d, (size_t)p->cut.n + 1);
  p->cut.columns.first = mj_stackAllocInt(d, (size_t)p->np / 8 + 2);
  p->cut.columns.item = mj_stackAllocByte(d, sizeof(SolItem) * nitem, _Alignof(SolItem));
}

void sol_cutColumns(SolProblem* p) {
  const int ng = p->np / 8;
  int* first = p->cut.columns.first;

  // how many items each group has, then which; first[g + 1] is where the next one goes
  memset(first, 0, sizeof(int) * ((size_t)ng + 2));
  for (int b = 0; b < p->J.nblock; b++) addItems(p, b, first + 2, NULL);
  for (int g = 2; g <= ng + 1; g++) first[g] += first[g - 1];
  for (int b = 0; b < p->J.nblock; b++) addItems(p, b, first + 1, p->cut.columns.item);
  cutGroups(p, ng);
}

void sol_share(const SolProblem* p, void (*run)(void* arg, int piece), void* arg) {
  bas_share(p->d, NULL, run, arg, p->cut.n);
}

SolJacobian sol_rowsOf(const SolProblem* p, int piece) {
  SolJacobian part = p->J;
  part.block += p->cut.block[piece];
  part.nblock = p->cut.block[piece + 1] - p->cut.block[piece];
  return part;
}

//---------------------------------- products ----------------------------------

typedef struct {
  const SolProblem* p;
  mjtNum* const* res;
  const mjtNum* const* v;
  SolAside aside;
} Product;

// what is done aside comes first: a task takes longer than a piece
static void mulPart(void* arg, int piece) {
  const Product* x = arg;
  if (piece < x->aside.n) {
    x->aside.run(x->aside.arg, piece);
    return;
  }
  const SolJacobian rows = sol_rowsOf(x->p, piece - x->aside.n);
  x->p->k->mulJ(x->res[0], &rows, x->v[0]);
}

void sol_mulJCut(const SolProblem* p, mjtNum* res, const mjtNum* v, SolAside aside) {
  Product x = {p, &res, &v, aside};
  bas_share(p->d, NULL, mulPart, &x, aside.n + p->cut.n);
}

static void mul2Part(void* arg, int piece) {
  const Product* x = arg;
  if (piece < x->aside.n) {
    x->aside.run(x->aside.arg, piece);
    return;
  }
  const SolJacobian rows = sol_rowsOf(x->p, piece - x->aside.n);
  x->p->k->mulJ2(x->res, &rows, x->v, x->p->aref);
}

void sol_mulJ2Cut(const SolProblem* p, mjtNum* const res[2], const mjtNum* const v[2], SolAside aside) {
  Product x = {p, res, v, aside};
  bas_share(p->d, NULL, mul2Part, &x, aside.n + p->cut.n);
}

BasPart sol_mulJTPart(const SolProblem* p, mjtNum* res, const mjtNum* f, int piece) {
  const BasPart groups = sol_groupsOf(p, piece);
  p->k->mulColumns(res, &p->J, &p->cut.columns, f, groups);
  return (BasPart){8 * groups.begin < p->n ? 8 * groups.begin : p->n, 8 * groups.end < p->n ? 8 * groups.end : p->n};
}

static void transposePart(void* arg, int piece) {
  const Product* x = arg;
  sol_mulJTPart(x->p, x->res[0], x->v[0], piece);
}

void sol_mulJTCut(const SolProblem* p, mjtNum* res, const mjtNum* f) {
  Product x = {p, &res, &f, {0}};
  sol_share(p, transposePart, &x);
}

//---------------------------------- rows ----------------------------------

typedef struct {
  const SolProblem* p;
  const mjtNum* jar;
  int cones;
} Update;

static void updatePart(void* arg, int piece) {
  const Update* x = arg;
  sol_updatePart(x->p, x->jar, x->cones, piece);
}

mjtNum sol_costOfCut(const SolProblem* p, const mjtNum* jar, int cones) {
  Update x = {p, jar, cones};
  sol_share(p, updatePart, &x);
  return sol_sumCost(p, jar);
}

//---------------------------------- Hessian ----------------------------------

typedef struct {
  const SolProblem* p;
  SolFactor* H;
  const mjtNum* D;
  int cones;
} Hessian;

// adds the full Hessians of a block's contacts that slide, in some of the block's groups
static void addCones(const Hessian* x, const SolBlock* block, BasPart groups) {
  const SolProblem* p = x->p;
  const ConRowSet* rows = &p->rows;
  for (int r = 0; r < (block->ngroup ? block->nrow : 0);) {
    const int row = block->row + r, slides = rows->state[row] == mjCNSTRSTATE_CONE;
    const mjContact* con = slides ? rows->contact + rows->id[row] : NULL;
    if (con) p->k->addCone(x->H, &p->J, (SolSlice){block, r, con->dim, groups}, con->H);
    r += con ? con->dim : 1;
  }
}

static void hessianPart(void* arg, int piece) {
  const Hessian* x = arg;
  const SolProblem* p = x->p;
  const SolColumns* columns = &p->cut.columns;
  const BasPart groups = sol_groupsOf(p, piece);
  const int begin = 8 * groups.begin < p->n ? 8 * groups.begin : p->n,
            end = 8 * groups.end < p->n ? 8 * groups.end : p->n;
  sol_setInertia(p, x->H, (BasPart){begin, end});
  p->k->addColumns(x->H, &p->J, columns, x->D, groups);
  for (int k = columns->first[groups.begin]; k < (x->cones ? columns->first[groups.end] : 0); k++) {
    const SolItem item = columns->item[k];
    addCones(x, p->J.block + item.block, (BasPart){item.i, item.i + 1});
  }
}

void sol_buildHessian(const SolProblem* p, SolFactor* H, const mjtNum* D, int cones) {
  Hessian x = {p, H, D, cones};
  if (p->cut.n) {
    sol_share(p, hessianPart, &x);
    return;
  }
  sol_setInertia(p, H, (BasPart){0, p->n});
  p->k->addRows(H, &p->J, D);
  for (int b = 0; b < (cones ? p->J.nblock : 0); b++) {
    const SolBlock* block = p->J.block + b;
    addCones(&x, block, (BasPart){0, block->ngroup});
  }
}
