// `sinew run`: what it computes, in files that are compared with the library, and what it says.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <sys/ioctl.h>

#include "cli/program.h"

static mjModel* pendulum(void) {
  char error[500];
  mjModel* const m = mj_loadXML(source("test/models/pendulum.xml"), NULL, error, sizeof(error));
  assert_non_null(m);
  return m;
}

// -------------------------------------------------------------------------------------------- files

typedef struct {
  char names[4096];  // the first line
  double* at;
  int nrow, width;
} Csv;

static Csv readCsv(const char* path) {
  static char text[PROGRAM_OUTPUT];
  slurp(path, text);
  Csv csv = {.width = 1};
  char* line = strchr(text, '\n');
  assert_non_null(line);
  snprintf(csv.names, sizeof(csv.names), "%.*s", (int)(line - text), text);
  for (const char* c = csv.names; *c; c++) csv.width += *c == ',';
  csv.at = calloc(PROGRAM_OUTPUT, sizeof(double));
  for (line++; *line; csv.nrow++) {
    for (int i = 0; i < csv.width; i++) {
      char* end = NULL;
      csv.at[csv.nrow * csv.width + i] = strtod(line, &end);
      assert_ptr_not_equal(end, line);
      assert_int_equal(*end, i == csv.width - 1 ? '\n' : ',');
      line = end + 1;
    }
  }
  return csv;
}

static void csvHasTheStatesOfTheLibrary(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--steps", "50", "--key", "horizontal", "--ctrl",
                       "0.25", "--states", "states.csv", "--energy", "energy.csv", "--sensors", "sensors.csv"),
                   0);
  Csv states = readCsv("states.csv"), energy = readCsv("energy.csv"), sensors = readCsv("sensors.csv");
  assert_string_equal(states.names, "time,qpos.hinge,qvel.hinge,ctrl.torque");
  assert_string_equal(energy.names, "time,potential,kinetic,total");
  assert_string_equal(sensors.names, "time,angle,rate");
  assert_int_equal(states.nrow, 51);

  // each row holds a state and what belongs to it, to the last bit
  mjModel* const m = pendulum();
  m->opt.enableflags |= mjENBL_ENERGY;
  mjData* const d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < states.nrow; i++) {
    d->ctrl[0] = 0.25;
    const double row[] = {d->time, d->qpos[0], d->qvel[0], d->ctrl[0]};
    assert_memory_equal(states.at + 4 * i, row, sizeof(row));
    mj_step(m, d);
    const double e[] = {row[0], d->energy[0], d->energy[1], d->energy[0] + d->energy[1]};
    assert_memory_equal(energy.at + 4 * i, e, sizeof(e));
    const double s[] = {row[0], row[1], row[2]};
    assert_memory_equal(sensors.at + 3 * i, s, sizeof(s));
  }
  free(states.at);
  free(energy.at);
  free(sensors.at);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void npyIsNumPysFormat(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--steps", "20", "--every", "5", "--states", "s.npy"),
                   0);
  char bytes[4096];
  FILE* const file = fopen("s.npy", "rb");
  assert_non_null(file);
  const size_t size = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  assert_memory_equal(bytes, "\x93NUMPY\x02\x00", 8);
  const unsigned length = (unsigned char)bytes[8] | (unsigned)(unsigned char)bytes[9] << 8;
  assert_int_equal((12 + length) % 64, 0);
  const char expected[] =
      "{'descr': [('time', '<f8'), ('qpos', '<f8'), ('qvel', '<f8'), ('ctrl', '<f8')], "
      "'fortran_order': False, 'shape': (5,), }";
  assert_memory_equal(bytes + 12, expected, sizeof(expected) - 1);
  assert_int_equal(bytes[12 + length - 1], '\n');

  // steps 0, 5, 10, 15 and the end
  assert_int_equal(size, 12 + length + 5 * 4 * sizeof(double));
  mjModel* const m = pendulum();
  mjData* const d = mj_makeData(m);
  d->qpos[0] = 0;
  for (int i = 0; i < 5; i++) {
    double row[4];
    memcpy(row, bytes + 12 + length + (size_t)i * sizeof(row), sizeof(row));
    assert_true(row[0] == d->time && row[1] == d->qpos[0] && row[2] == d->qvel[0]);
    for (int k = 0; k < 5; k++) mj_step(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void embeddedSceneFillsAFolder(void** state) {
  (void)state;
  assert_int_equal(RUN("run", "--time", "0.2"), 0);
  assert_out("humanoid.xml");
  assert_out("Try next:");
  static const char* const files[] = {"out/states.csv", "out/sensors.csv", "out/energy.csv",  "out/contacts.csv",
                                      "out/energy.svg", "out/joints.svg",  "out/contacts.svg"};
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    assert_out(files[i]);
    assert_true(fileSize(files[i]) > 100);
  }
}

// -------------------------------------------------------------------------------------------- charts

static void chartsAreDrawn(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--steps", "100", "--key", "0", "--plot", "both.svg",
                       "--plot", "sensors,contacts=more.png"),
                   0);
  static char svg[PROGRAM_OUTPUT];
  slurp("both.svg", svg);
  // titles, legends and axes of both panels
  static const char* const words[] = {"pendulum.xml", "Energy",      "kinetic",  "Joint angles",
                                      "hinge",        "angle (rad)", "time (s)", "</svg>"};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) assert_non_null(strstr(svg, words[i]));
  assert_null(strstr(svg, "NaN"));
  char png[8];
  FILE* const file = fopen("more.png", "rb");
  assert_non_null(file);
  assert_int_equal(fread(png, 1, 8, file), 8);
  fclose(file);
  assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
}

static void chartsThatCannotBe(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("run", model, "--plot", "chart.pdf"), 2);
  assert_err(".svg or .png");
  assert_int_equal(RUN("run", model, "--plot", "energi=a.svg"), 2);
  assert_err("did you mean 'energy'?");
  assert_int_equal(RUN("run", source("test/models/boxes.xml"), "--plot", "sensors=a.svg"), 2);
  assert_err("none");
  assert_int_equal(RUN("run", model, "--steps", "5", "--plot", "/nowhere/a.svg"), 4);
  assert_err("No such file or directory");

  // without gnuplot: numbers are written, the chart is an error
  char* const path = strdup(getenv("PATH"));
  setenv("PATH", "/nowhere", 1);
  assert_int_equal(RUN("run", model, "--steps", "5", "--plot", "a.svg", "--states", "kept.csv"), 4);
  setenv("PATH", path, 1);
  free(path);
  assert_err("gnuplot");
  assert_err("apt-get install");
  assert_int_equal(fileSize("a.svg"), -1);
  assert_true(fileSize("kept.csv") > 0);
}

// -------------------------------------------------------------------------------------------- controls

// the controls that were applied, as the states tell
static Csv controlsOf(const char* ctrl) {
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--steps", "8", "--ctrl", ctrl, "--states", "c.csv"),
                   0);
  return readCsv("c.csv");
}

static void controlsByFormula(void** state) {
  (void)state;
  Csv csv = controlsOf("torque=-0.5");
  for (int i = 0; i < 8; i++) assert_true(csv.at[4 * i + 3] == -0.5);
  free(csv.at);
  csv = controlsOf("sine:2,0.75");
  for (int i = 0; i < 8; i++) {
    assert_true(fabs(csv.at[4 * i + 3] - 0.75 * sin(2 * mjPI * 2 * csv.at[4 * i])) < 1e-15);
  }
  assert_true(csv.at[4 * 7 + 3] > 0.1);
  free(csv.at);

  // without amplitude the range of the actuator, -1 to 1
  csv = controlsOf("torque=sine:1");
  assert_true(fabs(csv.at[4 * 7 + 3] - sin(2 * mjPI * csv.at[4 * 7])) < 1e-15);
  free(csv.at);
}

static void controlsFromFiles(void** state) {
  (void)state;
  // a row per step, the last one stays
  writeText("steps.csv", "0.1\n0.2\n0.3\n");
  Csv csv = controlsOf("steps.csv");
  const double perStep[] = {0.1, 0.2, 0.3, 0.3};
  for (int i = 0; i < 4; i++) assert_true(csv.at[4 * i + 3] == perStep[i]);
  free(csv.at);

  // rows with times hold until the next
  writeText("times.csv", "time,torque\n0,0.5\n0.02,-0.5\n");
  csv = controlsOf("times.csv");
  for (int i = 0; i < 8; i++) assert_true(csv.at[4 * i + 3] == (i < 4 ? 0.5 : -0.5));
  free(csv.at);

  // a file of states replays its controls
  assert_int_equal(
      RUN("run", source("test/models/pendulum.xml"), "--steps", "8", "--ctrl", "sine:3", "--states", "a.npy"), 0);
  assert_int_equal(
      RUN("run", source("test/models/pendulum.xml"), "--steps", "8", "--ctrl", "a.npy", "--states", "b.npy"), 0);
  assert_int_equal(RUN("compare", "a.npy", "b.npy"), 0);
}

static void controlsThatAreWrong(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("run", model, "--ctrl", "torqe=1"), 2);
  assert_err("did you mean 'torque'?");
  assert_int_equal(RUN("run", model, "--ctrl", "fast"), 2);
  assert_int_equal(RUN("run", model, "--ctrl", "sine:x"), 2);
  assert_int_equal(RUN("run", source("test/models/boxes.xml"), "--ctrl", "1"), 2);
  assert_err("no actuators");
  assert_int_equal(RUN("run", model, "--ctrl", "none.csv"), 3);
  writeText("wide.csv", "1,2\n3,4\n");
  assert_int_equal(RUN("run", model, "--ctrl", "wide.csv"), 3);
  assert_err("2 columns");
  writeText("ragged.csv", "1\n2,3\n");
  assert_int_equal(RUN("run", model, "--ctrl", "ragged.csv"), 3);
  assert_err("ragged.csv:2:");
  writeText("words.csv", "1\nx\n");
  assert_int_equal(RUN("run", model, "--ctrl", "words.csv"), 3);
  assert_err("words.csv:2:");
  writeText("cut.npy", "\x93NUMPY\x01");
  assert_int_equal(RUN("run", model, "--ctrl", "cut.npy"), 3);
  assert_err("damaged");
}

// -------------------------------------------------------------------------------------------- settings

static void settingsReachTheModel(void** state) {
  (void)state;
  const char* const model = source("test/models/boxes.xml");
  assert_int_equal(
      RUN("run", model, "--steps", "20", "--integrator", "rk4", "--solver", "cg", "--flag", "contact=off", "--json"),
      0);
  assert_true(jsonIsValid(programOut));
  assert_out("\"integrator\": \"RK4\"");
  assert_out("\"solver\": \"CG\"");
  assert_true(jsonNumber(programOut, "max_contacts") == 0);
  assert_true(jsonNumber(programOut, "steps") == 20);
  assert_out("\"end\": \"done\"");
  assert_int_equal(RUN("run", model, "--steps", "20", "--json"), 0);
  assert_true(jsonNumber(programOut, "max_contacts") > 0);
}

static void unknownNamesGetSuggestions(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("run", model, "--flag", "gravty=off"), 2);
  assert_err("did you mean 'gravity'?");
  assert_int_equal(RUN("run", model, "--flag", "gravity=maybe"), 2);
  assert_err("gravity=on or gravity=off");
  assert_int_equal(RUN("run", model, "--solver", "neuton"), 2);
  assert_err("did you mean 'Newton'?");
  assert_int_equal(RUN("run", model, "--integrator", "implict"), 2);
  assert_err("did you mean 'implicit'?");
  assert_int_equal(RUN("run", model, "--key", "horizntal"), 2);
  assert_err("did you mean 'horizontal'?");
  assert_int_equal(RUN("run", model, "--key", "7"), 2);
}

static void contradictionsAreRefused(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("run", model, "--time", "1", "--steps", "5"), 2);
  assert_int_equal(RUN("run", model, "--json", "--quiet"), 2);
  assert_int_equal(RUN("run", model, "--json", "--states", "-"), 2);
  assert_int_equal(RUN("run", model, "--states", "x.csv", "--energy", "x.csv"), 2);
  assert_int_equal(RUN("run", model, "--time", "-1"), 2);
  assert_int_equal(RUN("run", model, "--time", "0"), 2);
  assert_int_equal(RUN("run", model, "--every", "0"), 2);
  assert_int_equal(RUN("run", model, model), 2);
  assert_int_equal(RUN("run", model, "--states", "x.png"), 2);
}

static void threadsDoNotChangeTheResult(void** state) {
  (void)state;
  const char* const model = source("test/models/boxes.xml");
  assert_int_equal(RUN("run", model, "--steps", "100", "--states", "one.npy", "-q"), 0);
  assert_int_equal(RUN("run", model, "--steps", "100", "--states", "two.npy", "-q", "--threads", "2"), 0);
  assert_string_equal(programOut, "");
  assert_int_equal(RUN("compare", "one.npy", "two.npy"), 0);
}

// -------------------------------------------------------------------------------------------- trouble

static void filesThatAreNoModels(void** state) {
  (void)state;
  assert_int_equal(RUN("run", "missing.xml"), 3);
  assert_err("No such file or directory");
  assert_int_equal(RUN("run", "."), 3);
  assert_err("Is a directory");
  writeText("poem.xml", "roses are red");
  assert_int_equal(RUN("run", "poem.xml"), 3);
  assert_err("poem.xml:1:");
  writeText("empty.xml", "");
  assert_int_equal(RUN("run", "empty.xml"), 3);
  writeText("short.mjb", "\x31\xd4");
  assert_int_equal(RUN("run", "short.mjb"), 3);
  writeText("secret.xml", "<mujoco/>");
  chmod("secret.xml", 0);
  if (access("secret.xml", R_OK)) {
    assert_int_equal(RUN("run", "secret.xml"), 3);
    assert_err("Permission denied");
  }
}

static void fullDiskStopsTheRun(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--states", "/dev/full", "--energy", "kept.csv"), 4);
  assert_err("cannot write '/dev/full': No space left on device");
  assert_out("stopped");
  assert_true(fileSize("kept.csv") > 0);
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--states", "/nowhere/x.npy"), 4);
  assert_err("No such file or directory");
}

static void closedPipeStopsTheRun(void** state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  const char* const args[] = {"run", source("test/models/pendulum.xml"), "--states", "-", "--time", "100", NULL};
  assert_int_equal(programWait(programStart(args, ends[1])), 141);
  assert_string_equal(programErr, "");
  close(ends[1]);
}

static void numbersOnStandardOutput(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source("test/models/pendulum.xml"), "--states", "-", "--steps", "3"), 0);
  assert_memory_equal(programOut, "time,qpos.hinge", 15);
  assert_err("simulated");
}

static void interruptWritesWhatIsThere(void** state) {
  (void)state;
  remove("long.csv");
  const char* const args[] = {
      "run", source("test/models/pendulum.xml"), "--time", "100000", "--states", "long.csv", "--json", NULL};
  const pid_t child = programStart(args, -1);
  assert_true(child > 0);
  // some output proves that it is under way
  for (int i = 0; i < 2000 && fileSize("long.csv") < 4096; i++) usleep(5000);
  assert_int_equal(kill(child, SIGINT), 0);
  assert_int_equal(programWait(child), 130);
  assert_out("\"end\": \"interrupted\"");
  const double steps = jsonNumber(programOut, "steps");
  assert_true(steps > 10);

  // the file is whole: names, a row per step, the last state, and a line end
  FILE* const file = fopen("long.csv", "rb");
  assert_non_null(file);
  long lines = 0;
  int last = 0;
  for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
    lines += c == '\n';
    last = c;
  }
  fclose(file);
  assert_int_equal(last, '\n');
  assert_int_equal(lines, (long)steps + 2);
}

static void unstableRunNamesTheJoint(void** state) {
  (void)state;
  writeText("bomb.xml",
            "<mujoco><worldbody><body><joint name='calm'/><geom size='.1'/></body>"
            "<body name='keg'><joint name='fuse' stiffness='-1e6' axis='1 0 0'/><geom size='.1' pos='0 .1 0'/></body>"
            "</worldbody></mujoco>");
  assert_int_equal(RUN("run", "bomb.xml", "--time", "5", "--states", "bomb.csv"), 5);
  assert_out("unstable");
  assert_out("joint 'fuse' (body 'keg')");
  assert_true(fileSize("bomb.csv") > 0);
  assert_int_equal(RUN("run", "bomb.xml", "--json"), 5);
  assert_true(jsonIsValid(programOut));
  assert_out("\"end\": \"unstable\"");
}

// a terminal on standard error shows a bar
static void progressOnATerminal(void** state) {
  (void)state;
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
  const int side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  assert_true(side >= 0);
  struct winsize size = {.ws_row = 24, .ws_col = 100};
  ioctl(side, TIOCSWINSZ, &size);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, side, STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  extern char** environ;
  const char* const argv[] = {SINEW_PROGRAM, "run", source("test/models/boxes.xml"), "--time", "100000", NULL};
  pid_t child = 0;
  assert_int_equal(posix_spawn(&child, SINEW_PROGRAM, &actions, NULL, (char* const*)argv, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  char text[4096];
  size_t n = 0;
  while (n < sizeof(text) - 1) {
    const ssize_t got = read(terminal, text + n, sizeof(text) - 1 - n);
    if (got <= 0) break;
    n += (size_t)got;
    text[n] = 0;
    if (strstr(text, "contacts")) break;
  }
  assert_int_equal(kill(child, SIGTERM), 0);
  assert_int_equal(programWait(child), 130);
  assert_non_null(strstr(text, "% "));
  assert_non_null(strstr(text, "x real time"));
  assert_non_null(strstr(text, "of 100000.00 s"));
  close(side);
  close(terminal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csvHasTheStatesOfTheLibrary), cmocka_unit_test(npyIsNumPysFormat),
      cmocka_unit_test(embeddedSceneFillsAFolder),   cmocka_unit_test(chartsAreDrawn),
      cmocka_unit_test(chartsThatCannotBe),          cmocka_unit_test(controlsByFormula),
      cmocka_unit_test(controlsFromFiles),           cmocka_unit_test(controlsThatAreWrong),
      cmocka_unit_test(settingsReachTheModel),       cmocka_unit_test(unknownNamesGetSuggestions),
      cmocka_unit_test(contradictionsAreRefused),    cmocka_unit_test(threadsDoNotChangeTheResult),
      cmocka_unit_test(filesThatAreNoModels),        cmocka_unit_test(fullDiskStopsTheRun),
      cmocka_unit_test(closedPipeStopsTheRun),       cmocka_unit_test(numbersOnStandardOutput),
      cmocka_unit_test(interruptWritesWhatIsThere),  cmocka_unit_test(unstableRunNamesTheJoint),
      cmocka_unit_test(progressOnATerminal),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
