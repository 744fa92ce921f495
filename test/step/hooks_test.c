// Hooks of one simulation and steps that return a status.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <cmocka.h>

#include <sinew/sinew.h>

#include "support/model.h"

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
  mj_resetData(m, d);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(sn_step(m, d, NULL, 0), SN_OK);
    mj_step(m, clean);
  }
  assert_memory_equal(d->qpos, clean->qpos, sizeof(mjtNum) * (size_t)m->nq);
  mj_deleteData(clean);
  mj_deleteData(d);
  mj_deleteModel(m);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachSimulationHasItsOwn),
      cmocka_unit_test(hooksFollowTheirData),
      cmocka_unit_test(errorsReturn),
      cmocka_unit_test(badStateIsAWarning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
