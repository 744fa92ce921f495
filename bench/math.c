// Micro-benchmark of the public math functions: two libraries side by side.
//
//     bench_math REFERENCE.so OURS.so [name]
//
// For each function and length it prints reference time / our time: above 1 ours is faster. A figure is the median of
// five runs, each a process of its own: a call of few nanoseconds costs a cycle more or less with the addresses that
// the libraries are loaded at. Within a run both take turns in slices that are short against what interrupts them, and
// each counts with its fastest one, so that other load on the machine hits both or neither. With a name, only the
// functions that contain it, and below each row both times in ns.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { NMAX = 64, NRUN = 5, NSLICE = 20, NLENGTH = 14 };
static const int LENGTHS[NLENGTH] = {3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 27, 32, 48, 64};

// Operands, filled once; matrices that are factored are copied first. The gaps keep arrays from sharing the low bits of
// their addresses, which would make loads wait for unrelated stores.
static struct {
  double a[NMAX * NMAX], gap1[24], b[NMAX * NMAX], gap2[40], spd[NMAX * NMAX], gap3[56], factor[NMAX * NMAX], gap4[72];
  double res[NMAX * (NMAX + 7)], gap5[88], x[NMAX], y[NMAX], quat[4], quat2[4], mat[9];
  int rownnz[NMAX], rowadr[NMAX], colind[NMAX * NMAX];
} D __attribute__((aligned(64)));

// keeps results alive
static volatile double sink;

// Operands that a function overwrites, in blocks of eight: the C library's copy takes another way for every size, and
// whether its branches are foreseen depends on the addresses of what runs between two copies.
static void fresh(const double* from, int n) {
  for (int i = 0; i < n; i += 8) memcpy(D.res + i, from + i, 8 * sizeof(double));
}

//---------------------------------- the functions ----------------------------------
// One body per function: calls it `count` times.

#define BODY(name, n, statement)                             \
  static void body_##name(void* address, int n, int count) { \
    __typeof__(&mju_##name) f = (__typeof__(f))address;      \
    for (int rep = 0; rep < count; rep++) {                  \
      statement;                                             \
    }                                                        \
    (void)(n);                                               \
  }

// any length
BODY(dot, n, sink = f(D.a, D.b, n))
BODY(sum, n, sink = f(D.a, n))
BODY(L1, n, sink = f(D.a, n))
BODY(norm, n, sink = f(D.a, n))
BODY(normalize, n, fresh(D.a, n); sink = f(D.res, n))
BODY(zero, n, f(D.res, n))
BODY(fill, n, f(D.res, 1, n))
BODY(copy, n, f(D.res, D.a, n))
BODY(scl, n, f(D.res, D.a, 0.5, n))
BODY(add, n, f(D.res, D.a, D.b, n))
BODY(sub, n, f(D.res, D.a, D.b, n))
BODY(addTo, n, f(D.res, D.x, n))
BODY(subFrom, n, f(D.res, D.x, n))
BODY(addToScl, n, f(D.res, D.x, 1e-9, n))
BODY(addScl, n, f(D.res, D.a, D.b, 0.5, n))
BODY(mulMatVec, n, f(D.res, D.a, D.x, n, n))
BODY(mulMatTVec, n, f(D.res, D.a, D.x, n, n))
BODY(mulVecMatVec, n, sink = f(D.x, D.a, D.y, n))
BODY(mulMatMat, n, f(D.res, D.a, D.b, n, n, n))
BODY(mulMatMatT, n, f(D.res, D.a, D.b, n, n, n))
BODY(mulMatTMat, n, f(D.res, D.a, D.b, n, n, n))
BODY(sqrMatTD, n, f(D.res, D.a, D.x, n, n))
BODY(transpose, n, f(D.res, D.a, n, n))
BODY(symmetrize, n, f(D.res, D.a, n))
BODY(eye, n, f(D.res, n))
BODY(cholFactor, n, fresh(D.spd, n* n); sink = f(D.res, n, 1e-10))
BODY(cholSolve, n, f(D.res, D.factor, D.x, n))
BODY(cholUpdate, n, fresh(D.y, n); sink = f(D.factor, D.res, n, 1))
BODY(cholFactorBand, n, fresh(D.spd, n* n); sink = f(D.res, n, 3, 0, 100, 0))
BODY(cholSolveBand, n, f(D.res, D.factor, D.x, n, n, n))
BODY(bandMulMatVec, n, f(D.res, D.a, D.x, n, 3, 0, 1, 1))
BODY(dense2sparse, n, sink = f(D.res, D.a, n, n, D.rownnz, D.rowadr, D.colind, NMAX* NMAX))
BODY(sparse2dense, n, f(D.res, D.a, n, n, D.rownnz, D.rowadr, D.colind))
BODY(band2Dense, n, f(D.res, D.a, n, 3, 0, 1))
BODY(dense2Band, n, f(D.res, D.a, n, 3, 0))
BODY(isZero, n, sink = f(D.factor + 1, n))
BODY(insertionSort, n, fresh(D.a + 64 * (rep & 7), n); f(D.res, n))  // eight lists

// fixed size
BODY(dot3, n, sink = f(D.a, D.b))
BODY(cross, n, f(D.res, D.a, D.b))
BODY(normalize3, n, sink = f(D.x))
BODY(mulMatVec3, n, f(D.res, D.mat, D.a))
BODY(rotVecQuat, n, f(D.res, D.a, D.quat))
BODY(mulQuat, n, f(D.res, D.quat, D.quat2))
BODY(quat2Mat, n, f(D.res, D.quat))
BODY(mat2Quat, n, f(D.res, D.mat))
BODY(axisAngle2Quat, n, f(D.res, D.a, 0.7))
BODY(subQuat, n, f(D.res, D.quat, D.quat2))
BODY(quatIntegrate, n, f(D.quat2, D.a, 0.01))
BODY(quatZ2Vec, n, f(D.res, D.a))
BODY(mulPose, n, f(D.res, D.res + 3, D.a, D.quat, D.b, D.quat2))
BODY(transformSpatial, n, f(D.res, D.a, 1, D.b, D.x, D.mat))
BODY(eig3, n, sink = f(D.res, D.res + 3, D.res + 12, D.spd))
BODY(springDamper, n, sink = f(1, 0.5, 10, 1, 0.1))

// A function, its body, and whether it takes a length.
typedef struct {
  const char* name;
  void (*body)(void* address, int n, int count);
  int sized;
} Case;

#define SIZED(name) \
  { "mju_" #name, body_##name, 1 }
#define FIXED(name) \
  { "mju_" #name, body_##name, 0 }
static const Case CASES[] = {SIZED(dot),
                             SIZED(sum),
                             SIZED(L1),
                             SIZED(norm),
                             SIZED(normalize),
                             SIZED(zero),
                             SIZED(fill),
                             SIZED(copy),
                             SIZED(scl),
                             SIZED(add),
                             SIZED(sub),
                             SIZED(addTo),
                             SIZED(subFrom),
                             SIZED(addToScl),
                             SIZED(addScl),
                             SIZED(mulMatVec),
                             SIZED(mulMatTVec),
                             SIZED(mulVecMatVec),
                             SIZED(mulMatMat),
                             SIZED(mulMatMatT),
                             SIZED(mulMatTMat),
                             SIZED(sqrMatTD),
                             SIZED(transpose),
                             SIZED(symmetrize),
                             SIZED(eye),
                             SIZED(cholFactor),
                             SIZED(cholSolve),
                             SIZED(cholUpdate),
                             SIZED(cholFactorBand),
                             SIZED(cholSolveBand),
                             SIZED(bandMulMatVec),
                             SIZED(dense2sparse),
                             SIZED(sparse2dense),
                             SIZED(band2Dense),
                             SIZED(dense2Band),
                             SIZED(isZero),
                             SIZED(insertionSort),
                             FIXED(dot3),
                             FIXED(cross),
                             FIXED(normalize3),
                             FIXED(mulMatVec3),
                             FIXED(rotVecQuat),
                             FIXED(mulQuat),
                             FIXED(quat2Mat),
                             FIXED(mat2Quat),
                             FIXED(axisAngle2Quat),
                             FIXED(subQuat),
                             FIXED(quatIntegrate),
                             FIXED(quatZ2Vec),
                             FIXED(mulPose),
                             FIXED(transformSpatial),
                             FIXED(eig3),
                             FIXED(springDamper)};
enum { NCASE = sizeof(CASES) / sizeof(CASES[0]) };

//---------------------------------- timing ----------------------------------

// deterministic numbers in (-1, 1)
static double number(void) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

// operands for matrices of size n
static void prepare(int n) {
  for (int i = 0; i < NMAX * NMAX; i++) {
    D.a[i] = number();
    D.b[i] = number();
    D.factor[i] = 0;
  }
  for (int i = 0; i < NMAX; i++) {
    D.x[i] = number();
    D.y[i] = 1e-6 * number();
  }
  for (int i = 0; i < NMAX * (NMAX + 7); i++) D.res[i] = number();
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      D.spd[r * n + c] = r == c ? n : 0.5 / (1 + abs(r - c));
      D.factor[r * n + c] = r == c ? 2 : c < r ? 0.1 / (1 + r - c) : 0;
    }
  }

  // a sparse matrix with every second column
  const int half = (n + 1) / 2;
  for (int r = 0; r < n; r++) {
    D.rownnz[r] = half;
    D.rowadr[r] = r * half;
    for (int k = 0; k < half; k++) D.colind[r * half + k] = 2 * k;
  }
  const double q[4] = {0.5, 0.5, -0.5, 0.5}, q2[4] = {0.6, 0, 0.8, 0},
               m[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  memcpy(D.quat, q, sizeof(q));
  memcpy(D.quat2, q2, sizeof(q2));
  memcpy(D.mat, m, sizeof(m));
}

// ns of the wall's clock: the processor's would cost a system call per slice
static double timed(const Case* c, void* address, int n, int count) {
  const double start = bch_clock(CLOCK_MONOTONIC);
  c->body(address, n, count);
  return 1e9 * (bch_clock(CLOCK_MONOTONIC) - start);
}

// fastest call of both libraries in ns
static void measure(const Case* c, void* address[2], int n, double ns[2]) {
  prepare(n);

  // a slice of about 10 microseconds, three times in a row: an interruption looks like a long one
  int count = 16;
  for (int enough = 0; count < 1 << 20 && enough < 3;) {
    if (timed(c, address[0], n, count) < 1e4) {
      count *= 2;
      enough = 0;
    } else {
      enough++;
    }
  }
  ns[0] = ns[1] = 1e18;
  for (int slice = 0; slice < NSLICE; slice++) {
    for (int lib = 0; lib < 2; lib++) {
      const int which = (lib + slice) & 1;
      ns[which] = fmin(ns[which], timed(c, address[which], n, count) / count);
    }
  }
}

// lengths of a case
static int lengths(const Case* c) {
  return c->sized ? NLENGTH : 1;
}

// One run, in a process of its own: prints both times of every case and length.
static int runOnce(char** path, const char* name) {
  void* const libs[2] = {bch_open(path[0]), bch_open(path[1])};
  for (int i = 0; i < NCASE; i++) {
    const Case* c = &CASES[i];
    void* address[2] = {bch_symbol(libs[0], c->name), bch_symbol(libs[1], c->name)};
    for (int k = 0; k < lengths(c) && strstr(c->name, name); k++) {
      double ns[2];
      measure(c, address, LENGTHS[k], ns);
      printf("%.17g %.17g\n", ns[0], ns[1]);
    }
  }
  return 0;
}

//---------------------------------- the table ----------------------------------

static double ns[NRUN][NCASE][NLENGTH][2];

// starts a run and reads what it prints; 1: all of it
static int collect(int run, char** path, const char* name) {
  char command[4096];
  snprintf(command, sizeof(command), "/proc/%d/exe --run '%s' '%s' '%s'", (int)getpid(), path[0], path[1], name);
  FILE* out = popen(command, "r");
  int all = out != NULL;
  for (int i = 0; i < NCASE && out; i++) {
    for (int k = 0; k < lengths(&CASES[i]) && strstr(CASES[i].name, name); k++) {
      double* t = ns[run][i][k];
      all &= fscanf(out, "%lf %lf", &t[0], &t[1]) == 2;
    }
  }
  return out && pclose(out) == 0 && all;
}

// median over the runs: of the ratio, or of one library's time
static double median(int i, int k, int lib) {
  double x[NRUN];
  for (int run = 0; run < NRUN; run++) {
    const double* t = ns[run][i][k];
    x[run] = lib < 0 ? t[0] / t[1] : t[lib];
  }
  return bch_median(x, NRUN);
}

// a row of the table, with the times below it when asked; the smallest ratio
static double row(int i, int times) {
  double least = 1e18;
  printf("%-22s", CASES[i].name);
  for (int k = 0; k < lengths(&CASES[i]); k++) {
    least = fmin(least, median(i, k, -1));
    printf(" %5.2f", median(i, k, -1));
  }
  printf("\n");
  for (int lib = 0; lib < 2 && times; lib++) {
    printf("%22s", lib ? "ours" : "reference");
    for (int k = 0; k < lengths(&CASES[i]); k++) {
      const double t = median(i, k, lib);
      printf(t < 100 ? " %5.2f" : " %5.0f", t);
    }
    printf("\n");
  }
  return least;
}

int main(int argc, char** argv) {
  if (argc == 5 && !strcmp(argv[1], "--run")) return runOnce(argv + 2, argv[4]);
  if (argc < 3) {
    printf("usage: bench_math REFERENCE.so OURS.so [name]\n");
    return 2;
  }
  const char* name = argc > 3 ? argv[3] : "";
  for (int run = 0; run < NRUN; run++) {
    if (!collect(run, argv + 1, name)) return 2;
  }
  printf("%-22s", "reference/ours");
  for (int k = 0; k < NLENGTH; k++) printf(" %5d", LENGTHS[k]);
  printf("\n");
  double least = 1e18;
  for (int i = 0; i < NCASE; i++) {
    if (strstr(CASES[i].name, name)) least = fmin(least, row(i, argc > 3));
  }
  printf("least %.2f\n", least);
  return 0;
}
