// Plane and capsule: lying, standing, above.
#include "collision/pair.h"

static void lying_gives_two(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_CAPSULE);
  pair_size(&p, 1, 0.1, 0.5, 0);
  pair_turn(&p, 1, 0, 1, 0, 1.5707963267948966);
  pair_pos(&p, 1, 0, 0, 0.1);
  assert_int_equal(pair_collide(&p, col_planeCapsule, con, 0.001), 2);
  assert_true(fabs(con[0].pos[0] - 0.5) < 1e-12 && fabs(con[1].pos[0] + 0.5) < 1e-12);
  assert_true(fabs(con[0].frame[3] - 1) < 1e-12);
}

static void standing_gives_one(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_CAPSULE);
  pair_size(&p, 1, 0.1, 0.5, 0);
  pair_pos(&p, 1, 0, 0, 0.55);
  assert_int_equal(pair_collide(&p, col_planeCapsule, con, 0), 1);
  assert_true(fabs(con[0].dist + 0.05) < 1e-12);
  pair_pos(&p, 1, 0, 0, 0.65);
  assert_int_equal(pair_collide(&p, col_planeCapsule, con, 0), 0);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_PLANE, mjGEOM_CAPSULE, col_planeCapsule, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_PLANE, mjGEOM_CAPSULE, col_planeCapsule);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_PLANE, mjGEOM_CAPSULE, col_planeCapsule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lying_gives_two),           cmocka_unit_test(standing_gives_one),
      cmocka_unit_test(agrees_with_reference),     cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
