// `sinew sweep`: what it samples, measures and writes, and that a study can be interrupted anywhere.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <time.h>

#include "cli/program.h"

// a file as bytes
static long bytesOf(const char* path, unsigned char** bytes) {
  FILE* const file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  *bytes = malloc((size_t)size + 1);
  assert_int_equal(fread(*bytes, 1, (size_t)size, file), size);
  fclose(file);
  return size;
}

static int sameFiles(const char* a, const char* b) {
  unsigned char *x, *y;
  const long n = bytesOf(a, &x), m = bytesOf(b, &y);
  const int same = n == m && memcmp(x, y, (size_t)n) == 0;
  free(x);
  free(y);
  return same;
}

// how many of these doubles, one after the other, are in a file
static int holds(const char* path, const double* values, int n) {
  unsigned char* bytes;
  const long size = bytesOf(path, &bytes);
  int found = 0;
  for (long at = 0; at + (long)sizeof(double) * n <= size; at++) {
    found += memcmp(bytes + at, values, sizeof(double) * (size_t)n) == 0;
  }
  free(bytes);
  return found;
}

#define STUDY                                                                                                       \
  "sweep", source("test/models/pendulum.xml"), "-v", "body_mass[1]*=uniform:0.5,2", "-v", "qpos[hinge]=normal:0,1", \
      "-n", "150", "-t", "0.2", "-m", "max(abs(qpos[hinge]))", "-m", "v=qvel[hinge]"

// numbers are those of the library, sample by sample
static void gridIsComputedByTheLibrary(void** state) {
  (void)state;
  assert_int_equal(RUN("sweep", source("test/models/pendulum.xml"), "-v", "opt.timestep=list:0.001,0.004", "-v",
                       "qpos[hinge]=range:0.5,1.5,3", "--sampling", "grid", "-t", "0.1", "-m", "far=max(qpos[hinge])",
                       "-m", "speed=2*qvel[hinge]", "-m", "way=integral(abs(qvel[hinge]))", "-o", "grid.h5", "--json"),
                   0);
  assert_true(jsonIsValid(programOut));
  assert_true(jsonNumber(programOut, "samples") == 6);
  char error[500];
  mjModel* const m = mj_loadXML(source("test/models/pendulum.xml"), NULL, error, sizeof(error));
  mjData* const d = mj_makeData(m);
  double far[6], speed[6], way[6], timestep[6], start[6];
  for (int i = 0; i < 6; i++) {
    mj_resetData(m, d);
    timestep[i] = m->opt.timestep = i < 3 ? 0.001 : 0.004;
    start[i] = d->qpos[0] = 0.5 + (1.5 - 0.5) * (i % 3) / 2;
    far[i] = -1e9;
    way[i] = 0;
    for (int step = 0; step < (i < 3 ? 100 : 25); step++) {
      mj_step(m, d);
      far[i] = fmax(far[i], d->qpos[0]);
      way[i] += fabs(d->qvel[0]) * m->opt.timestep;
    }
    speed[i] = 2 * d->qvel[0];
  }
  assert_int_equal(holds("grid.h5", far, 6), 1);
  assert_int_equal(holds("grid.h5", speed, 6), 1);
  assert_int_equal(holds("grid.h5", way, 6), 1);
  assert_int_equal(holds("grid.h5", timestep, 6), 1);
  assert_int_equal(holds("grid.h5", start, 6), 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void sameFileForAnyThreads(void** state) {
  (void)state;
  assert_int_equal(RUN(STUDY, "-o", "one.h5", "--threads", "1"), 0);
  assert_out("150 samples");
  assert_int_equal(RUN(STUDY, "-o", "three.h5", "--threads", "3", "-q"), 0);
  assert_true(sameFiles("one.h5", "three.h5"));
}

// a study that was stopped goes on where it was and ends in the same file
static void interruptAndResume(void** state) {
  (void)state;
  const char* const args[] = {"sweep",  source("scenes/quadruped.xml"),
                              "-v",     "body_mass[trunk]*=uniform:0.5,2",
                              "-n",     "300",
                              "-t",     "0.05",
                              "-m",     "last(qpos[trunk,2])",
                              "-o",     "stopped.h5",
                              "--json", NULL};
  for (int kind = 0; kind < 2; kind++) {
    remove("stopped.h5");
    const pid_t child = programStart(args, -1);
    for (int i = 0; i < 3000 && access("stopped.h5", F_OK); i++)
      nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    kill(child, kind ? SIGKILL : SIGINT);
    const int code = programWait(child);
    assert_true(code == 0 || code == (kind ? 256 + SIGKILL : 130));
    if (code == 130) assert_err("the same command goes on from there");
    assert_int_equal(programRun(args), 0);
    assert_true(jsonNumber(programOut, "samples") == 300);
  }
  assert_int_equal(rename("stopped.h5", "resumed.h5"), 0);
  assert_int_equal(programRun(args), 0);
  assert_true(jsonNumber(programOut, "resumed") == 0);
  assert_true(sameFiles("stopped.h5", "resumed.h5"));
}

// of three samples that advance together two end early, and are in the file when the third is interrupted
static void endedEarly(void** state) {
  (void)state;
  const char* const args[] = {"sweep",      source("test/models/pendulum.xml"),
                              "-v",         "opt.timestep=list:0.001,20,20,20,20,20,20,20",
                              "-t",         "20000",
                              "-m",         "time",
                              "-o",         "early.h5",
                              "--sampling", "grid",
                              NULL};
  const pid_t child = programStart(args, -1);
  for (int i = 0; i < 3000 && access("early.h5", F_OK); i++) nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
  kill(child, SIGINT);
  assert_int_equal(programWait(child), 130);
  assert_err("interrupted: 2 of 8 samples are in 'early.h5'");
}

// Latin hypercube and Sobol points: one in each layer
static void evenSamples(void** state) {
  (void)state;
  static const char* const methods[] = {"lhs", "sobol"};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(RUN("sweep", source("test/models/pendulum.xml"), "-v", "qpos[hinge]=uniform:0,64", "-n", "64",
                         "-t", "0.002", "--sampling", methods[i], "-m", "x=first(floor)", "-o", "even.h5"),
                     2);
    assert_int_equal(
        RUN("sweep", source("test/models/pendulum.xml"), "-v", "dof_damping[hinge]=uniform:0,64", "-n", "64", "-t",
            "0.002", "--sampling", methods[i], "--seed", "3", "--force", "-m", "x=dof_damping[hinge]", "-o", "even.h5"),
        0);

    // the measure is the parameter: 64 numbers in 64 layers
    unsigned char* bytes;
    const long size = bytesOf("even.h5", &bytes);
    int even = 0;
    for (long at = 0; at + 512 <= size; at++) {
      int seen[64] = {0}, n = 0;
      for (int k = 0; k < 64; k++) {
        double x;
        memcpy(&x, bytes + at + 8 * k, sizeof(x));
        if (x >= 0 && x < 64) n += !seen[(int)x]++;
      }
      even += n == 64;
    }
    free(bytes);
    assert_true(even >= 2);
  }
}

static void samplesFromAFile(void** state) {
  (void)state;
  FILE* const file = fopen("samples.csv", "w");
  fputs("other,dof_damping[hinge]\n1,0.25\n2,0.5\n3,0.75\n", file);
  fclose(file);
  assert_int_equal(RUN("sweep", source("test/models/pendulum.xml"), "-v", "dof_damping[hinge]=uniform:0,1",
                       "--sampling", "samples.csv", "-t", "0.01", "-m", "x=dof_damping[hinge]", "-o", "file.h5"),
                   0);
  const double values[] = {0.25, 0.5, 0.75};
  assert_int_equal(holds("file.h5", values, 3), 2);
}

// samples that explode are marked, the others go on
static void failuresAreMarked(void** state) {
  (void)state;
  assert_int_equal(RUN("sweep", source("test/models/pendulum.xml"), "-v", "qvel[hinge]=list:0,1e12", "--sampling",
                       "grid", "-t", "0.1", "-m", "qpos[hinge]", "-o", "bad.h5", "--json"),
                   0);
  assert_true(jsonNumber(programOut, "failed") == 1);
  unsigned char* bytes;
  const long size = bytesOf("bad.h5", &bytes);
  assert_non_null(memmem(bytes, (size_t)size, "QVEL", 4));
  free(bytes);
}

static void badInput(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  static const struct {
    const char *vary, *measure, *error;
  } wrong[] = {
      {"body_mass[bib]=uniform:0,1",   "time",                                  "bib"                     },
      {"body_mass[1,9]=uniform:0,1",   "time",                                  "elements 0 to 0"         },
      {"body_mess[1]=uniform:0,1",     "time",                                  "body_mess"               },
      {"body_mass[1=uniform:0,1",      "time",                                  "bracket"                 },
      {"body_mass[1]=uniform:1,0",     "time",                                  "uniform:LOW,HIGH"        },
      {"body_mass[1]=gamma:1,0",       "time",                                  "uniform:LOW,HIGH"        },
      {"body_mass[1]",                 "time",                                  "FIELD[NAME]=DISTRIBUTION"},
      {"xpos[1]=uniform:0,1",          "time",                                  "is computed"             },
      {"body_parentid[1]=uniform:0,1", "time",                                  "structure"               },
      {"body_mass[1]=uniform:1,2",     "max(",                                  "the end"                 },
      {"body_mass[1]=uniform:1,2",     "maximum(time)",                         "no such function"        },
      {"body_mass[1]=uniform:1,2",     "max(mean(time))",                       "cannot be inside another"},
      {"body_mass[1]=uniform:1,2",     "xpos[1]",                               "one element is needed"   },
      {"body_mass[1]=uniform:1,2",     "time time",                             "too much"                },
      {"body_mass[1]=uniform:1,2",     "1 +",                                   "is needed"               },
      {"body_mass[1]=uniform:1,2",     "((((((((((((((((((((((((((((((((((((1", "too many parentheses"    },
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    const int code =
        RUN("sweep", model, "-v", wrong[i].vary, "-n", "3", "-t", "0.1", "-m", wrong[i].measure, "-o", "no.h5");
    assert_true(code == 2 || code == 5);
    if (!strstr(programErr, wrong[i].error)) fail_msg("'%s' does not speak of '%s'", programErr, wrong[i].error);
  }
  assert_int_equal(RUN("sweep", model), 2);
  assert_int_equal(RUN("sweep"), 2);

  // a file of another study is not touched, nor is one that is something else
  assert_int_equal(RUN(STUDY, "-o", "mine.h5", "-q"), 0);
  assert_int_equal(RUN(STUDY, "-o", "mine.h5", "--seed", "5"), 2);
  assert_err("another study");
  assert_int_equal(RUN(STUDY, "-o", model), 2);
  assert_err("not a file of HDF5");
  assert_int_equal(RUN(STUDY, "-o", "no/such/folder/x.h5"), 4);
}

// the states of a run, as in the other formats
static void statesInHdf5(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--steps", "600", "--key", "horizontal", "--states",
                       "states.h5", "-q"),
                   0);
  char error[500];
  mjModel* const m = mj_loadXML(source("test/models/pendulum.xml"), NULL, error, sizeof(error));
  mjData* const d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, mj_name2id(m, mjOBJ_KEY, "horizontal"));
  double qpos[256];
  for (int i = 0; i < 256; i++) {
    qpos[i] = d->qpos[0];
    mj_step(m, d);
  }
  assert_int_equal(holds("states.h5", qpos, 256), 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a chart is over the part of the samples that is below, and its numbers differ where the values hardly do
static void quantileChart(void** state) {
  (void)state;
  assert_int_equal(
      RUN("sweep", source("test/models/pendulum.xml"), "-v", "dof_damping[hinge]=range:0,1,11", "-t", "0.002",
          "--sampling", "grid", "-m", "x=1000+0.0001*dof_damping[hinge]", "-o", "chart.h5", "-p", "chart.svg", "-q"),
      0);
  static char svg[PROGRAM_OUTPUT];
  slurp("chart.svg", svg);
  assert_non_null(strstr(svg, "part of the samples that is below"));
  assert_null(strstr(svg, "time (s)"));
  assert_non_null(strstr(svg, ">1000.0001<"));
  assert_non_null(strstr(svg, ">1000.00002<"));
}

// without HDF5 there is nothing to test
static int setup(void** state) {
  if (programSetup(state)) return -1;
  RUN("run", source("test/models/pendulum.xml"), "--steps", "1", "--states", "probe.h5", "-q");
  if (!strstr(programErr, "without HDF5")) return 0;
  printf("no HDF5: skipped\n");
  exit(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gridIsComputedByTheLibrary),
      cmocka_unit_test(sameFileForAnyThreads),
      cmocka_unit_test(interruptAndResume),
      cmocka_unit_test(endedEarly),
      cmocka_unit_test(evenSamples),
      cmocka_unit_test(samplesFromAFile),
      cmocka_unit_test(failuresAreMarked),
      cmocka_unit_test(badInput),
      cmocka_unit_test(statesInHdf5),
      cmocka_unit_test(quantileChart),
  };
  return cmocka_run_group_tests(tests, setup, programTeardown);
}
