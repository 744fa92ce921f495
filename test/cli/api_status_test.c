// `sinew api-status`: counts that agree with the lists, for our library and for others.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "cli/program.h"

static int countLines(const char* text) {
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static void countsAgreeWithTheList(void** state) {
  (void)state;
  assert_int_equal(RUN("api-status", "--json"), 0);
  assert_true(jsonIsValid(programOut));
  const double done = jsonNumber(programOut, "done"), all = jsonNumber(programOut, "all");
  // 519 functions and 20 variables of the compatible headers, and ours
  assert_true(all >= 539 && done >= 460 && done <= all);
  assert_null(strstr(programOut, "\"mj_step\""));
  assert_null(strstr(programOut, "\"sn_step\""));
  assert_int_equal(RUN("api-status", "--missing"), 0);
  assert_int_equal(countLines(programOut), (int)(all - done));
  assert_int_equal(RUN("api-status", "--strict"), done < all ? 1 : 0);
  assert_out("mju_");
  assert_out("20 of 20 variables");
  assert_int_equal(RUN("api-status", "--markdown"), 0);
  assert_out("| mj_ | ");
  assert_out("Variables: 20 of 20.");
}

static void referenceHasAllOfItsFunctions(void** state) {
  (void)state;
  const char* const library = getenv("SINEW_ORACLE");
  if (!library || access(library, R_OK)) skip();
  assert_int_equal(RUN("api-status", "--library", library, "--missing"), 0);
  // only ours are missing there
  assert_out("sn_step\n");
  for (const char* line = programOut; *line; line = strchr(line, '\n') + 1) assert_memory_equal(line, "sn_", 3);
}

static void whatCannotBe(void** state) {
  (void)state;
  assert_int_equal(RUN("api-status", "--library", "none.so"), 3);
  assert_int_equal(RUN("api-status", "model.xml"), 2);
  assert_int_equal(RUN("api-status", "--json", "--missing"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(countsAgreeWithTheList),
      cmocka_unit_test(referenceHasAllOfItsFunctions),
      cmocka_unit_test(whatCannotBe),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
