// Recursive Newton-Euler: the pass of mj_rne, compiled once for the baseline and once for machines with wider registers
// (same source, same bits).
//
// Down the tree: a = a(parent) + cdof_dot q̇ + cdof q̈, the world accelerating against gravity;
// f = I a + v ×* I v. Up the tree f is added to the parent's. Result: cdof · f.
#pragma once

#include "dynamics/lanes.h"
#include "dynamics/pass.h"
#include "math/spatial.h"

// f = I a + v ×* I v
static inline void bodyForce(mjtNum res[6], const mjtNum cinert[10], const mjtNum acc[6], const mjtNum cvel[6]) {
  mjtNum frc[6], momentum[6], gyro[6];
  mth_mulInertVec(frc, cinert, acc);
  mth_mulInertVec(momentum, cinert, cvel);
  mth_crossForce(gyro, cvel, momentum);
  MTH_QUAD(res) = (MthQuad){frc[0] + gyro[0], frc[1] + gyro[1], frc[2] + gyro[2], frc[3] + gyro[3]};
  mth_store2(res + 4, frc[4] + gyro[4], frc[5] + gyro[5]);
}

// the same for four bodies, one per lane
static MTH_ALWAYS_INLINE void fourForces(const mjData* d, DynBodyRne* rne, const int body[4]) {
  const mjtNum *inertia[4], *acc[4], *vel[4];
  for (int j = 0; j < 4; j++) {
    inertia[j] = d->cinert + 10 * body[j];
    acc[j] = rne[body[j]].acc;
    vel[j] = d->cvel + 6 * body[j];
  }
  MthQuad i[10], a[6], v[6], f[6], p[6];
  mth_lanes10(i, inertia);
  mth_lanes6(a, acc);
  mth_lanes6(v, vel);
  dyn_mulInertLanes(f, i, a);
  dyn_mulInertLanes(p, i, v);
  dyn_addCrossForceLanes(f, v, p);
  mth_transpose4(f);
  for (int j = 0; j < 4; j++) mth_storeLane6(rne[body[j]].frc, f, f + 4, j);
}

// forces of all bodies of a range
static MTH_ALWAYS_INLINE void allForces(const mjData* d, DynBodyRne* rne, SlpRange bodies) {
  int b = bodies.first;
  for (; b + 3 <= bodies.n; b += 4) {
    // the last one fills the lanes that are left
    int body[4];
    for (int j = 0; j < 4; j++) body[j] = slp_at(bodies, b + j < bodies.n ? b + j : bodies.n - 1);
    fourForces(d, rne, body);
  }
  for (; b < bodies.n; b++) {
    const int i = slp_at(bodies, b);
    bodyForce(rne[i].frc, d->cinert + 10 * i, rne[i].acc, d->cvel + 6 * i);
  }
}

// accelerations of all bodies, from the root
static MTH_ALWAYS_INLINE void accelerations(const mjModel* m, const mjData* d, DynBodyRne* rne, SlpRange bodies,
                                            int accelerate) {
  const int *parent = m->body_parentid, *dofadr = m->body_dofadr, *dofnum = m->body_dofnum;
  const mjtNum *cdof_dot = d->cdof_dot, *qvel = d->qvel;
  for (int b = bodies.first; b < bodies.n; b++) {
    const int i = slp_at(bodies, b), dof = dofadr[i], end = dof + dofnum[i];
    MthQuad first = MTH_QUAD(rne[parent[i]].acc);
    MthPair last = mth_load2(rne[parent[i]].acc + 4);
    for (int k = dof; k < end; k++) {
      first += MTH_CONST_QUAD(cdof_dot + 6 * k) * qvel[k];
      last += mth_load2(cdof_dot + 6 * k + 4) * qvel[k];
    }
    for (int k = dof; accelerate && k < end; k++) {
      first += MTH_CONST_QUAD(d->cdof + 6 * k) * d->qacc[k];
      last += mth_load2(d->cdof + 6 * k + 4) * d->qacc[k];
    }
    MTH_QUAD(rne[i].acc) = first;
    mth_storePair(rne[i].acc + 4, last);
  }
}

static inline void dyn_rnePass(const mjModel* m, mjData* d, const DynRne* pass, const SlpRange* range) {
  const SlpRange bodies = *range;
  DynBodyRne* const rne = pass->body;
  accelerations(m, d, rne, bodies, pass->accelerate);
  allForces(d, rne, bodies);

  // a body's force is complete when all its children, which come later, have added theirs
  const int *parentid = m->body_parentid, *dofadr = m->body_dofadr, *dofnum = m->body_dofnum;
  const mjtNum* cdof = d->cdof;
  mjtNum* result = pass->result;
  for (int b = bodies.n - 1; b >= bodies.first; b--) {
    const int i = slp_at(bodies, b), parent = parentid[i], dof = dofadr[i], end = dof + dofnum[i];
    const mjtNum* frc = rne[i].frc;
    for (int k = dof; k < end; k++) result[k] = mth_dot6(cdof + 6 * k, frc);
    if (!parent) continue;
    MTH_QUAD(rne[parent].frc) += MTH_CONST_QUAD(frc);
    mth_storePair(rne[parent].frc + 4, mth_load2(rne[parent].frc + 4) + mth_load2(frc + 4));
  }
}
