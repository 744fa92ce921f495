// Themes: fields in their places, numbers beyond the last, equal to the reference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/oracle.h"

static void test_fields(void** state) {
  (void)state;
  const mjuiThemeSpacing tight = mjui_themeSpacing(0), wide = mjui_themeSpacing(1);
  assert_int_equal(tight.total, 270);
  assert_int_equal(wide.total, 310);
  assert_int_equal(tight.itemver, 4);
  assert_int_equal(wide.itemver, 7);
  assert_int_equal(tight.samples, 4);

  // first, last and one in the middle
  const mjuiThemeColor standard = mjui_themeColor(0), white = mjui_themeColor(2);
  assert_float_equal(standard.master[0], 0.25f, 0);
  assert_float_equal(standard.secttitle[0], 0.6f, 0);
  assert_float_equal(standard.secttitle[1], 0.2f, 0);
  assert_float_equal(white.sectfont[2], 0.8f, 0);
  assert_float_equal(white.cursor[1], 0.2f, 0);
}

static void test_beyond(void** state) {
  (void)state;
  const mjuiThemeColor last = mjui_themeColor(3);
  const int number[] = {-1, 4, 1000};
  for (int i = 0; i < 3; i++) {
    const mjuiThemeColor color = mjui_themeColor(number[i]);
    assert_memory_equal(&color, &last, sizeof(color));
    assert_int_equal(mjui_themeSpacing(number[i]).total, 310);
  }
}

static void test_reference(void** state) {
  (void)state;
  for (int i = -2; i < 6; i++) {
    const mjuiThemeColor color = mjui_themeColor(i), expected = ORC(mjui_themeColor)(i);
    orc_sameBytes(&color, &expected, sizeof(color));
    const mjuiThemeSpacing spacing = mjui_themeSpacing(i), wanted = ORC(mjui_themeSpacing)(i);
    orc_sameBytes(&spacing, &wanted, sizeof(spacing));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_beyond),
      cmocka_unit_test(test_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
