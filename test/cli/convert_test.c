// `sinew convert`: what comes out is the model that went in.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "cli/program.h"

static void xmlAndBinaryAreTheSameModel(void** state) {
  (void)state;
  static const char* const names[] = {"pendulum", "sensors", "tendons", "actuators", "equality", "joints"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    char path[128];
    snprintf(path, sizeof(path), "test/models/%s.xml", names[i]);
    const char* const model = source(path);
    assert_int_equal(RUN("convert", model, "a.mjb"), 0);
    assert_int_equal(RUN("convert", "a.mjb", "b.mjb"), 0);
    assert_int_equal(RUN("convert", model, "c.xml"), 0);
    assert_int_equal(RUN("compare", model, "b.mjb"), 0);
    // poses are recomputed from text
    assert_int_equal(RUN("compare", model, "c.xml", "--tolerance", "1e-13"), 0);
  }
}

static void binaryBecomesXmlAgain(void** state) {
  (void)state;
  // all kinds of elements that are not assets: every field of the model comes back
  static const char* const names[] = {"actuators", "boxes",   "equality",   "flags",   "fluid",    "joints",
                                      "pendulum",  "sensors", "sensor_zoo", "tendons", "sleepers", "wraps"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    char path[128];
    snprintf(path, sizeof(path), "test/models/%s.xml", names[i]);
    const char* const model = source(path);
    assert_int_equal(RUN("convert", model, "a.mjb"), 0);
    assert_int_equal(RUN("convert", "a.mjb", "a.xml"), 0);
    assert_int_equal(RUN("compare", model, "a.xml", "--tolerance", "1e-12"), 0);
  }
}

static void meshesKeepTheirShape(void** state) {
  (void)state;
  // frames of meshes may turn, so it is the motion that must be the same: meshes, height fields, skins
  static const char* const paths[] = {"test/models/shapes.xml", "test/models/assets.xml", "scenes/terrain.xml"};
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
    const char* const model = source(paths[i]);
    assert_int_equal(RUN("convert", model, "a.mjb"), 0);
    assert_int_equal(RUN("convert", "a.mjb", "a.xml"), 0);
    assert_int_equal(RUN("run", model, "--steps", "20", "--states", "a.npy", "-q"), 0);
    assert_int_equal(RUN("run", "a.xml", "--steps", "20", "--states", "b.npy", "-q"), 0);
    // vertices are floats
    assert_int_equal(RUN("compare", "a.npy", "b.npy", "--tolerance", "1e-6"), 0);
  }
}

static void textIsWhatTheLibraryPrints(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("convert", model, "a.txt"), 0);
  char error[500];
  mjModel* const m = mj_loadXML(model, NULL, error, sizeof(error));
  mj_printModel(m, "b.txt");
  mj_deleteModel(m);
  static char a[PROGRAM_OUTPUT], b[PROGRAM_OUTPUT];
  slurp("a.txt", a);
  slurp("b.txt", b);
  assert_true(strlen(a) > 1000);
  assert_string_equal(a, b);
}

static void standardOutput(void** state) {
  (void)state;
  assert_int_equal(RUN("convert", source("test/models/pendulum.xml"), "-", "--to", "xml"), 0);
  assert_out("<mujoco");
  assert_out("</mujoco>");
  assert_int_equal(RUN("convert", source("test/models/pendulum.xml"), "-"), 2);
  assert_int_equal(RUN("convert", source("test/models/pendulum.xml"), "-", "--to", "xlm"), 2);
  assert_err("did you mean 'xml'?");
  assert_int_equal(RUN("convert", source("test/models/pendulum.xml"), "a.mjb", "--json"), 0);
  assert_true(jsonIsValid(programOut));
  assert_out("\"form\": \"mjb\"");
}

static void whatCannotBe(void** state) {
  (void)state;
  const char* const model = source("test/models/pendulum.xml");
  assert_int_equal(RUN("convert", model), 2);
  assert_int_equal(RUN("convert", model, "a.stl"), 2);
  assert_int_equal(RUN("convert", model, "a.mjb"), 0);
  assert_int_equal(RUN("convert", "a.txt", "a.mjb"), 3);
  assert_int_equal(RUN("convert", "none.xml", "a.mjb"), 3);
  assert_int_equal(RUN("convert", model, "/nowhere/a.mjb"), 4);
  assert_int_equal(RUN("convert", model, "/dev/full", "--to", "mjb"), 4);
  assert_err("No space left on device");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xmlAndBinaryAreTheSameModel),
      cmocka_unit_test(binaryBecomesXmlAgain),
      cmocka_unit_test(meshesKeepTheirShape),
      cmocka_unit_test(textIsWhatTheLibraryPrints),
      cmocka_unit_test(standardOutput),
      cmocka_unit_test(whatCannotBe),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
