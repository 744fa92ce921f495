// `sinew compare`: equal is equal, and differences are named.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "cli/program.h"

static const char* const plain =
    "<mujoco><worldbody><body><joint name='j'/><geom name='ball' size='.1'/></body></worldbody></mujoco>";
static const char* const edited =
    "<mujoco><option timestep='0.001'/><worldbody><body><joint name='j'/><geom name='ball' size='.2'/></body>"
    "</worldbody></mujoco>";
static const char* const larger =
    "<mujoco><worldbody><body><joint name='j'/><geom name='ball' size='.1'/><site/></body></worldbody></mujoco>";

static void modelsAreComparedByField(void** state) {
  (void)state;
  writeText("a.xml", plain);
  writeText("b.xml", edited);
  assert_int_equal(RUN("compare", "a.xml", "a.xml"), 0);
  assert_out("equal:");
  assert_int_equal(RUN("compare", "a.xml", "b.xml", "--all"), 1);
  assert_out("opt.timestep");
  assert_out("[0,0] ball");
  assert_out("different:");
  assert_int_equal(RUN("compare", "a.xml", "b.xml", "--json"), 1);
  assert_true(jsonIsValid(programOut));
  assert_out("\"equal\": false");
  assert_out("\"field\": \"geom_size\"");
  assert_out("\"object\": \"ball\"");
}

static void sizesMayDiffer(void** state) {
  (void)state;
  writeText("a.xml", plain);
  writeText("c.xml", larger);
  assert_int_equal(RUN("compare", "a.xml", "c.xml", "--all"), 1);
  assert_out("nsite");
  assert_out("0 x 3");
  assert_out("1 x 3");
}

static void toleranceIsRelativeAboveOne(void** state) {
  (void)state;
  writeText("a.csv", "time,x\n0,1000\n1,2000\n");
  writeText("b.csv", "time,x\n0,1000\n1,2000.001\n");
  assert_int_equal(RUN("compare", "a.csv", "b.csv"), 1);
  assert_out("[1,0]");
  assert_int_equal(RUN("compare", "a.csv", "b.csv", "--tolerance", "1e-6"), 0);
  assert_int_equal(RUN("compare", "a.csv", "b.csv", "--tolerance", "1e-7"), 1);
  assert_int_equal(RUN("compare", "a.csv", "b.csv", "--tolerance", "-1"), 2);
}

static void csvAndNpyOfOneRunAreEqual(void** state) {
  (void)state;
  const char* const model = source("test/models/sensors.xml");
  assert_int_equal(RUN("run", model, "--steps", "30", "--states", "s.csv", "-q"), 0);
  assert_int_equal(RUN("run", model, "--steps", "30", "--states", "s.npy", "-q"), 0);
  assert_int_equal(RUN("compare", "s.csv", "s.npy"), 0);
  assert_out("equal: 4 fields");
  assert_int_equal(RUN("run", model, "--steps", "30", "--flag", "gravity=off", "--states", "t.npy", "-q"), 0);
  assert_int_equal(RUN("compare", "s.npy", "t.npy"), 1);
  assert_out("qvel");
  assert_int_equal(RUN("run", model, "--steps", "29", "--states", "t.npy", "-q"), 0);
  assert_int_equal(RUN("compare", "s.npy", "t.npy"), 1);
  assert_out("size");
}

// arrays as NumPy saves them: version 1, floats of four bytes, columns first
static void plainNpyIsRead(void** state) {
  (void)state;
  char header[118];
  snprintf(header, sizeof(header), "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }");
  FILE* const file = fopen("p.npy", "wb");
  assert_non_null(file);
  fprintf(file, "\x93NUMPY%c%c%c%c%-117s\n", 1, 0, 118, 0, header);
  const float data[] = {1, 2, 3, 4, 5, 6};
  fwrite(data, sizeof(data), 1, file);
  fclose(file);
  writeText("p.csv", "1,4\n2,5\n3,6\n");
  assert_int_equal(RUN("compare", "p.npy", "p.csv"), 0);
  assert_int_equal(truncate("p.npy", fileSize("p.npy") - 1), 0);
  assert_int_equal(RUN("compare", "p.npy", "p.csv"), 3);
  assert_err("cut off");
}

static void whatCannotBe(void** state) {
  (void)state;
  writeText("a.xml", plain);
  writeText("a.csv", "1\n");
  assert_int_equal(RUN("compare", "a.xml"), 2);
  assert_int_equal(RUN("compare", "a.xml", "a.csv"), 2);
  assert_int_equal(RUN("compare", "a.xml", "none.xml"), 3);
  assert_int_equal(RUN("compare", "a.csv", "none.csv"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsAreComparedByField),
      cmocka_unit_test(sizesMayDiffer),
      cmocka_unit_test(toleranceIsRelativeAboveOne),
      cmocka_unit_test(csvAndNpyOfOneRunAreEqual),
      cmocka_unit_test(plainNpyIsRead),
      cmocka_unit_test(whatCannotBe),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
