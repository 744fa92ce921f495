// Plane and cylinder: standing, lying, tilted.
#include "collision/pair.h"

static void standing_gives_three(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_CYLINDER);
  pair_size(&p, 1, 0.5, 1, 0);
  pair_pos(&p, 1, 0, 0, 1);
  assert_int_equal(pair_collide(&p, col_planeCylinder, con, 0), 3);
  mjtNum sum[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    assert_true(fabs(con[k].dist) < 1e-15);
    for (int c = 0; c < 3; c++) sum[c] += con[k].pos[c];
  }
  // an equilateral triangle: its centre is under the axis
  assert_true(fabs(sum[0]) < 1e-14 && fabs(sum[1]) < 1e-14);
}

static void lying_gives_two(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_CYLINDER);
  pair_size(&p, 1, 0.5, 1, 0);
  pair_turn(&p, 1, 0, 1, 0, 1.5707963267948966);
  pair_pos(&p, 1, 0, 0, 0.45);
  assert_int_equal(pair_collide(&p, col_planeCylinder, con, 0), 2);
  assert_true(fabs(con[0].dist + 0.05) < 1e-12 && fabs(con[1].dist + 0.05) < 1e-12);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_PLANE, mjGEOM_CYLINDER, col_planeCylinder, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_PLANE, mjGEOM_CYLINDER, col_planeCylinder);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_PLANE, mjGEOM_CYLINDER, col_planeCylinder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standing_gives_three),      cmocka_unit_test(lying_gives_two),
      cmocka_unit_test(agrees_with_reference),     cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
