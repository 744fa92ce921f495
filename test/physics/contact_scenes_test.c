// The scenes of contacts by choice, all of scenes/contact: in batches, with threads, islands and sleep they have the
// bits of a plain simulation.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/batch.h>

#include "physics/flexes.h"

enum { STEPS = 24, SIMS = 3 };

static const char* const SCENES[] = {"field", "hold", "links", "mechanisms", "mug", "nut", "shot"};
enum { NSCENE = sizeof(SCENES) / sizeof(SCENES[0]) };

static mjModel* load(const char* name) {
  char path[100], error[500] = "";
  snprintf(path, sizeof(path), "scenes/contact/%s.xml", name);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  return m;
}

// the state that a simulation begins with: the first key where there is one, and a little speed that tells them apart
static void begin(const mjModel* m, mjData* d, int sim) {
  if (m->nkey) {
    mj_resetDataKeyframe(m, d, 0);
  } else {
    mj_resetData(m, d);
  }
  d->qvel[0] += 0.01 * sim;
}

static void run(const mjModel* m, mjData* d, int sim) {
  begin(m, d, sim);
  for (int i = 0; i < STEPS; i++) mj_step(m, d);
}

// a batch of two threads
static void test_batches(void** state) {
  (void)state;
  for (int k = 0; k < NSCENE; k++) {
    mjModel* m = load(SCENES[k]);
    mjData* d = mj_makeData(m);
    char message[300];
    snBatchOptions options;
    sn_defaultBatchOptions(&options);
    options.nthread = 2;
    snBatch* b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, SIMS, &options, message, sizeof(message));
    if (!b) fail_msg("%s: %s", SCENES[k], message);
    snField qpos, qvel, ctrl;
    assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "qvel", &qvel), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "ctrl", &ctrl), SN_OK);
    for (int i = 0; i < SIMS; i++) {
      begin(m, d, i);
      memcpy((char*)qpos.data + i * qpos.stride[0], d->qpos, sizeof(mjtNum) * (size_t)m->nq);
      memcpy((char*)qvel.data + i * qvel.stride[0], d->qvel, sizeof(mjtNum) * (size_t)m->nv);
      if (m->nu) memcpy((char*)ctrl.data + i * ctrl.stride[0], d->ctrl, sizeof(mjtNum) * (size_t)m->nu);
    }
    for (int t = 0; t < STEPS; t += 6) assert_int_equal(sn_batchStep(b, NULL, 6), SN_OK);
    for (int i = 0; i < SIMS; i++) {
      run(m, d, i);
      if (memcmp(d->qpos, (char*)qpos.data + i * qpos.stride[0], sizeof(mjtNum) * (size_t)m->nq) ||
          memcmp(d->qvel, (char*)qvel.data + i * qvel.stride[0], sizeof(mjtNum) * (size_t)m->nv))
        fail_msg("%s: simulation %d has other bits", SCENES[k], i);
    }
    sn_deleteBatch(b);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// islands on threads, and sleep, as long as nothing sleeps
static void test_threadsIslandsAndSleep(void** state) {
  (void)state;
  mjThreadPool* pool = mju_threadPoolCreate(2);
  for (int k = 0; k < NSCENE; k++) {
    mjModel* m = load(SCENES[k]);
    mjData *plain = mj_makeData(m), *d = mj_makeData(m);
    run(m, plain, 1);
    mju_bindThreadPool(d, pool);
    run(m, d, 1);
    if (memcmp(d->qpos, plain->qpos, sizeof(mjtNum) * (size_t)m->nq)) fail_msg("%s: threads", SCENES[k]);
    m->opt.enableflags |= mjENBL_SLEEP;
    mjData* sleeper = mj_makeData(m);
    run(m, sleeper, 1);
    if (sleeper->ntree_awake == m->ntree && memcmp(sleeper->qpos, plain->qpos, sizeof(mjtNum) * (size_t)m->nq))
      fail_msg("%s: sleep", SCENES[k]);
    mj_deleteData(sleeper);
    mj_deleteData(plain);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  mju_threadPoolDestroy(pool);
}

// a copy goes on as the original, and so does a state with its anchors
static void test_copies(void** state) {
  (void)state;
  for (int k = 0; k < NSCENE; k++) {
    mjModel *m = load(SCENES[k]), *other = mj_copyModel(NULL, m);
    mjData* d = mj_makeData(m);
    run(m, d, 1);
    mjData* copy = mj_copyData(NULL, other, d);
    for (int i = 0; i < 4; i++) {
      mj_step(m, d);
      mj_step(other, copy);
    }
    if (memcmp(d->qpos, copy->qpos, sizeof(mjtNum) * (size_t)m->nq)) fail_msg("%s: a copy", SCENES[k]);
    mj_deleteData(copy);
    mj_deleteData(d);
    mj_deleteModel(other);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_threadsIslandsAndSleep),
      cmocka_unit_test(test_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
