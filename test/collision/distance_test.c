// Distances between geoms of all types, near and far, overlapping, with a limit.
#include "collision/scenes.h"

static const char* asset =
    "<hfield name='h' nrow='6' ncol='8' size='1 .8 .4 .2' elevation='"
    "0 .1 .2 .3 .2 .1 0 .5  .3 .3 .1 .8 .9 .1 0 0  0 0 .2 .4 .6 .8 1 .2  "
    ".1 0 .1 .2 0 0 .4 .3  .7 .5 .3 .1 0 .2 .5 .7  0 0 0 0 .5 .5 .5 .5'/>"
    "<mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>";

static const char* shape[] = {
    "type='plane' size='2 2 1'",   "type='hfield' hfield='h'",         "type='sphere' size='.2'",
    "type='capsule' size='.1 .3'", "type='ellipsoid' size='.1 .2 .4'", "type='cylinder' size='.2 .15'",
    "type='box' size='.1 .2 .3'",  "type='mesh' mesh='cube'",          "type='mesh' mesh='ball'"};
enum { NSHAPE = sizeof(shape) / sizeof(shape[0]) };

static void sweepAll(const char* option) {
  Rnd r = {.state = 21};
  int separate = 0, overlap = 0;
  for (int i = 0; i < NSHAPE; i++) {
    for (int j = i < 2 ? 2 : i; j < NSHAPE; j++) {
      mjModel* m = sweep_model(asset, shape[i], shape[j], option);
      mjData* d = mj_makeData(m);
      double worst = 0;
      for (int k = 0; k < 500; k++) {
        for (int g = 0; g < 2; g++) {
          sweep_turn(d->geom_xmat + 9 * g, &r);
          for (int c = 0; c < 3; c++) d->geom_xpos[3 * g + c] = rnd_uniform(&r, -.5, .5);
        }
        const int g = rnd_below(&r, 2);
        const mjtNum limit = k % 2 ? rnd_uniform(&r, 0, .5) : 10;
        mjtNum ft1[6], ft2[6];
        const mjtNum x1 = mj_geomDistance(m, d, g, 1 - g, limit, ft1);
        const mjtNum x2 = ORC(mj_geomDistance)(m, d, g, 1 - g, limit, ft2);
        orc_result(&x2, 1);
        orc_result(ft2, 6);
        worst = fmax(worst, fabs(x1 - x2));
        for (int c = 0; c < 6; c++) worst = fmax(worst, fabs(ft1[c] - ft2[c]));
        assert_true(mj_geomDistance(m, d, g, 1 - g, limit, NULL) == x1);
        separate += x2 > 0 && x2 < limit;
        overlap += x2 < 0;
      }
      if (!(worst < 1e-10)) print_error("%s %s: worst %.1e\n", shape[i], shape[j], worst);
      assert_true(worst < 1e-10);
      mj_deleteData(d);
      ORC(mj_deleteModel)(m);
    }
  }
  print_message("%d separate, %d overlapping\n", separate, overlap);
  assert_true(separate > 2000 && overlap > 2000);
}

static void native(void** state) {
  (void)state;
  sweepAll("");
}

static void libccd(void** state) {
  (void)state;
  sweepAll("<flag nativeccd='disable'/>");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(native), cmocka_unit_test(libccd)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
