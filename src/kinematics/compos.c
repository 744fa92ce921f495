// Centres of mass, inertias and motion axes about the centre of mass of each kinematic tree.
//
// All spatial quantities of a tree refer to one point, the centre of mass of the tree, in world orientation:
//   cinert  inertia of a body about that point
//   cdof    motion axis (rotation; translation) of a dof: a hinge at anchor a about axis w is (w; w × (c − a))
#include "math/spatial.h"
#include "sleep/sleep.h"

// Σ m x over each subtree, then divided by its mass
static void subtreeCenters(const mjModel* m, mjData* d) {
  const SlpRange bodies = slp_bodies(m, d);
  mjtNum* com = d->subtree_com;
  for (int k = 0; k < bodies.n; k++) {
    const int i = slp_at(bodies, k);
    mth_scl3(com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  }

  // children to parents; a sleeping child has its centre already divided by its mass
  if (bodies.list) {
    for (int k = d->nparent_awake - 1; k >= 0; k--) {
      const int i = d->parent_awake_ind[k], parent = m->body_parentid[i];
      const mjtNum scale = d->body_awake[i] == mjS_ASLEEP ? m->body_subtreemass[i] : 1;
      mth_addToScl3(com + 3 * parent, com + 3 * i, scale);
    }
  } else {
    for (int i = (int)m->nbody - 1; i > 0; i--) mth_addTo3(com + 3 * m->body_parentid[i], com + 3 * i);
  }

  for (int k = 0; k < bodies.n; k++) {
    const int i = slp_at(bodies, k);
    if (m->body_subtreemass[i] < mjMINVAL) {
      mth_copy3(com + 3 * i, d->xipos + 3 * i);
    } else {
      mth_scl3(com + 3 * i, com + 3 * i, 1 / m->body_subtreemass[i]);
    }
  }
}

// the three axes of a ball are the columns of the body's orientation
static inline void ballAxes(mjtNum* cdof, const mjtNum xmat[9], const mjtNum offset[3]) {
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3];
    mth_col3(axis, xmat, k);
    mth_dofCom(cdof + 6 * k, axis, offset);
  }
}

// motion axes of all joints of a body
static inline void bodyAxes(const mjModel* m, mjData* d, int body) {
  const mjtNum* com = d->subtree_com + 3 * m->body_rootid[body];
  const int first = m->body_jntadr[body], end = first + m->body_jntnum[body];
  for (int j = first; j < end; j++) {
    mjtNum *cdof = d->cdof + 6 * m->jnt_dofadr[j], offset[3];
    mth_sub3(offset, com, d->xanchor + 3 * j);
    switch (m->jnt_type[j]) {
      case mjJNT_HINGE:
        mth_dofCom(cdof, d->xaxis + 3 * j, offset);
        break;
      case mjJNT_SLIDE:
        mth_dofCom(cdof, d->xaxis + 3 * j, NULL);
        break;
      case mjJNT_BALL:
        ballAxes(cdof, d->xmat + 9 * body, offset);
        break;
      default:
        // free: translation along the world's axes first
        for (int k = 0; k < 3; k++) {
          const mjtNum axis[3] = {k == 0, k == 1, k == 2};
          mth_dofCom(cdof + 6 * k, axis, NULL);
        }
        ballAxes(cdof + 18, d->xmat + 9 * body, offset);
    }
  }
}

// inertia of a body about the tree's centre of mass: R diag(I) Rᵀ shifted by the offset of the body's own centre
static inline void bodyInertia(const mjModel* m, mjData* d, int body) {
  const mjtNum *R = d->ximat + 9 * body, *I = m->body_inertia + 3 * body, mass = m->body_mass[body];
  mjtNum c[3], *res = d->cinert + 10 * body;
  mth_sub3(c, d->xipos + 3 * body, d->subtree_com + 3 * m->body_rootid[body]);

  // scaled columns once, then the six different entries
  const mjtNum S[9] = {R[0] * I[0], R[1] * I[1], R[2] * I[2], R[3] * I[0], R[4] * I[1],
                       R[5] * I[2], R[6] * I[0], R[7] * I[1], R[8] * I[2]};
  res[0] = mth_dot3(S, R) + mass * (c[1] * c[1] + c[2] * c[2]);
  res[1] = mth_dot3(S + 3, R + 3) + mass * (c[0] * c[0] + c[2] * c[2]);
  res[2] = mth_dot3(S + 6, R + 6) + mass * (c[0] * c[0] + c[1] * c[1]);
  res[3] = mth_dot3(S, R + 3) - mass * c[0] * c[1];
  res[4] = mth_dot3(S, R + 6) - mass * c[0] * c[2];
  res[5] = mth_dot3(S + 3, R + 6) - mass * c[1] * c[2];
  mth_scl3(res + 6, c, mass);
  res[9] = mass;
}

void mj_comPos(const mjModel* m, mjData* d) {
  subtreeCenters(m, d);

  // the world has no inertia
  for (int k = 0; k < 10; k++) d->cinert[k] = 0;

  const SlpRange bodies = slp_bodies(m, d);
  for (int k = 1; k < bodies.n; k++) {
    const int i = slp_at(bodies, k);
    bodyInertia(m, d, i);
    bodyAxes(m, d, i);
  }
}
