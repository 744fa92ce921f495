// Islands solved by a thread pool give the same bits as one after another.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sameBits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
