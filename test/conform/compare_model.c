// mjModel field by field, from the tables of its fields.
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform/conform.h"

static const double TOLERANCE = 1e-9;

static void note(CfmResult* r, const char* field, double error) {
  r->modelFields++;
  if (error <= TOLERANCE) return;
  r->modelBad++;
  const size_t length = strlen(r->modelWorst);
  if (length < sizeof(r->modelWorst) - 40) {
    snprintf(r->modelWorst + length, sizeof(r->modelWorst) - length, "%s%s:%.1e", length ? " " : "", field, error);
  }
  if (r->verbose) fprintf(stderr, "    model %-28s %.3e\n", field, error);
}

static int compareInts(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}

// 1: two hulls of n vertices name the same ones
static int sameVertices(const int* a, const int* b, int n) {
  int* const sorted = malloc((2 * (size_t)n + 1) * sizeof(int));
  if (!sorted) return 0;
  memcpy(sorted, a, (size_t)n * sizeof(int));
  memcpy(sorted + n, b, (size_t)n * sizeof(int));
  qsort(sorted, (size_t)n, sizeof(int), compareInts);
  qsort(sorted + n, (size_t)n, sizeof(int), compareInts);
  const int same = !memcmp(sorted, sorted + n, (size_t)n * sizeof(int));
  free(sorted);
  return same;
}

// the order of a hull's vertices depends on the version of the hull library
static int sameHulls(const mjModel* a, const mjModel* b) {
  for (int i = 0; i < a->nmesh; i++) {
    const int adr = a->mesh_graphadr[i];
    if (adr != b->mesh_graphadr[i]) return 0;
    if (adr < 0) continue;

    // numbers of vertices and faces, addresses, vertices
    const int *const ga = a->mesh_graph + adr, *const gb = b->mesh_graph + adr, n = ga[0];
    if (n != gb[0] || ga[1] != gb[1] || !sameVertices(ga + 2 + n, gb + 2 + n, n)) return 0;
  }
  return 1;
}

// sizes and settings; 1: arrays have the same lengths
static int compareSizes(CfmResult* r, const mjModel* a, const mjModel* b) {
  int same = 1;
#define X(name)                                        \
  if (strcmp(#name, "nbuffer") != 0) {                 \
    note(r, #name, a->name == b->name ? 0 : INFINITY); \
    same &= a->name == b->name;                        \
  }
  MJMODEL_SIZES
#undef X
#define X(type, name) note(r, "opt." #name, fabs((double)(a->opt.name - b->opt.name)));
  MJOPTION_SCALARS
#undef X
#define X(name, n) note(r, "opt." #name, cfm_errorNum(a->opt.name, b->opt.name, n));
  MJOPTION_VECTORS
#undef X
  note(r, "stat", cfm_errorNum(&a->stat.meaninertia, &b->stat.meaninertia, sizeof(mjStatistic) / sizeof(mjtNum)));
  note(r, "vis", cfm_errorFloat((const float*)&a->vis, (const float*)&b->vis, sizeof(mjVisual) / sizeof(float)));
  return same;
}

void cfm_compareModel(CfmResult* r, const mjModel* a, const mjModel* b) {
  if (!compareSizes(r, a, b)) return;
#undef MJ_M
#define MJ_M(n) a->n
#define X(type, name, nr, nc)                                                             \
  {                                                                                       \
    double error = cfm_errorAny(#type, a->name, b->name, (size_t)(a->nr) * (size_t)(nc)); \
    if (error > 0 && !strcmp(#name, "mesh_graph") && sameHulls(a, b)) {                   \
      r->hullOrder = 1;                                                                   \
      error = 0;                                                                          \
    }                                                                                     \
    note(r, #name, error);                                                                \
  }
#undef XNV
#define XNV X
  MJMODEL_POINTERS
#undef X
}
