// mj_setConst: the fields of mjModel that follow from others, computed by running the engine at qpos0 and qpos_spring.
#include "compile/const.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec.h"

// -------------------------------------------------------------------------------------------- at qpos0

// diagonal of the inertia matrix without tendons; the engine reads it back for simple bodies
static void setM0(mjModel* m, mjData* d) {
  mju_copy(d->crb, d->cinert, 10 * (int)m->nbody);
  for (int i = (int)m->nbody - 1; i > 0; i--) {
    if (m->body_parentid[i] > 0) mju_addTo(d->crb + 10 * m->body_parentid[i], d->crb + 10 * i, 10);
  }
  for (int i = 0; i < m->nv; i++) {
    mjtNum momentum[6];
    mth_mulInertVec(momentum, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    m->dof_M0[i] = m->dof_armature[i] + mju_dot(d->cdof + 6 * i, momentum, 6);
  }
}

// kinematics and inertia, with cameras and lights as if fixed and flexes as if not rigid
static void runInitial(mjModel* m, mjData* d) {
  mj_markStack(d);
  int* const cammode = mj_stackAllocInt(d, (size_t)m->ncam + 1);
  int* const lightmode = mj_stackAllocInt(d, (size_t)m->nlight + 1);
  mjtByte* const rigid = mj_stackAllocByte(d, (size_t)m->nflex + 1, 1);
  for (int i = 0; i < m->ncam; i++) {
    cammode[i] = m->cam_mode[i];
    m->cam_mode[i] = mjCAMLIGHT_FIXED;
  }
  for (int i = 0; i < m->nlight; i++) {
    lightmode[i] = m->light_mode[i];
    m->light_mode[i] = mjCAMLIGHT_FIXED;
  }
  for (int i = 0; i < m->nflex; i++) {
    rigid[i] = m->flex_rigid[i];
    m->flex_rigid[i] = 0;
  }

  mju_copy(d->qpos, m->qpos0, (int)m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  setM0(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_flex(m, d);
  mj_transmission(m, d);

  for (int i = 0; i < m->ncam; i++) m->cam_mode[i] = cammode[i];
  for (int i = 0; i < m->nlight; i++) m->light_mode[i] = lightmode[i];
  for (int i = 0; i < m->nflex; i++) m->flex_rigid[i] = rigid[i];
  mj_freeStack(d);
}

// the second anchor of connections, and the relative pose of welds that did not say one
static void setEqualities(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->neq; i++) {
    mjtNum* const data = m->eq_data + mjNEQDATA * i;
    const int body1 = m->eq_obj1id[i], body2 = m->eq_obj2id[i];
    const int bodies = m->eq_objtype[i] == mjOBJ_BODY;
    mjtNum pos[3], quat[4];
    if (m->eq_type[i] == mjEQ_CONNECT) {
      if (!bodies) {
        memset(data, 0, mjNEQDATA * sizeof(mjtNum));
        continue;
      }
      mth_mulMatVec3(pos, d->xmat + 9 * body1, data);
      mth_addTo3(pos, d->xpos + 3 * body1);
      mth_subFrom3(pos, d->xpos + 3 * body2);
      mth_mulMatTVec3(data + 3, d->xmat + 9 * body2, pos);
    } else if (m->eq_type[i] == mjEQ_WELD && bodies) {
      if (data[6] != 0 || data[7] != 0 || data[8] != 0 || data[9] != 0) {
        mju_normalize4(data + 6);
        continue;
      }
      mth_mulMatVec3(pos, d->xmat + 9 * body2, data);
      mth_addTo3(pos, d->xpos + 3 * body2);
      mth_subFrom3(pos, d->xpos + 3 * body1);
      mth_mulMatTVec3(data + 3, d->xmat + 9 * body1, pos);
      mth_negQuat(quat, d->xquat + 4 * body1);
      mth_mulQuat(data + 6, quat, d->xquat + 4 * body2);
    }
  }
}

// where cameras and lights are relative to their bodies and to the centre of mass they may track
static void setCamLight(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ncam; i++) {
    const int body = m->cam_bodyid[i], target = m->cam_targetbodyid[i];
    mth_sub3(m->cam_pos0 + 3 * i, d->cam_xpos + 3 * i, d->xpos + 3 * body);
    mth_sub3(m->cam_poscom0 + 3 * i, d->cam_xpos + 3 * i, d->subtree_com + 3 * (target >= 0 ? target : body));
    mju_copy(m->cam_mat0 + 9 * i, d->cam_xmat + 9 * i, 9);
  }
  for (int i = 0; i < m->nlight; i++) {
    const int body = m->light_bodyid[i], target = m->light_targetbodyid[i];
    mth_sub3(m->light_pos0 + 3 * i, d->light_xpos + 3 * i, d->xpos + 3 * body);
    mth_sub3(m->light_poscom0 + 3 * i, d->light_xpos + 3 * i, d->subtree_com + 3 * (target >= 0 ? target : body));
    mth_copy3(m->light_dir0 + 3 * i, d->light_xdir + 3 * i);
  }
}

// A positive velocity gain of a position servo is a damping ratio: it becomes damping for the inertia that the servo
// sees.
static void setDampingRatios(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    mjtNum* const biasprm = m->actuator_biasprm + mjNBIAS * i;
    const mjtNum kp = m->actuator_gainprm[mjNGAIN * i];
    if (kp != -biasprm[1] || biasprm[2] <= 0) continue;
    mjtNum mass = 0;
    for (int k = d->moment_rowadr[i]; k < d->moment_rowadr[i] + d->moment_rownnz[i]; k++) {
      const mjtNum square = d->actuator_moment[k] * d->actuator_moment[k];
      if (square > mjMINVAL) mass += m->dof_M0[d->moment_colind[k]] / square;
    }
    biasprm[2] = -(biasprm[2] * 2 * sqrt(kp * mass));
  }
}

static void setInitial(mjModel* m, mjData* d) {
  cmp_constFlex(m, d);
  runInitial(m, d);
  if (m->nflexedge) mju_copy(m->flexedge_length0, d->flexedge_length, (int)m->nflexedge);
  if (m->ntendon) mju_copy(m->tendon_length0, d->ten_length, (int)m->ntendon);
  if (m->nu) mju_copy(m->actuator_length0, d->actuator_length, (int)m->nu);
  cmp_constWeights(m, d);
  setEqualities(m, d);
  setCamLight(m, d);
  setDampingRatios(m, d);
}

// -------------------------------------------------------------------------------------------- at qpos_spring

// tendon springs without a length of their own rest here
static void setSpring(mjModel* m, mjData* d) {
  mju_copy(d->qpos, m->qpos_spring, (int)m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_transmission(m, d);
  for (int i = 0; i < m->ntendon; i++) {
    mjtNum* const spring = m->tendon_lengthspring + 2 * i;
    if (spring[0] == -1 && spring[1] == -1) spring[0] = spring[1] = d->ten_length[i];
  }
}

void mj_setConst(mjModel* m, mjData* d) {
  cmp_constFixed(m, d);
  setInitial(m, d);
  cmp_constStat(m, d);
  setSpring(m, d);
}
