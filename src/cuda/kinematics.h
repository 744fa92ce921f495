// Poses, centres of mass, inertias and motion axes.
//
// A body's pose relative to its parent depends on its own joints only, so all bodies do that part at once; then poses
// are chained level by level, which is short; what hangs on a body follows for all at once again.
#pragma once

#include "cuda/group.h"

//---------------------------------- local poses ----------------------------------

// one joint moves the pose (pos, quat), which is in the parent's frame; anchor and axis are left there too
CU_FN void cu_applyJoint(const Cu* c, int j, Real pos[3], Real quat[4]) {
  const CudModel* m = c->m;
  const Real *qpos = CU_W(c, qpos) + m->jnt_qposadr[j], *rest = m->qpos0 + m->jnt_qposadr[j];
  Real *xanchor = CU_W(c, xanchor) + 3 * j, *xaxis = CU_W(c, xaxis) + 3 * j;
  Real axis[3], anchor[3], arm[3];
  const int type = m->jnt_type[j];

  // a free joint is the pose itself
  if (type == mjJNT_FREE) {
    cu_copy3(pos, qpos);
    cu_copy4(quat, qpos + 3);
    cu_unit4(quat);
    cu_copy3(xanchor, pos);
    cu_copy3(xaxis, m->jnt_axis + 3 * j);
    return;
  }
  cu_rotate(axis, quat, m->jnt_axis + 3 * j);
  cu_rotate(arm, quat, m->jnt_pos + 3 * j);
  cu_add3(anchor, pos, arm);
  cu_copy3(xanchor, anchor);
  cu_copy3(xaxis, axis);
  if (type == mjJNT_SLIDE) {
    cu_addScl3(pos, pos, axis, qpos[0] - rest[0]);
    return;
  }

  // a turn about the anchor, which stays where it is
  Real turn[4];
  if (type == mjJNT_HINGE) {
    Real s, k;
    const Real* local = m->jnt_axis + 3 * j;
    cu_sincos(R_(0.5) * (qpos[0] - rest[0]), &s, &k);
    cu_set4(turn, k, s * local[0], s * local[1], s * local[2]);
  } else {
    cu_copy4(turn, qpos);
    cu_unit4(turn);
  }
  cu_mulQuat(quat, quat, turn);
  cu_rotate(arm, quat, m->jnt_pos + 3 * j);
  cu_sub3(pos, anchor, arm);
}

// pose of a body in its parent's frame
CU_FN void cu_localPose(const Cu* c, int b) {
  const CudModel* m = c->m;
  Real pos[3], quat[4];
  const int mocap = m->body_mocapid[b];
  if (mocap >= 0) {
    cu_copy3(pos, CU_ROW(c, state.mocap_pos, 3 * m->nmocap) + 3 * mocap);
    cu_copy4(quat, CU_ROW(c, state.mocap_quat, 4 * m->nmocap) + 4 * mocap);
    cu_unit4(quat);
  } else {
    cu_copy3(pos, m->body_pos + 3 * b);
    cu_copy4(quat, m->body_quat + 4 * b);
  }
  const int first = m->body_jntadr[b], end = first + m->body_jntnum[b];
  CU_LOOP for (int j = first; j < end; j++) cu_applyJoint(c, j, pos, quat);
  cu_unit4(quat);
  cu_copy3(CU_W(c, xpos) + 3 * b, pos);
  cu_copy4(CU_W(c, xquat) + 4 * b, quat);
}

//---------------------------------- chain ----------------------------------

// from the parent's frame to the world
CU_FN void cu_chainPose(const Cu* c, int b) {
  const int parent = c->m->body_parentid[b];
  Real *xpos = CU_W(c, xpos), *xquat = CU_W(c, xquat), pos[3], quat[4];
  cu_rotate(pos, xquat + 4 * parent, xpos + 3 * b);
  cu_add3(xpos + 3 * b, xpos + 3 * parent, pos);
  cu_mulQuat(quat, xquat + 4 * parent, xquat + 4 * b);
  cu_copy4(xquat + 4 * b, quat);
}

// anchor and axis of a joint, which are in the frame of its body's parent
CU_FN void cu_chainJoint(const Cu* c, int j) {
  const int parent = c->m->body_parentid[c->m->jnt_bodyid[j]];
  const Real *pos = CU_W(c, xpos) + 3 * parent, *quat = CU_W(c, xquat) + 4 * parent;
  Real *xanchor = CU_W(c, xanchor) + 3 * j, *xaxis = CU_W(c, xaxis) + 3 * j, turned[3];
  if (!parent) return;
  cu_rotate(turned, quat, xanchor);
  cu_add3(xanchor, pos, turned);
  cu_rotate(turned, quat, xaxis);
  cu_copy3(xaxis, turned);
}

// world pose of a frame that is fixed to a body
CU_FN void cu_fixedPose(const Cu* c, int body, const Real pos[3], const Real quat[4], Real xpos[3], Real xmat[9]) {
  const Real* bodyquat = CU_W(c, xquat) + 4 * body;
  Real turned[3], q[4];
  cu_rotate(turned, bodyquat, pos);
  cu_add3(xpos, CU_W(c, xpos) + 3 * body, turned);
  cu_mulQuat(q, bodyquat, quat);
  cu_quat2Mat(xmat, q);
}

CU_FN void cu_kinematics(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(b, m->nbody) {
    if (b) {
      cu_localPose(c, b);
    } else {
      cu_set3(CU_W(c, xpos), 0, 0, 0);
      cu_set4(CU_W(c, xquat), 1, 0, 0, 0);
    }
  }
  cu_sync();

  // the first level hangs on the world: it is there already
  CU_LOOP for (int level = 1; level < m->nlevel; level++) {
    const int first = m->level_adr[level], n = m->level_adr[level + 1] - first;
    CU_FOR(i, n) cu_chainPose(c, m->level_body[first + i]);
    cu_sync();
  }
  CU_FOR(j, m->njnt) cu_chainJoint(c, j);
  CU_FOR(b, m->nbody) {
    cu_fixedPose(c, b, m->body_ipos + 3 * b, m->body_iquat + 4 * b, CU_W(c, xipos) + 3 * b, CU_W(c, ximat) + 9 * b);
  }
  cu_sync();
  CU_OUT(c, xpos, CU_W(c, xpos), 3 * m->nbody);
  CU_OUT(c, xquat, CU_W(c, xquat), 4 * m->nbody);
  CU_OUT(c, xipos, CU_W(c, xipos), 3 * m->nbody);
}

//---------------------------------- centres of mass ----------------------------------

// inertia of a body about the centre of mass of its tree
CU_FN void cu_bodyInertia(const Cu* c, int b) {
  const CudModel* m = c->m;
  const Real *R = CU_W(c, ximat) + 9 * b, *I = m->body_inertia + 3 * b, mass = m->body_mass[b];
  Real *r = CU_W(c, cinert) + 10 * b, d[3];
  cu_sub3(d, CU_W(c, xipos) + 3 * b, CU_W(c, com) + 3 * m->body_rootid[b]);
  const Real x = mass * d[0], y = mass * d[1], z = mass * d[2];
  r[0] = R[0] * R[0] * I[0] + R[1] * R[1] * I[1] + R[2] * R[2] * I[2] + y * d[1] + z * d[2];
  r[1] = R[3] * R[3] * I[0] + R[4] * R[4] * I[1] + R[5] * R[5] * I[2] + x * d[0] + z * d[2];
  r[2] = R[6] * R[6] * I[0] + R[7] * R[7] * I[1] + R[8] * R[8] * I[2] + x * d[0] + y * d[1];
  r[3] = R[0] * R[3] * I[0] + R[1] * R[4] * I[1] + R[2] * R[5] * I[2] - x * d[1];
  r[4] = R[0] * R[6] * I[0] + R[1] * R[7] * I[1] + R[2] * R[8] * I[2] - x * d[2];
  r[5] = R[3] * R[6] * I[0] + R[4] * R[7] * I[1] + R[5] * R[8] * I[2] - y * d[2];
  r[6] = x, r[7] = y, r[8] = z, r[9] = mass;
}

// motion axis of one dof about the centre of mass of its tree
CU_FN void cu_dofAxis(const Cu* c, int i) {
  const CudModel* m = c->m;
  const int j = m->dof_jntid[i], type = m->jnt_type[j], k = i - m->jnt_dofadr[j];
  Real *cdof = CU_W(c, cdof) + 6 * i, axis[3], offset[3];

  // translation: a slide, or the first three of a free joint
  if (type == mjJNT_SLIDE || (type == mjJNT_FREE && k < 3)) {
    cu_set3(cdof, 0, 0, 0);
    if (type == mjJNT_SLIDE) {
      cu_copy3(cdof + 3, CU_W(c, xaxis) + 3 * j);
    } else {
      cu_set3(cdof + 3, k == 0, k == 1, k == 2);
    }
    return;
  }

  // rotation: about the joint's axis, or an axis of the body
  if (type == mjJNT_HINGE) {
    cu_copy3(axis, CU_W(c, xaxis) + 3 * j);
  } else {
    Real mat[9];
    cu_quat2Mat(mat, CU_W(c, xquat) + 4 * m->jnt_bodyid[j]);
    cu_col3(axis, mat, k % 3);
  }
  cu_sub3(offset, CU_W(c, com) + 3 * m->dof_rootid[i], CU_W(c, xanchor) + 3 * j);
  cu_copy3(cdof, axis);
  cu_cross3(cdof + 3, axis, offset);
}

CU_FN void cu_centers(const Cu* c) {
  const CudModel* m = c->m;
  Real* com = CU_W(c, com);
  const Real* xipos = CU_W(c, xipos);
  CU_FOR(i, 3 * m->nbody) com[i] = m->body_mass[i / 3] * xipos[i];
  cu_sync();

  // towards the roots; a lane has a coordinate of its own, so none waits for another
  CU_FOR(k, 3) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) com[3 * m->body_parentid[b] + k] += com[3 * b + k];
  }
  cu_sync();
  CU_FOR(i, 3 * m->nbody) {
    const Real mass = m->body_subtreemass[i / 3];
    com[i] = mass < CU_MINVAL ? xipos[i] : com[i] / mass;
  }
  cu_sync();
  CU_FOR(b, m->nbody) {
    if (b) {
      cu_bodyInertia(c, b);
    } else {
      for (int k = 0; k < 10; k++) CU_W(c, cinert)[k] = 0;
    }
  }
  CU_FOR(i, m->nv) cu_dofAxis(c, i);
  cu_sync();
  CU_OUT(c, subtree_com, com, 3 * m->nbody);
  CU_OUT(c, cinert, CU_W(c, cinert), 10 * m->nbody);
  CU_OUT(c, cdof, CU_W(c, cdof), 6 * m->nv);
}

//---------------------------------- points ----------------------------------

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
