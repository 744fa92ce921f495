// Spatial velocities: cvel of bodies and cdof_dot of motion axes, both about the tree's centre of mass. The pass of
// mj_comVel, compiled once for the baseline and once for machines with wider registers (same source, same bits).
//
// Down the tree cvel = cvel(parent) + Σ cdof q̇, one joint after the other. An axis turns with everything above it, so
// its derivative is v × cdof with the velocity v before its own joint; the axes of one ball share that velocity.
#pragma once

#include <string.h>

#include "math/spatial.h"
#include "sleep/sleep.h"

// adds the motion of n axes
static inline void addMotion(mjtNum cvel[6], const mjtNum* cdof, const mjtNum* qvel, int n) {
  mjtNum sum[6];
  mth_mulDofVec(sum, cdof, qvel, n);
  mth_addTo6(cvel, sum);
}

// one joint: derivatives of its axes, then their motion; returns its number of dofs
static inline int jointVelocity(mjtNum cvel[6], const mjtNum* cdof, mjtNum* cdof_dot, const mjtNum* qvel, int type) {
  switch (type) {
    case mjJNT_FREE:
      // translation along fixed axes
      memset(cdof_dot, 0, 18 * sizeof(mjtNum));
      addMotion(cvel, cdof, qvel, 3);
      for (int k = 3; k < 6; k++) mth_crossMotion(cdof_dot + 6 * k, cvel, cdof + 6 * k);
      addMotion(cvel, cdof + 18, qvel + 3, 3);
      return 6;
    case mjJNT_BALL:
      for (int k = 0; k < 3; k++) mth_crossMotion(cdof_dot + 6 * k, cvel, cdof + 6 * k);
      addMotion(cvel, cdof, qvel, 3);
      return 3;
    default:
      mth_crossMotion(cdof_dot, cvel, cdof);
      mth_addToScl6(cvel, cdof, qvel[0]);
      return 1;
  }
}

static inline void dyn_velocityPass(const mjModel* m, mjData* d, const SlpRange* range) {
  const SlpRange bodies = *range;
  for (int b = bodies.first; b < bodies.n; b++) {
    const int i = slp_at(bodies, b);
    mjtNum cvel[6];
    mth_copy6(cvel, d->cvel + 6 * m->body_parentid[i]);
    int dof = m->body_dofadr[i];
    const int joint = m->body_jntadr[i], end = joint + m->body_jntnum[i];
    for (int j = joint; j < end; j++) {
      dof += jointVelocity(cvel, d->cdof + 6 * dof, d->cdof_dot + 6 * dof, d->qvel + dof, m->jnt_type[j]);
    }
    mth_copy6(d->cvel + 6 * i, cvel);
  }
}
