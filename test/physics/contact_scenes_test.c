// Contacts by choice, all scenes of scenes/contact and a world with every choice in which all comes to rest: in
// batches, with threads, islands and sleep they have the bits of a plain simulation.
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
static const int THREADS[] = {1, 2, 4};

// an L of parts, an arch of triangles, a box with memory, a fast ball, a box on a height field, and a nut on a screw
#define WORLD                                                                                                       \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"><flag sleep=\"enable\"/></option><asset>"            \
  "<mesh name=\"ell\" scale=\".1 .1 .1\" sinew:shape=\"decomposed\" vertex=\"0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 "    \
  "0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1\" face=\"0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 "  \
  "1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11\"/>"                                           \
  "<mesh name=\"arch\" scale=\".1 .1 .1\" sinew:shape=\"exact\" vertex=\"-2 -1 0 -1 -1 0 -1 -1 2 1 -1 2 1 -1 0 2 "  \
  "-1 0 2 -1 3 -2 -1 3 -2 1 0 -1 1 0 -1 1 2 1 1 2 1 1 0 2 1 0 2 1 3 -2 1 3\" face=\"0 1 2 0 2 7 2 3 7 3 6 7 3 4 5 " \
  "3 5 6 8 10 9 8 15 10 10 15 11 11 15 14 11 13 12 11 14 13 0 8 9 0 9 1 1 9 10 1 10 2 2 10 11 2 11 3 3 11 12 3 12 " \
  "4 4 12 13 4 13 5 5 13 14 5 14 6 6 14 15 6 15 7 7 15 8 7 8 0\"/>"                                                 \
  "<hfield name=\"f\" nrow=\"9\" ncol=\"9\" size=\".5 .5 .01 .1\"/></asset><worldbody>"                             \
  "<geom type=\"plane\" size=\"9 9 1\"/><geom type=\"hfield\" hfield=\"f\" pos=\"2 0 0\" sinew:contacts=\"5\"/>"    \
  "<body pos=\"0 0 .02\"><freejoint/><geom type=\"mesh\" mesh=\"ell\" condim=\"4\"/></body>"                        \
  "<body pos=\"1 0 .01\"><freejoint/><geom type=\"mesh\" mesh=\"arch\"/></body>"                                    \
  "<body pos=\"1 0 .36\"><freejoint/><geom type=\"box\" size=\".1 .1 .05\" sinew:stick=\"1\"/></body>"              \
  "<body pos=\"0 1 .5\" sinew:continuous=\"true\"><freejoint/><geom size=\".03\" condim=\"6\" friction=\"1 .1 "     \
  ".1\"/></body><body pos=\"2 0 .12\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\"/></body>"                    \
  "<body pos=\"0 -1 .3\" gravcomp=\"1\"><joint name=\"nut\" axis=\"0 0 1\" damping=\".1\" sinew:type=\"screw\" "    \
  "sinew:pitch=\".02\"/><geom type=\"box\" size=\".04 .03 .01\"/></body></worldbody></mujoco>"

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

static void assertSame(const mjModel* m, const mjData* a, const void* qpos, const void* qvel, const char* what) {
  if (memcmp(a->qpos, qpos, sizeof(mjtNum) * (size_t)m->nq) || memcmp(a->qvel, qvel, sizeof(mjtNum) * (size_t)m->nv))
    fail_msg("%s: other bits", what);
}

//---------------------------------- scenes ----------------------------------

static snBatch* makeBatch(const mjModel* m, int nthread) {
  char message[300];
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = nthread;
  snBatch* b = sn_makeBatch(&m, 1, NULL, SIMS, &options, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

static char* rowOf(const snField* field, int sim) {
  return (char*)field->data + sim * field->stride[0];
}

static void test_batches(void** state) {
  (void)state;
  for (int k = 0; k < 3 * NSCENE; k++) {
    mjModel* m = load(SCENES[k / 3]);
    if (k % 2) m->opt.enableflags |= mjENBL_SLEEP;
    mjData* d = mj_makeData(m);
    snBatch* b = makeBatch(m, THREADS[k % 3]);
    snField qpos, qvel, ctrl;
    assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "qvel", &qvel), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "ctrl", &ctrl), SN_OK);
    for (int i = 0; i < SIMS; i++) {
      begin(m, d, i);
      memcpy(rowOf(&qpos, i), d->qpos, sizeof(mjtNum) * (size_t)m->nq);
      memcpy(rowOf(&qvel, i), d->qvel, sizeof(mjtNum) * (size_t)m->nv);
      if (m->nu) memcpy(rowOf(&ctrl, i), d->ctrl, sizeof(mjtNum) * (size_t)m->nu);
    }
    for (int t = 0; t < STEPS; t += 6) assert_int_equal(sn_batchStep(b, NULL, 6), SN_OK);
    for (int i = 0; i < SIMS; i++) {
      run(m, d, i);
      assertSame(m, d, rowOf(&qpos, i), rowOf(&qvel, i), SCENES[k / 3]);
    }
    sn_deleteBatch(b);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// islands on threads, and sleep, which changes nothing while nothing sleeps; what the scene is about has happened
static void test_threadsIslandsAndSleep(void** state) {
  (void)state;
  for (int k = 0; k < 2 * NSCENE; k++) {
    mjModel* m = load(SCENES[k / 2]);
    mjData* plain = mj_makeData(m);
    run(m, plain, 1);
    assert_true(plain->nefc > 0 && plain->nisland > 0);
    if (k % 2) {
      m->opt.enableflags |= mjENBL_SLEEP;
      mjData* sleeper = mj_makeData(m);
      run(m, sleeper, 1);
      const int awake = sleeper->ntree_awake == m->ntree;
      assert_int_equal(awake, strcmp(SCENES[k / 2], "mechanisms") != 0);
      if (awake) assertSame(m, plain, sleeper->qpos, sleeper->qvel, SCENES[k / 2]);
      mj_deleteData(plain);
      plain = sleeper;
    }
    for (int t = 0; t < 3; t++) {
      mjThreadPool* pool = mju_threadPoolCreate((size_t)THREADS[t]);
      mjData* d = mj_makeData(m);
      mju_bindThreadPool(d, pool);
      run(m, d, 1);
      assertSame(m, plain, d->qpos, d->qvel, SCENES[k / 2]);
      mj_deleteData(d);
      mju_threadPoolDestroy(pool);
    }
    mj_deleteData(plain);
    mj_deleteModel(m);
  }
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
    assertSame(m, d, copy->qpos, copy->qvel, SCENES[k]);
    mj_deleteData(copy);
    mj_deleteData(d);
    mj_deleteModel(other);
    mj_deleteModel(m);
  }
}

//---------------------------------- rest ----------------------------------

// what pushes in a step: after all has come to rest, one thing after the other is disturbed
enum { REST = 1000, PUSH = 60 };

static int pushed(const mjModel* m, int step) {
  return step >= REST && step % 10 < 5 ? (step - REST) / 10 % (int)m->nv : -1;
}

static void stepAndPush(const mjModel* m, mjData* d, int from, int to) {
  for (int i = from; i < to; i++) {
    mju_zero(d->qfrc_applied, m->nv);
    if (pushed(m, i) >= 0) d->qfrc_applied[pushed(m, i)] = 8;
    mj_step(m, d);
  }
}

static void test_everythingSleepsAndWakes(void** state) {
  (void)state;
  mjModel* m = tst_string(WORLD);
  mjData* plain[SIMS];
  for (int i = 0; i < SIMS; i++) {
    plain[i] = mj_makeData(m);
    plain[i]->qvel[0] = 0.01 * i;
    stepAndPush(m, plain[i], 0, REST);
    assert_int_equal(plain[i]->ntree_awake, 0);
    stepAndPush(m, plain[i], REST, REST + PUSH);
    assert_in_range(plain[i]->ntree_awake, 1, m->ntree - 1);
  }
  for (int t = 0; t < 3; t++) {
    // one simulation with a pool
    mjThreadPool* pool = mju_threadPoolCreate((size_t)THREADS[t]);
    mjData* d = mj_makeData(m);
    mju_bindThreadPool(d, pool);
    d->qvel[0] = 0.01;
    stepAndPush(m, d, 0, REST + PUSH);
    assertSame(m, plain[1], d->qpos, d->qvel, "threads");
    mj_deleteData(d);
    mju_threadPoolDestroy(pool);

    // all of them in a batch
    snBatch* b = makeBatch(m, THREADS[t]);
    snField qpos, qvel, force;
    assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "qvel", &qvel), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "qfrc_applied", &force), SN_OK);
    for (int i = 0; i < SIMS; i++) *(mjtNum*)(void*)rowOf(&qvel, i) = 0.01 * i;
    assert_int_equal(sn_batchStep(b, NULL, REST), SN_OK);
    for (int k = REST; k < REST + PUSH; k++) {
      for (int i = 0; i < SIMS; i++) {
        mjtNum* const f = (mjtNum*)(void*)rowOf(&force, i);
        mju_zero(f, m->nv);
        if (pushed(m, k) >= 0) f[pushed(m, k)] = 8;
      }
      assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
    }
    for (int i = 0; i < SIMS; i++) assertSame(m, plain[i], rowOf(&qpos, i), rowOf(&qvel, i), "a batch");
    sn_deleteBatch(b);
  }
  for (int i = 0; i < SIMS; i++) mj_deleteData(plain[i]);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_threadsIslandsAndSleep),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_everythingSleepsAndWakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
