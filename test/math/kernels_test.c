// Every kernel, every length 0 to 67, every instruction set of this machine: the same bits as plain C.
#include <sinew/sinew.h>

#include "math/compare.h"

#include "math/simd/table.h"

enum { NMAX = 67 };

static const char* const NAMES[] = {"scalar", "v2", "v3", "v4", "neon"};
enum { NNAME = sizeof(NAMES) / sizeof(NAMES[0]) };

// the same bits; any NaN equals any NaN, because its payload depends on the order of operands
static void sameBits(const char* what, int n, const double* a, const double* b, int count) {
  for (int i = 0; i < count; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    if (memcmp(&a[i], &b[i], sizeof(double)) != 0) {
      fail_msg("%s %s, n = %d, [%d]: %a instead of %a", mth_kernelName(), what, n, i, a[i], b[i]);
    }
  }
}

// inputs with values of very different size, so that another order of summation shows; edge cases; only -0, whose sum
// has a sign that depends on what is added
typedef enum { SIZES, EDGES, ZEROS } Kind;
static void fill(Rnd* r, double* a, int n, Kind kind) {
  if (kind == EDGES) {
    cmp_fillEdge(r, a, n);
    return;
  }
  for (int i = 0; i < n; i++) a[i] = kind == ZEROS ? -0.0 : ldexp(rnd_uniform(r, -1, 1), rnd_below(r, 20));
}

static void vectors(void** state) {
  (void)state;
  for (int name = 1; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    Rnd r = {1};
    for (int n = 0; n <= NMAX; n++) {
      for (int round = 0; round < 5; round++) {
        const Kind kind = round == 3 ? EDGES : round == 4 ? ZEROS : SIZES;

        // one more element on both sides, to see that it is left alone
        double a[NMAX + 2], b[NMAX + 2], x[NMAX + 2], y[NMAX + 2], s, t;
        int ind[NMAX + 2];
        fill(&r, a, NMAX + 2, kind);
        fill(&r, b, NMAX + 2, kind == ZEROS ? SIZES : kind);
        fill(&r, &s, 1, SIZES);
        fill(&r, &t, 1, SIZES);
        for (int i = 0; i < NMAX + 2; i++) ind[i] = rnd_below(&r, NMAX + 2);
#define REDUCTION(call)                   \
  do {                                    \
    mth_kernelSelect("scalar");           \
    const double plain = mth_##call;      \
    mth_kernelSelect(NAMES[name]);        \
    const double ours = mth_##call;       \
    sameBits(#call, n, &ours, &plain, 1); \
  } while (0)
        REDUCTION(dot(a + 1, b + 1, n));
        REDUCTION(norm(a + 1, n));
        REDUCTION(sum(a + 1, n));
        REDUCTION(L1(a + 1, n));
        REDUCTION(dotSparse(a + 1, b, n, ind + 1));
#define EACH(call, ...)                 \
  do {                                  \
    memcpy(x, b, sizeof(x));            \
    memcpy(y, b, sizeof(y));            \
    {                                   \
      double* res = y + 1;              \
      mth_kernelSelect("scalar");       \
      mth_##call(__VA_ARGS__, n);       \
    }                                   \
    {                                   \
      double* res = x + 1;              \
      mth_kernelSelect(NAMES[name]);    \
      mth_##call(__VA_ARGS__, n);       \
    }                                   \
    sameBits(#call, n, x, y, NMAX + 2); \
  } while (0)
        EACH(copy, res, a + 1);
        EACH(zero, res);
        EACH(fill, res, s);
        EACH(scl, res, a + 1, s);
        EACH(scl, res, res, s);
        EACH(add, res, a + 1, b + 1);
        EACH(add, res, res, a + 1);
        EACH(sub, res, a + 1, b + 1);
        EACH(sub, res, res, a + 1);
        EACH(sub, res, a + 1, res);
        EACH(addScl, res, a + 1, b + 1, s);
        EACH(addScl, res, res, a + 1, s);
        EACH(addScl, res, a + 1, res, s);
        EACH(addTo, res, a + 1);
        EACH(subFrom, res, a + 1);
        EACH(addToScl, res, a + 1, s);
        EACH(sclAddScl, res, a + 1, s, b + 1, t);
        EACH(sclAddScl, res, res, s, a + 1, t);
        EACH(kernel.normalize, res);
      }
    }
  }
}

// a vector shorter than mjMINVAL has no direction, one of that length has
static void shortVectors(void** state) {
  (void)state;
  for (int name = 0; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    for (int n = 2; n <= NMAX; n++) {
      for (int k = 0; k < 2; k++) {
        const double length = k ? mjMINVAL : 0.999 * mjMINVAL;
        double a[NMAX] = {0};
        a[n - 1] = length;
        assert_true(mth_kernel.normalize(a, n) == length);
        for (int i = 0; i < n; i++) assert_true(fabs(a[i] - (i == (k ? n - 1 : 0))) < 1e-15);
      }
    }
  }
}

static void matrices(void** state) {
  (void)state;
  const MthKernels* ref = &mth_kernelsScalar;
  static double a[NMAX * 80], x[80 * 80], y[80 * 80];
  double v[NMAX + 80];
  for (int name = 1; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    const MthKernels* k = &mth_kernel;
    Rnd r = {2};
    for (int nc = 0; nc <= NMAX; nc++) {
      for (int nr = 0; nr <= NMAX; nr += 1 + nr / 4 + nc % 3) {
        fill(&r, a, NMAX * 80, SIZES);
        fill(&r, v, NMAX + 80, SIZES);
        for (int i = 0; i < NMAX; i++) {
          if (rnd_below(&r, 4) == 0) v[i] = 0;
        }
        for (int i = 0; i < nr * nc; i++) {
          if (rnd_below(&r, 2) == 0) a[i] = 0;
        }
        k->dotRows(x, a, (size_t)nc + 3, v, nr, nc);
        ref->dotRows(y, a, (size_t)nc + 3, v, nr, nc);
        sameBits("dotRows", nc, x, y, nr);
        k->mulMatTVec(x, a, v, nr, nc);
        ref->mulMatTVec(y, a, v, nr, nc);
        sameBits("mulMatTVec", nc, x, y, nc);

        // a positive definite matrix, and one that is not
        if (nr < 2) {
          for (int i = 0; i < nc * nc; i++) x[i] = 1 / (1.0 + fabs((double)(i / nc - i % nc)));
          for (int i = 0; i < nc; i++) x[i * nc + i] += nr ? 1 : -0.25 * i;
          memcpy(y, x, sizeof(x));
          assert_int_equal(k->cholFactor(x, nc, 1e-6), ref->cholFactor(y, nc, 1e-6));
          sameBits("cholFactor", nc, x, y, nc * nc);
        }
        for (int diag = 0; diag < 2; diag++) {
          const MthSqrTask ours = {x, a, diag ? v : NULL, nr, nc}, plain = {y, a, diag ? v : NULL, nr, nc};
          x[nc * nc] = 7;
          k->sqrMatTD(&ours);
          ref->sqrMatTD(&plain);
          for (int i = 0; i < nc; i++) sameBits("sqrMatTD", nc, x + i * nc, y + i * nc, i + 1);
          assert_true(x[nc * nc] == 7);
        }
      }
    }
  }
}

// products of two matrices of every small shape, and what takes a vector on both sides
static void products(void** state) {
  (void)state;
  enum { N = 20 };
  const MthKernels* ref = &mth_kernelsScalar;
  static double a[N * N], b[N * N], v[N], x[N * N + 1], y[N * N + 1];
  for (int name = 1; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    const MthKernels* k = &mth_kernel;
    Rnd r = {5};
    for (int shape = 0; shape < 4000; shape++) {
      const int n1 = rnd_below(&r, N + 1), n2 = rnd_below(&r, N + 1), n3 = rnd_below(&r, N + 1);
      fill(&r, a, N * N, SIZES);
      fill(&r, b, N * N, SIZES);
      fill(&r, v, N, SIZES);
      for (int i = 0; i < N * N; i += 1 + rnd_below(&r, 5)) a[i] = 0;
#define PRODUCT(call, ...)                            \
  do {                                                \
    for (int i = 0; i <= N * N; i++) x[i] = y[i] = 7; \
    k->call(x, __VA_ARGS__);                          \
    ref->call(y, __VA_ARGS__);                        \
    sameBits(#call, n2, x, y, N* N + 1);              \
  } while (0)
      PRODUCT(mulMatVec, a, v, n1, n2);
      PRODUCT(mulMatMat, a, b, n1, n2, n3);
      PRODUCT(mulMatMatT, a, b, n1, n2, n3);
      PRODUCT(mulMatTMat, a, b, n1, n2, n3);
      PRODUCT(eye, n1);
#undef PRODUCT
      const double ours = k->mulVecMatVec(v, a, b, n1), plain = ref->mulVecMatVec(v, a, b, n1);
      sameBits("mulVecMatVec", n1, &ours, &plain, 1);
    }
  }
}

// functions of fixed size
static void fixedSize(void** state) {
  (void)state;
  const MthKernels* ref = &mth_kernelsScalar;
  for (int name = 1; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    const MthKernels* k = &mth_kernel;
    Rnd r = {6};
    for (int trial = 0; trial < 4000; trial++) {
      double a[9], p[4], q[4], x[9], y[9];
      fill(&r, a, 9, SIZES);
      fill(&r, p, 4, SIZES);
      fill(&r, q, 4, SIZES);
      if (trial % 3) {
        mju_normalize4(p);
        mju_normalize4(q);
      }
#define FIXED(call, size, ...)          \
  do {                                  \
    k->call(x, __VA_ARGS__);            \
    ref->call(y, __VA_ARGS__);          \
    sameBits(#call, trial, x, y, size); \
  } while (0)
      FIXED(cross, 3, a, a + 3);
      FIXED(mulMatVec3, 3, a, p);
      FIXED(rotVecQuat, 3, a, p);
      FIXED(mulQuat, 4, p, q);
      FIXED(quat2Mat, 9, p);
      FIXED(subQuat, 3, p, q);
#undef FIXED
      k->mulPose(x, x + 3, a, p, a + 3, q);
      ref->mulPose(y, y + 3, a, p, a + 3, q);
      sameBits("mulPose", trial, x, y, 7);
    }
  }
}

// more rows than one pass of J'DJ takes
static void manyRows(void** state) {
  (void)state;
  enum { NR = 700, NC = 13 };
  static double a[NR * NC], d[NR], x[NC * NC], y[NC * NC];
  Rnd r = {3};
  fill(&r, a, NR * NC, SIZES);
  fill(&r, d, NR, SIZES);
  const MthSqrTask plain = {y, a, d, NR, NC}, ours = {x, a, d, NR, NC};
  mth_kernelsScalar.sqrMatTD(&plain);
  for (int name = 1; name < NNAME; name++) {
    if (!mth_kernelSelect(NAMES[name])) continue;
    mth_kernel.sqrMatTD(&ours);
    for (int i = 0; i < NC; i++) sameBits("sqrMatTD", NC, x + i * NC, y + i * NC, i + 1);
  }
}

// the inline functions agree with the kernels they replace, and sums have the documented order
static void order(void** state) {
  (void)state;
  Rnd r = {4};
  for (int n = 0; n <= NMAX; n++) {
    double a[NMAX], b[NMAX];
    fill(&r, a, NMAX, SIZES);
    fill(&r, b, NMAX, SIZES);
    double expect = 0;
    if (n < 8) {
      for (int i = 0; i < n; i++) expect = i ? expect + a[i] * b[i] : a[i] * b[i];
    } else {
      double lane[8] = {0};
      const int full = n / 8 * 8, rest = n - full;
      for (int i = 0; i < full; i++) lane[i % 8] = i < 8 ? a[i] * b[i] : lane[i % 8] + a[i] * b[i];
      for (int i = 0; i < rest; i++) lane[8 - rest + i] += a[full + i] * b[full + i];
      expect = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    }
    for (int name = 0; name < NNAME; name++) {
      if (!mth_kernelSelect(NAMES[name])) continue;
      const double ours = mth_dot(a, b, n), mju = mju_dot(a, b, n);
      sameBits("dot", n, &ours, &expect, 1);
      sameBits("mju_dot", n, &mju, &expect, 1);
    }
  }
}

// names are told and unknown ones refused
static void selection(void** state) {
  (void)state;
  assert_true(mth_kernelSelect("scalar"));
  assert_string_equal(mth_kernelName(), "scalar");
  assert_string_equal(sn_kernels(), "scalar");
  assert_false(mth_kernelSelect("vector"));
  assert_string_equal(mth_kernelName(), "scalar");
}

int main(void) {
  print_message("kernels of this machine: %s\n", mth_kernelName());
  const struct CMUnitTest tests[] = {cmocka_unit_test(vectors),   cmocka_unit_test(matrices),
                                     cmocka_unit_test(products),  cmocka_unit_test(fixedSize),
                                     cmocka_unit_test(manyRows),  cmocka_unit_test(order),
                                     cmocka_unit_test(selection), cmocka_unit_test(shortVectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
