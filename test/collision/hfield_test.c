// Height field with every convex shape.
#include "collision/scenes.h"

static const char* asset =
    "<hfield name='h' nrow='6' ncol='8' size='1 .8 .4 .2' elevation='"
    "0 .1 .2 .3 .2 .1 0 .5  .3 .3 .1 .8 .9 .1 0 0  0 0 .2 .4 .6 .8 1 .2  "
    ".1 0 .1 .2 0 0 .4 .3  .7 .5 .3 .1 0 .2 .5 .7  0 0 0 0 .5 .5 .5 .5'/>"
    "<mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>";

static const char* shape[] = {"type='sphere' size='.2'",          "type='capsule' size='.1 .3'",
                              "type='ellipsoid' size='.1 .2 .4'", "type='cylinder' size='.2 .15'",
                              "type='box' size='.1 .2 .3'",       "type='mesh' mesh='cube'",
                              "type='mesh' mesh='ball'"};

static void sweepAll(const char* option, int n) {
  int bad = 0;
  for (int i = 0; i < 7; i++) {
    mjModel* m = sweep_model(asset, "type='hfield' hfield='h'", shape[i], option);
    const Sweep s = sweep_geoms(m, n, 0.7);
    sweep_report(shape[i], &s);
    assert_true(s.touching > s.n / 20);
    bad += s.count + s.off6;
    ORC(mj_deleteModel)(m);
  }
  assert_int_equal(bad, 0);
}

static void sweepNative(void** state) {
  (void)state;
  sweepAll("", 2000);
}

static void sweepLibccd(void** state) {
  (void)state;
  sweepAll("<flag nativeccd='disable'/>", 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sweepNative), cmocka_unit_test(sweepLibccd)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
