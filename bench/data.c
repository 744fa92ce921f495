// Times mjData and mjModel as memory objects against the reference: make, reset, copy, state in and out.
//
//   bench_data REFERENCE.so OURS.so MODELS [model.xml …]   (MODELS is a folder, models are relative to it)
//
// A line gives microseconds of both libraries and their ratio (above 1: ours is faster), each the median of five runs.
// Within a run the libraries take turns in short slices and each counts with its fastest one.
#include <math.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { NRUN = 5, NSLICE = 12, NFLEET = 64 };

// One library with objects of its own.
typedef struct {
  void* handle;
  const mjModel* m;  // shared
  mjModel* copy;     // destination of copies
  mjData *d, *other;
  mjData* fleet[NFLEET];
  mjtNum* state;
} World;

#define CALL(w, name) ((__typeof__(&name))bch_symbol((w)->handle, #name))

//---------------------------------- what is timed ----------------------------------
// One body per line: does it `count` times.

// `function` of the library of w under a name of its own
#define WITH(function) __typeof__(&function) const function##_ = CALL(w, function)

static void makeDelete(World* w, int count) {
  WITH(mj_makeData);
  WITH(mj_deleteData);
  for (int i = 0; i < count; i++) mj_deleteData_(mj_makeData_(w->m));
}

// a world that is used once
static void makeStepDelete(World* w, int count) {
  WITH(mj_makeData);
  WITH(mj_step);
  WITH(mj_deleteData);
  for (int i = 0; i < count; i++) {
    mjData* d = mj_makeData_(w->m);
    mj_step_(w->m, d);
    mj_deleteData_(d);
  }
}

// many worlds at the same time
static void makeFleet(World* w, int count) {
  WITH(mj_makeData);
  WITH(mj_deleteData);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < NFLEET; k++) w->fleet[k] = mj_makeData_(w->m);
    for (int k = 0; k < NFLEET; k++) mj_deleteData_(w->fleet[k]);
  }
}

static void resetData(World* w, int count) {
  WITH(mj_resetData);
  for (int i = 0; i < count; i++) mj_resetData_(w->m, w->other);
}

static void copyData(World* w, int count) {
  WITH(mj_copyData);
  for (int i = 0; i < count; i++) mj_copyData_(w->other, w->m, w->d);
}

static void copyModel(World* w, int count) {
  WITH(mj_copyModel);
  for (int i = 0; i < count; i++) mj_copyModel_(w->copy, w->m);
}

static void getState(World* w, int count) {
  WITH(mj_getState);
  for (int i = 0; i < count; i++) mj_getState_(w->m, w->d, w->state, mjSTATE_INTEGRATION);
}

static void setState(World* w, int count) {
  WITH(mj_setState);
  for (int i = 0; i < count; i++) mj_setState_(w->m, w->other, w->state, mjSTATE_INTEGRATION);
}

typedef struct {
  const char* name;
  void (*body)(World* w, int count);
  int calls;  // per count
} Line;

static const Line LINES[] = {
    {"make, delete",       makeDelete,     1     },
    {"make, step, delete", makeStepDelete, 1     },
    {"make 64, delete 64", makeFleet,      NFLEET},
    {"mj_resetData",       resetData,      1     },
    {"mj_copyData",        copyData,       1     },
    {"mj_copyModel",       copyModel,      1     },
    {"mj_getState",        getState,       1     },
    {"mj_setState",        setState,       1     },
};
enum { NLINE = sizeof(LINES) / sizeof(LINES[0]) };

//---------------------------------- timing ----------------------------------

// microseconds
static double timed(const Line* line, World* w, int count) {
  const double start = bch_clock(CLOCK_MONOTONIC);
  line->body(w, count);
  return 1e6 * (bch_clock(CLOCK_MONOTONIC) - start);
}

// one line of the table; the ratio
static double measure(const Line* line, World w[2]) {
  // slices of about 200 microseconds
  int count = 1;
  while (count < 1 << 16 && timed(line, &w[0], count) < 200) count *= 2;

  double us[2][NRUN], ratio[NRUN];
  for (int run = 0; run < NRUN; run++) {
    us[0][run] = us[1][run] = 1e18;
    for (int slice = 0; slice < NSLICE; slice++) {
      for (int lib = 0; lib < 2; lib++) {
        const int which = (lib + slice) & 1;
        us[which][run] = fmin(us[which][run], timed(line, &w[which], count) / count / line->calls);
      }
    }
    ratio[run] = us[0][run] / us[1][run];
  }
  const double middle = bch_median(ratio, NRUN);
  printf("  %-20s %9.3f %9.3f us  %5.2fx\n", line->name, bch_median(us[0], NRUN), bch_median(us[1], NRUN), middle);
  return middle;
}

//---------------------------------- models ----------------------------------

// objects in a state where contacts exist
static void prepare(World* w, const mjModel* m) {
  w->m = m;
  w->d = CALL(w, mj_makeData)(m);
  w->other = CALL(w, mj_makeData)(m);
  w->copy = CALL(w, mj_copyModel)(NULL, m);
  w->state = malloc(sizeof(mjtNum) * (size_t)CALL(w, mj_stateSize)(m, mjSTATE_INTEGRATION));
  for (int i = 0; i < 50; i++) CALL(w, mj_step)(m, w->d);
  CALL(w, mj_getState)(m, w->d, w->state, mjSTATE_INTEGRATION);
}

static void discard(World* w) {
  CALL(w, mj_deleteData)(w->d);
  CALL(w, mj_deleteData)(w->other);
  CALL(w, mj_deleteModel)(w->copy);
  free(w->state);
}

int main(int argc, char** argv) {
  static const char* const MODELS[] = {"mujoco/humanoid/humanoid.xml", "mujoco/humanoid/22_humanoids.xml",
                                       "menagerie/shadow_hand/right_hand.xml", "gymnasium/ant.xml"};
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so MODELS [model.xml ...]\n", argv[0]);
    return 2;
  }
  World w[2];
  for (int lib = 0; lib < 2; lib++) w[lib].handle = bch_open(argv[1 + lib]);
  const int given = argc - 4, n = given ? given : (int)(sizeof(MODELS) / sizeof(MODELS[0]));
  double least = 1e18;
  for (int i = 0; i < n; i++) {
    char error[300] = "", path[2000];
    snprintf(path, sizeof(path), "%s/%s", argv[3], given ? argv[4 + i] : MODELS[i]);
    mjModel* m = CALL(&w[0], mj_loadXML)(path, NULL, error, sizeof(error));
    if (!m) {
      fprintf(stderr, "%s: %s\n", path, error);
      continue;
    }
    printf("%s: nv %d, nbody %d, ngeom %d\n", path, (int)m->nv, (int)m->nbody, (int)m->ngeom);
    for (int lib = 0; lib < 2; lib++) prepare(&w[lib], m);
    for (int k = 0; k < NLINE; k++) least = fmin(least, measure(&LINES[k], w));
    for (int lib = 0; lib < 2; lib++) discard(&w[lib]);
    CALL(&w[0], mj_deleteModel)(m);
  }
  printf("least %.2f\n", least);
  return 0;
}
