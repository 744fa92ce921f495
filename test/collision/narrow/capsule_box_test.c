// Capsule and box: lying on a face, over an edge, end on.
#include "collision/pair.h"

static void lying_gives_two(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_CAPSULE, mjGEOM_BOX);
  pair_size(&p, 0, 0.1, 0.5, 0);
  pair_turn(&p, 0, 0, 1, 0, 1.5707963267948966);
  pair_pos(&p, 0, 0.2, 0.1, 1.05);
  assert_int_equal(pair_collide(&p, col_capsuleBox, con, 0), 2);
  for (int k = 0; k < 2; k++) assert_true(fabs(con[k].dist + 0.05) < 1e-12 && fabs(con[k].frame[2] + 1) < 1e-12);
  assert_true(fabs(fabs(con[0].pos[0] - con[1].pos[0]) - 1) < 1e-9);
}

static void standing_on_a_face(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_CAPSULE, mjGEOM_BOX);
  pair_size(&p, 0, 0.1, 0.5, 0);
  pair_pos(&p, 0, 0.2, 0.1, 1.55);
  assert_true(pair_collide(&p, col_capsuleBox, con, 0) >= 1);
  assert_true(fabs(con[0].dist + 0.05) < 1e-12 && con[0].frame[2] == -1);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_CAPSULE, mjGEOM_BOX, col_capsuleBox, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_CAPSULE, mjGEOM_BOX, col_capsuleBox);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_CAPSULE, mjGEOM_BOX, col_capsuleBox);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lying_gives_two),           cmocka_unit_test(standing_on_a_face),
      cmocka_unit_test(agrees_with_reference),     cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
