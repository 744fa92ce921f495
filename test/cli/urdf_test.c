// The program on URDF files, from the first look to a model in another format.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>

#include "cli/program.h"

static const char ROBOT[] = "test/models/gripper.urdf";

static void infoDrawsTheRobot(void** state) {
  (void)state;
  setenv("LC_ALL", "C", 1);
  assert_int_equal(RUN("info", source(ROBOT)), 0);
  unsetenv("LC_ALL");
  assert_out("`- carriage  slide lift -0.4..0.4 m  2 kg");
  assert_out("   `- palm  hinge wrist  0.5 kg");
  assert_out("mimic is not read, the joint moves on its own (line 74)");
}

static void checkShowsTheLine(void** state) {
  (void)state;
  assert_int_equal(RUN("check", source(ROBOT)), 0);
  assert_out("no errors");
  writeText(
      "odd.urdf",
      "<robot name=\"odd\">\n<link name=\"base\"/>\n<link name=\"arm\"/>\n"
      "<joint name=\"elbow\" type=\"hinge\">\n<parent link=\"base\"/>\n<child link=\"arm\"/>\n</joint>\n</robot>\n");
  assert_int_equal(RUN("check", "odd.urdf"), 1);
  assert_out("odd.urdf:4: error: invalid joint type 'hinge'");
  assert_out("     4 | <joint name=\"elbow\" type=\"hinge\">\n       |                           ^^^^^\n");
}

static void checkHelpsWithMeshes(void** state) {
  (void)state;
  writeText("bare.urdf",
            "<robot name=\"bare\">\n<link name=\"base\">\n<collision>\n<geometry>\n"
            "<mesh filename=\"package://bare/meshes/base.stl\"/>\n</geometry>\n</collision>\n</link>\n</robot>\n");
  assert_int_equal(RUN("check", "bare.urdf"), 1);
  assert_out("bare.urdf:5: error: Error opening file 'base.stl'");
  assert_out("dropped unless strippath is false");
}

static void runMovesAsTheLibrary(void** state) {
  (void)state;
  assert_int_equal(RUN("run", source(ROBOT), "--time", "0.2", "--states", "states.csv", "--quiet"), 0);
  char error[500];
  mjModel* const m = mj_loadXML(source(ROBOT), NULL, error, sizeof(error));
  assert_non_null(m);
  mjData* const d = mj_makeData(m);
  while (d->time < 0.2 - 1e-9) mj_step(m, d);

  // the last row: time, then positions
  static char text[PROGRAM_OUTPUT];
  slurp("states.csv", text);
  text[strlen(text) - 1] = 0;
  char* at = strrchr(text, '\n');
  assert_non_null(at);
  assert_true(fabs(strtod(at + 1, &at) - d->time) < 1e-9);
  for (int i = 0; i < m->nq; i++) assert_true(strtod(at + 1, &at) == d->qpos[i]);
  assert_true(d->qpos[0] < -0.001);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void convertWritesTheSameModel(void** state) {
  (void)state;
  assert_int_equal(RUN("convert", source(ROBOT), "gripper.xml"), 0);
  assert_int_equal(RUN("convert", source(ROBOT), "gripper.mjb"), 0);
  assert_int_equal(RUN("compare", source(ROBOT), "gripper.xml"), 0);
  assert_int_equal(RUN("compare", source(ROBOT), "gripper.mjb"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(infoDrawsTheRobot),         cmocka_unit_test(checkShowsTheLine),
      cmocka_unit_test(checkHelpsWithMeshes),      cmocka_unit_test(runMovesAsTheLibrary),
      cmocka_unit_test(convertWritesTheSameModel),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
