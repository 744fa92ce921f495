// Sphere and cylinder: side, cap, rim, inside.
#include "collision/pair.h"

static void side_cap_rim_inside(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_SPHERE, mjGEOM_CYLINDER);
  pair_size(&p, 0, 0.5, 0, 0);
  pair_size(&p, 1, 1, 2, 0);
  pair_pos(&p, 0, 1.4, 0, 1);
  assert_int_equal(pair_collide(&p, col_sphereCylinder, con, 0), 1);
  assert_true(fabs(con->dist + 0.1) < 1e-12 && con->frame[0] == -1);
  pair_pos(&p, 0, 0.5, 0, 2.4);
  assert_int_equal(pair_collide(&p, col_sphereCylinder, con, 0), 1);
  assert_true(fabs(con->dist + 0.1) < 1e-12 && con->frame[2] == -1);
  pair_pos(&p, 0, 1.3, 0, -2.3);
  assert_int_equal(pair_collide(&p, col_sphereCylinder, con, 0), 1);
  assert_true(fabs(con->dist - (sqrt(0.18) - 0.5)) < 1e-12);
  pair_pos(&p, 0, 0.1, 0, 1.9);
  assert_int_equal(pair_collide(&p, col_sphereCylinder, con, 0), 1);
  assert_true(fabs(con->dist + 0.6) < 1e-12 && con->frame[2] == -1);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_SPHERE, mjGEOM_CYLINDER, col_sphereCylinder, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_SPHERE, mjGEOM_CYLINDER, col_sphereCylinder);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_SPHERE, mjGEOM_CYLINDER, col_sphereCylinder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(side_cap_rim_inside),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
