// The composite rigid body algorithm: the pass of mj_crb, compiled once for the baseline and once for machines with
// wider registers (same source, same bits).
//
// crb_b is the inertia of the whole subtree of body b; M(i, j) = cdof_j · crb_body(i) cdof_i for every ancestor j
// of dof i. The dofs i of a block (see plan.h) are handled together, one per lane; sums of six terms are those of their
// even and of their odd ones.
#pragma once

#include <stddef.h>
#include <string.h>

#include "dynamics/lanes.h"
#include "dynamics/plan.h"
#include "math/spatial.h"
#include "sleep/parts.h"

// ---------------------------------------------------------------- inertia of subtrees

// Ten numbers per body, always in the same pieces: a load that straddles earlier stores would have to wait for them.
static MTH_ALWAYS_INLINE void copyInertia(mjtNum* to, const mjtNum* from) {
  MTH_QUAD(to) = MTH_CONST_QUAD(from);
  MTH_QUAD(to + 4) = MTH_CONST_QUAD(from + 4);
  mth_storePair(to + 8, mth_load2(from + 8));
}

// adds one body's ten numbers to another's
static MTH_ALWAYS_INLINE void addInertia(mjtNum* to, const mjtNum* from) {
  MTH_QUAD(to) += MTH_CONST_QUAD(from);
  MTH_QUAD(to + 4) += MTH_CONST_QUAD(from + 4);
  mth_storePair(to + 8, mth_load2(to + 8) + mth_load2(from + 8));
}

// inertia of every subtree about its tree's centre of mass; of awake bodies only, all bodies of a tree sleep together
static inline void compositeInertia(const mjModel* m, mjData* d, const SlpPart* part) {
  mjtNum* crb = d->crb;
  const mjtNum* cinert = d->cinert;
  const int* parentid = m->body_parentid;
  if (!part->dofs.list) {
    const int first = part->bodies.first, end = part->bodies.list ? (int)m->nbody : part->bodies.n;
    for (int i = first == 1 ? 0 : first; i < end; i++) copyInertia(crb + 10 * i, cinert + 10 * i);
    for (int i = end - 1; i >= first; i--) {
      if (parentid[i]) addInertia(crb + 10 * parentid[i], crb + 10 * i);
    }
    return;
  }

  for (int b = 0; b < d->nbody_awake; b++)
    copyInertia(crb + 10 * d->body_awake_ind[b], cinert + 10 * d->body_awake_ind[b]);
  for (int b = d->nparent_awake - 1; b >= 0; b--) {
    const int i = d->parent_awake_ind[b];
    if (parentid[i]) addInertia(crb + 10 * parentid[i], crb + 10 * i);
  }
}

// ---------------------------------------------------------------- rows

// motion axes and inertias of the dofs of a block, one dof per lane; the last one fills the lanes that are left
typedef struct {
  MthQuad axis[6], inertia[10];
} Lanes;

static MTH_ALWAYS_INLINE void blockLanes(const mjModel* m, const mjData* d, int first, Lanes* res, int nrow) {
  const mjtNum *axis[4], *inertia[4], *cdof = d->cdof + 6 * first, *crb = d->crb;
  const int* body = m->dof_bodyid + first;
  DYN_UNROLL for (int j = 0; j < 4; j++) {
    const int k = j < nrow ? j : nrow - 1;
    axis[j] = cdof + 6 * k;
    inertia[j] = crb + 10 * body[k];
  }
  mth_lanes6(res->axis, axis);
  mth_lanes10(res->inertia, inertia);
}

// Rows of a block, four columns at a time from the last. What runs over the end of a row is written again later: by a
// lower row of the same columns or with the columns before. Rows without such a successor are cut.
static MTH_ALWAYS_INLINE void blockInertia(const mjModel* m, mjData* d, const DynBlock* block, int nrow) {
  const int first = block->first, depth = block->depth, n = depth + nrow, *adr = m->M_rowadr + first;
  const int* col = m->M_colind + adr[nrow - 1];
  const mjtNum *cdof = d->cdof, *armature = m->dof_armature + first;
  mjtNum* M = d->M;
  Lanes lanes;
  MthQuad f[6];
  blockLanes(m, d, first, &lanes, nrow);
  // the forces that moving the dofs takes
  dyn_mulInertLanes(f, lanes.inertia, lanes.axis);
  for (int c = (n - 1) & ~3; c >= 0; c -= 4) {
    MthQuad tile[4];
    DYN_UNROLL for (int k = 0; k < 4; k++) {
      const mjtNum* a = cdof + 6 * (ptrdiff_t)col[c + k < n ? c + k : n - 1];
      tile[k] = (f[0] * a[0] + f[2] * a[2] + f[4] * a[4]) + (f[1] * a[1] + f[3] * a[3] + f[5] * a[5]);
    }
    mth_transpose4(tile);
    DYN_UNROLL for (int j = 0; j < nrow; j++) {
      const int length = depth + j + 1;
      if (j == nrow - 1 || nrow == 2) {
        mth_storeFirst(M + adr[j] + c, tile + j, length - c);
      } else if (c < length) {
        MTH_QUAD(M + adr[j] + c) = tile[j];
      }
    }
  }
  DYN_UNROLL for (int j = 0; j < nrow; j++) M[adr[j] + depth + j] += armature[j];
}

// a dof that is alone in its row
static inline mjtNum loneInertia(const mjModel* m, const mjData* d, int dof) {
  const mjtNum* a = d->cdof + 6 * dof;
  mjtNum f[6];
  mth_mulInertVec(f, d->crb + 10 * m->dof_bodyid[dof], a);
  const mjtNum moved = (a[0] * f[0] + a[2] * f[2] + a[4] * f[4]) + (a[1] * f[1] + a[3] * f[3] + a[5] * f[5]);
  return moved + m->dof_armature[dof];
}

// dofs that are alone in their rows; simple ones, which follow each other, are constant
static inline void runInertia(const mjModel* m, mjData* d, const DynPart* part) {
  mjtNum* diagonal = d->M + m->M_rowadr[part->first];
  const int *simplenum = m->dof_simplenum + part->first, n = part->n;
  for (int k = 0; k < n;) {
    const int end = k + simplenum[k] < n ? k + simplenum[k] : n;
    for (; k < end; k++) diagonal[k] = m->dof_M0[part->first + k];
    for (; k < n && !simplenum[k]; k++) diagonal[k] = loneInertia(m, d, part->first + k);
  }
}

static inline void dyn_inertiaPass(const mjModel* m, mjData* d, const SlpPart* bodies) {
  compositeInertia(m, d, bodies);
  const DynPlan* plan = dyn_plan(d);
  DynWalk walk = dyn_walk(plan, bodies->dofs);
  for (const DynPart* part; (part = dyn_nextPart(&walk));) {
    if (!part->nblock) runInertia(m, d, part);
    const DynBlock* block = dyn_blocks(plan) + part->block;
    for (int b = 0; b < part->nblock; b++) DYN_BY_ROWS(blockInertia, block[b].n, m, d, block + b);
  }
}
