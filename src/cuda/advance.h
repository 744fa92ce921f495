// The state one step later: Euler with implicit damping, implicit, implicitfast, Runge-Kutta.
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

#if CU_FAR

// change of an edge's length per unit of a dof's velocity
CU_FN Real cu_edgeAt(const Cu* c, int e, int dof) {
  const CudModel* m = c->m;
  int vert[2];
  Real u[3], lin[3], sum = 0;
  cu_edge(c, e, vert, u);
  for (int k = 0; k < 2; k++) {
    if (!cu_moves(m, m->flex_vertbodyid[vert[k]], dof)) continue;
    cu_pointMotion(c, dof, CU_W(c, vert) + 3 * vert[k], lin);
    sum += (k ? 1 : -1) * cu_dot3(u, lin);
  }
  return sum;
}

// dampers along edges of flexes at an entry
CU_FN Real cu_edgeDamping(const Cu* c, int i, int j) {
  const CudModel* m = c->m;
  Real sum = 0;
  CU_LOOP for (int k = m->dofedge_adr[i]; k < m->dofedge_adr[i + 1]; k++) {
    const int e = m->dofedge[k];
    sum += m->flex_edgedamping[m->edge_flex[e]] * cu_edgeAt(c, e, i) * cu_edgeAt(c, e, j);
  }
  return sum;
}

#endif

// −∂force/∂velocity of dampers and actuators: Σ b Jᵀ J at an entry
CU_FN Real cu_dampingAt(const Cu* c, int i, int j) {
  const CudModel* m = c->m;
  const int damper = !(m->disableflags & mjDSBL_DAMPER), acts = m->nu && !(m->disableflags & mjDSBL_ACTUATION);
  Real sum = damper && i == j ? m->dof_damping[i] : R_(0);
  const int end = acts ? m->dofmom_adr[i + 1] : 0;
  for (int k = acts ? m->dofmom_adr[i] : 0; k < end; k++) {
    const Real slope = CU_W(c, force_vel)[m->dofmom_act[k]];
    if (slope == 0) continue;
    for (int l = m->dofmom_adr[j]; l < m->dofmom_adr[j + 1]; l++) {
      if (m->dofmom_act[l] == m->dofmom_act[k]) sum -= slope * cu_dofMoment(c, k) * cu_dofMoment(c, l);
    }
  }
  for (int t = 0; t < (damper && m->springy ? m->ntendon : 0); t++) {
    if (m->tendon_damping[t] != 0) sum += m->tendon_damping[t] * cu_tendonAt(c, t, i) * cu_tendonAt(c, t, j);
  }
#if CU_FAR
  if (damper && m->edgedamped) sum += cu_edgeDamping(c, i, j);
#endif
  return sum;
}

// x <- A⁻¹ x for a square matrix, which is overwritten: elimination without pivots, as on the CPU
CU_CALL void cu_eliminate(Real* A, Real* x, int n) {
  for (int k = 0; k < n; k++) {
    const Real inverse = 1 / A[k * n + k];
    CU_FOR(i, n) {
      if (i <= k || A[i * n + k] == 0) continue;
      const Real factor = A[i * n + k] * inverse;
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
    cu_sync();
  }
  for (int k = n - 1; k >= 0; k--) {
    const Real value = x[k] / A[k * n + k];
    cu_sync();
    CU_FOR(i, k + 1) {
      if (i < k) x[i] -= A[i * n + k] * value;
      if (i == k) x[k] = value;
    }
    cu_sync();
  }
}

// with the Coriolis terms: (M − h D) a = force, D general; entries that couple different branches are left out
CU_CALL void cu_solveImplicit(const Cu* c) {
  const CudModel* m = c->m;
  const int n = m->nv;
  Real* A = CU_W(c, qDeriv);
  CU_FOR(e, n * n) {
    const int i = e / n, j = e % n, low = i > j ? i : j, high = i > j ? j : i;
    if (!cu_moves(m, m->dof_bodyid[low], high)) continue;
    A[e] = CU_W(c, M)[cu_at(low, high)] - m->timestep * (A[e] - cu_dampingAt(c, i, j));
  }
  cu_sync();
  cu_eliminate(A, CU_W(c, damped_acc), n);
}

#if CU_FAR
#include "cuda/flex_implicit.h"
#endif

// acceleration that takes damping implicitly: (M + h B) a = force
CU_FN const Real* cu_dampedAcceleration(const Cu* c) {
  const CudModel* m = c->m;
  const int fast = m->integrator == mjINT_IMPLICITFAST, general = CU_HAS(m->integrator == mjINT_IMPLICIT);
  if (!fast && !general && !m->damped) return CU_W(c, qacc);
  Real *H = CU_W(c, H), *a = CU_W(c, damped_acc);
  CU_FOR(i, m->nv) a[i] = CU_W(c, qfrc_smooth)[i] + CU_W(c, qfrc_constraint)[i];
  if (general) {
    cu_sync();
    CU_RARE(c, cu_solveImplicit);
    return a;
  }
  CU_FOR(k, cu_at(m->nv, 0)) H[k] = CU_W(c, M)[k];
  cu_sync();
  if (fast) {
    CU_FOR(e, m->nentry) {
      const int i = m->entry_row[e], j = m->entry_col[e];
      Real slope = cu_dampingAt(c, i, j);
      if (CU_HAS(m->derives)) slope -= CU_W(c, qDeriv)[i * m->nv + j];
      H[cu_at(i, j)] += m->timestep * slope;
    }
  } else {
    CU_FOR(i, m->nv) H[cu_at(i, i)] += m->timestep * m->dof_damping[i];
  }
  cu_sync();
  cu_factorSolve(c, m->at.H, a);
#if CU_FAR
  if (fast && m->nblock) CU_RARE(c, cu_solveBlock);
#endif
  return a;
}
