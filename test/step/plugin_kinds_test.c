// One plugin of every kind, each a library of its own (test/plugins): loading, messages when something is wrong, and
// what they do in a simulation, alone and against the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

#include "step/plugin_scenes.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/status.h"

//---------------------------------- scenes ----------------------------------

// a probe's samples; MJCF has none for plugin sensors, models have
typedef struct {
  int nsample;
  double interval, delay;
} History;

// our model of a scene, NULL with the message
static mjModel* compileWith(const char* xml, const History* h, char* error, int size) {
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, size);
  if (!spec) return NULL;
  if (h) {
    mjsSensor* const probe = mjs_asSensor(mjs_findElement(spec, mjOBJ_SENSOR, "rare"));
    probe->nsample = h->nsample;
    probe->interval[0] = h->interval;
    probe->delay = h->delay;
  }
  mjModel* m = mj_compile(spec, NULL);
  if (!m) snprintf(error, (size_t)size, "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

static mjModel* compile(const char* xml, char* error, int size) {
  return compileWith(xml, NULL, error, size);
}

static void assertRejected(const char* xml, const char* why) {
  char error[500] = "";
  mjModel* m = compile(xml, error, sizeof(error));
  if (m || !strstr(error, why)) fail_msg("'%s', expected '%s'", m ? "compiled" : error, why);
}

//---------------------------------- loading ----------------------------------

static char loaded[300];
static void onLoad(const char* file, int first, int count) {
  snprintf(loaded + strlen(loaded), sizeof(loaded) - strlen(loaded), "%s %d %d;", file, first, count);
}

static int loadPlugins(void** state) {
  (void)state;
  mj_loadAllPluginLibraries(PLUGINS, onLoad);
  return 0;
}

static void librariesBringTheirPlugins(void** state) {
  (void)state;
  assert_string_equal(loaded, "drag.so 0 1;probe.so 1 1;ring.so 2 1;servo.so 3 1;");
  assert_int_equal(mjp_pluginCount(), 4);
  assert_int_equal(mjp_getPlugin("sinew.test.servo", NULL)->capabilityflags, mjPLUGIN_ACTUATOR);
  assert_int_equal(mjp_getPlugin("sinew.test.ring", NULL)->capabilityflags, mjPLUGIN_SDF);

  // once more changes nothing
  mj_loadPluginLibrary(PLUGINS "/servo.so");
  assert_int_equal(mjp_pluginCount(), 4);
}

static void messagesOfLibraries(void** state) {
  (void)state;
  const char* message = CATCH(mj_loadPluginLibrary(PLUGINS "/nosuch.so"));
  assert_non_null(strstr(message, "nosuch.so"));
  assert_non_null(strstr(message, "No such file"));
  message = CATCH(mj_loadPluginLibrary(PLUGINS "/bad/unresolved.so"));
  assert_non_null(strstr(message, "unresolved.so"));
  assert_non_null(strstr(message, "sinewTestFunctionThatNobodyHas"));
  message = CATCH(mj_loadPluginLibrary(PLUGINS "/bad/taken.so"));
  assert_non_null(strstr(message, "taken.so"));
  assert_non_null(strstr(message, "'sinew.test.drag' is already registered"));
  assert_int_equal(mjp_pluginCount(), 4);
}

static void messagesOfModels(void** state) {
  (void)state;
  assertRejected("<mujoco><extension><plugin plugin='sinew.test.nobody'/></extension></mujoco>", "sinew.test.nobody");
  assertRejected(
      "<mujoco><worldbody><body><joint/><geom size='.1'/><plugin "
      "plugin='sinew.test.drag'/></body></worldbody></mujoco>",
      "sinew.test.drag");
  assertRejected(
      "<mujoco><extension><plugin plugin='sinew.test.drag'/></extension><worldbody><body><joint name='j'/>"
      "<geom size='.1'/></body></worldbody><actuator><plugin joint='j' plugin='sinew.test.drag'/></actuator></mujoco>",
      "does not support actuators");
  assertRejected(ARM("<config key='gain' value='1'/>"), "gain");
  assertRejected(ARM("<config key='kp' value='1'/><config key='kp' value='2'/>"), "kp");
  assertRejected(
      "<mujoco><extension><plugin plugin='sinew.test.drag'/></extension><worldbody><body><joint/><geom size='.1'/>"
      "<plugin instance='nobody'/></body></worldbody></mujoco>",
      "nobody");

  // settings that only the plugin can judge
  assertRejected(ARM("<config key='kp' value='-1'/>"), "kp is negative");
}

//---------------------------------- simulation ----------------------------------

static void settingsReachTheModel(void** state) {
  (void)state;
  mjModel* m = tst_string(HOLD);
  const int hold = m->actuator_plugin[0], own = m->actuator_plugin[1];
  assert_string_equal(mj_getPluginConfig(m, hold, "ki"), "3");
  assert_string_equal(mj_getPluginConfig(m, own, "kp"), "4");
  assert_string_equal(mj_getPluginConfig(m, own, "ki"), "");
  assert_null(mj_getPluginConfig(m, hold, "nosuch"));
  assert_string_equal(mj_getPluginConfig(m, m->body_plugin[1], "coef"), ".3");

  // through a file and back
  const int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* again = mj_loadModelBuffer(bytes, size);
  assert_string_equal(mj_getPluginConfig(again, hold, "ki"), "3");
  assert_int_equal(again->npluginstate, m->npluginstate);
  free(bytes);
  mj_deleteModel(again);
  mj_deleteModel(m);
}

// forces are the formulas of the plugins, with the control of two steps ago where it is delayed
static void forcesFollowTheFormulas(void** state) {
  (void)state;
  mjModel* m = tst_string(HOLD);
  mjData* d = mj_makeData(m);
  const mjtNum* integral = d->plugin_state + m->plugin_stateadr[m->actuator_plugin[0]];
  mjtNum sum = 0, act = 0, past[40];
  for (int step = 0; step < 40; step++) {
    d->ctrl[0] = 0.5;
    d->ctrl[1] = past[step] = sin(0.3 * step);
    const mjtNum before = d->qpos[0], elbow = d->qpos[1];
    mj_step(m, d);
    assert_true(fabs(d->actuator_force[0] - (10 * (0.5 - before) + 3 * sum)) < 1e-12);
    const mjtNum delayed = step >= 2 ? past[step - 2] : 0;
    assert_true(fabs(d->actuator_force[1] - 4 * (delayed - elbow)) < 1e-12);
    sum += 0.01 * (0.5 - before);
    assert_true(fabs(*integral - sum) < 1e-12);
    act += 0.01 * (past[step] - act);
    assert_true(fabs(d->act[0] - act) < 1e-12);
  }

  // drag acts on the body that has it, not on its child
  mj_forward(m, d);
  assert_true(fabs(d->qfrc_passive[0] + 0.3 * d->qvel[0]) < 1e-15);
  assert_true(d->qfrc_passive[1] == 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void probesRead(void** state) {
  (void)state;
  mjModel* m = tst_string(HOLD);
  mjData* d = mj_makeData(m);
  const int tip = mj_name2id(m, mjOBJ_SITE, "tip");
  for (int step = 0; step < 40; step++) {
    mj_step(m, d);
    const mjtNum* now = d->sensordata + m->sensor_adr[mj_name2id(m, mjOBJ_SENSOR, "now")];
    const mjtNum* cut = d->sensordata + m->sensor_adr[mj_name2id(m, mjOBJ_SENSOR, "cut")];
    assert_true(now[0] == d->site_xpos[3 * tip + 2]);
    assert_true(now[2] == step);
    for (int k = 0; k < 3; k++) assert_true(cut[k] == fmax(-0.5, fmin(0.5, now[k])));
  }
  assert_true(d->sensordata[1] != 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// samples at an interval are recorded; a delay cannot be, because a plugin computes all of its sensors at once
static void probesAreRecorded(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = compileWith(HOLD, &(History){.nsample = 3, .interval = 0.04}, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  mjData* d = mj_makeData(m);
  const int rare = mj_name2id(m, mjOBJ_SENSOR, "rare");
  mjtNum height[12];
  for (int step = 0; step < 12; step++) {
    mj_step(m, d);
    height[step] = d->sensordata[m->sensor_adr[rare]];
  }
  for (int sample = 0; sample < 3; sample++) {
    mjtNum value[3];
    const mjtNum* stored = mj_readSensor(m, d, rare, 0.04 * sample, value, 0);
    assert_true((stored ? stored : value)[0] == height[4 * sample]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);

  assert_null(compileWith(HOLD, &(History){.nsample = 6, .delay = 0.03}, error, sizeof(error)));
  assert_non_null(strstr(error, "cannot have a delay"));
}

// the state of plugins is part of the state of the simulation, and copies have instances of their own
static void statesAreSaved(void** state) {
  (void)state;
  mjModel* m = tst_string(HOLD);
  mjData* d = mj_makeData(m);
  d->ctrl[0] = 0.5;
  for (int i = 0; i < 20; i++) mj_step(m, d);
  const int size = mj_stateSize(m, mjSTATE_INTEGRATION);
  assert_int_equal(mj_stateSize(m, mjSTATE_PLUGIN), m->npluginstate);
  mjtNum* saved = malloc(sizeof(mjtNum) * (size_t)size);
  mj_getState(m, d, saved, mjSTATE_INTEGRATION);
  mjData *copy = mj_copyData(NULL, m, d), *fresh = mj_makeData(m);
  mj_setState(m, fresh, saved, mjSTATE_INTEGRATION);
  assert_true(copy->plugin_data[m->actuator_plugin[0]] != d->plugin_data[m->actuator_plugin[0]]);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
    mj_step(m, copy);
    mj_step(m, fresh);
  }
  assert_memory_equal(d->qpos, copy->qpos, sizeof(mjtNum) * (size_t)m->nq);
  assert_memory_equal(d->qpos, fresh->qpos, sizeof(mjtNum) * (size_t)m->nq);
  assert_memory_equal(d->plugin_state, fresh->plugin_state, sizeof(mjtNum) * (size_t)m->npluginstate);
  mj_resetData(m, d);
  for (int i = 0; i < m->npluginstate; i++) assert_true(d->plugin_state[i] == 0);
  free(saved);
  mj_deleteData(fresh);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// an error of a plugin is a status; the data can be used again
static void errorsReturn(void** state) {
  (void)state;
  mjModel* m = tst_string(ARM("<config key='kp' value='1'/><config key='failat' value='.05'/>"));
  mjData *d = mj_makeData(m), *clean = mj_makeData(m);
  char message[200] = "";
  int good = 0;
  while (sn_step(m, d, message, sizeof(message)) == SN_OK) good++;
  assert_int_equal(good, 5);
  assert_non_null(strstr(message, "failed as it was told to"));
  assert_int_equal(d->pstack, 0);
  tst_stepsLikeClean(m, d, clean, 4);
  mj_deleteData(clean);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- distances ----------------------------------

// height of a body's frame above the floor; the ring's mesh frame is at its middle
static mjtNum heightOf(const mjModel* m, const mjData* d, const char* body) {
  return d->xpos[3 * mj_name2id(m, mjOBJ_BODY, body) + 2];
}

static void ringsCollide(void** state) {
  (void)state;
  mjModel* m = tst_string(RINGS);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);

  // a point on the axis is as far from the ring as its inner radius
  const mjpPlugin* plugin = mjc_getSDF(m, m->body_geomadr[mj_name2id(m, mjOBJ_BODY, "ring")]);
  const mjtNum centre[3] = {0, 0, 0};
  assert_true(fabs(plugin->sdf_distance(centre, d, 0) - 0.2) < 1e-12);

  // the ball sinks into the ring by 2 mm: contacts lie in the lens that both share, about 1 cm wide, with normals along
  // the vertical; the search finds less than the whole depth
  d->qpos[7 + 2] = 0.11 + 0.1 + 0.08 - 0.002;
  mj_forward(m, d);
  const int ball = m->body_geomadr[mj_name2id(m, mjOBJ_BODY, "ball")];
  int touching = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->geom[0] != ball && con->geom[1] != ball) continue;
    touching++;
    assert_true(fabs(con->frame[2]) > 0.97);
    assert_true(con->dist < 0 && con->dist > -0.002);
    assert_true(fabs(con->pos[0] - 0.3) < 0.02 && fabs(con->pos[2] - 0.21) < 0.02);
  }
  assert_true(touching >= 1);

  // everything comes to rest above the floor, the lower ring on its small radius
  for (int i = 0; i < 500; i++) mj_step(m, d);
  assert_true(fabs(heightOf(m, d, "ring") - 0.1) < 0.02);
  assert_true(heightOf(m, d, "ball") > 0.05);
  assert_true(heightOf(m, d, "other") > 0.09);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(librariesBringTheirPlugins),
      cmocka_unit_test(messagesOfLibraries),
      cmocka_unit_test(messagesOfModels),
      cmocka_unit_test(settingsReachTheModel),
      cmocka_unit_test(forcesFollowTheFormulas),
      cmocka_unit_test(probesRead),
      cmocka_unit_test(probesAreRecorded),
      cmocka_unit_test(statesAreSaved),
      cmocka_unit_test(errorsReturn),
      cmocka_unit_test(ringsCollide),
  };
  return cmocka_run_group_tests(tests, loadPlugins, NULL);
}
