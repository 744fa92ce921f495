// Plane and box: face, edge, corner.
#include "collision/pair.h"

static void face_edge_corner(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_BOX);
  pair_size(&p, 1, 1, 1, 1);
  pair_pos(&p, 1, 0, 0, 0.9);
  assert_int_equal(pair_collide(&p, col_planeBox, con, 0), 4);
  for (int k = 0; k < 4; k++) assert_true(fabs(con[k].dist + 0.1) < 1e-12);
  pair_turn(&p, 1, 1, 0, 0, 0.78539816339744831);
  pair_pos(&p, 1, 0, 0, sqrt(2.0) - 0.1);
  assert_int_equal(pair_collide(&p, col_planeBox, con, 0), 2);
  pair_turn(&p, 1, 1, -1, 0, acos(1 / sqrt(3.0)));
  pair_pos(&p, 1, 0, 0, sqrt(3.0) - 0.1);
  assert_int_equal(pair_collide(&p, col_planeBox, con, 0), 1);
  assert_true(fabs(con->dist + 0.1) < 1e-12);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_PLANE, mjGEOM_BOX, col_planeBox, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_PLANE, mjGEOM_BOX, col_planeBox);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_PLANE, mjGEOM_BOX, col_planeBox);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(face_edge_corner),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
