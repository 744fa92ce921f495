// Lengths of actuators, passive forces and actuation of several simulations side by side, as transmission.c, passive.c
// and step/actuation.c compute them. Moments are those of the plan: they do not change.
#pragma once

#include "dynamics/lane_dynamics.h"
#include "force/actuator.h"
#include "math/elem.h"
#include "model/lanes.h"

//---------------------------------- lengths ----------------------------------

// fixed tendons, as fixedTendon
static inline void frc_laneTendons(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  for (int t = 0; t < m->ntendon; t++) {
    MthLane length = mth_laneOf(0);
    const int end = m->tendon_adr[t] + m->tendon_num[t];
    for (int k = m->tendon_adr[t]; k < end; k++) {
      length += m->wrap_prm[k] * w->qpos[m->jnt_qposadr[m->wrap_objid[k]]];
    }
    w->ten_length[t] = length;
  }
}

// as scalarRow and tendonRow; a free joint has no length
static inline void frc_laneTransmission(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  for (int i = 0; i < m->nu; i++) {
    const int id = m->actuator_trnid[2 * i];
    const mjtNum gear = m->actuator_gear[6 * i];
    if (m->actuator_trntype[i] == mjTRN_TENDON) {
      w->actuator_length[i] = w->ten_length[id] * gear;
    } else if (m->jnt_type[id] == mjJNT_FREE) {
      w->actuator_length[i] = mth_laneOf(0);
    } else {
      w->actuator_length[i] = w->qpos[m->jnt_qposadr[id]] * gear;
    }
  }
}

// moment times qvel, as mth_dotSparse with fewer than eight terms
static inline void frc_laneActuatorVelocity(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  for (int i = 0; i < p->m->nu; i++) {
    const int adr = p->moment_rowadr[i], n = p->moment_rownnz[i];
    MthLane sum = mth_laneOf(0);
    for (int k = 0; k < n; k++) {
      const MthLane term = p->moment[adr + k] * w->qvel[p->moment_colind[adr + k]];
      sum = k ? sum + term : term;
    }
    w->actuator_velocity[i] = sum;
  }
}

//---------------------------------- passive ----------------------------------

// as gravityCompensation
static inline void frc_laneGravcomp(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  const MthMask all = mth_laneTrue();
  for (int i = 0; i < m->nv; i++) w->qfrc_gravcomp[i] = mth_laneOf(0);
  for (int body = 1; body < m->nbody; body++) {
    if (!m->body_gravcomp[body]) continue;
    const MthLane scale = -(w->body_mass[body] * m->body_gravcomp[body]);
    MthLane lift[3];
    for (int k = 0; k < 3; k++) lift[k] = m->opt.gravity[k] * scale;
    dyn_laneAddWrench(w, body, lift, NULL, all, w->qfrc_gravcomp);
  }
}

// springs of slides and hinges, dampers of dofs, weights that are carried, as mj_passive
static inline void frc_lanePassive(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  const mjModel* const m = p->m;
  const int nv = (int)m->nv, spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER);
  MthLane* const passive = w->qfrc_passive;
  for (int i = 0; i < nv; i++) passive[i] = mth_laneOf(0);
  if (!spring && !damper) return;
  for (int j = 0; spring && j < m->njnt; j++) {
    const MthLane stiffness = w->jnt_stiffness[j];
    const MthMask stiff = (MthMask)(stiffness != 0);
    const int q = m->jnt_qposadr[j];
    if (!mth_laneBits(stiff)) continue;
    const MthLane force = -stiffness * (w->qpos[q] - m->qpos_spring[q]);
    passive[m->jnt_dofadr[j]] = mth_laneSelect(stiff, force, mth_laneOf(0));
  }
  for (int i = 0; i < nv; i++) {
    const MthLane damping = w->dof_damping[i], none = mth_laneOf(0);
    passive[i] += damper ? mth_laneSelect((MthMask)(damping != 0), -damping * w->qvel[i], none) : none;
  }
  if (!p->gravcomp) return;
  frc_laneGravcomp(w);
  for (int i = 0; i < nv; i++) {
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) passive[i] += w->qfrc_gravcomp[i];
  }
}

//---------------------------------- actuation ----------------------------------

// as frc_control, without delays
static MTH_ALWAYS_INLINE MthLane frc_laneControl(const MdlLanes* w, int i) {
  const mjModel* const m = w->plan->m;
  if (mjDISABLED(mjDSBL_CLAMPCTRL) || !m->actuator_ctrllimited[i]) return w->ctrl[i];
  return mth_laneClip(w->ctrl[i], m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
}

// as frc_nextActivation
static MTH_ALWAYS_INLINE MthLane frc_laneNextActivation(const MdlLanes* w, int i, int act, MthLane act_dot) {
  const mjModel* const m = w->plan->m;
  const mjtNum h = m->opt.timestep;
  MthLane next;
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    const mjtNum tau = mth_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    next = w->act[act] + act_dot * tau * (1 - mth_exp(-h / tau));
  } else {
    next = w->act[act] + act_dot * h;
  }
  if (!m->actuator_actlimited[i]) return next;
  return mth_laneClip(next, m->actuator_actrange[2 * i], m->actuator_actrange[2 * i + 1]);
}

// as activationRate: integrators and filters, with one variable
static MTH_ALWAYS_INLINE void frc_laneRate(const MdlLanes* w, int i, MthLane ctrl) {
  const mjModel* const m = w->plan->m;
  const int act = m->actuator_actadr[i];
  if (m->actuator_dyntype[i] == mjDYN_INTEGRATOR) {
    w->act_dot[act] = ctrl;
  } else {
    w->act_dot[act] = (ctrl - w->act[act]) / mth_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
  }
}

static MTH_ALWAYS_INLINE MthLane frc_laneAffine(const MthLane prm[3], MthLane length, MthLane velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// as gainOf, inputOf and biasOf; fixed and affine
static MTH_ALWAYS_INLINE MthLane frc_laneForce(const MdlLanes* w, int i, MthLane ctrl) {
  const mjModel* const m = w->plan->m;
  const MthLane *gainprm = w->actuator_gainprm + mjNGAIN * i, *biasprm = w->actuator_biasprm + mjNBIAS * i;
  const MthLane length = w->actuator_length[i], velocity = w->actuator_velocity[i];
  const int act = m->actuator_actadr[i];
  MthLane input = ctrl;
  if (act >= 0) {
    input = m->actuator_actearly[i] ? frc_laneNextActivation(w, i, act, w->act_dot[act]) : w->act[act];
  }
  const MthLane gain = m->actuator_gaintype[i] == mjGAIN_FIXED ? gainprm[0] : frc_laneAffine(gainprm, length, velocity);
  const MthLane bias =
      m->actuator_biastype[i] == mjBIAS_NONE ? mth_laneOf(0) : frc_laneAffine(biasprm, length, velocity);
  return gain * input + bias;
}

// as forcesToDofs. Forces that are zero are added too: a sum that starts from zero does not notice.
static inline void frc_laneToDofs(const MdlLanes* w) {
  static const int DOFNUM[4] = {6, 3, 1, 1};
  const MdlLanePlan* const p = w->plan;
  const mjModel* const m = p->m;
  MthLane* const qfrc = w->qfrc_actuator;
  for (int i = 0; i < m->nv; i++) qfrc[i] = mth_laneOf(0);
  for (int i = 0; i < m->nu; i++) {
    const int adr = p->moment_rowadr[i], n = p->moment_rownnz[i];
    for (int k = adr; k < adr + n; k++) qfrc[p->moment_colind[k]] += w->actuator_force[i] * p->moment[k];
  }
  for (int j = 0; p->gravcomp && j < m->njnt; j++) {
    if (!m->jnt_actgravcomp[j]) continue;
    const int dof = m->jnt_dofadr[j];
    for (int k = dof; k < dof + DOFNUM[m->jnt_type[j]]; k++) qfrc[k] += w->qfrc_gravcomp[k];
  }
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_actfrclimited[j]) continue;
    MthLane* const at = qfrc + m->jnt_dofadr[j];
    *at = mth_laneClip(*at, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
  }
}

// as mj_fwdActuation; 0: a control is no usable number
static inline int frc_laneActuation(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  const int nu = (int)m->nu;
  if (nu == 0 || mjDISABLED(mjDSBL_ACTUATION)) {
    for (int i = 0; i < m->nv; i++) w->qfrc_actuator[i] = mth_laneOf(0);
    return 1;
  }
  MthMask good = mth_laneTrue();
  for (int i = 0; i < nu; i++) {
    const MthLane ctrl = frc_laneControl(w, i);
    good &= (MthMask)(mth_laneAbs(ctrl) <= mjMAXVAL);
    if (m->actuator_actadr[i] >= 0) frc_laneRate(w, i, ctrl);
    w->actuator_force[i] = frc_actuatorDisabled(m, i) ? mth_laneOf(0) : frc_laneForce(w, i, ctrl);
    if (!m->actuator_forcelimited[i]) continue;
    w->actuator_force[i] =
        mth_laneClip(w->actuator_force[i], m->actuator_forcerange[2 * i], m->actuator_forcerange[2 * i + 1]);
  }
  frc_laneToDofs(w);
  return mth_laneBits(good) == MTH_ALL_LANES;
}
