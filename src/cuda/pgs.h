// Projected Gauss-Seidel, as in solver/pgs.c: constraint by constraint, in the order of the CPU, the force that
// minimises the dual cost ½ fᵀ(A + R)f + fᵀb with all others fixed.
//
// A = J M⁻¹ Jᵀ is never made. Beside each row of J lies a row of W = J M⁻¹; with v = Wᵀf, what all forces give, the
// residual of a row is J v + R f + b, and a force that changes by δ adds δ W to v.
#pragma once

#include "cuda/cone.h"

#if CU_ALL

#define SOL_GPU
#include "solver/dual_body.h"

// a change for the worse beyond this is undone
#define CU_WORSE 1e-10

// row of W; its place is beside the Jacobians
CU_FN Real* cu_invRow(const Cu* c, int r) {
  const CudModel* m = c->m;
  if (!c->spills || r < m->maxrow) return CU_W(c, row) + (m->maxrow + r) * m->nvs;
  return cu_moreRows(c) + (m->morerow + r - m->maxrow) * m->nvs;
}

// J of one row times W of another, or any vector of that length, by all lanes
CU_FN Real cu_dualDot(const Cu* c, int r, const Real* v) {
  return cu_dotN(cu_J(c, r), v, c->m->nvs);
}

CU_FN Real cu_regularOf(const Cu* c, int r) {
  return 1 / *cu_row(c, CUD_D, r);
}

// what the forces of a row add to v
CU_FN void cu_dualMove(const Cu* c, int r, Real delta) {
  Real* v = CU_W(c, search);
  const Real* W = cu_invRow(c, r);
  CU_FOR(i, c->m->nvs) v[i] += delta * W[i];
  cu_sync();
}

CU_FN Real cu_dualResidual(const Cu* c, int r) {
  return cu_dualDot(c, r, CU_W(c, search)) + cu_regularOf(c, r) * *cu_row(c, CUD_FRC, r) + *cu_row(c, CUD_JAR, r);
}

//---------------------------------- begin ----------------------------------

// W, and the diagonal of A + R in CUD_JV; the factor of M stays in H
CU_FN void cu_dualRows(Cu* c) {
  const CudModel* m = c->m;
  Real* H = CU_W(c, H);
#if CU_FAR
  c->first = m->dof_first;
#endif
  CU_FOR(k, cu_at(m->nv, 0)) H[k] = CU_W(c, M)[k];
  cu_sync();
  cu_factorOf(c, H);
  CU_LOOP for (int r = 0; r < c->nrow; r++) {
    Real* W = cu_invRow(c, r);
    CU_FOR(i, m->nvs) W[i] = cu_J(c, r)[i];
    cu_sync();
    cu_solveWith(c, H, W);
    const Real diag = cu_dualDot(c, r, W) + cu_regularOf(c, r);
    CU_FOR(k, 1) * cu_row(c, CUD_JV, r) = diag;
  }
  cu_sync();
}

// forces of the last step, unless no force is better; CUD_JAR has b from here on
CU_FN void cu_dualStart(Cu* c) {
  const CudModel* m = c->m;
  const int warm = !(m->disableflags & mjDSBL_WARMSTART);
  Real *v = CU_W(c, search), cost = 0;
  if (warm) {
    CU_FOR(r, c->nrow) * cu_row(c, CUD_JAR, r) = cu_mulRow(c, r, CU_W(c, warmstart)) - *cu_row(c, CUD_AREF, r);
    cu_sync();
    cu_rowForces(c);
  }
  CU_FOR(r, c->nrow) {
    *cu_row(c, CUD_JAR, r) = cu_mulRow(c, r, CU_W(c, qacc_smooth)) - *cu_row(c, CUD_AREF, r);
    if (!warm) *cu_row(c, CUD_FRC, r) = 0;
  }
  CU_FOR(i, m->nvs) v[i] = 0;
  cu_sync();
  CU_FOR(i, m->nv) {
    for (int r = 0; r < c->nrow; r++) v[i] += *cu_row(c, CUD_FRC, r) * cu_invRow(c, r)[i];
  }
  cu_sync();
  CU_FOR(r, c->nrow) {
    const Real f = *cu_row(c, CUD_FRC, r);
    cost += f * (*cu_row(c, CUD_JAR, r) + R_(0.5) * (cu_mulRow(c, r, v) + cu_regularOf(c, r) * f));
  }
  if (!(cu_sum(cost) > 0)) return;
  cu_sync();
  CU_FOR(r, c->nrow) * cu_row(c, CUD_FRC, r) = 0;
  CU_FOR(i, m->nvs) v[i] = 0;
  cu_sync();
}

//---------------------------------- sweep ----------------------------------

// one row with bounds; returns the change of the cost
CU_FN Real cu_scalarUpdate(const Cu* c, int r, int kind) {
  const Real res = cu_dualResidual(c, r), old = *cu_row(c, CUD_FRC, r), diag = *cu_row(c, CUD_JV, r);
  const Real loss = *cu_row(c, CUD_LOSS, r);
  Real force = old - res / diag;
  if (kind == CUD_ONESIDED) {
    force = cu_max(force, 0);
  } else if (kind == CUD_DRY) {
    force = cu_clip(force, -loss, loss);
  }
  const Real delta = force - old, change = delta * (R_(0.5) * diag * delta + res);
  cu_sync();
  if (change > R_(CU_WORSE)) return 0;
  CU_FOR(k, 1) * cu_row(c, CUD_FRC, r) = force;
  if (delta != 0) cu_dualMove(c, r, delta);
  cu_sync();
  return change;
}

// one contact with an elliptic cone, whose first row is r; every lane computes it
CU_CALL Real cu_coneUpdate(const Cu* c, int r, int dim) {
  const CudModel* m = c->m;
  const Real* friction = m->param_friction + 5 * (int)*cu_row(c, CUD_OF, r);
  mjtNum A[36] = {0}, res[6] = {0}, force[6] = {0}, mu[5] = {0};
  Real old[6] = {0};
  for (int i = 0; i < dim; i++) {
    res[i] = cu_dualResidual(c, r + i);
    force[i] = old[i] = *cu_row(c, CUD_FRC, r + i);
    if (i) mu[i - 1] = friction[i - 1];
    for (int k = 0; k <= i; k++) {
      A[i * dim + k] = A[k * dim + i] = cu_dualDot(c, r + i, cu_invRow(c, r + k));
    }
    A[i * (dim + 1)] = *cu_row(c, CUD_JV, r + i);
  }
  const mjtNum change = sol_dualCone(force, A, res, mu, 1 / A[0], dim);
  cu_sync();
  for (int i = 0; i < dim; i++) {
    const Real delta = (Real)force[i] - old[i];
    CU_FOR(k, 1) * cu_row(c, CUD_FRC, r + i) = (Real)force[i];
    if (delta != 0) cu_dualMove(c, r + i, delta);
  }
  cu_sync();
  return (Real)change;
}

// all constraints in turn; returns the improvement
CU_FN Real cu_sweep(const Cu* c) {
  Real improvement = 0;
  CU_LOOP for (int r = 0; r < c->nrow;) {
    const int kind = cu_kind(c, r);
    if (kind == CUD_CONE) {
      const int dim = c->m->param_dim[(int)*cu_row(c, CUD_OF, r)];
      improvement -= cu_coneUpdate(c, r, dim);
      r += dim;
    } else {
      improvement -= cu_scalarUpdate(c, r++, kind);
    }
  }
  return improvement;
}

//---------------------------------- end ----------------------------------

// which rows act, and what they come to
CU_FN void cu_dualFinish(const Cu* c) {
  const CudModel* m = c->m;
  Real *qfrc = CU_W(c, qfrc_constraint), *acc = CU_W(c, search);
  CU_FOR(r, c->nrow) {
    const int kind = cu_kind(c, r);
    const Real f = *cu_row(c, CUD_FRC, r), loss = *cu_row(c, CUD_LOSS, r);
    const int acts = kind == CUD_EQUALITY || (kind == CUD_DRY ? cu_abs(f) < loss : kind == CUD_ONESIDED && f > 0);
    *cu_row(c, CUD_ACTIVE, r) = acts ? *cu_row(c, CUD_D, r) : R_(0);
  }
  CU_FOR(i, m->nvs) {
    Real force = 0;
    for (int r = 0; r < c->nrow; r++) force += cu_J(c, r)[i] * *cu_row(c, CUD_FRC, r);
    if (i < m->nv) qfrc[i] = force;
    acc[i] = force;
  }
  cu_sync();
  cu_solveWith(c, CU_W(c, H), acc);
  CU_FOR(i, m->nvs) CU_W(c, qacc)[i] = i < m->nv ? CU_W(c, qacc_smooth)[i] + acc[i] : 0;
  cu_sync();
}

// qacc and qfrc_constraint where there are rows
CU_FN void cu_pgs(Cu* c) {
  const CudModel* m = c->m;
  const Real scale = 1 / (m->meaninertia * (m->nv > 1 ? m->nv : 1));
  cu_dualRows(c);
  cu_dualStart(c);
  while (c->niter < m->iterations) {
    const Real improvement = scale * cu_sweep(c);
    c->niter++;
    if (improvement < m->tolerance) break;
  }
  cu_dualFinish(c);
}

#endif
