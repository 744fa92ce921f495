// Structure of the sparse matrices over dofs, and the maps between them.
//
//   D  dof × dof, row i: ancestors of i, i, descendants of i            (velocity derivatives)
//   M  lower triangle of D; rows of simple bodies have their diagonal only
//   B  body × dof, row b: dofs of the ancestors, of b and of its descendants
// Dofs are numbered depth first: the descendants of a dof follow it without gap.
#include "compile/sparse.h"

#include <string.h>

#include "compile/compile.h"

// -------------------------------------------------------------------------------------------- dof × dof

// start of each row when they follow each other; returns the end of the last
static int packRows(const MthPatternOut* out, int n) {
  int end = 0;
  for (int i = 0; i < n; i++) {
    out->rowadr[i] = end;
    end += out->rownnz[i];
  }
  return end;
}

static int isAlone(const CmpDofRows* rows, int dof) {
  return rows->alone && rows->alone[dof];
}

int cmp_countDofRows(const CmpDofRows* rows, const MthPatternOut* out, int* below) {
  // dofs below, from the last to the first
  for (int i = 0; i < rows->nv; i++) below[i] = 0;
  for (int i = rows->nv - 1; i >= 0; i--) {
    if (rows->parentid[i] >= 0) below[rows->parentid[i]] += below[i] + 1;
  }

  for (int i = 0; i < rows->nv; i++) {
    int n = 1;
    for (int k = rows->parentid[i]; k >= 0 && !isAlone(rows, i); k = rows->parentid[k]) n++;
    out->rownnz[i] = n + (rows->whole ? below[i] : 0);
  }
  return packRows(out, rows->nv);
}

void cmp_fillDofRows(const CmpDofRows* rows, const MthPatternOut* out, const int* below, int* diag) {
  for (int i = 0; i < rows->nv; i++) {
    // the way from the root, written backwards, then the dofs below
    int* const row = out->colind + out->rowadr[i];
    const int last = out->rownnz[i] - 1 - (rows->whole ? below[i] : 0);
    for (int k = i, at = last; at >= 0; k = rows->parentid[k]) row[at--] = k;
    for (int k = 1; k < out->rownnz[i] - last; k++) row[last + k] = i + k;
    if (diag) diag[i] = last;
  }
}

// -------------------------------------------------------------------------------------------- body × dof

// dofs of a body and of its ancestors
static int countAbove(const CmpBodyRows* rows, const MthPatternOut* out, const int* below, int body) {
  return out->rownnz[body] - below[body] + rows->dofnum[body];
}

int cmp_countBodyRows(const CmpBodyRows* rows, const MthPatternOut* out, int* below) {
  for (int b = 0; b < rows->nbody; b++) below[b] = rows->dofnum[b];
  for (int b = rows->nbody - 1; b > 0; b--) below[rows->parentid[b]] += below[b];
  for (int b = 0; b < rows->nbody; b++) {
    out->rownnz[b] = below[b] + (b ? countAbove(rows, out, below, rows->parentid[b]) : 0);
  }
  return packRows(out, rows->nbody);
}

void cmp_fillBodyRows(const CmpBodyRows* rows, const MthPatternOut* out, const int* below) {
  int first = 0;
  for (int b = 0; b < rows->nbody; b++) {
    // the parent's row begins with what is above
    int* const row = out->colind + out->rowadr[b];
    const int n = out->rownnz[b] - below[b];
    if (n) memcpy(row, out->colind + out->rowadr[rows->parentid[b]], (size_t)n * sizeof(int));
    for (int k = 0; k < below[b]; k++) row[n + k] = first + k;
    first += rows->dofnum[b];
  }
}

// -------------------------------------------------------------------------------------------- maps

void cmp_mapDofRows(const CmpDofMaps* maps) {
  const MthPattern *D = &maps->D, *M = &maps->M;
  for (int i = 0; i < D->nr; i++) {
    const int rowD = D->rowadr[i], rowM = M->rowadr[i], nM = M->rownnz[i];
    for (int k = 0; k < nM; k++) {
      maps->D2M[rowM + k] = rowD + maps->diag[i] - (nM - 1) + k;
      maps->M2M[rowM + k] = maps->Madr[i] + nM - 1 - k;
    }

    // the lower part from the row of i, the upper part from the rows of the descendants
    for (int k = rowD; k < rowD + D->rownnz[i]; k++) {
      const int j = D->colind[k], row = j > i ? j : i, col = j > i ? i : j;
      const int n = M->rownnz[row], depth = maps->diag[row] - maps->diag[col];
      maps->M2D[k] = depth < n ? M->rowadr[row] + n - 1 - depth : -1;
    }
  }
}

void cmp_sparse(mjModel* m) {
  const int nv = (int)m->nv, nbody = (int)m->nbody;
  int* const below = mju_malloc((size_t)(nv + nbody) * sizeof(int));
  if (!below) return;
  BAS_ASSERT(m->D_diag || !nv);
  const CmpDofRows whole = {nv, m->dof_parentid, NULL, 1}, lower = {nv, m->dof_parentid, m->dof_simplenum, 0};
  const MthPatternOut D = {m->D_rownnz, m->D_rowadr, m->D_colind}, M = {m->M_rownnz, m->M_rowadr, m->M_colind};
  cmp_countDofRows(&whole, &D, below);
  cmp_fillDofRows(&whole, &D, below, m->D_diag);
  cmp_countDofRows(&lower, &M, below);
  cmp_fillDofRows(&lower, &M, below, NULL);

  const CmpBodyRows bodies = {nbody, m->body_parentid, m->body_dofnum};
  const MthPatternOut B = {m->B_rownnz, m->B_rowadr, m->B_colind};
  cmp_countBodyRows(&bodies, &B, below);
  cmp_fillBodyRows(&bodies, &B, below);

  cmp_mapDofRows(&(CmpDofMaps){
      .D = {nv, nv, m->D_rownnz, m->D_rowadr, m->D_colind, NULL},
      .M = {nv, nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL},
      .diag = m->D_diag,
      .Madr = m->dof_Madr,
      .M2D = m->mapM2D,
      .D2M = m->mapD2M,
      .M2M = m->mapM2M
  });
  mju_free(below);
}

// -------------------------------------------------------------------------------------------- actuator moments

// room for the nonzeros of all rows: those of a joint are known, others may have all dofs
void cmp_countMoment(mjModel* m) {
  m->nJmom = 0;
  for (int i = 0; i < m->nu; i++) {
    const int joint = m->actuator_trntype[i] == mjTRN_JOINT || m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
    const int type = joint ? m->jnt_type[m->actuator_trnid[2 * i]] : -1;
    m->nJmom += !joint ? m->nv : type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
  }
}
