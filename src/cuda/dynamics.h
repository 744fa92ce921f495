// Inertia matrix, its factor, velocities and bias forces.
//
// Symmetric matrices are packed lower triangles, row by row: lanes that read a column of consecutive rows then meet
// different banks of shared memory.
#pragma once

#include "cuda/group.h"

//---------------------------------- inertia ----------------------------------

// M by composite inertias: entry (i, j) is the momentum that dof i gives to what it moves, along ancestor j
CU_FN void cu_inertia(const Cu* c) {
  const CudModel* m = c->m;
  Real *crb = CU_W(c, crb), *momentum = CU_W(c, momentum), *M = CU_W(c, M);
  const Real *cinert = CU_W(c, cinert), *cdof = CU_W(c, cdof);
  CU_FOR(k, 10) {
    CU_LOOP for (int b = m->nbody - 1; b >= 0; b--) crb[10 * b + k] = cinert[10 * b + k];
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) crb[10 * m->body_parentid[b] + k] += crb[10 * b + k];
  }
  CU_FOR(i, cu_at(m->nv, 0)) M[i] = 0;
  cu_sync();
  CU_FOR(i, m->nv) cu_mulInertia(momentum + 6 * i, crb + 10 * m->dof_bodyid[i], cdof + 6 * i);
  cu_sync();
  CU_FOR(e, m->nentry) {
    const int i = m->entry_row[e], j = m->entry_col[e];
    M[cu_at(i, j)] = cu_dot6(cdof + 6 * j, momentum + 6 * i) + (i == j ? m->dof_armature[i] : 0);
  }
  cu_sync();
  CU_OUT(c, qM, M, cu_at(m->nv, 0));
}

//---------------------------------- factor and solve ----------------------------------

#if CU_FAR
#include "cuda/far.h"
#else

// H = L Lᵀ in place, below the diagonal; diag is the inverse of the diagonal of L. Each lane keeps its rows; columns
// are finished from left to right.
CU_CALL void cu_factorMatrix(Real* H, Real* diag, int n) {
  for (int k = 0; k < n; k++) {
    const Real* pivot = H + cu_at(k, 0);
    CU_FOR(i, n) {
      if (i < k) continue;
      Real *row = H + cu_at(i, 0), sum = row[k];
      for (int j = 0; j < k; j++) sum -= row[j] * pivot[j];
      row[k] = sum;
    }
    cu_sync();
    const Real inverse = 1 / cu_sqrt(cu_max(pivot[k], CU_MINVAL));
    CU_FOR(i, n) {
      if (i > k) H[cu_at(i, k)] *= inverse;
      if (i == k) diag[k] = inverse;
    }
    cu_sync();
  }
}

// x <- H⁻¹ x with the factor
CU_CALL void cu_solveMatrix(const Real* H, const Real* diag, Real* x, int n) {
  for (int k = 0; k < n; k++) {
    const Real value = x[k] * diag[k];
    cu_sync();
    CU_FOR(i, n) {
      if (i > k) x[i] -= H[cu_at(i, k)] * value;
      if (i == k) x[k] = value;
    }
    cu_sync();
  }
  for (int k = n - 1; k >= 0; k--) {
    const Real value = x[k] * diag[k];
    cu_sync();
    CU_FOR(i, n) {
      if (i < k) x[i] -= H[cu_at(k, i)] * value;
      if (i == k) x[k] = value;
    }
    cu_sync();
  }
}

#ifdef __CUDACC__

// The same for up to as many rows as lanes, in registers: lane i has row i of H and entry i of x. A finished column
// goes through shared memory to all lanes, four numbers at a time; column has room for two, so that one barrier is
// enough.
CU_CALL Real cu_solveInRegisters(int Hat, int columnAt, Real x, int n) {
  Real *H = (Real*)cu_shared + Hat, *column = (Real*)cu_shared + columnAt;
  const int i = cu_lane(), base = cu_at(i, 0);
  Real a[CU_WIDTH], own = 0;
#pragma unroll
  for (int k = 0; k < CU_WIDTH; k++) a[k] = k <= i && i < n ? H[base + k] : R_(0);
#pragma unroll
  for (int k = 0; k < CU_WIDTH; k++) {
    if (k >= n) break;
    const Real inverse = CU_MATH(rsqrt)(cu_max(cu_from(a[k], k), CU_MINVAL)), l = a[k] * inverse;
    Real* const now = column + (k & 1) * CU_WIDTH;
    now[i] = l;
    if (i >= k && i < n) H[base + k] = l;
    if (i == k) own = inverse;
    cu_sync();

    // forward substitution on the way
    const Real y = cu_from(x, k) * inverse;
    x = i == k ? y : i > k ? x - l * y : x;
#pragma unroll
    for (int j = (k + 1) / 4 * 4; j < CU_WIDTH; j += 4) {
      if (j >= n) break;
      Real b[4];
      cu_load4(b, now + j);
#pragma unroll
      for (int e = 0; e < 4; e++) {
        if (j + e > k) a[j + e] -= l * b[e];
      }
    }
  }

  // backward substitution: row k of L lies across the lanes
  for (int k = n - 1; k >= 0; k--) {
    const Real l = i < k ? H[cu_at(k, 0) + i] : R_(0), y = cu_from(x * own, k);
    x = i == k ? y : x - l * y;
  }
  cu_sync();
  return x;
}

#endif

// x <- H⁻¹ x; H, which lies at this place of the workspace, becomes its factor
CU_FN void cu_factorSolve(const Cu* c, int at, Real* x) {
  const int n = c->m->nv;
#ifdef __CUDACC__
  if (n <= CU_WIDTH) {
    const int i = cu_lane();
    const Real result = cu_solveInRegisters(at + CU_PART(c), c->m->at.column + CU_PART(c), i < n ? x[i] : 0, n);
    if (i < n) x[i] = result;
    cu_sync();
    return;
  }
#endif
  Real* const H = CU_W(c, qpos) - c->m->at.qpos + at;
  cu_factorMatrix(H, CU_W(c, Hdiag), n);
  cu_solveMatrix(H, CU_W(c, Hdiag), x, n);
}

// H, which stays, becomes its factor; then x <- H⁻¹ x with it
CU_FN void cu_factorOf(const Cu* c, Real* H) {
  cu_factorMatrix(H, CU_W(c, Hdiag), c->m->nv);
}

CU_FN void cu_solveWith(const Cu* c, const Real* H, Real* x) {
  cu_solveMatrix(H, CU_W(c, Hdiag), x, c->m->nv);
}

// r = M v
CU_FN void cu_mulM(const Cu* c, Real* r, const Real* v) {
  const int n = c->m->nv;
  const Real* M = CU_W(c, M);
  CU_FOR(i, n) {
    // along row i, then down column i
    Real sum = 0;
    for (int j = 0, at = cu_at(i, 0); j < n; j++) {
      sum += M[at] * v[j];
      at += j < i ? 1 : j + 1;
    }
    r[i] = sum;
  }
  cu_sync();
}

#endif

CU_FN Real cu_dotN(const Real* a, const Real* b, int n) {
  Real sum = 0;
  CU_FOR(i, n) sum += a[i] * b[i];
  return cu_sum(sum);
}

//---------------------------------- velocity ----------------------------------

// velocity of the frame behind each dof: that before it, and its own motion. A lane has a component of its own.
CU_FN void cu_dofVelocities(const Cu* c) {
  const CudModel* m = c->m;
  Real* v = CU_W(c, dofvel);
  const Real *cdof = CU_W(c, cdof), *qvel = CU_W(c, qvel);
  CU_FOR(k, 6) {
    for (int i = 0; i < m->nv; i++) {
      const int p = m->dof_parentid[i];
      v[6 * i + k] = (p < 0 ? 0 : v[6 * p + k]) + cdof[6 * i + k] * qvel[i];
    }
  }
  cu_sync();
}

// axes turn with what is before their joint
CU_FN void cu_axisRates(const Cu* c) {
  const CudModel* m = c->m;
  const Real *v = CU_W(c, dofvel), *cdof = CU_W(c, cdof);
  Real* rate = CU_W(c, cdof_dot);
  CU_FOR(i, m->nv) {
    const int before = m->dof_before[i];
    if (before >= 0) {
      cu_crossMotion(rate + 6 * i, v + 6 * before, cdof + 6 * i);
    } else {
      for (int k = 0; k < 6; k++) rate[6 * i + k] = 0;
    }
  }
  cu_sync();
}

// velocity or acceleration of a body: that behind the last dof that moves it, or that of the world
CU_FN void cu_ofBody(const Cu* c, int b, const Real* dofs, const Real world[3], Real r[6]) {
  const int last = c->m->body_lastdof[b];
  cu_set3(r, 0, 0, 0);
  cu_copy3(r + 3, world);
  if (last >= 0) cu_copyN(r, dofs + 6 * last, 6);
}

// qfrc_bias: the world accelerates against gravity, bodies pass the forces that they need towards the root
CU_FN void cu_bias(const Cu* c) {
  const CudModel* m = c->m;
  const Real *cdof = CU_W(c, cdof), *rate = CU_W(c, cdof_dot), *qvel = CU_W(c, qvel);
  Real *a = CU_W(c, dofacc), *f = CU_W(c, cfrc), *bias = CU_W(c, qfrc_bias);
  const Real sign = m->disableflags & mjDSBL_GRAVITY ? R_(0) : R_(-1), none[3] = {0, 0, 0};
  const Real world[3] = {sign * m->gravity[0], sign * m->gravity[1], sign * m->gravity[2]};
  CU_FOR(k, 6) {
    const Real base = k < 3 ? 0 : world[k - 3];
    for (int i = 0; i < m->nv; i++) {
      const int p = m->dof_parentid[i];
      a[6 * i + k] = (p < 0 ? base : a[6 * p + k]) + rate[6 * i + k] * qvel[i];
    }
  }
  cu_sync();
  CU_FOR(b, m->nbody) {
    Real vel[6], acc[6], momentum[6], force[6];
    const Real* inertia = CU_W(c, cinert) + 10 * b;
    cu_ofBody(c, b, CU_W(c, dofvel), none, vel);
    cu_ofBody(c, b, a, world, acc);
    cu_mulInertia(force, inertia, acc);
    cu_mulInertia(momentum, inertia, vel);
    cu_addCrossForce(force, vel, momentum);
    cu_copyN(f + 6 * b, force, 6);
    if (CU_HAS(c->t->out.cvel) && c->last) cu_copyN(CU_ROW(c, out.cvel, 6 * m->nbody) + 6 * b, vel, 6);
  }
  cu_sync();
  CU_FOR(k, 6) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) f[6 * m->body_parentid[b] + k] += f[6 * b + k];
  }
  cu_sync();
  CU_FOR(i, m->nv) bias[i] = cu_dot6(cdof + 6 * i, f + 6 * m->dof_bodyid[i]);
  cu_sync();
  CU_OUT(c, qfrc_bias, bias, m->nv);
  CU_OUT(c, dofacc, a, 6 * m->nv);
}

CU_FN void cu_velocity(const Cu* c) {
  cu_dofVelocities(c);
  cu_axisRates(c);
  cu_bias(c);
}
