// Two spheres.
#include "collision/pair.h"

static void on_the_line_of_centres(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_SPHERE, mjGEOM_SPHERE);
  pair_size(&p, 0, 1, 0, 0);
  pair_size(&p, 1, 2, 0, 0);
  pair_pos(&p, 1, 2.5, 0, 0);
  assert_int_equal(pair_collide(&p, col_sphereSphere, con, 0), 1);
  assert_true(con->dist == -0.5 && con->frame[0] == 1 && con->pos[0] == 0.75);
  pair_pos(&p, 1, 3.25, 0, 0);
  assert_int_equal(pair_collide(&p, col_sphereSphere, con, 0), 0);
  assert_int_equal(pair_collide(&p, col_sphereSphere, con, 0.25), 1);
  assert_true(con->dist == 0.25);
}

static void coincident_centres(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_SPHERE, mjGEOM_SPHERE);
  assert_int_equal(pair_collide(&p, col_sphereSphere, con, 0), 1);
  assert_true(con->dist == -2 && con->frame[0] == 1);
  pair_turn(&p, 1, 1, 0, 0, 1.5707963267948966);
  assert_int_equal(pair_collide(&p, col_sphereSphere, con, 0), 1);
  assert_true(fabs(con->frame[0] - 1) < 1e-12);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_SPHERE, mjGEOM_SPHERE, col_sphereSphere, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_SPHERE, mjGEOM_SPHERE, col_sphereSphere);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_SPHERE, mjGEOM_SPHERE, col_sphereSphere);
}

static void swapping_mirrors(void** state) {
  (void)state;
  pair_mirror(mjGEOM_SPHERE, col_sphereSphere);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_the_line_of_centres),    cmocka_unit_test(coincident_centres),
      cmocka_unit_test(agrees_with_reference),     cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses), cmocka_unit_test(swapping_mirrors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
