// Poses of bodies, inertial frames, geoms and sites: the passes of mj_kinematics, compiled once for the baseline and
// once for machines with wider registers (same source, same bits).
//
// A body's pose is its parent's pose times its fixed offset, then each of its joints in order: a slide moves the
// body along the joint's axis, a hinge or ball turns it about the joint's anchor. A free joint is the pose itself.
// Parents come before children, so one pass over the bodies is enough; a body's inertial frame and geoms are
// done while its pose is in the cache. Poses of sleeping bodies are computed too, but only to see whether the
// user has moved them.
#pragma once

#include "kinematics/frame.h"
#include "kinematics/plan.h"
#include "kinematics/still.h"
#include "math/pair.h"
#include "sleep/sleep.h"

// pose under construction
typedef struct {
  mjtNum pos[3];
  mjtNum quat[4];
} Pose;

// sines and cosines of half the angles of the hinges that are still to come, and where in qpos the angles are
typedef struct {
  const int* address;
  const mjtNum* sine;
  const mjtNum* cosine;
} HalfAngles;

// ---------------------------------------------------------------- joints

// the first hinge at or behind the coordinates of the bodies from one on
static inline int firstHinge(const mjModel* m, const KinPlan* plan, int body) {
  while (body < m->nbody && !m->body_jntnum[body]) body++;
  if (body == m->nbody) return plan->nhinge;
  const int q = m->jnt_qposadr[m->body_jntadr[body]], *hinge = kin_hinges(plan);
  int low = 0, high = plan->nhinge;
  while (low < high) {
    const int mid = (low + high) / 2;
    if (hinge[mid] < q) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

// half angles of all hinges of a range of bodies at once: on their own they can be computed side by side
static inline HalfAngles halfAngles(const mjModel* m, mjData* d, SlpRange bodies, int none) {
  const KinPlan* plan = kin_plan(d);
  const int n = plan->nhinge, *hinge = kin_hinges(plan);
  if (!n || none) return (HalfAngles){hinge, NULL, NULL};
  const int begin = bodies.first > 1 ? firstHinge(m, plan, bodies.first) : 0;
  const int end = bodies.n < m->nbody ? firstHinge(m, plan, bodies.n) : n;
  const mjtNum *qpos = d->qpos, *qpos0 = m->qpos0;
  mjtNum *angle = kin_scratch(d), *sine = angle + n, *cosine = sine + n;
  for (int h = begin; h < end; h++) angle[h] = 0.5 * (qpos[hinge[h]] - qpos0[hinge[h]]);
  mth_sincosN(angle + begin, sine + begin, cosine + begin, end - begin);
  return (HalfAngles){hinge + begin, sine + begin, cosine + begin};
}

// half the angle of the hinge at qpos[q]: the next of the prepared ones, or computed here if the joint was no hinge
// when mjData was made
static inline void nextHalf(const mjModel* m, const mjData* d, int q, HalfAngles* half, mjtNum* s, mjtNum* c) {
  while (__builtin_expect(*half->address < q, 0)) {
    half->address++;
    half->sine++;
    half->cosine++;
  }
  if (__builtin_expect(*half->address > q, 0)) {
    const mjtNum angle = 0.5 * (d->qpos[q] - m->qpos0[q]);
    mth_sincosN(&angle, s, c, 1);
    return;
  }
  half->address++;
  // without hinges the list is only its end, which lies beyond every q: there is always an angle here
  *s = *half->sine++;  // NOLINT(clang-analyzer-core.NullDereference)
  *c = *half->cosine++;
}

// the parent's pose times the body's offset, which mocap bodies take from mjData
static inline void offsetPose(const mjModel* m, const mjData* d, int body, Pose* pose) {
  const int parent = m->body_parentid[body], mocap = m->body_mocapid[body];
  const mjtNum *pos = m->body_pos + 3 * body, *quat = m->body_quat + 4 * body;
  mjtNum unit[4];
  if (mocap >= 0) {
    pos = d->mocap_pos + 3 * mocap;
    mth_copy4(unit, d->mocap_quat + 4 * mocap);
    mth_normalize4(unit);
    quat = unit;
  }
  if (!parent) {
    mth_copy3(pose->pos, pos);
    mth_copy4(pose->quat, quat);
    return;
  }
  mth_mulMatVec3(pose->pos, d->xmat + 9 * parent, pos);
  mth_addTo3(pose->pos, d->xpos + 3 * parent);
  if (mth_isUnitQuat(quat)) {
    mth_copy4(pose->quat, d->xquat + 4 * parent);
  } else {
    mth_mulQuat(pose->quat, d->xquat + 4 * parent, quat);
  }
}

// the axis turned by a pose: vector part of (q axis) q*. The first product, turned, is also how the pose changes when
// it turns about the axis.
static inline void turnAxis(mjtNum xaxis[3], mjtNum turned[4], const mjtNum q[4], const mjtNum axis[3]) {
  if (mth_isUnitQuat(q)) {
    mth_set4(turned, 0, axis[0], axis[1], axis[2]);
    mth_copy3(xaxis, axis);
    return;
  }
  mth_mulQuatAxis(turned, q, axis);
  xaxis[0] = turned[1] * q[0] - turned[0] * q[1] - turned[2] * q[3] + turned[3] * q[2];
  xaxis[1] = turned[2] * q[0] - turned[0] * q[2] - turned[3] * q[1] + turned[1] * q[3];
  xaxis[2] = turned[3] * q[0] - turned[0] * q[3] - turned[1] * q[2] + turned[2] * q[1];
}

// applies one joint that is not free, and records its axis and anchor before the motion
static inline void applyJoint(const mjModel* m, mjData* d, int joint, HalfAngles* half, Pose* pose) {
  const mjtNum *axis = m->jnt_axis + 3 * joint, *anchor = m->jnt_pos + 3 * joint;
  const int type = m->jnt_type[joint], q = m->jnt_qposadr[joint];
  const int centered = anchor[0] == 0 && anchor[1] == 0 && anchor[2] == 0;
  mjtNum xaxis[3], xanchor[3];

  mjtNum turned[4];
  turnAxis(xaxis, turned, pose->quat, axis);
  mth_copy3(xanchor, pose->pos);
  if (!centered) {
    mjtNum arm[3];
    kin_rotate(arm, anchor, pose->quat);
    mth_addTo3(xanchor, arm);
  }
  mth_store2(d->xaxis + 3 * joint, xaxis[0], xaxis[1]);
  d->xaxis[3 * joint + 2] = xaxis[2];
  mth_copy3(d->xanchor + 3 * joint, xanchor);

  if (type == mjJNT_SLIDE) {
    mth_addToScl3(pose->pos, xaxis, d->qpos[q] - m->qpos0[q]);
    return;
  }
  if (type == mjJNT_HINGE) {
    mjtNum s, c;
    nextHalf(m, d, q, half, &s, &c);
    for (int k = 0; k < 4; k++) pose->quat[k] = c * pose->quat[k] + s * turned[k];
  } else {
    if (type != mjJNT_BALL) {
      mju_error("mj_kinematics: joint %d has unknown type %d", joint, type);
      return;
    }
    mjtNum turn[4];
    mth_copy4(turn, d->qpos + q);
    mth_normalize4(turn);
    mth_mulQuat(pose->quat, pose->quat, turn);
  }

  // the anchor stays where it is
  if (!centered) {
    mjtNum arm[3];
    kin_rotate(arm, anchor, pose->quat);
    mth_sub3(pose->pos, xanchor, arm);
  }
}

static inline void bodyPose(const mjModel* m, mjData* d, int body, HalfAngles* half, Pose* pose) {
  const int joint = m->body_jntadr[body], njoint = m->body_jntnum[body];
  if (njoint == 1 && m->jnt_type[joint] == mjJNT_FREE) {
    const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
    mth_copy3(pose->pos, qpos);
    mth_copy4(pose->quat, qpos + 3);
    mth_copy3(d->xanchor + 3 * joint, pose->pos);
    mth_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
  } else {
    offsetPose(m, d, body, pose);
    for (int j = joint; j < joint + njoint; j++) applyJoint(m, d, j, half, pose);
  }
  kin_normalizeQuat(pose->quat);
}

static inline void storePose(mjData* d, int body, const Pose* pose) {
  mjtNum *xpos = d->xpos + 3 * body, *xquat = d->xquat + 4 * body;
  mth_store2(xpos, pose->pos[0], pose->pos[1]);
  xpos[2] = pose->pos[2];
  mth_store2(xquat, pose->quat[0], pose->quat[1]);
  mth_store2(xquat + 2, pose->quat[2], pose->quat[3]);
  kin_quat2Mat(d->xmat + 9 * body, pose->quat);
}

static inline void inertialFrame(const mjModel* m, mjData* d, int body) {
  const int same = m->body_sameframe[body];
  kin_framePos(d, d->xipos + 3 * body, m->body_ipos + 3 * body, body, same);
  kin_frameMat(d, d->ximat + 9 * body, m->body_iquat + 4 * body, body, same);
}

static inline void geomFrames(const mjModel* m, mjData* d, int body) {
  const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  for (int g = first; g < end; g++) {
    const int same = m->geom_sameframe[g];
    kin_framePos(d, d->geom_xpos + 3 * g, m->geom_pos + 3 * g, body, same);
    kin_frameMat(d, d->geom_xmat + 9 * g, m->geom_quat + 4 * g, body, same);
  }
}

// ---------------------------------------------------------------- passes

// of kin_poses: sleeping is enabled, and sleepers are known to be where they were
enum { KIN_STILL = 2 };

static inline void worldFrame(mjData* d) {
  mth_zero3(d->xpos);
  mth_unit4(d->xquat);
  mth_eye3(d->xmat);
  mth_zero3(d->xipos);
  mth_eye3(d->ximat);
}

// 1: a sleeping body is where it was, seen without computing its pose
static inline int sleepsOn(const mjModel* m, const mjData* d, int body) {
  const int joint = m->body_jntadr[body];
  return m->body_jntnum[body] == 1 && m->jnt_type[joint] == mjJNT_FREE && kin_sleepsOn(m, d, body, joint);
}

// poses of a range of bodies without gaps, and of everything that is fixed to them when nothing sleeps; the range of
// the first body does the world, too. Sleeping bodies whose pose is no longer what it was mark their tree for waking,
// unless they are known to be still (sleep = KIN_STILL)
static inline void kin_poses(const mjModel* m, mjData* d, const SlpRange* range, int sleep) {
  const SlpRange bodies = *range;
  if (bodies.first == 1) {
    worldFrame(d);
    if (!sleep) geomFrames(m, d, 0);
  }
  HalfAngles half = halfAngles(m, d, bodies, sleep == KIN_STILL && !d->ntree_awake);
  for (int body = bodies.first; body < bodies.n; body++) {
    if (sleep && d->body_awake[body] == mjS_STATIC) continue;
    if (sleep == KIN_STILL && d->body_awake[body] == mjS_ASLEEP) continue;
    if (sleep && d->body_awake[body] == mjS_ASLEEP && sleepsOn(m, d, body)) continue;
    Pose pose;
    bodyPose(m, d, body, &half, &pose);
    if (sleep && d->body_awake[body] == mjS_ASLEEP && m->body_jntnum[body]) {
      const mjtNum *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
      const int same = mth_equal3(pose.pos, pos) && pose.quat[0] == quat[0] && mth_equal3(pose.quat + 1, quat + 1);
      if (same) continue;
      slp_markMoved(d, m->body_treeid[body]);
    }
    storePose(d, body, &pose);
    if (!sleep) {
      inertialFrame(m, d, body);
      geomFrames(m, d, body);
    }
  }
}

// inertial frames of bodies that do not sleep, geoms of those that can move
static inline void kin_frames(const mjModel* m, mjData* d) {
  const SlpRange range = slp_bodies(m, d);
  for (int k = 0; k < range.n; k++) {
    const int body = slp_at(range, k);
    if (body) inertialFrame(m, d, body);
    if (!range.list || d->body_awake[body] == mjS_AWAKE) geomFrames(m, d, body);
  }
}

static inline void kin_sites(const mjModel* m, mjData* d) {
  const int filter = slp_bodies(m, d).list != NULL;
  for (int s = 0; s < m->nsite; s++) {
    const int body = m->site_bodyid[s], same = m->site_sameframe[s];
    if (filter && d->body_awake[body] != mjS_AWAKE) continue;
    kin_framePos(d, d->site_xpos + 3 * s, m->site_pos + 3 * s, body, same);
    kin_frameMat(d, d->site_xmat + 9 * s, m->site_quat + 4 * s, body, same);
  }
}
