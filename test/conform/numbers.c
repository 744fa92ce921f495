// Errors of arrays.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conform/conform.h"

double cfm_errorNum(const mjtNum* a, const mjtNum* b, size_t n) {
  double error = 0, scale = 0;
  for (size_t i = 0; i < n; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    if (isnan(a[i]) || isnan(b[i])) return INFINITY;
    if (a[i] == b[i]) continue;
    error = fmax(error, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  return error / (1 + scale);
}

double cfm_errorFloat(const float* a, const float* b, size_t n) {
  double error = 0, scale = 0;
  for (size_t i = 0; i < n; i++) {
    if (a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))) continue;
    const double difference = fabs((double)a[i] - (double)b[i]);
    if (!(difference <= error)) error = difference;
    scale = fmax(scale, fabs((double)a[i]));
  }
  const double slack = 1e-3;  // single precision has that many digits less
  return slack * error / (1 + scale);
}

static size_t sizeOf(const char* type) {
  if (!strcmp(type, "int")) return sizeof(int);
  if (!strcmp(type, "uintptr_t")) return sizeof(uintptr_t);
  if (!strcmp(type, "mjtSize")) return sizeof(mjtSize);
  return 1;
}

double cfm_errorAny(const char* type, const void* a, const void* b, size_t n) {
  if (!n) return 0;
  if (!a || !b) return a == b ? 0 : INFINITY;
  if (!strcmp(type, "mjtNum")) return cfm_errorNum(a, b, n);
  if (!strcmp(type, "float")) return cfm_errorFloat(a, b, n);
  return memcmp(a, b, n * sizeOf(type)) ? INFINITY : 0;
}

static void denseRow(mjtNum* out, const CfmRows* rows, int i, int nv) {
  if (!rows->nnz) {
    memcpy(out, rows->value + (size_t)i * (size_t)nv, (size_t)nv * sizeof(mjtNum));
    return;
  }
  memset(out, 0, (size_t)nv * sizeof(mjtNum));
  for (int k = rows->adr[i]; k < rows->adr[i] + rows->nnz[i]; k++) out[rows->col[k]] = rows->value[k];
}

double cfm_errorRows(CfmRows a, CfmRows b, int n, int nv) {
  mjtNum* const row = calloc(2 * (size_t)nv + 1, sizeof(mjtNum));
  double error = row ? 0 : INFINITY;
  for (int i = 0; i < n && row; i++) {
    denseRow(row, &a, i, nv);
    denseRow(row + nv, &b, i, nv);
    error = fmax(error, cfm_errorNum(row, row + nv, (size_t)nv));
  }
  free(row);
  return error;
}
