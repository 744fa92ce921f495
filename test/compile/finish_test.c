// Length ranges found on two threads: an error of one waits for the other.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static const char* const MODEL =
    "<mujoco><compiler><lengthrange inttotal='20'/></compiler><worldbody>"
    "<body><joint name='a' axis='0 1 0'/><geom size='.1' pos='1 0 0'/><site name='s' pos='1 0 0'/>"
    "<body pos='1 0 0'><joint name='b' axis='0 1 0'/><geom size='.1' pos='1 0 0'/><site name='t' pos='1 0 "
    "0'/></body></body>"
    "<site name='w' pos='0 0 1'/></worldbody>"
    "<tendon><spatial name='x'><site site='w'/><site site='s'/></spatial>"
    "<spatial name='y'><site site='w'/><site site='t'/></spatial></tendon>"
    "<actuator><muscle tendon='x'/><muscle tendon='y'/></actuator>"
    "<sensor><user dim='1' needstage='pos'/></sensor></mujoco>";

static pthread_t first;  // thread that compiles
static int failing;      // 0: none, 1: the compiling thread raises, 2: the other one
static int calls;        // calls on the other thread

static void napFor(long milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

// only while ranges are sought: then actuation is off
static void sensor(const mjModel* m, mjData* d, int stage) {
  (void)d, (void)stage;
  if (!(m->opt.disableflags & mjDSBL_ACTUATION)) return;
  const int other = !pthread_equal(pthread_self(), first);
  if (other) {
    const int n = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (n < 20) napFor(5);
    if (failing == 2) mju_error("the other thread fails");
  } else {
    // not before the other one works
    while (!__atomic_load_n(&calls, __ATOMIC_SEQ_CST)) napFor(1);
    if (failing == 1) mju_error("the compiling thread fails");
  }
}

static void errorsWaitForTheOtherThread(void** state) {
  (void)state;
  char text[1000];
  mjSpec* const spec = mj_parseXMLString(MODEL, NULL, text, sizeof(text));
  assert_non_null(spec);
  first = pthread_self();
  mjcb_sensor = sensor;
  for (failing = 2; failing >= 0; failing--) {
    calls = 0;
    mjModel* const m = mj_compile(spec, NULL);
    const int before = __atomic_load_n(&calls, __ATOMIC_SEQ_CST);
    assert_true(before > 0);
    if (failing) {
      assert_null(m);
      assert_non_null(strstr(mjs_getError(spec), failing == 1 ? "compiling thread fails" : "other thread fails"));
    } else {
      assert_non_null(m);
      assert_true(m->actuator_lengthrange[0] < m->actuator_lengthrange[1]);
      mj_deleteModel(m);
    }

    // nobody works on a model that is gone
    napFor(30);
    assert_int_equal(__atomic_load_n(&calls, __ATOMIC_SEQ_CST), before);
  }
  mjcb_sensor = NULL;
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errorsWaitForTheOtherThread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
