// Plane and mesh: the lowest vertex and up to two more.
#include "collision/scenes.h"

static const char* asset =
    "<mesh name='cube' vertex='-.3 -.3 -.3 .3 -.3 -.3 -.3 .3 -.3 .3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 -.3 .3 .3 .3 .3 .3'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>"
    "<mesh name='rod' vertex='-.05 -.05 -1 .05 -.05 -1 -.05 .05 -1 .05 .05 -1 -.05 -.05 1 .05 -.05 1 -.05 .05 1 .05 "
    ".05 1"
    " 0 0 1.1 0 0 -1.1 .06 0 0 -.06 0 0'/>";

static void sweep(void** state) {
  (void)state;
  if (!orc_available()) skip();
  const char* mesh[] = {"type='mesh' mesh='cube'", "type='mesh' mesh='ball'", "type='mesh' mesh='rod'"};
  for (int i = 0; i < 3; i++) {
    mjModel* m = sweep_model(asset, "type='plane' size='1 1 1'", mesh[i], "");
    const Sweep s = sweep_geoms(m, 2000, 1);
    sweep_report(mesh[i], &s);
    assert_true(s.touching > s.n / 5);
    assert_int_equal(s.count, 0);
    assert_int_equal(s.off10, 0);
    ORC(mj_deleteModel)(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sweep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
