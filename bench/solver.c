// Times the constraint stages (make with islands, project, solve) of two libraries on the same states and prints
// ratios.
//
//   bench_solver REFERENCE.so OURS.so MODELS [model.xml …]
// MODELS is a folder; models are given relative to it. Per model some states along the reference's motion are taken;
// each library runs its stages on them again and again, in turn, and the median of five rounds counts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { NSTATE = 6, NROUND = 5, NSTAGE = 3 };
static const char* const STAGES[NSTAGE] = {"make", "project", "solve"};
static const char* const MODELS[] = {
    "mujoco/humanoid/humanoid.xml",      "mujoco/humanoid/humanoid100.xml", "mujoco/humanoid/22_humanoids.xml",
    "mujoco/humanoid/100_humanoids.xml", "mujoco/cards/cards.xml",          "mujoco/cube/cube_3x3x3.xml",
    "mujoco/sleep/dominos.xml",          "mujoco/replicate/stonehenge.xml",
};

// one library
typedef struct {
  void* handle;
  __typeof__(&mj_makeData) makeData;
  __typeof__(&mj_deleteData) deleteData;
  __typeof__(&mj_forward) forward;
  __typeof__(&mj_makeConstraint) make;
  __typeof__(&mj_island) island;
  __typeof__(&mj_projectConstraint) project;
  __typeof__(&mj_referenceConstraint) reference;
  __typeof__(&mj_fwdConstraint) solve;
  __typeof__(&mj_isDual) isDual;
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){h,
                   bch_symbol(h, "mj_makeData"),
                   bch_symbol(h, "mj_deleteData"),
                   bch_symbol(h, "mj_forward"),
                   bch_symbol(h, "mj_makeConstraint"),
                   bch_symbol(h, "mj_island"),
                   bch_symbol(h, "mj_projectConstraint"),
                   bch_symbol(h, "mj_referenceConstraint"),
                   bch_symbol(h, "mj_fwdConstraint"),
                   bch_symbol(h, "mj_isDual")};
}

// processor time in microseconds: other programs on the machine do not count
static double now(void) {
  return 1e6 * bch_clock(CLOCK_PROCESS_CPUTIME_ID);
}

// one stage; all can be run again
static void runStage(const Library* lib, const mjModel* m, mjData* d, int stage) {
  switch (stage) {
    case 0:
      lib->make(m, d);
      lib->island(m, d);
      break;
    case 1:
      lib->project(m, d);
      break;
    default:
      lib->reference(m, d);
      lib->solve(m, d);
  }
}

// mean time of the stages over all states, in microseconds
static void roundOf(const Library* lib, const mjModel* m, mjData* data[NSTATE], int repeat, double mean[NSTAGE]) {
  for (int k = 0; k < NSTAGE; k++) {
    const double start = now();
    for (int s = 0; s < NSTATE; s++) {
      // rows anew first: the stage before has used up arena memory
      for (int r = 0; r < repeat; r++) {
        if (k == 1 && lib->isDual(m)) runStage(lib, m, data[s], 0);
        runStage(lib, m, data[s], k);
      }
    }
    mean[k] = (now() - start) / (repeat * NSTATE);
  }
  if (lib->isDual(m)) mean[1] -= mean[0];
}

// states along the reference's motion, computed by both libraries
static void makeStates(const Library lib[2], const mjModel* m, mjData* data[2][NSTATE]) {
  __typeof__(&mj_step) step = bch_symbol(lib[0].handle, "mj_step");
  mjData* d = lib[0].makeData(m);
  if (m->nkey) ((__typeof__(&mj_resetDataKeyframe))bch_symbol(lib[0].handle, "mj_resetDataKeyframe"))(m, d, 0);
  for (int s = 0; s < NSTATE; s++) {
    for (int i = 0; i < (m->nv > 500 ? 40 : 80); i++) step(m, d);
    for (int k = 0; k < 2; k++) {
      mjData* to = data[k][s] = lib[k].makeData(m);
      memcpy(to->qpos, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
      memcpy(to->qvel, d->qvel, sizeof(mjtNum) * (size_t)m->nv);
      memcpy(to->act, d->act, sizeof(mjtNum) * (size_t)m->na);
      memcpy(to->qacc_warmstart, d->qacc_warmstart, sizeof(mjtNum) * (size_t)m->nv);
      lib[k].forward(m, to);
      memcpy(to->qacc_warmstart, d->qacc_warmstart, sizeof(mjtNum) * (size_t)m->nv);
    }
  }
  lib[0].deleteData(d);
}

// one model; returns the ratio of total times
static double benchModel(const Library lib[2], const char* path) {
  char error[1000] = "";
  __typeof__(&mj_loadXML) load = bch_symbol(lib[0].handle, "mj_loadXML");
  mjModel* m = load(path, NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "%s: %s\n", path, error);
    return NAN;
  }
  m->opt.enableflags &= ~mjENBL_SLEEP;
  mjData* data[2][NSTATE];
  makeStates(lib, m, data);

  // enough repetitions for a tenth of a second a round
  double mean[NSTAGE], all[2][NSTAGE + 1][NROUND], ratio[NROUND];
  roundOf(&lib[0], m, data[0], 1, mean);
  const double once = NSTATE * (mean[0] + mean[1] + mean[2]);
  const int repeat = once > 0 ? 1 + (int)(1e5 / once) : 1000;
  for (int r = 0; r < NROUND; r++) {
    for (int k = 0; k < 2; k++) {
      roundOf(&lib[k], m, data[k], repeat, mean);
      all[k][NSTAGE][r] = 0;
      for (int i = 0; i < NSTAGE; i++) {
        all[k][i][r] = mean[i];
        all[k][NSTAGE][r] += mean[i];
      }
    }
    ratio[r] = all[0][NSTAGE][r] / all[1][NSTAGE][r];
  }

  const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const double total = bch_median(ratio, NROUND);
  int nefc = 0;
  for (int s = 0; s < NSTATE; s++) nefc += data[0][s]->nefc;
  printf("%-24s nv %5d nefc %5d ", name, (int)m->nv, nefc / NSTATE);
  for (int i = 0; i < NSTAGE; i++) {
    printf(" %s %8.2f/%8.2f", STAGES[i], bch_median(all[0][i], NROUND), bch_median(all[1][i], NROUND));
  }
  printf("  ratio %.2f\n", total);
  fflush(stdout);
  for (int k = 0; k < 2; k++) {
    for (int s = 0; s < NSTATE; s++) lib[k].deleteData(data[k][s]);
  }
  ((__typeof__(&mj_deleteModel))bch_symbol(lib[0].handle, "mj_deleteModel"))(m);
  return total;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODELS [model.xml …]\n", argv[0]);
    return 1;
  }
  const Library lib[2] = {openLibrary(argv[1]), openLibrary(argv[2])};
  const int given = argc - 4, n = given ? given : (int)(sizeof(MODELS) / sizeof(MODELS[0]));
  double logsum = 0;
  int counted = 0;
  for (int i = 0; i < n; i++) {
    char path[2000];
    snprintf(path, sizeof(path), "%s/%s", argv[3], given ? argv[4 + i] : MODELS[i]);
    const double ratio = benchModel(lib, path);
    if (ratio > 0) {
      logsum += log(ratio);
      counted++;
    }
  }
  if (counted) printf("geometric mean of reference/ours: %.2f\n", exp(logsum / counted));
  return 0;
}
