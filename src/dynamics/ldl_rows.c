// L'DL without a plan: short rows, rows by address, rows in the older order. See ldl.h for the family.
#include "dynamics/ldl.h"
#include "math/simd/kernels.h"

//---------------------------------- short rows ----------------------------------
// Factor and right-hand side are reduced in one pass from the last dof to the first. In models with longer rows, dofs
// whose row has only a diagonal (free bodies with aligned inertia, particles) are divided one by one and the others
// follow the plan.

// rows up to this length take the single pass: beyond it the wide loops of ldl_pass.h win
#define SHORT_ROW 8

DynShape dyn_shapeOf(const mjModel* m, SlpRange dofs) {
  int longest = 0, nsimple = 0;
  for (int v = dofs.first; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (m->M_rownnz[i] > longest) longest = m->M_rownnz[i];
    nsimple += m->dof_simplenum[i] > 0;
  }
  return (DynShape){longest <= SHORT_ROW, nsimple > 0};
}

// removes dof k from the rows of its ancestors and from the right-hand side
static inline void eliminate(const mjModel* m, DynFactor f, mjtNum* x, int k) {
  const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
  const int* col = m->M_colind + adr;
  mjtNum* a = f.L + adr;
  const mjtNum inv = 1 / a[n];
  f.diaginv[k] = inv;
  for (int p = n - 1; p >= 0; p--) {
    const mjtNum scale = a[p] * inv;
    mjtNum* restrict row = f.L + m->M_rowadr[col[p]];
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

static void solveShort(const mjModel* m, DynFactor f, mjtNum* x, SlpRange dofs, int factored) {
  for (int v = dofs.n - 1; v >= dofs.first; v--) {
    const int k = slp_at(dofs, v);
    if (factored) {
      reduce(m, f.L, x, k);
    } else {
      eliminate(m, f, x, k);
    }
  }
  for (int v = dofs.first; v < dofs.n; v++) {
    const int k = slp_at(dofs, v), adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    mjtNum value = x[k] * f.diaginv[k];
    for (int p = 0; p < n; p++) value -= f.L[adr + p] * x[m->M_colind[adr + p]];
    x[k] = value;
  }
}

// divides the simple dofs and lists the others
static int divideSimple(const mjModel* m, DynFactor f, mjtNum* x, SlpRange dofs, int* list) {
  int n = 0;
  for (int v = dofs.first; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (!m->dof_simplenum[i]) {
      list[n++] = i;
      continue;
    }
    f.diaginv[i] = 1 / f.L[m->M_rowadr[i]];
    x[i] *= f.diaginv[i];
  }
  return n;
}

void dyn_solveSystem(const mjModel* m, mjData* d, const DynSystem* system, mjtNum* x, SlpRange dofs) {
  const DynFactor factor = system->factor;
  if (system->shape.isShort) {
    solveShort(m, factor, x, dofs, system->factored);
    return;
  }
  mj_markStack(d);
  if (system->shape.hasSimple) {
    int* list = mj_stackAllocInt(d, (size_t)dofs.n);
    dofs = (SlpRange){0, divideSimple(m, factor, x, dofs, list), list};
  }
  if (!system->factored) dyn_factorLDL(m, d, factor.L, factor, &dofs);
  dyn_solveLDL(m, d, factor, x, 1, &dofs);
  mj_freeStack(d);
}

void dyn_factorSolveLDL(const mjModel* m, mjData* d, DynFactor factor, mjtNum* x, SlpRange dofs, int factored) {
  const DynSystem system = {factor, dyn_shapeOf(m, dofs), factored};
  dyn_solveSystem(m, d, &system, x, dofs);
}

//---------------------------------- rows by address ----------------------------------

void dyn_factorRows(mjtNum* mat, mjtNum* diaginv, const MthPattern* rows, const int* index) {
  const SlpRange range = {0, rows->nr, index};
  for (int v = rows->nr - 1; v >= 0; v--) {
    const int k = slp_at(range, v), n = rows->rownnz[k] - 1;
    const int* col = rows->colind + rows->rowadr[k];
    mjtNum* const row = mat + rows->rowadr[k];
    const mjtNum inv = 1 / row[n];
    if (diaginv) diaginv[k] = inv;

    // the rows of ancestors have the first columns of this one
    for (int p = n - 1; p >= 0; p--) mth_addToScl(mat + rows->rowadr[col[p]], row, -row[p] * inv, rows->rownnz[col[p]]);
    mth_scl(row, row, inv, n);
  }
}

void dyn_solveRows(mjtNum* x, const mjtNum* L, const mjtNum* diaginv, const MthPattern* rows, const int* index) {
  const SlpRange range = {0, rows->nr, index};
  for (int v = rows->nr - 1; v >= 0; v--) {
    const int k = slp_at(range, v), adr = rows->rowadr[k];
    if (x[k]) mth_addToSclScatter(x, L + adr, -x[k], rows->rownnz[k] - 1, rows->colind + adr);
  }
  for (int v = 0; v < rows->nr; v++) {
    const int k = slp_at(range, v), adr = rows->rowadr[k];
    x[k] = x[k] * diaginv[k] - mth_dotSparse(L + adr, x, rows->rownnz[k] - 1, rows->colind + adr);
  }
}

//---------------------------------- older order ----------------------------------
// Entry p of a row belongs to the ancestor p steps up, whose own row continues like the rest of this one. Simple dofs
// have room for their ancestors here, filled with zeros that need no work.

void dyn_factorUpward(const mjModel* m, mjData* d, DynFactor factor) {
  const int nv = (int)m->nv;
  for (int k = nv - 1; k >= 0; k--) {
    mjtNum* const row = factor.L + m->dof_Madr[k];
    if (row[0] < mjMINVAL) {
      mj_warning(d, mjWARN_INERTIA, k);
      row[0] = mjMINVAL;
    }
    factor.diaginv[k] = 1 / row[0];
    if (m->dof_simplenum[k]) continue;

    const int length = (k < nv - 1 ? m->dof_Madr[k + 1] : (int)m->nM) - m->dof_Madr[k];
    for (int p = 1, i = m->dof_parentid[k]; p < length; p++, i = m->dof_parentid[i]) {
      const mjtNum scale = row[p] / row[0];
      mth_addToScl(factor.L + m->dof_Madr[i], row + p, -scale, length - p);
      row[p] = scale;
    }
  }
}

void dyn_solveUpward(const mjModel* m, mjtNum* x, const mjtNum* L, const mjtNum* diaginv) {
  const int nv = (int)m->nv, *parent = m->dof_parentid;
  for (int k = nv - 1; k >= 0; k--) {
    const mjtNum* row = L + m->dof_Madr[k];
    for (int i = m->dof_simplenum[k] || !x[k] ? -1 : parent[k]; i >= 0; i = parent[i]) x[i] -= *++row * x[k];
  }
  for (int k = 0; k < nv; k++) {
    const mjtNum* row = L + m->dof_Madr[k];
    x[k] *= diaginv[k];
    for (int i = m->dof_simplenum[k] ? -1 : parent[k]; i >= 0; i = parent[i]) x[k] -= *++row * x[i];
  }
}
