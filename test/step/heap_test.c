// A step takes nothing from the heap: allocations of the whole program are counted while it runs.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <sinew/batch.h>
#include <stdatomic.h>

#include "support/model.h"

// sanitizers have their own allocator: there the test only runs the steps
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTING 0
#else
#define COUNTING 1
#endif

static atomic_int counting, count;

#if COUNTING
// the allocator's own entry points in glibc
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t number, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  count += counting;
  return __libc_malloc(size);
}

void* calloc(size_t number, size_t size) {
  count += counting;
  return __libc_calloc(number, size);
}

void* realloc(void* old, size_t size) {
  count += counting;
  return __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  count += counting;
  return __libc_memalign(alignment, size);
}
#endif

// the counter sees what it should
static void counterWorks(void** state) {
  (void)state;
  if (!COUNTING) skip();
  counting = 1;
  void* volatile p = malloc(10);
  counting = 0;
  free(p);
  assert_int_equal(count, 1);
}

static void stepsAllocateNothing(void** state) {
  (void)state;
  static const int integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  static const int solvers[] = {mjSOL_PGS, mjSOL_CG, mjSOL_NEWTON};
  for (int k = 0; tst_models[k]; k++) {
    mjModel* m = tst_model(tst_models[k]);
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 4; i++) {
      for (int s = 0; s < 3; s++) {
        m->opt.integrator = integrators[i];
        m->opt.solver = solvers[s];
        mj_resetData(m, d);
        count = 0;
        counting = 1;
        for (int step = 0; step < 20; step++) mj_step(m, d);
        counting = 0;
        if (count) fail_msg("%s, integrator %d, solver %d: %d allocations", tst_models[k], i, s, count);
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// nor do the steps of a batch, whichever thread does them
static void batchesAllocateNothing(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  for (int nthread = 1; nthread <= 3; nthread++) {
    snBatchOptions options;
    sn_defaultBatchOptions(&options);
    options.nthread = nthread;
    snBatch* b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, 100, &options, NULL, 0);
    snField field;
    assert_int_equal(sn_batchField(b, 0, "xpos", &field), SN_OK);
    assert_int_equal(sn_batchExpand(b, 0, "body_mass", &field), SN_OK);
    count = 0;
    counting = 1;
    for (int step = 0; step < 5; step++) sn_batchStep(b, NULL, 2);
    sn_batchReset(b, NULL, -1);
    sn_batchForward(b, NULL);
    counting = 0;
    assert_int_equal(count, 0);
    sn_deleteBatch(b);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counterWorks),
      cmocka_unit_test(stepsAllocateNothing),
      cmocka_unit_test(batchesAllocateNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
