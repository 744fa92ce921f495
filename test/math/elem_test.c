// Elementary functions: error against long double, special values, exact cases, and fixed bits.
#include "math/compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "math/elem.h"

// error of `ours` in units in the last place of the exact value
static double ulps(double ours, long double exact) {
  if (isnan(ours) && isnan(exact)) return 0;
  if (isinf(ours)) return ours == (double)exact ? 0 : 1e9;
  int e;
  frexpl(exact, &e);
  if (exact == 0 || e < -1021) e = -1021;
  return (double)(fabsl((long double)ours - exact) / ldexpl(1, e - 53));
}

// random double with exponent in [low, high] and random sign
static double randomExponent(Rnd* r, int low, int high) {
  const double m = rnd_uniform(r, 1, 2);
  const int negative = rnd_below(r, 2), e = low + rnd_below(r, high - low + 1);
  return ldexp(negative ? -m : m, e);
}

// Each function with its long double counterpart and a range of exponents.
typedef struct {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  int low, high;
} Case;

enum { NSAMPLE = 200000 };

static void oneArgument(void** state) {
  (void)state;
  const Case cases[] = {
      {"sin",          mth_sin,   sinl,   -30,   3   },
      {"sin huge",     mth_sin,   sinl,   3,     1023},
      {"cos",          mth_cos,   cosl,   -30,   3   },
      {"cos huge",     mth_cos,   cosl,   3,     1023},
      {"tan",          mth_tan,   tanl,   -30,   3   },
      {"tan huge",     mth_tan,   tanl,   3,     1023},
      {"asin",         mth_asin,  asinl,  -30,   -1  },
      {"acos",         mth_acos,  acosl,  -30,   -1  },
      {"atan",         mth_atan,  atanl,  -30,   30  },
      {"atan wide",    mth_atan,  atanl,  -1022, 1023},
      {"exp",          mth_exp,   expl,   -60,   9   },
      {"tanh",         mth_tanh,  tanhl,  -30,   5   },
      {"log wide",     mth_log,   logl,   -1074, 1023},
      {"log",          mth_log,   logl,   -2,    1   },
      {"log10",        mth_log10, log10l, -1074, 1023},
      {"log10 near 1", mth_log10, log10l, -2,    1   },
  };
  Rnd r = {1};
  for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
    double worst = 0, at = 0;
    for (int i = 0; i < NSAMPLE; i++) {
      double x = randomExponent(&r, cases[c].low, cases[c].high);
      if (cases[c].exact == logl || cases[c].exact == log10l) x = fabs(x);
      const double err = ulps(cases[c].ours(x), cases[c].exact(x));
      if (err > worst) {
        worst = err;
        at = x;
      }
    }
    print_message("%-12s %.4f ulp at %a\n", cases[c].name, worst, at);
    assert_true(worst <= 1);
  }
}

// neighbourhoods where a reduction or a formula changes
static void edges(void** state) {
  (void)state;
  Rnd r = {2};
  double worst = 0;
  for (int i = 0; i < NSAMPLE; i++) {
    const double near1 = 1 + ldexp(rnd_uniform(&r, -1, 1), -rnd_below(&r, 52));
    worst = fmax(worst, ulps(mth_log(near1), logl(near1)));
    worst = fmax(worst, ulps(mth_acos(2 - fmax(1, near1) > 1 ? 1 : 2 - fmax(1, near1)), acosl(2 - fmax(1, near1))));
    worst = fmax(worst, ulps(mth_asin(fmin(near1, 2 - near1)), asinl(fmin(near1, 2 - near1))));
    // nearest doubles to multiples of pi/2
    const double multiple = (double)(rnd_bits(&r) >> (12 + rnd_below(&r, 50))) * 1.57079632679489661923132169163975144L;
    worst = fmax(worst, ulps(mth_sin(multiple), sinl(multiple)));
    worst = fmax(worst, ulps(mth_cos(multiple), cosl(multiple)));
    worst = fmax(worst, ulps(mth_tan(multiple), tanl(multiple)));
    // denormal results
    const double deep = rnd_uniform(&r, -746, -700);
    worst = fmax(worst, ulps(mth_exp(deep), expl(deep)));
  }
  print_message("edges        %.4f ulp\n", worst);
  assert_true(worst <= 1);

  // the double closest to a multiple of pi/2
  const double hard = 0x1.6ac5b262ca1ffp+849;
  assert_true(ulps(mth_cos(hard), cosl(hard)) <= 1);
  assert_true(ulps(mth_sin(hard), sinl(hard)) <= 1);
}

static void twoArguments(void** state) {
  (void)state;
  Rnd r = {3};
  double worst = 0, worstatan = 0;
  for (int i = 0; i < NSAMPLE; i++) {
    const double x = fabs(randomExponent(&r, i % 2 ? -3 : -1000, i % 2 ? 3 : 1000));
    const double y = i % 4 == 3 ? rnd_below(&r, 41) - 20 : rnd_uniform(&r, -1, 1) * (i % 2 ? 200 : 1);
    worst = fmax(worst, ulps(mth_pow(x, y), powl(x, y)));
    const int wide = i % 2 ? 1074 : 3;
    const double a = randomExponent(&r, -wide, wide > 1000 ? 1023 : 3),
                 b = randomExponent(&r, -wide, wide > 1000 ? 1023 : 3);
    worstatan = fmax(worstatan, ulps(mth_atan2(a, b), atan2l(a, b)));
  }
  print_message("pow          %.4f ulp\natan2        %.4f ulp\n", worst, worstatan);
  assert_true(worst <= 1 && worstatan <= 1);
}

// special values: those of the C library, whose are exact
static void special(void** state) {
  (void)state;
  static const double values[] = {0,        -0.0,      1,    -1,     2,       -2,      3,
                                  -3,       0.5,       -0.5, 5e-324, -5e-324, 1e-310,  1e308,
                                  -1e308,   1.5,       -2.5, 0x1p53, 0x1p54,  -0x1p53, 9007199254740991.0,
                                  INFINITY, -INFINITY, NAN};
  const int n = sizeof(values) / sizeof(values[0]);
  for (int i = 0; i < n; i++) {
    const double x = values[i];
#define SAME(f)                                                                                                     \
  do {                                                                                                              \
    const double a = mth_##f(x), b = f(x);                                                                          \
    if (isnan(b) ? !isnan(a) : fabs(a - b) > 0x1p-52 * fabs(b) || signbit(a) != signbit(b) || isinf(a) != isinf(b)) \
      fail_msg(#f "(%a) = %a instead of %a", x, a, b);                                                              \
  } while (0)
    SAME(sin);
    SAME(cos);
    SAME(tan);
    SAME(asin);
    SAME(acos);
    SAME(atan);
    SAME(exp);
    SAME(log);
    SAME(log10);
    SAME(tanh);
    double s, c;
    mth_sincos(x, &s, &c);
    const double sx = mth_sin(x), cx = mth_cos(x);
    assert_true((isnan(s) && isnan(sx)) || memcmp(&s, &sx, sizeof(s)) == 0);
    assert_true((isnan(c) && isnan(cx)) || memcmp(&c, &cx, sizeof(c)) == 0);
    for (int j = 0; j < n; j++) {
      const double y = values[j];
#define SAME2(f)                                                                           \
  do {                                                                                     \
    const double a = mth_##f(x, y), b = f(x, y);                                           \
    if (isnan(b)   ? !isnan(a)                                                             \
        : isinf(b) ? a != b                                                                \
                   : fabs(a - b) > 0x1p-51 * fabs(b) + 5e-324 || signbit(a) != signbit(b)) \
      fail_msg(#f "(%a, %a) = %a instead of %a", x, y, a, b);                              \
  } while (0)
      SAME2(atan2);
      SAME2(pow);
    }
  }
}

// results that are representable come out exactly
static void exact(void** state) {
  (void)state;
  for (int i = -20; i <= 22; i++) {
    assert_true(mth_pow(2, i) == ldexp(1, i));
    if (i >= 0) assert_true(mth_log10(pow(10, i)) == i);
    if (i >= 0)
      assert_true(mth_pow(10, i) == strtod((char[]){'1', 'e', (char)('0' + i / 10), (char)('0' + i % 10), 0}, NULL));
    assert_true(mth_pow(i, 2) == i * i);
  }
  assert_true(mth_exp(0) == 1 && mth_log(1) == 0 && mth_cos(0) == 1 && mth_sin(0) == 0);
  assert_true(mth_pow(9, 0.5) == 3 && mth_pow(0.25, -1.5) == 8);
}

// a checksum over many results: the same on every machine, compiler and optimisation level
static void sameBits(void** state) {
  (void)state;
  Rnd r = {4};
  uint64_t hash = 0;
  for (int i = 0; i < 100000; i++) {
    const double x = randomExponent(&r, -10, i % 10 ? 8 : 1000), y = rnd_uniform(&r, -1, 1),
                 z = rnd_uniform(&r, -20, 20);
    const double results[] = {mth_sin(x),       mth_cos(x),         mth_tan(x),      mth_asin(y),
                              mth_acos(y),      mth_atan(x),        mth_atan2(x, y), mth_exp(z),
                              mth_log(fabs(x)), mth_log10(fabs(x)), mth_tanh(z),     mth_pow(fabs(y), z)};
    for (size_t k = 0; k < sizeof(results) / sizeof(results[0]); k++) {
      uint64_t bits;
      memcpy(&bits, &results[k], sizeof(bits));
      hash = (hash ^ bits) * 0x100000001B3u;
    }
  }
  if (hash != 0x475BB103DEF64879u) fail_msg("checksum 0x%016llX", (unsigned long long)hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oneArgument),  cmocka_unit_test(edges),
                                     cmocka_unit_test(twoArguments), cmocka_unit_test(special),
                                     cmocka_unit_test(exact),        cmocka_unit_test(sameBits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
