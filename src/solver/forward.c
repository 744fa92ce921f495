// mj_fwdConstraint: constraint forces and the accelerations that result, by the solver that the model asks for.
#include <string.h>

#include "base/stack.h"
#include "base/timer.h"
#include "constraint/update.h"
#include "math/simd/kernels.h"
#include "solver/dual.h"
#include "solver/primal.h"

//---------------------------------- warm start ----------------------------------

// where the solver starts, and what is known there
typedef struct {
  const mjtNum* jar;  // (nefc) J·qacc − aref
  const mjtNum* Ma;   // (nv) M·qacc; NULL: not known
} Start;

// forces of the last step, unless no force is better
static void warmForces(const mjModel* m, mjData* d, const mjtNum* jar) {
  const int nefc = d->nefc;
  const ConRowSet rows = con_allRows(d);
  con_update(&rows, jar, 0);
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);

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
  if (cost > 0) {
    mth_zero(d->efc_force, nefc);
    mth_zero(d->qfrc_constraint, (int)m->nv);
  }
}

// the better of the last step's and the unconstrained acceleration
static Start warmAccelerations(const mjModel* m, mjData* d, mjtNum* jar) {
  const int nv = (int)m->nv;
  const ConRowSet rows = con_allRows(d);
  mjtNum warm = con_update(&rows, jar, 0);
  mjtNum* Ma = mj_stackAllocNum(d, (size_t)nv);
  mj_mulM(m, d, Ma, d->qacc_warmstart);
  for (int i = 0; i < nv; i++) {
    warm += 0.5 * (Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  }
  const mjtNum smooth = con_update(&rows, d->efc_b, 0);
  if (!(warm > smooth)) return (Start){jar, Ma};
  mth_copy(d->qacc, d->qacc_smooth, nv);
  return (Start){d->efc_b, NULL};
}

// sets qacc, and efc_force for the dual solver
static Start warmStart(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  if (m->opt.disableflags & mjDSBL_WARMSTART) {
    mth_copy(d->qacc, d->qacc_smooth, nv);
    mth_zero(d->efc_force, d->nefc);
    return (Start){d->efc_b, NULL};
  }

  // residual of the last acceleration
  mth_copy(d->qacc, d->qacc_warmstart, nv);
  mjtNum* jar = mj_stackAllocNum(d, (size_t)d->nefc);
  mj_mulJacVec(m, d, jar, d->qacc_warmstart);
  mth_subFrom(jar, d->efc_aref, d->nefc);
  Start start = {jar, NULL};
  if (m->opt.solver == mjSOL_PGS) {
    warmForces(m, d, jar);
  } else {
    start = warmAccelerations(m, d, jar);
  }

  // dofs without constraints are free
  for (int i = d->nidof; i < (d->nisland ? nv : 0); i++) {
    const int dof = d->map_idof2dof[i];
    d->qacc[dof] = d->qacc_smooth[dof];
  }
  return start;
}

//---------------------------------- islands ----------------------------------

// what changes from step to step, gathered by island
static void gatherInputs(mjData* d) {
  const int n = d->nidof;
  mth_gather(d->ifrc_smooth, d->qfrc_smooth, d->map_idof2dof, n);
  mth_gather(d->iacc_smooth, d->qacc_smooth, d->map_idof2dof, n);
  mth_gather(d->iacc, d->qacc, d->map_idof2dof, n);
  mth_zero(d->ifrc_constraint, n);
  mth_gather(d->iefc_aref, d->efc_aref, d->map_iefc2efc, d->nefc);
}

// results back in their places
static void scatterResults(mjData* d) {
  mth_scatter(d->qacc, d->iacc, d->map_idof2dof, d->nidof);
  mth_scatter(d->qfrc_constraint, d->ifrc_constraint, d->map_idof2dof, d->nidof);
  mth_gather(d->efc_force, d->iefc_force, d->map_efc2iefc, d->nefc);
  for (int i = 0; i < d->nefc; i++) d->efc_state[i] = d->iefc_state[d->map_efc2iefc[i]];
}

static void solveIslands(const mjModel* m, mjData* d, Start start) {
  gatherInputs(d);
  mjtNum* jar = mj_stackAllocNum(d, (size_t)d->nefc);
  mth_gather(jar, start.jar, d->map_iefc2efc, d->nefc);
  mjtNum* Ma = start.Ma ? mj_stackAllocNum(d, (size_t)d->nidof) : NULL;
  if (Ma) mth_gather(Ma, start.Ma, d->map_idof2dof, d->nidof);
  for (int island = 0; island < d->nisland; island++) {
    SolProblem p;
    sol_problem(&p, m, d, island);
    const SolStart from = {jar + d->island_iefcadr[island], Ma ? Ma + d->island_idofadr[island] : NULL};
    sol_primal(&p, from, m->opt.solver == mjSOL_NEWTON);
  }
  scatterResults(d);
}

//---------------------------------- driver ----------------------------------

static void solveAll(const mjModel* m, mjData* d, Start start) {
  SolProblem p;
  switch (m->opt.solver) {
    case mjSOL_PGS:
      sol_pgs(m, d, m->opt.iterations);
      break;
    case mjSOL_CG:
    case mjSOL_NEWTON:
      sol_problem(&p, m, d, -1);
      sol_primal(&p, (SolStart){start.jar, start.Ma}, m->opt.solver == mjSOL_NEWTON);
      break;
    default:
      mju_error("mj_fwdConstraint: unknown solver type %d", m->opt.solver);
  }
}

static void solve(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  mth_zero(d->qfrc_constraint, nv);
  memset(d->solver_niter, 0, sizeof(d->solver_niter));

  // no constraints: motion is what it is
  if (!d->nefc) {
    mth_copy(d->qacc, d->qacc_smooth, nv);
    return;
  }

  // residual of the unconstrained acceleration
  mj_markStack(d);
  mj_mulJacVec(m, d, d->efc_b, d->qacc_smooth);
  mth_subFrom(d->efc_b, d->efc_aref, d->nefc);
  const Start start = warmStart(m, d);

  // islands one by one where the solver can, otherwise everything at once
  const int islands = d->nisland > 0 && m->opt.noslip_iterations == 0 && m->opt.solver != mjSOL_PGS &&
                      !(m->opt.disableflags & mjDSBL_ISLAND);
  if (islands) {
    solveIslands(m, d, start);
  } else {
    solveAll(m, d, start);
  }
  if (m->opt.noslip_iterations > 0) sol_noslip(m, d, m->opt.noslip_iterations);
  mj_freeStack(d);
}

void mj_fwdConstraint(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  solve(m, d);
  bas_timerEnd(d, mjTIMER_CONSTRAINT, start);
}
