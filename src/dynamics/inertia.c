// The joint-space inertia matrix M and products with it. M is a lower triangle by rows (see ldl.h); qM holds the same
// numbers in the older order, from the diagonal to the root.
#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "dynamics/dynamics.h"
#include "dynamics/inertia_pass.h"
#include "dynamics/ldl.h"
#include "dynamics/pass.h"
#include "kinematics/jacobian.h"
#include "math/pair.h"
#include "math/simd/kernels.h"
#include "math/sparse.h"

// the older order: every row backwards. It also has places for the ancestors of simple dofs; those stay zero.
static void reverseRows(const mjModel* m, mjData* d, SlpRange dofs) {
  const int *rowadr = m->M_rowadr, *rownnz = m->M_rownnz, *Madr = m->dof_Madr;
  const mjtNum* M = d->M;
  mjtNum* qM = d->qM;
  for (int k = dofs.first; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    const mjtNum* row = M + rowadr[i];
    mjtNum* to = qM + Madr[i];
    int n = rownnz[i];
    if (n == 1) {
      *to = *row;
      continue;
    }
    for (; n >= 2; n -= 2, to += 2) mth_store2(to, row[n - 1], row[n - 2]);
    if (n) *to = *row;
  }
}

static void inertiaPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
#ifdef DYN_V3
  if (mth_isV3()) {
    dyn_inertiaPassV3(m, d, part);
    return;
  }
#endif
  dyn_inertiaPass(m, d, part);
}

// both orders at once
static void bothParts(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  inertiaPart(m, d, part, none);
  reverseRows(m, d, part->dofs);
}

void mj_crb(const mjModel* m, mjData* d) {
  dyn_checkPlan(m, d);
  slp_share(m, d, inertiaPart, NULL);
}

void dyn_tendonArmature(const mjModel* m, mjData* d) {
  const int sparse = kin_isSparse(m), filter = slp_dofs(m, d).list != NULL;
  for (int t = 0; t < m->ntendon; t++) {
    const mjtNum armature = m->tendon_armature[t];
    if (!armature || (filter && slp_state(m, d, mjOBJ_TENDON, t) == mjS_ASLEEP)) continue;

    // dense row: every entry of M
    if (!sparse) {
      const mjtNum* J = d->ten_J + t * m->nv;
      for (int i = 0; i < m->nv; i++) {
        const mjtNum factor = armature * J[i];
        const int adr = m->M_rowadr[i];
        if (!factor) continue;
        for (int c = 0; c < m->M_rownnz[i]; c++) d->M[adr + c] += factor * J[m->M_colind[adr + c]];
      }
      continue;
    }

    // sparse row: the columns of M and of the row both increase
    const int nnz = d->ten_J_rownnz[t], *col = d->ten_J_colind + d->ten_J_rowadr[t];
    const mjtNum* J = d->ten_J + d->ten_J_rowadr[t];
    for (int a = 0; a < nnz; a++) {
      const int i = col[a], adr = m->M_rowadr[i];
      const mjtNum factor = armature * J[a];
      for (int b = 0, c = 0; b <= a; b++) {
        while (c < m->M_rownnz[i] && m->M_colind[adr + c] < col[b]) c++;
        if (c < m->M_rownnz[i] && m->M_colind[adr + c] == col[b]) d->M[adr + c] += factor * J[b];
      }
    }
  }
}

static void reversePart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
  reverseRows(m, d, part->dofs);
}

// 1: a tendon has an armature, which ties dofs of any bodies
static int hasArmature(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t]) return 1;
  }
  return 0;
}

void mj_makeM(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  dyn_checkPlan(m, d);
  const int armature = hasArmature(m);
  slp_share(m, d, armature ? inertiaPart : bothParts, NULL);
  if (armature) {
    dyn_tendonArmature(m, d);
    slp_share(m, d, reversePart, NULL);
  }
  bas_timerEnd(d, mjTIMER_POS_INERTIA, start);
}

// ---------------------------------------------------------------- products

void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  const int nv = m->nv;
  mth_zero(dst, nv * nv);
  for (int i = 0; i < nv; i++) {
    int adr = m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[i * nv + j] = dst[j * nv + i] = M[adr++];
    }
  }
}

void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  const int nv = m->nv;

  // dense: lower triangle
  if (!rownnz || !rowadr || !colind) {
    for (int i = 0; i < nv; i++) {
      const int adr = m->M_rowadr[i];
      for (int c = 0; c < m->M_rownnz[i]; c++) dst[i * nv + m->M_colind[adr + c]] += d->M[adr + c];
    }
    return;
  }

  // sparse: union of the rows
  for (int i = 0; i < nv; i++) {
    MthRow row = {rownnz[i], colind + rowadr[i], dst + rowadr[i]};
    const MthRow M = {m->M_rownnz[i], m->M_colind + m->M_rowadr[i], d->M + m->M_rowadr[i]};
    mth_combineSparse(&row, &M, 1, 1);
    rownnz[i] = row.nnz;
  }
}
