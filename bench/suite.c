// Whole steps, their stages and loading: both libraries in one process, model by model.
//
//   bench_suite REFERENCE.so OURS.so MODEL.xml …
//
// Steps: five rounds from the initial state with random controls that both get. In a round the libraries take turns
// every few steps, so that both see the same machine; the time is the processor's, which does not count what other
// programs take, and the median of the five ratios counts. Stages: the same once more with the libraries' own timers
// (mjData.timer) running, the least of five. Loading: with empty caches, the best of up to three. Each library steps
// the model that it compiled itself. One line per model, tab-separated, see printResult; scripts/bench.py makes tables
// of them. A model runs in a process of its own: a crash costs one line.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { NROUND = 5, MINBLOCK = 5, MAXBLOCK = 50, MINSTEP = 20, MAXSTEP = 20000, NSTAGE = 9 };
static const double ROUND_SECONDS = 0.2;  // of both libraries together; below, scheduling shows in the ratio
static const double TURN_SECONDS = 1e-4;  // of one library; reading the clock takes a fraction of a percent of it
static const double LOAD_SECONDS = 0.6;   // no further load is begun after this

static const struct {
  const char* name;
  int timer;
} STAGES[NSTAGE] = {
    {"kinematics", mjTIMER_POS_KINEMATICS},
    {"inertia",    mjTIMER_POS_INERTIA   },
    {"collision",  mjTIMER_POS_COLLISION },
    {"rows",       mjTIMER_POS_MAKE      },
    {"project",    mjTIMER_POS_PROJECT   },
    {"velocity",   mjTIMER_VELOCITY      },
    {"actuation",  mjTIMER_ACTUATION     },
    {"solver",     mjTIMER_CONSTRAINT    },
    {"integrate",  mjTIMER_ADVANCE       },
};

// one library with its model and data
typedef struct {
  __typeof__(&mj_loadXML) load;
  __typeof__(&mj_deleteModel) deleteModel;
  __typeof__(&mj_makeData) makeData;
  __typeof__(&mj_resetData) reset;
  __typeof__(&mj_step) step;
  __typeof__(&mj_getCache) getCache;
  __typeof__(&mj_clearCache) clearCache;
  mjfTime* time;
  const mjModel* m;
  mjData* d;
} Library;

// what was measured of one library, in microseconds a step and milliseconds a load
typedef struct {
  double step, load;
  double stage[NSTAGE];
} Times;

// warnings (a diverging model) would end up among the results
static void ignore(const char* message) {
  (void)message;
}

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  *(void (**)(const char*))bch_symbol(h, "mju_user_warning") = ignore;
  return (Library){.load = bch_symbol(h, "mj_loadXML"),
                   .deleteModel = bch_symbol(h, "mj_deleteModel"),
                   .makeData = bch_symbol(h, "mj_makeData"),
                   .reset = bch_symbol(h, "mj_resetData"),
                   .step = bch_symbol(h, "mj_step"),
                   .getCache = bch_symbol(h, "mj_getCache"),
                   .clearCache = bch_symbol(h, "mj_clearCache"),
                   .time = bch_symbol(h, "mjcb_time")};
}

// seconds, on the wall and of this thread
static double now(void) {
  return bch_clock(CLOCK_MONOTONIC);
}

static double worked(void) {
  return bch_clock(CLOCK_THREAD_CPUTIME_ID);
}

// clock of the stage timers: the cheapest there is, its unit drops out
static mjtNum ticks(void) {
#if defined(__x86_64__)
  return (mjtNum)__builtin_ia32_rdtsc();
#else
  return now();
#endif
}

// seconds of one load with an empty cache; keeps the model as lib->m
static double timeLoad(Library* lib, const char* path) {
  char error[300] = "";
  if (lib->m) lib->deleteModel((mjModel*)lib->m);
  lib->clearCache(lib->getCache());
  const double start = now();
  lib->m = lib->load(path, NULL, error, sizeof(error));
  const double seconds = now() - start;
  if (!lib->m) {
    fprintf(stderr, "bench_suite: %s: %s\n", path, error);
    exit(3);
  }
  return seconds;
}

static void timeLoads(Library lib[2], const char* path, Times times[2]) {
  // once for the files to be in the system's cache
  timeLoad(&lib[0], path);
  const double begin = now();
  for (int i = 0; i < 3 && now() - begin < LOAD_SECONDS; i++) {
    for (int k = 0; k < 2; k++) {
      const double ms = 1e3 * timeLoad(&lib[k], path);
      if (i == 0 || ms < times[k].load) times[k].load = ms;
    }
  }
}

// the same random controls for both, within their range or [-1, 1]
static void randomControls(const Library lib[2], uint64_t* seed) {
  const mjModel* m = lib[0].m;
  for (int i = 0; i < m->nu; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(*seed >> 11) * 0x1p-53;
    const double low = m->actuator_ctrllimited[i] ? m->actuator_ctrlrange[2 * i] : -1;
    const double high = m->actuator_ctrllimited[i] ? m->actuator_ctrlrange[2 * i + 1] : 1;
    for (int k = 0; k < 2; k++) lib[k].d->ctrl[i] = low + unit * (high - low);
  }
}

// how many steps a round has, and how many a library makes before it is the other's turn
typedef struct {
  int nstep, block;
} Plan;

// seconds of a round from the initial state, in turns
static void runRound(const Library lib[2], Plan plan, double seconds[2]) {
  uint64_t seed = 7;
  for (int k = 0; k < 2; k++) {
    lib[k].reset(lib[k].m, lib[k].d);
    seconds[k] = 0;
  }
  for (int step = 0; step < plan.nstep; step += plan.block) {
    randomControls(lib, &seed);
    for (int k = 0; k < 2; k++) {
      const double start = worked();
      for (int i = 0; i < plan.block; i++) lib[k].step(lib[k].m, lib[k].d);
      seconds[k] += worked() - start;
    }
  }
}

static int clamp(double value, int low, int high) {
  return value < low ? low : value > high ? high : (int)value;
}

// rounds of a given length; some steps tell how long one takes
static Plan makePlan(const Library lib[2]) {
  double seconds[2];
  runRound(lib, (Plan){MINSTEP, MINBLOCK}, seconds);
  const double step = (seconds[0] + seconds[1]) / (2 * MINSTEP);
  const int block = clamp(TURN_SECONDS / step, MINBLOCK, MAXBLOCK);
  const int nstep = clamp(ROUND_SECONDS / (2 * step), MINSTEP, MAXSTEP);
  return (Plan){(nstep + block - 1) / block * block, block};
}

// returns the median of the rounds' ratios
static double timeSteps(const Library lib[2], Plan plan, Times times[2]) {
  double each[2][NROUND], ratio[NROUND];
  for (int r = 0; r < NROUND; r++) {
    double seconds[2];
    runRound(lib, plan, seconds);
    for (int k = 0; k < 2; k++) each[k][r] = 1e6 * seconds[k] / plan.nstep;
    ratio[r] = seconds[0] / seconds[1];
  }
  for (int k = 0; k < 2; k++) times[k].step = bch_median(each[k], NROUND);
  return bch_median(ratio, NROUND);
}

// stage times, scaled such that ticks become microseconds; the least of the rounds, because one interruption is longer
// than a stage
static void timeStages(const Library lib[2], Plan plan, Times times[2]) {
  for (int k = 0; k < 2; k++) *lib[k].time = ticks;
  for (int r = 0; r < NROUND; r++) {
    double seconds[2];
    const double begin = now(), ticksBegin = ticks();
    runRound(lib, plan, seconds);
    const double unit = 1e6 * (now() - begin) / (ticks() - ticksBegin) / plan.nstep;
    for (int k = 0; k < 2; k++) {
      for (int s = 0; s < NSTAGE; s++) {
        const double us = unit * lib[k].d->timer[STAGES[s].timer].duration;
        if (r == 0 || us < times[k].stage[s]) times[k].stage[s] = us;
      }
    }
  }
  for (int k = 0; k < 2; k++) *lib[k].time = NULL;
}

// model, degrees of freedom, contacts at the end; step µs of both and their ratio; load ms of both; stages µs of both
static void printResult(const char* path, const Library* lib, const Times times[2], double ratio) {
  printf("%s\t%d\t%d\t%.4g\t%.4g\t%.4f\t%.4g\t%.4g", path, (int)lib->m->nv, lib->d->ncon, times[0].step, times[1].step,
         ratio, times[0].load, times[1].load);
  for (int s = 0; s < NSTAGE; s++) printf("\t%s\t%.4g\t%.4g", STAGES[s].name, times[0].stage[s], times[1].stage[s]);
  printf("\n");
}

static void benchModel(Library lib[2], const char* path) {
  Times times[2] = {0};
  timeLoads(lib, path, times);
  for (int k = 0; k < 2; k++) lib[k].d = lib[k].makeData(lib[k].m);
  const Plan plan = makePlan(lib);
  const double ratio = timeSteps(lib, plan, times);
  const Plan shorter = {(plan.nstep / NROUND / plan.block + 1) * plan.block, plan.block};
  timeStages(lib, shorter, times);
  printResult(path, &lib[1], times, ratio);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODEL.xml ...\n", argv[0]);
    return 2;
  }
  int failed = 0;
  for (int i = 3; i < argc; i++) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      Library lib[2] = {openLibrary(argv[1]), openLibrary(argv[2])};
      benchModel(lib, argv[i]);
      fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status) {
      fprintf(stderr, "bench_suite: %s left out (%s %d)\n", argv[i], WIFSIGNALED(status) ? "signal" : "exit",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
      failed = 1;
    }
  }
  return failed;
}
