// Parameters per simulation: a simulation has a model of its own, whose arrays are the common ones or rows of arrays
// over simulations. What follows from expanded numbers (parameters of pairs, moments) is computed at the start of a
// run, since users may have written them on the device.
#pragma once

#include "cuda/group.h"

// options that differ
CU_FN void cu_ownOptions(const CudOwn* own, CudModel* m, int sim) {
#define X(name, n)                                                                       \
  if (own->name) {                                                                       \
    for (int k = 0; k < (n); k++) (&m->name CUD_FIRST(n))[k] = own->name[sim * (n) + k]; \
  }
#define CUD_FIRST(n) CUD_FIRST_##n
#define CUD_FIRST_1
#define CUD_FIRST_3 [0]
  CUD_OWN_OPTIONS(X)
#undef CUD_FIRST_3
#undef CUD_FIRST_1
#undef CUD_FIRST
#undef X
}

// weight of the first of two geoms; one without weight yields to the other
CU_FN Real cu_mixWeight(Real a, Real b) {
  if (a >= CU_MINVAL && b >= CU_MINVAL) return a / (a + b);
  if (a < CU_MINVAL && b < CU_MINVAL) return R_(0.5);
  return a < CU_MINVAL ? R_(0) : R_(1);
}

// parameters of a pair of geoms, as collision/contact.c mixes them
CU_FN void cu_mixPair(const CudOwn* own, const CudModel* common, CudModel* m, int sim, int p) {
  const int g1 = m->pair_geom[2 * p], g2 = m->pair_geom[2 * p + 1], old = common->pair_param[p];
#define CU_GEOM(name, g, n) (own->name + (int64_t)sim * own->name##_step + (n) * (g))
  Real *friction = (Real*)m->param_friction + 5 * p, *solref = (Real*)m->param_solref + 2 * p;
  Real *solimp = (Real*)m->param_solimp + 5 * p, *solreffriction = (Real*)m->param_solreffriction + 2 * p;
  if (own->listed[p]) {
    cu_copyN(friction, common->param_friction + 5 * old, 5);
    cu_copyN(solref, common->param_solref + 2 * old, 2);
    cu_copyN(solimp, common->param_solimp + 5 * old, 5);
    cu_copyN(solreffriction, common->param_solreffriction + 2 * old, 2);
    ((Real*)m->param_margin)[p] = common->param_margin[old];
    ((Real*)m->param_include)[p] = common->param_include[old];
    return;
  }

  // the geom of higher priority decides alone
  const int rank = own->geom_priority[g1] - own->geom_priority[g2];
  const Real mix = rank > 0   ? R_(1)
                   : rank < 0 ? R_(0)
                              : cu_mixWeight(*CU_GEOM(geom_solmix, g1, 1), *CU_GEOM(geom_solmix, g2, 1));
  const Real *ref1 = CU_GEOM(geom_solref, g1, 2), *ref2 = CU_GEOM(geom_solref, g2, 2);
  const Real *imp1 = CU_GEOM(geom_solimp, g1, 5), *imp2 = CU_GEOM(geom_solimp, g2, 5);
  const Real *f1 = CU_GEOM(geom_friction, g1, 3), *f2 = CU_GEOM(geom_friction, g2, 3);
  const int weighted = rank || (ref1[0] > 0 && ref2[0] > 0);
  Real f[3];
  for (int k = 0; k < 2; k++) {
    solref[k] = weighted ? mix * ref1[k] + (1 - mix) * ref2[k] : cu_min(ref1[k], ref2[k]);
    solreffriction[k] = 0;
  }
  for (int k = 0; k < 5; k++) solimp[k] = mix * imp1[k] + (1 - mix) * imp2[k];
  for (int k = 0; k < 3; k++) f[k] = cu_max(R_(mjMINMU), rank > 0 ? f1[k] : rank < 0 ? f2[k] : cu_max(f1[k], f2[k]));
  friction[0] = friction[1] = f[0];
  friction[2] = f[1];
  friction[3] = friction[4] = f[2];
  const Real margin = *CU_GEOM(geom_margin, g1, 1) + *CU_GEOM(geom_margin, g2, 1);
  ((Real*)m->param_margin)[p] = margin;
  ((Real*)m->param_include)[p] = margin - (*CU_GEOM(geom_gap, g1, 1) + *CU_GEOM(geom_gap, g2, 1));
#undef CU_GEOM
}

// moments of actuators by their gears
CU_FN void cu_gearMoments(CudModel* m, int u) {
  const int first = m->mom_adr[u], id = m->actuator_trnid[2 * u];
  const Real* gear = m->actuator_gear + 6 * u;
  for (int k = first; k < m->mom_adr[u + 1]; k++) {
    const int tendon = m->actuator_trntype[u] == mjTRN_TENDON;
    ((Real*)m->mom_coef)[k] = tendon ? gear[0] * m->tenj_coef[m->tenj_adr[id] + k - first] : gear[k - first];
  }
}

// the model of this simulation, up to date
CU_CALL void cu_openOwn(const Cu* c) {
  const CudOwn* own = &c->t->own;
  CudModel* m = own->model + c->sim;
  CU_FOR(k, 1) cu_ownOptions(own, m, c->sim);
  if (own->mixes) {
    CU_FOR(p, m->npair) cu_mixPair(own, &c->t->m, m, c->sim, p);
  }
  if (own->gears) {
    CU_FOR(u, m->nu) cu_gearMoments(m, u);
    cu_sync();
    CU_FOR(k, m->nmoment)((Real*)m->dofmom_coef)[k] = m->mom_coef[m->dofmom_at[k]];
  }
  cu_sync();
}
