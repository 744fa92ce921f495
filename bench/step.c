// Times whole steps against the reference: the same model, each library its own data.
//
//   bench_step REFERENCE.so OURS.so MODELS [model.xml …]   (MODELS is a folder, models are relative to it)
//
// The two libraries take turns in short runs, so that both see the same machine; a line gives the median of five
// such pairs: microseconds of each and their ratio (above 1: ours is faster). A model whose trees start asleep stays
// asleep: its line is the cost of a step in which nothing happens.
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "support.h"

#define ROUNDS  5
#define SECONDS 0.1  // of one run

// the functions of one library
typedef struct {
  mjData* (*makeData)(const mjModel*);
  void (*deleteData)(mjData*);
  void (*step)(const mjModel*, mjData*);
  mjModel* (*load)(const char*, const mjVFS*, char*, int);
  void (*deleteModel)(mjModel*);
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){bch_symbol(h, "mj_makeData"), bch_symbol(h, "mj_deleteData"), bch_symbol(h, "mj_step"),
                   bch_symbol(h, "mj_loadXML"), bch_symbol(h, "mj_deleteModel")};
}

static double now(void) {
  return bch_clock(CLOCK_MONOTONIC);
}

// seconds a step takes
static double timeSteps(const Library* lib, const mjModel* m, mjData* d, int n) {
  const double start = now();
  for (int i = 0; i < n; i++) lib->step(m, d);
  return (now() - start) / n;
}

static void benchModel(const Library* ref, const Library* our, const mjModel* m, const char* name) {
  mjData *da = ref->makeData(m), *db = our->makeData(m);

  // both settle for as long; then runs of about the same time
  const double once = timeSteps(ref, m, da, 100);
  timeSteps(our, m, db, 100);
  const int n = (int)(SECONDS / once) + 1;
  double a[ROUNDS], b[ROUNDS], ratio[ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    a[r] = timeSteps(ref, m, da, n);
    b[r] = timeSteps(our, m, db, n);
    ratio[r] = a[r] / b[r];
  }
  printf("%-40s %10.2f %10.2f us  %5.2fx  (%d of %d trees awake)\n", name, 1e6 * bch_median(a, ROUNDS),
         1e6 * bch_median(b, ROUNDS), bch_median(ratio, ROUNDS), db->ntree_awake, (int)m->ntree);
  ref->deleteData(da);
  our->deleteData(db);
}

int main(int argc, char** argv) {
  static const char* const MODELS[] = {"mujoco/humanoid/humanoid.xml",    "mujoco/humanoid/22_humanoids.xml",
                                       "mujoco/sleep/100_humanoids.xml",  "mujoco/sleep/dominos.xml",
                                       "gymnasium/inverted_pendulum.xml", "menagerie/shadow_hand/scene_right.xml"};
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODELS [model.xml ...]\n", argv[0]);
    return 2;
  }
  const Library ref = openLibrary(argv[1]), our = openLibrary(argv[2]);
  const int given = argc - 4, n = given ? given : (int)(sizeof(MODELS) / sizeof(MODELS[0]));
  for (int i = 0; i < n; i++) {
    char error[300] = "", path[2000];
    const char* const name = given ? argv[4 + i] : MODELS[i];
    snprintf(path, sizeof(path), "%s/%s", argv[3], name);
    mjModel* m = ref.load(path, NULL, error, sizeof(error));
    if (!m) {
      fprintf(stderr, "%s: %s\n", path, error);
      continue;
    }
    benchModel(&ref, &our, m, name);
    ref.deleteModel(m);
  }
  return 0;
}
