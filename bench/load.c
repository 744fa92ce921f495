// Times loading (mj_loadXML, then mj_deleteModel) with two libraries and prints ratios.
//
//   bench_load REFERENCE.so OURS.so MODELS [model.xml …]
// MODELS is a folder; models are given relative to it. Cold: neither library keeps assets from one load to the next.
// The libraries take turns; the medians of the rounds' ratios count, of wall time and of processor time (all threads).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { MINROUND = 5, MAXROUND = 41 };
static const double SECONDS = 1.0;  // of rounds a model, between the two limits

static const char* const MODELS[] = {
    "menagerie/agility_cassie/scene.xml",
    "menagerie/iit_softfoot/scene.xml",
    "menagerie/kuka_iiwa_14/scene.xml",
    "menagerie/pal_tiago/scene_motor.xml",
    "menagerie/robotiq_2f85/scene.xml",
    "menagerie/shadow_hand/scene_right.xml",
    "menagerie/skydio_x2/scene.xml",
    "menagerie/trossen_wx250s/scene.xml",
    "menagerie/wonik_allegro/scene_left.xml",
    "menagerie/bitcraze_crazyflie_2/scene.xml",
    "mujoco/mug/mug.xml",
    "mujoco/replicate/bunnies.xml",
    "mujoco/humanoid/100_humanoids.xml",
    "mujoco/humanoid/humanoid.xml",
};

// one library
typedef struct {
  __typeof__(&mj_loadXML) load;
  __typeof__(&mj_deleteModel) delete;
} Library;

// elapsed time, and processor time of all threads, in milliseconds
typedef struct {
  double wall, cpu;
} Times;

// without the cache of assets
static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  __typeof__(&mj_getCache) getCache = bch_symbol(h, "mj_getCache");
  __typeof__(&mj_setCacheCapacity) setCapacity = bch_symbol(h, "mj_setCacheCapacity");
  setCapacity(getCache(), 0);
  return (Library){bch_symbol(h, "mj_loadXML"), bch_symbol(h, "mj_deleteModel")};
}

static Times now(void) {
  return (Times){1e3 * bch_clock(CLOCK_MONOTONIC), 1e3 * bch_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

// one load; 0: it failed
static int timeLoad(const Library* lib, const char* path, Times* t) {
  char error[1000] = "";
  const Times start = now();
  mjModel* const m = lib->load(path, NULL, error, sizeof(error));
  lib->delete (m);
  const Times end = now();
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  *t = (Times){end.wall - start.wall, end.cpu - start.cpu};
  return m != NULL;
}

// one model; returns the ratio of elapsed times, NAN: it does not load
static double benchModel(const Library lib[2], const char* path, const char* name) {
  double wall[2][MAXROUND], cpu[2][MAXROUND], ratio[2][MAXROUND];

  // once to have the files in memory
  Times first[2];
  for (int k = 0; k < 2; k++) {
    if (!timeLoad(&lib[k], path, &first[k])) return NAN;
  }
  const double once = first[0].wall + first[1].wall;
  const int wanted = (int)(1e3 * SECONDS / once), n = wanted < MINROUND   ? MINROUND
                                                      : wanted > MAXROUND ? MAXROUND
                                                                          : wanted;
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < 2; k++) {
      Times t;
      if (!timeLoad(&lib[k], path, &t)) return NAN;
      wall[k][r] = t.wall;
      cpu[k][r] = t.cpu;
    }
    ratio[0][r] = wall[0][r] / wall[1][r];
    ratio[1][r] = cpu[0][r] / cpu[1][r];
  }
  const double total = bch_median(ratio[0], n);
  printf("%-44s %9.2f / %8.2f ms  ratio %6.2f   processor %9.2f / %8.2f ms  ratio %6.2f\n", name,
         bch_median(wall[0], n), bch_median(wall[1], n), total, bch_median(cpu[0], n), bch_median(cpu[1], n),
         bch_median(ratio[1], n));
  fflush(stdout);
  return total;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODELS [model.xml …]\n", argv[0]);
    return 1;
  }
  const Library lib[2] = {openLibrary(argv[1]), openLibrary(argv[2])};
  const int given = argc - 4, n = given ? given : (int)(sizeof(MODELS) / sizeof(MODELS[0]));
  double logsum = 0, least = INFINITY;
  int counted = 0;
  for (int i = 0; i < n; i++) {
    const char* const name = given ? argv[4 + i] : MODELS[i];
    char path[2000];
    snprintf(path, sizeof(path), "%s/%s", argv[3], name);
    const double ratio = benchModel(lib, path, name);
    if (!(ratio > 0)) continue;
    logsum += log(ratio);
    least = ratio < least ? ratio : least;
    counted++;
  }
  if (counted) printf("reference/ours: geometric mean %.2f, least %.2f\n", exp(logsum / counted), least);
  return 0;
}
