// Centres of mass, inertias and motion axes about the centre of mass of each kinematic tree: the pass of mj_comPos,
// compiled once for the baseline and once for machines with wider registers (same source, same bits).
//
// All spatial quantities of a tree refer to one point, the centre of mass of the tree, in world orientation:
//   cinert  inertia of a body about that point
//   cdof    motion axis (rotation; translation) of a dof: a hinge at anchor a about axis w is (w; w × (c − a))
#pragma once

#include <string.h>

#include "math/pair.h"
#include "math/spatial.h"
#include "sleep/sleep.h"

// divides the sum Σ m x of a subtree by its mass
static inline void finishCenter(const mjModel* m, mjData* d, int body) {
  mjtNum *com = d->subtree_com + 3 * body, mass = m->body_subtreemass[body];
  if (mass < mjMINVAL) {
    mth_copy3(com, d->xipos + 3 * body);
  } else {
    mth_scl3(com, com, 1 / mass);
  }
}

// everything is awake: when a body's turn comes its children have added theirs. What the world's children have for it
// goes to `roots`, or to the world at once (NULL).
static inline void rangeCenters(const mjModel* m, mjData* d, SlpRange bodies, mjtNum* roots) {
  memset(d->subtree_com + 3 * bodies.first, 0, 3 * (size_t)(bodies.n - bodies.first) * sizeof(mjtNum));
  for (int i = bodies.n - 1; i >= bodies.first; i--) {
    const int parent = m->body_parentid[i];
    mjtNum* com = d->subtree_com + 3 * i;
    mth_addToScl3(com, d->xipos + 3 * i, m->body_mass[i]);
    if (roots && !parent) {
      mth_copy3(roots + 3 * i, com);
    } else {
      mth_addTo3(d->subtree_com + 3 * parent, com);
    }
    finishCenter(m, d, i);
  }
}

// the world's centre, last
static inline void kin_worldCenter(const mjModel* m, mjData* d, const mjtNum* roots) {
  for (int i = roots ? (int)m->nbody - 1 : 0; i > 0; i--) {
    if (!m->body_parentid[i]) mth_addTo3(d->subtree_com, roots + 3 * i);
  }
  mth_addToScl3(d->subtree_com, d->xipos, m->body_mass[0]);
  finishCenter(m, d, 0);
}

// the same for bodies that do not sleep; a sleeping child has its centre already divided by its mass
static inline void awakeCenters(const mjModel* m, mjData* d) {
  mjtNum* com = d->subtree_com;
  for (int k = 0; k < d->nbody_awake; k++) {
    const int i = d->body_awake_ind[k];
    mth_scl3(com + 3 * i, d->xipos + 3 * i, m->body_mass[i]);
  }
  // the sum of a parent stays in registers while its children follow each other
  mjtNum sum[3] = {0};
  for (int k = d->nparent_awake - 1, open = -1; k >= 0; k--) {
    const int i = d->parent_awake_ind[k], parent = m->body_parentid[i];
    const mjtNum scale = d->body_awake[i] == mjS_ASLEEP ? m->body_subtreemass[i] : 1;
    if (parent != open) {
      if (open >= 0) mth_copy3(com + 3 * open, sum);
      mth_copy3(sum, com + 3 * parent);
      open = parent;
    }
    mth_addToScl3(sum, com + 3 * i, scale);
    if (!k) mth_copy3(com + 3 * open, sum);
  }
  for (int k = 0; k < d->nbody_awake; k++) finishCenter(m, d, d->body_awake_ind[k]);
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

// inertia of a body about the tree's centre of mass: R diag(I) Rᵀ shifted by the offset of the body's own centre.
// The first two rows of R go together; xy and zz remain.
static inline void bodyInertia(const mjModel* m, mjData* d, int body) {
  const mjtNum *R = d->ximat + 9 * body, *I = m->body_inertia + 3 * body, mass = m->body_mass[body];
  const mjtNum *com = d->subtree_com + 3 * m->body_rootid[body], *xipos = d->xipos + 3 * body;
  const mjtNum c0 = xipos[0] - com[0], c1 = xipos[1] - com[1], c2 = xipos[2] - com[2];
  const mjtNum m0 = mass * c0, m1 = mass * c1, m2 = mass * c2, sq2 = m2 * c2;

  const MthPair a = {R[0], R[3]}, b = {R[1], R[4]}, c = {R[2], R[5]};
  const MthPair Ia = a * I[0], Ib = b * I[1], Ic = c * I[2];
  const MthPair first = Ia * a + Ib * b + Ic * c, third = Ia * R[6] + Ib * R[7] + Ic * R[8];
  const mjtNum xy = Ia[0] * R[3] + Ib[0] * R[4] + Ic[0] * R[5];
  const mjtNum zz = R[6] * R[6] * I[0] + R[7] * R[7] * I[1] + R[8] * R[8] * I[2];

  mjtNum* res = d->cinert + 10 * body;
  const mjtNum sq0 = m0 * c0, sq1 = m1 * c1;
  mth_storePair(res, first + (MthPair){sq1 + sq2, sq0 + sq2});
  mth_store2(res + 2, zz + (sq0 + sq1), xy - m0 * c1);
  mth_storePair(res + 4, third - (MthPair){m0, m1} * c2);
  mth_store2(res + 6, m0, m1);
  mth_store2(res + 8, m2, mass);
}

static inline void kin_centers(const mjModel* m, mjData* d, SlpRange bodies, mjtNum* roots) {
  if (bodies.list) {
    if (!slp_hasCentre(m, d)) {
      awakeCenters(m, d);
      slp_keepCentre(m, d);
    }
  } else {
    rangeCenters(m, d, bodies, roots);
  }

  // the world has no inertia
  if (bodies.first == 1) memset(d->cinert, 0, 10 * sizeof(mjtNum));
  for (int k = bodies.first; k < bodies.n; k++) {
    const int i = slp_at(bodies, k);
    bodyInertia(m, d, i);
    bodyAxes(m, d, i);
  }
}
