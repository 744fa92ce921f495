// Plane and sphere: heights are exact.
#include "collision/pair.h"

static void touching_and_margin(void** state) {
  (void)state;
  Pair p;
  mjContact con[mjMAXCONPAIR];
  pair_init(&p, mjGEOM_PLANE, mjGEOM_SPHERE);
  // sphere of radius 0.5 at height h: dist = h - 0.5, position halfway
  pair_size(&p, 1, 0.5, 0, 0);
  for (int i = 0; i < 5; i++) {
    const mjtNum h = 0.25 * i;
    pair_pos(&p, 1, 0.3, -0.2, h);
    assert_int_equal(pair_collide(&p, col_planeSphere, con, 0.2), h <= 0.7);
    if (h > 0.7) continue;
    assert_true(fabs(con->dist - (h - 0.5)) < 1e-15);
    assert_true(fabs(con->pos[2] - (h - 0.5) / 2) < 1e-15);
    assert_true(con->pos[0] == 0.3 && con->pos[1] == -0.2);
    assert_true(con->frame[2] == 1 && con->frame[0] == 0);
  }
}

static void agrees_with_reference(void** state) {
  (void)state;
  pair_sweep(mjGEOM_PLANE, mjGEOM_SPHERE, col_planeSphere, 2000, 1e-11);
}

static void has_properties(void** state) {
  (void)state;
  pair_properties(mjGEOM_PLANE, mjGEOM_SPHERE, col_planeSphere);
}

static void survives_degenerate_poses(void** state) {
  (void)state;
  pair_degenerate(mjGEOM_PLANE, mjGEOM_SPHERE, col_planeSphere);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touching_and_margin),
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(has_properties),
      cmocka_unit_test(survives_degenerate_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
