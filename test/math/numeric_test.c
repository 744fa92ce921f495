// Numeric helpers against the reference over ordinary and edge inputs.
#include "math/compare.h"

#include <stdlib.h>

static const double TOL = 1e-14;

static void close1(const char* what, double ours, double theirs) {
  if (!cmp_close(ours, theirs, fabs(theirs) + 1e-300, TOL))
    fail_msg("%s: ours %.17g, reference %.17g", what, ours, theirs);
}

static void scalars(void** state) {
  (void)state;
  Rnd r = {1};
  for (int k = 0; k < 20000; k++) {
    double a[3];
    cmp_fillEdge(&r, a, 3);
    for (int i = 0; i < 3; i++) a[i] *= k % 2 ? 2 : 1e3;
    close1("min", mju_min(a[0], a[1]), ORC(mju_min)(a[0], a[1]));
    close1("max", mju_max(a[0], a[1]), ORC(mju_max)(a[0], a[1]));
    close1("clip", mju_clip(a[0], a[1], a[2]), ORC(mju_clip)(a[0], a[1], a[2]));
    close1("sign", mju_sign(a[0]), ORC(mju_sign)(a[0]));
    close1("sigmoid", mju_sigmoid(a[0]), ORC(mju_sigmoid)(a[0]));
    orc_sameInt(mju_isBad(a[0]), ORC(mju_isBad)(a[0]));
    orc_sameInt(mju_isBad(1e11 * a[0]), ORC(mju_isBad)(1e11 * a[0]));
    if (fabs(a[0]) < 1e9) orc_sameInt(mju_round(a[0]), ORC(mju_round)(a[0]));
    if (fabs(a[0]) < 1e9) orc_sameInt(mju_round(floor(a[0]) + 0.5), ORC(mju_round)(floor(a[0]) + 0.5));
  }
}

static void springs(void** state) {
  (void)state;
  Rnd r = {2};
  for (int k = 0; k < 5000; k++) {
    const double pos = rnd_uniform(&r, -1, 1), vel = rnd_uniform(&r, -1, 1), damp = rnd_uniform(&r, 0, 20);
    const double stiff = k % 3 ? rnd_uniform(&r, 0, 100) : damp * damp / 4;
    const double dt = rnd_uniform(&r, 0, 1);
    const double ours = mju_springDamper(pos, vel, stiff, damp, dt);
    // the two exponentials of the overdamped case cancel
    assert_true(cmp_close(ours, ORC(mju_springDamper)(pos, vel, stiff, damp, dt), 1, 1e-10));
  }
}

static void muscles(void** state) {
  (void)state;
  Rnd r = {3};
  for (int k = 0; k < 20000; k++) {
    double prm[9], range[2];
    prm[0] = rnd_uniform(&r, 0.5, 0.9);
    prm[1] = rnd_uniform(&r, 0.9, 1.3);
    prm[2] = rnd_uniform(&r, -1, 5);
    prm[3] = rnd_uniform(&r, 50, 200);
    prm[4] = rnd_uniform(&r, 0.3, 0.8);
    prm[5] = rnd_uniform(&r, 1.1, 1.8);
    prm[6] = rnd_uniform(&r, 0, 2);
    prm[7] = rnd_uniform(&r, 1, 2);
    prm[8] = k % 10 ? rnd_uniform(&r, 1, 1.5) : 1;
    range[0] = rnd_uniform(&r, 0, 1);
    range[1] = k % 20 ? range[0] + rnd_uniform(&r, 0, 1) : range[0];
    const double len = rnd_uniform(&r, 0, 2), vel = rnd_uniform(&r, -2, 2), acc0 = rnd_uniform(&r, 0, 10);
    close1("gain", mju_muscleGain(len, vel, range, acc0, prm), ORC(mju_muscleGain)(len, vel, range, acc0, prm));
    close1("bias", mju_muscleBias(len, range, acc0, prm), ORC(mju_muscleBias)(len, range, acc0, prm));
    const double dyn[3] = {rnd_uniform(&r, 0, 0.1), rnd_uniform(&r, 0, 0.1), k % 2 ? rnd_uniform(&r, 0, 1) : 0};
    const double ctrl = rnd_uniform(&r, -0.5, 1.5), act = rnd_uniform(&r, -0.5, 1.5);
    close1("dynamics", mju_muscleDynamics(ctrl, act, dyn), ORC(mju_muscleDynamics)(ctrl, act, dyn));
  }
}

static void pyramids(void** state) {
  (void)state;
  Rnd r = {4};
  for (int k = 0; k < 1000; k++) {
    const int dim = 3 + rnd_below(&r, 4);
    double force[6], mu[5], pyramid[10], back[6], theirs[10];
    cmp_fill(&r, force, 6);
    force[0] = rnd_uniform(&r, 1, 2);
    for (int i = 0; i < 5; i++) mu[i] = rnd_uniform(&r, 0.1, 1);
    // inside the pyramid the round trip is exact up to rounding
    for (int i = 1; i < 6; i++) force[i] *= 0.1 * mu[i - 1];
    mju_encodePyramid(pyramid, force, mu, dim);
    mju_decodePyramid(back, pyramid, mu, dim);
    cmp_arrays("round trip", back, force, dim, TOL);
    force[1] = 10;
    mju_encodePyramid(pyramid, force, mu, dim);
    ORC(mju_encodePyramid)(theirs, force, mu, dim);
    cmp_arrays("encode", pyramid, theirs, 2 * (dim - 1), TOL);
    mju_decodePyramid(back, pyramid, mu, dim);
    ORC(mju_decodePyramid)(theirs, pyramid, mu, dim);
    cmp_arrays("decode", back, theirs, dim, TOL);
  }
  double one = 0;
  mju_decodePyramid(&one, (double[1]){7}, NULL, 1);
  assert_true(one == 7);
}

static void sequences(void** state) {
  (void)state;
  assert_true(mju_Halton(6, 2) == 0.375);
  assert_true(mju_Halton(0, 3) == 0 && mju_Halton(-4, 3) == 0);
  Rnd r = {5};
  for (int n = 0; n < 60; n++) {
    double list[60];
    int ints[60];
    for (int i = 0; i < n; i++) {
      list[i] = rnd_uniform(&r, -1, 1);
      ints[i] = rnd_below(&r, 20);
    }
    mju_insertionSort(list, n);
    mju_insertionSortInt(ints, n);
    for (int i = 1; i < n; i++) assert_true(list[i - 1] <= list[i] && ints[i - 1] <= ints[i]);
    const int index = rnd_below(&r, 1000000), base = 2 + rnd_below(&r, 10);
    close1("Halton", mju_Halton(index, base), ORC(mju_Halton)(index, base));
    srand(n);
    double second, theirs2;
    const double first = mju_standardNormal(n % 2 ? &second : NULL);
    srand(n);
    close1("normal", first, ORC(mju_standardNormal)(&theirs2));
    if (n % 2) close1("normal 2", second, theirs2);
  }
}

static void conversions(void** state) {
  (void)state;
  const double d[5] = {1, -0.1, 1e300, NAN, 5e-324};
  double back[5];
  float f[5];
  mju_n2f(f, d, 5);
  mju_f2n(back, f, 5);
  assert_true(f[0] == 1.0f && f[1] == -0.1f && isinf(f[2]) && isnan(f[3]) && f[4] == 0);
  assert_true(back[1] == (double)-0.1f);
  mju_n2d(back, d, 5);
  orc_sameBytes(back, d, sizeof(d));
  mju_d2n(back, d, 0);
  orc_sameBytes(back, d, sizeof(d));
  assert_true(mju_isZero((double[3]){0, -0.0, 0}, 3) && !mju_isZero(d, 5) && mju_isZero(d, 0));
  assert_true(!mju_isZero((double[2]){0, NAN}, 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scalars),   cmocka_unit_test(springs),
                                     cmocka_unit_test(muscles),   cmocka_unit_test(pyramids),
                                     cmocka_unit_test(sequences), cmocka_unit_test(conversions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
