// Times whole steps against the reference: the same model, each library its own data.
//
//   bench_step REFERENCE.so OURS.so MODELS [model.xml …]   (MODELS is a folder, models are relative to it)
//
// The two libraries take turns in short runs, so that both see the same machine; a line gives the median of five
// such pairs: microseconds of each and their ratio (above 1: ours is faster). A model whose trees start asleep stays
// asleep: its line is the cost of a step in which nothing happens.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mujoco/mujoco.h>

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
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  Library lib;
  *(void**)&lib.makeData = dlsym(handle, "mj_makeData");
  *(void**)&lib.deleteData = dlsym(handle, "mj_deleteData");
  *(void**)&lib.step = dlsym(handle, "mj_step");
  *(void**)&lib.load = dlsym(handle, "mj_loadXML");
  *(void**)&lib.deleteModel = dlsym(handle, "mj_deleteModel");
  return lib;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// seconds a step takes
static double timeSteps(const Library* lib, const mjModel* m, mjData* d, int n) {
  const double start = now();
  for (int i = 0; i < n; i++) lib->step(m, d);
  return (now() - start) / n;
}

static int less(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
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
  qsort(a, ROUNDS, sizeof(double), less);
  qsort(b, ROUNDS, sizeof(double), less);
  qsort(ratio, ROUNDS, sizeof(double), less);
  printf("%-40s %10.2f %10.2f us  %5.2fx  (%d of %d trees awake)\n", name, 1e6 * a[ROUNDS / 2], 1e6 * b[ROUNDS / 2],
         ratio[ROUNDS / 2], db->ntree_awake, (int)m->ntree);
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
