// LU on kinematic trees. Elimination runs from the last dof to the first: removing a leaf changes entries among its
// ancestors only, so there is no fill-in and trees do not mix. The columns of an ancestor's row up to the eliminated
// dof are those of the dof's own row, in the same places unless another branch lies between.
#include "step/lu.h"

#include <math.h>

#include "math/simd/kernels.h"

// row j -= scale * row i over the first n columns of row i, all of which row j has
static inline void subtractRow(const mjModel* m, mjtNum* mat, int j, int i, int n, mjtNum scale) {
  const int *colj = m->D_colind + m->D_rowadr[j], *coli = m->D_colind + m->D_rowadr[i];
  mjtNum* rowj = mat + m->D_rowadr[j];
  const mjtNum* rowi = mat + m->D_rowadr[i];
  if (colj[n - 1] == coli[n - 1]) {
    for (int a = 0; a < n; a++) rowj[a] -= scale * rowi[a];
    return;
  }
  for (int a = 0, b = 0; a < n; a++) {
    while (colj[b] < coli[a]) b++;
    rowj[b] -= scale * rowi[a];
  }
}

// address of column dof in the row of one of its ancestors; dofs of a subtree are numbered without gaps
static inline int descendantAdr(const mjModel* m, int row, int dof) {
  int adr = m->D_rowadr[row] + mjMIN(m->D_diag[row] + dof - row, m->D_rownnz[row] - 1);
  while (m->D_colind[adr] > dof) adr--;
  return adr;
}

void stp_factorLU(const mjModel* m, mjtNum* mat, SlpRange dofs) {
  for (int v = dofs.n - 1; v >= 0; v--) {
    const int i = slp_at(dofs, v), start = m->D_rowadr[i], n = m->D_diag[i];
    const mjtNum pivot = mat[start + n];
    if (fabs(pivot) < mjMINVAL) {
      mju_error("mj_implicit: diagonal element too small at dof %d", i);
      return;
    }

    // every ancestor has an entry in this column
    const mjtNum inv = 1 / pivot;
    for (int a = n - 1; a >= 0; a--) {
      const int j = m->D_colind[start + a], adr = descendantAdr(m, j, i);
      mat[adr] *= inv;
      subtractRow(m, mat, j, i, n, mat[adr]);
    }
  }
}

void stp_solveLU(const mjModel* m, mjtNum* x, const mjtNum* mat, SlpRange dofs) {
  // x <- U^-1 x: descendants follow the diagonal
  for (int v = dofs.n - 1; v >= 0; v--) {
    const int i = slp_at(dofs, v), diag = m->D_diag[i], adr = m->D_rowadr[i] + diag + 1;
    x[i] -= mth_dotSparse(mat + adr, x, m->D_rownnz[i] - diag - 1, m->D_colind + adr);
  }

  // x <- L^-1 x: ancestors come before it
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), diag = m->D_diag[i], adr = m->D_rowadr[i];
    x[i] = (x[i] - mth_dotSparse(mat + adr, x, diag, m->D_colind + adr)) / mat[adr + diag];
  }
}
