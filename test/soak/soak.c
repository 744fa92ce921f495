// soak MINUTES [SCENE...]: contact-rich scenes for a long time, with sleep, threads, resets, copies and reloads. Prints
// how much memory the process has and ends with status 1 when it grows, 2 when a scene fails. Not part of the tests.
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// steps of one life of a scene, and seconds between two lines of the report
enum { STEPS = 400, REPORT = 20 };

// memory may grow by this share and this much, in megabytes, after the first round: allocators keep some
static const double SHARE = 0.02, MEGABYTES = 8;

static const char* const SCENES[] = {"scenes/dominoes.xml",  "scenes/card_house.xml", "scenes/mesh_pile.xml",
                                     "scenes/sleepers.xml",  "scenes/hand.xml",       "scenes/humanoid.xml",
                                     "scenes/quadruped.xml", "scenes/conveyor.xml",   "scenes/terrain.xml"};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// resident memory in megabytes
static double memory(void) {
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static double uniform(void) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / (double)(1 << 24);
}

// steps with random controls and pushes; 0: something is wrong
static int run(const mjModel* m, mjData* d) {
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 2 * uniform() - 1;
    if (k % 100 == 50 && m->nv) d->qvel[(int)(uniform() * (double)m->nv)] += 1;
    char message[500];
    if (sn_step(m, d, message, sizeof(message)) == SN_ERROR) {
      fprintf(stderr, "%s\n", message);
      return 0;
    }
  }
  for (int i = 0; i < m->nq; i++) {
    if (!isfinite(d->qpos[i])) return 0;
  }
  return 1;
}

// loads a scene and lives through it; the way changes from life to life
static int live(const char* scene, int life, mjThreadPool* pool) {
  char error[500];
  mjModel* const m = mj_loadXML(scene, NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "%s: %s\n", scene, error);
    return 0;
  }
  if (life % 2) m->opt.enableflags |= mjENBL_SLEEP;
  m->opt.cone = life % 3 == 1 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  m->opt.solver = life % 5 == 4 ? mjSOL_CG : mjSOL_NEWTON;
  mjData* const d = mj_makeData(m);
  if (life % 4 >= 2) mju_bindThreadPool(d, pool);
  int good = run(m, d);
  mj_resetData(m, d);
  good = good && run(m, d);
  mjData* const copy = mj_copyData(NULL, m, d);
  good = good && copy && run(m, copy);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
  if (!good) fprintf(stderr, "%s failed in life %d\n", scene, life);
  return good;
}

int main(int argc, char** argv) {
  const double minutes = argc > 1 ? atof(argv[1]) : 60;
  const char* const* scene = argc > 2 ? (const char* const*)argv + 2 : SCENES;
  const int nscene = argc > 2 ? argc - 2 : (int)(sizeof(SCENES) / sizeof(SCENES[0]));
  mjThreadPool* const pool = mju_threadPoolCreate(2);
  const double start = now();
  double first = 0, last = 0, told = start;
  int life = 0;

  // the first round of all ways, twenty lives of each scene, fills the caches; what comes then must not need more
  for (int round = 0; now() - start < 60 * minutes || round < 2; round++) {
    for (int way = 0; way < 20; way++) {
      for (int i = 0; i < nscene; i++) {
        if (!live(scene[i], way, pool)) return 2;
        life++;
        if (now() - told < REPORT) continue;
        told = now();
        printf("%6.1f min  %6d lives  %8.1f MB\n", (told - start) / 60, life, memory());
        fflush(stdout);
      }
    }
    last = memory();
    if (!round) first = last;
  }
  mju_threadPoolDestroy(pool);
  printf("%.1f MB after the first round, %.1f MB at the end, %d lives\n", first, last, life);
  return last > first * (1 + SHARE) + MEGABYTES;
}
