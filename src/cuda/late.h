// What follows from a forward pass and is computed only where somebody asked for it: contacts with their forces,
// accelerations of bodies and forces on them, momenta of subtrees, energy. All of it lies in the memory of the device.
#pragma once

#include "cuda/frame.h"
#include "cuda/newton.h"

CU_FN int cu_maxKept(const CudModel* m) {
  return m->maxcon + m->morecon;
}

CU_FN Real* cu_kept(const Cu* c, int i) {
  return CU_ROW(c, out.kept, cu_maxKept(c->m) * CUD_KEPT) + CUD_KEPT * i;
}

//---------------------------------- while rows are there ----------------------------------

// contacts leave the workspace when the solver begins
CU_CALL void cu_keepContacts(const Cu* c) {
  CU_FOR(i, c->ncon) {
    int row;
    const Real* con = cu_contact(c, i);
    Real* kept = cu_kept(c, cu_placeOf(c, i, &row));
    cu_copyN(kept, con, CUD_CONTACT);
    kept[CUD_CPUROW] = con[CUD_FIRSTROW] < 0 ? R_(-1) : (Real)row;
  }
  cu_sync();
}

// force of a contact in its frame, from the forces of its rows
CU_FN void cu_contactForce(const Cu* c, Real* con) {
  const CudModel* m = c->m;
  const int dim = (int)con[CUD_DIM], n = cu_rowsOf(m, dim), first = c->nrow - c->ncontactrow + (int)con[CUD_FIRSTROW];
  const Real* mu = m->param_friction + 5 * (int)con[CUD_PARAM];
  Real* force = con + CUD_CONTACT;
  for (int k = 0; k < 6; k++) force[k] = 0;
  if (con[CUD_FIRSTROW] < 0 || !c->nrow) return;
  if (dim == 1 || m->cone == mjCONE_ELLIPTIC) {
    for (int k = 0; k < n; k++) force[k] = *cu_row(c, CUD_FRC, first + k);
    return;
  }
  for (int k = 0; k < dim - 1; k++) {
    const Real plus = *cu_row(c, CUD_FRC, first + 2 * k), minus = *cu_row(c, CUD_FRC, first + 2 * k + 1);
    force[0] += plus + minus;
    force[k + 1] = mu[k] * (plus - minus);
  }
}

// forces of contacts, limits, and connect and weld constraints, before the rows are gone
CU_CALL void cu_keepForces(const Cu* c) {
  const CudModel* m = c->m;
  const int first = c->ne + c->nf, end = c->nrow - c->ncontactrow, nlimit = m->njnt + m->ntendon;
  const int* active = CU_ROW(c, state.eq_active, m->neq);
  CU_FOR(i, c->ncon) cu_contactForce(c, cu_kept(c, i));
  CU_FOR(id, nlimit) {
    Real force = 0;
    for (int r = end - 1; r >= first; r--) force = (int)*cu_row(c, CUD_OF, r) == id ? *cu_row(c, CUD_FRC, r) : force;
    CU_ROW(c, out.limit, nlimit)[id] = force;
  }
  CU_FOR(eq, m->neq) {
    Real* force = CU_ROW(c, out.held, 6 * m->neq) + 6 * eq;
    int row = 0;
    for (int k = 0; k < 6; k++) force[k] = 0;
    for (int i = 0; i <= eq && c->ne; i++) {
      const int n = active[i] ? cu_equalityCount(m, i) : 0;
      for (int k = 0; k < n && k < 6 && i == eq; k++) force[k] = *cu_row(c, CUD_FRC, row + k);
      row += n;
    }
  }
  cu_sync();
}

//---------------------------------- forces on bodies ----------------------------------

// adds a wrench (torque, force) at a point, about the centre of mass of a body's tree
CU_FN void cu_addWrench(const Cu* c, int body, const Real wrench[6], const Real point[3], Real sign, Real sum[6]) {
  Real arm[3], moment[3];
  cu_sub3(arm, point, CU_ROW(c, out.subtree_com, 3 * c->m->nbody) + 3 * c->m->body_rootid[body]);
  cu_cross3(moment, arm, wrench + 3);
  for (int k = 0; k < 3; k++) {
    sum[k] += sign * (wrench[k] + moment[k]);
    sum[3 + k] += sign * wrench[3 + k];
  }
}

CU_FN void cu_addContactLoads(const Cu* c, int b, Real sum[6]) {
  for (int i = 0; i < c->ncon; i++) {
    const Real *con = cu_kept(c, i), *frame = con + CUD_NORMAL, *force = con + CUD_CONTACT;
    const int body1 = (int)con[CUD_BODY], body2 = (int)con[CUD_BODY + 1];
    if ((body1 != b && body2 != b) || con[CUD_FIRSTROW] < 0) continue;
    if (CU_FAR && (body1 < 0 || body2 < 0)) continue;  // the CPU leaves flexes out
    Real third[3], wrench[6];
    cu_cross3(third, frame, frame + 3);
    for (int k = 0; k < 3; k++) {
      wrench[k] = frame[k] * force[3] + frame[3 + k] * force[4] + third[k] * force[5];
      wrench[3 + k] = frame[k] * force[0] + frame[3 + k] * force[1] + third[k] * force[2];
    }
    if (body1 == b) cu_addWrench(c, b, wrench, con + CUD_POS, -1, sum);
    if (body2 == b) cu_addWrench(c, b, wrench, con + CUD_POS, 1, sum);
  }
}

// connect and weld constraints
CU_FN void cu_addHeld(const Cu* c, int b, Real sum[6]) {
  const CudModel* m = c->m;
  const int* active = CU_ROW(c, state.eq_active, m->neq);
  for (int eq = 0; eq < (c->ne ? m->neq : 0); eq++) {
    const int weld = m->eq_type[eq] == mjEQ_WELD, site = m->eq_objtype[eq] == mjOBJ_SITE;
    if (!active[eq] || m->eq_type[eq] > mjEQ_WELD) continue;
    const Real* force = CU_ROW(c, out.held, 6 * m->neq) + 6 * eq;
    const Real wrench[6] = {force[3], force[4], force[5], force[0], force[1], force[2]};
    for (int side = 0; side < 2; side++) {
      const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq], body = site ? m->site_bodyid[id] : id;
      if (body != b) continue;
      const Real* local = site ? m->site_pos + 3 * id : m->eq_data + 11 * eq + 3 * (side ^ weld);
      Real point[3];
      cu_rotate(point, CU_ROW(c, out.xquat, 4 * m->nbody) + 4 * body, local);
      cu_add3(point, point, CU_ROW(c, out.xpos, 3 * m->nbody) + 3 * body);
      cu_addWrench(c, b, wrench, point, side ? R_(-1) : R_(1), sum);
    }
  }
}

// acceleration of a body: what velocities and gravity give, and what the dofs that move it add
CU_FN void cu_bodyAcceleration(const Cu* c, int b, Real a[6]) {
  const CudModel* m = c->m;
  const Real sign = m->disableflags & mjDSBL_GRAVITY ? R_(0) : R_(-1);
  const Real world[3] = {sign * m->gravity[0], sign * m->gravity[1], sign * m->gravity[2]};
  cu_ofBody(c, b, CU_ROW(c, out.dofacc, 6 * m->nv), world, a);
  CU_LOOP for (int i = m->body_lastdof[b]; i >= 0; i = m->dof_parentid[i]) {
    const Real* cdof = CU_ROW(c, out.cdof, 6 * m->nv) + 6 * i;
    for (int k = 0; k < 6; k++) a[k] += cdof[k] * CU_W(c, qacc)[i];
  }
}

// cacc, cfrc_ext, cfrc_int
CU_FN void cu_bodyLoads(const Cu* c) {
  const CudModel* m = c->m;
  const int n = 6 * m->nbody;
  Real *cacc = CU_ROW(c, out.cacc, n), *ext = CU_ROW(c, out.cfrc_ext, n), *load = CU_ROW(c, out.cfrc_int, n);
  const Real* xfrc = CU_ROW(c, state.xfrc_applied, n);
  CU_FOR(b, m->nbody) {
    const Real *inertia = CU_ROW(c, out.cinert, 10 * m->nbody) + 10 * b, *vel = CU_ROW(c, out.cvel, n) + 6 * b;
    Real a[6], sum[6] = {0, 0, 0, 0, 0, 0}, force[6] = {0, 0, 0, 0, 0, 0}, momentum[6];
    cu_bodyAcceleration(c, b, a);
    if (b) {
      const Real* x = xfrc + 6 * b;
      const Real wrench[6] = {x[3], x[4], x[5], x[0], x[1], x[2]};
      cu_addWrench(c, b, wrench, CU_ROW(c, out.xipos, 3 * m->nbody) + 3 * b, 1, sum);
      cu_addContactLoads(c, b, sum);
      cu_addHeld(c, b, sum);
      cu_mulInertia(force, inertia, a);
      cu_mulInertia(momentum, inertia, vel);
      cu_addCrossForce(force, vel, momentum);
    }
    for (int k = 0; k < 6; k++) {
      cacc[6 * b + k] = a[k];
      ext[6 * b + k] = sum[k];
      load[6 * b + k] = force[k] - sum[k];
    }
  }
  cu_sync();
  CU_FOR(k, 6) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) load[6 * m->body_parentid[b] + k] += load[6 * b + k];
  }
  cu_sync();
}

//---------------------------------- subtrees and energy ----------------------------------

// m r × u
CU_FN void cu_addOrbit(Real sum[3], const Real r[3], const Real u[3], Real mass) {
  Real L[3];
  cu_cross3(L, r, u);
  cu_addScl3(sum, sum, L, mass);
}

// velocity of a body's centre of mass
CU_FN void cu_centreVelocity(const Cu* c, int b, Real v[6]) {
  CuFrame f;
  cu_copy3(f.pos, CU_ROW(c, out.xipos, 3 * c->m->nbody) + 3 * b);
  cu_motionAt(c, b, CU_ROW(c, out.cvel, 6 * c->m->nbody) + 6 * b, &f, 0, v);
}

// subtree_linvel and subtree_angmom; what a subtree hands on to its parent is kept beside
CU_FN void cu_subtrees(const Cu* c) {
  const CudModel* m = c->m;
  const int n = 3 * m->nbody;
  const Real *com = CU_ROW(c, out.subtree_com, n), *xipos = CU_ROW(c, out.xipos, n);
  Real *lin = CU_ROW(c, out.subtree_linvel, n), *ang = CU_ROW(c, out.subtree_angmom, n);
  Real *orbit = CU_ROW(c, out.subtree_orbit, n), v[6], r[3], u[3];
  CU_FOR(b, m->nbody) {
    cu_centreVelocity(c, b, v);
    cu_scl3(lin + 3 * b, v + 3, m->body_mass[b]);
  }
  cu_sync();
  CU_FOR(k, 3) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) lin[3 * m->body_parentid[b] + k] += lin[3 * b + k];
  }
  cu_sync();
  CU_FOR(i, n) lin[i] /= cu_max(CU_MINVAL, m->body_subtreemass[i / 3]);
  cu_sync();
  CU_FOR(b, m->nbody) {
    // of the body about its subtree's centre, and of the subtree about its parent's
    const int parent = m->body_parentid[b];
    CuFrame f;
    Real spin[3];
    cu_centreVelocity(c, b, v);
    cu_frameOf(c, mjOBJ_BODY, b, &f);
    cu_mulMatT3(spin, f.mat, v);
    for (int k = 0; k < 3; k++) spin[k] *= m->body_inertia[3 * b + k];
    cu_mulMat3(ang + 3 * b, f.mat, spin);
    cu_set3(orbit + 3 * b, 0, 0, 0);
    if (!b) continue;
    cu_sub3(r, xipos + 3 * b, com + 3 * b);
    cu_sub3(u, v + 3, lin + 3 * b);
    cu_addOrbit(ang + 3 * b, r, u, m->body_mass[b]);
    cu_sub3(r, com + 3 * b, com + 3 * parent);
    cu_sub3(u, lin + 3 * b, lin + 3 * parent);
    cu_addOrbit(orbit + 3 * b, r, u, m->body_subtreemass[b]);
  }
  cu_sync();
  CU_FOR(k, 3) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) {
      ang[3 * m->body_parentid[b] + k] += ang[3 * b + k] + orbit[3 * b + k];
    }
  }
  cu_sync();
}

// squared distance of a joint from where its spring rests
CU_FN Real cu_stretch(const Cu* c, int j) {
  const CudModel* m = c->m;
  const Real *qpos = CU_W(c, qpos) + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
  const int type = m->jnt_type[j];
  Real dif[3], sum = 0;
  if (type >= mjJNT_SLIDE) return cu_square(qpos[0] - rest[0]);
  if (type == mjJNT_FREE) {
    cu_sub3(dif, qpos, rest);
    sum = cu_dot3(dif, dif);
    qpos += 3, rest += 3;
  }
  cu_subQuat(dif, qpos, rest);
  return sum + cu_dot3(dif, dif);
}

// potential and kinetic energy
CU_FN void cu_energy(const Cu* c) {
  const CudModel* m = c->m;
  const Real* xipos = CU_ROW(c, out.xipos, 3 * m->nbody);
  Real potential = 0, kinetic = 0;
  if (!(m->disableflags & mjDSBL_GRAVITY)) {
    CU_FOR(b, m->nbody) potential -= b ? m->body_mass[b] * cu_dot3(m->gravity, xipos + 3 * b) : R_(0);
  }
  if (!(m->disableflags & mjDSBL_SPRING)) {
    CU_FOR(j, m->njnt) {
      if (m->jnt_stiffness[j] != 0) potential += R_(0.5) * m->jnt_stiffness[j] * cu_stretch(c, j);
    }
    CU_FOR(t, m->ntendon) {
      const Real length = CU_ROW(c, out.ten_length, m->ntendon)[t], *band = m->tendon_lengthspring + 2 * t;
      potential += R_(0.5) * m->tendon_stiffness[t] * cu_square(length - cu_clip(length, band[0], band[1]));
    }
#if CU_FAR
    CU_FOR(e, m->nflexedge) {
      const int f = m->edge_flex[e];
      if (!cu_hasEdges(m, f) || m->flex_dim[f] > 1 || m->flexedge_rigid[e]) continue;
      const Real stretch = CU_ROW(c, out.flexedge_length, m->nflexedge)[e] - m->flexedge_length0[e];
      potential += R_(0.5) * m->flex_edgestiffness[f] * cu_square(stretch);
    }
#endif
  }
  CU_FOR(i, m->nv) {
    for (int j = 0; j < m->nv; j++) {
      kinetic += R_(0.5) * CU_W(c, qvel)[i] * CU_W(c, M)[i > j ? cu_at(i, j) : cu_at(j, i)] * CU_W(c, qvel)[j];
    }
  }
  potential = cu_sum(potential);
  kinetic = cu_sum(kinetic);
  CU_FOR(k, 2) CU_ROW(c, out.energy, 2)[k] = k ? kinetic : potential;
  cu_sync();
}
