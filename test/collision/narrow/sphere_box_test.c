// Sphere and box: face, edge, corner, inside.
#include "collision/pair.h"

static void face_edge_corner_inside(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_SPHERE, mjGEOM_BOX);
  pair_size(&p, 0, 0.5, 0, 0);
  pair_pos(&p, 0, 0.3, 0.2, 1.4);
  assert_int_equal(pair_collide(&p, col_sphereBox, con, 0), 1);
  assert_true(fabs(con->dist + 0.1) < 1e-12 && con->frame[2] == -1);
  pair_pos(&p, 0, 1.3, 0.2, 1.3);
  assert_int_equal(pair_collide(&p, col_sphereBox, con, 0), 1);
  assert_true(fabs(con->dist - (sqrt(0.18) - 0.5)) < 1e-12);
  pair_pos(&p, 0, 1.2, -1.2, 1.2);
  assert_int_equal(pair_collide(&p, col_sphereBox, con, 0), 1);
  assert_true(fabs(con->dist - (sqrt(0.12) - 0.5)) < 1e-12);
  pair_pos(&p, 0, 0.1, 0.7, 0.2);
  assert_int_equal(pair_collide(&p, col_sphereBox, con, 0), 1);
  assert_true(fabs(con->dist + 0.8) < 1e-12 && con->frame[1] == -1);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_SPHERE, mjGEOM_BOX, col_sphereBox, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_SPHERE, mjGEOM_BOX, col_sphereBox);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_SPHERE, mjGEOM_BOX, col_sphereBox);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(face_edge_corner_inside),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
