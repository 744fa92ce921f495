// Recursive Newton-Euler: the pass of mj_rne, compiled once for the baseline and once for machines with wider registers
// (same source, same bits).
//
// Down the tree: a = a(parent) + cdof_dot q̇ + cdof q̈, the world accelerating against gravity;
// f = I a + v ×* I v. Up the tree f is added to the parent's. Result: cdof · f.
#pragma once

#include "math/spatial.h"
#include "sleep/sleep.h"

// a and f of one body
typedef struct {
  mjtNum acc[6];
  mjtNum frc[6];
} BodyRne;

// f = I a + v ×* I v
static inline void bodyForce(mjtNum frc[6], const mjtNum cinert[10], const mjtNum acc[6], const mjtNum cvel[6]) {
  mjtNum momentum[6], gyro[6];
  mth_mulInertVec(frc, cinert, acc);
  mth_mulInertVec(momentum, cinert, cvel);
  mth_crossForce(gyro, cvel, momentum);
  mth_addTo6(frc, gyro);
}

static inline void dyn_rnePass(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  const SlpRange bodies = slp_bodies(m, d);
  mj_markStack(d);
  BodyRne* rne = mj_stackAllocByte(d, m->nbody * sizeof(BodyRne), _Alignof(BodyRne));

  // the world
  mth_zero6(rne[0].acc);
  mth_zero6(rne[0].frc);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) mth_scl3(rne[0].acc + 3, m->opt.gravity, -1);

  for (int b = 1; b < bodies.n; b++) {
    const int i = slp_at(bodies, b), dof = m->body_dofadr[i], ndof = m->body_dofnum[i];
    mjtNum acc[6];
    mth_copy6(acc, rne[m->body_parentid[i]].acc);
    for (int k = dof; k < dof + ndof; k++) mth_addToScl6(acc, d->cdof_dot + 6 * k, d->qvel[k]);
    if (flg_acc) {
      for (int k = dof; k < dof + ndof; k++) mth_addToScl6(acc, d->cdof + 6 * k, d->qacc[k]);
    }
    bodyForce(rne[i].frc, d->cinert + 10 * i, acc, d->cvel + 6 * i);
    mth_copy6(rne[i].acc, acc);
  }

  // a body's force is complete when all its children, which come later, have added theirs
  for (int b = bodies.n - 1; b > 0; b--) {
    const int i = slp_at(bodies, b), dof = m->body_dofadr[i], ndof = m->body_dofnum[i];
    for (int k = dof; k < dof + ndof; k++) result[k] = mth_dot6(d->cdof + 6 * k, rne[i].frc);
    const int parent = m->body_parentid[i];
    if (parent) mth_addTo6(rne[parent].frc, rne[i].frc);
  }
  mj_freeStack(d);
}
