// Sphere and capsule: side and cap.
#include "collision/pair.h"

static void side_and_cap(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_SPHERE, mjGEOM_CAPSULE);
  pair_size(&p, 0, 0.5, 0, 0);
  pair_size(&p, 1, 0.25, 1, 0);
  pair_pos(&p, 0, 0.7, 0, 0.5);
  assert_int_equal(pair_collide(&p, col_sphereCapsule, con, 0), 1);
  assert_true(fabs(con->dist + 0.05) < 1e-12 && con->frame[0] == -1);
  pair_pos(&p, 0, 0, 0, 1.7);
  assert_int_equal(pair_collide(&p, col_sphereCapsule, con, 0), 1);
  assert_true(fabs(con->dist + 0.05) < 1e-12 && con->frame[2] == -1);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_SPHERE, mjGEOM_CAPSULE, col_sphereCapsule, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_SPHERE, mjGEOM_CAPSULE, col_sphereCapsule);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_SPHERE, mjGEOM_CAPSULE, col_sphereCapsule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(side_and_cap),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
