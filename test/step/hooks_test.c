// Hooks of one simulation and steps that return a status.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <sinew/sinew.h>

#include "support/model.h"
#include "support/status.h"

// what a hook may touch besides its mjData
typedef struct {
  double torque;
  int calls;
  int fail;  // raise an error at this call, 0: never
} Context;

static void control(const mjModel* m, mjData* d, void* context) {
  Context* c = context;
  c->calls++;
  if (c->fail && c->calls == c->fail) mju_error("the controller gave up at call %d", c->calls);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = c->torque;
}

static int globalCalls;
static void globalControl(const mjModel* m, mjData* d) {
  (void)m, (void)d;
  globalCalls++;
}

//---------------------------------- every hook ----------------------------------

// two hooks of a scene may not mix up their contexts: each counts its calls and says its own number
enum { PASSIVE, CONTROL, SENSOR, FILTER, DYN, GAIN, BIAS, NHOOK };
typedef struct {
  double number;
  int count[NHOOK];
  int fail;  // hook that raises an error, -1: none
} Watch;

static void seen(Watch* w, int hook) {
  w->count[hook]++;
  if (w->fail == hook) mju_error("hook %d gave up", hook);
}
static void onPassive(const mjModel* m, mjData* d, void* context) {
  (void)m;
  seen(context, PASSIVE);
  d->qfrc_passive[0] += ((Watch*)context)->number;
}
static void onControl(const mjModel* m, mjData* d, void* context) {
  (void)m;
  seen(context, CONTROL);
  d->ctrl[0] = ((Watch*)context)->number;
}
static void onSensor(const mjModel* m, mjData* d, int stage, void* context) {
  (void)m, (void)stage;
  seen(context, SENSOR);
  d->sensordata[0] = ((Watch*)context)->number;
}
static int onPair(const mjModel* m, mjData* d, int geom1, int geom2, void* context) {
  (void)m, (void)d, (void)geom1, (void)geom2;
  seen(context, FILTER);
  return ((Watch*)context)->number > 1;
}
static mjtNum onDyn(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)d, (void)id;
  seen(context, DYN);
  return ((Watch*)context)->number;
}
static mjtNum onGain(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)d, (void)id;
  seen(context, GAIN);
  return ((Watch*)context)->number;
}
static mjtNum onBias(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)d, (void)id;
  seen(context, BIAS);
  return ((Watch*)context)->number;
}

static snHooks allHooks(Watch* w) {
  return (snHooks){.context = w,
                   .passive = onPassive,
                   .control = onControl,
                   .sensor = onSensor,
                   .contactfilter = onPair,
                   .act_dyn = onDyn,
                   .act_gain = onGain,
                   .act_bias = onBias};
}

// something for every hook to do
static const char SCENE[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'><joint name='j' type='slide' axis='0 0 "
    "1'/>"
    "<geom size='.1'/></body></worldbody><actuator><general joint='j' dyntype='user' actdim='1' gaintype='user'"
    " biastype='user'/></actuator><sensor><user dim='1' needstage='acc'/></sensor></mujoco>";

typedef struct {
  const mjModel* m;
  mjData* d;
} Job;

static void* run(void* arg) {
  Job* job = arg;
  for (int i = 0; i < 50; i++) mj_step(job->m, job->d);
  return NULL;
}

// two simulations in two threads, each with its own controller
static void eachSimulationHasItsOwn(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  Context context[2] = {{.torque = 0.1}, {.torque = -0.2}};
  Job job[2];
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) {
    job[i] = (Job){m, mj_makeData(m)};
    sn_setHooks(job[i].d, &(snHooks){.context = &context[i], .control = control});
  }
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, run, &job[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 2; i++) {
    assert_true(context[i].calls >= 50);
    assert_true(job[i].d->qfrc_applied[0] == context[i].torque);
  }
  assert_true(job[0].d->qpos[0] != job[1].d->qpos[0]);
  for (int i = 0; i < 2; i++) mj_deleteData(job[i].d);
  mj_deleteModel(m);
}

// all hooks of two simulations of one model at once; each sees its own context and nothing else
static void threadsKeepApart(void** state) {
  (void)state;
  mjModel* m = tst_string(SCENE);
  Watch watch[2] = {
      {.number = 2,   .fail = -1},
      {.number = 0.5, .fail = -1}
  };
  Job job[2];
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) {
    job[i] = (Job){m, mj_makeData(m)};
    const snHooks hooks = allHooks(&watch[i]);
    sn_setHooks(job[i].d, &hooks);
  }
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, run, &job[i]), 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 2; i++) {
    const mjData* d = job[i].d;
    const double number = watch[i].number;
    for (int hook = 0; hook < NHOOK; hook++) {
      // pairs are only asked for while they are near
      assert_true(hook == FILTER ? watch[i].count[hook] > 0 : watch[i].count[hook] == 50);
    }
    assert_true(d->qfrc_passive[0] == number && d->ctrl[0] == number && d->sensordata[0] == number);
    assert_true(d->act_dot[0] == number);
    mj_deleteData(job[i].d);
  }
  mj_deleteModel(m);
}

// an error in any hook comes back as a status; the next step works
static void everyHookMayFail(void** state) {
  (void)state;
  mjModel* m = tst_string(SCENE);
  mjData *d = mj_makeData(m), *clean = mj_makeData(m);
  for (int hook = 0; hook < NHOOK; hook++) {
    Watch watch = {.number = 0.5, .fail = hook}, quiet = {.number = 0.5, .fail = -1};
    snHooks hooks = allHooks(&watch);
    char message[100] = "", expected[100];
    sn_setHooks(d, &hooks);
    mj_resetData(m, d);
    assert_int_equal(sn_step(m, d, message, sizeof(message)), SN_ERROR);
    snprintf(expected, sizeof(expected), "hook %d gave up", hook);
    assert_non_null(strstr(message, expected));
    assert_int_equal(d->pstack, 0);

    // from a new start it goes as if nothing had been
    watch.fail = -1;
    hooks = allHooks(&quiet);
    sn_setHooks(clean, &hooks);
    tst_stepsLikeClean(m, d, clean, 5);
  }
  mj_deleteData(clean);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// hooks replace the process-wide callback, survive a reset, go along with a copy and can be removed
static void hooksFollowTheirData(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  Context context = {.torque = 1};
  mjcb_control = globalControl;
  globalCalls = 0;
  assert_null(sn_getHooks(d)->control);
  mj_forward(m, d);
  assert_int_equal(globalCalls, 1);

  sn_setHooks(d, &(snHooks){.context = &context, .control = control});
  mj_forward(m, d);
  assert_int_equal(globalCalls, 1);
  assert_int_equal(context.calls, 1);
  mj_resetData(m, d);
  mj_forward(m, d);
  assert_int_equal(context.calls, 2);
  mjData* copy = mj_copyData(NULL, m, d);
  mj_forward(m, copy);
  assert_int_equal(context.calls, 3);
  sn_setHooks(d, NULL);
  mj_forward(m, d);
  assert_int_equal(globalCalls, 2);
  assert_int_equal(context.calls, 3);
  mjcb_control = NULL;
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// an error inside a step comes back as a status; the data works again afterwards, from the same stack
static void errorsReturn(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  mjData* clean = mj_makeData(m);
  Context context = {.fail = 3};
  char message[200];
  sn_setHooks(d, &(snHooks){.context = &context, .control = control});
  mj_markStack(d);
  const size_t pstack = d->pstack;
  assert_int_equal(sn_step(m, d, message, sizeof(message)), SN_OK);
  assert_int_equal(sn_step(m, d, message, sizeof(message)), SN_OK);
  assert_int_equal(sn_step(m, d, message, sizeof(message)), SN_ERROR);
  assert_non_null(strstr(message, "gave up at call 3"));
  assert_true(d->pstack == pstack);
  mj_freeStack(d);

  // from a reset on it continues exactly like data that never failed
  tst_stepsLikeClean(m, d, clean, 20);
  mj_deleteData(clean);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void ignore(const char* message) {
  (void)message;
}

// a state that is no number is a warning: the step resets it and goes on
static void badStateIsAWarning(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  d->qpos[0] = NAN;
  assert_int_equal(sn_step(m, d, NULL, 0), SN_WARNING);
  assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
  assert_true(isfinite(d->qpos[0]));
  assert_int_equal(sn_step(m, d, NULL, 0), SN_OK);
  assert_int_equal(sn_forward(NULL, d, NULL, 0), SN_ERROR);
  assert_int_equal(sn_inverse(m, d, NULL, 0), SN_OK);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// memory that is too small for the contacts is a warning, for the scratch of a step an error; either way the data can
// be used again when there is enough
static void littleMemoryReturns(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData *d = mj_makeData(m), *clean = mj_makeData(m);
  for (int i = 0; i < 50; i++) {
    mj_step(m, d);
    mj_step(m, clean);
  }
  assert_true(d->ncon > 0);
  const mjtSize whole = d->narena;
  mjtNum saved[500];
  assert_true(mj_stateSize(m, mjSTATE_INTEGRATION) < 500);
  mj_getState(m, d, saved, mjSTATE_INTEGRATION);
  int nerror = 0;
  mju_user_warning = ignore;
  for (mjtSize limit = 1 << 17; limit >= 64; limit -= limit / 8) {
    char message[200] = "";
    // what the last step has left there does not fit into less
    d->parena = 0;
    d->ncon = d->nefc = 0;
    d->narena = limit;
    const snStatus got = sn_step(m, d, message, sizeof(message));
    assert_int_equal(d->pstack, 0);
    nerror += got == SN_ERROR;
    if (got == SN_ERROR) assert_non_null(strstr(message, "out of memory"));
    d->narena = whole;
    mj_setState(m, d, saved, mjSTATE_INTEGRATION);
  }
  mju_user_warning = NULL;
  assert_true(nerror > 20);

  // with all of it again the simulation continues like the other
  for (int i = 0; i < 20; i++) {
    assert_int_equal(sn_step(m, d, NULL, 0), SN_OK);
    mj_step(m, clean);
  }
  assert_memory_equal(d->qpos, clean->qpos, sizeof(mjtNum) * (size_t)m->nq);
  mj_deleteData(clean);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachSimulationHasItsOwn),
      cmocka_unit_test(hooksFollowTheirData),
      cmocka_unit_test(errorsReturn),
      cmocka_unit_test(badStateIsAWarning),
      cmocka_unit_test(threadsKeepApart),
      cmocka_unit_test(everyHookMayFail),
      cmocka_unit_test(littleMemoryReturns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
