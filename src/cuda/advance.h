// The state one step later: Euler with implicit damping, implicitfast, Runge-Kutta.
#pragma once

#include "cuda/newton.h"

//---------------------------------- positions ----------------------------------

// qpos <- qpos moved by velocity over time h
CU_FN void cu_movePositions(const Cu* c, Real* qpos, const Real* qvel, Real h) {
  const CudModel* m = c->m;
  CU_FOR(j, m->njnt) {
    Real* q = qpos + m->jnt_qposadr[j];
    const Real* v = qvel + m->jnt_dofadr[j];
    const int type = m->jnt_type[j];
    if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
      q[0] += h * v[0];
      continue;
    }
    if (type == mjJNT_FREE) {
      cu_addScl3(q, q, v, h);
      q += 3;
      v += 3;
    }
    cu_turnQuat(q, v, h);
  }
  cu_sync();
}

// activations, velocities, then positions, which move with vel
CU_FN void cu_advance(const Cu* c, const Real* act_dot, const Real* qacc, const Real* vel) {
  const CudModel* m = c->m;
  Real* qvel = CU_W(c, qvel);
  CU_FOR(u, m->disableflags & mjDSBL_ACTUATION ? 0 : m->nu) {
    const int a = m->actuator_actadr[u];
    if (a < 0) continue;
    CU_W(c, act)[a] = cu_nextActivation(m, u, CU_W(c, act)[a], m->actuator_off[u] ? 0 : act_dot[a]);
  }
  CU_FOR(i, m->nv) qvel[i] += m->timestep * qacc[i];
  cu_sync();
  cu_movePositions(c, CU_W(c, qpos), vel, m->timestep);
}

//---------------------------------- implicit velocity ----------------------------------

// adds −h ∂force/∂velocity of actuators to H: b Jᵀ J over the entries of M
CU_FN void cu_addActuators(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(e, m->nentry) {
    const int i = m->entry_row[e], j = m->entry_col[e];
    Real sum = 0;
    for (int k = m->dofmom_adr[i]; k < m->dofmom_adr[i + 1]; k++) {
      const Real slope = CU_W(c, force_vel)[m->dofmom_act[k]];
      if (slope == 0) continue;
      for (int l = m->dofmom_adr[j]; l < m->dofmom_adr[j + 1]; l++) {
        if (m->dofmom_act[l] == m->dofmom_act[k]) sum += slope * m->dofmom_coef[k] * m->dofmom_coef[l];
      }
    }
    CU_W(c, H)[cu_at(i, j)] -= m->timestep * sum;
  }
  cu_sync();
}

CU_FN void cu_addTendonDamping(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(e, m->nentry) {
    const int i = m->entry_row[e], j = m->entry_col[e];
    Real sum = 0;
    for (int t = 0; t < m->ntendon; t++) {
      if (m->tendon_damping[t] != 0) sum += m->tendon_damping[t] * cu_tendonAt(m, t, i) * cu_tendonAt(m, t, j);
    }
    CU_W(c, H)[cu_at(i, j)] += m->timestep * sum;
  }
  cu_sync();
}

// acceleration that takes damping implicitly: (M + h B) a = force
CU_FN const Real* cu_dampedAcceleration(const Cu* c) {
  const CudModel* m = c->m;
  const int fast = m->integrator == mjINT_IMPLICITFAST;
  if (!fast && !m->damped) return CU_W(c, qacc);
  Real *H = CU_W(c, H), *a = CU_W(c, damped_acc);
  const int damper = !(m->disableflags & mjDSBL_DAMPER);
  CU_FOR(k, cu_at(m->nv, 0)) H[k] = CU_W(c, M)[k];
  cu_sync();
  CU_FOR(i, m->nv) {
    if (damper) H[cu_at(i, i)] += m->timestep * m->dof_damping[i];
    a[i] = CU_W(c, qfrc_smooth)[i] + CU_W(c, qfrc_constraint)[i];
  }
  cu_sync();
  if (fast && m->nu && !(m->disableflags & mjDSBL_ACTUATION)) cu_addActuators(c);
  if (fast && damper && m->springy) cu_addTendonDamping(c);
  cu_factorSolve(c, m->at.H, a);
  return a;
}
