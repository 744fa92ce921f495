// Times a batch on request, so that a script can let it take turns with others.
//
//   bench_batch OURS.so MODEL.xml CONTROLS NSTEP NSIM NTHREAD [LANES]
//
// LANES is options.lanes: 1 and -1 force and forbid that simulations run side by side.
// CONTROLS is a file of NSTEP x NSIM x nu doubles. Each word on standard input is a request, answered by the seconds
// of the processor and of the clock that it took, and by a number that depends on the result:
//   batch    all simulations from the initial state, NSTEP calls of sn_batchStep
//   loop     the same by mj_step, an mjData per simulation, all steps of one before the next
//   rounds   the same, a step of each in turn
//   rollout  the same by one sn_batchRollout
//   reset    sn_batchReset of all simulations, ten times
//   resets   mj_resetData of an mjData per simulation, ten times
// and "memory" by the bytes of a simulation, those of an mjData, and how many simulations run side by side.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/batch.h>

#include "support.h"

enum { RESETS = 10 };

static struct {
  __typeof__(mj_loadXML)* load;
  __typeof__(mj_makeData)* makeData;
  __typeof__(mj_resetData)* resetData;
  __typeof__(mj_step)* step;
  __typeof__(sn_defaultBatchOptions)* defaults;
  __typeof__(sn_makeBatch)* make;
  __typeof__(sn_batchField)* field;
  __typeof__(sn_batchStep)* batchStep;
  __typeof__(sn_batchReset)* batchReset;
  __typeof__(sn_batchRollout)* rollout;
  __typeof__(sn_batchMemory)* memory;
  __typeof__(sn_batchLanes)* lanes;
} lib;

static struct {
  mjModel* m;
  mjData** d;  // one per simulation, made when a loop is asked for
  snBatch* b;
  snField ctrl, qpos;
  double *control, *transposed, *record;
  int nstep, nsim, nu, nq;
} bench;

// answers are all that is printed: a loop may warn where a batch keeps it to the simulation
static void ignore(const char* message) {
  (void)message;
}

static void openLibrary(const char* path) {
  void* const h = bch_open(path);
  *(void (**)(const char*))bch_symbol(h, "mju_user_warning") = ignore;
  lib.load = bch_symbol(h, "mj_loadXML");
  lib.makeData = bch_symbol(h, "mj_makeData");
  lib.resetData = bch_symbol(h, "mj_resetData");
  lib.step = bch_symbol(h, "mj_step");
  lib.defaults = bch_symbol(h, "sn_defaultBatchOptions");
  lib.make = bch_symbol(h, "sn_makeBatch");
  lib.field = bch_symbol(h, "sn_batchField");
  lib.batchStep = bch_symbol(h, "sn_batchStep");
  lib.batchReset = bch_symbol(h, "sn_batchReset");
  lib.rollout = bch_symbol(h, "sn_batchRollout");
  lib.memory = bch_symbol(h, "sn_batchMemory");
  lib.lanes = bch_symbol(h, "sn_batchLanes");
}

static void* allocate(size_t count) {
  void* const block = calloc(count ? count : 1, sizeof(double));
  if (!block) exit(2);
  return block;
}

static void readControls(const char* path) {
  const size_t n = (size_t)bench.nstep * (size_t)bench.nsim * (size_t)bench.nu;
  bench.control = allocate(n);
  FILE* const file = fopen(path, "rb");
  if (!file || fread(bench.control, sizeof(double), n, file) != n) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  fclose(file);

  // a rollout takes them simulation by simulation
  bench.transposed = allocate(n);
  bench.record = allocate((size_t)bench.nstep * (size_t)bench.nsim * (size_t)bench.nq);
  for (int t = 0; t < bench.nstep; t++) {
    for (int i = 0; i < bench.nsim; i++) {
      memcpy(bench.transposed + ((size_t)i * (size_t)bench.nstep + (size_t)t) * (size_t)bench.nu,
             bench.control + ((size_t)t * (size_t)bench.nsim + (size_t)i) * (size_t)bench.nu,
             sizeof(double) * (size_t)bench.nu);
    }
  }
}

static void needData(void) {
  if (bench.d) return;
  bench.d = allocate((size_t)bench.nsim);
  for (int i = 0; i < bench.nsim; i++) bench.d[i] = lib.makeData(bench.m);
}

// first coordinate, where there is one
static double firstOf(const double* qpos) {
  return bench.nq ? qpos[0] : 0;
}

static double runBatch(void) {
  const size_t bytes = sizeof(double) * (size_t)bench.nsim * (size_t)bench.nu;
  lib.batchReset(bench.b, NULL, -1);
  for (int t = 0; t < bench.nstep; t++) {
    memcpy(bench.ctrl.data, (char*)bench.control + (size_t)t * bytes, bytes);
    lib.batchStep(bench.b, NULL, 1);
  }
  return firstOf(bench.qpos.data);
}

static void stepOne(int i, int t) {
  memcpy(bench.d[i]->ctrl, bench.control + ((size_t)t * (size_t)bench.nsim + (size_t)i) * (size_t)bench.nu,
         sizeof(double) * (size_t)bench.nu);
  lib.step(bench.m, bench.d[i]);
}

static double runLoop(void) {
  for (int i = 0; i < bench.nsim; i++) {
    lib.resetData(bench.m, bench.d[i]);
    for (int t = 0; t < bench.nstep; t++) stepOne(i, t);
  }
  return firstOf(bench.d[0]->qpos);
}

static double runRounds(void) {
  for (int i = 0; i < bench.nsim; i++) lib.resetData(bench.m, bench.d[i]);
  for (int t = 0; t < bench.nstep; t++) {
    for (int i = 0; i < bench.nsim; i++) stepOne(i, t);
  }
  return firstOf(bench.d[0]->qpos);
}

static double runRollout(void) {
  const char* const record[] = {"qpos"};
  void* const out[] = {bench.record};
  const int spec = bench.nu ? mjSTATE_CTRL : 0;
  const snRollout r = {bench.nstep, 1, spec, spec ? bench.transposed : NULL, 1, record, out};
  lib.batchReset(bench.b, NULL, -1);
  lib.rollout(bench.b, NULL, &r);
  return firstOf(bench.qpos.data);
}

static double runReset(void) {
  for (int k = 0; k < RESETS; k++) lib.batchReset(bench.b, NULL, -1);
  return firstOf(bench.qpos.data);
}

static double runResets(void) {
  for (int k = 0; k < RESETS; k++) {
    for (int i = 0; i < bench.nsim; i++) lib.resetData(bench.m, bench.d[i]);
  }
  return firstOf(bench.d[0]->qpos);
}

// of an mjData: the struct, its buffer, and what its first step took of the arena
static void answerMemory(void) {
  mjData* const d = lib.makeData(bench.m);
  lib.step(bench.m, d);
  const double one = (double)(sizeof(mjData) + (size_t)d->nbuffer + (size_t)d->maxuse_arena);
  printf("%.9g %.9g %d\n", (double)lib.memory(bench.b) / bench.nsim, one, lib.lanes(bench.b, 0));
  fflush(stdout);
}

static void answer(const char* request) {
  static const struct {
    const char* name;
    double (*run)(void);
    int data;
  } JOBS[] = {
      {"batch",   runBatch,   0},
      {"loop",    runLoop,    1},
      {"rounds",  runRounds,  1},
      {"rollout", runRollout, 0},
      {"reset",   runReset,   0},
      {"resets",  runResets,  1},
  };
  if (!strcmp(request, "memory")) {
    answerMemory();
    return;
  }
  for (size_t k = 0; k < sizeof(JOBS) / sizeof(JOBS[0]); k++) {
    if (strcmp(JOBS[k].name, request)) continue;
    if (JOBS[k].data) needData();
    const double cpu = bch_clock(CLOCK_PROCESS_CPUTIME_ID), wall = bch_clock(CLOCK_MONOTONIC);
    const double result = JOBS[k].run();
    printf("%.9g %.9g %.17g\n", bch_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu, bch_clock(CLOCK_MONOTONIC) - wall, result);
    fflush(stdout);
    return;
  }
  fprintf(stderr, "no request '%s'\n", request);
  exit(2);
}

int main(int argc, char** argv) {
  if (argc < 7 || argc > 8) {
    fprintf(stderr, "usage: %s OURS.so MODEL.xml CONTROLS NSTEP NSIM NTHREAD [LANES]\n", argv[0]);
    return 2;
  }
  char message[500] = "";
  openLibrary(argv[1]);
  bench.m = lib.load(argv[2], NULL, message, sizeof(message));
  if (!bench.m) return fprintf(stderr, "%s\n", message), 2;
  bench.nstep = atoi(argv[4]);
  bench.nsim = atoi(argv[5]);
  bench.nu = (int)bench.m->nu;
  bench.nq = (int)bench.m->nq;
  readControls(argv[3]);
  snBatchOptions options;
  lib.defaults(&options);
  options.nthread = atoi(argv[6]);
  if (argc > 7) options.lanes = atoi(argv[7]);
  bench.b = lib.make((const mjModel* const*)&bench.m, 1, NULL, bench.nsim, &options, message, sizeof(message));
  if (!bench.b) return fprintf(stderr, "%s\n", message), 2;
  lib.field(bench.b, 0, "ctrl", &bench.ctrl);
  lib.field(bench.b, 0, "qpos", &bench.qpos);
  char request[32];
  while (scanf("%31s", request) == 1) answer(request);
  return 0;
}
