// Plugins that are part of the program register themselves when it starts; the same functions then run in the
// reference, and both simulations agree.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "step/plugin_scenes.h"
#include "support/model.h"
#include "support/oracle.h"

static void programsBringTheirPlugins(void** state) {
  (void)state;
  static const char* const NAME[] = {"sinew.test.drag", "sinew.test.probe", "sinew.test.ring", "sinew.test.servo"};
  assert_int_equal(mjp_pluginCount(), 4);
  for (int i = 0; i < 4; i++) assert_non_null(mjp_getPlugin(NAME[i], NULL));
}

// the same plugins in the same slots of the reference: their functions work on either library's data
static void sharePlugins(void) {
  for (int i = 0; i < 4; i++) assert_int_equal(ORC(mjp_registerPlugin)(mjp_getPluginAtSlot(i)), i);
}

static void assertNear(const char* what, const mjtNum* a, const mjtNum* b, mjtSize n, double tol) {
  for (int i = 0; i < n; i++) {
    if (!(fabs(a[i] - b[i]) <= tol * (1 + fabs(b[i])))) fail_msg("%s[%d]: %.15g, reference %.15g", what, i, a[i], b[i]);
  }
}

static void simulationsMatchReference(void** state) {
  (void)state;
  if (!orc_available()) skip();
  sharePlugins();
  static const struct {
    const char* xml;
    int steps;
    double tol;
  } SCENE[] = {
      {HOLD,  100, 1e-12},
      {RINGS, 20,  1e-8 }, // contacts of an iterative search
  };
  for (int k = 0; k < 2; k++) {
    mjModel *m = tst_string(SCENE[k].xml), *ref = orc_compile(SCENE[k].xml);
    assert_int_equal(m->nsensordata, ref->nsensordata);
    assert_int_equal(m->npluginstate, ref->npluginstate);
    assert_int_equal(m->nmeshvert, ref->nmeshvert);
    mjData *d = mj_makeData(m), *their = ORC(mj_makeData)(ref);
    for (int step = 0; step < SCENE[k].steps; step++) {
      for (int i = 0; i < m->nu; i++) d->ctrl[i] = their->ctrl[i] = sin(0.2 * step + i);
      mj_step(m, d);
      ORC(mj_step)(ref, their);
      assert_int_equal(d->ncon, their->ncon);
      assertNear("qpos", d->qpos, their->qpos, m->nq, SCENE[k].tol);
      assertNear("qvel", d->qvel, their->qvel, m->nv, SCENE[k].tol * 100);
      assertNear("act", d->act, their->act, m->na, SCENE[k].tol);
      assertNear("sensordata", d->sensordata, their->sensordata, m->nsensordata, SCENE[k].tol);
      assertNear("history", d->history, their->history, m->nhistory, SCENE[k].tol);
      assertNear("plugin_state", d->plugin_state, their->plugin_state, m->npluginstate, SCENE[k].tol);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    ORC(mj_deleteData)(their);
    ORC(mj_deleteModel)(ref);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programsBringTheirPlugins),
      cmocka_unit_test(simulationsMatchReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
