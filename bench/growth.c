// How the time of a step grows with the number of free bodies: boxes that rest on a plane, fly, or sleep.
//
//   bench_growth LIBRARY.so settled|moving|asleep BODIES
//
// Prints processor microseconds of a step: the median of five rounds of as many steps as take a fifth of a second.
// scripts/bench_growth.py makes the page of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { NROUND = 5, MINSTEP = 3, MAXSTEP = 2000, WARM = 20 };
static const double ROUND_SECONDS = 0.2;
static const double SPACING = 0.2;  // metres between boxes of 0.1: none touches another, however it turns

typedef struct {
  __typeof__(&mj_loadXML) load;
  __typeof__(&mj_makeData) makeData;
  __typeof__(&mj_step) step;
} Library;

// boxes on a square grid
static void writeScene(FILE* file, const char* kind, int n) {
  const int asleep = !strcmp(kind, "asleep"), moving = !strcmp(kind, "moving");
  int side = 1;
  while (side * side < n) side++;
  fprintf(file, "<mujoco><option>%s</option><size memory='4G'/><worldbody><geom type='plane' size='0 0 1'/>\n",
          asleep ? "<flag sleep='enable'/>" : "");
  for (int i = 0; i < n; i++) {
    fprintf(file, "<body pos='%g %g %g'%s><freejoint/><geom type='box' size='.05 .05 .05'/></body>\n",
            SPACING * (i % side), SPACING * (i / side), moving ? 1e3 : 0.05, asleep ? " sleep='init'" : "");
  }
  fprintf(file, "</worldbody></mujoco>\n");
}

static mjModel* loadScene(const Library* lib, const char* kind, int n) {
  char path[] = "/tmp/growthXXXXXX.xml", error[1000] = "";
  const int descriptor = mkstemps(path, 4);
  FILE* const file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  writeScene(file, kind, n);
  fclose(file);
  mjModel* const m = lib->load(path, NULL, error, sizeof(error));
  unlink(path);
  if (!m) {
    fprintf(stderr, "bench_growth: %s\n", error);
    exit(1);
  }
  return m;
}

// microseconds a step over so many steps
static double timeSteps(const Library* lib, const mjModel* m, mjData* d, int n) {
  const double start = bch_clock(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < n; i++) lib->step(m, d);
  return 1e6 * (bch_clock(CLOCK_THREAD_CPUTIME_ID) - start) / n;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: bench_growth LIBRARY.so settled|moving|asleep BODIES\n");
    return 2;
  }
  void* const handle = bch_open(argv[1]);
  const Library lib = {bch_symbol(handle, "mj_loadXML"), bch_symbol(handle, "mj_makeData"),
                       bch_symbol(handle, "mj_step")};
  const mjModel* const m = loadScene(&lib, argv[2], atoi(argv[3]));
  mjData* const d = lib.makeData(m);

  // boxes in the air turn
  for (int i = 0; i < (strcmp(argv[2], "moving") ? 0 : m->nv); i++) d->qvel[i] = i % 6 < 3 ? 0 : (i * 7 % 13 - 6) * 0.1;
  const double first = timeSteps(&lib, m, d, WARM);
  const double steps = ROUND_SECONDS * 1e6 / first;
  const int n = steps < MINSTEP ? MINSTEP : steps > MAXSTEP ? MAXSTEP : (int)steps;
  double each[NROUND];
  for (int r = 0; r < NROUND; r++) each[r] = timeSteps(&lib, m, d, n);
  printf("%.2f\n", bch_median(each, NROUND));
  return 0;
}
