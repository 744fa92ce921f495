// The same bits whatever runs the steps: kernels of every instruction set, any number of threads, fresh or continued
// data. The hashes are committed, so every compiler and optimisation level that builds this test is held to the same
// bits.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "math/simd/kernels.h"
#include "support/model.h"

enum { STEPS = 10000 };

// model, hash of its state after STEPS steps
static const struct {
  const char* name;
  uint64_t hash;
} expected[] = {
#include "determinism.inc"
};

enum { MODELS = sizeof(expected) / sizeof(expected[0]) };

// FNV-1a over the bytes of the state
static uint64_t hashState(const mjModel* m, const mjData* d) {
  uint64_t hash = 14695981039346656037u;
  const struct {
    const void* bytes;
    size_t size;
  } parts[] = {
      {d->qpos, sizeof(mjtNum) * (size_t)m->nq},
      {d->qvel, sizeof(mjtNum) * (size_t)m->nv},
      {d->act,  sizeof(mjtNum) * (size_t)m->na},
      {d->qacc, sizeof(mjtNum) * (size_t)m->nv}
  };
  for (int p = 0; p < 4; p++) {
    for (size_t i = 0; i < parts[p].size; i++)
      hash = (hash ^ ((const unsigned char*)parts[p].bytes)[i]) * 1099511628211u;
  }
  return hash;
}

// a control that never settles, computed in integers
static void drive(const mjModel* m, mjData* d, int step) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = ((step / 50 + 3 * i) % 7 - 3) / 8.0;
}

static void run(const mjModel* m, mjData* d, int from, int to) {
  for (int step = from; step < to; step++) {
    drive(m, d, step);
    mj_step(m, d);
  }
}

static void check(int k, const mjModel* m, const mjData* d, const char* how) {
  const uint64_t hash = hashState(m, d);
  if (hash != expected[k].hash) {
    fail_msg("{\"%s\", 0x%016llx} %s; 0x%016llx expected", expected[k].name, (unsigned long long)hash, how,
             (unsigned long long)expected[k].hash);
  }
}

static void everyInstructionSet(void** state) {
  (void)state;
  static const char* kernels[] = {"scalar", "v2", "v3", "v4", "neon"};
  const char* before = mth_kernelName();
  for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
    if (!mth_kernelSelect(kernels[i])) continue;
    for (int k = 0; k < MODELS; k++) {
      mjModel* m = tst_model(expected[k].name);
      mjData* d = mj_makeData(m);
      run(m, d, 0, STEPS);
      check(k, m, d, kernels[i]);
      mj_deleteData(d);
      mj_deleteModel(m);
    }
  }
  mth_kernelSelect(before);
}

static void anyNumberOfThreads(void** state) {
  (void)state;
  for (int threads = 1; threads <= 4; threads *= 2) {
    mjThreadPool* pool = mju_threadPoolCreate((size_t)threads);
    for (int k = 0; k < MODELS; k++) {
      mjModel* m = tst_model(expected[k].name);
      mjData* d = mj_makeData(m);
      mju_bindThreadPool(d, pool);
      run(m, d, 0, STEPS);
      check(k, m, d, "with threads");
      mj_deleteData(d);
      mj_deleteModel(m);
    }
    mju_threadPoolDestroy(pool);
  }
}

// what mjData keeps for speed never changes the result: fresh data given the same state continues as the old one would
static void freshDataContinues(void** state) {
  (void)state;
  for (int k = 0; k < MODELS; k++) {
    mjModel* m = tst_model(expected[k].name);
    mjData* d = mj_makeData(m);
    run(m, d, 0, STEPS / 2);
    const int size = mj_stateSize(m, mjSTATE_INTEGRATION);
    mjtNum* saved = malloc(sizeof(mjtNum) * (size_t)size);
    mj_getState(m, d, saved, mjSTATE_INTEGRATION);
    mjData* fresh = mj_makeData(m);
    mj_setState(m, fresh, saved, mjSTATE_INTEGRATION);
    run(m, fresh, STEPS / 2, STEPS);
    check(k, m, fresh, "continued in fresh data");
    free(saved);
    mj_deleteData(fresh);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyInstructionSet),
      cmocka_unit_test(anyNumberOfThreads),
      cmocka_unit_test(freshDataContinues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
