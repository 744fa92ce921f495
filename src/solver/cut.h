// Work of one problem in pieces on threads (SolCut). On one thread, and in small problems, each function does all at
// once; the bits are the same. The names that end in Cut are for problems that are cut.
#pragma once

#include "solver/problem.h"

// values of the Jacobian, in groups of eight, that make a piece worth a thread
#define SOL_PIECE 512

// the columns of a piece, in groups
static inline BasPart sol_groupsOf(const SolProblem* p, int piece) {
  return (BasPart){p->cut.group[piece], p->cut.group[piece + 1]};
}

// room on the stack for p->cut.group and for p->cut.columns with up to so many items, and what goes there
void sol_columnSpace(SolProblem* p, size_t nitem);
void sol_cutColumns(SolProblem* p);

// does run(arg, piece) for all pieces of p
void sol_share(const SolProblem* p, void (*run)(void* arg, int piece), void* arg);

// something else that may be done meanwhile: task k of n, each on one thread
typedef struct {
  void (*run)(void* arg, int k);
  void* arg;
  int n;
} SolAside;

// res = J v
void sol_mulJCut(const SolProblem* p, mjtNum* res, const mjtNum* v, SolAside aside);

static inline void sol_mulJ(const SolProblem* p, mjtNum* res, const mjtNum* v, SolAside aside) {
  if (p->cut.n) {
    sol_mulJCut(p, res, v, aside);
    return;
  }
  for (int k = 0; k < aside.n; k++) aside.run(aside.arg, k);
  p->k->mulJ(res, &p->J, v);
}

// the same for two vectors, less aref
void sol_mulJ2Cut(const SolProblem* p, mjtNum* const res[2], const mjtNum* const v[2], SolAside aside);

static inline void sol_mulJ2(const SolProblem* p, mjtNum* const res[2], const mjtNum* const v[2], SolAside aside) {
  if (p->cut.n) {
    sol_mulJ2Cut(p, res, v, aside);
    return;
  }
  for (int k = 0; k < aside.n; k++) aside.run(aside.arg, k);
  p->k->mulJ2(res, &p->J, v, p->aref);
}

// res = Jᵀ f
void sol_mulJTCut(const SolProblem* p, mjtNum* res, const mjtNum* f);

static inline void sol_mulJT(const SolProblem* p, mjtNum* res, const mjtNum* f) {
  p->cut.n ? sol_mulJTCut(p, res, f) : p->k->mulJT(res, &p->J, f, p->np / 8);
}

// one piece of that; returns the dofs it has
BasPart sol_mulJTPart(const SolProblem* p, mjtNum* res, const mjtNum* f, int piece);

// the rows of a piece as a Jacobian of its own
SolJacobian sol_rowsOf(const SolProblem* p, int piece);

// sol_update in pieces: state and force of the rows of one, then the cost of all
void sol_updatePart(const SolProblem* p, const mjtNum* jar, int cones, int piece);
mjtNum sol_sumCost(const SolProblem* p, const mjtNum* jar);
mjtNum sol_costOfCut(const SolProblem* p, const mjtNum* jar, int cones);

static inline mjtNum sol_costOf(const SolProblem* p, const mjtNum* jar, int cones) {
  return p->cut.n ? sol_costOfCut(p, jar, cones) : sol_update(p, jar, cones);
}

// H ← M + Jᵀ D J, with the Hessians of sliding cones
void sol_buildHessian(const SolProblem* p, SolFactor* H, const mjtNum* D, int cones);
