// Dense products, Cholesky factors, band matrices and the box QP against the reference and against equivalences.
#include "math/compare.h"

#include "math/dense.h"

enum { NMAX = 40 };
static const double TOL = 1e-13;

// entries of a matrix, a third of them zero so that skipping is exercised
static void fillSparse(Rnd* r, double* a, int n) {
  for (int i = 0; i < n; i++) a[i] = rnd_below(r, 3) ? rnd_uniform(r, -1, 1) : 0;
}

// a well-conditioned symmetric positive definite matrix
static void fillSPD(Rnd* r, double* a, int n) {
  static double b[NMAX * NMAX];
  cmp_fill(r, b, n * n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = i == j;
      for (int k = 0; k < n; k++) sum += b[i * n + k] * b[j * n + k];
      a[i * n + j] = sum;
    }
  }
}

// products of all small shapes
static void products(void** state) {
  (void)state;
  Rnd r = {1};
  static double a[NMAX * NMAX], b[NMAX * NMAX], x[NMAX * NMAX], y[NMAX * NMAX], v[NMAX], w[NMAX];
  for (int k = 0; k < 400; k++) {
    const int n = rnd_below(&r, NMAX), m = rnd_below(&r, NMAX), p = rnd_below(&r, NMAX);
    fillSparse(&r, a, n * m);
    fillSparse(&r, b, m * p);
    fillSparse(&r, v, NMAX);
    cmp_fill(&r, w, NMAX);
#define BOTH CMP_BOTH
    BOTH(n, mju_mulMatVec, res, a, v, n, m);
    BOTH(m, mju_mulMatTVec, res, a, v, n, m);
    BOTH(n * p, mju_mulMatMat, res, a, b, n, m, p);
    BOTH(n * p, mju_mulMatMatT, res, a, b, n, m, p);
    fillSparse(&r, b, n * p);
    BOTH(m * p, mju_mulMatTMat, res, a, b, n, m, p);
    BOTH(m * m, mju_sqrMatTD, res, a, v, n, m);
    BOTH(m * m, mju_sqrMatTD, res, a, NULL, n, m);
    BOTH(n * m, mju_transpose, res, a, n, m);
    fillSparse(&r, a, n * n);
    BOTH(n * n, mju_symmetrize, res, a, n);
    BOTH(n * n, mju_eye, res, n);
    assert_true(cmp_close(mju_mulVecMatVec(v, a, w, n), ORC(mju_mulVecMatVec)(v, a, w, n), n + 1, TOL));
  }
}

// symmetric product from the lower triangle alone
static void symmetricProduct(void** state) {
  (void)state;
  Rnd r = {2};
  static double a[NMAX * NMAX], v[NMAX], x[NMAX], y[NMAX];
  for (int n = 0; n < NMAX; n++) {
    fillSPD(&r, a, n);
    cmp_fill(&r, v, n);
    mju_mulMatVec(y, a, v, n, n);
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) a[i * n + j] = NAN;
    }
    mth_mulSymVec(x, a, v, n);
    cmp_arrays("mulSymVec", x, y, n, TOL);
  }
}

// factor, solve and rank-one update
static void cholesky(void** state) {
  (void)state;
  Rnd r = {3};
  static double a[NMAX * NMAX], l[NMAX * NMAX], m[NMAX * NMAX], b[NMAX], x[NMAX], y[NMAX];
  for (int n = 0; n < NMAX; n++) {
    fillSPD(&r, a, n);
    cmp_fill(&r, b, n);
    memcpy(l, a, sizeof(a));
    memcpy(m, a, sizeof(a));
    assert_int_equal(mju_cholFactor(l, n, 1e-10), n);

    // A x = b
    mju_cholSolve(x, l, b, n);
    mju_mulMatVec(y, a, x, n, n);
    cmp_arrays("A x", y, b, n, 1e-12);

    // the update equals the factor of the updated matrix, and undoes itself
    double up[NMAX], down[NMAX];
    cmp_fill(&r, up, n);
    if (n > 2) up[1] = 0;
    memcpy(down, up, sizeof(up));
    for (int i = 0; i < n * n; i++) m[i] += up[i / n] * up[i % n];
    mju_cholFactor(m, n, 1e-10);
    static double u[NMAX * NMAX];
    memcpy(u, l, sizeof(l));
    assert_int_equal(mju_cholUpdate(u, up, n, 1), n);
    for (int i = 0; i < n; i++) cmp_arrays("update", u + i * n, m + i * n, i + 1, 1e-11);
    assert_int_equal(mju_cholUpdate(u, down, n, 0), n);
    for (int i = 0; i < n; i++) cmp_arrays("downdate", u + i * n, l + i * n, i + 1, 1e-10);

    // the whole array, so that the upper triangle is known to be left alone
    memcpy(m, a, sizeof(a));
    ORC(mju_cholFactor)(m, n, 1e-10);
    cmp_arrays("factor", l, m, n * n, 1e-12);
    ORC(mju_cholSolve)(y, m, b, n);
    cmp_arrays("solve", x, y, n, 1e-11);
  }
}

// deficient matrices: rank and result are the reference's
static void deficient(void** state) {
  (void)state;
  Rnd r = {4};
  static double a[NMAX * NMAX], m[NMAX * NMAX], x[NMAX], y[NMAX];
  for (int n = 1; n < 20; n++) {
    for (int zero = 0; zero < n; zero++) {
      // a diagonal matrix keeps the comparison free of rounding
      memset(a, 0, sizeof(a));
      for (int i = 0; i < n; i++) a[i * n + i] = i == zero ? 0 : i + 1;
      if (zero + 1 < n) a[(zero + 1) * n + zero] = 0.5;
      memcpy(m, a, sizeof(a));
      orc_sameInt(mju_cholFactor(a, n, 1e-6), ORC(mju_cholFactor)(m, n, 1e-6));
      cmp_arrays("factor", a, m, n * n, TOL);
      cmp_fill(&r, x, n);
      for (int i = 0; i < n; i++) x[i] *= 10;
      memcpy(y, x, sizeof(x));
      orc_sameInt(mju_cholUpdate(a, x, n, 0), ORC(mju_cholUpdate)(m, y, n, 0));
    }
  }
}

// band matrices: conversion, product, factor and solve equal the dense ones
static void band(void** state) {
  (void)state;
  Rnd r = {5};
  static double dense[NMAX * NMAX], packed[NMAX * NMAX], other[NMAX * NMAX], full[NMAX * NMAX];
  static double v[2 * NMAX], x[2 * NMAX], y[2 * NMAX];
  for (int k = 0; k < 500; k++) {
    const int n = 1 + rnd_below(&r, 30), nd = rnd_below(&r, mju_round(mju_min(n, 5)) + 1);
    const int nb = 1 + rnd_below(&r, n), count = (n - nd) * nb + nd * n;
    cmp_fill(&r, v, 2 * n);

    // diagonally dominant, zero outside the band
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        const int inside = i >= n - nd || i - j < nb;
        dense[i * n + j] = dense[j * n + i] = !inside ? 0 : i == j ? n + 1 : rnd_uniform(&r, -1, 1);
      }
    }
    memset(packed, 0, sizeof(packed));
    mju_dense2Band(packed, dense, n, nb, nd);
    mju_band2Dense(full, packed, n, nb, nd, 1);
    cmp_arrays("round trip", full, dense, n * n, 0);
    for (int i = 0; i < n; i++) assert_true(packed[mju_bandDiag(i, n, nb, nd)] == dense[i * n + i]);

    // product of two vectors
    mju_bandMulMatVec(x, packed, v, n, nb, nd, 2, 1);
    mju_mulMatVec(y, dense, v, n, n);
    mju_mulMatVec(y + n, dense, v + n, n, n);
    cmp_arrays("product", x, y, 2 * n, TOL);

    // factor with a shifted diagonal, solve
    memcpy(other, packed, sizeof(other));
    const double least = mju_cholFactorBand(packed, n, nb, nd, 0.5, 0.25);
    for (int i = 0; i < n; i++) dense[i * n + i] += 0.5 + 0.25 * dense[i * n + i];
    assert_int_equal(mju_cholFactor(dense, n, 1e-10), n);
    mju_cholSolveBand(x, packed, v, n, nb, nd);
    mju_cholSolve(y, dense, v, n);
    cmp_arrays("solve", x, y, n, TOL);
    assert_true(least > 0);
    double* theirs = full;
    memcpy(theirs, other, sizeof(other));
    assert_true(fabs(ORC(mju_cholFactorBand)(theirs, n, nb, nd, 0.5, 0.25) - least) < 1e-12);
    cmp_arrays("band factor", packed, theirs, count, TOL);

    // lower triangle only, and a factorisation that fails
    mju_bandMulMatVec(x, other, v, n, nb, nd, 1, 0);
    ORC(mju_bandMulMatVec)(y, other, v, n, nb, nd, 1, 0);
    cmp_arrays("lower product", x, y, n, TOL);
    other[mju_bandDiag(n / 2, n, nb, nd)] = -1;
    assert_true(mju_cholFactorBand(other, n, nb, nd, 0, 0) == 0);
  }
}

// box QP: the reference's result and the optimality conditions
static void boxQP(void** state) {
  (void)state;
  Rnd r = {6};
  for (int k = 0; k < 300; k++) {
    const int n = 1 + rnd_below(&r, 12);
    double *res, *R, *H, *g, *lower, *upper, theirs[12], grad[12], R2[12 * 19];
    int *index, index2[12];
    mju_boxQPmalloc(&res, &R, &index, &H, &g, n, &lower, &upper);
    fillSPD(&r, H, n);
    cmp_fill(&r, g, n);
    for (int i = 0; i < n; i++) {
      g[i] *= 5;
      lower[i] = rnd_uniform(&r, -1, 0);
      upper[i] = rnd_uniform(&r, 0.01, 0.5);
      theirs[i] = res[i] = rnd_uniform(&r, -1, 1);
    }
    const double* low = k % 5 == 1 ? NULL : lower;
    const double* high = k % 5 == 2 ? NULL : upper;
    if (k % 5 == 3) low = high = NULL;
    const int nfree = mju_boxQP(res, R, k % 2 ? index : NULL, H, g, n, low, high);
    assert_in_range(nfree, 0, n);

    // gradient is zero inside, points outwards at a bound
    mju_mulMatVec(grad, H, res, n, n);
    for (int i = 0; i < n; i++) {
      grad[i] += g[i];
      assert_true(!low || res[i] >= low[i]);
      assert_true(!high || res[i] <= high[i]);
      if (low && res[i] == low[i]) {
        assert_true(grad[i] > -1e-7);
      } else if (high && res[i] == high[i]) {
        assert_true(grad[i] < 1e-7);
      } else {
        assert_true(fabs(grad[i]) < 1e-7);
      }
    }
    orc_sameInt(ORC(mju_boxQP)(theirs, R2, index2, H, g, n, low, high), nfree);
    cmp_arrays("boxQP", res, theirs, n, 1e-10);
    if (k % 2) orc_sameBytes(index, index2, sizeof(int) * (size_t)nfree);

    // an indefinite matrix is refused
    H[0] = -1;
    if (k % 5 == 3) assert_int_equal(mju_boxQP(res, R, index, H, g, n, NULL, NULL), -1);
    mju_free(res);
    mju_free(R);
    mju_free(index);
    mju_free(H);
    mju_free(g);
    mju_free(lower);
    mju_free(upper);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(symmetricProduct),
                                     cmocka_unit_test(cholesky), cmocka_unit_test(deficient),
                                     cmocka_unit_test(band),     cmocka_unit_test(boxQP)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
