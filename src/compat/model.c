// Models, data, specs and scenes under the reference's internal names.
#include "base/error.h"
#include "compat/engine.h"
#include "model/check.h"
#include "spec/element.h"
#include "step/data.h"
#include "print/print.h"
#include "vis/vis.h"

//---------------------------------- data ----------------------------------

void mj_makeRawData(mjData** dest, const mjModel* m) {
  long long missing = 0;
  mjData* const d = *dest ? *dest : mju_malloc(sizeof(mjData));
  if (!d) return;
  if (*dest) stp_releaseBuffers(d);
  if (!stp_takeBuffers(m, d, 0, &missing)) {
    if (!*dest) mju_free(d);
    if (missing) mju_error("mj_makeRawData: could not allocate %lld bytes", missing);
    return;
  }

  // all awake
  d->ntree_awake = (int)m->ntree;
  d->nbody_awake = d->nparent_awake = (int)m->nbody;
  d->nv_awake = (int)m->nv;
  *dest = d;
}

void mj_initPlugin(const mjModel* m, mjData* d) {
  stp_initPlugins("mj_initPlugin", m, d);
}

const char* mj_validateReferences(const mjModel* m) {
  static _Thread_local char error[BAS_MESSAGE];
  return mdl_check(m, error, sizeof(error)) ? NULL : error;
}

//---------------------------------- text, specs and scenes ----------------------------------

void mj_printSparsity(const char* str, int nr, int nc, const int* rowadr, const int* diag, const int* rownnz,
                      const int* rowsuper, const int* colind, FILE* fp) {
  const PrnPrinter printer = {fp, NULL};
  const PrnSparse matrix = {
      .nr = nr, .nc = nc, .rownnz = rownnz, .rowadr = rowadr, .colind = colind, .diag = diag, .rowsuper = rowsuper};
  prn_pattern(&printer, str, &matrix);
}

void mjs_addSpec(mjSpec* s, mjSpec* child) {
  spc_listAdd(&spc_model(s)->models, &spc_model(child)->head);
}

void mjv_updateActiveFlex(const mjModel* m, mjData* d, mjvScene* scn, const mjvOption* opt) {
  vis_updateFlexes(m, d, opt, scn);
}

void mjv_updateActiveSkin(const mjModel* m, const mjData* d, mjvScene* scn, const mjvOption* opt) {
  vis_updateSkins(m, d, opt, scn);
}
