// The composite rigid body algorithm: the pass of mj_crb, compiled once for the baseline and once for machines with
// wider registers (same source, same bits).
//
// crb_b is the inertia of the whole subtree of body b; M(i, j) = cdof_j · crb_body(i) cdof_i for every ancestor j
// of dof i. Ancestors come in runs of consecutive dofs, whose axes and entries are contiguous.
#pragma once

#include <string.h>

#include "math/pair.h"
#include "math/simd/kernels.h"
#include "math/spatial.h"
#include "sleep/sleep.h"

// adds one body's ten numbers to another's
static inline void addInertia(mjtNum* to, const mjtNum* from) {
  for (int k = 0; k < 10; k += 2) mth_storePair(to + k, mth_load2(to + k) + mth_load2(from + k));
}

// inertia of every subtree about its tree's centre of mass
static inline void compositeInertia(const mjModel* m, mjData* d) {
  mjtNum* crb = d->crb;
  const SlpRange dofs = slp_dofs(m, d);
  if (!dofs.list) {
    memcpy(crb, d->cinert, 10 * m->nbody * sizeof(mjtNum));
    for (int i = (int)m->nbody - 1; i > 0; i--) {
      const int parent = m->body_parentid[i];
      if (!parent) continue;
      addInertia(crb + 10 * parent, crb + 10 * i);
    }
    return;
  }

  // awake bodies only; all bodies of a tree sleep together
  for (int b = 0; b < d->nbody_awake; b++) {
    const int i = d->body_awake_ind[b];
    memcpy(crb + 10 * i, d->cinert + 10 * i, 10 * sizeof(mjtNum));
  }
  for (int b = d->nparent_awake - 1; b >= 0; b--) {
    const int i = d->parent_awake_ind[b], parent = m->body_parentid[i];
    if (parent) addInertia(crb + 10 * parent, crb + 10 * i);
  }
}

// even and odd parts of the product of an axis with a force
static inline __attribute__((always_inline)) MthPair axisForce(const mjtNum* cdof, const MthPair force[3]) {
  return mth_load2(cdof) * force[0] + mth_load2(cdof + 2) * force[1] + mth_load2(cdof + 4) * force[2];
}

// entries of a row of M for n consecutive dofs: products of their axes with the force that moving the row's dof takes
static inline void inertiaRun(mjtNum* row, const mjtNum* cdof, const MthPair force[3], int n) {
  for (const mjtNum* last = cdof + 6 * (n - 1); cdof < last; cdof += 12, row += 2) {
    const MthPair a = axisForce(cdof, force), b = axisForce(cdof + 6, force);
    mth_storePair(row, (MthPair){a[0], b[0]} + (MthPair){a[1], b[1]});
  }
  if (n & 1) {
    const MthPair a = axisForce(cdof, force);
    row[0] = a[0] + a[1];
  }
}

static inline void dyn_inertiaPass(const mjModel* m, mjData* d) {
  compositeInertia(m, d);

  // first dof of the run of consecutive parents that ends with each dof
  mj_markStack(d);
  const SlpRange dofs = slp_dofs(m, d);
  int* runstart = mj_stackAllocInt(d, m->nv);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    mjtNum* row = d->M + m->M_rowadr[i];
    runstart[i] = i && m->dof_parentid[i] == i - 1 ? runstart[i - 1] : i;

    // simple: constant and alone in its row
    if (m->dof_simplenum[i]) {
      row[0] = m->dof_M0[i];
      continue;
    }

    // ancestors run by run, from this dof to the root
    mjtNum force[6], *end = row + m->M_rownnz[i];
    mth_mulInertVec(force, d->crb + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    const MthPair pairs[3] = {
        {force[0], force[1]},
        {force[2], force[3]},
        {force[4], force[5]}
    };
    for (int j = i; j >= 0; j = m->dof_parentid[runstart[j]]) {
      const int n = j - runstart[j] + 1;
      end -= n;
      inertiaRun(end, d->cdof + 6 * runstart[j], pairs, n);
    }
    row[m->M_rownnz[i] - 1] += m->dof_armature[i];
  }
  mj_freeStack(d);
}
