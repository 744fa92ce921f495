// The collision table: filled above the diagonal only, and where the reference's is.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <mujoco/mujoco.h>

#include "support/oracle.h"

static void lower_triangle_is_empty(void** state) {
  (void)state;
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    for (int j = 0; j < i; j++) assert_null(mjCOLLISIONFUNC[i][j]);
  }
}

static void the_same_types_collide_as_in_the_reference(void** state) {
  (void)state;
  if (!orc_available()) skip();
  mjfCollision(*theirs)[mjNGEOMTYPES] = orc_symbol("mjCOLLISIONFUNC");
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    for (int j = 0; j < mjNGEOMTYPES; j++) {
      // signed distance fields come with their own tests
      if (i == mjGEOM_SDF || j == mjGEOM_SDF) continue;
      assert_int_equal(mjCOLLISIONFUNC[i][j] != NULL, theirs[i][j] != NULL);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lower_triangle_is_empty),
      cmocka_unit_test(the_same_types_collide_as_in_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
