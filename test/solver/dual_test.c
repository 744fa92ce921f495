// Updates of a block of dual forces: one that costs more than it brings is taken back, in all its rows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/dual.h"

static void worseForcesAreTakenBack(void** state) {
  (void)state;
  const mjtNum block[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, old[3] = {1, -2, 3}, res[3] = {0.5, 0.25, -1};
  mjtNum force[3] = {2, -1, 5};
  assert_true(sol_dualChange(block, force, old, res, 3) == 0);
  for (int i = 0; i < 3; i++) assert_true(force[i] == old[i]);

  // ½ Δᵀ block Δ + Δᵀ res
  mjtNum better[3] = {0.75, -2, 3.25};
  const mjtNum change = 0.5 * (2 * 0.0625 + 4 * 0.0625) - 0.25 * 0.5 - 0.25;
  assert_true(sol_dualChange(block, better, old, res, 3) == change);
  assert_true(better[0] == 0.75 && better[2] == 3.25);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(worseForcesAreTakenBack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
