// Plane and mesh, or an ellipsoid fitted to a mesh: the lowest point and up to two more vertices.
#include "collision/scenes.h"
#include "support/model.h"

static const char* asset =
    "<mesh name='cube' vertex='-.3 -.3 -.3 .3 -.3 -.3 -.3 .3 -.3 .3 .3 -.3 -.3 -.3 .3 .3 -.3 .3 -.3 .3 .3 .3 .3 .3'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>"
    "<mesh name='rod' vertex='-.05 -.05 -1 .05 -.05 -1 -.05 .05 -1 .05 .05 -1 -.05 -.05 1 .05 -.05 1 -.05 .05 1 .05 "
    ".05 1"
    " 0 0 1.1 0 0 -1.1 .06 0 0 -.06 0 0'/>"
    "<mesh name='stone' vertex='0 0 .3 .2 0 0 0 .25 0 -.2 0 0 0 -.2 0 0 0 -.3'"
    " face='0 1 2 0 2 3 0 3 4 0 4 1 5 2 1 5 3 2 5 4 3 5 1 4'/>";

static void sweep(void** state) {
  (void)state;
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

// its faces are given and no mesh geom needs its hull: the stone has none, and its vertices count; the cube has one
static void fitted(void** state) {
  (void)state;
  const char* fit[] = {"type='ellipsoid' mesh='stone'", "type='ellipsoid' mesh='cube'"};
  for (int i = 0; i < 2; i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml),
             "<mujoco><asset>%s</asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
             "<geom %s/></body></worldbody></mujoco>",
             asset, fit[i]);
    mjModel* m = tst_string(xml);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    assert_int_equal(d->ncon, i == 0 ? 2 : 1);
    mj_deleteData(d);
    mj_deleteModel(m);

    m = sweep_model(asset, "type='plane' size='1 1 1'", fit[i], "");
    const Sweep s = sweep_geoms(m, 1000, 1);
    sweep_report(fit[i], &s);
    assert_true(s.touching > s.n / 5);
    assert_int_equal(s.count, 0);
    assert_int_equal(s.off10, 0);
    ORC(mj_deleteModel)(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sweep), cmocka_unit_test(fitted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
