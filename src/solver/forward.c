// mj_fwdConstraint: constraint forces and the accelerations that result, by the solver that the model asks for.
//
// The primal solvers work on problems: one per island, or one for everything. They start from the better of the last
// step's and the unconstrained acceleration; which is better is decided for all islands together.
#include <string.h>

#include "base/share.h"
#include "base/sort.h"
#include "base/stack.h"
#include "base/timer.h"
#include "constraint/update.h"
#include "math/simd/kernels.h"
#include "physics/physics.h"
#include "sleep/parts.h"
#include "solver/cut.h"
#include "solver/dual.h"
#include "solver/forces.h"
#include "solver/primal.h"

//---------------------------------- dual ----------------------------------

// forces of the last step, unless no force is better
static void warmForces(const mjModel* m, mjData* d) {
  const int nefc = d->nefc;
  mjtNum* jar = mj_stackAllocNum(d, (size_t)nefc);
  mj_mulJacVec(m, d, jar, d->qacc_warmstart);
  mth_subFrom(jar, d->efc_aref, nefc);
  const ConRowSet rows = con_allRows(d);
  con_update(&rows, jar, 0);

  // dual cost of the forces; without forces it is zero
  mjtNum cost = mth_dot(d->efc_force, d->efc_b, nefc);
  for (int i = 0; i < nefc; i++) {
    mjtNum sum;
    if (mj_isSparse(m)) {
      const int adr = d->efc_AR_rowadr[i];
      sum = mth_dotSparse(d->efc_AR + adr, d->efc_force, d->efc_AR_rownnz[i], d->efc_AR_colind + adr);
    } else {
      sum = mth_dot(d->efc_AR + (size_t)i * nefc, d->efc_force, nefc);
    }
    cost += 0.5 * d->efc_force[i] * sum;
  }
  if (cost > 0) mth_zero(d->efc_force, nefc);
}

static void solveDual(const mjModel* m, mjData* d, int brief) {
  mj_mulJacVec(m, d, d->efc_b, d->qacc_smooth);
  mth_subFrom(d->efc_b, d->efc_aref, d->nefc);
  if (m->opt.disableflags & mjDSBL_WARMSTART) {
    mth_zero(d->efc_force, d->nefc);
  } else {
    warmForces(m, d);
  }
  sol_pgs(m, d, m->opt.iterations, brief);
}

//---------------------------------- islands ----------------------------------

// what changes from step to step, gathered for one island
static void gatherInputs(mjData* d, int island) {
  const int dof = d->island_idofadr[island], row = d->island_iefcadr[island], n = d->island_nv[island];
  mth_gather(d->ifrc_smooth + dof, d->qfrc_smooth, d->map_idof2dof + dof, n);
  mth_gather(d->iacc_smooth + dof, d->qacc_smooth, d->map_idof2dof + dof, n);
  mth_gather(d->iefc_aref + row, d->efc_aref, d->map_iefc2efc + row, d->island_nefc[island]);
}

// results of one island back in their places
static void scatterResults(mjData* d, int island) {
  const int dof = d->island_idofadr[island], first = d->island_iefcadr[island], n = d->island_nv[island];
  mth_scatter(d->qacc, d->iacc + dof, d->map_idof2dof + dof, n);
  mth_scatter(d->qfrc_constraint, d->ifrc_constraint + dof, d->map_idof2dof + dof, n);
  for (int i = first; i < first + d->island_nefc[island]; i++) {
    const int to = d->map_iefc2efc[i];
    d->efc_force[to] = d->iefc_force[i];
    d->efc_state[to] = d->iefc_state[i];
  }
}

// where one island has all dofs the results are in their places, and its arrays get copies
static void copyResults(mjData* d) {
  if (!d->iacc) return;
  const size_t n = (size_t)d->nidof, nefc = (size_t)d->nefc;
  const BasCopy copy[] = {
      {d->ifrc_smooth,     d->qfrc_smooth,     sizeof(mjtNum) * n   },
      {d->iacc_smooth,     d->qacc_smooth,     sizeof(mjtNum) * n   },
      {d->iefc_aref,       d->efc_aref,        sizeof(mjtNum) * nefc},
      {d->iacc,            d->qacc,            sizeof(mjtNum) * n   },
      {d->ifrc_constraint, d->qfrc_constraint, sizeof(mjtNum) * n   },
      {d->iefc_force,      d->efc_force,       sizeof(mjtNum) * nefc},
      {d->iefc_state,      d->efc_state,       sizeof(int) * nefc   },
  };
  bas_copy(d, copy, 7);
}

// larger is before smaller: what takes longest begins first
typedef struct {
  int nefc, island;
} Size;

static int largerFirst(Size a, Size b) {
  return a.nefc > b.nefc || (a.nefc == b.nefc && a.island < b.island);
}

// the islands by size
static const Size* bySize(mjData* d) {
  Size* size = mj_stackAllocByte(d, sizeof(Size) * (size_t)d->nisland, _Alignof(Size));
  for (int k = 0; k < d->nisland; k++) size[k] = (Size){d->island_nefc[k], k};
  BAS_SORT(Size, size, d->nisland, largerFirst);
  return size;
}

//---------------------------------- primal ----------------------------------

// All problems on their way to a solution. Islands share nothing that they write, so that each stage can take them in
// any order, on any thread, with the same result; sums over islands are taken in their order afterwards.
typedef struct {
  const mjModel* m;
  mjData* d;
  SolProblem* problem;
  int n;
  int islands;               // 1: a problem per island
  int regrouped;             // 1: islands have copies of their rows and dofs, with which they work
  const Size* order;         // the problems in the order in which they are taken, NULL: one after the other
  mjtNum* smooth;            // residuals in the problems' order: J·qacc_smooth − aref
  mjtNum* warm;              // J·qacc_warmstart − aref
  mjtNum* scratch;           // both candidates of the last problem, NULL: each has its own
  mjtNum* cost;              // (n) costs of the rows at qacc_smooth
  const mjtNum* start;       // accelerations that islands start from
  mjtNum *Ma, *grouped;      // M·qacc_warmstart of all dofs, and of the islands' dofs in their order
  const BasStackMark* mark;  // the stacks before anything was put there
} Work;

// A problem is shared by threads when it is more than this part of all rows, divided by the threads: others are done
// long before the largest ones
enum { WIDE = 4 };

static int problemAt(const Work* w, int i) {
  return w->order ? w->order[i].island : i;
}

// a padded copy of the problem's dofs
static void padded(mjtNum* res, const SolProblem* p, const mjtNum* vec) {
  if (p->regrouped) {
    mth_gather(res, vec, p->d->map_idof2dof + p->d->island_idofadr[p->island], p->n);
  } else {
    mth_copy(res, vec, p->n);
  }
  for (int i = p->n; i < p->np; i++) res[i] = 0;
}

// first row of a problem among all
static int firstRow(const SolProblem* p) {
  return p->regrouped ? p->d->island_iefcadr[p->island] : 0;
}

// what a problem in pieces still lacks when its rows are there
static void loadRest(void* arg, int k) {
  if (k) {
    sol_loadDiagonal(arg);
  } else {
    sol_cutColumns(arg);
  }
}

// residuals of one problem at both candidates
static void residuals(const Work* w, SolProblem* p, mjtNum* scratch) {
  const int row = firstRow(p);
  mjtNum* const to[2] = {w->smooth + row, w->warm + row};
  padded(scratch, p, p->d->qacc_smooth);
  padded(scratch + p->np, p, p->d->qacc_warmstart);
  const SolAside rest = {loadRest, p, p->cut.n ? 1 + (p->diag != NULL) : 0};
  sol_mulJ2(p, to, (const mjtNum* const[]){scratch, scratch + p->np}, rest);
}

// cost of a problem's rows at the given residuals; forces and states are left there
static void costAt(const Work* w, SolProblem* p, const mjtNum* res) {
  p->jar = res + firstRow(p);
  p->cost = sol_costOf(p, p->jar, w->m->opt.solver == mjSOL_NEWTON);
}

// makes one problem: rows, residuals, costs. It is left at the last step's acceleration, if that may be its start
static void makeOne(void* arg, int i) {
  const Work* w = arg;
  mjData* d = w->d;
  const int k = problemAt(w, i);
  SolProblem* p = w->problem + k;
  if (w->regrouped) gatherInputs(d, k);
  sol_problem(p, w->m, d, w->islands ? k : -1);
  p->wide = d->threadpool && WIDE * bas_threads(d) * p->rows.nefc > d->nefc;
  sol_loadJacobian(p);
  sol_loadInertia(p);
  if (w->scratch) {
    residuals(w, p, w->scratch);
  } else {
    mj_markStack(d);
    residuals(w, p, sol_space(d, 2 * (size_t)p->np));
    mj_freeStack(d);
  }
  const int row = firstRow(p);
  if (w->regrouped) {
    mth_scatter(d->efc_b, w->smooth + row, d->map_iefc2efc + row, p->rows.nefc);
  } else {
    mth_copy(d->efc_b, w->smooth, d->nefc);
  }
  costAt(w, p, w->smooth);
  w->cost[k] = p->cost;
  if (!(w->m->opt.disableflags & mjDSBL_WARMSTART)) costAt(w, p, w->warm);
}

// back to the unconstrained acceleration
static void costOne(void* arg, int i) {
  const Work* w = arg;
  costAt(w, w->problem + problemAt(w, i), w->smooth);
}

// M·qacc_warmstart of the dofs of whole trees
static void momentum(const mjModel* m, mjData* d, mjtNum* Ma, BasPart dofs) {
  SolProblem all;
  sol_problem(&all, m, d, -1);
  sol_mulTrees(&all, Ma, d->qacc_warmstart, dofs);
}

static void momentumPart(const mjModel* m, mjData* d, const SlpPart* part, void* Ma) {
  momentum(m, d, Ma, (BasPart){part->dofs.first, part->dofs.n});
}

// M·qacc_warmstart of all dofs, those of sleepers too
static void warmMomentum(const Work* w, int whole) {
  if (whole) {
    sol_mulM(w->problem, w->Ma, w->scratch + w->problem->np);
    return;
  }
  if (slp_countParts(w->m, w->d) > 1) {
    slp_share(w->m, w->d, momentumPart, w->Ma);
  } else {
    momentum(w->m, w->d, w->Ma, (BasPart){0, (int)w->m->nv});
  }
}

// starts all problems at qacc_warmstart if that is better than qacc_smooth; returns 1 then
static int warmStart(Work* w) {
  const int nv = (int)w->m->nv, n = w->n;
  SolProblem* problem = w->problem;
  mjData* d = w->d;
  if (w->m->opt.disableflags & mjDSBL_WARMSTART) return 0;
  mjtNum smooth = 0;
  for (int k = 0; k < n; k++) smooth += w->cost[k];

  // cost of the last step's acceleration; one problem of all dofs has them in their order
  const int whole = n == 1 && problem->n == nv;
  warmMomentum(w, whole);
  mjtNum warm = 0, rows = 0;
  for (int i = 0; i < nv; i++) {
    warm += 0.5 * (w->Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  }
  for (int k = 0; k < n; k++) rows += problem[k].cost;
  warm += rows;
  if (warm > smooth) {
    bas_share(d, w->mark, costOne, w, n);
    return 0;
  }
  if (!whole) mth_gather(w->grouped, w->Ma, d->map_idof2dof, d->nidof);
  for (int k = 0; k < n; k++) problem[k].Ma = whole ? w->Ma : w->grouped + d->island_idofadr[k];
  return 1;
}

// solves one problem
static void solveOne(void* arg, int i) {
  const Work* w = arg;
  mjData* d = w->d;
  const int k = problemAt(w, i);
  if (w->regrouped) {
    const int dof = d->island_idofadr[k];
    mth_gather(d->iacc + dof, w->start, d->map_idof2dof + dof, d->island_nv[k]);
  }
  sol_primal(w->problem + k, w->m->opt.solver == mjSOL_NEWTON);
  if (w->regrouped) {
    scatterResults(d, k);
  } else if (w->islands) {
    copyResults(d);
  }
}

// All problems, with memory for what they share: all that the caller needs, so that it cannot fail once problems lie on
// the workers' stacks.
static Work openWork(const mjModel* m, mjData* d, const BasStackMark* mark) {
  Work w = {.m = m, .d = d, .n = 1, .mark = mark};
  w.islands = d->nisland > 0 && m->opt.noslip_iterations == 0 && !(m->opt.disableflags & mjDSBL_ISLAND);
  if (w.islands) w.n = d->nisland;
  w.regrouped = w.islands && (w.n > 1 || d->nidof < m->nv);
  w.problem = mj_stackAllocByte(d, sizeof(SolProblem) * (size_t)w.n, _Alignof(SolProblem));
  w.smooth = mj_stackAllocNum(d, (size_t)d->nefc);
  w.warm = mj_stackAllocNum(d, (size_t)d->nefc);
  w.cost = mj_stackAllocNum(d, (size_t)w.n);
  if (!(m->opt.disableflags & mjDSBL_WARMSTART)) {
    w.Ma = sol_space(d, (size_t)m->nv + SOL_PADDING);
    w.grouped = mj_stackAllocNum(d, (size_t)m->nv);
  }
  if (d->threadpool && w.n > 1) {
    w.order = bySize(d);
  } else {
    w.scratch = sol_space(d, 2 * ((size_t)m->nv + SOL_PADDING));
  }
  return w;
}

static void solvePrimal(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  BasStackMark mark;
  bas_stackRemember(d, &mark);
  Work w = openWork(m, d, &mark);
  bas_share(d, w.mark, makeOne, &w, w.n);

  // first accelerations; dofs without constraints stay free
  const int warm = warmStart(&w);
  w.start = warm ? d->qacc_warmstart : d->qacc_smooth;
  if (w.islands) slp_startAccelerations(m, d);
  if (!w.regrouped) {
    mth_copy(d->qacc, w.start, nv);
    for (int i = d->nidof; i < (warm && d->nisland ? nv : 0); i++) {
      d->qacc[d->map_idof2dof[i]] = d->qacc_smooth[d->map_idof2dof[i]];
      w.problem->Ma = NULL;
    }
  }

  // solutions; the problems lie on the stacks of the threads that made them
  bas_share(d, w.mark, solveOne, &w, w.n);
  bas_stackPutBack(d, &mark);
}

//---------------------------------- driver ----------------------------------

int sol_forces(const mjModel* m, mjData* d) {
  if (m->opt.solver != mjSOL_PGS || m->opt.noslip_iterations > 0 || !d->nefc || phy_open(m, d)) return 0;
  mj_markStack(d);
  solveDual(m, d, 1);
  mj_freeStack(d);
  return 1;
}

static void solve(const mjModel* m, mjData* d) {
  slp_zeroDofs(m, d, d->qfrc_constraint);
  memset(d->solver_niter, 0, sizeof(d->solver_niter));

  // inverse dynamics makes rows without the matrix of the dual solvers
  if (!d->nA) mj_projectConstraint(m, d);

  // no constraints: motion is what it is
  if (!d->nefc) {
    slp_startAccelerations(m, d);
    return;
  }
  if (phy_solveContact(m, d)) return;
  mj_markStack(d);
  switch (m->opt.solver) {
    case mjSOL_PGS:
      solveDual(m, d, 0);
      break;
    case mjSOL_CG:
    case mjSOL_NEWTON:
      solvePrimal(m, d);
      break;
    default:
      mju_error("mj_fwdConstraint: unknown solver type %d", m->opt.solver);
  }
  if (m->opt.noslip_iterations > 0) sol_noslip(m, d, m->opt.noslip_iterations);
  mj_freeStack(d);
}

void mj_fwdConstraint(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  d->flg_rnepost = 0;
  solve(m, d);
  bas_timerEnd(d, mjTIMER_CONSTRAINT, start);
}
