// Numbers by name, and the state that goes from one model to the next by name.
#include "view/stage.h"

static const char ARM[] =
    "<mujoco><worldbody>"
    "<body name='upper'><joint name='shoulder' axis='0 1 0'/><geom name='bone' type='capsule' size='0.05 0.3'/>"
    "<body name='lower' pos='0 0 0.7'><joint name='elbow' axis='0 1 0'/><geom type='capsule' size='0.04 0.3'/></body>"
    "</body><body name='target' mocap='true' pos='1 2 3'/></worldbody>"
    "<actuator><motor name='a' joint='shoulder'/><motor name='b' joint='elbow'/></actuator>"
    "<sensor><jointpos name='angle' joint='elbow'/><framepos name='place' objtype='body' objname='lower'/></sensor>"
    "</mujoco>";

static void readsFieldsByName(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  mjData* const d = app->d;
  d->qpos[1] = 0.4;
  d->ctrl[1] = 7;
  d->time = 2.5;
  viw_forward(app);
  const struct {
    const char* name;
    double value;
  } good[] = {
      {"qpos[1]",             0.4               },
      {"qpos.elbow",          0.4               },
      {"ctrl.b",              7                 },
      {"ctrl[1]",             7                 },
      {"time",                2.5               },
      {"ncon",                d->ncon           },
      {"xpos.lower[2]",       d->xpos[3 * 2 + 2]},
      {"xpos[2,2]",           d->xpos[3 * 2 + 2]},
      {"geom_xpos.bone",      d->geom_xpos[0]   },
      {"mocap_pos[0,1]",      2                 },
      {"mocap_pos.target[1]", 2                 },
      {"angle",               0.4               },
      {"place[2]",            d->sensordata[3]  },
      {"sensordata.angle",    0.4               }
  };
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
    double value = -1;
    if (!viw_readField(app, good[i].name, &value)) fail_msg("%s", good[i].name);
    if (value != good[i].value) fail_msg("%s is %g, not %g", good[i].name, value, good[i].value);
  }
  static const char* const bad[] = {"",          "qpos[2]",       "qpos[-1]",  "qpos[",          "qpos[0",
                                    "nothing",   "qpos.wrist",    "xpos[9,0]", "xpos[0,3]",      "place[3]",
                                    "qpos[0]]x", "xpos.lower[3]", "energy[2]", "plugin_data[0]", "mocap_pos.lower[0]"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    double value = 0;
    if (viw_readField(app, bad[i], &value)) fail_msg("'%s' is read", bad[i]);
  }
  stageClose(app);
}

static void watchKeepsItsCourse(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  assert_int_equal(viw_addWatch(app, "qpos.nobody"), 0);
  assert_non_null(strstr(app->message, "qpos.nobody"));
  assert_int_equal(viw_addWatch(app, "time"), 1);
  for (int i = 0; i < 10; i++) {
    viw_simulate(app);
    viw_sampleWatches(app);
    viw_sampleWatches(app);
  }
  // a state is sampled once
  assert_int_equal(app->watch[0].n, 10);
  assert_true(fabs(app->watch[0].value[9] - app->d->time) < 1e-6);
  // looking back adds nothing, going on from there replaces what followed
  viw_scrub(app, 4);
  viw_sampleWatches(app);
  assert_int_equal(app->watch[0].n, 10);
  viw_step(app, 1);
  viw_sampleWatches(app);
  assert_int_equal(app->watch[0].n, 5);
  assert_true(fabs(app->watch[0].value[4] - app->d->time) < 1e-6);
  for (int i = 0; i < 5; i++) viw_addWatch(app, "ncon");
  assert_int_equal(app->nwatch, VIW_MAX_WATCH);
  stageClose(app);
}

static int isAccent(const ViwDot* dot) {
  return memcmp(&dot->color, &VIW_ACCENT, sizeof(ViwColor)) == 0;
}

// beside an open panel a chart has what the window leaves, so that none lies below another panel
static void chartsStayBetweenPanels(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  ViwCanvas canvas = {.fontScale = 1};
  app->ui.canvas = &canvas;
  app->unit = 1;
  app->width = 640;
  app->height = 480;
  app->left = app->right = 1;
  viw_addWatch(app, "time");
  viw_drawCharts(app);
  assert_true(canvas.ndot > 0);
  for (int i = 0; i < canvas.ndot; i++) assert_true(canvas.dot[i].x >= 270 && canvas.dot[i].x <= 390);
  free(canvas.dot);
  free(canvas.patch);
  stageClose(app);
}

// the course of what grows evenly is a line from the lower left to the upper right corner of its chart
static void chartsShowTheCourse(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  ViwCanvas canvas = {.fontScale = 1};
  app->ui.canvas = &canvas;
  app->unit = 1;
  app->width = 800;
  app->height = 600;
  viw_addWatch(app, "time");
  viw_addWatch(app, "ncon");
  // before the ring is full and after
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < (round ? VIW_WATCH_POINTS : 10); i++) {
      mj_step(app->m, app->d);
      viw_remember(app);
      viw_sampleWatches(app);
    }
    canvas.ndot = canvas.npatch = 0;
    viw_drawCharts(app);
    int first = 0, last = 0, n = 0;
    for (int i = 0; i < canvas.ndot; i++) {
      // six corners of each stroke; only those of the first chart
      if (!isAccent(canvas.dot + i) || n >= 6 * (app->watch[0].n - 1)) continue;
      if (n++ % 6) continue;
      if (n == 1) first = last = i;
      assert_true(canvas.dot[i].x >= canvas.dot[last].x && canvas.dot[i].y <= canvas.dot[last].y);
      last = i;
    }
    assert_int_equal(n, 6 * (app->watch[0].n - 1));
    assert_true(canvas.dot[last].x - canvas.dot[first].x > 200 && canvas.dot[first].y - canvas.dot[last].y > 40);
  }
  // the number is that of the time that is looked at: "0", which is shorter than now
  const int dots = canvas.ndot;
  viw_scrub(app, 0);
  canvas.ndot = canvas.npatch = 0;
  viw_drawCharts(app);
  assert_in_range(canvas.ndot, 1, dots - 1);
  free(canvas.dot);
  free(canvas.patch);
  stageClose(app);
}

// a frame of the panels with the mouse at a place
static void panelFrame(ViwApp* app, ViwCanvas* canvas, float y, int pressed) {
  app->input = (ViwInput){.x = 30, .y = y, .pressed = {pressed}, .down = {pressed}, .released = {!pressed}};
  canvas->ndot = canvas->npatch = 0;
  viw_uiBegin(&app->ui, canvas, &app->input, 1);
  viw_drawPanels(app);
  viw_uiEnd(&app->ui);
}

// clicks down the panel switch every flag of the options, each alone
static void everyFlagHasItsBox(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  ViwCanvas canvas = {.fontScale = 1};
  app->unit = 1;
  app->width = 900;
  app->height = 3000;
  app->left = 1;
  const mjOption before = app->m->opt;
  int disabled = 0, enabled = 0;
  for (int y = 0; y < 2000; y += 4) {
    memset(&app->open, 0, sizeof(app->open));
    app->open.physics = 1;
    app->m->opt = before;
    panelFrame(app, &canvas, (float)y, 1);
    panelFrame(app, &canvas, (float)y, 0);
    const int off = app->m->opt.disableflags ^ before.disableflags, on = app->m->opt.enableflags ^ before.enableflags;
    assert_true(__builtin_popcount((unsigned)off) + __builtin_popcount((unsigned)on) <= 1);
    disabled |= off;
    enabled |= on;
  }
  assert_int_equal(disabled, (1 << mjNDISABLE) - 1);
  assert_int_equal(enabled, (1 << mjNENABLE) - 1);
  free(canvas.dot);
  free(canvas.patch);
  stageClose(app);
}

// joints and actuators in another order, one gone and one new
static void stateGoesOverByName(void** state) {
  (void)state;
  static const char CHANGED[] =
      "<mujoco><worldbody>"
      "<body name='extra'><joint name='new' axis='1 0 0'/><geom size='0.1'/></body>"
      "<body name='lower'><joint name='elbow' axis='0 1 0'/><geom size='0.1'/></body>"
      "<body name='target' mocap='true'/></worldbody>"
      "<actuator><motor name='b' joint='elbow'/></actuator></mujoco>";
  mjModel *const from = tst_string(ARM), *const to = tst_string(CHANGED);
  mjData *const a = mj_makeData(from), *const b = mj_makeData(to);
  a->qpos[1] = 0.7;
  a->qvel[1] = -2;
  a->ctrl[1] = 5;
  a->time = 3;
  viw_carryOver(from, a, to, b);
  assert_true(b->qpos[0] == 0 && b->qpos[1] == 0.7 && b->qvel[1] == -2);
  assert_true(b->ctrl[0] == 5 && b->time == 3);
  assert_true(b->mocap_pos[0] == 1 && b->mocap_pos[1] == 2 && b->mocap_pos[2] == 3);
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteModel(from);
  mj_deleteModel(to);
}

static void scriptsAreCheckedFirst(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(ARM);
  char error[VIW_ERROR_SIZE] = "";
  assert_int_equal(viw_startScript(app, "wait 3\n# words\n\nfly 2\n", error), 0);
  assert_string_equal(error, "line 4: 'fly' is no command of scripts");
  assert_int_equal(viw_startScript(app, "drag 1 2 3\n", error), 0);
  assert_non_null(strstr(error, "line 1: 'drag' needs 4"));

  // every command with one word too few
  static const char* const short_[] = {"key",  "text",   "move 1", "click 1", "drag 1 2 3", "wheel", "drop",
                                       "show", "camera", "speed",  "watch",   "shot",       "print", "wait"};
  for (size_t i = 0; i < sizeof(short_) / sizeof(short_[0]); i++) {
    assert_int_equal(viw_startScript(app, short_[i], error), 0);
    if (!strstr(error, " needs ")) fail_msg("%s: %s", short_[i], error);
  }
  assert_int_equal(viw_startScript(app, "key nokey\n", error), 0);
  assert_non_null(strstr(error, "no key 'nokey'"));
  assert_int_equal(viw_startScript(app, "wait 2\nspeed 4", error), 1);
  for (int i = 0; i < 3; i++) viw_playScript(app);
  assert_true(app->speed == 1);
  viw_playScript(app);
  assert_true(app->speed == 4);
  assert_int_equal(viw_scriptDone(app), 1);
  viw_freeScript(app);
  stageClose(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(readsFieldsByName),      cmocka_unit_test(watchKeepsItsCourse),
      cmocka_unit_test(chartsShowTheCourse),    cmocka_unit_test(chartsStayBetweenPanels),
      cmocka_unit_test(everyFlagHasItsBox),     cmocka_unit_test(stateGoesOverByName),
      cmocka_unit_test(scriptsAreCheckedFirst),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
