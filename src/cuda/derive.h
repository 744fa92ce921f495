// Derivatives of forces on bodies by velocity, for the implicit integrators, as derivative/body.c has them: matrices of
// bodies are summed over subtrees, and
//   ∂τ_i/∂q̇_k = S_i · (P S_k − I g_k)
// with P and I of the subtree of the deeper dof. implicitfast leaves out the Coriolis terms and is symmetric.
#pragma once

#include "cuda/medium.h"

// a × x as a matrix
CU_FN void cu_crossMatrix(Real r[9], const Real a[3]) {
  cu_set3(r, 0, -a[2], a[1]);
  cu_set3(r + 3, a[2], 0, -a[0]);
  cu_set3(r + 6, -a[1], a[0], 0);
}

CU_FN void cu_mulMatMat3(Real r[9], const Real a[9], const Real b[9]) {
  for (int i = 0; i < 9; i++)
    r[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
}

// P += N + Nᵀ − H with N = I [v×] and H x = x ×* I v
CU_CALL void cu_addCoriolis(Real* P, const Real* inertia, const Real vel[6]) {
  const Real J[9] = {inertia[0], inertia[3], inertia[4], inertia[3], inertia[1],
                     inertia[5], inertia[4], inertia[5], inertia[2]};
  Real W[9], U[9], K[9], JW[9], KU[9], KW[9], N[36], momentum[6], nx[9], fx[9];
  cu_crossMatrix(W, vel);
  cu_crossMatrix(U, vel + 3);
  cu_crossMatrix(K, inertia + 6);
  cu_mulMatMat3(JW, J, W);
  cu_mulMatMat3(KU, K, U);
  cu_mulMatMat3(KW, K, W);
  for (int i = 0; i < 9; i++) {
    const int r = i / 3, k = i % 3;
    N[6 * r + k] = JW[i] + KU[i];
    N[6 * r + 3 + k] = KW[i];
    N[6 * (3 + r) + k] = inertia[9] * U[i] - KW[i];
    N[6 * (3 + r) + 3 + k] = inertia[9] * W[i];
  }
  cu_mulInertia(momentum, inertia, vel);
  cu_crossMatrix(nx, momentum);
  cu_crossMatrix(fx, momentum + 3);
  for (int i = 0; i < 36; i++) {
    const int r = i / 6, k = i % 6, at = 3 * (r % 3) + k % 3;
    P[i] += N[i] + N[6 * k + r] + (r < 3 && k < 3 ? nx[at] : r < 3 || k < 3 ? fx[at] : R_(0));
  }
}

// g of a dof: twice the rate of its axis, and the rotation of its own joint where three axes share one rate
CU_FN void cu_accelerationTerm(const Cu* c, int i, Real g[6]) {
  const CudModel* m = c->m;
  const Real *cdof = CU_W(c, cdof), *rate = CU_W(c, cdof_dot) + 6 * i, *qvel = CU_W(c, qvel);
  const int j = m->dof_jntid[i], type = m->jnt_type[j], first = m->jnt_dofadr[j] + (type == mjJNT_FREE ? 3 : 0);
  for (int k = 0; k < 6; k++) g[k] = 2 * rate[k];
  if ((type != mjJNT_BALL && type != mjJNT_FREE) || i < first) return;
  Real turn[6] = {0, 0, 0, 0, 0, 0}, part[6];
  for (int a = 0; a < 3; a++) {
    for (int k = 0; k < 6; k++) turn[k] += cdof[6 * (first + a) + k] * qvel[first + a];
  }
  cu_crossMotion(part, turn, cdof + 6 * i);
  for (int k = 0; k < 6; k++) g[k] += part[k];
}

// entries of a dof with itself and its ancestors
CU_FN void cu_deriveDof(const Cu* c, int i, int general) {
  const CudModel* m = c->m;
  const int n = m->nv, body = m->dof_bodyid[i];
  const Real *cdof = CU_W(c, cdof), *S = cdof + 6 * i, *P = CU_W(c, bodyvel) + 36 * body, *g = CU_W(c, accterm);
  Real *D = CU_W(c, qDeriv), column[6], row[6] = {0, 0, 0, 0, 0, 0}, weight[6], part[6];
  for (int r = 0; r < 6; r++) {
    column[r] = cu_dot6(P + 6 * r, S);
    for (int k = 0; k < 6; k++) row[k] += P[6 * r + k] * S[r];
  }
  if (general) {
    const Real* inertia = CU_W(c, crb) + 10 * body;
    cu_mulInertia(part, inertia, g + 6 * i);
    cu_mulInertia(weight, inertia, S);
    for (int k = 0; k < 6; k++) column[k] -= part[k];
  }
  D[i * n + i] = cu_dot6(S, column);
  CU_LOOP for (int k = m->dof_parentid[i]; k >= 0; k = m->dof_parentid[k]) {
    D[k * n + i] = cu_dot6(cdof + 6 * k, column);
    D[i * n + k] = cu_dot6(row, cdof + 6 * k) - (general ? cu_dot6(weight, g + 6 * k) : R_(0));
  }
}

// qDeriv of the forces on bodies; bodyvel holds what the medium gave
CU_FN void cu_deriveBodies(const Cu* c) {
  const CudModel* m = c->m;
  const int general = m->integrator == mjINT_IMPLICIT;
  const Real none[3] = {0, 0, 0};
  Real* P = CU_W(c, bodyvel);
  if (general) {
    CU_FOR(b, m->nbody) {
      Real vel[6];
      cu_ofBody(c, b, CU_W(c, dofvel), none, vel);
      if (m->body_weldid[b]) cu_addCoriolis(P + 36 * b, CU_W(c, cinert) + 10 * b, vel);
    }
    CU_FOR(i, m->nv) cu_accelerationTerm(c, i, CU_W(c, accterm) + 6 * i);
  }
  CU_FOR(i, m->nv * m->nv) CU_W(c, qDeriv)[i] = 0;
  cu_sync();
  CU_FOR(k, 36) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) P[36 * m->body_parentid[b] + k] += P[36 * b + k];
  }
  cu_sync();
  CU_FOR(i, m->nv) cu_deriveDof(c, i, general);
  cu_sync();
}

// forces of the medium, and derivatives where the integrator needs them
CU_CALL void cu_bodyForces(const Cu* c) {
  const CudModel* m = c->m;
  Real* const P = m->derives ? CU_W(c, bodyvel) : 0;
  CU_FOR(i, P ? 36 * m->nbody : 0) P[i] = 0;
  cu_sync();
  if (m->medium) cu_medium(c, P);
  if (m->derives) cu_deriveBodies(c);
}
