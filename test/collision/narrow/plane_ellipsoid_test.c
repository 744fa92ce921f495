// Plane and ellipsoid: the deepest point.
#include "collision/pair.h"

static void upright_and_tilted(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_ELLIPSOID);
  pair_size(&p, 1, 1, 2, 3);
  pair_pos(&p, 1, 0, 0, 2.9);
  assert_int_equal(pair_collide(&p, col_planeEllipsoid, con, 0), 1);
  assert_true(fabs(con->dist + 0.1) < 1e-12);
  // turned by 45 degrees about x the half-height is sqrt((4 + 9)/2)
  pair_turn(&p, 1, 1, 0, 0, 0.78539816339744831);
  assert_int_equal(pair_collide(&p, col_planeEllipsoid, con, 1), 1);
  assert_true(fabs(con->dist - (2.9 - sqrt(6.5))) < 1e-12);
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_PLANE, mjGEOM_ELLIPSOID, col_planeEllipsoid, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_PLANE, mjGEOM_ELLIPSOID, col_planeEllipsoid);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_PLANE, mjGEOM_ELLIPSOID, col_planeEllipsoid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(upright_and_tilted),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
