// Transmissions: lengths and moments of actuators.
//
// The dofs that an actuator acts on are constants of the model (mom_dof). For joints and fixed tendons the moments are
// so too (mom_coef); where one actuator of the model has others, all are computed in every step, a lane for each. The
// moment of dof i is w · (v_i + ω_i × r) for a force w at distance r from the tree's centre of mass.
#pragma once

#include "cuda/pool.h"
#include "cuda/tendon.h"

// moments by actuator
CU_FN const Real* cu_moments(const Cu* c) {
  return CU_HAS(c->m->moving) ? CU_W(c, moment) : c->m->mom_coef;
}

// entry k of the moments by dof
CU_FN Real cu_dofMoment(const Cu* c, int k) {
  return CU_HAS(c->m->moving) ? CU_W(c, moment)[c->m->dofmom_at[k]] : c->m->dofmom_coef[k];
}

//---------------------------------- joints ----------------------------------

// length of an actuator at a joint; axis: rotational gear of ball and free joints
CU_FN Real cu_jointLength(const Cu* c, int u, Real axis[3]) {
  const CudModel* m = c->m;
  const int j = m->actuator_trnid[2 * u], type = m->jnt_type[j], free = type == mjJNT_FREE;
  const Real *gear = m->actuator_gear + 6 * u, *qpos = CU_W(c, qpos) + m->jnt_qposadr[j];
  if (type >= mjJNT_SLIDE) return qpos[0] * gear[0];
  Real q[4], turn[3];
  cu_copy4(q, qpos + (free ? 3 : 0));
  cu_unit4(q);
  cu_copy3(axis, gear + (free ? 3 : 0));
  if (m->actuator_trntype[u] == mjTRN_JOINTINPARENT) {
    const Real inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    Real turned[3];
    cu_rotate(turned, inverse, axis);
    cu_copy3(axis, turned);
  }
  if (free) return 0;
  cu_quat2Vec(turn, q);
  return cu_dot3(turn, axis);
}

// length of an actuator whose moments are constant
CU_FN Real cu_actuatorLength(const Cu* c, int u) {
  const CudModel* m = c->m;
  Real axis[3];
  if (CU_HAS(m->moving)) return CU_W(c, actuator_length)[u];
  if (m->actuator_trntype[u] != mjTRN_TENDON) return cu_jointLength(c, u, axis);
  return CU_W(c, ten_length)[m->actuator_trnid[2 * u]] * m->actuator_gear[6 * u];
}

CU_FN Real cu_actuatorVelocity(const Cu* c, int u) {
  const CudModel* m = c->m;
  const Real *moment = cu_moments(c), *qvel = CU_W(c, qvel);
  Real sum = 0;
  const int end = m->mom_adr[u + 1];
  for (int k = m->mom_adr[u]; k < end; k++) sum += moment[k] * qvel[m->mom_dof[k]];
  return sum;
}

//---------------------------------- sites ----------------------------------

// a force and a torque at a point of a body
typedef struct {
  Real pos[3], force[3], torque[3];
  int body;
} CuWrench;

// moment of a wrench along a dof
CU_FN Real cu_wrenchAlong(const Cu* c, const CuWrench* w, int dof) {
  Real v[3];
  if (!cu_moves(c->m, w->body, dof)) return 0;
  cu_pointMotion(c, dof, w->pos, v);
  return cu_dot3(v, w->force) + cu_dot3(CU_W(c, cdof) + 6 * dof, w->torque);
}

// a wrench in the frame of a site
CU_FN Real cu_siteMoments(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int site = m->actuator_trnid[2 * u];
  CuWrench w;
  Real mat[9];
  w.body = m->site_bodyid[site];
  cu_sitePose(c, site, w.pos, mat);
  cu_mulMat3(w.force, mat, m->actuator_gear + 6 * u);
  cu_mulMat3(w.torque, mat, m->actuator_gear + 6 * u + 3);
  for (int k = m->mom_adr[u]; k < m->mom_adr[u + 1]; k++) CU_W(c, moment)[k] = cu_wrenchAlong(c, &w, m->mom_dof[k]);
  return 0;
}

// the orientation of a site, in the order of factors that lengths are defined by
CU_FN void cu_siteTurn(const Cu* c, int site, Real q[4]) {
  const CudModel* m = c->m;
  cu_mulQuat(q, m->site_quat + 4 * site, CU_W(c, xquat) + 4 * m->site_bodyid[site]);
}

// pose of a site relative to another, along the axes of the latter
CU_FN Real cu_relativeMoments(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int site = m->actuator_trnid[2 * u], ref = m->actuator_trnid[2 * u + 1];
  const Real* gear = m->actuator_gear + 6 * u;
  CuWrench w[2];
  Real mat[9], refmat[9], vec[3], local[3], q[4], refq[4], length = 0;
  w[0].body = m->site_bodyid[site];
  w[1].body = m->site_bodyid[ref];
  cu_sitePose(c, site, w[0].pos, mat);
  cu_sitePose(c, ref, w[1].pos, refmat);
  cu_sub3(vec, w[0].pos, w[1].pos);
  cu_mulMatT3(local, refmat, vec);
  length += cu_dot3(local, gear);
  if (gear[3] != 0 || gear[4] != 0 || gear[5] != 0) {
    cu_siteTurn(c, site, q);
    cu_siteTurn(c, ref, refq);
    cu_subQuat(vec, q, refq);
    length += cu_dot3(vec, gear + 3);
  }
  for (int s = 0; s < 2; s++) {
    cu_mulMat3(w[s].force, refmat, gear);
    cu_mulMat3(w[s].torque, refmat, gear + 3);
  }
  for (int k = m->mom_adr[u]; k < m->mom_adr[u + 1]; k++) {
    const int dof = m->mom_dof[k];
    CU_W(c, moment)[k] = cu_wrenchAlong(c, w, dof) - cu_wrenchAlong(c, w + 1, dof);
  }
  return length;
}

//---------------------------------- slider-crank ----------------------------------

// length a'v − √((a'v)² + r² − v'v) for slider axis a, rod r and v from slider to crank; where there is no such
// length, the rod is taken as perpendicular
CU_FN Real cu_crankMoments(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int crank = m->actuator_trnid[2 * u], slider = m->actuator_trnid[2 * u + 1];
  const Real gear = m->actuator_gear[6 * u], rod = m->actuator_cranklength[u];
  CuWrench w[2];
  Real mat[9], axis[3], vec[3], dvec[3], daxis[3];
  w[0].body = m->site_bodyid[slider];
  w[1].body = m->site_bodyid[crank];
  cu_sitePose(c, slider, w[0].pos, mat);
  cu_sitePosition(c, crank, w[1].pos);
  cu_col3(axis, mat, 2);
  cu_sub3(vec, w[1].pos, w[0].pos);
  const Real along = cu_dot3(vec, axis), det = along * along + rod * rod - cu_dot3(vec, vec);
  const int open = det <= 0;
  const Real root = open ? R_(1) : cu_sqrt(det), part = open ? R_(1) : 1 - along / root;
  cu_scl3(dvec, axis, part);
  if (!open) cu_addScl3(dvec, dvec, vec, 1 / root);
  cu_scl3(daxis, vec, part);

  // the slider turns its axis, too
  cu_scl3(w[0].force, dvec, -1);
  cu_cross3(w[0].torque, axis, daxis);
  cu_copy3(w[1].force, dvec);
  cu_set3(w[1].torque, 0, 0, 0);
  for (int k = m->mom_adr[u]; k < m->mom_adr[u + 1]; k++) {
    const int dof = m->mom_dof[k];
    CU_W(c, moment)[k] = gear * (cu_wrenchAlong(c, w, dof) + cu_wrenchAlong(c, w + 1, dof));
  }
  return gear * (open ? along : along - root);
}

//---------------------------------- adhesion ----------------------------------

// average of the normals of all contacts of a body, pulling it towards them; by all lanes
CU_FN void cu_adhesionMoments(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int body = m->actuator_trnid[2 * u], first = m->mom_adr[u];
  CU_FOR(i, m->nv) {
    Real sum = 0, v[3];
    int n = 0;
    for (int k = 0; k < c->ncon; k++) {
      const Real* con = cu_contact(c, k);
      const int body1 = (int)con[CUD_BODY], body2 = (int)con[CUD_BODY + 1];
      if (body1 != body && body2 != body) continue;
      n++;
      const int sign = cu_moves(m, body2, i) - cu_moves(m, body1, i);
      if (!sign) continue;
      cu_pointMotion(c, i, con + CUD_POS, v);
      sum += sign * cu_dot3(con + CUD_NORMAL, v);
    }
    CU_W(c, moment)[first + i] = n ? -sum / n : R_(0);
  }
  CU_FOR(k, 1) CU_W(c, actuator_length)[u] = 0;
}

//---------------------------------- all ----------------------------------

// actuators at joints and tendons
CU_FN Real cu_simpleMoments(const Cu* c, int u) {
  const CudModel* m = c->m;
  const int id = m->actuator_trnid[2 * u], first = m->mom_adr[u], n = m->mom_adr[u + 1] - first;
  const Real* gear = m->actuator_gear + 6 * u;
  Real *moment = CU_W(c, moment) + first, axis[3];
  if (m->actuator_trntype[u] == mjTRN_TENDON) {
    for (int k = 0; k < n; k++) moment[k] = gear[0] * cu_tendonMoments(c)[m->tenj_adr[id] + k];
    return CU_W(c, ten_length)[id] * gear[0];
  }
  const Real length = cu_jointLength(c, u, axis);
  for (int k = 0; k < n; k++) moment[k] = n > 1 && k >= n - 3 ? axis[k - n + 3] : gear[k];
  return length;
}

CU_CALL void cu_transmission(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(u, m->nu) {
    const int type = m->actuator_trntype[u];
    if (type == mjTRN_BODY) continue;
    CU_W(c, actuator_length)
    [u] = type == mjTRN_SLIDERCRANK          ? cu_crankMoments(c, u)
          : type != mjTRN_SITE               ? cu_simpleMoments(c, u)
          : m->actuator_trnid[2 * u + 1] < 0 ? cu_siteMoments(c, u)
                                             : cu_relativeMoments(c, u);
  }
  for (int u = 0; u < (m->adheres ? m->nu : 0); u++) {
    if (m->actuator_trntype[u] == mjTRN_BODY) cu_adhesionMoments(c, u);
  }
  cu_sync();
}
