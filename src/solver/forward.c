// mj_fwdConstraint: constraint forces and the accelerations that result, by the solver that the model asks for.
//
// The primal solvers work on problems: one per island, or one for everything. They start from the better of the last
// step's and the unconstrained acceleration; which is better is decided for all islands together.
#include <string.h>

#include "base/stack.h"
#include "base/thread.h"
#include "base/timer.h"
#include "constraint/update.h"
#include "math/simd/kernels.h"
#include "physics/physics.h"
#include "sleep/sleep.h"
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

// what changes from step to step, gathered by island
static void gatherInputs(mjData* d) {
  const int n = d->nidof;
  mth_gather(d->ifrc_smooth, d->qfrc_smooth, d->map_idof2dof, n);
  mth_gather(d->iacc_smooth, d->qacc_smooth, d->map_idof2dof, n);
  mth_gather(d->iefc_aref, d->efc_aref, d->map_iefc2efc, d->nefc);
}

// results back in their places; where one island has all dofs they are there already, and its arrays get copies
static void scatterResults(mjData* d, int regrouped) {
  if (!regrouped) {
    if (!d->iacc) return;
    const int n = d->nidof, nefc = d->nefc;
    mth_copy(d->ifrc_smooth, d->qfrc_smooth, n);
    mth_copy(d->iacc_smooth, d->qacc_smooth, n);
    mth_copy(d->iefc_aref, d->efc_aref, nefc);
    mth_copy(d->iacc, d->qacc, n);
    mth_copy(d->ifrc_constraint, d->qfrc_constraint, n);
    mth_copy(d->iefc_force, d->efc_force, nefc);
    memcpy(d->iefc_state, d->efc_state, sizeof(int) * (size_t)nefc);
    return;
  }
  mth_scatter(d->qacc, d->iacc, d->map_idof2dof, d->nidof);
  mth_scatter(d->qfrc_constraint, d->ifrc_constraint, d->map_idof2dof, d->nidof);
  for (int i = 0; i < d->nefc; i++) {
    const int from = d->map_efc2iefc[i];
    d->efc_force[i] = d->iefc_force[from];
    d->efc_state[i] = d->iefc_state[from];
  }
}

//---------------------------------- primal ----------------------------------

// residuals of all problems at both candidates, in the problems' order
typedef struct {
  mjtNum* smooth;   // J·qacc_smooth − aref
  mjtNum* warm;     // J·qacc_warmstart − aref
  mjtNum* scratch;  // room for two padded vectors; then both candidates of the last problem
} Residuals;

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

// residuals of one problem at both candidates
static void residuals(const SolProblem* p, const Residuals* res) {
  const int row = firstRow(p);
  mjtNum* const scratch = res->scratch;
  mjtNum* const to[2] = {res->smooth + row, res->warm + row};
  padded(scratch, p, p->d->qacc_smooth);
  padded(scratch + p->np, p, p->d->qacc_warmstart);
  p->k->mulJ2(to, &p->J, (const mjtNum* const[]){scratch, scratch + p->np}, p->aref);
}

// cost of the rows of all problems at the given residuals; forces and states are left there
static mjtNum costOf(SolProblem* problem, int n, const mjtNum* res, int newton) {
  mjtNum total = 0;
  for (int k = 0; k < n; k++) {
    SolProblem* p = problem + k;
    p->jar = res + firstRow(p);
    p->cost = sol_update(p, p->jar, newton);
    total += p->cost;
  }
  return total;
}

// M·qacc_warmstart of all dofs
static mjtNum* warmMomentum(const mjModel* m, mjData* d, const SolProblem* problem, int whole, const Residuals* res) {
  mjtNum* Ma = sol_space(d, (size_t)m->nv + SOL_PADDING);
  if (whole) {
    sol_mulM(problem, Ma, res->scratch + problem->np);
  } else {
    SolProblem all;
    sol_problem(&all, m, d, -1);
    sol_mulM(&all, Ma, d->qacc_warmstart);
  }
  return Ma;
}

// starts all problems at qacc_warmstart if that is better than qacc_smooth; returns 1 then
static int warmStart(const mjModel* m, mjData* d, SolProblem* problem, int n, const Residuals* res) {
  const int nv = (int)m->nv, newton = m->opt.solver == mjSOL_NEWTON;
  const mjtNum smooth = costOf(problem, n, res->smooth, newton);
  if (m->opt.disableflags & mjDSBL_WARMSTART) return 0;

  // cost of the last step's acceleration; one problem of all dofs has them in their order
  const int whole = n == 1 && problem->n == nv;
  mjtNum* Ma = warmMomentum(m, d, problem, whole, res);
  mjtNum warm = 0;
  for (int i = 0; i < nv; i++) {
    warm += 0.5 * (Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  }
  warm += costOf(problem, n, res->warm, newton);
  if (warm > smooth) {
    costOf(problem, n, res->smooth, newton);
    return 0;
  }
  mjtNum* grouped = whole ? Ma : mj_stackAllocNum(d, (size_t)nv);
  if (!whole) mth_gather(grouped, Ma, d->map_idof2dof, d->nidof);
  for (int k = 0; k < n; k++) problem[k].Ma = grouped + (whole ? 0 : d->island_idofadr[k]);
  return 1;
}

// solves one problem, on whichever thread
static void solveOne(void* problems, int k) {
  SolProblem* p = (SolProblem*)problems + k;
  sol_primal(p, p->m->opt.solver == mjSOL_NEWTON);
}

// Islands share nothing that they write, so they can be solved in any order by any thread with the same result. An
// island that fails raises when all have ended; what it left on the stack of its thread is dropped.
static void solveThreaded(mjData* d, SolProblem* problem, int n) {
  BasStackMark mark;
  bas_stackRemember(d, &mark);
  char message[BAS_MESSAGE];
  const BasWork work = {.run = solveOne, .arg = problem, .n = n};
  if (bas_runAll((mjThreadPool*)d->threadpool, &work, message) < 0) return;
  bas_stackPutBack(d, &mark);
  mju_error_raw(message);
}

static void solvePrimal(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  const int islands = d->nisland > 0 && m->opt.noslip_iterations == 0 && !(m->opt.disableflags & mjDSBL_ISLAND);
  const int n = islands ? d->nisland : 1, regrouped = islands && (n > 1 || d->nidof < nv);
  if (regrouped) gatherInputs(d);

  // problems and their residuals
  SolProblem* problem = mj_stackAllocByte(d, sizeof(SolProblem) * (size_t)n, _Alignof(SolProblem));
  const Residuals res = {mj_stackAllocNum(d, (size_t)d->nefc), mj_stackAllocNum(d, (size_t)d->nefc),
                         sol_space(d, 2 * ((size_t)nv + SOL_PADDING))};
  for (int k = 0; k < n; k++) {
    sol_problem(problem + k, m, d, islands ? k : -1);
    sol_loadJacobian(problem + k);
    sol_loadInertia(problem + k);
    residuals(problem + k, &res);
  }
  if (regrouped) {
    mth_gather(d->efc_b, res.smooth, d->map_efc2iefc, d->nefc);
  } else {
    mth_copy(d->efc_b, res.smooth, d->nefc);
  }

  // first accelerations; dofs without constraints stay free
  const int warm = warmStart(m, d, problem, n, &res);
  const mjtNum* start = warm ? d->qacc_warmstart : d->qacc_smooth;
  if (islands) slp_startAccelerations(m, d);
  if (regrouped) {
    mth_gather(d->iacc, start, d->map_idof2dof, d->nidof);
  } else {
    mth_copy(d->qacc, start, nv);
    for (int i = d->nidof; i < (warm && d->nisland ? nv : 0); i++) {
      d->qacc[d->map_idof2dof[i]] = d->qacc_smooth[d->map_idof2dof[i]];
      problem->Ma = NULL;
    }
  }

  // solutions
  if (d->threadpool && n > 1) {
    solveThreaded(d, problem, n);
  } else {
    for (int k = 0; k < n; k++) solveOne(problem, k);
  }
  if (islands) scatterResults(d, regrouped);
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
