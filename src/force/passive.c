// Passive forces: springs, dampers, gravity compensation, medium, flexes, callbacks and plugins.
//
// qfrc_passive = qfrc_spring + qfrc_damper + qfrc_fluid + qfrc_gravcomp (where no actuator carries it) + user forces.
#include <mujoco/mujoco.h>

#include "constraint/flexside.h"
#include "dynamics/dynamics.h"
#include "force/flex_passive.h"
#include "force/fluid.h"
#include "force/plugin.h"
#include "kinematics/jacobian.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "model/hooks.h"
#include "sleep/parts.h"

enum { PASSIVE_EXCLUDE = 4 };                 // contact that acts through a passive force
static const mjtNum PASSIVE_STIFFNESS = 1e4;  // N/m, the reference's constant

// torque of a rotational spring
static void ballSpring(mjtNum* qfrc, const mjtNum qpos[4], const mjtNum rest[4], mjtNum stiffness) {
  mjtNum quat[4], turn[3];
  mth_copy4(quat, qpos);
  mth_normalize4(quat);
  mth_subQuat(turn, quat, rest);
  mth_scl3(qfrc, turn, -stiffness);
}

static void jointSpring(const mjModel* m, mjData* d, int joint) {
  const mjtNum stiffness = m->jnt_stiffness[joint];
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
  const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[joint];
  mjtNum* qfrc = d->qfrc_spring + m->jnt_dofadr[joint];
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      for (int k = 0; k < 3; k++) qfrc[k] = -stiffness * (qpos[k] - rest[k]);
      ballSpring(qfrc + 3, qpos + 3, rest + 3, stiffness);
      break;
    case mjJNT_BALL:
      ballSpring(qfrc, qpos, rest, stiffness);
      break;
    default:
      qfrc[0] = -stiffness * (qpos[0] - rest[0]);
  }
}

// first joint of the dofs from one on
static int firstJoint(const mjModel* m, int dof) {
  return dof < m->nv ? m->dof_jntid[dof] : (int)m->njnt;
}

// springs of the joints of awake bodies in a part
static void jointSprings(const mjModel* m, mjData* d, const SlpPart* part) {
  const SlpRange bodies = part->bodies;
  if (!bodies.list) {
    const int end = firstJoint(m, part->dofs.n);
    for (int j = firstJoint(m, part->dofs.first); j < end; j++) {
      if (m->jnt_stiffness[j] != 0) jointSpring(m, d, j);
    }
    return;
  }
  for (int b = 0; b < bodies.n; b++) {
    const int body = bodies.list[b], first = m->body_jntadr[body];
    for (int j = first; j < first + m->body_jntnum[body]; j++) {
      if (m->jnt_stiffness[j] != 0) jointSpring(m, d, j);
    }
  }
}

// spring with a dead band [lower, upper], and damper, along one tendon
static void tendonForce(const mjModel* m, mjData* d, int tendon, mjtNum stiffness, mjtNum damping) {
  const mjtNum length = d->ten_length[tendon];
  const mjtNum* band = m->tendon_lengthspring + 2 * tendon;
  mjtNum spring = 0;
  if (length > band[1]) {
    spring = stiffness * (band[1] - length);
  } else if (length < band[0]) {
    spring = stiffness * (band[0] - length);
  }
  const mjtNum damper = -damping * d->ten_velocity[tendon];
  if (spring == 0 && damper == 0) return;

  // moment arms: sparse or dense rows
  if (kin_isSparse(m)) {
    const int adr = d->ten_J_rowadr[tendon];
    for (int j = adr; j < adr + d->ten_J_rownnz[tendon]; j++) {
      d->qfrc_spring[d->ten_J_colind[j]] += d->ten_J[j] * spring;
      d->qfrc_damper[d->ten_J_colind[j]] += d->ten_J[j] * damper;
    }
  } else {
    const mjtNum* J = d->ten_J + (size_t)tendon * (size_t)m->nv;
    if (spring) mth_addToScl(d->qfrc_spring, J, spring, (int)m->nv);
    if (damper) mth_addToScl(d->qfrc_damper, J, damper, (int)m->nv);
  }
}

// force of one dof's damper; none where there is no damping, whatever the velocity
static inline mjtNum dofDamper(const mjModel* m, const mjData* d, int i) {
  return m->dof_damping[i] != 0 ? -m->dof_damping[i] * d->qvel[i] : 0;
}

// what sleeps keeps its values
static void clearForce(mjtNum* force, SlpRange dofs) {
  if (!dofs.list) {
    mth_zero(force + dofs.first, dofs.n - dofs.first);
  } else {
    for (int v = 0; v < dofs.n; v++) force[dofs.list[v]] = 0;
  }
}

// clears the forces of a part, then springs and dampers of its joints; without a list the loop has no branches
static void jointPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
  const SlpRange dofs = part->dofs;
  const int spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER);
  clearForce(d->qfrc_spring, dofs);
  clearForce(d->qfrc_gravcomp, dofs);
  clearForce(d->qfrc_fluid, dofs);
  if (!damper) clearForce(d->qfrc_damper, dofs);
  if (spring) jointSprings(m, d, part);
  if (damper && !dofs.list) {
    for (int i = dofs.first; i < dofs.n; i++) d->qfrc_damper[i] = dofDamper(m, d, i);
  } else if (damper) {
    for (int v = 0; v < dofs.n; v++) {
      const int i = dofs.list[v];
      d->qfrc_damper[i] = dofDamper(m, d, i);
    }
  }
}

// springs and dampers of what is no joint
static void springsAndDampers(const mjModel* m, mjData* d) {
  const int spring = !mjDISABLED(mjDSBL_SPRING), damper = !mjDISABLED(mjDSBL_DAMPER);
  const SlpRange dofs = slp_dofs(m, d);

  // deformable bodies
  if (m->nflex) frc_flex(m, d, spring, damper);

  // tendons
  for (int i = 0; i < m->ntendon; i++) {
    const mjtNum stiffness = spring ? m->tendon_stiffness[i] : 0;
    const mjtNum damping = damper ? m->tendon_damping[i] : 0;
    if (stiffness == 0 && damping == 0) continue;
    if (dofs.list && slp_state(m, d, mjOBJ_TENDON, i) != mjS_AWAKE) continue;
    tendonForce(m, d, i, stiffness, damping);
  }
}

// body weights carried, as a force at the centre of mass; 0: nothing to compensate
static int gravityCompensation(const mjModel* m, mjData* d) {
  if (!m->ngravcomp || mjDISABLED(mjDSBL_GRAVITY) || mth_norm3(m->opt.gravity) == 0) return 0;
  const SlpRange bodies = slp_bodies(m, d);
  int any = 0;
  for (int b = 1; b < bodies.n; b++) {
    const int body = slp_at(bodies, b);
    if (!m->body_gravcomp[body]) continue;
    mjtNum lift[3];
    mth_scl3(lift, m->opt.gravity, -(m->body_mass[body] * m->body_gravcomp[body]));
    dyn_addWrench(m, d, (DynWrench){body, d->xipos + 3 * body, lift, NULL}, d->qfrc_gravcomp);
    any = 1;
  }
  return any;
}

// contacts of flexes that ask for penalty forces instead of constraint rows: a stiff spring along the normal
static void passiveContacts(const mjModel* m, mjData* d) {
  if (mjDISABLED(mjDSBL_CONTACT) || !m->nflex) return;
  for (int i = 0; i < d->ncon; i++) {
    mjContact* con = d->contact + i;
    if (con->exclude != PASSIVE_EXCLUDE) continue;

    // the bodies on both sides share the force by their weights, negative on the first side
    int moving = 0;
    for (int s = 0; s < 2; s++) {
      ConSide side;
      con_side(&side, m, d, con, s, s ? 1 : -1);
      for (int b = 0; b < side.n; b++) {
        mjtNum force[3];
        mth_scl3(force, con->frame, -PASSIVE_STIFFNESS * con->dist * side.weight[b]);
        dyn_addWrench(m, d, (DynWrench){side.body[b], con->pos, force, NULL}, d->qfrc_spring);
        moving |= m->body_weldid[side.body[b]];
      }
    }

    // between bodies that cannot move it is no contact at all
    if (!moving && kin_isSparse(m)) con->exclude = 3;
  }
}

// total = part1 + part2 over awake dofs
static void sumForces(mjtNum* total, const mjtNum* part1, const mjtNum* part2, SlpRange dofs) {
  if (!dofs.list) {
    mth_add(total, part1, part2, dofs.n);
  } else {
    for (int v = 0; v < dofs.n; v++) total[dofs.list[v]] = part1[dofs.list[v]] + part2[dofs.list[v]];
  }
}

void mj_passive(const mjModel* m, mjData* d) {
  const SlpRange dofs = slp_dofs(m, d);
  slp_share(m, d, jointPart, NULL);

  // without springs and dampers there are no passive forces at all
  if (mjDISABLED(mjDSBL_SPRING) && mjDISABLED(mjDSBL_DAMPER)) {
    clearForce(d->qfrc_passive, dofs);
    return;
  }

  springsAndDampers(m, d);
  const int gravcomp = gravityCompensation(m, d);
  const int fluid = frc_fluid(m, d);
  passiveContacts(m, d);

  // sum; joints with actuated compensation get theirs with the actuator forces
  sumForces(d->qfrc_passive, d->qfrc_spring, d->qfrc_damper, dofs);
  if (fluid) sumForces(d->qfrc_passive, d->qfrc_passive, d->qfrc_fluid, dofs);
  for (int v = 0; gravcomp && v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) d->qfrc_passive[i] += d->qfrc_gravcomp[i];
  }

  // forces of the user and of plugins
  mdl_callPassive(m, d);
  if (m->nplugin) frc_computePlugins(m, d, mjPLUGIN_PASSIVE);
}
