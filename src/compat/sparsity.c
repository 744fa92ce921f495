// Structure of the sparse matrices over dofs from bare arrays, as the reference's internal functions build it. The
// compiler makes the same for whole models (compile/sparse.c).
#include <string.h>

#include "compat/engine.h"

// writes the parents of a dof from the root down, the dof itself last, and returns how many they are; out NULL: only
// counts
static int chainOf(const int* parentid, int dof, int* out) {
  int n = 0;
  for (int i = dof; i >= 0; i = parentid[i]) n++;
  int k = n;
  for (int i = dof; out && i >= 0; i = parentid[i]) out[--k] = i;
  return n;
}

void mj_makeDofDofSparse(int nv, int nC, int nD, int nM, const int* dof_parentid, const int* dof_simplenum, int* rownnz,
                         int* rowadr, int* diag, int* colind, int reduced, int upper, int* remaining) {
  if (!nv) return;

  // lengths: own chain, and one for each dof whose chain passes here
  memset(rownnz, 0, (size_t)nv * sizeof(int));
  for (int i = 0; i < nv; i++) {
    const int alone = reduced && dof_simplenum[i];
    rownnz[i] += alone ? 1 : chainOf(dof_parentid, i, NULL);
    for (int j = dof_parentid[i]; upper && !alone && j >= 0; j = dof_parentid[j]) rownnz[j]++;
  }
  int total = 0;
  for (int i = 0; i < nv; i++) {
    rowadr[i] = total;
    total += rownnz[i];
  }
  if (total != (upper ? nD : reduced ? nC : nM)) {
    mju_error("mj_makeDofDofSparse: sum of rownnz different from expected");
    return;
  }

  // columns: the chain, then, in increasing order, the dofs below; remaining is what a row still lacks
  memcpy(remaining, rownnz, (size_t)nv * sizeof(int));
  for (int i = 0; i < nv; i++) {
    const int alone = reduced && dof_simplenum[i];
    int n = 1;
    if (alone) {
      colind[rowadr[i]] = i;
    } else {
      n = chainOf(dof_parentid, i, colind + rowadr[i]);
    }
    remaining[i] -= n;
    if (diag) diag[i] = n - 1;
    for (int j = dof_parentid[i]; upper && !alone && j >= 0; j = dof_parentid[j]) {
      colind[rowadr[j] + rownnz[j] - remaining[j]--] = i;
    }
  }
}

void mj_makeBSparse(int nv, int nbody, int nB, const int* body_dofnum, const int* body_parentid, const int* body_dofadr,
                    int* B_rownnz, int* B_rowadr, int* B_colind, int* count) {
  // dofs of the body and of its descendants, then of its ancestors
  memset(count, 0, (size_t)nbody * sizeof(int));
  for (int b = nbody - 1; b > 0; b--) {
    count[b] += body_dofnum[b];
    count[body_parentid[b]] += count[b];
  }
  if (count[0] != nv) {
    mju_error("mj_makeBSparse: rownnz[0] different from nv");
    return;
  }
  int total = 0;
  for (int b = 0; b < nbody; b++) {
    B_rowadr[b] = total;
    B_rownnz[b] = count[b];
    for (int a = body_parentid[b]; a > 0; a = body_parentid[a]) B_rownnz[b] += body_dofnum[a];
    total += B_rownnz[b];
  }
  if (total != nB) {
    mju_error("mj_makeBSparse: sum of rownnz different from nB");
    return;
  }

  // parents come before their children and bodies have their dofs in order: filling by body keeps rows sorted
  memset(count, 0, (size_t)nbody * sizeof(int));
  for (int b = 1; b < nbody; b++) {
    // what the parent has of its ancestors and itself comes first
    const int parent = body_parentid[b];
    int shared = 0;
    for (int a = parent; a > 0; a = body_parentid[a]) shared += body_dofnum[a];
    if (shared) memcpy(B_colind + B_rowadr[b], B_colind + B_rowadr[parent], (size_t)shared * sizeof(int));
    count[b] += shared;

    // own dofs belong to the body and to all its ancestors
    for (int a = b;; a = body_parentid[a]) {
      for (int k = 0; k < body_dofnum[b]; k++) B_colind[B_rowadr[a] + count[a]++] = body_dofadr[b] + k;
      if (!a) break;
    }
  }
}

// entry (row, col) of a matrix with sorted rows, -1 when there is none
static int findEntry(const int* rownnz, const int* rowadr, const int* colind, int row, int col) {
  for (int adr = rowadr[row]; adr < rowadr[row] + rownnz[row]; adr++) {
    if (colind[adr] == col) return adr;
  }
  return -1;
}

void mj_makeDofDofMaps(int nv, int nM, int nC, int nD, const int* dof_Madr, const int* dof_simplenum,
                       const int* dof_parentid, const int* D_rownnz, const int* D_rowadr, const int* D_colind,
                       const int* M_rownnz, const int* M_rowadr, const int* M_colind, int* mapM2D, int* mapD2M,
                       int* mapM2M, int* M, int* scratch) {
  (void)nC, (void)nD, (void)dof_simplenum, (void)scratch, (void)dof_parentid;
  for (int i = 0; i < nM; i++) M[i] = i;
  for (int i = 0; i < nv; i++) {
    // D from the lower triangle: entries above the diagonal are those of the later dof's row
    for (int adr = D_rowadr[i]; adr < D_rowadr[i] + D_rownnz[i]; adr++) {
      const int j = D_colind[adr];
      mapM2D[adr] = findEntry(M_rownnz, M_rowadr, M_colind, i > j ? i : j, i > j ? j : i);
    }

    // the lower triangle from D, and from the older order, which has rows backwards
    for (int k = 0; k < M_rownnz[i]; k++) {
      const int adr = M_rowadr[i] + k;
      mapD2M[adr] = findEntry(D_rownnz, D_rowadr, D_colind, i, M_colind[adr]);
      mapM2M[adr] = dof_Madr[i] + M_rownnz[i] - 1 - k;
    }
  }
}
