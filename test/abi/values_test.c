// What functions of numbers give: every exported function whose arguments are numbers, arrays, models and data, called
// with random ones. values.txt has what the reference gave (`test_abi_values --record` writes it): what it returned,
// and two sums over each array and over the data afterwards.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/compat.h"
#include "compat/engine.h"
#define FUNCTIONS "values.inc"
#include "abi/functions.h"
#include "support/model.h"
#include "support/random.h"

enum { MOST = 24, ROOM = 600, TURNS = 6 };

static const char MODEL[] =
    "<mujoco><option density='3' viscosity='.2'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body name='a' pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='s' pos='.1 0 .1'/>"
    "<body pos='.3 0 0'><joint name='h' axis='0 1 .2' damping='.1' range='-1 .05' limited='true'/>"
    "<geom type='capsule' size='.05 .1'/><site name='t' pos='0 .1 .1'/><camera/></body></body>"
    "<body name='b' pos='1 0 .5'><joint name='k' type='ball'/><geom type='ellipsoid' size='.1 .2 .05' pos='.1 0 0'/>"
    "<body pos='.2 .1 0'><joint name='l' type='slide' axis='1 1 0' frictionloss='.2' stiffness='3'/><geom size='.07'/>"
    "</body></body></worldbody><tendon><spatial name='u' stiffness='2' damping='.3' armature='.1'><site "
    "site='s'/><site site='t'/>"
    "</spatial><fixed name='v'><joint joint='h' coef='2'/><joint joint='l' coef='-1'/></fixed></tendon>"
    "<equality><joint joint1='h' joint2='l' polycoef='.1 .5 0 0 0'/></equality><actuator><motor joint='h'/>"
    "<position joint='l' kp='3' kv='.1'/><general tendon='u' dyntype='filter' dynprm='.1'/></actuator>"
    "<sensor><jointpos joint='h'/><accelerometer site='s'/><tendonpos tendon='v'/></sensor></mujoco>";

static mjModel* m;
static mjData* d;

static void start(void) {
  mjSpec* const spec = LIB(mj_parseXMLString)(MODEL, NULL, NULL, 0);
  m = spec ? LIB(mj_compile)(spec, NULL) : NULL;
  d = m ? LIB(mj_makeData)(m) : NULL;
  if (!d) fail_msg("no model");
  LIB(mj_deleteSpec)(spec);
  Rnd rnd = {5};
  for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(&rnd, -1, 1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = rnd_uniform(&rnd, -1, 1);
  for (int i = 0; i < 3; i++) LIB(mj_step)(m, d);
  LIB(mj_forward)(m, d);
}

// -------------------------------------------------------------------------------------------- one call

// two sums that do not drown in large numbers
typedef struct {
  double sum, weighted;
  unsigned random;
} Sum;

static void add(Sum* s, double x) {
  if (!isfinite(x)) x = 77;
  s->random = s->random * 1664525u + 1013904223u;
  const double value = x / (1 + fabs(x));
  s->sum += value;
  s->weighted += value * (0.5 + (s->random >> 8) / 16777216.0);
}

#undef MJ_M
#define MJ_M(n) m->n
// but rows of moments, of which some entries are exactly zero on one side
static Sum sumOfData(void) {
  Sum s = {0};
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
#define X(type, name, nr, nc)                                                                                        \
  if (__builtin_types_compatible_p(type, mjtNum) && strcmp(#name, "actuator_moment") != 0) {                         \
    for (size_t i = 0; i < (size_t)(m->nr) * (size_t)(nc); i++) add(&s, (double)((const mjtNum*)(void*)d->name)[i]); \
  }
  MJDATA_POINTERS
#undef X
  return s;
}

// the kinds that there are values for
static int isKnown(const char* kind) {
  static const char* const known[] = {"mjtNum*", "mjtNum",  "int",    "int*",   "mjModel*", "mjData*",
                                      "mjtByte", "double*", "double", "float*", "float",    "mjtByte*"};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (!strcmp(kind, known[i])) return 1;
  }
  return 0;
}

// numbers of arguments, 0: not one to be called here
static int split(int f, char word[MOST][64]) {
  // they print, log, wait, or change what others need
  static const char* const left[] = {"mju_print",       "mju_standardNormal", "mj_print",   "mj_delete",
                                     "mju_boxQPmalloc", "mj_resetDataDebug",  "mju_Halton", "mj_stackAlloc",
                                     "mj_markStack",    "mj_freeStack"};
  // their arguments are matrices, graphs or histories with a structure that random numbers do not have
  static const char* const structured[] = {
      "mj_addM",        "mju_addToMatSparse",  "mju_addToSymSparse", "mju_band",        "mju_dense2Band",
      "mju_boxQP",      "mju_cholFactor",      "mju_lower2SymMap",   "mju_mulMatVecSp", "mju_mulSymVecSp",
      "mju_cholUpdate", "mju_transposeSparse", "mju_sqrMatTDSparse", "mju_blockDiag",   "mju_history",
      "mj_flexInterp",  "mj_floodFill",        "mj_implicitSkip",    "mj_makeBSparse",  "mj_makeDofDof",
      "mj_solveLD",     "mju_defGradient"};
  for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
    if (!strncmp(functions[f].name, left[i], strlen(left[i]))) return 0;
  }
  for (size_t i = 0; i < sizeof(structured) / sizeof(structured[0]); i++) {
    if (!strncmp(functions[f].name, structured[i], strlen(structured[i]))) return 0;
  }
  int n = 0;
  for (const char* at = functions[f].kinds; *at; n++) {
    const size_t length = strcspn(at, " ");
    snprintf(word[n], 64, "%.*s", (int)length, at);
    if (!isKnown(word[n])) return 0;
    at += length + (at[length] == ' ');
  }
  return n;
}

static jmp_buf back;
static void jump(const char* message) {
  (void)message;
  longjmp(back, 1);
}
static void ignore(const char* message) {
  (void)message;
}

enum { RESULTS = 2 * MOST + 3 };

// in a child: random arguments, the call, and what is there afterwards
static void callAndWrite(int f, int turn, int pipe) {
  static mjtNum number[MOST][ROOM];
  static float single[MOST][ROOM];
  static int whole[MOST][ROOM];
  static mjtByte byte[MOST][ROOM];
  char kind[MOST][64];
  Argument a[MOST];
  const int n = split(f, kind), small = strstr(functions[f].kinds, "mjModel*") != NULL;
  Rnd rnd = {(uint64_t)(1000 * turn + 17)};
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < ROOM; i++) {
      number[k][i] = rnd_uniform(&rnd, -1, 1);
      single[k][i] = (float)rnd_uniform(&rnd, -1, 1);
      whole[k][i] = rnd_below(&rnd, 4);
      byte[k][i] = (mjtByte)rnd_below(&rnd, 2);
    }
    const char* const is = kind[k];
    a[k] = (Argument){.i = 1 + rnd_below(&rnd, small ? 2 : turn < 3 ? 4 : 12)};
    if (!strcmp(is, "mjtByte")) a[k].i = rnd_below(&rnd, 2);
    if (!strcmp(is, "mjtNum") || !strcmp(is, "double") || !strcmp(is, "float")) a[k].d = rnd_uniform(&rnd, 0.1, 1);
    if (!strcmp(is, "mjtNum*") || !strcmp(is, "double*")) a[k].p = number[k];
    if (!strcmp(is, "float*")) a[k].p = single[k];
    if (!strcmp(is, "int*")) a[k].p = whole[k];
    if (!strcmp(is, "mjtByte*")) a[k].p = byte[k];
    if (!strcmp(is, "mjModel*")) a[k].p = m;
    if (!strcmp(is, "mjData*")) a[k].p = d;
  }
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  alarm(5);
  for (int i = 1; i < 32; i++) signal(i, SIG_DFL);
  *(void (**)(const char*))(reference ? orc_symbol("mju_user_error") : (void*)&mju_user_error) = jump;
  *(void (**)(const char*))(reference ? orc_symbol("mju_user_warning") : (void*)&mju_user_warning) = ignore;
  double result[RESULTS] = {0};
  if (setjmp(back)) {
    result[0] = 12345;
  } else {
    result[0] = functions[f].call(reference ? orc_symbol(functions[f].name) : functions[f].ours, a);
  }
  if (!isfinite(result[0])) result[0] = 77;
  for (int k = 0; k < n; k++) {
    Sum s = {0};
    for (int i = 0; i < ROOM; i++) {
      if (a[k].p == number[k]) add(&s, number[k][i]);
      if (a[k].p == single[k]) add(&s, (double)single[k][i]);
      if (a[k].p == whole[k]) add(&s, whole[k][i]);
      if (a[k].p == byte[k]) add(&s, byte[k][i]);
    }
    if (a[k].p == d) s = sumOfData();
    result[1 + 2 * k] = s.sum;
    result[2 + 2 * k] = s.weighted;
  }
  if (write(pipe, result, sizeof(result)) != (ssize_t)sizeof(result)) _exit(1);
  _exit(0);
}

// 0: the call did not come back
static int outcome(int f, int turn, double result[RESULTS]) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) callAndWrite(f, turn, ends[1]);
  close(ends[1]);
  const ssize_t n = read(ends[0], result, RESULTS * sizeof(double));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return n == (ssize_t)(RESULTS * sizeof(double)) && status == 0;
}

// -------------------------------------------------------------------------------------------- tests

static int record(void) {
  reference = 1;
  if (!orc_available()) return 1;
  start();
  FILE* const file = fopen("test/abi/values.txt", "w");
  for (int f = 0; file && f < NFUNCTION; f++) {
    char kind[MOST][64];
    const int n = split(f, kind);
    for (int turn = 0; n && turn < TURNS; turn++) {
      double result[RESULTS], again[RESULTS];
      // what is not the same a second time came from memory that nobody set
      if (!outcome(f, turn, result) || !outcome(f, turn, again) || memcmp(result, again, sizeof(result)) != 0) continue;
      fprintf(file, "%s %d %d", functions[f].name, turn, 1 + 2 * n);
      for (int i = 0; i < 1 + 2 * n; i++) fprintf(file, " %.12g", result[i]);
      fprintf(file, "\n");
    }
  }
  return !file || fclose(file);
}

static int indexOf(const char* name) {
  for (int f = 0; f < NFUNCTION; f++) {
    if (!strcmp(functions[f].name, name)) return f;
  }
  fail_msg("%s is not there", name);
  return -1;
}

static void valuesAreTheReferences(void** state) {
  (void)state;
  FILE* const file = fopen("test/abi/values.txt", "r");
  assert_non_null(file);
  char name[100];
  int turn, count, bad = 0, calls = 0;
  while (fscanf(file, "%99s %d %d", name, &turn, &count) == 3) {
    double expected[RESULTS] = {0}, result[RESULTS] = {0};
    assert_true(count <= RESULTS);
    for (int i = 0; i < count; i++) assert_int_equal(fscanf(file, "%lf", &expected[i]), 1);
    const int f = indexOf(name), came = outcome(f, turn, result);
    int wrong = !came;
    for (int i = 0; i < count; i++) wrong |= !(fabs(result[i] - expected[i]) <= 1e-8 * (1 + fabs(expected[i])));
    if (wrong) {
      print_error("%s %d:%s\n", name, turn, came ? "" : " did not come back");
      for (int i = 0; came && i < count; i++) {
        if (!(fabs(result[i] - expected[i]) <= 1e-8 * (1 + fabs(expected[i])))) {
          print_error("  %d: %.12g, expected %.12g\n", i, result[i], expected[i]);
        }
      }
    }
    bad += wrong;
    calls++;
  }
  fclose(file);
  assert_true(calls > 500);
  assert_int_equal(bad, 0);
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "--record")) return record();
  start();
  const struct CMUnitTest tests[] = {cmocka_unit_test(valuesAreTheReferences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
