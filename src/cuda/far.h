// Matrices of large models, whose workspace lies in the memory of the device: factor, products and rows that skip
// zeros.
//
// Row i of a factor L begins where row i of its matrix does: L is computed from column first[i] on (a profile, or
// skyline). For M that is the first dof of the tree; constraints between trees move it to the left.
#pragma once

#include "cuda/group.h"

//---------------------------------- factor and solve ----------------------------------

// H = L Lᵀ in place, below the diagonal; diag is the inverse of the diagonal of L
CU_CALL void cu_factorProfile(Real* H, Real* diag, const int* first, int n) {
  CU_LOOP for (int k = 0; k < n; k++) {
    const Real* pivot = H + cu_at(k, 0);
    CU_FOR(back, n - k) {
      const int i = k + back;
      if (first[i] > k) continue;
      Real *row = H + cu_at(i, 0), sum = row[k];
      for (int j = first[i] > first[k] ? first[i] : first[k]; j < k; j++) sum -= row[j] * pivot[j];
      row[k] = sum;
    }
    cu_sync();
    const Real inverse = 1 / cu_sqrt(cu_max(pivot[k], CU_MINVAL));
    CU_FOR(back, n - k) {
      const int i = k + back;
      if (i > k && first[i] <= k) H[cu_at(i, k)] *= inverse;
      if (i == k) diag[k] = inverse;
    }
    cu_sync();
  }
}

// x <- H⁻¹ x with the factor
CU_CALL void cu_solveProfile(const Real* H, const Real* diag, const int* first, Real* x, int n) {
  CU_LOOP for (int k = 0; k < n; k++) {
    const Real value = x[k] * diag[k];
    cu_sync();
    CU_FOR(back, n - k) {
      const int i = k + back;
      if (i > k && first[i] <= k) x[i] -= H[cu_at(i, k)] * value;
      if (i == k) x[k] = value;
    }
    cu_sync();
  }
  CU_LOOP for (int k = n - 1; k >= 0; k--) {
    const Real value = x[k] * diag[k];
    cu_sync();
    CU_FOR(back, k + 1 - first[k]) {
      const int i = first[k] + back;
      if (i < k) x[i] -= H[cu_at(k, i)] * value;
      if (i == k) x[k] = value;
    }
    cu_sync();
  }
}

// H, which stays, becomes its factor; then x <- H⁻¹ x with it
CU_FN void cu_factorOf(const Cu* c, Real* H) {
  cu_factorProfile(H, CU_W(c, Hdiag), c->first, c->m->nv);
}

CU_FN void cu_solveWith(const Cu* c, const Real* H, Real* x) {
  cu_solveProfile(H, CU_W(c, Hdiag), c->first, x, c->m->nv);
}

// x <- H⁻¹ x; H, which lies at this place of the workspace, becomes its factor
CU_FN void cu_factorSolve(const Cu* c, int at, Real* x) {
  cu_factorOf(c, c->w + at);
  cu_solveWith(c, c->w + at, x);
}

// r = M v: a tree at a time
CU_FN void cu_mulM(const Cu* c, Real* r, const Real* v) {
  const CudModel* m = c->m;
  const Real* M = CU_W(c, M);
  CU_FOR(i, m->nv) {
    Real sum = 0;
    for (int j = m->dof_first[i]; j < m->dof_end[i]; j++) sum += M[i > j ? cu_at(i, j) : cu_at(j, i)] * v[j];
    r[i] = sum;
  }
  cu_sync();
}
