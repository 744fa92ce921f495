// `sinew bench`: figures that make sense, alone and beside the reference when it is here.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "cli/program.h"

static void figuresAgreeWithEachOther(void** state) {
  (void)state;
  assert_int_equal(
      RUN("bench", source("test/models/boxes.xml"), "--steps", "200", "--rounds", "3", "--profile", "--json"), 0);
  assert_true(jsonIsValid(programOut));
  assert_true(jsonNumber(programOut, "steps") == 200);
  const double each = jsonNumber(programOut, "seconds_per_step");
  assert_true(each > 0 && each < 1);
  assert_true(fabs(jsonNumber(programOut, "steps_per_second") * each - 1) < 1e-9);
  // stages are parts of the step
  const double step = jsonNumber(programOut, "step"), forward = jsonNumber(programOut, "forward");
  assert_true(forward > 0 && forward <= step);
  assert_true(jsonNumber(programOut, "pos_collision") > 0);
}

static void tableHasARowPerModel(void** state) {
  (void)state;
  assert_int_equal(RUN("bench", source("test/models/boxes.xml"), source("test/models/pendulum.xml"), "--steps", "50",
                       "--rounds", "1", "--profile"),
                   0);
  assert_out("boxes.xml");
  assert_out("pendulum.xml");
  assert_out("steps/s");
  assert_out("pos_kinematics");
}

static void againstTheReference(void** state) {
  (void)state;
  const char* const library = getenv("SINEW_ORACLE");
  if (!library || access(library, R_OK)) skip();
  assert_int_equal(
      RUN("bench", source("test/models/boxes.xml"), "--steps", "50", "--rounds", "1", "--reference", library, "--json"),
      0);
  assert_true(jsonIsValid(programOut));
  assert_out("\"reference_version\": \"3.5.0\"");
  const double ratio =
      jsonNumber(programOut, "reference_seconds_per_step") / jsonNumber(programOut, "seconds_per_step");
  assert_true(fabs(jsonNumber(programOut, "ratio") / ratio - 1) < 1e-9);
}

static void whatCannotBe(void** state) {
  (void)state;
  const char* const model = source("test/models/boxes.xml");
  assert_int_equal(RUN("bench"), 2);
  assert_int_equal(RUN("bench", model, "--rounds", "0"), 2);
  assert_int_equal(RUN("bench", "none.xml"), 3);
  assert_int_equal(RUN("bench", model, "--key", "standing"), 2);
  assert_int_equal(RUN("bench", model, "--reference", "none.so"), 3);
  assert_err("cannot open the reference");
  assert_int_equal(RUN("bench", model, "--reference", "libm.so.6"), 3);
  assert_err("has no function mj_loadXML");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figuresAgreeWithEachOther),
      cmocka_unit_test(tableHasARowPerModel),
      cmocka_unit_test(againstTheReference),
      cmocka_unit_test(whatCannotBe),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
