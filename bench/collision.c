// Times mj_collision of two libraries on the same states: bench_collision REFERENCE LIBRARY MODELS
// Prints microseconds a call and the ratio (reference / ours), median of five interleaved rounds. Each round goes
// through consecutive states of a simulation, so that what is kept between steps has to earn its keep.
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { STATES = 24, ROUNDS = 5, REPEAT = 4 };

static const char* MODELS[] = {
    "mujoco/humanoid/humanoid.xml",
    "mujoco/humanoid/humanoid100.xml",
    "mujoco/humanoid/22_humanoids.xml",
    "mujoco/humanoid/100_humanoids.xml",
    "mujoco/sleep/100_humanoids.xml",
    "mujoco/cards/cards.xml",
    "mujoco/cube/cube_3x3x3.xml",
    "mujoco/replicate/bunnies.xml",
    "mujoco/replicate/leaves.xml",
    "mujoco/replicate/stonehenge.xml",
    "mujoco/replicate/particle_free.xml",
    "mujoco/flex/gripper.xml",
    NULL,
};

// what is used of a library
typedef struct {
  mjModel* (*loadXML)(const char*, const mjVFS*, char*, int);
  mjData* (*makeData)(const mjModel*);
  void (*deleteData)(mjData*);
  void (*deleteModel)(mjModel*);
  mjData* (*copyData)(mjData*, const mjModel*, const mjData*);
  void (*step)(const mjModel*, mjData*);
  void (*forward)(const mjModel*, mjData*);
  void (*collision)(const mjModel*, mjData*);
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){.loadXML = bch_symbol(h, "mj_loadXML"),
                   .makeData = bch_symbol(h, "mj_makeData"),
                   .deleteData = bch_symbol(h, "mj_deleteData"),
                   .deleteModel = bch_symbol(h, "mj_deleteModel"),
                   .copyData = bch_symbol(h, "mj_copyData"),
                   .step = bch_symbol(h, "mj_step"),
                   .forward = bch_symbol(h, "mj_forward"),
                   .collision = bch_symbol(h, "mj_collision")};
}

// positions and everything else that collision reads
static void copyArrays(const mjModel* m, mjData* dest, const mjData* src) {
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc) \
  if (m->nr) memcpy(dest->name, src->name, sizeof(type) * (size_t)(m->nr) * (nc));
  {
    MJDATA_POINTERS_PREAMBLE(m)
    (void)nv;
    MJDATA_POINTERS
  }
#undef X
  dest->nbody_awake = src->nbody_awake;
}

static double seconds(void) {
  return bch_clock(CLOCK_MONOTONIC);
}

static double timeOf(const Library* lib, const mjModel* m, mjData* d) {
  const double start = seconds();
  lib->collision(m, d);
  return seconds() - start;
}

static void bench(const Library* ref, const Library* ours, const char* folder, const char* name) {
  char path[1000], error[500] = "";
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  mjModel* m = ref->loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    printf("%-36s %s\n", name, error);
    return;
  }

  // consecutive states after a while
  mjData* sim = ref->makeData(m);
  mjData* state[STATES];
  for (int i = 0; i < 200; i++) ref->step(m, sim);
  for (int i = 0; i < STATES; i++) {
    ref->step(m, sim);
    ref->forward(m, sim);
    state[i] = ref->copyData(NULL, m, sim);
  }

  mjData *d1 = ref->makeData(m), *d2 = ours->makeData(m);
  double time1[ROUNDS], time2[ROUNDS], ratio[ROUNDS];
  int differ = 0;
  for (int r = 0; r < ROUNDS; r++) {
    time1[r] = time2[r] = 0;
    for (int i = 0; i < STATES; i++) {
      double best1 = 1, best2 = 1;
      for (int k = 0; k < REPEAT; k++) {
        copyArrays(m, d1, state[i]);
        best1 = fmin(best1, timeOf(ref, m, d1));
        copyArrays(m, d2, state[i]);
        best2 = fmin(best2, timeOf(ours, m, d2));
      }
      time1[r] += best1;
      time2[r] += best2;
      differ += d1->ncon != d2->ncon;
    }
    ratio[r] = time1[r] / time2[r];
  }
  const double scale = 1e6 / STATES;
  printf("%-36s reference %9.2f us  ours %9.2f us  ratio %5.2f  contacts %d%s\n", name,
         bch_median(time1, ROUNDS) * scale, bch_median(time2, ROUNDS) * scale, bch_median(ratio, ROUNDS), d1->ncon,
         differ ? "  (COUNT DIFFERS)" : "");
  fflush(stdout);

  for (int i = 0; i < STATES; i++) ref->deleteData(state[i]);
  ref->deleteData(d1);
  ours->deleteData(d2);
  ref->deleteData(sim);
  ref->deleteModel(m);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE LIBRARY MODELS [NAME]\n", argv[0]);
    return 1;
  }
  const Library ref = openLibrary(argv[1]), ours = openLibrary(argv[2]);
  if (argc > 4) {
    bench(&ref, &ours, argv[3], argv[4]);
    return 0;
  }
  for (int i = 0; MODELS[i]; i++) bench(&ref, &ours, argv[3], MODELS[i]);
  return 0;
}
