// Interpolated flexes in the integrator implicitfast: their stiffness is taken implicitly. The accelerations of the
// dofs that move nodes are solved for again, with this stiffness and those of the others as they are. See
// step/implicit.c and derivative/flex_derivative.c.
#pragma once

#include "cuda/flex.h"

// 1: the stiffness of a flex counts; scale: how much of it
CU_FN int cu_stiffens(const CudModel* m, int f, Real* scale) {
  *scale = m->timestep * m->timestep + m->timestep * m->flex_damping[f];
  if (!m->flex_interp[f] || m->flex_rigid[f] || *scale == 0) return 0;
  return m->flex_stiffness[CU_STRETCH * m->flex_elemadr[f]] != 0;
}

// scaled stiffness of a flex in the world's frame, where its Jacobian is evaluated, and the force of velocities; the
// model has the stiffness as negative
CU_FN void cu_openBlock(const Cu* c, int f, Real scale) {
  const CudModel* m = c->m;
  const int n = m->flex_nodenum[f], first = m->flex_nodeadr[f], size = 3 * n;
  const Real *x = CU_W(c, node) + 3 * first, *local = m->flex_stiffness + CU_STRETCH * m->flex_elemadr[f];
  Real *K = CU_W(c, block_K) + m->flex_blockadr[f], *point = CU_W(c, block_point), *vel = CU_W(c, block_vel);
  Real grad[9], quat[4] = {1, 0, 0, 0}, R[9];
  cu_centerGradient(grad, x, m->flex_interp[f]);
  cu_polar(quat, grad);
  cu_quat2Mat(R, quat);
  CU_FOR(i, n) {
    Real *at = point + 3 * (first + i), *v = vel + 3 * (first + i), lin[3];
    cu_mulMatT3(at, R, x + 3 * i);
    for (int k = 0; k < 3; k++) at[k] += R_(0.5);
    cu_set3(v, 0, 0, 0);
    CU_LOOP for (int j = m->body_lastdof[m->flex_nodebodyid[first + i]]; j >= 0; j = m->dof_parentid[j]) {
      cu_pointMotion(c, j, at, lin);
      cu_addScl3(v, v, lin, CU_W(c, qvel)[j]);
    }
  }
  CU_FOR(pair, n * n) {
    const int row = 3 * (pair / n), col = 3 * (pair % n);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        Real sum = 0;
        for (int a = 0; a < 9; a++) {
          sum += R[3 * i + a / 3] * local[(row + a / 3) * size + col + a % 3] * R[3 * j + a % 3];
        }
        K[(row + i) * size + col + j] = scale * sum;
      }
    }
  }
  cu_sync();
  CU_FOR(i, size) {
    Real sum = 0;
    for (int j = 0; j < size; j++) sum += K[i * size + j] * vel[3 * first + j];
    CU_W(c, block_force)[3 * first + i] = sum;
  }
  cu_sync();
}

// entry of the integrator's matrix without flexes; a dof and one that moves it
CU_FN Real cu_fastEntry(const Cu* c, int i, int j) {
  const CudModel* m = c->m;
  Real slope = cu_dampingAt(c, i, j);
  if (m->derives) slope -= CU_W(c, qDeriv)[i * m->nv + j];
  return CU_W(c, M)[cu_at(i, j)] + m->timestep * slope;
}

// what the stiffness of flexes adds to an entry
CU_FN Real cu_stiffEntry(const Cu* c, int i, int j) {
  const CudModel* m = c->m;
  Real sum = 0, scale, a[3], b[3];
  CU_LOOP for (int f = 0; f < m->nflex; f++) {
    const int n = m->flex_nodenum[f], first = m->flex_nodeadr[f];
    if (!cu_stiffens(m, f, &scale)) continue;
    const Real* K = CU_W(c, block_K) + m->flex_blockadr[f];
    CU_LOOP for (int p = 0; p < n; p++) {
      if (!cu_moves(m, m->flex_nodebodyid[first + p], i)) continue;
      cu_pointMotion(c, i, CU_W(c, block_point) + 3 * (first + p), a);
      CU_LOOP for (int q = 0; q < n; q++) {
        if (!cu_moves(m, m->flex_nodebodyid[first + q], j)) continue;
        cu_pointMotion(c, j, CU_W(c, block_point) + 3 * (first + q), b);
        for (int r = 0; r < 3; r++) sum -= a[r] * cu_dot3(K + (3 * p + r) * 3 * n + 3 * q, b);
      }
    }
  }
  return sum;
}

// force on a dof of the block: what is given, what the velocity changes, and what the others' accelerations take
CU_FN Real cu_blockForce(const Cu* c, int i, const Real* acc) {
  const CudModel* m = c->m;
  Real scale, elastic = 0, lin[3];
  CU_LOOP for (int k = 0; k < m->nflexnode; k++) {
    if (!cu_stiffens(m, m->node_flex[k], &scale) || !cu_moves(m, m->flex_nodebodyid[k], i)) continue;
    cu_pointMotion(c, i, CU_W(c, block_point) + 3 * k, lin);
    elastic += cu_dot3(lin, CU_W(c, block_force) + 3 * k);
  }
  const Real h = m->timestep, first = h * h + h * m->flex_damping[0];
  Real force = CU_W(c, qfrc_smooth)[i] + CU_W(c, qfrc_constraint)[i] + (first > CU_MINVAL ? h / first : 0) * elastic;
  CU_LOOP for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
    if (m->dof_block[j] < 0) force -= cu_fastEntry(c, i, j) * acc[j];
  }
  return force;
}

// replaces the accelerations of the dofs that move nodes
CU_CALL void cu_solveBlock(const Cu* c) {
  const CudModel* m = c->m;
  const int n = m->nblock;
  Real *H = CU_W(c, block_H), *x = CU_W(c, block_x), *acc = CU_W(c, damped_acc), scale;
  int* zero = (int*)CU_W(c, block_first);
  CU_LOOP for (int f = 0; f < m->nflex; f++) {
    if (cu_stiffens(m, f, &scale)) cu_openBlock(c, f, scale);
  }
  CU_FOR(k, n) {
    zero[k] = 0;
    x[k] = cu_blockForce(c, m->block_dof[k], acc);
    for (int l = 0; l <= k; l++) {
      const int a = m->block_dof[k], b = m->block_dof[l], i = a > b ? a : b, j = a > b ? b : a;
      const int own = cu_moves(m, m->dof_bodyid[i], j);
      H[cu_at(k, l)] = cu_stiffEntry(c, a, b) + (own ? cu_fastEntry(c, i, j) : 0);
    }
  }
  cu_sync();
  cu_factorProfile(H, CU_W(c, block_diag), zero, n);
  cu_solveProfile(H, CU_W(c, block_diag), zero, x, n);
  CU_FOR(k, n) acc[m->block_dof[k]] = x[k];
  cu_sync();
}
