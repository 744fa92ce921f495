// Inertia, factor and solve, velocities and bias forces of several simulations side by side: the passes of
// inertia_pass.h, ldl_pass.h, ldl_rows.c, velocity_pass.h and rne_pass.h over lanes, with sums in their order.
#pragma once

#include "dynamics/plan.h"
#include "kinematics/jacobian.h"
#include "math/spatial_body.h"
#include "model/lanes.h"

// ---------------------------------------------------------------- inertia

// as mth_mulInertVec
static MTH_ALWAYS_INLINE void dyn_laneMulInert(MthLane f[6], const MthLane i[10], const MthLane v[6]) {
  MTH_MUL_INERT(f, i, v);
}

// as compositeInertia, where it has dofs to move it
static inline void dyn_laneComposite(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  for (int k = 0; k < p->nmoving; k++) mth_laneCopy(w->crb + 10 * p->moving[k], w->cinert + 10 * p->moving[k], 10);
  for (int k = p->nmoving - 1; k >= 0; k--) {
    const int i = p->moving[k], parent = p->support[i];
    if (!parent) continue;
    for (int c = 0; c < 10; c++) w->crb[10 * parent + c] += w->crb[10 * i + c];
  }
}

// row of M of one dof, as blockInertia and loneInertia
static MTH_ALWAYS_INLINE void dyn_laneRow(const MdlLanes* w, int dof) {
  const mjModel* const m = w->plan->m;
  const int adr = m->M_rowadr[dof], n = m->M_rownnz[dof];
  const int* const col = m->M_colind + adr;
  MthLane f[6], *row = w->M + adr;
  dyn_laneMulInert(f, w->crb + 10 * m->dof_bodyid[dof], w->cdof + 6 * dof);
  for (int c = 0; c < n; c++) {
    const MthLane* const a = w->cdof + 6 * col[c];
    row[c] = (f[0] * a[0] + f[2] * a[2] + f[4] * a[4]) + (f[1] * a[1] + f[3] * a[3] + f[5] * a[5]);
  }
  row[n - 1] += w->dof_armature[dof];
}

static inline void dyn_laneInertia(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  dyn_laneComposite(w);
  const DynPlan* const plan = dyn_plan(w->plan->d);
  for (int k = 0; k < plan->npart; k++) {
    const DynPart* const part = dyn_parts(plan) + k;
    for (int i = part->first; i < part->first + part->n; i++) {
      if (!part->nblock && m->dof_simplenum[i]) {
        w->M[m->M_rowadr[i]] = w->dof_M0[i];
      } else {
        dyn_laneRow(w, i);
      }
    }
  }
}

// ---------------------------------------------------------------- factor and solve

// a factored matrix, as DynFactor
typedef struct {
  MthLane* L;
  MthLane* diaginv;
} DynLaneFactor;

// In place. Every entry loses the same products in the same order whether dofs are eliminated one by one or in blocks.
static inline void dyn_laneFactor(const MdlLanes* w, DynLaneFactor f) {
  const mjModel* const m = w->plan->m;
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    const int* const col = m->M_colind + adr;
    MthLane* const a = f.L + adr;
    const MthLane inv = 1 / a[n];
    f.diaginv[k] = inv;
    for (int p = n - 1; p >= 0; p--) {
      const MthLane scale = a[p] * inv;
      MthLane* const row = f.L + m->M_rowadr[col[p]];
      for (int c = 0; c <= p; c++) row[c] -= a[c] * scale;
      a[p] = scale;
    }
  }
}

// as solveUp
static MTH_ALWAYS_INLINE void dyn_laneSolveUp(const MdlLanes* w, DynLaneFactor f, const DynBlock* b, MthLane* x) {
  const int depth = b->depth, n = b->n, *const adr = w->plan->m->M_rowadr + b->first;
  MthLane* const path = w->path;
  x += b->first;
  for (int j = n - 1; j >= 0; j--) {
    MthLane value = x[j] - path[depth + j];
    for (int i = n - 1; i > j; i--) value -= f.L[adr[i] + depth + j] * x[i];
    path[depth + j] = mth_laneOf(0);
    x[j] = value;
  }
  for (int c = 0; c < depth; c++) {
    MthLane sum = path[c];
    for (int j = n - 1; j >= 0; j--) sum += f.L[adr[j] + c] * x[j];
    path[c] = sum;
  }
}

// as solveDown: products with the path are sums of their even and of their odd terms
static MTH_ALWAYS_INLINE void dyn_laneSolveDown(const MdlLanes* w, DynLaneFactor f, const DynBlock* b, MthLane* x) {
  const int depth = b->depth, n = b->n, *const adr = w->plan->m->M_rowadr + b->first;
  MthLane* const path = w->path;
  for (int j = 0; j < n; j++) {
    const int dof = b->first + j;
    const MthLane* const row = f.L + adr[j];
    MthLane even = mth_laneOf(0), odd = mth_laneOf(0);
    int c = 0;
    for (; c + 2 <= depth; c += 2) {
      even += row[c] * path[c];
      odd += row[c + 1] * path[c + 1];
    }
    if (c < depth) even += row[c] * path[c];
    MthLane value = x[dof] * f.diaginv[dof] - (even + odd);
    for (int i = 0; i < j; i++) value -= row[depth + i] * x[b->first + i];
    x[dof] = path[depth + j] = value;
  }
}

// a tree that is a chain has no path, as solveChain
static MTH_ALWAYS_INLINE void dyn_laneSolveChain(const MdlLanes* w, DynLaneFactor f, const DynPart* part, MthLane* x) {
  const int n = part->n, *const adr = w->plan->m->M_rowadr + part->first;
  const MthLane* const diaginv = f.diaginv + part->first;
  x += part->first;
  for (int j = n - 1; j >= 0; j--) {
    MthLane value = x[j];
    for (int i = n - 1; i > j; i--) value -= f.L[adr[i] + j] * x[i];
    x[j] = value;
  }
  for (int j = 0; j < n; j++) {
    MthLane value = x[j] * diaginv[j];
    for (int i = 0; i < j; i++) value -= f.L[adr[j] + i] * x[i];
    x[j] = value;
  }
}

// as dyn_solvePass
static inline void dyn_laneSolve(const MdlLanes* w, DynLaneFactor f, MthLane* x) {
  const DynPlan* const plan = dyn_plan(w->plan->d);
  for (int k = 0; k < plan->npart; k++) {
    const DynPart* const part = dyn_parts(plan) + k;
    const DynBlock* const block = dyn_blocks(plan) + part->block;
    if (part->nblock == 0) {
      for (int i = part->first; i < part->first + part->n; i++) x[i] *= f.diaginv[i];
    } else if (part->chain) {
      dyn_laneSolveChain(w, f, part, x);
    } else {
      for (int c = 0; c < part->deepest; c++) w->path[c] = mth_laneOf(0);
      for (int b = part->nblock - 1; b >= 0; b--) dyn_laneSolveUp(w, f, block + b, x);
      for (int b = 0; b < part->nblock; b++) dyn_laneSolveDown(w, f, block + b, x);
    }
  }
}

// as dyn_factorSolveLDL: short rows one by one, others along the plan
static inline void dyn_laneFactorSolve(const MdlLanes* w, DynLaneFactor f, MthLane* x) {
  const mjModel* const m = w->plan->m;
  dyn_laneFactor(w, f);
  if (!w->plan->shortRows) {
    dyn_laneSolve(w, f, x);
    return;
  }
  for (int k = (int)m->nv - 1; k >= 0; k--) {
    const int adr = m->M_rowadr[k];
    for (int p = m->M_rownnz[k] - 2; p >= 0; p--) x[m->M_colind[adr + p]] -= f.L[adr + p] * x[k];
  }
  for (int k = 0; k < m->nv; k++) {
    const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    MthLane value = x[k] * f.diaginv[k];
    for (int p = 0; p < n; p++) value -= f.L[adr + p] * x[m->M_colind[adr + p]];
    x[k] = value;
  }
}

// ---------------------------------------------------------------- velocities and bias

// as mth_crossMotion, times a velocity, added to an acceleration
static MTH_ALWAYS_INLINE void dyn_laneAddAxisRate(MthLane acc[6], const MthLane vel[6], const MthLane v[6],
                                                  MthLane speed) {
  acc[0] += (vel[1] * v[2] - vel[2] * v[1]) * speed;
  acc[1] += (vel[2] * v[0] - vel[0] * v[2]) * speed;
  acc[2] += (vel[0] * v[1] - vel[1] * v[0]) * speed;
  acc[3] += (vel[1] * v[5] - vel[2] * v[4] + vel[4] * v[2] - vel[5] * v[1]) * speed;
  acc[4] += (vel[2] * v[3] - vel[0] * v[5] + vel[5] * v[0] - vel[3] * v[2]) * speed;
  acc[5] += (vel[0] * v[4] - vel[1] * v[3] + vel[3] * v[1] - vel[4] * v[0]) * speed;
}

// as addMotion of three axes
static MTH_ALWAYS_INLINE void dyn_laneAddMotion3(MthLane cvel[6], const MthLane* cdof, const MthLane* qvel) {
  for (int k = 0; k < 6; k++) {
    MthLane sum = cdof[k] * qvel[0];
    sum += qvel[1] * cdof[6 + k];
    sum += qvel[2] * cdof[12 + k];
    cvel[k] += sum;
  }
}

// as jointVelocity, and what the rates of its axes add to the body's acceleration; returns its number of dofs
static MTH_ALWAYS_INLINE int dyn_laneJoint(MthLane cvel[6], MthLane cacc[6], const MthLane* cdof, const MthLane* qvel,
                                           int type) {
  switch (type) {
    case mjJNT_FREE:
      // the first three axes do not turn
      for (int k = 0; k < 6; k++) cacc[k] = cacc[k] + 0.0 * qvel[0] + 0.0 * qvel[1] + 0.0 * qvel[2];
      dyn_laneAddMotion3(cvel, cdof, qvel);
      for (int k = 3; k < 6; k++) dyn_laneAddAxisRate(cacc, cvel, cdof + 6 * k, qvel[k]);
      dyn_laneAddMotion3(cvel, cdof + 18, qvel + 3);
      return 6;
    case mjJNT_BALL:
      for (int k = 0; k < 3; k++) dyn_laneAddAxisRate(cacc, cvel, cdof + 6 * k, qvel[k]);
      dyn_laneAddMotion3(cvel, cdof, qvel);
      return 3;
    default:
      dyn_laneAddAxisRate(cacc, cvel, cdof, qvel[0]);
      for (int k = 0; k < 6; k++) cvel[k] += qvel[0] * cdof[k];
      return 1;
  }
}

// f = I a + v ×* I v, as bodyForce
static MTH_ALWAYS_INLINE void dyn_laneBodyForce(MthLane f[6], const MthLane i[10], const MthLane a[6],
                                                const MthLane v[6]) {
  MthLane p[6];
  dyn_laneMulInert(f, i, a);
  dyn_laneMulInert(p, i, v);
  f[0] += v[1] * p[2] - v[2] * p[1] + v[4] * p[5] - v[5] * p[4];
  f[1] += v[2] * p[0] - v[0] * p[2] + v[5] * p[3] - v[3] * p[5];
  f[2] += v[0] * p[1] - v[1] * p[0] + v[3] * p[4] - v[4] * p[3];
  f[3] += v[1] * p[5] - v[2] * p[4];
  f[4] += v[2] * p[3] - v[0] * p[5];
  f[5] += v[0] * p[4] - v[1] * p[3];
}

// as dyn_velocityPass and dyn_rnePass without accelerations, in one walk down the tree and one up
static inline void dyn_laneBias(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  const mjModel* const m = p->m;
  const mjtNum sign = m->opt.disableflags & mjDSBL_GRAVITY ? 0 : -1, *gravity = m->opt.gravity;
  for (int k = 0; k < 6; k++) {
    w->cvel[k] = mth_laneOf(0);
    w->cacc[k] = mth_laneOf(k < 3 ? 0 : sign * gravity[k - 3]);
  }
  for (int k = 0; k < p->nmoving; k++) {
    const int i = p->moving[k], parent = p->support[i];
    MthLane cvel[6], cacc[6];
    mth_laneCopy(cvel, w->cvel + 6 * parent, 6);
    mth_laneCopy(cacc, w->cacc + 6 * parent, 6);
    int dof = m->body_dofadr[i];
    const int joint = m->body_jntadr[i], end = joint + m->body_jntnum[i];
    for (int j = joint; j < end; j++)
      dof += dyn_laneJoint(cvel, cacc, w->cdof + 6 * dof, w->qvel + dof, m->jnt_type[j]);
    mth_laneCopy(w->cvel + 6 * i, cvel, 6);
    mth_laneCopy(w->cacc + 6 * i, cacc, 6);
    dyn_laneBodyForce(w->cfrc + 6 * i, w->cinert + 10 * i, cacc, cvel);
  }

  // a body's force is complete when all its children, which come later, have added theirs
  for (int k = p->nmoving - 1; k >= 0; k--) {
    const int i = p->moving[k], parent = p->support[i], dof = m->body_dofadr[i], end = dof + m->body_dofnum[i];
    const MthLane* const frc = w->cfrc + 6 * i;
    for (int v = dof; v < end; v++) w->qfrc_bias[v] = mth_laneDot6(w->cdof + 6 * v, frc);
    if (!parent) continue;
    for (int c = 0; c < 6; c++) w->cfrc[6 * parent + c] += frc[c];
  }
}

// ---------------------------------------------------------------- wrenches

// as dyn_addWrench for a force at a body's centre of mass and a torque, in the lanes of a mask
static inline void dyn_laneAddWrench(const MdlLanes* w, int body, const MthLane force[3], const MthLane* torque,
                                     MthMask mask, MthLane* qfrc) {
  const mjModel* const m = w->plan->m;
  const MthLane *point = w->xipos + 3 * body, *com = w->subtree_com + 3 * m->body_rootid[body];
  MthLane offset[3], turn[3];
  for (int k = 0; k < 3; k++) offset[k] = point[k] - com[k];
  mth_laneCross3(turn, offset, force);
  for (int k = 0; torque && k < 3; k++) turn[k] += torque[k];

  for (int dof = kin_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    const MthLane* const cdof = w->cdof + 6 * dof;
    const MthLane sum = qfrc[dof] + (mth_laneDot3(cdof, turn) + mth_laneDot3(cdof + 3, force));
    qfrc[dof] = mth_laneSelect(mask, sum, qfrc[dof]);
  }
}
