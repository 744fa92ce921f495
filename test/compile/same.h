// Models for the compiler's tests: from inline MJCF by our library and by the reference, compared field by field.
#pragma once

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "model/fields.h"
#include "support/bits.h"
#include "support/oracle.h"

// compiles a string; prints the error when that fails
__attribute__((unused)) static mjModel* compileText(const char* xml) {
  char error[1000] = "";
  mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) {
    fprintf(stderr, "%s\n", error);
    return NULL;
  }
  mjModel* const m = mj_compile(spec, NULL);
  if (!m) fprintf(stderr, "%s\n", mjs_getError(spec));
  mj_deleteSpec(spec);
  if (m) bit_checkModel(m, bit_key(xml));
  return m;
}

// the error of a string that must not compile, "" when it does; the text is overwritten by the next call
__attribute__((unused)) static const char* errorOf(const char* xml) {
  static char error[1000];
  error[0] = 0;
  mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) return error;
  mjModel* const m = mj_compile(spec, NULL);
  snprintf(error, sizeof(error), "%s", m ? "" : mjs_getError(spec));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return error;
}

static double numberAt(const void* array, int type, long i) {
  switch (type) {
    case MDL_BYTE:
      return ((const unsigned char*)array)[i];
    case MDL_CHAR:
      return ((const char*)array)[i];
    case MDL_INT:
      return ((const int*)array)[i];
    case MDL_SIZE:
      return (double)((const mjtSize*)array)[i];
    case MDL_FLOAT:
      return (double)((const float*)array)[i];
    default:
      return ((const mjtNum*)array)[i];
  }
}

// Number of sizes and arrays in which two models differ, printed. Constants go through a factorisation of M, hence the
// tolerance relative to the largest entry.
__attribute__((unused)) static int differences(const mjModel* m, const mjModel* ref) {
  int bad = 0;
  for (int i = 0; i < mdl_nsizes; i++) {
    if (!strcmp(mdl_sizes[i].name, "nbuffer") || mdl_size(m, i) == mdl_size(ref, i)) continue;
    fprintf(stderr, "%s: %lld, reference %lld\n", mdl_sizes[i].name, (long long)mdl_size(m, i),
            (long long)mdl_size(ref, i));
    bad++;
  }
  if (bad) return bad;
  for (int f = 0; f < mdl_nmodelFields; f++) {
    const MdlField* const field = &mdl_modelFields[f];
    const long n = (long)(mdl_rows(field, m, NULL) * mdl_columns(field, m));
    const void *const a = *mdl_pointer(field, m), *const b = *mdl_pointer(field, ref);
    double largest = 0, error = 0;
    long where = 0;
    for (long i = 0; i < n; i++) {
      const double x = numberAt(a, field->type, i), y = numberAt(b, field->type, i);
      const double dif = isnan(x) && isnan(y) ? 0 : fabs(x - y);
      largest = fmax(largest, fabs(y));
      if (!(dif <= error)) {
        error = dif;
        where = i;
      }
    }
    if (error <= 1e-12 * (1 + largest)) continue;
    fprintf(stderr, "%s[%ld]: %.17g, reference %.17g\n", field->name, where, numberAt(a, field->type, where),
            numberAt(b, field->type, where));
    bad++;
  }
  const mjtNum *const stat = (const mjtNum*)&m->stat, *const statref = (const mjtNum*)&ref->stat;
  for (int i = 0; i < 7; i++) bad += fabs(stat[i] - statref[i]) > 1e-12 * (1 + fabs(statref[i]));
  if (m->signature != ref->signature) {
    fprintf(stderr, "signatures differ\n");
    bad++;
  }
  return bad;
}

// the same for a string
__attribute__((unused)) static int differencesOf(const char* xml) {
  mjModel* const ref = orc_compile(xml);
  mjModel* const m = compileText(xml);
  const int bad = m ? differences(m, ref) : 1;
  if (bad) fprintf(stderr, "  in %.300s\n", xml);
  mj_deleteModel(m);
  ORC(mj_deleteModel)(ref);
  return bad;
}
