// Forward kinematics: qpos → poses of bodies, their inertial frames, geoms and sites.
//
// A body's pose is its parent's pose times its fixed offset, then each of its joints in order: a slide moves the
// body along the joint's axis, a hinge or ball turns it about the joint's anchor. A free joint is the pose itself.
// Parents come before children, so one pass over the bodies is enough; a body's inertial frame and geoms are
// done while its pose is in the cache. Poses of sleeping bodies are computed too, but only to see whether the
// user has moved them.
#include <string.h>

#include "kinematics/frame.h"
#include "sleep/sleep.h"

// pose under construction
typedef struct {
  mjtNum pos[3];
  mjtNum quat[4];
} Pose;

// ---------------------------------------------------------------- one body

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
  if (parent) {
    mth_mulMatVec3(pose->pos, d->xmat + 9 * parent, pos);
    mth_addTo3(pose->pos, d->xpos + 3 * parent);
    mth_mulQuat(pose->quat, d->xquat + 4 * parent, quat);
  } else {
    mth_copy3(pose->pos, pos);
    mth_copy4(pose->quat, quat);
  }
}

// turns the pose about the joint's anchor, which stays where it is
static inline void turnPose(Pose* pose, const mjtNum turn[4], const mjtNum xanchor[3], const mjtNum anchor[3]) {
  mjtNum arm[3];
  mth_mulQuat(pose->quat, pose->quat, turn);
  mth_rotVecQuat(arm, anchor, pose->quat);
  mth_sub3(pose->pos, xanchor, arm);
}

// applies one joint that is not free, and records its axis and anchor before the motion
static inline void applyJoint(const mjModel* m, mjData* d, int joint, Pose* pose) {
  const mjtNum *qpos = d->qpos + m->jnt_qposadr[joint], *anchor = m->jnt_pos + 3 * joint;
  mjtNum *xaxis = d->xaxis + 3 * joint, *xanchor = d->xanchor + 3 * joint;
  mth_rotVecQuat(xaxis, m->jnt_axis + 3 * joint, pose->quat);
  mth_rotVecQuat(xanchor, anchor, pose->quat);
  mth_addTo3(xanchor, pose->pos);

  mjtNum turn[4];
  switch (m->jnt_type[joint]) {
    case mjJNT_HINGE:
      mth_axisAngle2Quat(turn, m->jnt_axis + 3 * joint, qpos[0] - m->qpos0[m->jnt_qposadr[joint]]);
      turnPose(pose, turn, xanchor, anchor);
      break;
    case mjJNT_SLIDE:
      mth_addToScl3(pose->pos, xaxis, qpos[0] - m->qpos0[m->jnt_qposadr[joint]]);
      break;
    case mjJNT_BALL:
      mth_copy4(turn, qpos);
      mth_normalize4(turn);
      turnPose(pose, turn, xanchor, anchor);
      break;
    default:
      mju_error("unknown joint type %d", m->jnt_type[joint]);
  }
}

static inline void bodyPose(const mjModel* m, mjData* d, int body, Pose* pose) {
  const int joint = m->body_jntadr[body], njoint = m->body_jntnum[body];
  if (njoint == 1 && m->jnt_type[joint] == mjJNT_FREE) {
    const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
    mth_copy3(pose->pos, qpos);
    mth_copy4(pose->quat, qpos + 3);
    mth_copy3(d->xanchor + 3 * joint, pose->pos);
    mth_copy3(d->xaxis + 3 * joint, m->jnt_axis + 3 * joint);
  } else {
    offsetPose(m, d, body, pose);
    for (int j = joint; j < joint + njoint; j++) applyJoint(m, d, j, pose);
  }
  mth_normalize4(pose->quat);
}

static inline void storePose(mjData* d, int body, const Pose* pose) {
  mth_copy3(d->xpos + 3 * body, pose->pos);
  mth_copy4(d->xquat + 4 * body, pose->quat);
  mth_quat2Mat(d->xmat + 9 * body, pose->quat);
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

static void worldFrame(mjData* d) {
  mth_zero3(d->xpos);
  mth_unit4(d->xquat);
  mth_eye3(d->xmat);
  mth_zero3(d->xipos);
  mth_eye3(d->ximat);
}

// everything is awake: poses, inertial frames and geoms in one pass
static void allBodies(const mjModel* m, mjData* d) {
  geomFrames(m, d, 0);
  for (int body = 1; body < m->nbody; body++) {
    Pose pose;
    bodyPose(m, d, body, &pose);
    storePose(d, body, &pose);
    inertialFrame(m, d, body);
    geomFrames(m, d, body);
  }
}

// sleeping bodies whose pose is no longer what it was mark their tree for waking
static void posesWithSleep(const mjModel* m, mjData* d) {
  for (int body = 1; body < m->nbody; body++) {
    if (d->body_awake[body] == mjS_STATIC) continue;
    Pose pose;
    bodyPose(m, d, body, &pose);
    if (d->body_awake[body] == mjS_ASLEEP && m->body_jntnum[body]) {
      const mjtNum *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
      const int same = mth_equal3(pose.pos, pos) && pose.quat[0] == quat[0] && mth_equal3(pose.quat + 1, quat + 1);
      if (same) continue;
      d->tree_awake[m->body_treeid[body]] = 1;
    }
    storePose(d, body, &pose);
  }
}

// inertial frames of bodies that do not sleep, geoms of those that can move
static void framesWithSleep(const mjModel* m, mjData* d) {
  const SlpRange bodies = slp_bodies(m, d);
  for (int k = 0; k < bodies.n; k++) {
    const int body = slp_at(bodies, k);
    if (body) inertialFrame(m, d, body);
    if (!bodies.list || d->body_awake[body] == mjS_AWAKE) geomFrames(m, d, body);
  }
}

static void siteFrames(const mjModel* m, mjData* d) {
  const int filter = slp_bodies(m, d).list != NULL;
  for (int s = 0; s < m->nsite; s++) {
    const int body = m->site_bodyid[s], same = m->site_sameframe[s];
    if (filter && d->body_awake[body] != mjS_AWAKE) continue;
    kin_framePos(d, d->site_xpos + 3 * s, m->site_pos + 3 * s, body, same);
    kin_frameMat(d, d->site_xmat + 9 * s, m->site_quat + 4 * s, body, same);
  }
}

void mj_kinematics(const mjModel* m, mjData* d) {
  worldFrame(d);
  if (slp_enabled(m)) {
    posesWithSleep(m, d);
    if (slp_wake(m, d)) slp_update(m, d, 0);
    framesWithSleep(m, d);
  } else {
    // sleeping may have been switched off since the last step
    if (slp_wake(m, d)) slp_update(m, d, 0);
    allBodies(m, d);
  }
  siteFrames(m, d);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  if (xpos && pos) kin_framePos(d, xpos, pos, body, sameframe);
  if (xmat && quat) kin_frameMat(d, xmat, quat, body, sameframe);
}
