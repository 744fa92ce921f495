// The joint-space inertia matrix M by the composite rigid body algorithm, and products with it.
//
// crb_b is the inertia of the whole subtree of body b; M(i, j) = cdof_j · crb_body(i) cdof_i for every ancestor j
// of dof i. M is a lower triangle by rows (see ldl.h); qM holds the same numbers in the older order, from the diagonal
// to the root. Axes of the ancestors are kept by depth, one array per component, so that a row is six contiguous
// scaled additions.
#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "dynamics/ldl.h"
#include "kinematics/jacobian.h"
#include "math/simd/kernels.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "sleep/sleep.h"

// ---------------------------------------------------------------- composite inertia

// inertia of every subtree about its tree's centre of mass
static void compositeInertia(const mjModel* m, mjData* d) {
  mjtNum* crb = d->crb;
  const SlpRange dofs = slp_dofs(m, d);
  if (!dofs.list) {
    memcpy(crb, d->cinert, 10 * m->nbody * sizeof(mjtNum));
    for (int i = (int)m->nbody - 1; i > 0; i--) {
      const int parent = m->body_parentid[i];
      if (!parent) continue;
      for (int k = 0; k < 10; k++) crb[10 * parent + k] += crb[10 * i + k];
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
    if (parent) mth_addTo(crb + 10 * parent, crb + 10 * i, 10);
  }
}

// one row of M: products of the force that moving dof i takes with the axes on the path
static inline void inertiaRow(mjtNum* restrict row, mjtNum* const path[6], const mjtNum force[6], int n) {
  const mjtNum* restrict p0 = path[0], * restrict p1 = path[1], * restrict p2 = path[2];
  const mjtNum* restrict p3 = path[3], * restrict p4 = path[4], * restrict p5 = path[5];
  for (int c = 0; c < n; c++) {
    row[c] =
        p0[c] * force[0] + p1[c] * force[1] + p2[c] * force[2] + p3[c] * force[3] + p4[c] * force[4] + p5[c] * force[5];
  }
}

void mj_crb(const mjModel* m, mjData* d) {
  compositeInertia(m, d);

  mj_markStack(d);
  mjtNum *path[6], *memory = mj_stackAllocNum(d, 6 * m->nv);
  for (int k = 0; k < 6; k++) path[k] = memory + k * m->nv;

  const SlpRange dofs = slp_dofs(m, d);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), adr = m->M_rowadr[i], n = m->M_rownnz[i];

    // simple: constant and alone in its row
    if (m->dof_simplenum[i]) {
      d->M[adr] = m->dof_M0[i];
      continue;
    }

    // this dof is the end of the path
    const mjtNum* cdof = d->cdof + 6 * i;
    for (int k = 0; k < 6; k++) path[k][n - 1] = cdof[k];
    mjtNum force[6];
    mth_mulInertVec(force, d->crb + 10 * m->dof_bodyid[i], cdof);
    inertiaRow(d->M + adr, path, force, n);
    d->M[adr + n - 1] += m->dof_armature[i];
  }
  mj_freeStack(d);
}

// adds Jᵀ a J of tendons with armature a
static void tendonArmature(const mjModel* m, mjData* d) {
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

void mj_makeM(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  mj_crb(m, d);
  if (m->ntendon) tendonArmature(m, d);
  for (int i = 0; i < m->nC; i++) d->qM[m->mapM2M[i]] = d->M[i];
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

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  dyn_mulSym(m, res, d->M, vec);
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  // √D L vec
  for (int i = 0; i < m->nv; i++) {
    const int adr = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    const mjtNum value = vec[i] + mth_dotSparse(d->qLD + adr, vec, n, m->M_colind + adr);
    res[i] = value / sqrt(d->qLDiagInv[i]);
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
