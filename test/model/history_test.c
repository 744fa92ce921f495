// Ring buffers: order of samples, interpolation, agreement with the reference under random use.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/history.h"
#include "support/oracle.h"
#include "support/random.h"

enum { N = 4, DIM = 2, SIZE = 2 + N + N * DIM };

typedef mjtNum* (*Insert)(mjtNum*, int, int, mjtNum);
typedef const mjtNum* (*Read)(const mjtNum*, int, int, mjtNum*, mjtNum, int);

static void fresh(mjtNum buf[SIZE]) {
  const mjtNum times[N] = {-4, -3, -2, -1}, values[N * DIM] = {0, 1, 2, 3, 4, 5, 6, 7};
  memset(buf, 0, SIZE * sizeof(mjtNum));
  mdl_historyInit(buf, N, DIM, times, values, 0.5);
}

static mjtNum readFirst(const mjtNum buf[SIZE], mjtNum t, int interp) {
  mjtNum result[DIM];
  const mjtNum* stored = mdl_historyRead(buf, N, DIM, result, t, interp);
  return stored ? stored[0] : result[0];
}

static void samplesAreKept(void** state) {
  (void)state;
  mjtNum buf[SIZE];
  fresh(buf);
  assert_true(buf[0] == 0.5 && buf[1] == N - 1);
  assert_true(readFirst(buf, -3, 1) == 2);

  // the newest replaces the oldest
  mjtNum* slot = mdl_historyInsert(buf, N, DIM, 0);
  slot[0] = 8, slot[1] = 9;
  assert_true(readFirst(buf, 0, 0) == 8);
  assert_true(readFirst(buf, -9, 0) == 2);

  // same time: overwritten; in between: sorted in; older than all: replaces the oldest
  *mdl_historyInsert(buf, N, DIM, 0) = 18;
  assert_true(readFirst(buf, 5, 0) == 18);
  *mdl_historyInsert(buf, N, DIM, -0.5) = 7;
  assert_true(readFirst(buf, -0.5, 0) == 7 && readFirst(buf, -9, 0) == 4);
  *mdl_historyInsert(buf, N, DIM, -10) = -1;
  assert_true(readFirst(buf, -10, 0) == -1 && readFirst(buf, -1, 0) == 6);
}

static void interpolation(void** state) {
  (void)state;
  mjtNum buf[SIZE];
  fresh(buf);
  assert_true(readFirst(buf, -2.25, 0) == 2);
  assert_true(fabs(readFirst(buf, -2.25, 1) - 3.5) < 1e-15);

  // values linear in time: the cubic agrees away from the ends
  assert_true(fabs(readFirst(buf, -2.25, 2) - 3.5) < 1e-15);
  assert_true(readFirst(buf, -20, 2) == 0 && readFirst(buf, 20, 2) == 6);
}

// whatever number a state has for a cursor, only the ring is touched, and the last slot counts as the newest
static void anyCursorStaysInside(void** state) {
  (void)state;
  const mjtNum cursors[] = {N, -1, -7, 1e9, -1e9, 4e9, 1e300, -1e300, INFINITY, -INFINITY, NAN, N - 0.5, -0.5};
  for (size_t i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++) {
    mjtNum guarded[3 * SIZE], good[SIZE];
    for (int k = 0; k < 3 * SIZE; k++) guarded[k] = 77;
    mjtNum* const buf = guarded + SIZE;
    fresh(buf);
    fresh(good);
    buf[1] = cursors[i];
    for (int interp = 0; interp < 3; interp++) {
      for (mjtNum t = -5; t < 1; t += 0.25) assert_true(readFirst(buf, t, interp) == readFirst(good, t, interp));
    }
    for (mjtNum t = -2.5; t < 2; t += 1.5) {
      assert_int_equal(mdl_historyInsert(buf, N, DIM, t) - buf, mdl_historyInsert(good, N, DIM, t) - good);
    }
    assert_true(buf[1] == good[1]);
    for (int k = 0; k < SIZE; k++) assert_true(guarded[k] == 77 && guarded[2 * SIZE + k] == 77);
  }
}

static void randomUseMatchesReference(void** state) {
  (void)state;
  if (!orc_available()) skip();
  const Insert insert = (Insert)orc_symbol("mju_historyInsert");
  const Read read = (Read)orc_symbol("mju_historyRead");
  Rnd rnd = {1};
  mjtNum ours[SIZE], theirs[SIZE];
  fresh(ours);
  memcpy(theirs, ours, sizeof(ours));
  mjtNum now = 0;
  for (int k = 0; k < 2000; k++) {
    // mostly forward, sometimes back, sometimes exactly on a sample
    now += rnd_uniform(&rnd, -0.4, 1);
    const mjtNum t = k % 7 == 0 ? ours[2 + rnd_below(&rnd, N)] : now;
    mjtNum *a = mdl_historyInsert(ours, N, DIM, t), *b = insert(theirs, N, DIM, t);
    for (int i = 0; i < DIM; i++) a[i] = b[i] = rnd_uniform(&rnd, -1, 1);
    assert_memory_equal(ours, theirs, sizeof(ours));
    for (int interp = 0; interp < 3; interp++) {
      mjtNum ra[DIM] = {0}, rb[DIM] = {0};
      const mjtNum when = now - rnd_uniform(&rnd, -1, 5);
      const mjtNum *pa = mdl_historyRead(ours, N, DIM, ra, when, interp), *pb = read(theirs, N, DIM, rb, when, interp);
      assert_int_equal(pa != NULL, pb != NULL);
      for (int i = 0; i < DIM; i++) assert_true(fabs((pa ? pa : ra)[i] - (pb ? pb : rb)[i]) < 1e-13);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samplesAreKept),
      cmocka_unit_test(interpolation),
      cmocka_unit_test(anyCursorStaysInside),
      cmocka_unit_test(randomUseMatchesReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
