// One simulation: read its state, run steps, write it back.
#pragma once

#include "cuda/advance.h"
#include "cuda/list.h"
#include "cuda/own.h"
#include "cuda/reset.h"
#include "cuda/sensor.h"

//---------------------------------- where the time goes ----------------------------------

#ifdef __CUDACC__
#define CU_CLOCK() (long long)clock64()
#else
#define CU_CLOCK() 0
#endif

// ends a stage: adds the cycles since *since to it, where somebody asked for them
CU_FN void cu_lap(const Cu* c, int stage, long long* since) {
  cu_together();
  if (!c->t->cycles) return;
  cu_sync();
#ifdef __CUDACC__
  const long long now = CU_CLOCK();
  if (cu_lane() == 0) atomicAdd((unsigned long long*)c->t->cycles + stage, (unsigned long long)(now - *since));
  *since = now;
#else
  *since = 0;
  c->t->cycles[stage]++;
#endif
}

//---------------------------------- forward ----------------------------------

CU_FN void cu_forward(Cu* c) {
  const CudModel* m = c->m;
  const int free = m->disableflags & mjDSBL_CONSTRAINT, touches = !free && !(m->disableflags & mjDSBL_CONTACT);
  long long since = CU_CLOCK();
  cu_kinematics(c);
  if (m->ntendon && !CU_HAS(m->spatial)) cu_fixedTendons(c);
#if CU_FAR
  if (m->nflex) CU_RARE(c, cu_flexPlaces);
#endif
  cu_lap(c, CUD_KIN, &since);
  cu_centers(c);
  if (CU_HAS(m->spatial)) CU_RARE(c, cu_allTendons);
  cu_lap(c, CUD_COM, &since);
  cu_inertia(c);
  if (CU_HAS(m->armed)) CU_RARE(c, cu_addArmature);
  cu_lap(c, CUD_CRB, &since);
  cu_velocity(c);
  if (CU_HAS(m->armed)) CU_RARE(c, cu_tendonBias);
  if (CU_HAS(m->medium || m->derives)) CU_RARE(c, cu_bodyForces);
#if CU_FAR
  if (m->nflex) CU_RARE(c, cu_flexForces);
#endif
  cu_lap(c, CUD_VEL, &since);

  // contacts come after forces, unless an actuator acts along them; a loop, so that the code is there once
  int rows = 0;
  c->ncon = c->nrow = c->ne = c->nf = c->ncontactrow = 0;
  CU_LOOP for (int k = 0; k < 2; k++) {
    if (k == !CU_HAS(m->adheres)) {
      if (touches) rows = cu_collide(c);
      cu_lap(c, CUD_COLLIDE, &since);
    } else {
      cu_smoothForces(c);
      cu_smoothAcceleration(c);
      cu_lap(c, CUD_FORCE, &since);
    }
  }
  if (!free) cu_rows(c, rows);
  if (CU_HAS(c->watches && c->t->out.kept)) CU_RARE(c, cu_keepContacts);
  cu_lap(c, CUD_ROWS, &since);
  cu_newton(c);
#if CU_FAR
  c->first = m->dof_first;
#endif
  cu_lap(c, CUD_SOLVE, &since);
  if (CU_HAS(c->watches && c->t->out.kept)) CU_RARE(c, cu_keepForces);
  if (CU_HAS(c->watches && c->t->ntable)) {
    CU_RARE(c, cu_writeLists);
    if (c->ncon > c->t->leastcon || c->nrow > c->t->leastrow) c->status |= CUD_SHORT;
  }
  cu_givePiece(c);
}

// the next solve starts where the last one ended
CU_FN void cu_keepStart(const Cu* c) {
  CU_FOR(i, c->m->nv) CU_W(c, warmstart)[i] = CU_W(c, qacc)[i];
  cu_sync();
}

//---------------------------------- Runge-Kutta ----------------------------------

// adds the present rate to the weighted sums
CU_FN void cu_addRate(const Cu* c, Real weight) {
  const CudModel* m = c->m;
  CU_FOR(i, m->nv) {
    CU_W(c, rk_dqpos)[i] += weight * CU_W(c, qvel)[i];
    CU_W(c, rk_dqvel)[i] += weight * CU_W(c, qacc)[i];
  }
  CU_FOR(i, m->na) CU_W(c, rk_dact)[i] += weight * CU_W(c, act_dot)[i];
  cu_sync();
}

// the state at the start of the step, moved by a fraction of it with the present rate
CU_FN void cu_stageState(const Cu* c, Real fraction) {
  const CudModel* m = c->m;
  Real *qpos = CU_W(c, qpos), *qvel = CU_W(c, qvel);
  CU_FOR(i, m->nq) qpos[i] = CU_W(c, rk_qpos)[i];
  cu_sync();
  cu_movePositions(c, qpos, qvel, fraction * m->timestep);
  CU_FOR(i, m->nv) qvel[i] = CU_W(c, rk_qvel)[i] + m->timestep * fraction * CU_W(c, qacc)[i];
  CU_FOR(i, m->na) CU_W(c, act)[i] = CU_W(c, rk_act)[i] + m->timestep * fraction * CU_W(c, act_dot)[i];
  cu_sync();
}

// remembers the state at the start of the step
CU_FN void cu_keepState(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(i, m->nq) CU_W(c, rk_qpos)[i] = CU_W(c, qpos)[i];
  CU_FOR(i, m->nv) {
    CU_W(c, rk_qvel)[i] = CU_W(c, qvel)[i];
    CU_W(c, rk_dqpos)[i] = CU_W(c, rk_dqvel)[i] = 0;
  }
  CU_FOR(i, m->na) {
    CU_W(c, rk_act)[i] = CU_W(c, act)[i];
    CU_W(c, rk_dact)[i] = 0;
  }
  cu_sync();
}

//---------------------------------- state ----------------------------------

// 1: all are usable numbers
CU_FN int cu_good(const Real* x, int n) {
  int bad = 0;
  CU_FOR(i, n) bad |= !(cu_abs(x[i]) <= R_(mjMAXVAL));
  return !cu_any(bad);
}

CU_FN void cu_load(const Cu* c) {
  const CudModel* m = c->m;
  const CudState* s = &c->t->state;
  CU_FOR(i, m->nq) CU_W(c, qpos)[i] = s->qpos[(int64_t)c->sim * m->nq + i];
  CU_FOR(i, m->nvs) {
    const int64_t at = (int64_t)c->sim * m->nv + i;
    CU_W(c, qvel)[i] = i < m->nv ? s->qvel[at] : 0;
    CU_W(c, warmstart)[i] = i < m->nv ? s->qacc_warmstart[at] : 0;
  }
  CU_FOR(i, m->na) CU_W(c, act)[i] = s->act[(int64_t)c->sim * m->na + i];
  cu_sync();
}

CU_FN void cu_store(const Cu* c, int steps) {
  const CudModel* m = c->m;
  const CudState* s = &c->t->state;
  CU_FOR(i, m->nq) s->qpos[(int64_t)c->sim * m->nq + i] = CU_W(c, qpos)[i];
  CU_FOR(i, m->nv) {
    const int64_t at = (int64_t)c->sim * m->nv + i;
    s->qvel[at] = CU_W(c, qvel)[i];
    s->qacc_warmstart[at] = CU_W(c, warmstart)[i];
  }
  CU_FOR(i, m->na) s->act[(int64_t)c->sim * m->na + i] = CU_W(c, act)[i];
  CU_FOR(i, 1) {
    // as the CPU adds it up
    Real time = s->time[c->sim];
    for (int k = 0; k < steps; k++) time += m->timestep;
    s->time[c->sim] = time;
  }
}

// results that belong to the last forward pass
CU_FN void cu_report(const Cu* c) {
  const CudModel* m = c->m;
  CU_OUT(c, qacc, CU_W(c, qacc), m->nv);
  CU_OUT(c, qfrc_constraint, CU_W(c, qfrc_constraint), m->nv);
  CU_FOR(i, 1) {
    if (c->t->out.ncon) c->t->out.ncon[c->sim] = c->ncon;
    if (c->t->out.nefc) c->t->out.nefc[c->sim] = c->nrow;
    if (c->t->out.niter) c->t->out.niter[c->sim] = c->niter;
  }
}

//---------------------------------- steps ----------------------------------

// 0: the state is unusable, and stays what it was before the call
CU_FN int cu_step(Cu* c) {
  const CudModel* m = c->m;
  const int stages = m->nrk && c->t->substeps ? 4 : 1;
  if (!cu_good(CU_W(c, qpos), m->nq)) c->status |= CUD_BAD_QPOS;
  if (!cu_good(CU_W(c, qvel), m->nv)) c->status |= CUD_BAD_QVEL;
  if (c->status & (CUD_BAD_QPOS | CUD_BAD_QVEL)) return 0;

  // one evaluation, or the four of Runge-Kutta at 0, 1/2, 1/2, 1 with weights 1/6, 1/3, 1/3, 1/6
  if (stages > 1) cu_keepState(c);
  for (int k = 0; k < stages; k++) {
    if (k) cu_stageState(c, k < 3 ? R_(0.5) : R_(1));
    c->watches = c->last && !k && c->t->watching;
    cu_forward(c);
    if (!cu_good(CU_W(c, qacc), m->nv)) c->status |= CUD_BAD_QACC;
    if (c->status & (CUD_BAD_QACC | CUD_FULL)) return 0;
    if (CU_HAS(c->watches)) CU_RARE(c, cu_watch);
    if (!c->t->substeps) return 1;

    // on the CPU all evaluations of a step start from the step before, which solvers that end early depend on
    if (k == stages - 1 || m->solver == mjSOL_NEWTON) cu_keepStart(c);
    if (stages > 1) cu_addRate(c, k == 0 || k == 3 ? R_(1.0 / 6) : R_(1.0 / 3));
  }

  long long since = CU_CLOCK();
  if (stages > 1) {
    CU_FOR(i, m->nq) CU_W(c, qpos)[i] = CU_W(c, rk_qpos)[i];
    CU_FOR(i, m->nv) CU_W(c, qvel)[i] = CU_W(c, rk_qvel)[i];
    CU_FOR(i, m->na) CU_W(c, act)[i] = CU_W(c, rk_act)[i];
    cu_sync();
    cu_advance(c, CU_W(c, rk_dact), CU_W(c, rk_dqvel), CU_W(c, rk_dqpos));
  } else {
    cu_advance(c, CU_W(c, act_dot), cu_dampedAcceleration(c), CU_W(c, qvel));
  }
  cu_lap(c, CUD_ADVANCE, &since);
  return 1;
}

// all steps of one simulation
CU_FN void cu_simulate(Cu* c) {
  const int steps = c->t->substeps;
  int good = 1;
  c->status = CU_FAR ? CUD_DISTANT : 0;
#if CU_OWN
  if (c->t->own.model) {
    CU_RARE(c, cu_openOwn);
    c->m = c->t->own.model + c->sim;
  }
#endif
#if CU_FAR
  c->first = c->m->dof_first;
#endif
  if (CU_ALL && cu_resets(c)) return;
  cu_load(c);
  for (c->step = 0; c->step < (steps ? steps : 1) && good; c->step++) {
    c->last = c->step >= steps - 1;
    good = cu_step(c);
  }
  cu_report(c);
  if (good && steps) cu_store(c, steps);
  CU_FOR(i, 1) c->t->status[c->sim] = c->status;
}
