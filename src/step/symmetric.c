// Solves with qH = L' D L. Short chains are factored and reduced in one pass from the last dof to the first; dofs whose
// row has only a diagonal (free bodies with aligned inertia, particles) are divided one by one; longer chains go to
// the factorisation of the inertia matrix.
#include "step/symmetric.h"

#include "dynamics/ldl.h"

// rows up to this length take the single pass: beyond it the wide loops of dynamics/ldl.c win
#define SHORT_ROW 8

// what the rows of the system look like
typedef struct {
  int longest;  // most entries in a row
  int nsimple;  // rows with a diagonal only
} Shape;

static Shape shapeOf(const mjModel* m, SlpRange dofs) {
  Shape shape = {0, 0};
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (m->M_rownnz[i] > shape.longest) shape.longest = m->M_rownnz[i];
    shape.nsimple += m->dof_simplenum[i] > 0;
  }
  return shape;
}

// removes dof k from the rows of its ancestors and from the right-hand side
static inline void eliminate(const mjModel* m, mjtNum* H, mjtNum* diaginv, mjtNum* x, int k) {
  const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
  const int* col = m->M_colind + adr;
  mjtNum* a = H + adr;
  const mjtNum inv = 1 / a[n];
  diaginv[k] = inv;
  for (int p = n - 1; p >= 0; p--) {
    const mjtNum scale = a[p] * inv;
    mjtNum* restrict row = H + m->M_rowadr[col[p]];
    for (int c = 0; c <= p; c++) row[c] -= scale * a[c];
    x[col[p]] -= scale * x[k];
    a[p] = scale;
  }
}

// the same with the factor given
static inline void reduce(const mjModel* m, const mjtNum* L, mjtNum* x, int k) {
  const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
  for (int p = n - 1; p >= 0; p--) x[m->M_colind[adr + p]] -= L[adr + p] * x[k];
}

static void solveShort(const mjModel* m, mjData* d, mjtNum* x, SlpRange dofs, int skipfactor) {
  for (int v = dofs.n - 1; v >= 0; v--) {
    const int k = slp_at(dofs, v);
    if (skipfactor) {
      reduce(m, d->qH, x, k);
    } else {
      eliminate(m, d->qH, d->qHDiagInv, x, k);
    }
  }
  for (int v = 0; v < dofs.n; v++) {
    const int k = slp_at(dofs, v), adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    mjtNum value = x[k] * d->qHDiagInv[k];
    for (int p = 0; p < n; p++) value -= d->qH[adr + p] * x[m->M_colind[adr + p]];
    x[k] = value;
  }
}

// divides the simple dofs and lists the others
static int divideSimple(const mjModel* m, mjData* d, mjtNum* x, SlpRange dofs, int* list) {
  int n = 0;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (!m->dof_simplenum[i]) {
      list[n++] = i;
      continue;
    }
    d->qHDiagInv[i] = 1 / d->qH[m->M_rowadr[i]];
    x[i] *= d->qHDiagInv[i];
  }
  return n;
}

void stp_solveSymmetric(const mjModel* m, mjData* d, mjtNum* x, SlpRange dofs, int skipfactor) {
  const Shape shape = shapeOf(m, dofs);
  if (shape.longest <= SHORT_ROW) {
    solveShort(m, d, x, dofs, skipfactor);
    return;
  }
  mj_markStack(d);
  if (shape.nsimple) {
    int* list = mj_stackAllocInt(d, (size_t)dofs.n);
    dofs = (SlpRange){divideSimple(m, d, x, dofs, list), list};
  }
  const DynFactor factor = {d->qH, d->qHDiagInv};
  if (!skipfactor) dyn_factorLDL(m, d, d->qH, factor, dofs);
  dyn_solveLDL(m, d, factor, x, 1, dofs);
  mj_freeStack(d);
}
