// Dragging bodies with the mouse: a perturbation is a spring between a point of the selected body and a point, and
// between the body's inertial frame and an orientation, that the mouse moves. Force on a mass m: -m (k x + sqrt(k) v).
#include <math.h>

#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "vis/vis.h"

// how far the spring's orientation may turn away from the body's: further, and its shortest way back changes sides
#define FURTHEST_TURN (mjPI / 2)

static int validBody(const mjModel* m, int body) {
  return body > 0 && body < m->nbody;
}

// orientation of the body's inertial frame in the world
static void inertialQuat(const mjModel* m, const mjData* d, int body, mjtNum quat[4]) {
  mth_mulQuat(quat, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

//---------------------------------- start -------------------------------------------------------------------------

// mass that a force at the point feels, averaged over directions
static mjtNum massAt(const mjModel* m, mjData* d, int body, const mjtNum point[3]) {
  const int nv = m->nv;
  mj_markStack(d);
  mjtNum* const jac = mj_stackAllocNum(d, 3 * (size_t)nv);
  mjtNum* const half = mj_stackAllocNum(d, 3 * (size_t)nv);
  mjtNum* const scale = mj_stackAllocNum(d, (size_t)nv);
  for (int i = 0; i < nv; i++) scale[i] = sqrt(d->qLDiagInv[i]);
  mj_jac(m, d, jac, NULL, point, body);
  mj_solveM2(m, d, half, jac, scale, 3);
  mjtNum inverse = 0;
  for (int k = 0; k < 3; k++) inverse += mth_dot(half + k * nv, half + k * nv, nv);
  mj_freeStack(d);
  return inverse == 0 ? 1 : 3 / mth_max(inverse, mjMINVAL);
}

void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert) {
  const int body = pert->select, flex = pert->flexselect;
  if (!validBody(m, body)) return;
  mjtNum point[3];
  vis_selectedPoint(d, pert, point);
  pert->localmass = massAt(m, d, body, point);

  // a vertex of a flex is held by its neighbours: as many as it has edges on average
  if (flex >= 0 && !m->flex_rigid[flex]) {
    pert->localmass *= 2.0 * m->flex_edgenum[flex] / (mjtNum)m->flex_vertnum[flex];
  }

  // the spring starts at rest
  mth_copy3(pert->refpos, d->xipos + 3 * body);
  inertialQuat(m, d, body, pert->refquat);
  mth_copy3(pert->refselpos, point);

  // the point will follow the mouse on the screen
  mjtNum head[3], forward[3];
  mjv_cameraInModel(head, forward, NULL, scn);
  pert->scale = vis_screenScale(scn, point, head, forward);
  if (scn->camera[0].orthographic) pert->scale *= VIS_ORTHOGRAPHIC_DAMPING;
}

//---------------------------------- mouse -------------------------------------------------------------------------

// keeps the spring's orientation within reach of the body's
static void limitTurn(const mjModel* m, const mjData* d, mjvPerturb* pert) {
  mjtNum own[4], away[4], turn[3];
  inertialQuat(m, d, pert->select, own);
  mth_negQuat(away, own);
  mth_mulQuat(away, away, pert->refquat);
  mth_quat2Vel(turn, away, 1);
  if (mth_normalize3(turn) <= FURTHEST_TURN) return;
  mth_axisAngle2Quat(away, turn, FURTHEST_TURN);
  mth_mulQuat(pert->refquat, own, away);
}

void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                     mjvPerturb* pert) {
  const mjtNum motion[2] = {reldx, reldy};
  const int valid = validBody(m, pert->select);
  mjtNum forward[3], vec[3];
  mjv_cameraInModel(NULL, forward, NULL, scn);
  const VisAxes axes = vis_mouse(action, motion, forward, vec);
  if (action == mjMOUSE_ZOOM) return;

  if (action == mjMOUSE_ROTATE_V || action == mjMOUSE_ROTATE_H) {
    mjtNum quat[4];
    const mjtNum length = mth_normalize3(vec);
    mth_axisAngle2Quat(quat, vec, length * mjPI * 2);
    mth_mulQuat(pert->refquat, quat, pert->refquat);
    mth_normalize4(pert->refquat);
    if (valid) limitTurn(m, d, pert);
    return;
  }

  if (axes == VIS_OWN && valid) {
    mjtNum own[3];
    mth_copy3(own, vec);
    mth_mulMatVec3(vec, d->xmat + 9 * pert->select, own);
  }
  mth_addToScl3(pert->refpos, vec, pert->scale);
  mth_addToScl3(pert->refselpos, vec, pert->scale);
}

//---------------------------------- effect on the simulation ------------------------------------------------------

// position in qpos of the body's only joint if that is a free one, else NULL
static mjtNum* freePose(const mjModel* m, const mjData* d, int body) {
  const int joint = m->body_jntadr[body];
  if (m->body_jntnum[body] != 1 || m->jnt_type[joint] != mjJNT_FREE) return NULL;
  return d->qpos + m->jnt_qposadr[joint];
}

void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused) {
  const int body = pert->select;
  if (!validBody(m, body) || !(pert->active | pert->active2)) return;

  // pose of the body whose inertial frame is where the mouse has moved it
  mjtNum pos[3], quat[4], target[3], targetquat[4];
  mth_negPose(pos, quat, m->body_ipos + 3 * body, m->body_iquat + 4 * body);
  mth_mulPose(target, targetquat, pert->refpos, pert->refquat, pos, quat);

  // bodies that are placed at will
  const int mocap = m->body_mocapid[body];
  mjtNum* const own = flg_paused ? freePose(m, d, body) : NULL;
  if (mocap >= 0 || own) {
    mth_copy3(mocap >= 0 ? d->mocap_pos + 3 * mocap : own, target);
    mth_copy4(mocap >= 0 ? d->mocap_quat + 4 * mocap : own + 3, targetquat);
    return;
  }

  // parts of a floating body: move its root so that the part arrives, root = target * inverse(part) * root
  mjtNum* const root = flg_paused ? freePose(m, d, m->body_rootid[body]) : NULL;
  if (!root) return;
  mjtNum rest[3], restquat[4];
  mth_negPose(pos, quat, d->xpos + 3 * body, d->xquat + 4 * body);
  mth_mulPose(rest, restquat, pos, quat, root, root + 3);
  mth_mulPose(root, root + 3, target, targetquat, rest, restquat);
}

// force and torque about the centre of mass of a spring at the selected point
static void pullPoint(const mjModel* m, const mjData* d, const mjvPerturb* pert, const mjtNum velocity[6],
                      mjtNum inertia) {
  mjtNum* const force = d->xfrc_applied + 6 * pert->select;
  mjtNum* const torque = force + 3;
  const mjtNum stiffness = m->vis.map.stiffness, stiffnessrot = m->vis.map.stiffnessrot;
  mjtNum point[3], stretch[3], arm[3], speed[3];
  vis_selectedPoint(d, pert, point);
  mth_sub3(stretch, point, pert->refselpos);
  mth_sub3(arm, point, d->xipos + 3 * pert->select);
  mth_cross3(speed, velocity, arm);
  mth_addTo3(speed, velocity + 3);
  mth_scl3(force, stretch, -stiffness * pert->localmass);
  mth_addToScl3(force, speed, -sqrt(stiffness) * pert->localmass);
  mth_cross3(torque, arm, force);

  // the force has no hold on rotations about itself: damp them
  mth_normalize3(stretch);
  mth_addToScl3(torque, stretch, -sqrt(stiffnessrot) * inertia * mth_dot3(stretch, velocity));
}

void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  const int body = pert->select, active = pert->active | pert->active2;
  if (body < 0 || body >= m->nbody || !active) return;
  mjtNum velocity[6];
  mj_objectVelocity(m, d, mjOBJ_BODY, body, velocity, 0);
  const mjtNum invweight = m->body_invweight0[2 * body + 1];
  const mjtNum inertia = invweight != 0 ? 1 / mth_max(mjMINVAL, invweight) : 1;
  if (active & mjPERT_TRANSLATE) pullPoint(m, d, pert, velocity, inertia);
  if (!(active & mjPERT_ROTATE)) return;

  // spring towards the orientation, in place of the torque above
  const mjtNum stiffness = m->vis.map.stiffnessrot;
  mjtNum* const torque = d->xfrc_applied + 6 * body + 3;
  mjtNum own[4], away[4];
  inertialQuat(m, d, body, own);
  mth_negQuat(own, own);
  mth_mulQuat(away, pert->refquat, own);
  mth_quat2Vel(torque, away, 1 / (stiffness * inertia));
  mth_addToScl3(torque, velocity, -sqrt(stiffness) * inertia);
}
