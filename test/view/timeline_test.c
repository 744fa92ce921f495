// Time in the viewer: pausing, stepping, the past and going on from it, states that are lost.
#include "view/stage.h"

#include <sinew/contact.h>

// a ball that bounces and a pendulum with a motor: contacts, warm starts and controls are part of the state
static const char BALL[] =
    "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='3 3 1'/>"
    "<body pos='0 0 0.5'><freejoint/><geom size='0.1'/></body>"
    "<body pos='1 0 1'><joint name='hinge' axis='0 1 0'/><geom type='capsule' size='0.05 0.3' pos='0 0 -0.3'/></body>"
    "</worldbody><actuator><motor name='motor' joint='hinge'/></actuator></mujoco>";

static void run(ViwApp* app, int frames) {
  for (int i = 0; i < frames; i++) viw_simulate(app);
}

static void simulatesInRealTime(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  run(app, 60);
  assert_true(fabs(app->d->time - 1) < 0.0041);
  app->speed = 0.5;
  run(app, 60);
  assert_true(fabs(app->d->time - 1.5) < 0.0041);
  app->paused = 1;
  const double before = app->d->time;
  run(app, 10);
  assert_true(app->d->time == before);
  viw_step(app, 3);
  assert_true(fabs(app->d->time - before - 0.012) < 1e-9);
  stageClose(app);
}

// looking back changes nothing; going on from the past gives the very same states again
static void pastContinuesExactly(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  app->d->ctrl[0] = 0.3;
  run(app, 80);
  mjtNum end[9];
  memcpy(end, app->d->qpos, 8 * sizeof(mjtNum));
  const double time = app->d->time;
  const int n = app->timeline.n;
  assert_int_equal(n, 81);

  viw_scrub(app, 20);
  assert_true(viw_isPast(app));
  assert_int_equal(app->paused, 1);
  assert_true(viw_shownData(app)->time < time);
  assert_true(viw_shownData(app) != app->d);
  assert_memory_equal(app->d->qpos, end, 8 * sizeof(mjtNum));
  // back to now
  viw_scrub(app, n - 1);
  assert_false(viw_isPast(app));

  viw_scrub(app, 20);
  const double then = viw_shownData(app)->time;
  app->paused = 0;
  viw_continue(app);
  assert_true(app->d->time == then);
  assert_int_equal(app->timeline.n, 21);
  while (app->d->time < time - 1e-9) viw_step(app, 1);
  assert_memory_equal(app->d->qpos, end, 8 * sizeof(mjtNum));
  stageClose(app);
}

// a box on a slope that its contacts hold by memory: that is a part of the past as well, of copies too
static void pastKeepsWhatContactsRemember(void** state) {
  (void)state;
  enum { COPIES = 3, MOST = COPIES * 64 };
  ViwApp* const app = stageOpen(
      "<mujoco xmlns:sinew='urn:sinew'><option cone='elliptic' gravity='4 0 -9'/><worldbody>"
      "<geom type='plane' size='3 3 1'/><body pos='0 0 0.1'><freejoint/>"
      "<geom type='box' size='0.1 0.1 0.1' sinew:stick='1'/></body></worldbody></mujoco>");
  viw_closeTimeline(&app->timeline);
  viw_openTimeline(&app->timeline, app->m, COPIES);
  viw_openGrid(app, COPIES);
  viw_remember(app);
  run(app, 60);
  mjtNum end[2][MOST];
  const size_t bytes = (size_t)app->timeline.size * sizeof(mjtNum);
  assert_in_range(app->timeline.size, 1, MOST);
  memcpy(end[0], viw_shownStates(app), bytes);
  const double time = app->d->time;

  // copies are simulated as if each had data of its own
  mjData* const own = mj_makeData(app->m);
  viw_scrub(app, 0);
  mj_setState(app->m, own, viw_shownStates(app) + app->grid.size, mjSTATE_INTEGRATION);
  while (own->time < time - 1e-9) mj_step(app->m, own);
  mj_getState(app->m, own, end[1], mjSTATE_INTEGRATION);
  assert_memory_equal(end[0] + app->grid.size, end[1], (size_t)app->grid.size * sizeof(mjtNum));
  mj_deleteData(own);

  viw_scrub(app, 30);
  assert_int_equal(sn_anchorSize(app->shown), 4 * SN_NANCHOR);
  viw_continue(app);
  while (app->d->time < time - 1e-9) viw_step(app, 1);
  assert_memory_equal(viw_shownStates(app), end[0], bytes);
  assert_true(app->timeline.nanchor > 0);
  viw_reset(app, -1);
  assert_true(app->timeline.nanchor == 0);
  viw_closeGrid(app);
  stageClose(app);
}

static void ringForgetsTheOldest(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  app->timeline.room = 10;
  run(app, 35);
  assert_int_equal(app->timeline.n, 10);
  viw_scrub(app, 0);
  assert_true(fabs(viw_shownData(app)->time - (app->d->time - 9.0 / 60)) < 0.0085);
  viw_scrub(app, -5);
  assert_int_equal(app->timeline.at, 0);
  viw_scrub(app, 500);
  assert_int_equal(app->timeline.at, 9);
  stageClose(app);
}

static void resetBeginsAnew(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  run(app, 30);
  viw_reset(app, -1);
  assert_true(app->d->time == 0);
  assert_int_equal(app->timeline.n, 1);
  stageClose(app);
}

// a state that explodes pauses the simulation and the message names the joint
static void lostStateNamesTheJoint(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  app->m->opt.disableflags |= mjDSBL_AUTORESET;
  run(app, 2);
  app->d->qvel[6] = 1e12;
  run(app, 1);
  assert_int_equal(app->paused, 1);
  assert_non_null(strstr(app->message, "velocity of joint 'hinge'"));
  stageClose(app);
}

// a model of a million numbers keeps few states, but at least two
static void memoryIsBounded(void** state) {
  (void)state;
  mjModel* const m = tst_string("<mujoco><size nuserdata='3000000'/></mujoco>");
  ViwTimeline line;
  viw_openTimeline(&line, m, 1);
  assert_true(line.room >= 2);
  assert_true((size_t)line.room * (size_t)line.size * sizeof(mjtNum) < ((size_t)200 << 20));
  viw_closeTimeline(&line);
  mj_deleteModel(m);
}

// copies and islands by threads have the bits of one thread
static void threadsChangeNoBits(void** state) {
  (void)state;
  enum { COPIES = 7, STATE = 64 };
  mjtNum states[2][COPIES * STATE] = {{0}};
  for (int threads = 0; threads < 2; threads++) {
    ViwApp* const app = stageOpen(BALL);
    app->pool = threads ? mju_threadPoolCreate(2) : NULL;
    if (app->pool) mju_bindThreadPool(app->d, app->pool);
    viw_closeTimeline(&app->timeline);
    viw_openTimeline(&app->timeline, app->m, COPIES);
    viw_openGrid(app, COPIES);
    assert_int_equal(app->grid.nd, threads ? 3 : 1);
    assert_true(app->grid.size * COPIES <= COPIES * STATE);
    viw_remember(app);
    app->d->ctrl[0] = 0.2;
    run(app, 60);
    mj_getState(app->m, app->d, states[threads], mjSTATE_INTEGRATION);
    memcpy(states[threads] + app->grid.size, app->grid.state, (size_t)((COPIES - 1) * app->grid.size) * sizeof(mjtNum));
    assert_true(app->grid.state[0] > 0.9);
    viw_closeGrid(app);
    mjThreadPool* const pool = app->pool;
    stageClose(app);
    mju_threadPoolDestroy(pool);
  }
  assert_memory_equal(states[0], states[1], sizeof(states[0]));
}

// Effects go where the processor draws too slowly, one after the other, and never in films, whose time does not pass.
static void slowPicturesLoseEffects(void** state) {
  (void)state;
  ViwApp* const app = stageOpen(BALL);
  ViwRenderer* const r = &app->renderer;
  struct {
    int soft;
    double frameTime, seconds;
    int frames, lean;
  } const cases[] = {
      {0, 0,    0.2,  90, 0}, // a graphics card
      {1, 0.01, 0.2,  90, 0}, // a film
      {1, 0,    0.03, 90, 0}, // fast enough
      {1, 0,    0.2,  15, 0}, // a model has its time to begin
      {1, 0,    0.2,  30, 1},
      {1, 0,    0.2,  90, 2},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    r->soft = cases[i].soft;
    r->lean = app->paceFrame = 0;
    app->drawTime = 0;
    app->frameTime = cases[i].frameTime;
    for (app->frame = 0; app->frame < cases[i].frames; app->frame++) viw_keepPace(app, cases[i].seconds);
    assert_int_equal(r->lean, cases[i].lean);
  }
  assert_non_null(strstr(app->message, "shadows"));
  stageClose(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simulatesInRealTime),
      cmocka_unit_test(pastContinuesExactly),
      cmocka_unit_test(pastKeepsWhatContactsRemember),
      cmocka_unit_test(ringForgetsTheOldest),
      cmocka_unit_test(resetBeginsAnew),
      cmocka_unit_test(lostStateNamesTheJoint),
      cmocka_unit_test(memoryIsBounded),
      cmocka_unit_test(threadsChangeNoBits),
      cmocka_unit_test(slowPicturesLoseEffects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
