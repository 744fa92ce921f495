// Structure of the sparse matrices over dofs, and the maps between them.
//
//   D  dof × dof, row i: ancestors of i, i, descendants of i            (velocity derivatives)
//   M  lower triangle of D; rows of simple bodies have their diagonal only
//   B  body × dof, row b: dofs of the ancestors, of b and of its descendants
// Dofs are numbered depth first: the descendants of a dof follow it without gap.
#include <string.h>

#include "compile/compile.h"
#include "kinematics/jacobian.h"

// writes the ancestors of a dof, the dof itself last, and returns how many they are
static int chainOf(const mjModel* m, int dof, int* chain) {
  int n = 0;
  for (int i = dof; i >= 0; i = m->dof_parentid[i]) n++;
  int k = n;
  for (int i = dof; i >= 0; i = m->dof_parentid[i]) chain[--k] = i;
  return n;
}

// number of dofs below each dof
static void countBelow(const mjModel* m, int* below) {
  memset(below, 0, (size_t)m->nv * sizeof(int));
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    if (m->dof_parentid[i] >= 0) below[m->dof_parentid[i]] += below[i] + 1;
  }
}

static void makeRows(mjModel* m, const int* below) {
  int adrD = 0, adrM = 0;
  for (int i = 0; i < m->nv; i++) {
    // D: ancestors, self, descendants; the descendants of i are i+1 … i+below
    m->D_rowadr[i] = adrD;
    const int n = chainOf(m, i, m->D_colind + adrD);
    m->D_diag[i] = n - 1;
    for (int k = 0; k < below[i]; k++) m->D_colind[adrD + n + k] = i + 1 + k;
    m->D_rownnz[i] = n + below[i];

    // M
    m->M_rowadr[i] = adrM;
    m->M_rownnz[i] = m->dof_simplenum[i] ? 1 : n;
    memcpy(m->M_colind + adrM, m->D_colind + adrD + n - m->M_rownnz[i], (size_t)m->M_rownnz[i] * sizeof(int));
    adrM += m->M_rownnz[i];
    adrD += m->D_rownnz[i];
  }
}

static void makeBodyRows(mjModel* m, const int* below, int* chain) {
  int adr = 0;
  for (int b = 0; b < m->nbody; b++) {
    m->B_rowadr[b] = adr;
    int n = b ? kin_bodyChain(m, b, chain) : 0;
    memcpy(m->B_colind + adr, chain, (size_t)n * sizeof(int));

    // dofs of descendants: below the last own dof, or of all bodies that hang on this one
    if (b == 0) {
      for (int i = 0; i < m->nv; i++) m->B_colind[adr + n++] = i;
    } else if (m->body_dofnum[b]) {
      const int last = m->body_dofadr[b] + m->body_dofnum[b] - 1;
      for (int k = 0; k < below[last]; k++) m->B_colind[adr + n++] = last + 1 + k;
    } else {
      // bodies are numbered depth first as well: descendants follow until one hangs elsewhere
      for (int child = b + 1; child < m->nbody && m->body_parentid[child] >= b; child++) {
        for (int k = 0; k < m->body_dofnum[child]; k++) m->B_colind[adr + n++] = m->body_dofadr[child] + k;
      }
    }
    m->B_rownnz[b] = n;
    adr += n;
  }
}

// D entry ↔ M entry; legacy entry of M (diagonal first, then towards the root) ↔ M entry
static void makeMaps(mjModel* m) {
  for (int i = 0; i < m->nv; i++) {
    const int rowD = m->D_rowadr[i], rowM = m->M_rowadr[i], nM = m->M_rownnz[i], diag = m->D_diag[i];
    for (int k = 0; k < nM; k++) {
      m->mapD2M[rowM + k] = rowD + diag - (nM - 1) + k;
      m->mapM2M[rowM + k] = m->dof_Madr[i] + nM - 1 - k;
    }

    // the lower part from the row of i, the upper part from the rows of the descendants
    for (int k = 0; k < m->D_rownnz[i]; k++) {
      const int j = m->D_colind[rowD + k];
      const int row = j > i ? j : i, col = j > i ? i : j;
      const int n = m->M_rownnz[row], depth = m->D_diag[row] - m->D_diag[col];
      m->mapM2D[rowD + k] = depth < n ? m->M_rowadr[row] + n - 1 - depth : -1;
    }
  }
}

void cmp_sparse(mjModel* m) {
  int* const below = mju_malloc(((size_t)m->nv + 1) * sizeof(int));
  int* const chain = mju_malloc(((size_t)m->nv + 1) * sizeof(int));
  if (below && chain) {
    countBelow(m, below);
    makeRows(m, below);
    makeBodyRows(m, below, chain);
    makeMaps(m);
  }
  mju_free(below);
  mju_free(chain);
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
