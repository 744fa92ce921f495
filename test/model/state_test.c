// State vectors and keyframes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/model.h"
#include "support/oracle.h"
#include "support/random.h"

// random values in everything a state can hold
static void randomize(const mjModel* m, mjData* d, uint64_t seed) {
  Rnd rnd = {seed};
  const int n = mj_stateSize(m, (1 << mjNSTATE) - 1);
  mjtNum* state = malloc(sizeof(mjtNum) * (size_t)n);
  for (int i = 0; i < n; i++) state[i] = rnd_uniform(&rnd, -1, 1);
  mj_setState(m, d, state, (1 << mjNSTATE) - 1);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = (mjtByte)rnd_below(&rnd, 2);
  free(state);
}

static void vectorsEqualReference(void** state) {
  (void)state;
  static const char* const NAMES[] = {"chain", "actuators", "sensors", "equality", NULL};
  for (int i = 0; NAMES[i]; i++) {
    mjModel* m = tst_model(NAMES[i]);
    mjData* d = mj_makeData(m);
    randomize(m, d, 7);
    Rnd rnd = {11};
    for (int k = 0; k < 200; k++) {
      const int sig = k < mjNSTATE ? 1 << k : rnd_below(&rnd, 1 << mjNSTATE);
      const int n = mj_stateSize(m, sig);
      orc_sameInt(n, ORC(mj_stateSize)(m, sig));
      mjtNum *ours = calloc((size_t)n + 1, sizeof(mjtNum)), *theirs = calloc((size_t)n + 1, sizeof(mjtNum));
      mj_getState(m, d, ours, sig);
      ORC(mj_getState)(m, d, theirs, sig);
      orc_sameBytes(ours, theirs, sizeof(mjtNum) * ((size_t)n + 1));

      // part of a vector
      const int part = sig & rnd_below(&rnd, 1 << mjNSTATE);
      const int np = mj_stateSize(m, part);
      mjtNum *from = calloc((size_t)np + 1, sizeof(mjtNum)), *direct = calloc((size_t)np + 1, sizeof(mjtNum));
      mj_extractState(m, ours, sig, from, part);
      mj_getState(m, d, direct, part);
      assert_memory_equal(from, direct, sizeof(mjtNum) * ((size_t)np + 1));
      free(from);
      free(direct);
      free(ours);
      free(theirs);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// parts of a state vector are those that are read one by one
static void extractedParts(void** state) {
  (void)state;
  mjModel* m = tst_model("equality");
  mjData *d = mj_makeData(m), *copy = mj_makeData(m);
  randomize(m, d, 5);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = i % 2;
  const int all = mjSTATE_FULLPHYSICS | mjSTATE_EQ_ACTIVE | mjSTATE_CTRL;
  const size_t room = sizeof(mjtNum) * (size_t)mj_stateSize(m, all);
  mjtNum *whole = malloc(room), *part = malloc(room), *expected = malloc(room);
  mj_getState(m, d, whole, all);
  const int parts[] = {mjSTATE_QVEL, mjSTATE_TIME | mjSTATE_EQ_ACTIVE, mjSTATE_PHYSICS, all};
  for (int k = 0; k < 4; k++) {
    mj_extractState(m, whole, all, part, parts[k]);
    mj_getState(m, d, expected, parts[k]);
    assert_memory_equal(part, expected, sizeof(mjtNum) * (size_t)mj_stateSize(m, parts[k]));
  }
  mj_copyState(m, d, copy, mjSTATE_EQ_ACTIVE);
  assert_memory_equal(copy->eq_active, d->eq_active, (size_t)m->neq);
  assert_true(copy->qpos[0] != d->qpos[0]);
  free(whole);
  free(part);
  free(expected);
  mj_deleteData(d);
  mj_deleteData(copy);
  mj_deleteModel(m);
}

static void copyEqualsGetAndSet(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjData *a = mj_makeData(m), *b = mj_makeData(m), *c = mj_makeData(m);
  randomize(m, a, 3);
  const int sig = mjSTATE_INTEGRATION, n = mj_stateSize(m, sig);
  mjtNum *x = malloc(sizeof(mjtNum) * (size_t)n), *y = malloc(sizeof(mjtNum) * (size_t)n);
  mj_copyState(m, a, b, sig);
  mj_getState(m, a, x, sig);
  mj_setState(m, c, x, sig);
  mj_getState(m, b, y, sig);
  assert_memory_equal(x, y, sizeof(mjtNum) * (size_t)n);
  mj_getState(m, c, y, sig);
  assert_memory_equal(x, y, sizeof(mjtNum) * (size_t)n);
  assert_true(a->time != 0 && a->time == b->time);
  free(x);
  free(y);
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteData(c);
  mj_deleteModel(m);
}

static void keyframesRoundTrip(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  assert_true(d->time == 0.5 && d->qpos[0] > 1.57);
  d->qpos[0] = 0.25;
  d->qvel[0] = -3;
  d->ctrl[0] = 0.75;
  d->time = 8;
  mj_setKeyframe(m, d, 0);
  mj_resetData(m, d);
  assert_true(d->qpos[0] == 0);
  mj_resetDataKeyframe(m, d, 0);
  assert_true(d->qpos[0] == 0.25 && d->qvel[0] == -3 && d->ctrl[0] == 0.75 && d->time == 8);

  // a key that is not there resets only
  mj_resetDataKeyframe(m, d, 5);
  assert_true(d->qpos[0] == 0 && d->time == 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// wrong arguments raise an error that names the function
static jmp_buf back;
static char message[500];
static void raise(const char* text) {
  strncpy(message, text, sizeof(message) - 1);
  longjmp(back, 1);
}

static void wrongArgumentsAreErrors(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  mju_user_error = raise;
  mjtNum x[50];
  static const char* const expected[] = {
      "mj_stateSize: invalid state signature -1 < 0",
      "mj_stateSize: invalid state signature 16384 >= 2^mjNSTATE",
      "mj_getState: m is NULL",
      "mj_extractState: dstsig is not a subset of srcsig",
      "mj_setKeyframe: index must be smaller than",
      "mj_makeData",
      "mj_copyData",
      "mj_extractState: invalid srcsig -3 < 0",
      "mj_extractState: m is NULL",
      "mj_setKeyframe: keyframe index cannot be negative",
      "mj_setKeyframe: d is NULL",
  };
  for (volatile int k = 0; k < (int)(sizeof(expected) / sizeof(expected[0])); k++) {
    message[0] = 0;
    if (!setjmp(back)) {
      if (k == 0) mj_stateSize(m, -1);
      if (k == 1) mj_stateSize(m, 1 << mjNSTATE);
      if (k == 2) mj_getState(NULL, d, x, 1);
      if (k == 3) mj_extractState(m, x, mjSTATE_QPOS, x, mjSTATE_QVEL);
      if (k == 4) mj_setKeyframe(m, d, 1);
      if (k == 5) mj_makeData(NULL);
      if (k == 6) mj_copyData(d, m, NULL);
      if (k == 7) mj_extractState(m, x, -3, x, mjSTATE_QVEL);
      if (k == 8) mj_extractState(NULL, x, mjSTATE_QPOS, x, mjSTATE_QPOS);
      if (k == 9) mj_setKeyframe(m, d, -1);
      if (k == 10) mj_setKeyframe(m, NULL, 0);
      fail_msg("case %d did not raise", k);
    }
    if (!strstr(message, expected[k])) fail_msg("'%s', expected '%s'", message, expected[k]);
  }
  mju_user_error = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectorsEqualReference),   cmocka_unit_test(extractedParts),
      cmocka_unit_test(copyEqualsGetAndSet),     cmocka_unit_test(keyframesRoundTrip),
      cmocka_unit_test(wrongArgumentsAreErrors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
