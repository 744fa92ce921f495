// Islands solved by a thread pool give the same bits as one after another; errors wait until all have ended.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>
#include <string.h>

#include "base/stack.h"
#include "base/thread.h"
#include "support/catch.h"
#include "support/model.h"

// many steps with and without a pool, every solver that has islands
static void sameBits(void** state) {
  (void)state;
  const char* models[] = {"boxes", "touch", "sleepers"};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    mjModel* m = tst_model(models[i]);
    for (int mode = 0; mode < 8; mode++) {
      m->opt.solver = mode & 1 ? mjSOL_CG : mjSOL_NEWTON;
      m->opt.cone = mode & 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      m->opt.jacobian = mode & 4 ? mjJAC_SPARSE : mjJAC_DENSE;
      mjData* plain = mj_makeData(m);
      mjData* pooled = mj_makeData(m);
      mjThreadPool* pool = mju_threadPoolCreate(3);
      mju_bindThreadPool(pooled, pool);
      int most = 0;
      for (int k = 0; k < 100; k++) {
        mj_step(m, plain);
        mj_step(m, pooled);
        if (pooled->nisland > most) most = pooled->nisland;
        assert_memory_equal(plain->qpos, pooled->qpos, sizeof(mjtNum) * (size_t)m->nq);
        assert_memory_equal(plain->qacc, pooled->qacc, sizeof(mjtNum) * (size_t)m->nv);
        assert_memory_equal(plain->solver_niter, pooled->solver_niter, sizeof(plain->solver_niter));
      }
      assert_true(most > 1);
      mj_deleteData(pooled);
      mj_deleteData(plain);
      mju_threadPoolDestroy(pool);
    }
    mj_deleteModel(m);
  }
}

// takes nearly all that the calling thread's stack has
static void fill(void* data, int i) {
  (void)i;
  mj_stackAllocByte(data, mj_stackBytesAvailable(data) - 64, 1);
}

// room on the stack of each worker, found by as many tasks as there are workers, which wait for each other
typedef struct {
  mjData* d;
  int arrived;
  size_t room[3];
} Rooms;

static void lookAtRoom(void* arg, int i) {
  Rooms* const r = arg;
  __atomic_add_fetch(&r->arrived, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&r->arrived, __ATOMIC_SEQ_CST) < 4) sched_yield();
  const size_t worker = mju_threadPoolCurrentWorkerId((mjThreadPool*)r->d->threadpool);
  if (worker) r->room[worker - 1] = mj_stackBytesAvailable(r->d);
  (void)i;
}

// the same with workers that fill their stacks
static void fillWorkers(void* arg, int i) {
  Rooms* const r = arg;
  lookAtRoom(arg, i);
  if (mju_threadPoolCurrentWorkerId((mjThreadPool*)r->d->threadpool)) fill(r->d, i);
}

static Rooms onAll(mjData* d, void (*run)(void*, int)) {
  Rooms r = {.d = d};
  char message[BAS_MESSAGE];
  assert_int_equal(bas_runAll((mjThreadPool*)d->threadpool, &(BasWork){.run = run, .arg = &r, .n = 4}, message), -1);
  return r;
}

// Islands that fail on workers: the error comes when all have ended, the workers' stacks are as they were, and after a
// reset everything runs on with the same bits.
static void failuresEndFirst(void** state) {
  (void)state;

  // so much to do that workers take part
  mjModel* m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
      "<replicate count='8' offset='2 0 0'><replicate count='8' offset='0 2 0'>"
      "<body pos='0 0 .3'><freejoint/><geom type='box' size='.3 .3 .3'/></body>"
      "<body pos='0 0 .9'><freejoint/><geom type='box' size='.3 .3 .3'/></body>"
      "<body pos='0 0 1.5'><freejoint/><geom type='box' size='.3 .3 .3'/></body>"
      "</replicate></replicate></worldbody></mujoco>");
  mjData *d = mj_makeData(m), *plain = mj_makeData(m);
  mjThreadPool* pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(d, pool);
  onAll(d, fillWorkers);
  const Rooms before = onAll(d, lookAtRoom);
  int failed = 0;
  for (int k = 0; k < 1000 && failed < 5; k++) {
    const char* message = CATCH(mj_step(m, d));
    if (!message) continue;
    assert_non_null(strstr(message, "stack overflow"));
    failed++;
    const Rooms after = onAll(d, lookAtRoom);
    assert_memory_equal(after.room, before.room, sizeof(before.room));
  }
  assert_int_equal(failed, 5);

  // a reset gives all stacks back
  mj_resetData(m, d);
  const Rooms fresh = onAll(d, lookAtRoom);
  for (int i = 0; i < 3; i++) assert_true(fresh.room[i] > before.room[i] + 1000000);
  for (int k = 0; k < 20; k++) {
    mj_step(m, d);
    mj_step(m, plain);
  }
  assert_memory_equal(plain->qpos, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  mj_deleteData(d);
  mj_deleteData(plain);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sameBits), cmocka_unit_test(failuresEndFirst)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
