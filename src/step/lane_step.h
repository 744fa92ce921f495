// Acceleration and integration of several simulations side by side, as forward.c, euler.c, implicit.c, rungekutta.c and
// advance.c compute them.
#pragma once

#include "force/lane_force.h"
#include "model/lanes.h"

//---------------------------------- checks ----------------------------------

// 1: all numbers of all lanes are usable
static inline int stp_laneGood(const MthLane* value, mjtSize n) {
  MthMask good = mth_laneTrue();
  for (int i = 0; i < n; i++) good &= (MthMask)(mth_laneAbs(value[i]) <= mjMAXVAL);
  return mth_laneBits(good) == MTH_ALL_LANES;
}

//---------------------------------- acceleration ----------------------------------

// as dyn_addXfrc
static inline void stp_laneXfrc(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  for (int i = 1; i < m->nbody; i++) {
    const MthLane* const xfrc = w->xfrc_applied + 6 * i;
    MthMask any = {0};
    for (int k = 0; k < 6; k++) any |= (MthMask)(xfrc[k] != 0);
    if (mth_laneBits(any)) dyn_laneAddWrench(w, i, xfrc, xfrc + 3, any, w->qfrc_smooth);
  }
}

// as mj_fwdAcceleration
static inline void stp_laneAcceleration(const MdlLanes* w) {
  const int nv = (int)w->plan->m->nv;
  for (int i = 0; i < nv; i++) {
    w->qfrc_smooth[i] = w->qfrc_passive[i] - w->qfrc_bias[i] + w->qfrc_applied[i] + w->qfrc_actuator[i];
  }
  if (w->pushed) stp_laneXfrc(w);
  mth_laneCopy(w->qacc_smooth, w->qfrc_smooth, nv);
  dyn_laneSolve(w, (DynLaneFactor){w->qLD, w->qLDiagInv}, w->qacc_smooth);
}

//---------------------------------- state ----------------------------------

// as mj_integratePos
static inline void stp_laneIntegratePos(const MdlLanes* w, const MthLane* qvel, mjtNum h) {
  const mjModel* const m = w->plan->m;
  for (int j = 0; j < m->njnt; j++) {
    MthLane* q = w->qpos + m->jnt_qposadr[j];
    const MthLane* v = qvel + m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; k++) q[k] += h * v[k];
        mth_laneQuatIntegrate(q + 3, v + 3, h);
        break;
      case mjJNT_BALL:
        mth_laneQuatIntegrate(q, v, h);
        break;
      default:
        q[0] += h * v[0];
    }
  }
}

// as stp_advance
static inline void stp_laneAdvance(const MdlLanes* w, const MthLane* act_dot, const MthLane* qacc,
                                   const MthLane* qvel) {
  const mjModel* const m = w->plan->m;
  const mjtNum h = m->opt.timestep;
  for (int i = 0; i < m->nu && m->na && !mjDISABLED(mjDSBL_ACTUATION); i++) {
    const int act = m->actuator_actadr[i];
    if (act < 0) continue;
    w->act[act] = frc_laneNextActivation(w, i, act, frc_actuatorDisabled(m, i) ? mth_laneOf(0) : act_dot[act]);
  }
  for (int i = 0; i < m->nv; i++) w->qvel[i] += h * qacc[i];
  stp_laneIntegratePos(w, qvel ? qvel : w->qvel, h);
  *w->time += h;
  mth_laneCopy(w->qacc_warmstart, w->qacc, (int)m->nv);
}

//---------------------------------- integrators ----------------------------------

// right-hand side of the integrators that solve for the acceleration
static inline void stp_laneForces(const MdlLanes* w) {
  for (int i = 0; i < w->plan->m->nv; i++) w->solution[i] = w->qfrc_smooth[i] + w->qfrc_constraint[i];
}

// as stp_euler
static inline void stp_laneEuler(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  const mjtNum h = m->opt.timestep;
  if (!w->plan->damped) {
    stp_laneAdvance(w, w->act_dot, w->qacc, NULL);
    return;
  }
  mth_laneCopy(w->qH, w->M, (int)m->nC);
  for (int i = 0; i < m->nv; i++) w->qH[m->M_rowadr[i] + m->M_rownnz[i] - 1] += h * w->dof_damping[i];
  stp_laneForces(w);
  dyn_laneFactorSolve(w, (DynLaneFactor){w->qH, w->qHDiagInv}, w->solution);
  stp_laneAdvance(w, w->act_dot, w->solution, NULL);
}

// as forceVel and isSaturated: what an actuator's force loses with velocity
static MTH_ALWAYS_INLINE MthLane stp_laneForceVel(const MdlLanes* w, int i) {
  const mjModel* const m = w->plan->m;
  const int bias = m->actuator_biastype[i] == mjBIAS_AFFINE, affine = m->actuator_gaintype[i] == mjGAIN_AFFINE;
  const mjtNum* const range = m->actuator_forcerange + 2 * i;
  MthLane res = bias ? w->actuator_biasprm[mjNBIAS * i + 2] : mth_laneOf(0);
  if (affine) {
    const MthLane gain = w->actuator_gainprm[mjNGAIN * i + 2];
    const int act = m->actuator_actadr[i];
    MthLane input = w->ctrl[i];
    if (m->actuator_dyntype[i] != mjDYN_NONE) {
      input = m->actuator_actearly[i] ? frc_laneNextActivation(w, i, act, w->act_dot[act]) : w->act[act];
    }
    res = mth_laneSelect((MthMask)(gain != 0), res + gain * input, res);
  }
  if (!m->actuator_forcelimited[i]) return res;
  const MthMask saturated = (MthMask)(w->actuator_force[i] <= range[0]) | (MthMask)(w->actuator_force[i] >= range[1]);
  return mth_laneSelect(saturated, mth_laneOf(0), res);
}

// as stp_implicit for implicitfast: the derivative is a diagonal
static inline void stp_laneImplicitFast(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  const mjModel* const m = p->m;
  const mjtNum h = m->opt.timestep;
  MthLane* const deriv = w->stage_qvel;
  for (int i = 0; i < m->nv; i++) deriv[i] = mth_laneOf(0);
  for (int i = 0; i < m->nu && !mjDISABLED(mjDSBL_ACTUATION); i++) {
    if (frc_actuatorDisabled(m, i)) continue;
    const mjtNum J = p->moment[p->moment_rowadr[i]];
    deriv[p->moment_colind[p->moment_rowadr[i]]] += J * stp_laneForceVel(w, i) * J;
  }
  for (int i = 0; i < m->nv && !mjDISABLED(mjDSBL_DAMPER); i++) deriv[i] -= w->dof_damping[i];

  // entries beside the diagonal lose nothing
  mth_laneCopy(w->qH, w->M, (int)m->nC);
  for (int i = 0; i < m->nv; i++) {
    const int diagonal = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    w->qH[diagonal] = w->M[diagonal] - h * deriv[i];
  }
  stp_laneForces(w);
  dyn_laneFactorSolve(w, (DynLaneFactor){w->qH, w->qHDiagInv}, w->solution);
  stp_laneAdvance(w, w->act_dot, w->solution, NULL);
}

//---------------------------------- Runge-Kutta ----------------------------------

// as saveState
static inline void stp_laneRungeStart(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  mth_laneCopy(w->start_qpos, w->qpos, (int)m->nq);
  mth_laneCopy(w->start_qvel, w->qvel, (int)m->nv);
  mth_laneCopy(w->start_act, w->act, (int)m->na);
  for (int i = 0; i < m->nv; i++) w->sum_qpos[i] = w->sum_qvel[i] = mth_laneOf(0);
  for (int i = 0; i < m->na; i++) w->sum_act[i] = mth_laneOf(0);
}

// as addRate
static inline void stp_laneAddRate(const MdlLanes* w, mjtNum weight) {
  const mjModel* const m = w->plan->m;
  for (int i = 0; i < m->nv; i++) w->sum_qpos[i] += weight * w->qvel[i];
  for (int i = 0; i < m->nv; i++) w->sum_qvel[i] += weight * w->qacc[i];
  for (int i = 0; i < m->na; i++) w->sum_act[i] += weight * w->act_dot[i];
}

// to where evaluate looks next
static inline void stp_laneRungeMove(const MdlLanes* w, MthLane start, mjtNum fraction) {
  const mjModel* const m = w->plan->m;
  const mjtNum h = m->opt.timestep;
  for (int i = 0; i < m->nv; i++) w->stage_qvel[i] = w->qvel[i] * fraction;
  mth_laneCopy(w->qpos, w->start_qpos, (int)m->nq);
  stp_laneIntegratePos(w, w->stage_qvel, h);
  for (int i = 0; i < m->nv; i++) w->qvel[i] = w->start_qvel[i] + h * (fraction * w->qacc[i]);
  for (int i = 0; i < m->na; i++) w->act[i] = w->start_act[i] + h * (fraction * w->act_dot[i]);
  *w->time = start + fraction * h;
}

// as restoreState and the step with the weighted rates
static inline void stp_laneRungeEnd(const MdlLanes* w, MthLane start) {
  const mjModel* const m = w->plan->m;
  *w->time = start;
  mth_laneCopy(w->qpos, w->start_qpos, (int)m->nq);
  mth_laneCopy(w->qvel, w->start_qvel, (int)m->nv);
  mth_laneCopy(w->act, w->start_act, (int)m->na);
  stp_laneAdvance(w, w->sum_act, w->sum_qvel, w->sum_qpos);
}
