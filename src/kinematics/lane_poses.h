// Poses and centres of mass of several simulations side by side: the passes of poses.h and centers.h over lanes, in the
// same order of operations. Bodies that nothing can move have their poses from kin_laneStart.
#pragma once

#include "model/lanes.h"

// ---------------------------------------------------------------- frames

// as kin_rotate, of a vector of the model
static MTH_ALWAYS_INLINE void kin_laneRotate(MthLane res[3], const mjtNum vec[3], const MthLane q[4]) {
  const MthLane t0 = q[0] * vec[0] + q[2] * vec[2] - q[3] * vec[1];
  const MthLane t1 = q[0] * vec[1] + q[3] * vec[0] - q[1] * vec[2];
  const MthLane t2 = q[0] * vec[2] + q[1] * vec[1] - q[2] * vec[0];
  const MthLane x = q[1] + q[1], y = q[2] + q[2], z = q[3] + q[3];
  res[0] = vec[0] + (y * t2 - z * t1);
  res[1] = vec[1] + (z * t0 - x * t2);
  res[2] = vec[2] + (x * t1 - y * t0);
}

// as kin_quat2Mat
static MTH_ALWAYS_INLINE void kin_laneQuat2Mat(MthLane res[9], const MthLane q[4]) {
  const MthLane x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
  const MthLane wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
  const MthLane ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const MthLane outer = ww - xx;
  res[0] = ww + xx - yy - zz;
  res[1] = xy - wz;
  res[2] = xz + wy;
  res[3] = xy + wz;
  res[4] = outer + yy - zz;
  res[5] = yz - wx;
  res[6] = xz - wy;
  res[7] = yz + wx;
  res[8] = outer - yy + zz;
}

// as kin_normalizeQuat
static MTH_ALWAYS_INLINE void kin_laneNormalize(MthLane q[4]) {
  const MthMask off = (MthMask)(mth_laneAbs(mth_laneDot4(q, q) - 1) > 1.9 * mjMINVAL);
  if (!mth_laneBits(off)) return;
  MthLane scaled[4] = {q[0], q[1], q[2], q[3]};
  mth_laneNormalize4(scaled);
  for (int k = 0; k < 4; k++) q[k] = mth_laneSelect(off, scaled[k], q[k]);
}

// as kin_framePos and kin_frameMat
static MTH_ALWAYS_INLINE void kin_laneFrame(const MdlLanes* w, MthLane xpos[3], MthLane xmat[9], const mjtNum pos[3],
                                            const mjtNum quat[4], int body, int sameframe) {
  const MthLane *bpos = w->xpos + 3 * body, *bmat = w->xmat + 9 * body;
  if (sameframe == mjSAMEFRAME_BODY) {
    mth_laneCopy(xpos, bpos, 3);
  } else if (sameframe == mjSAMEFRAME_INERTIA) {
    mth_laneCopy(xpos, w->xipos + 3 * body, 3);
  } else {
    MthLane turned[3];
    mth_laneTurn3(turned, bmat, pos);
    for (int k = 0; k < 3; k++) xpos[k] = turned[k] + bpos[k];
  }
  if (sameframe == mjSAMEFRAME_NONE) {
    MthLane xquat[4];
    mth_laneMulQuatBy(xquat, w->xquat + 4 * body, quat);
    kin_laneQuat2Mat(xmat, xquat);
  } else if (sameframe == mjSAMEFRAME_BODY || sameframe == mjSAMEFRAME_BODYROT) {
    mth_laneCopy(xmat, bmat, 9);
  } else {
    mth_laneCopy(xmat, w->ximat + 9 * body, 9);
  }
}

// ---------------------------------------------------------------- joints

// as halfAngles
static inline void kin_laneHalfAngles(const MdlLanes* w) {
  const int n = w->plan->nhinge, *hinge = w->plan->hinge;
  const mjtNum* qpos0 = w->plan->m->qpos0;
  int h = 0;
  for (; h + 2 <= n; h += 2) {
    MthLane angle[2];
    for (int k = 0; k < 2; k++) angle[k] = 0.5 * (w->qpos[hinge[h + k]] - qpos0[hinge[h + k]]);
    mth_laneSincos2(angle, w->sine + h, w->cosine + h);
  }
  if (h < n) mth_laneSincos(0.5 * (w->qpos[hinge[h]] - qpos0[hinge[h]]), w->sine + h, w->cosine + h);
}

typedef struct {
  MthLane pos[3];
  MthLane quat[4];
} KinLanePose;

// as offsetPose
static MTH_ALWAYS_INLINE void kin_laneOffset(const MdlLanes* w, int body, KinLanePose* pose) {
  const mjModel* const m = w->plan->m;
  const int parent = m->body_parentid[body], mocap = m->body_mocapid[body];
  const mjtNum *pos = m->body_pos + 3 * body, *quat = m->body_quat + 4 * body;
  if (mocap >= 0) {
    // motion capture moves children of the world
    mth_laneCopy(pose->pos, w->mocap_pos + 3 * mocap, 3);
    mth_laneCopy(pose->quat, w->mocap_quat + 4 * mocap, 4);
    mth_laneNormalize4(pose->quat);
    return;
  }
  if (!parent) {
    for (int k = 0; k < 3; k++) pose->pos[k] = mth_laneOf(pos[k]);
    for (int k = 0; k < 4; k++) pose->quat[k] = mth_laneOf(quat[k]);
    return;
  }
  mth_laneTurn3(pose->pos, w->xmat + 9 * parent, pos);
  for (int k = 0; k < 3; k++) pose->pos[k] += w->xpos[3 * parent + k];
  if (quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
    mth_laneCopy(pose->quat, w->xquat + 4 * parent, 4);
  } else {
    mth_laneMulQuatBy(pose->quat, w->xquat + 4 * parent, quat);
  }
}

// as turnAxis
static MTH_ALWAYS_INLINE void kin_laneTurnAxis(MthLane xaxis[3], MthLane turned[4], const MthLane q[4],
                                               const mjtNum axis[3]) {
  turned[0] = -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2];
  turned[1] = q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1];
  turned[2] = q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2];
  turned[3] = q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0];
  xaxis[0] = turned[1] * q[0] - turned[0] * q[1] - turned[2] * q[3] + turned[3] * q[2];
  xaxis[1] = turned[2] * q[0] - turned[0] * q[2] - turned[3] * q[1] + turned[1] * q[3];
  xaxis[2] = turned[3] * q[0] - turned[0] * q[3] - turned[1] * q[2] + turned[2] * q[1];
  const MthMask unit = mth_laneIsUnit(q);
  if (!mth_laneBits(unit)) return;
  turned[0] = mth_laneSelect(unit, mth_laneOf(0), turned[0]);
  for (int k = 0; k < 3; k++) {
    turned[k + 1] = mth_laneSelect(unit, mth_laneOf(axis[k]), turned[k + 1]);
    xaxis[k] = mth_laneSelect(unit, mth_laneOf(axis[k]), xaxis[k]);
  }
}

// as applyJoint; returns the number of the next hinge
static MTH_ALWAYS_INLINE int kin_laneJoint(const MdlLanes* w, int joint, int hinge, KinLanePose* pose) {
  const mjModel* const m = w->plan->m;
  const mjtNum* const anchor = m->jnt_pos + 3 * joint;
  const int type = m->jnt_type[joint], q = m->jnt_qposadr[joint];
  const int centered = anchor[0] == 0 && anchor[1] == 0 && anchor[2] == 0;
  MthLane *xaxis = w->xaxis + 3 * joint, *xanchor = w->xanchor + 3 * joint, turned[4], arm[3];
  kin_laneTurnAxis(xaxis, turned, pose->quat, m->jnt_axis + 3 * joint);
  mth_laneCopy(xanchor, pose->pos, 3);
  if (!centered) {
    kin_laneRotate(arm, anchor, pose->quat);
    for (int k = 0; k < 3; k++) xanchor[k] += arm[k];
  }

  if (type == mjJNT_SLIDE) {
    const MthLane moved = w->qpos[q] - m->qpos0[q];
    for (int k = 0; k < 3; k++) pose->pos[k] += moved * xaxis[k];
    return hinge;
  }
  if (type == mjJNT_HINGE) {
    const MthLane s = w->sine[hinge], c = w->cosine[hinge];
    hinge++;
    for (int k = 0; k < 4; k++) pose->quat[k] = c * pose->quat[k] + s * turned[k];
  } else {
    MthLane turn[4];
    mth_laneCopy(turn, w->qpos + q, 4);
    mth_laneNormalize4(turn);
    mth_laneMulQuat(pose->quat, pose->quat, turn);
  }

  // the anchor stays where it is
  if (!centered) {
    kin_laneRotate(arm, anchor, pose->quat);
    for (int k = 0; k < 3; k++) pose->pos[k] = xanchor[k] - arm[k];
  }
  return hinge;
}

// as bodyPose, storePose and inertialFrame; returns the number of the next hinge
static inline int kin_laneBody(const MdlLanes* w, int body, int hinge) {
  const mjModel* const m = w->plan->m;
  const int joint = m->body_jntadr[body], njoint = m->body_jntnum[body];
  KinLanePose pose;
  if (njoint == 1 && m->jnt_type[joint] == mjJNT_FREE) {
    const MthLane* qpos = w->qpos + m->jnt_qposadr[joint];
    mth_laneCopy(pose.pos, qpos, 3);
    mth_laneCopy(pose.quat, qpos + 3, 4);
    mth_laneCopy(w->xanchor + 3 * joint, pose.pos, 3);
  } else {
    kin_laneOffset(w, body, &pose);
    for (int j = joint; j < joint + njoint; j++) hinge = kin_laneJoint(w, j, hinge, &pose);
  }
  kin_laneNormalize(pose.quat);
  mth_laneCopy(w->xpos + 3 * body, pose.pos, 3);
  mth_laneCopy(w->xquat + 4 * body, pose.quat, 4);
  kin_laneQuat2Mat(w->xmat + 9 * body, pose.quat);

  // the inertial frame cannot be named as its own
  const int same = m->body_sameframe[body];
  kin_laneFrame(w, w->xipos + 3 * body, w->ximat + 9 * body, m->body_ipos + 3 * body, m->body_iquat + 4 * body, body,
                same);
  return hinge;
}

static inline void kin_laneGeom(const MdlLanes* w, int g) {
  const mjModel* const m = w->plan->m;
  kin_laneFrame(w, w->geom_xpos + 3 * g, w->geom_xmat + 9 * g, m->geom_pos + 3 * g, m->geom_quat + 4 * g,
                m->geom_bodyid[g], m->geom_sameframe[g]);
}

// poses of what nothing in a step reads
static inline void kin_laneOtherGeoms(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  for (int g = 0; g < p->m->ngeom; g++) {
    if (!p->read[g] && p->varies[p->m->geom_bodyid[g]]) kin_laneGeom(w, g);
  }
}

static inline void kin_laneSites(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  for (int s = 0; s < m->nsite; s++) {
    kin_laneFrame(w, w->site_xpos + 3 * s, w->site_xmat + 9 * s, m->site_pos + 3 * s, m->site_quat + 4 * s,
                  m->site_bodyid[s], m->site_sameframe[s]);
  }
}

// ---------------------------------------------------------------- passes

// poses of all bodies that can move, and of their geoms that are read
static inline void kin_lanePoses(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  kin_laneHalfAngles(w);
  int hinge = 0;
  for (int k = 0; k < p->nposed; k++) hinge = kin_laneBody(w, p->posed[k], hinge);
  for (int k = 0; k < p->ngeom; k++) kin_laneGeom(w, p->geom[k]);
}

// parameters, and poses of everything in the initial state, once: those of what cannot move stay
static inline void kin_laneStart(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  mdl_laneParams(w);
  for (int k = 0; k < 4; k++) w->xquat[k] = mth_laneOf(k == 0);
  for (int k = 0; k < 9; k++) w->xmat[k] = w->ximat[k] = mth_laneOf(k % 4 == 0);
  for (int k = 0; k < m->nq; k++) w->qpos[k] = mth_laneOf(m->qpos0[k]);
  kin_laneHalfAngles(w);
  int hinge = 0;
  for (int body = 1; body < m->nbody; body++) hinge = kin_laneBody(w, body, hinge);
  for (int g = 0; g < m->ngeom; g++) kin_laneGeom(w, g);

  // free joints have no axis of their own
  for (int k = 0; k < 3 * m->njnt; k++) {
    if (m->jnt_type[k / 3] == mjJNT_FREE) w->xaxis[k] = mth_laneOf(m->jnt_axis[k]);
  }
}

// as allCenters
static inline void kin_laneCenters(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  const int nbody = (int)m->nbody, *parentid = m->body_parentid;
  MthLane* const com = w->subtree_com;
  for (int k = 0; k < 3 * nbody; k++) com[k] = mth_laneOf(0);
  for (int i = nbody - 1; i >= 0; i--) {
    const MthLane mass = w->body_mass[i], inverse = w->subtree_inverse[i];
    const MthMask light = (MthMask)(w->body_subtreemass[i] < mjMINVAL);
    const MthLane* const xipos = w->xipos + 3 * i;
    MthLane *to = com + 3 * i, *parent = com + 3 * parentid[i];
    for (int k = 0; k < 3; k++) {
      const MthLane sum = to[k] + mass * xipos[k];
      if (i) parent[k] += sum;
      to[k] = mth_laneSelect(light, xipos[k], sum * inverse);
    }
  }
}

// as bodyInertia
static MTH_ALWAYS_INLINE void kin_laneInertia(const MdlLanes* w, int body) {
  const mjModel* const m = w->plan->m;
  const MthLane *R = w->ximat + 9 * body, *com = w->subtree_com + 3 * m->body_rootid[body], *x = w->xipos + 3 * body;
  const MthLane *I = w->body_inertia + 3 * body, mass = w->body_mass[body];
  const MthLane c0 = x[0] - com[0], c1 = x[1] - com[1], c2 = x[2] - com[2];
  const MthLane m0 = mass * c0, m1 = mass * c1, m2 = mass * c2;
  const MthLane sq0 = m0 * c0, sq1 = m1 * c1, sq2 = m2 * c2;
  const MthLane a0 = R[0] * I[0], b0 = R[1] * I[1], d0 = R[2] * I[2];
  const MthLane a1 = R[3] * I[0], b1 = R[4] * I[1], d1 = R[5] * I[2];
  MthLane* const res = w->cinert + 10 * body;
  res[0] = (a0 * R[0] + b0 * R[1] + d0 * R[2]) + (sq1 + sq2);
  res[1] = (a1 * R[3] + b1 * R[4] + d1 * R[5]) + (sq0 + sq2);
  res[2] = (R[6] * R[6] * I[0] + R[7] * R[7] * I[1] + R[8] * R[8] * I[2]) + (sq0 + sq1);
  res[3] = (a0 * R[3] + b0 * R[4] + d0 * R[5]) - m0 * c1;
  res[4] = (a0 * R[6] + b0 * R[7] + d0 * R[8]) - m0 * c2;
  res[5] = (a1 * R[6] + b1 * R[7] + d1 * R[8]) - m1 * c2;
  res[6] = m0;
  res[7] = m1;
  res[8] = m2;
  res[9] = mass;
}

// bodies that no dof moves, whose inertia nothing in a step reads
static inline void kin_laneOtherInertias(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  for (int body = 1; body < m->nbody; body++) {
    if (!m->body_weldid[body]) kin_laneInertia(w, body);
  }
}

static MTH_ALWAYS_INLINE void kin_laneBallAxes(MthLane* cdof, const MthLane xmat[9], const MthLane offset[3]) {
  for (int k = 0; k < 3; k++, cdof += 6) {
    for (int i = 0; i < 3; i++) cdof[i] = xmat[3 * i + k];
    mth_laneCross3(cdof + 3, cdof, offset);
  }
}

// as bodyAxes
static MTH_ALWAYS_INLINE void kin_laneAxes(const MdlLanes* w, int body) {
  const mjModel* const m = w->plan->m;
  const MthLane* com = w->subtree_com + 3 * m->body_rootid[body];
  const int first = m->body_jntadr[body], end = first + m->body_jntnum[body];
  for (int j = first; j < end; j++) {
    MthLane *cdof = w->cdof + 6 * m->jnt_dofadr[j], *xaxis = w->xaxis + 3 * j, offset[3];
    for (int k = 0; k < 3; k++) offset[k] = com[k] - w->xanchor[3 * j + k];
    switch (m->jnt_type[j]) {
      case mjJNT_HINGE:
        mth_laneCopy(cdof, xaxis, 3);
        mth_laneCross3(cdof + 3, xaxis, offset);
        break;
      case mjJNT_SLIDE:
        for (int k = 0; k < 3; k++) cdof[k] = mth_laneOf(0);
        mth_laneCopy(cdof + 3, xaxis, 3);
        break;
      case mjJNT_BALL:
        kin_laneBallAxes(cdof, w->xmat + 9 * body, offset);
        break;
      default:
        for (int k = 0; k < 18; k++) cdof[k] = mth_laneOf(k % 7 == 3);
        kin_laneBallAxes(cdof + 18, w->xmat + 9 * body, offset);
    }
  }
}

// as kin_centers, for bodies that dofs move
static inline void kin_laneComPos(const MdlLanes* w) {
  const MdlLanePlan* const p = w->plan;
  kin_laneCenters(w);
  for (int k = 0; k < p->nmoving; k++) {
    kin_laneInertia(w, p->moving[k]);
    kin_laneAxes(w, p->moving[k]);
  }
}
