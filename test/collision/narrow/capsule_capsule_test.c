// Two capsules: crossing, parallel, end to end.
#include "collision/pair.h"

static void crossing_and_parallel(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_CAPSULE, mjGEOM_CAPSULE);
  pair_size(&p, 0, 0.1, 1, 0);
  pair_size(&p, 1, 0.2, 1, 0);
  pair_turn(&p, 1, 1, 0, 0, 1.5707963267948966);
  pair_pos(&p, 1, 0.25, 0.3, 0.4);
  assert_int_equal(pair_collide(&p, col_capsuleCapsule, con, 0), 1);
  assert_true(fabs(con->dist + 0.05) < 1e-12 && fabs(con->pos[2] - 0.4) < 1e-12);
  pair_turn(&p, 1, 1, 0, 0, 0);
  pair_pos(&p, 1, 0.25, 0, 0.5);
  assert_int_equal(pair_collide(&p, col_capsuleCapsule, con, 0), 2);
  // the overlap of the segments goes from z = -0.5 to 1
  assert_true(fabs(con[0].pos[2] - 1) < 1e-12 && fabs(con[1].pos[2] + 0.5) < 1e-12);
}

static void a_point_is_a_sphere(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_CAPSULE, mjGEOM_CAPSULE);
  pair_size(&p, 0, 0.1, 0, 0);
  pair_size(&p, 1, 0.2, 0, 0);
  pair_pos(&p, 1, 0.25, 0, 0);
  assert_true(pair_collide(&p, col_capsuleCapsule, con, 0) > 0);
  assert_true(fabs(con->dist + 0.05) < 1e-12 && con->frame[0] == 1);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_CAPSULE, mjGEOM_CAPSULE, col_capsuleCapsule, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_CAPSULE, mjGEOM_CAPSULE, col_capsuleCapsule);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_CAPSULE, mjGEOM_CAPSULE, col_capsuleCapsule);
}

static void swapping_mirrors(void** state) {
  (void)state;
  pair_mirror(mjGEOM_CAPSULE, col_capsuleCapsule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crossing_and_parallel),     cmocka_unit_test(a_point_is_a_sphere),
      cmocka_unit_test(agrees_with_reference),     cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses), cmocka_unit_test(swapping_mirrors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
