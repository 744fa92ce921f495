// Forces without constraints: tendons, springs and dampers, gravity compensation, actuators, what users apply; and the
// acceleration that they give.
//
// Forces go to the dofs by lists of the dofs, so that no two lanes add to one number.
#pragma once

#include "cuda/derive.h"
#include "cuda/transmission.h"

//---------------------------------- passive ----------------------------------

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
      force -= m->tendon_damping[t] * cu_tendonVelocity(c, t);
    }
    CU_W(c, ten_force)[t] = force;
  }
  cu_sync();
}

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
    if (tension != 0) force += tension * cu_tendonAt(c, t, i);
  }
  if (CU_HAS(m->medium)) force += CU_W(c, qfrc_fluid)[i];
#if CU_FAR
  if (m->nflex) force += CU_W(c, qfrc_flex)[i];
#endif
  return force;
}

//---------------------------------- actuators ----------------------------------

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

//---------------------------------- muscles ----------------------------------
// parameters: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax

// rate of activation; parameters: times of activation and deactivation, width of the switch between them
CU_CALL Real cu_muscleRate(Real ctrl, Real act, const Real* prm) {
  const Real stretch = R_(0.5) + R_(1.5) * cu_clip(act, 0, 1), rise = prm[0] * stretch, fall = prm[1] / stretch;
  const Real error = cu_clip(ctrl, 0, 1) - act;
  Real tau = error > 0 ? rise : fall;
  if (!(prm[2] < CU_MINVAL)) {
    // quintic from 0 to 1
    const Real x = cu_clip(error / prm[2] + R_(0.5), 0, 1);
    tau = fall + (rise - fall) * (x * x * x * (10 + x * (6 * x - 15)));
  }
  return error / cu_max(CU_MINVAL, tau);
}

// force over length: four parabolas, 0 at lmin, 1 at 1, 0 at lmax
CU_FN Real cu_muscleBump(Real length, Real lmin, Real lmax) {
  if (!(lmin <= length && length <= lmax)) return 0;
  const Real rise = R_(0.5) * (lmin + 1), fall = R_(0.5) * (1 + lmax);
  if (length <= rise || length > fall) {
    const Real x = length <= rise ? (length - lmin) / cu_max(CU_MINVAL, rise - lmin)
                                  : (lmax - length) / cu_max(CU_MINVAL, lmax - fall);
    return R_(0.5) * x * x;
  }
  const Real x = length <= 1 ? (1 - length) / cu_max(CU_MINVAL, 1 - rise) : (length - 1) / cu_max(CU_MINVAL, fall - 1);
  return 1 - R_(0.5) * x * x;
}

// a muscle with its scales
typedef struct {
  Real force, unit, length;  // peak force, velocity of shortening, length in units of the best one
} CuMuscle;

CU_FN CuMuscle cu_openMuscle(const CudModel* m, int u, const Real* prm, Real length) {
  const Real* range = m->actuator_lengthrange + 2 * u;
  const Real best = (range[1] - range[0]) / cu_max(CU_MINVAL, prm[1] - prm[0]);
  CuMuscle s;
  s.force = prm[2] < 0 ? prm[3] / cu_max(CU_MINVAL, m->actuator_acc0[u]) : prm[2];
  s.unit = cu_max(CU_MINVAL, best * prm[6]);
  s.length = prm[0] + (length - range[0]) / cu_max(CU_MINVAL, best);
  return s;
}

// gain, and its derivative by velocity
CU_CALL Real cu_muscleGain(const CudModel* m, int u, Real length, Real velocity, Real* slope) {
  const Real* prm = m->actuator_gainprm + 10 * u;
  const CuMuscle s = cu_openMuscle(m, u, prm, length);
  const Real V = velocity / s.unit, most = prm[8], knee = most - 1;
  Real curve = most, rate = 0;
  if (V <= -1) {
    curve = 0;
  } else if (V <= 0) {
    curve = (V + 1) * (V + 1);
    rate = 2 * V + 2;
  } else if (V <= knee) {
    curve = most - (knee - V) * (knee - V) / cu_max(CU_MINVAL, knee);
    rate = (2 * knee - 2 * V) / cu_max(CU_MINVAL, knee);
  }
  const Real peak = -s.force * cu_muscleBump(s.length, prm[4], prm[5]);
  *slope = peak * rate / s.unit;
  return peak * curve;
}

// passive force: quadratic up to the middle of the upper range, then linear
CU_CALL Real cu_muscleBias(const CudModel* m, int u, Real length) {
  const Real* prm = m->actuator_biasprm + 10 * u;
  const CuMuscle s = cu_openMuscle(m, u, prm, length);
  if (s.length <= 1) return 0;
  const Real middle = R_(0.5) * (1 + prm[5]), scale = -s.force * prm[7], span = cu_max(CU_MINVAL, middle - 1);
  if (s.length > middle) return scale * (R_(0.5) + (s.length - middle) / span);
  const Real x = (s.length - 1) / span;
  return scale * R_(0.5) * x * x;
}

//---------------------------------- forces of actuators ----------------------------------

// rate of the activation of an actuator that has one
CU_FN Real cu_activationRate(const CudModel* m, int u, Real ctrl, Real act) {
  switch (m->actuator_dyntype[u]) {
    case mjDYN_INTEGRATOR:
      return ctrl;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      return (ctrl - act) / cu_max(CU_MINVAL, m->actuator_dynprm[10 * u]);
    case mjDYN_MUSCLE:
      return !CU_ALL ? 0 : cu_muscleRate(ctrl, act, m->actuator_dynprm + 10 * u);
    default:
      return 0;
  }
}

CU_FN Real cu_affine(const Real* prm, Real length, Real velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// force of one actuator, without its limits, and its derivative by velocity; raw: the control as it was given
CU_FN void cu_actuator(const Cu* c, int u, Real ctrl, Real raw) {
  const CudModel* m = c->m;
  const Real *gain = m->actuator_gainprm + 10 * u, *bias = m->actuator_biasprm + 10 * u;
  const int gaintype = m->actuator_gaintype[u], biastype = m->actuator_biastype[u];

  // what the gain multiplies
  Real input = ctrl, slope = 0;
  const int a = m->actuator_actadr[u];
  if (a >= 0) {
    const Real act = CU_W(c, act)[a], rate = cu_activationRate(m, u, ctrl, act);
    CU_W(c, act_dot)[a] = rate;
    input = raw = m->actuator_actearly[u] ? cu_nextActivation(m, u, act, rate) : act;
  }
  if (m->actuator_off[u]) {
    CU_W(c, actuator_force)[u] = CU_W(c, force_vel)[u] = 0;
    return;
  }

  // length and velocity only where something asks for them
  Real length = 0, velocity = 0, force = gain[0] * input;
  if (gaintype != mjGAIN_FIXED || biastype != mjBIAS_NONE) {
    length = cu_actuatorLength(c, u);
    velocity = cu_actuatorVelocity(c, u);
  }
  if (gaintype == mjGAIN_AFFINE) {
    force = cu_affine(gain, length, velocity) * input;
    slope = gain[2] * raw;
  } else if (CU_HAS(gaintype == mjGAIN_MUSCLE)) {
    force = cu_muscleGain(m, u, length, velocity, &slope) * input;
    slope *= raw;
  }
  if (biastype == mjBIAS_AFFINE) {
    force += cu_affine(bias, length, velocity);
    slope += bias[2];
  } else if (CU_HAS(biastype == mjBIAS_MUSCLE)) {
    force += cu_muscleBias(m, u, length);
  }
  CU_W(c, actuator_force)[u] = force;
  CU_W(c, force_vel)[u] = slope;
}

// tendon of an actuator that limits the forces of all its actuators together, -1: none
CU_FN int cu_limitedTendon(const CudModel* m, int u) {
  const int t = m->actuator_trntype[u] == mjTRN_TENDON ? m->actuator_trnid[2 * u] : -1;
  return t >= 0 && m->tendon_actfrclimited[t] ? t : -1;
}

// factor by which the actuators of a tendon are scaled down when their sum is outside its range
CU_FN Real cu_tendonShare(const Cu* c, int t) {
  const CudModel* m = c->m;
  Real total = 0;
  for (int u = 0; u < m->nu; u++) {
    if (cu_limitedTendon(m, u) == t) total += CU_W(c, actuator_force)[u];
  }
  if (total == 0) return 1;
  return cu_clip(total, m->tendon_actfrcrange[2 * t], m->tendon_actfrcrange[2 * t + 1]) / total;
}

CU_CALL void cu_limitTendonForces(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(t, m->ntendon) CU_W(c, ten_share)[t] = m->tendon_actfrclimited[t] ? cu_tendonShare(c, t) : R_(1);
  cu_sync();
  CU_FOR(u, m->nu) {
    const int t = cu_limitedTendon(m, u);
    if (t >= 0) CU_W(c, actuator_force)[u] *= CU_W(c, ten_share)[t];
  }
  cu_sync();
}

// within the range of the actuator, at whose ends the force does not follow the velocity
CU_FN void cu_limitForce(const Cu* c, int u) {
  const Real* range = c->m->actuator_forcerange + 2 * u;
  Real* force = CU_W(c, actuator_force) + u;
  if (!c->m->actuator_forcelimited[u]) return;
  *force = cu_clip(*force, range[0], range[1]);
  if (*force <= range[0] || *force >= range[1]) CU_W(c, force_vel)[u] = 0;
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
    const Real raw = bad ? 0 : input[u];
    Real ctrl = raw;
    if (m->actuator_ctrllimited[u] && !(m->disableflags & mjDSBL_CLAMPCTRL)) {
      ctrl = cu_clip(ctrl, m->actuator_ctrlrange[2 * u], m->actuator_ctrlrange[2 * u + 1]);
    }
    cu_actuator(c, u, ctrl, raw);
    if (!CU_HAS(m->pulllimits)) cu_limitForce(c, u);
  }
  cu_sync();
  if (CU_HAS(m->pulllimits)) {
    CU_RARE(c, cu_limitTendonForces);
    CU_FOR(u, m->nu) cu_limitForce(c, u);
    cu_sync();
  }
}

// actuator forces along a dof, within the joint's range; carried: gravity compensation that counts as actuation
CU_FN Real cu_actuation(const Cu* c, int i, Real carried) {
  const CudModel* m = c->m;
  Real force = carried;
  if (m->disableflags & mjDSBL_ACTUATION) return 0;
  for (int k = m->dofmom_adr[i]; k < m->dofmom_adr[i + 1]; k++) {
    force += cu_dofMoment(c, k) * CU_W(c, actuator_force)[m->dofmom_act[k]];
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

// lengths and velocities that somebody asked for
CU_FN void cu_reportForces(const Cu* c) {
  const CudModel* m = c->m;
  const CudOutputs* out = &c->t->out;
  if (out->ten_velocity) {
    CU_FOR(t, m->ntendon) CU_ROW(c, out.ten_velocity, m->ntendon)[t] = cu_tendonVelocity(c, t);
  }
  if (out->actuator_length) {
    CU_FOR(u, m->nu) CU_ROW(c, out.actuator_length, m->nu)[u] = cu_actuatorLength(c, u);
  }
  if (out->actuator_velocity) {
    CU_FOR(u, m->nu) CU_ROW(c, out.actuator_velocity, m->nu)[u] = cu_actuatorVelocity(c, u);
  }
  CU_OUT(c, actuator_force, CU_W(c, actuator_force), m->nu);
  CU_OUT(c, act_dot, CU_W(c, act_dot), m->na);
}

// total of all forces along a dof but for constraints
CU_FN Real cu_smoothForce(const Cu* c, int i, const Real* xfrc) {
  const CudModel* m = c->m;
  const int still = (m->disableflags & mjDSBL_SPRING) && (m->disableflags & mjDSBL_DAMPER);
  Real passive = 0, carried = 0, actuation = 0;
  if (!still) passive = cu_passive(c, i);
  if (m->gravcomp && !still) {
    carried = cu_gravcomp(c, i);
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) {
      passive += carried;
      carried = 0;
    }
  }
  if (m->nu) actuation = cu_actuation(c, i, carried);
  if (CU_HAS(c->t->out.qfrc_passive)) CU_ROW(c, out.qfrc_passive, m->nv)[i] = passive;
  if (CU_HAS(c->t->out.qfrc_actuator)) CU_ROW(c, out.qfrc_actuator, m->nv)[i] = actuation;
  return CU_ROW(c, state.qfrc_applied, m->nv)[i] - CU_W(c, qfrc_bias)[i] + passive + actuation +
         (xfrc ? cu_applied(c, i, xfrc) : R_(0));
}

CU_FN void cu_smoothForces(Cu* c) {
  const CudModel* m = c->m;
  if (m->springy) cu_tendonForces(c);
  if (CU_HAS(m->moving)) CU_RARE(c, cu_transmission);
  cu_actuators(c);
  if (CU_ALL) cu_reportForces(c);
  const Real* xfrc = CU_ROW(c, state.xfrc_applied, 6 * m->nbody);
  int pushed = 0;
  CU_FOR(k, 6 * m->nbody) pushed |= xfrc[k] != 0;
  pushed = cu_any(pushed);

  Real *smooth = CU_W(c, qfrc_smooth), *acc = CU_W(c, qacc_smooth);
  CU_FOR(i, m->nv) smooth[i] = acc[i] = cu_smoothForce(c, i, pushed ? xfrc : 0);
  CU_FOR(i, m->nvs - m->nv) acc[m->nv + i] = 0;
  CU_FOR(k, cu_at(m->nv, 0)) CU_W(c, Msolve)[k] = CU_W(c, M)[k];
  cu_sync();
  CU_OUT(c, qfrc_smooth, smooth, m->nv);
}

CU_FN void cu_smoothAcceleration(Cu* c) {
  cu_factorSolve(c, c->m->at.Msolve, CU_W(c, qacc_smooth));
  CU_OUT(c, qacc_smooth, CU_W(c, qacc_smooth), c->m->nv);
}
