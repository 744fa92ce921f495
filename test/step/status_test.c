// Steps that return a status leave the library and the data usable, with and without a thread pool.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sinew/sinew.h>
#include <string.h>

#include "base/stack.h"
#include "support/catch.h"
#include "support/model.h"

// takes a megabyte of scratch and fails
static void greedy(const mjModel* m, mjData* d) {
  (void)m;
  mj_markStack(d);
  memset(mj_stackAllocByte(d, 1 << 20, 8), 1, 1 << 20);
  mju_error("greedy");
}

static void failuresGiveTheStackBack(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  for (int bound = 0; bound < 2; bound++) {
    mjData *d = mj_makeData(m), *good = mj_makeData(m);
    if (bound) mju_bindThreadPool(d, pool);
    const size_t room = mj_stackBytesAvailable(d);
    mjcb_passive = greedy;
    for (int k = 0; k < 200; k++) {
      char message[100];
      assert_int_equal(sn_step(m, d, message, sizeof(message)), SN_ERROR);
      assert_string_equal(message, "greedy");
      assert_int_equal(d->pbase, 0);
    }
    assert_int_equal(sn_forward(m, d, NULL, 0), SN_ERROR);
    assert_int_equal(sn_inverse(m, d, NULL, 0), SN_ERROR);
    mjcb_passive = NULL;
    mj_resetData(m, d);
    assert_int_equal(mj_stackBytesAvailable(d), room);
    assert_int_equal(sn_step(m, d, NULL, 0), SN_OK);
    mj_step(m, good);
    assert_memory_equal(d->qpos, good->qpos, sizeof(mjtNum) * (size_t)m->nq);
    mj_deleteData(d);
    mj_deleteData(good);
  }
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

// a handler that jumps leaves the scratch open; a reset gives it back
static void resetGivesTheStackBack(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  for (int bound = 0; bound < 2; bound++) {
    mjData* d = mj_makeData(m);
    if (bound) mju_bindThreadPool(d, pool);
    const size_t room = mj_stackBytesAvailable(d);
    mjcb_passive = greedy;
    for (int k = 0; k < 200; k++) {
      assert_string_equal(CATCH(mj_step(m, d)), "greedy");
      mj_resetData(m, d);
    }
    mjcb_passive = NULL;
    assert_int_equal(mj_stackBytesAvailable(d), room);
    mj_deleteData(d);
  }
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failuresGiveTheStackBack),
                                     cmocka_unit_test(resetGivesTheStackBack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
