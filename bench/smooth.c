// Times the stages of smooth dynamics against the reference, stage by stage on the same model and state.
//
//   bench_smooth REFERENCE.so OURS.so MODELS [model.xml …]   (MODELS is a folder, models are relative to it)
//
// The two libraries take turns in bursts of a few hundred microseconds, so that both see the same machine; a run is the
// quickest of its bursts, which other programs disturb least. A line gives the median of five runs: microseconds of
// each library and their ratio (above 1: the candidate is faster).
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support.h"

#define ROUNDS        5
#define BURSTS        12
#define BURST_SECONDS 1.5e-4

typedef void (*Stage)(const mjModel*, mjData*);

// the functions of one library
typedef struct {
  mjData* (*makeData)(const mjModel*);
  void (*deleteData)(mjData*);
  void (*step)(const mjModel*, mjData*);
  void (*rne)(const mjModel*, mjData*, int, mjtNum*);
  void (*solveM)(const mjModel*, mjData*, mjtNum*, const mjtNum*, int);
  void (*mulM)(const mjModel*, const mjData*, mjtNum*, const mjtNum*);
  void* handle;
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){.makeData = bch_symbol(h, "mj_makeData"),
                   .deleteData = bch_symbol(h, "mj_deleteData"),
                   .step = bch_symbol(h, "mj_step"),
                   .rne = bch_symbol(h, "mj_rne"),
                   .solveM = bch_symbol(h, "mj_solveM"),
                   .mulM = bch_symbol(h, "mj_mulM"),
                   .handle = h};
}

static double now(void) {
  return bch_clock(CLOCK_MONOTONIC);
}

// one line of the table: a function of the usual form, or one that needs more arguments
enum { PLAIN, RNE, SOLVE, MULTIPLY };
typedef struct {
  const char* name;
  int kind;
} Line;

static const Line LINES[] = {
    {"mj_kinematics", PLAIN   },
    {"mj_comPos",     PLAIN   },
    {"mj_camlight",   PLAIN   },
    {"mj_flex",       PLAIN   },
    {"mj_tendon",     PLAIN   },
    {"mj_makeM",      PLAIN   },
    {"mj_factorM",    PLAIN   },
    {"mj_comVel",     PLAIN   },
    {"mj_rne",        RNE     },
    {"mj_solveM",     SOLVE   },
    {"mj_mulM",       MULTIPLY},
    {"mj_energyPos",  PLAIN   },
    {"mj_subtreeVel", PLAIN   }
};
#define NLINES ((int)(sizeof(LINES) / sizeof(LINES[0])))

// the stages of every step, whose times are added up
static int inEveryStep(int line) {
  return line <= 9;
}

// seconds for n calls
static double timeCalls(const Library* lib, const Line* line, const mjModel* m, mjData* d, int n) {
  Stage stage = NULL;
  if (line->kind == PLAIN) *(void**)&stage = bch_symbol(lib->handle, line->name);
  const double start = now();
  for (int i = 0; i < n; i++) {
    switch (line->kind) {
      case PLAIN:
        stage(m, d);
        break;
      case RNE:
        lib->rne(m, d, 0, d->qfrc_bias);
        break;
      case SOLVE:
        lib->solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
        break;
      default:
        lib->mulM(m, d, d->qacc_smooth, d->qvel);
    }
  }
  return now() - start;
}

static void copyState(const mjModel* m, mjData* to, const mjData* from) {
  memcpy(to->qpos, from->qpos, m->nq * sizeof(mjtNum));
  memcpy(to->qvel, from->qvel, m->nv * sizeof(mjtNum));
  if (m->nmocap) memcpy(to->mocap_pos, from->mocap_pos, 3 * m->nmocap * sizeof(mjtNum));
  if (m->nmocap) memcpy(to->mocap_quat, from->mocap_quat, 4 * m->nmocap * sizeof(mjtNum));
}

// fills what the stages read, in order
static void prepare(const Library* lib, const mjModel* m, mjData* d) {
  for (int i = 0; i < NLINES; i++) timeCalls(lib, LINES + i, m, d, 1);
}

// a library and the data it works on
typedef struct {
  const Library* lib;
  mjData* d;
} Side;

// median seconds per call of both sides, the candidate's second
static void benchLine(const Line* line, const mjModel* m, const Side side[2], double seconds[2]) {
  const double once = timeCalls(side[0].lib, line, m, side[0].d, 20) / 20;
  const int n = (int)(BURST_SECONDS / (once + 1e-9)) + 1;
  double run[2][ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    run[0][r] = run[1][r] = 1;
    for (int b = 0; b < BURSTS; b++) {
      for (int k = 0; k < 2; k++) {
        const double burst = timeCalls(side[k].lib, line, m, side[k].d, n) / n;
        if (burst < run[k][r]) run[k][r] = burst;
      }
    }
  }
  for (int k = 0; k < 2; k++) seconds[k] = bch_median(run[k], ROUNDS);
}

static void printLine(const char* name, const double seconds[2]) {
  printf("  %-14s %9.3f %9.3f us  %5.2fx\n", name, 1e6 * seconds[0], 1e6 * seconds[1], seconds[0] / seconds[1]);
}

static void benchModel(const Library* ref, const Library* can, const mjModel* m, const char* name) {
  const Side side[2] = {
      {ref, ref->makeData(m)},
      {can, can->makeData(m)}
  };
  for (int i = 0; i < 50; i++) ref->step(m, side[0].d);
  copyState(m, side[1].d, side[0].d);
  prepare(ref, m, side[0].d);
  prepare(can, m, side[1].d);
  memcpy(side[1].d->qfrc_smooth, side[0].d->qfrc_smooth, m->nv * sizeof(mjtNum));
  printf("%s: nv %d, nbody %d, ngeom %d\n", name, (int)m->nv, (int)m->nbody, (int)m->ngeom);

  double total[2] = {0, 0};
  for (int i = 0; i < NLINES; i++) {
    double seconds[2];
    benchLine(LINES + i, m, side, seconds);
    printLine(LINES[i].name, seconds);
    for (int k = 0; k < 2; k++) total[k] += inEveryStep(i) ? seconds[k] : 0;
  }
  printLine("every step", total);
  ref->deleteData(side[0].d);
  can->deleteData(side[1].d);
}

int main(int argc, char** argv) {
  static const char* const MODELS[] = {"mujoco/humanoid/humanoid.xml", "mujoco/humanoid/22_humanoids.xml",
                                       "menagerie/shadow_hand/right_hand.xml", "gymnasium/ant.xml"};
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODELS [model.xml ...]\n", argv[0]);
    return 2;
  }
  const Library ref = openLibrary(argv[1]), can = openLibrary(argv[2]);
  mjModel* (*load)(const char*, const mjVFS*, char*, int) = NULL;
  void (*deleteModel)(mjModel*) = NULL;
  *(void**)&load = bch_symbol(ref.handle, "mj_loadXML");
  *(void**)&deleteModel = bch_symbol(ref.handle, "mj_deleteModel");
  const int given = argc - 4, n = given ? given : (int)(sizeof(MODELS) / sizeof(MODELS[0]));
  for (int i = 0; i < n; i++) {
    char error[300] = "", path[2000];
    snprintf(path, sizeof(path), "%s/%s", argv[3], given ? argv[4 + i] : MODELS[i]);
    mjModel* m = load(path, NULL, error, sizeof(error));
    if (!m) {
      fprintf(stderr, "%s: %s\n", path, error);
      continue;
    }
    benchModel(&ref, &can, m, path);
    deleteModel(m);
  }
  return 0;
}
