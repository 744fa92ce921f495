// Potential energy of gravity and springs, kinetic energy.
#include "dynamics/ldl.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "sleep/sleep.h"

static mjtNum gravityEnergy(const mjModel* m, const mjData* d) {
  mjtNum energy = 0;
  for (int i = 1; i < m->nbody; i++) energy -= m->body_mass[i] * mth_dot3(m->opt.gravity, d->xipos + 3 * i);
  return energy;
}

// squared distance of a joint from the rest position of its spring
static mjtNum jointStretch(const mjModel* m, const mjData* d, int joint) {
  int adr = m->jnt_qposadr[joint];
  const mjtNum *qpos = d->qpos + adr, *rest = m->qpos_spring + adr;
  mjtNum dif[3], sum = 0;
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      mth_sub3(dif, qpos, rest);
      sum = mth_dot3(dif, dif);
      mth_subQuat(dif, qpos + 3, rest + 3);
      return sum + mth_dot3(dif, dif);
    case mjJNT_BALL:
      mth_subQuat(dif, qpos, rest);
      return mth_dot3(dif, dif);
    default:
      return (qpos[0] - rest[0]) * (qpos[0] - rest[0]);
  }
}

static mjtNum jointEnergy(const mjModel* m, const mjData* d) {
  const int filter = slp_bodies(m, d).list != NULL;
  mjtNum energy = 0;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_stiffness[j] == 0 || (filter && d->body_awake[m->jnt_bodyid[j]] != mjS_AWAKE)) continue;
    energy += 0.5 * m->jnt_stiffness[j] * jointStretch(m, d, j);
  }
  return energy;
}

// springs of tendons have a range of lengths at which they are slack
static mjtNum tendonEnergy(const mjModel* m, const mjData* d) {
  const int filter = slp_bodies(m, d).list != NULL;
  mjtNum energy = 0;
  for (int t = 0; t < m->ntendon; t++) {
    if (filter && slp_state(m, d, mjOBJ_TENDON, t) != mjS_AWAKE) continue;
    const mjtNum length = d->ten_length[t], *range = m->tendon_lengthspring + 2 * t;
    const mjtNum stretch = length - mth_clip(length, range[0], range[1]);
    energy += 0.5 * m->tendon_stiffness[t] * stretch * stretch;
  }
  return energy;
}

// edges of one-dimensional flexes
static mjtNum flexEnergy(const mjModel* m, const mjData* d) {
  mjtNum energy = 0;
  for (int f = 0; f < m->nflex; f++) {
    const mjtNum stiffness = m->flex_edgestiffness[f];
    if (m->flex_rigid[f] || stiffness == 0 || m->flex_dim[f] > 1) continue;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (m->flexedge_rigid[e]) continue;
      const mjtNum stretch = d->flexedge_length[e] - m->flexedge_length0[e];
      energy += 0.5 * stiffness * stretch * stretch;
    }
  }
  return energy;
}

void mj_energyPos(const mjModel* m, mjData* d) {
  d->energy[0] = 0;
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) d->energy[0] += gravityEnergy(m, d);
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    d->energy[0] += jointEnergy(m, d) + tendonEnergy(m, d) + flexEnergy(m, d);
  }
  d->flg_energypos = 1;
}

void mj_energyVel(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* momentum = mj_stackAllocNum(d, m->nv);
  mj_mulM(m, d, momentum, d->qvel);
  d->energy[1] = 0.5 * mth_dot(momentum, d->qvel, m->nv);
  mj_freeStack(d);
  d->flg_energyvel = 1;
}
