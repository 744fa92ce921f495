// Times the derivative of passive forces in a medium on large models, against the reference with dense and with sparse
// Jacobians.
//
//   bench_fluid REFERENCE.so OURS.so
//
// Models are swimmers of 50 dofs each, in a medium, 300 to 500 dofs together, and one swimmer of 300. Both libraries
// take turns; a line gives microseconds of a call, the median of a few runs that are each the quickest of many bursts,
// and how far the results are apart.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

enum { ROUNDS = 5, BURSTS = 8, CALLS = 5, SIDES = 3 };

typedef struct {
  void (*openVFS)(mjVFS*);
  int (*addFile)(mjVFS*, const char*, const void*, int);
  void (*closeVFS)(mjVFS*);
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  void (*deleteModel)(mjModel*);
  mjData* (*makeData)(const mjModel*);
  void (*deleteData)(mjData*);
  void (*forward)(const mjModel*, mjData*);
  void (*derivative)(const mjModel*, mjData*);
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){.openVFS = bch_symbol(h, "mj_defaultVFS"),
                   .addFile = bch_symbol(h, "mj_addBufferVFS"),
                   .closeVFS = bch_symbol(h, "mj_deleteVFS"),
                   .load = bch_symbol(h, "mj_loadXML"),
                   .deleteModel = bch_symbol(h, "mj_deleteModel"),
                   .makeData = bch_symbol(h, "mj_makeData"),
                   .deleteData = bch_symbol(h, "mj_deleteData"),
                   .forward = bch_symbol(h, "mj_forward"),
                   .derivative = bch_symbol(h, "mjd_passive_vel")};
}

// one library with its data, and the Jacobians it is to use
typedef struct {
  const Library* lib;
  int jacobian;
  mjData* d;
} Side;

static double seconds(const Side* side, mjModel* m) {
  m->opt.jacobian = side->jacobian;
  double least = INFINITY;
  for (int b = 0; b < BURSTS; b++) {
    const double start = bch_clock(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < CALLS; i++) side->lib->derivative(m, side->d);
    least = fmin(least, (bch_clock(CLOCK_THREAD_CPUTIME_ID) - start) / CALLS);
  }
  return least;
}

// largest difference of two matrices, relative to the largest entry
static double apart(const mjModel* m, const mjData* a, const mjData* b) {
  double most = 0, size = 0;
  for (int i = 0; i < m->nD; i++) {
    most = fmax(most, fabs(a->qDeriv[i] - b->qDeriv[i]));
    size = fmax(size, fabs(b->qDeriv[i]));
  }
  return most / size;
}

static void bench(mjModel* m, const Library* ref, const Library* ours) {
  Side side[SIDES] = {
      {ref,  mjJAC_DENSE,  NULL},
      {ref,  mjJAC_SPARSE, NULL},
      {ours, mjJAC_AUTO,   NULL},
  };
  double run[SIDES][ROUNDS], median[SIDES];
  for (int k = 0; k < SIDES; k++) {
    m->opt.jacobian = side[k].jacobian;
    side[k].d = side[k].lib->makeData(m);
    for (int i = 0; i < m->nv; i++) side[k].d->qvel[i] = 0.3 * sin(3 * i);
    side[k].lib->forward(m, side[k].d);
    memset(side[k].d->qDeriv, 0, (size_t)m->nD * sizeof(mjtNum));
    side[k].lib->derivative(m, side[k].d);
  }
  const double difference = apart(m, side[2].d, side[0].d);
  for (int r = 0; r < ROUNDS; r++) {
    for (int k = 0; k < SIDES; k++) run[k][r] = seconds(side + k, m);
  }
  for (int k = 0; k < SIDES; k++) median[k] = 1e6 * bch_median(run[k], ROUNDS);
  printf("nv %3d  reference dense %8.1f us, sparse %8.1f us; ours %7.1f us: %.1fx, %.1fx; apart %.1e\n", (int)m->nv,
         median[0], median[1], median[2], median[0] / median[2], median[1] / median[2], difference);
  for (int k = 0; k < SIDES; k++) side[k].lib->deleteData(side[k].d);
}

static mjModel* swimmers(const Library* lib, int trees, int links) {
  static char xml[200000], error[300];
  int n = snprintf(xml, sizeof(xml), "<mujoco><option density='20' viscosity='.3' integrator='implicit'/><worldbody>");
  for (int t = 0; t < trees; t++) {
    n += snprintf(xml + n, sizeof(xml) - (size_t)n,
                  "<body pos='0 %d 0'><freejoint/><geom type='box' size='.05 .03 .02'/>", t);
    for (int i = 0; i < links; i++) {
      n += snprintf(xml + n, sizeof(xml) - (size_t)n,
                    "<body pos='.1 0 0'><joint axis='0 %d %d'/><geom type='capsule' size='.02 .03'%s/>", i % 2,
                    1 - i % 2, i % 3 ? "" : " fluidshape='ellipsoid'");
    }
    for (int i = 0; i <= links; i++) n += snprintf(xml + n, sizeof(xml) - (size_t)n, "</body>");
  }
  n += snprintf(xml + n, sizeof(xml) - (size_t)n, "</worldbody></mujoco>");
  mjVFS vfs;
  lib->openVFS(&vfs);
  lib->addFile(&vfs, "swimmers.xml", xml, n);
  mjModel* const m = lib->load("swimmers.xml", &vfs, error, sizeof(error));
  lib->closeVFS(&vfs);
  if (!m) fprintf(stderr, "%s\n", error);
  return m;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bench_fluid REFERENCE.so OURS.so\n");
    return 2;
  }
  const Library ref = openLibrary(argv[1]), ours = openLibrary(argv[2]);
  static const int sizes[][2] = {
      {6,  44 },
      {8,  44 },
      {10, 44 },
      {1,  294},
  };
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    mjModel* const m = swimmers(&ref, sizes[i][0], sizes[i][1]);
    if (!m) return 1;
    bench(m, &ref, &ours);
    ref.deleteModel(m);
  }
  return 0;
}
