// Vectors of fixed and of any size against the reference, with edge values.
#include "math/compare.h"

#include "math/vec.h"

enum { NMAX = 67 };

// what differs is at most the order of a sum: a few rounding errors of the largest term
static const double TOL = 1e-14;

// functions of fixed size on ordinary and on edge inputs
static void fixedSize(void** state) {
  (void)state;
  Rnd r = {1};
  for (int k = 0; k < 2000; k++) {
    double a[9], b[9], x[9], y[9], s;
    (k % 2 ? cmp_fillEdge : cmp_fill)(&r, a, 9);
    (k % 2 ? cmp_fillEdge : cmp_fill)(&r, b, 9);
    (k % 2 ? cmp_fillEdge : cmp_fill)(&r, &s, 1);
#define BOTH(n, name, ...)          \
  do {                              \
    memcpy(x, b, sizeof(x));        \
    memcpy(y, b, sizeof(y));        \
    CMP_BOTH(n, name, __VA_ARGS__); \
  } while (0)
    BOTH(9, mju_zero3, res);
    BOTH(9, mju_copy3, res, a);
    BOTH(9, mju_scl3, res, a, s);
    BOTH(9, mju_add3, res, a, res);
    BOTH(9, mju_sub3, res, res, a);
    BOTH(9, mju_addTo3, res, a);
    BOTH(9, mju_subFrom3, res, a);
    BOTH(9, mju_addToScl3, res, a, s);
    BOTH(9, mju_addScl3, res, a, b + 3, s);
    BOTH(9, mju_normalize3, res);
    BOTH(9, mju_mulMatVec3, res, a, res);
    BOTH(9, mju_mulMatTVec3, res, a, res);
    BOTH(9, mju_cross, res, a, res);
    BOTH(9, mju_zero4, res);
    BOTH(9, mju_unit4, res);
    BOTH(9, mju_copy4, res, a);
    BOTH(9, mju_normalize4, res);
    assert_true(cmp_close(mju_dot3(a, b), ORC(mju_dot3)(a, b), fabs(mju_dot3(a, b)), TOL));
    assert_true(cmp_close(mju_norm3(a), ORC(mju_norm3)(a), fabs(mju_norm3(a)), TOL));
    assert_true(cmp_close(mju_dist3(a, b), ORC(mju_dist3)(a, b), fabs(mju_dist3(a, b)), TOL));
  }
}

// functions of any size, in place and not, every length
static void anySize(void** state) {
  (void)state;
  Rnd r = {2};
  for (int n = 0; n <= NMAX; n++) {
    for (int edge = 0; edge < 3; edge++) {
      double a[NMAX + 1], b[NMAX + 1], c[NMAX + 1], x[NMAX + 1], y[NMAX + 1], s;
      (edge ? cmp_fillEdge : cmp_fill)(&r, a, NMAX + 1);
      (edge ? cmp_fillEdge : cmp_fill)(&r, b, NMAX + 1);
      cmp_fill(&r, c, NMAX + 1);
      cmp_fill(&r, &s, 1);
#undef BOTH
#define BOTH(name, ...)                     \
  do {                                      \
    memcpy(x, b, sizeof(x));                \
    memcpy(y, b, sizeof(y));                \
    {                                       \
      double* res = x;                      \
      name(__VA_ARGS__, n);                 \
    }                                       \
    {                                       \
      double* res = y;                      \
      ORC(name)(__VA_ARGS__, n);            \
    }                                       \
    cmp_arrays(#name, x, y, NMAX + 1, TOL); \
  } while (0)
      BOTH(mju_zero, res);
      BOTH(mju_fill, res, s);
      BOTH(mju_copy, res, a);
      BOTH(mju_scl, res, a, s);
      BOTH(mju_scl, res, res, s);
      BOTH(mju_add, res, a, c);
      BOTH(mju_sub, res, a, c);
      BOTH(mju_addTo, res, a);
      BOTH(mju_subFrom, res, a);
      BOTH(mju_addToScl, res, a, s);
      BOTH(mju_addScl, res, a, c, s);
      if (!edge && n > 0) BOTH(mju_normalize, res);
      if (!edge) {
        assert_true(cmp_close(mju_sum(a, n), ORC(mju_sum)(a, n), n + 1, TOL));
        assert_true(cmp_close(mju_L1(a, n), ORC(mju_L1)(a, n), n + 1, TOL));
        assert_true(cmp_close(mju_dot(a, b, n), ORC(mju_dot)(a, b, n), n + 1, TOL));
        assert_true(cmp_close(mju_norm(a, n), ORC(mju_norm)(a, n), n + 1, TOL));
      } else {
        // edge values may overflow in one order of summation only; NaN must come through in any
        orc_sameInt(isnan(mju_dot(a, b, n)), isnan(ORC(mju_dot)(a, b, n)));
        orc_sameInt(isnan(mju_sum(a, n)), isnan(ORC(mju_sum)(a, n)));
      }
    }
  }
}

// vectors without a direction become the first axis
static void shortVectors(void** state) {
  (void)state;
  double a[4] = {0, 1e-16, 0, 0};
  assert_true(mju_normalize3(a) < mjMINVAL);
  assert_true(a[0] == 1 && a[1] == 0 && a[2] == 0);
  double b[9] = {0};
  assert_true(mju_normalize(b, 9) == 0 && b[0] == 1 && mju_L1(b, 9) == 1);
  assert_true(mju_normalize(NULL, 0) == 0);
  double q[4] = {0};
  assert_true(mju_normalize4(q) == 0 && q[0] == 1);
}

// 3x3 products are those of the definition, in place too
static void matrices3(void** state) {
  (void)state;
  Rnd r = {3};
  double a[9], b[9], ab[9], atb[9], abt[9];
  cmp_fill(&r, a, 9);
  cmp_fill(&r, b, 9);
  mth_mulMatMat3(ab, a, b);
  mth_mulMatTMat3(atb, a, b);
  mth_mulMatMatT3(abt, a, b);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double sab = 0, satb = 0, sabt = 0;
      for (int k = 0; k < 3; k++) {
        sab += a[3 * i + k] * b[3 * k + j];
        satb += a[3 * k + i] * b[3 * k + j];
        sabt += a[3 * i + k] * b[3 * j + k];
      }
      assert_true(cmp_close(sab, ab[3 * i + j], 1, TOL));
      assert_true(cmp_close(satb, atb[3 * i + j], 1, TOL));
      assert_true(cmp_close(sabt, abt[3 * i + j], 1, TOL));
    }
  }
  mth_mulMatMat3(a, a, b);
  orc_sameBytes(a, ab, sizeof(a));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fixedSize), cmocka_unit_test(anySize),
                                     cmocka_unit_test(shortVectors), cmocka_unit_test(matrices3)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
