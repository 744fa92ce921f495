// Forces without constraints: tendons, springs and dampers, gravity compensation, actuators, what users apply; and the
// acceleration that they give.
//
// Moments of actuators and fixed tendons are constants of the model. Forces go to the dofs by lists of the dofs, so
// that no two lanes add to one number.
#pragma once

#include "cuda/dynamics.h"

//---------------------------------- tendons ----------------------------------

// Σ coefficient · value over the joints of a fixed tendon
CU_FN Real cu_tendonSum(const CudModel* m, int t, const Real* values, const int* address) {
  Real sum = 0;
  const int first = m->tendon_adr[t], end = first + m->tendon_num[t];
  for (int k = first; k < end; k++) sum += m->wrap_prm[k] * values[address[m->wrap_objid[k]]];
  return sum;
}

// coefficient of a tendon at a dof
CU_FN Real cu_tendonAt(const CudModel* m, int t, int dof) {
  Real sum = 0;
  const int first = m->tendon_adr[t], end = first + m->tendon_num[t];
  for (int k = first; k < end; k++) sum += m->jnt_dofadr[m->wrap_objid[k]] == dof ? m->wrap_prm[k] : R_(0);
  return sum;
}

CU_FN void cu_tendons(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(t, m->ntendon) CU_W(c, ten_length)[t] = cu_tendonSum(m, t, CU_W(c, qpos), m->jnt_qposadr);
  cu_sync();
}

// spring with a dead band, and damper
CU_FN void cu_tendonForces(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(t, m->ntendon) {
    const Real length = CU_W(c, ten_length)[t], *band = m->tendon_lengthspring + 2 * t;
    Real force = 0;
    if (!(m->disableflags & mjDSBL_SPRING)) {
      if (length > band[1]) force = m->tendon_stiffness[t] * (band[1] - length);
      if (length < band[0]) force = m->tendon_stiffness[t] * (band[0] - length);
    }
    if (!(m->disableflags & mjDSBL_DAMPER)) {
      force -= m->tendon_damping[t] * cu_tendonSum(m, t, CU_W(c, qvel), m->jnt_dofadr);
    }
    CU_W(c, ten_force)[t] = force;
  }
  cu_sync();
}

//---------------------------------- passive ----------------------------------

// force of the spring of a dof's joint along that dof
CU_FN Real cu_spring(const Cu* c, int i) {
  const CudModel* m = c->m;
  const int j = m->dof_jntid[i], type = m->jnt_type[j], k = i - m->jnt_dofadr[j];
  const Real stiffness = m->jnt_stiffness[j];
  if (stiffness == 0) return 0;
  const Real *qpos = CU_W(c, qpos) + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE || (type == mjJNT_FREE && k < 3)) {
    return -stiffness * (qpos[k] - rest[k]);
  }
  const int quat = type == mjJNT_FREE ? 3 : 0;
  Real q[4], turn[3];
  cu_copy4(q, qpos + quat);
  cu_unit4(q);
  cu_subQuat(turn, q, rest + quat);
  return -stiffness * turn[k % 3];
}

// 1: the dof moves the body
CU_FN int cu_moves(const CudModel* m, int body, int dof) {
  return (int)((unsigned)m->body_dofs[body * m->nword + (dof >> 5)] >> (dof & 31)) & 1;
}

// motion of a point of a dof's tree per unit of its velocity
CU_FN void cu_pointMotion(const Cu* c, int dof, const Real point[3], Real lin[3]) {
  const Real* cdof = CU_W(c, cdof) + 6 * dof;
  Real arm[3];
  cu_sub3(arm, point, CU_W(c, com) + 3 * c->m->dof_rootid[dof]);
  cu_cross3(lin, cdof, arm);
  cu_add3(lin, lin, cdof + 3);
}

// weights that are carried, along a dof
CU_FN Real cu_gravcomp(const Cu* c, int i) {
  const CudModel* m = c->m;
  Real sum = 0, lin[3];
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_gravcomp[b] == 0 || !cu_moves(m, b, i)) continue;
    cu_pointMotion(c, i, CU_W(c, xipos) + 3 * b, lin);
    sum -= m->body_mass[b] * m->body_gravcomp[b] * cu_dot3(m->gravity, lin);
  }
  return sum;
}

// passive force along a dof, but for gravity compensation
CU_FN Real cu_passive(const Cu* c, int i) {
  const CudModel* m = c->m;
  Real force = 0;
  if (!(m->disableflags & mjDSBL_SPRING)) force += cu_spring(c, i);
  if (!(m->disableflags & mjDSBL_DAMPER)) force -= m->dof_damping[i] * CU_W(c, qvel)[i];
  for (int t = 0; t < (m->springy ? m->ntendon : 0); t++) {
    const Real tension = CU_W(c, ten_force)[t];
    if (tension != 0) force += tension * cu_tendonAt(m, t, i);
  }
  return force;
}

//---------------------------------- actuators ----------------------------------

CU_FN Real cu_actuatorLength(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int id = m->actuator_trnid[2 * u];
  const Real* gear = m->actuator_gear + 6 * u;
  if (m->actuator_trntype[u] == mjTRN_TENDON) return CU_W(c, ten_length)[id] * gear[0];
  const Real* qpos = CU_W(c, qpos) + m->jnt_qposadr[id];
  const int type = m->jnt_type[id];
  if (type == mjJNT_FREE) return 0;
  if (type != mjJNT_BALL) return qpos[0] * gear[0];
  Real q[4], turn[3];
  cu_copy4(q, qpos);
  cu_unit4(q);
  cu_quat2Vec(turn, q);
  return cu_dot3(turn, gear);
}

// activation one step later
CU_FN Real cu_nextActivation(const CudModel* m, int u, Real act, Real act_dot) {
  Real next = act + act_dot * m->timestep;
  if (m->actuator_dyntype[u] == mjDYN_FILTEREXACT) {
    const Real tau = cu_max(CU_MINVAL, m->actuator_dynprm[10 * u]);
    next = act + act_dot * tau * (1 - cu_exp(-m->timestep / tau));
  }
  if (!m->actuator_actlimited[u]) return next;
  return cu_clip(next, m->actuator_actrange[2 * u], m->actuator_actrange[2 * u + 1]);
}

// rate of the activation of an actuator that has one
CU_FN Real cu_activationRate(const CudModel* m, int u, Real ctrl, Real act) {
  switch (m->actuator_dyntype[u]) {
    case mjDYN_INTEGRATOR:
      return ctrl;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      return (ctrl - act) / cu_max(CU_MINVAL, m->actuator_dynprm[10 * u]);
    default:
      return 0;
  }
}

CU_FN Real cu_affine(const Real* prm, Real length, Real velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// force of one actuator and its derivative by velocity
CU_FN void cu_actuator(const Cu* c, int u, Real ctrl) {
  const CudModel* m = c->m;
  const Real *gain = m->actuator_gainprm + 10 * u, *bias = m->actuator_biasprm + 10 * u;
  const int affine = m->actuator_gaintype[u] == mjGAIN_AFFINE, biased = m->actuator_biastype[u] == mjBIAS_AFFINE;

  // what the gain multiplies
  Real input = ctrl;
  const int a = m->actuator_actadr[u];
  if (a >= 0) {
    const Real act = CU_W(c, act)[a], rate = cu_activationRate(m, u, ctrl, act);
    CU_W(c, act_dot)[a] = rate;
    input = m->actuator_actearly[u] ? cu_nextActivation(m, u, act, rate) : act;
  }
  if (m->actuator_off[u]) {
    CU_W(c, actuator_force)[u] = CU_W(c, force_vel)[u] = 0;
    return;
  }

  // length and velocity only where something asks for them
  Real length = 0, velocity = 0;
  if (affine || biased) {
    length = cu_actuatorLength(c, u);
    for (int k = m->mom_adr[u]; k < m->mom_adr[u + 1]; k++) velocity += m->mom_coef[k] * CU_W(c, qvel)[m->mom_dof[k]];
  }
  Real force = (affine ? cu_affine(gain, length, velocity) : gain[0]) * input;
  if (biased) force += cu_affine(bias, length, velocity);
  Real slope = (affine ? gain[2] * input : R_(0)) + (biased ? bias[2] : R_(0));
  if (m->actuator_forcelimited[u]) {
    const Real* range = m->actuator_forcerange + 2 * u;
    force = cu_clip(force, range[0], range[1]);
    if (force <= range[0] || force >= range[1]) slope = 0;
  }
  CU_W(c, actuator_force)[u] = force;
  CU_W(c, force_vel)[u] = slope;
}

CU_FN void cu_actuators(Cu* c) {
  const CudModel* m = c->m;
  if (!m->nu) return;
  if (m->disableflags & mjDSBL_ACTUATION) {
    CU_FOR(u, m->nu) CU_W(c, actuator_force)[u] = CU_W(c, force_vel)[u] = 0;
    CU_FOR(a, m->na) CU_W(c, act_dot)[a] = 0;
    cu_sync();
    return;
  }

  // one control that is no usable number makes all of them zero
  const Real* input = CU_ROW(c, state.ctrl, m->nu);
  int bad = 0;
  CU_FOR(u, m->nu) bad |= !(cu_abs(input[u]) <= R_(mjMAXVAL));
  bad = cu_any(bad);
  if (bad) c->status |= CUD_BAD_CTRL;
  CU_FOR(u, m->nu) {
    Real ctrl = bad ? 0 : input[u];
    if (m->actuator_ctrllimited[u] && !(m->disableflags & mjDSBL_CLAMPCTRL)) {
      ctrl = cu_clip(ctrl, m->actuator_ctrlrange[2 * u], m->actuator_ctrlrange[2 * u + 1]);
    }
    cu_actuator(c, u, ctrl);
  }
  cu_sync();
}

// actuator forces along a dof, within the joint's range; carried: gravity compensation that counts as actuation
CU_FN Real cu_actuation(const Cu* c, int i, Real carried) {
  const CudModel* m = c->m;
  Real force = carried;
  if (m->disableflags & mjDSBL_ACTUATION) return 0;
  for (int k = m->dofmom_adr[i]; k < m->dofmom_adr[i + 1]; k++) {
    force += m->dofmom_coef[k] * CU_W(c, actuator_force)[m->dofmom_act[k]];
  }
  const int j = m->dof_jntid[i];
  if (!m->jnt_actfrclimited[j] || i != m->jnt_dofadr[j]) return force;
  return cu_clip(force, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
}

//---------------------------------- all of them ----------------------------------

// forces that users apply to bodies, along a dof
CU_FN Real cu_applied(const Cu* c, int i, const Real* xfrc) {
  const CudModel* m = c->m;
  Real sum = 0, lin[3];
  for (int b = 1; b < m->nbody; b++) {
    if (!cu_moves(m, b, i)) continue;
    cu_pointMotion(c, i, CU_W(c, xipos) + 3 * b, lin);
    sum += cu_dot3(xfrc + 6 * b, lin) + cu_dot3(xfrc + 6 * b + 3, CU_W(c, cdof) + 6 * i);
  }
  return sum;
}

CU_FN void cu_smoothForces(Cu* c) {
  const CudModel* m = c->m;
  const int still = (m->disableflags & mjDSBL_SPRING) && (m->disableflags & mjDSBL_DAMPER);
  if (m->springy) cu_tendonForces(c);
  cu_actuators(c);
  const Real *applied = CU_ROW(c, state.qfrc_applied, m->nv), *xfrc = CU_ROW(c, state.xfrc_applied, 6 * m->nbody);
  int pushed = 0;
  CU_FOR(k, 6 * m->nbody) pushed |= xfrc[k] != 0;
  pushed = cu_any(pushed);

  Real *smooth = CU_W(c, qfrc_smooth), *acc = CU_W(c, qacc_smooth);
  CU_FOR(i, m->nv) {
    Real force = applied[i] - CU_W(c, qfrc_bias)[i], carried = 0;
    if (!still) force += cu_passive(c, i);
    if (m->gravcomp && !still) {
      carried = cu_gravcomp(c, i);
      if (!m->jnt_actgravcomp[m->dof_jntid[i]]) {
        force += carried;
        carried = 0;
      }
    }
    if (m->nu) force += cu_actuation(c, i, carried);
    if (pushed) force += cu_applied(c, i, xfrc);
    smooth[i] = acc[i] = force;
  }
  CU_FOR(i, m->nvs - m->nv) acc[m->nv + i] = 0;
  CU_FOR(k, cu_at(m->nv, 0)) CU_W(c, Msolve)[k] = CU_W(c, M)[k];
  cu_sync();
  CU_OUT(c, qfrc_smooth, smooth, m->nv);
}

CU_FN void cu_smoothAcceleration(Cu* c) {
  cu_factorSolve(c, c->m->at.Msolve, CU_W(c, qacc_smooth));
  CU_OUT(c, qacc_smooth, CU_W(c, qacc_smooth), c->m->nv);
}
