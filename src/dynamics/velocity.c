// Spatial velocities (the pass is in velocity_pass.h); velocity and angular momentum of subtrees.
#include "dynamics/pass.h"
#include "dynamics/velocity_pass.h"
#include "math/spatial.h"
#include "sleep/parts.h"

static BAS_DIRECT void velocityPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
#ifdef DYN_V3
  if (mth_isV3()) {
    dyn_velocityPassV3(m, d, &part->bodies);
    return;
  }
#endif
  dyn_velocityPass(m, d, &part->bodies);
}

void mj_comVel(const mjModel* m, mjData* d) {
  mth_zero6(d->cvel);
  slp_share(m, d, velocityPart, NULL);
}

// ---------------------------------------------------------------- subtrees

// m r × u
static void addOrbit(mjtNum angmom[3], const mjtNum r[3], const mjtNum u[3], mjtNum mass) {
  mjtNum p[3], L[3];
  mth_scl3(p, u, mass);
  mth_cross3(L, r, p);
  mth_addTo3(angmom, L);
}

// rotation and the velocity of the centre of mass
static void bodyVelocity(const mjModel* m, const mjData* d, int body, mjtNum vel[6]) {
  const mjtNum* cvel = d->cvel + 6 * body;
  mjtNum r[3], turn[3];
  mth_sub3(r, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);
  mth_cross3(turn, cvel, r);
  mth_copy3(vel, cvel);
  mth_add3(vel + 3, cvel + 3, turn);
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  const SlpRange bodies = slp_bodies(m, d);
  mj_markStack(d);
  mjtNum *vel = mj_stackAllocNum(d, 6 * m->nbody), *linvel = d->subtree_linvel, *angmom = d->subtree_angmom;

  // momentum of each body: m v, R I Rᵀ w
  for (int b = 0; b < bodies.n; b++) {
    const int i = slp_at(bodies, b);
    mjtNum spin[3];
    bodyVelocity(m, d, i, vel + 6 * i);
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
