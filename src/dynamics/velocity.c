// Spatial velocities: cvel of bodies and cdof_dot of motion axes, both about the tree's centre of mass; velocity and
// angular momentum of subtrees.
//
// Down the tree cvel = cvel(parent) + Σ cdof q̇, one joint after the other. An axis turns with everything above it, so
// its derivative is v × cdof with the velocity v before its own joint; the axes of one ball share that velocity.
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

void mj_comVel(const mjModel* m, mjData* d) {
  mth_zero6(d->cvel);
  const SlpRange bodies = slp_bodies(m, d);
  for (int b = 1; b < bodies.n; b++) {
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

// ---------------------------------------------------------------- subtrees

// m r × u
static void addOrbit(mjtNum angmom[3], const mjtNum r[3], const mjtNum u[3], mjtNum mass) {
  mjtNum p[3], L[3];
  mth_scl3(p, u, mass);
  mth_cross3(L, r, p);
  mth_addTo3(angmom, L);
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  const SlpRange bodies = slp_bodies(m, d);
  mj_markStack(d);
  mjtNum *vel = mj_stackAllocNum(d, 6 * m->nbody), *linvel = d->subtree_linvel, *angmom = d->subtree_angmom;

  // momentum of each body: m v, R I Rᵀ w
  for (int b = 0; b < bodies.n; b++) {
    const int i = slp_at(bodies, b);
    mjtNum spin[3];
    mj_objectVelocity(m, d, mjOBJ_BODY, i, vel + 6 * i, 0);
    mth_scl3(linvel + 3 * i, vel + 6 * i + 3, m->body_mass[i]);
    mth_mulMatTVec3(spin, d->ximat + 9 * i, vel + 6 * i);
    for (int k = 0; k < 3; k++) spin[k] *= m->body_inertia[3 * i + k];
    mth_mulMatVec3(angmom + 3 * i, d->ximat + 9 * i, spin);
  }

  // linear momentum to the parents, then velocity
  for (int b = bodies.n - 1; b >= 0; b--) {
    const int i = slp_at(bodies, b);
    if (i) mth_addTo3(linvel + 3 * m->body_parentid[i], linvel + 3 * i);
    mth_scl3(linvel + 3 * i, linvel + 3 * i, 1 / mth_max(mjMINVAL, m->body_subtreemass[i]));
  }

  // angular momentum: of the body about its subtree's centre, of the subtree about its parent's
  for (int b = bodies.n - 1; b > 0; b--) {
    const int i = slp_at(bodies, b), parent = m->body_parentid[i];
    mjtNum r[3], u[3];
    mth_sub3(r, d->xipos + 3 * i, d->subtree_com + 3 * i);
    mth_sub3(u, vel + 6 * i + 3, linvel + 3 * i);
    addOrbit(angmom + 3 * i, r, u, m->body_mass[i]);
    mth_addTo3(angmom + 3 * parent, angmom + 3 * i);
    mth_sub3(r, d->subtree_com + 3 * i, d->subtree_com + 3 * parent);
    mth_sub3(u, linvel + 3 * i, linvel + 3 * parent);
    addOrbit(angmom + 3 * parent, r, u, m->body_subtreemass[i]);
  }

  mj_freeStack(d);
  d->flg_subtreevel = 1;
}
