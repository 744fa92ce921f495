// Factor, solve and multiply on the path of ancestors; see ldl.h for the layout.
//
// Elimination runs from the last dof to the first. Dof k with row a (ancestors at entries 0 … n−1, diagonal D at
// entry n) takes a_p a_c / D from entry (p, c) of every ancestor's row; no row outside its path changes, so there
// is no fill-in. Two dofs of which one is the other's parent are eliminated together: their ancestors' rows are
// then loaded and stored once instead of twice.
#include "dynamics/ldl.h"

#include <string.h>

#include "base/timer.h"

// paths up to this depth live in local arrays; deeper models take the loops with column indices
#define DYN_DEPTH 128

// two numbers at a time: every target has at least this much, and the result is the same as one by one
typedef mjtNum Pair __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));

// ---------------------------------------------------------------- row operations

// r -= s a
static inline void subtract1(mjtNum* r, const mjtNum* a, mjtNum s, int n) {
  int c = 0;
  for (; c + 2 <= n; c += 2) *(Pair*)(r + c) -= *(const Pair*)(a + c) * s;
  if (c < n) r[c] -= a[c] * s;
}

// r = (r - s a) - t b
static inline void subtract2(mjtNum* r, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n) {
  int c = 0;
  for (; c + 2 <= n; c += 2) {
    *(Pair*)(r + c) = *(const Pair*)(r + c) - *(const Pair*)(a + c) * s - *(const Pair*)(b + c) * t;
  }
  if (c < n) r[c] = r[c] - a[c] * s - b[c] * t;
}

static inline void scale(mjtNum* r, mjtNum s, int n) {
  int c = 0;
  for (; c + 2 <= n; c += 2) *(Pair*)(r + c) *= s;
  if (c < n) r[c] *= s;
}

// Σ a b, even and odd terms apart
static inline mjtNum dot(const mjtNum* a, const mjtNum* b, int n) {
  Pair sum = {0, 0};
  int c = 0;
  for (; c + 2 <= n; c += 2) sum += *(const Pair*)(a + c) * *(const Pair*)(b + c);
  mjtNum res = sum[0] + sum[1];
  if (c < n) res += a[c] * b[c];
  return res;
}

// ---------------------------------------------------------------- factor

// eliminates dof k alone
static void eliminate(const mjModel* m, mjtNum* mat, mjtNum* diaginv, int k) {
  const int n = m->M_rownnz[k] - 1, *col = m->M_colind + m->M_rowadr[k], *rowadr = m->M_rowadr;
  mjtNum* a = mat + rowadr[k];
  const mjtNum inv = 1 / a[n];
  if (diaginv) diaginv[k] = inv;
  for (int p = n - 1; p >= 0; p--) subtract1(mat + rowadr[col[p]], a, a[p] * inv, p + 1);
  scale(a, inv, n);
}

// eliminates dof k and its parent k − 1
static void eliminatePair(const mjModel* m, mjtNum* mat, mjtNum* diaginv, int k) {
  const int n = m->M_rownnz[k] - 1, *col = m->M_colind + m->M_rowadr[k], *rowadr = m->M_rowadr;
  mjtNum *a = mat + rowadr[k], *b = mat + rowadr[k - 1];
  const mjtNum invA = 1 / a[n];
  subtract1(b, a, a[n - 1] * invA, n);
  const mjtNum invB = 1 / b[n - 1];
  if (diaginv) {
    diaginv[k] = invA;
    diaginv[k - 1] = invB;
  }
  for (int p = n - 2; p >= 0; p--) subtract2(mat + rowadr[col[p]], a, a[p] * invA, b, b[p] * invB, p + 1);
  scale(a, invA, n);
  scale(b, invB, n - 1);
}

void dyn_factorLDL(const mjModel* m, mjtNum* mat, mjtNum* diaginv, SlpRange dofs) {
  for (int j = dofs.n - 1; j >= 0; j--) {
    const int k = slp_at(dofs, j), n = m->M_rownnz[k] - 1;
    if (n == 0) {
      if (diaginv) diaginv[k] = 1 / mat[m->M_rowadr[k]];
    } else if (m->M_colind[m->M_rowadr[k] + n - 1] == k - 1) {
      // trees sleep as a whole: the parent is the next one of the range
      eliminatePair(m, mat, diaginv, k);
      j--;
    } else {
      eliminate(m, mat, diaginv, k);
    }
  }
}

// ---------------------------------------------------------------- solve

// is every row short enough for a path?
static int shallow(const mjModel* m) {
  if (m->nv <= DYN_DEPTH) return 1;
  int deepest = 0;
  for (int i = 0; i < m->nv; i++) deepest = m->M_rownnz[i] > deepest ? m->M_rownnz[i] : deepest;
  return deepest <= DYN_DEPTH;
}

// x ← L'⁻¹ x: what descendants take from their ancestors is added up by depth on the way to the root
static void solveUp(const mjModel* m, const mjtNum* L, mjtNum* x, SlpRange dofs) {
  mjtNum path[DYN_DEPTH];
  memset(path, 0, (m->nv < DYN_DEPTH ? m->nv : DYN_DEPTH) * sizeof(mjtNum));
  for (int j = dofs.n - 1; j >= 0; j--) {
    const int i = slp_at(dofs, j), depth = m->M_rownnz[i] - 1;
    const mjtNum value = x[i] = x[i] - path[depth];
    path[depth] = 0;
    if (depth && value) subtract1(path, L + m->M_rowadr[i], -value, depth);
  }
}

// x ← L⁻¹ D⁻¹ x: the solved values of the ancestors are at hand on the way from the root
static void solveDown(const mjModel* m, DynFactor f, mjtNum* x, SlpRange dofs) {
  mjtNum path[DYN_DEPTH];
  for (int j = 0; j < dofs.n; j++) {
    const int i = slp_at(dofs, j), depth = m->M_rownnz[i] - 1;
    path[depth] = x[i] = x[i] * f.diaginv[i] - dot(f.L + m->M_rowadr[i], path, depth);
  }
}

// the same through column indices
static void solveUpIndexed(const mjModel* m, const mjtNum* L, mjtNum* x, SlpRange dofs) {
  for (int j = dofs.n - 1; j >= 0; j--) {
    const int i = slp_at(dofs, j), adr = m->M_rowadr[i];
    if (!x[i]) continue;
    for (int c = 0; c < m->M_rownnz[i] - 1; c++) x[m->M_colind[adr + c]] -= L[adr + c] * x[i];
  }
}

static void solveDownIndexed(const mjModel* m, DynFactor f, mjtNum* x, SlpRange dofs) {
  for (int j = 0; j < dofs.n; j++) {
    const int i = slp_at(dofs, j), adr = m->M_rowadr[i];
    mjtNum sum = 0;
    for (int c = 0; c < m->M_rownnz[i] - 1; c++) sum += f.L[adr + c] * x[m->M_colind[adr + c]];
    x[i] = x[i] * f.diaginv[i] - sum;
  }
}

void dyn_solveLDL(const mjModel* m, DynFactor factor, mjtNum* x, int n, SlpRange dofs) {
  const int path = shallow(m);
  for (int k = 0; k < n; k++, x += m->nv) {
    if (path) {
      solveUp(m, factor.L, x, dofs);
      solveDown(m, factor, x, dofs);
    } else {
      solveUpIndexed(m, factor.L, x, dofs);
      solveDownIndexed(m, factor, x, dofs);
    }
  }
}

// ---------------------------------------------------------------- multiply

static void mulPath(const mjModel* m, mjtNum* res, const mjtNum* mat, const mjtNum* vec) {
  mjtNum path[DYN_DEPTH];

  // diagonal and ancestors
  for (int i = 0; i < m->nv; i++) {
    const int n = m->M_rownnz[i];
    path[n - 1] = vec[i];
    res[i] = dot(mat + m->M_rowadr[i], path, n);
  }

  // descendants
  memset(path, 0, (m->nv < DYN_DEPTH ? m->nv : DYN_DEPTH) * sizeof(mjtNum));
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    const int depth = m->M_rownnz[i] - 1;
    res[i] += path[depth];
    path[depth] = 0;
    subtract1(path, mat + m->M_rowadr[i], -vec[i], depth);
  }
}

static void mulIndexed(const mjModel* m, mjtNum* res, const mjtNum* mat, const mjtNum* vec) {
  for (int i = 0; i < m->nv; i++) {
    const int n = m->M_rownnz[i] - 1, adr = m->M_rowadr[i];
    mjtNum sum = 0;
    for (int c = 0; c < n; c++) {
      sum += mat[adr + c] * vec[m->M_colind[adr + c]];
      res[m->M_colind[adr + c]] += mat[adr + c] * vec[i];
    }
    res[i] = sum + mat[adr + n] * vec[i];
  }
}

void dyn_mulSym(const mjModel* m, mjtNum* res, const mjtNum* mat, const mjtNum* vec) {
  if (shallow(m)) {
    mulPath(m, res, mat, vec);
  } else {
    mulIndexed(m, res, mat, vec);
  }
}

// ---------------------------------------------------------------- public functions

void mj_factorM(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  const SlpRange dofs = slp_dofs(m, d);
  if (dofs.list) {
    for (int k = 0; k < dofs.n; k++) {
      const int adr = m->M_rowadr[dofs.list[k]];
      memcpy(d->qLD + adr, d->M + adr, m->M_rownnz[dofs.list[k]] * sizeof(mjtNum));
    }
  } else if (m->nC) {
    memcpy(d->qLD, d->M, m->nC * sizeof(mjtNum));
  }
  dyn_factorLDL(m, d->qLD, d->qLDiagInv, dofs);
  bas_timerAdd(d, mjTIMER_POS_INERTIA, start);
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  if (x != y && n * m->nv > 0) memmove(x, y, n * m->nv * sizeof(mjtNum));
  dyn_solveLDL(m, (DynFactor){d->qLD, d->qLDiagInv}, x, n, (SlpRange){(int)m->nv, NULL});
}

void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  const int nv = m->nv, path = shallow(m);
  const SlpRange dofs = {nv, NULL};
  if (x != y && n * nv > 0) memmove(x, y, n * nv * sizeof(mjtNum));
  for (int k = 0; k < n; k++, x += nv) {
    if (path) {
      solveUp(m, d->qLD, x, dofs);
    } else {
      solveUpIndexed(m, d->qLD, x, dofs);
    }
    for (int i = 0; i < nv; i++) x[i] *= sqrtInvD[i];
  }
}
