// Factor, solve and multiply; see ldl.h for the layout and ldl_pass.h for the passes.
#include "dynamics/ldl.h"

#include <string.h>

#include "base/timer.h"
#include "dynamics/ldl_pass.h"
#include "dynamics/pass.h"
#include "math/simd/kernels.h"

void dyn_factorLDL(const mjModel* m, mjtNum* mat, mjtNum* diaginv, SlpRange dofs) {
#ifdef DYN_V3
  if (mth_isV3()) {
    dyn_factorPassV3(m, mat, diaginv, dofs);
    return;
  }
#endif
  dyn_factorPass(m, mat, diaginv, dofs);
}

// ---------------------------------------------------------------- solve

// is every row short enough for a path?
static int shallow(const mjModel* m) {
  if (m->nv <= DYN_DEPTH) return 1;
  int deepest = 0;
  for (int i = 0; i < m->nv; i++) deepest = m->M_rownnz[i] > deepest ? m->M_rownnz[i] : deepest;
  return deepest <= DYN_DEPTH;
}

// the passes of ldl_pass.h for models that are too deep for them: through column indices
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
      dyn_solveUpPass(m, factor.L, x, dofs);
      dyn_solveDownPass(m, factor, x, dofs);
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
    res[i] = mth_dot(mat + m->M_rowadr[i], path, n);
  }

  // descendants
  memset(path, 0, (m->nv < DYN_DEPTH ? m->nv : DYN_DEPTH) * sizeof(mjtNum));
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    const int depth = m->M_rownnz[i] - 1;
    res[i] += path[depth];
    path[depth] = 0;
    mth_addToScl(path, mat + m->M_rowadr[i], vec[i], depth);
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
      dyn_solveUpPass(m, d->qLD, x, dofs);
    } else {
      solveUpIndexed(m, d->qLD, x, dofs);
    }
    for (int i = 0; i < nv; i++) x[i] *= sqrtInvD[i];
  }
}
