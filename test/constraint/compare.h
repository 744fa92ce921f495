// Field-by-field comparison of constraint rows, islands and solver results with the reference.
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/oracle.h"

// counts and prints differences; name says where we are
typedef struct {
  const char* name;
  int errors;
  double worst;
} Cmp;

static inline void cmpNum(Cmp* c, const char* field, const mjtNum* a, const mjtNum* b, size_t n, double tol) {
  orc_result(a, n);
  double scale = 1, worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < n; i++) scale = fmax(scale, fmin(fabs(a[i]), 1e300));
  for (size_t i = 0; i < n; i++) {
    // relative to the entry itself, or to the largest entry when that is what rounding sees
    const double e = fabs(a[i] - b[i]) / fmax(1e-3 * scale, fmax(fabs(a[i]), 1));
    if (!(e <= worst)) {
      worst = e;
      at = i;
    }
  }
  if (worst > c->worst) c->worst = worst;
  if (!(worst <= tol)) {
    if (c->errors++ < 12) {
      printf("%s: %s[%zu of %zu] reference %.17g ours %.17g (error %.2g)\n", c->name, field, at, n, a[at], b[at],
             worst);
    }
  }
}

static inline void cmpInt(Cmp* c, const char* field, const int* a, const int* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] == b[i]) continue;
    if (c->errors++ < 12) printf("%s: %s[%zu of %zu] reference %d ours %d\n", c->name, field, i, n, a[i], b[i]);
    return;
  }
}

#define CMP_I(field, n)      cmpInt(c, #field, r->field, d->field, (size_t)(n))
#define CMP_N(field, n, tol) cmpNum(c, #field, r->field, d->field, (size_t)(n), tol)
#define CMP_S(field)         cmpInt(c, #field, &r->field, &d->field, 1)

// rows: structure and parameters
static inline void cmpRows(Cmp* c, const mjModel* m, const mjData* r, const mjData* d) {
  CMP_S(ne), CMP_S(nf), CMP_S(nl), CMP_S(nefc), CMP_S(nJ);
  if (c->errors || !r->nefc) return;
  const int n = r->nefc;
  CMP_I(efc_type, n), CMP_I(efc_id, n);
  if (m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60)) {
    CMP_I(efc_J_rownnz, n), CMP_I(efc_J_rowadr, n), CMP_I(efc_J_rowsuper, n), CMP_I(efc_J_colind, r->nJ);
    CMP_N(efc_J, r->nJ, 1e-12);
  } else {
    CMP_N(efc_J, (size_t)n * m->nv, 1e-12);
  }
  CMP_N(efc_pos, n, 1e-13), CMP_N(efc_margin, n, 0), CMP_N(efc_frictionloss, n, 0), CMP_N(efc_diagApprox, n, 1e-12);
  CMP_N(efc_KBIP, 4 * n, 1e-12), CMP_N(efc_D, n, 1e-12), CMP_N(efc_R, n, 1e-12);
  CMP_I(tendon_efcadr, m->ntendon);
  for (int i = 0; i < r->ncon; i++) {
    cmpInt(c, "contact.efc_address", &r->contact[i].efc_address, &d->contact[i].efc_address, 1);
    cmpInt(c, "contact.exclude", &r->contact[i].exclude, &d->contact[i].exclude, 1);
    cmpNum(c, "contact.mu", &r->contact[i].mu, &d->contact[i].mu, 1, 1e-13);
  }
}

// islands: every map and every gathered array
static inline void cmpIslands(Cmp* c, const mjModel* m, const mjData* r, const mjData* d) {
  CMP_S(nisland), CMP_S(nidof);
  if (c->errors || !r->nisland) return;
  const int ni = r->nisland, n = r->nefc, nv = r->nidof;
  CMP_I(tree_island, m->ntree), CMP_I(island_ntree, ni), CMP_I(island_itreeadr, ni), CMP_I(map_itree2tree, m->ntree);
  CMP_I(dof_island, m->nv), CMP_I(island_nv, ni), CMP_I(island_idofadr, ni), CMP_I(island_dofadr, ni);
  CMP_I(map_dof2idof, m->nv), CMP_I(map_idof2dof, m->nv);
  CMP_I(iM_rownnz, nv), CMP_I(iM_rowadr, nv);
  const int nC = r->iM_rowadr[nv - 1] + r->iM_rownnz[nv - 1];
  CMP_I(iM_colind, nC), CMP_N(iM, nC, 1e-13), CMP_N(iLD, nC, 1e-13), CMP_N(iLDiagInv, nv, 1e-13);
  CMP_I(efc_island, n), CMP_I(island_ne, ni), CMP_I(island_nf, ni), CMP_I(island_nefc, ni), CMP_I(island_iefcadr, ni);
  CMP_I(map_efc2iefc, n), CMP_I(map_iefc2efc, n), CMP_I(iefc_type, n), CMP_I(iefc_id, n);
  CMP_N(iefc_frictionloss, n, 0), CMP_N(iefc_D, n, 1e-12), CMP_N(iefc_R, n, 1e-12);
  if (m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60)) {
    CMP_I(iefc_J_rownnz, n), CMP_I(iefc_J_rowadr, n), CMP_I(iefc_J_rowsuper, n), CMP_I(iefc_J_colind, r->nJ);
    CMP_N(iefc_J, r->nJ, 1e-12);
  } else {
    for (int i = 0; i < ni; i++) {
      const size_t adr = (size_t)nv * r->island_iefcadr[i], size = (size_t)r->island_nefc[i] * r->island_nv[i];
      cmpNum(c, "iefc_J", r->iefc_J + adr, d->iefc_J + adr, size, 1e-12);
    }
  }
}

// dual inertia
static inline void cmpProjection(Cmp* c, const mjModel* m, const mjData* r, const mjData* d) {
  CMP_S(nA);
  if (c->errors || !r->nA || !r->nefc) return;
  if (m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60)) {
    CMP_I(efc_AR_rownnz, r->nefc), CMP_I(efc_AR_rowadr, r->nefc), CMP_I(efc_AR_colind, r->nA);
  }
  CMP_N(efc_AR, r->nA, 1e-11);
}
