// Times the stages of smooth dynamics against the reference, stage by stage on the same model and state.
//
//   bench_smooth REFERENCE.so OURS.so MODELS [model.xml …]   (MODELS is a folder, models are relative to it)
//
// The two libraries take turns in short runs, so that both see the same machine; a line gives the median of five
// such pairs: microseconds of each and their ratio (above 1: the candidate is faster).
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

#define ROUNDS 5

typedef void (*Stage)(const mjModel*, mjData*);

// the functions of one library
typedef struct {
  mjData* (*makeData)(const mjModel*);
  void (*step)(const mjModel*, mjData*);
  void (*rne)(const mjModel*, mjData*, int, mjtNum*);
  void (*solveM)(const mjModel*, mjData*, mjtNum*, const mjtNum*, int);
  void (*mulM)(const mjModel*, const mjData*, mjtNum*, const mjtNum*);
  void* handle;
} Library;

static Library openLibrary(const char* path) {
  Library lib = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!lib.handle) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  *(void**)&lib.makeData = dlsym(lib.handle, "mj_makeData");
  *(void**)&lib.step = dlsym(lib.handle, "mj_step");
  *(void**)&lib.rne = dlsym(lib.handle, "mj_rne");
  *(void**)&lib.solveM = dlsym(lib.handle, "mj_solveM");
  *(void**)&lib.mulM = dlsym(lib.handle, "mj_mulM");
  return lib;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
  *(void**)&stage = dlsym(lib->handle, line->name);
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

static int less(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
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

static void benchModel(const Library* ref, const Library* can, const mjModel* m, const char* name) {
  mjData *da = ref->makeData(m), *db = can->makeData(m);
  for (int i = 0; i < 50; i++) ref->step(m, da);
  copyState(m, db, da);
  prepare(ref, m, da);
  prepare(can, m, db);
  memcpy(db->qfrc_smooth, da->qfrc_smooth, m->nv * sizeof(mjtNum));
  printf("%s: nv %d, nbody %d, ngeom %d\n", name, (int)m->nv, (int)m->nbody, (int)m->ngeom);

  double total[2] = {0, 0};
  for (int i = 0; i < NLINES; i++) {
    // calls that take about two milliseconds
    const double once = timeCalls(ref, LINES + i, m, da, 20) / 20;
    const int n = once > 1e-4 ? 20 : (int)(2e-3 / (once + 1e-9)) + 1;
    double a[ROUNDS], b[ROUNDS], ratio[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
      a[r] = timeCalls(ref, LINES + i, m, da, n) / n;
      b[r] = timeCalls(can, LINES + i, m, db, n) / n;
      ratio[r] = a[r] / b[r];
    }
    qsort(a, ROUNDS, sizeof(double), less);
    qsort(b, ROUNDS, sizeof(double), less);
    qsort(ratio, ROUNDS, sizeof(double), less);
    if (inEveryStep(i)) {
      total[0] += a[ROUNDS / 2];
      total[1] += b[ROUNDS / 2];
    }
    printf("  %-14s %9.3f %9.3f us  %5.2fx\n", LINES[i].name, 1e6 * a[ROUNDS / 2], 1e6 * b[ROUNDS / 2],
           ratio[ROUNDS / 2]);
  }
  printf("  %-14s %9.3f %9.3f us  %5.2fx\n", "every step", 1e6 * total[0], 1e6 * total[1], total[0] / total[1]);
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
  *(void**)&load = dlsym(ref.handle, "mj_loadXML");
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
  }
  return 0;
}
