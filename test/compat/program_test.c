// Quadratic programs: no feasible neighbour is better, and the reference's solutions.
#include "math/compare.h"

#include <stdio.h>

#include "compat/compat.h"

// Newton's method stops when the constraint holds up to 1e-10
static const double TOL = 1e-9;

// symmetric positive definite unless `spoiled`
static void randomMatrix(Rnd* r, double* A, int n, int spoiled) {
  double root[100];
  cmp_fill(r, root, n * n);
  mju_mulMatTMat(A, root, root, n, n, n);
  for (int i = 0; i < n; i++) A[i * (n + 1)] += spoiled ? -1 : 0.1;
}

static double objective(const double* x, const double* A, const double* b, int n) {
  return 0.5 * mju_mulVecMatVec(x, A, x, n) + mju_dot(x, b, n);
}

static double radius(const double* x, const double* d, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] / (d[i] * d[i]);
  return sqrt(sum);
}

// random steps that stay in the ellipsoid do not descend
static void checkMinimum(Rnd* r, const double* x, const double* A, const double* b, const double* d, double bound,
                         int n) {
  const double best = objective(x, A, b, n);
  for (int k = 0; k < 20; k++) {
    double y[3];
    for (int i = 0; i < n; i++) y[i] = x[i] + rnd_uniform(r, -0.01, 0.01);
    const double size = radius(y, d, n);
    if (size > bound) mju_scl(y, y, bound / size, n);
    assert_true(objective(y, A, b, n) >= best - 1e-8);
  }
}

static void ellipsoids(void** state) {
  (void)state;
  Rnd r = {1};
  int touching = 0, failed = 0;
  for (int k = 0; k < 1000; k++) {
    const int n = 2 + k % 2, spoiled = k % 7 == 0;
    double A[9], b[3], d[3], x[3] = {9, 9, 9}, y[3] = {9, 9, 9};
    randomMatrix(&r, A, n, spoiled);
    cmp_fill(&r, b, 3);
    for (int i = 0; i < 3; i++) d[i] = rnd_uniform(&r, 0.5, 2);
    const double bound = rnd_uniform(&r, 0.05, 3);
    const int on = n == 2 ? mju_QCQP2(x, A, b, d, bound) : mju_QCQP3(x, A, b, d, bound);
    if (n == 2) assert_true(x[2] == 9);
    if (!spoiled) {
      assert_true(on ? fabs(radius(x, d, n) - bound) < 1e-8 : radius(x, d, n) <= bound + 1e-8);
      checkMinimum(&r, x, A, b, d, bound, n);
    }
    touching += on;
    failed += !on && x[0] == 0 && x[1] == 0;
    orc_sameInt(n == 2 ? ORC(mju_QCQP2)(y, A, b, d, bound) : ORC(mju_QCQP3)(y, A, b, d, bound), on);
    cmp_arrays("ellipsoid", x, y, n, TOL);
  }
  assert_true(touching > 100 && failed > 20);
}

// not positive definite: nothing moves
static void degenerate(void** state) {
  (void)state;
  const double A2[4] = {6, -15, 2, -5}, A3[9] = {1, 4, -2, -3, -7, 5, 2, -9, 0};
  const double b[3] = {-12, 49, 8}, d[3] = {11, 31, -23};
  double x[3] = {9, 9, 9};
  assert_int_equal(mju_QCQP2(x, A2, b, d, 0.01), 0);
  assert_true(x[0] == 0 && x[1] == 0);
  x[0] = x[1] = 9;
  assert_int_equal(mju_QCQP3(x, A3, b, d, 0.1), 0);
  assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

// A box problem with room for its results.
typedef struct {
  int n;
  double H[100], g[10], lower[10], upper[10], res[10], R[170];
  int index[10];
  char log[8192];
} Box;

static int solveBox(__typeof__(&mju_boxQPoption) function, Box* b, int maxiter, double backtrack, int logsz) {
  memset(b->res, 0, sizeof(b->res));
  memset(b->log, '#', sizeof(b->log));
  return function(b->res, b->R, b->index, b->H, b->g, b->n, b->lower, b->upper, maxiter, 1e-16, backtrack, 1e-22, 0.1,
                  b->log, logsz);
}

static void randomBox(Rnd* r, Box* b) {
  b->n = 1 + rnd_below(r, 10);
  randomMatrix(r, b->H, b->n, 0);
  cmp_fill(r, b->g, b->n);
  for (int i = 0; i < b->n; i++) {
    b->lower[i] = rnd_uniform(r, -1, 0);
    b->upper[i] = b->lower[i] + rnd_uniform(r, 0.1, 1);
  }
}

// the summary that ends the log
static void readLog(const char* log, int* niter, int* nfactor, char reason[64]) {
  const char* last = strstr(log, "BOXQP: ");
  assert_non_null(last);
  assert_int_equal(sscanf(last, "BOXQP: %63[^.].\niterations= %d,  factorizations= %d,", reason, niter, nfactor), 3);
}

static void boxes(void** state) {
  (void)state;
  Rnd r = {2};
  static Box b, ref;
  for (int k = 0; k < 300; k++) {
    randomBox(&r, &b);
    const int maxiter = k % 4 ? 100 : rnd_below(&r, 3);
    ref = b;
    const int nfree = solveBox(mju_boxQPoption, &b, maxiter, k % 3 ? 0.5 : 0.7, (int)sizeof(b.log));
    assert_in_range(nfree, 0, b.n);

    // a solution is at a bound with the gradient outwards, or free without gradient
    double grad[10];
    mju_mulMatVec(grad, b.H, b.res, b.n, b.n);
    mju_addTo(grad, b.g, b.n);
    for (int i = 0; maxiter == 100 && i < b.n; i++) {
      const int low = b.res[i] == b.lower[i] && grad[i] > 0, high = b.res[i] == b.upper[i] && grad[i] < 0;
      assert_true(low || high || fabs(grad[i]) < 1e-7);
    }
    int niter, nfactor, refiter, reffactor;
    char reason[64], refreason[64];
    readLog(b.log, &niter, &nfactor, reason);
    assert_true(niter <= maxiter && nfactor <= niter + 1);
    if (maxiter == 0) assert_string_equal(reason, "Maximum main iterations exceeded");
    orc_sameInt(solveBox(ORC(mju_boxQPoption), &ref, maxiter, k % 3 ? 0.5 : 0.7, (int)sizeof(b.log)), nfree);
    cmp_arrays("box", b.res, ref.res, b.n, TOL);
    readLog(ref.log, &refiter, &reffactor, refreason);
    assert_int_equal(niter, refiter);
    assert_int_equal(nfactor, reffactor);
    orc_sameText(reason, refreason);
  }
}

// what the log says, in full where no rounding shows, and cut off where it must be
static void logs(void** state) {
  (void)state;
  static Box b = {.n = 1, .H = {2}, .g = {-8}, .lower = {0}, .upper = {1}}, ref;
  ref = b;
  assert_int_equal(solveBox(mju_boxQPoption, &b, 100, 0.5, (int)sizeof(b.log)), 0);
  assert_non_null(strstr(b.log, "iter 1  :  |grad|: 8 "));
  assert_non_null(strstr(b.log, "BOXQP: All dimensions clamped.\niterations= 1,  factorizations= 1,  |grad|= 8 "));
  orc_sameInt(solveBox(ORC(mju_boxQPoption), &ref, 100, 0.5, (int)sizeof(b.log)), 0);
  orc_sameText(b.log, ref.log);
  static char whole[8192];
  memcpy(whole, b.log, sizeof(whole));
  const int length = (int)strlen(whole);
  for (int size = 1; size <= length + 1; size++) {
    solveBox(mju_boxQPoption, &b, 100, 0.5, size);
    assert_int_equal((int)strlen(b.log), size - 1);
    orc_sameBytes(b.log, whole, (size_t)size - 1);
    assert_int_equal(b.log[size], '#');
  }
  solveBox(mju_boxQPoption, &b, 100, 0.5, 0);
  assert_int_equal(b.log[0], '#');
}

// without bounds, and without a minimum
static void unbounded(void** state) {
  (void)state;
  double H[4] = {4, 0, 0, 16}, res[2] = {0, 0}, R[18];
  const double g[2] = {-4, 16};
  char log[512];
  assert_int_equal(
      mju_boxQPoption(res, R, NULL, H, g, 2, NULL, NULL, 100, 1e-16, 0.5, 1e-22, 0.1, log, (int)sizeof(log)), 2);
  assert_true(res[0] == 1 && res[1] == -1);
  assert_string_equal(log,
                      "BOXQP: No dimensions clamped, returning Newton point.\n"
                      "iterations= 0,  factorizations= 1,  |grad|= 0           , final value= 0           \n");
  H[3] = -1;
  assert_int_equal(
      mju_boxQPoption(res, R, NULL, H, g, 2, NULL, NULL, 100, 1e-16, 0.5, 1e-22, 0.1, log, (int)sizeof(log)), -1);
  char theirs[512];
  orc_sameInt(
      ORC(mju_boxQPoption)(res, R, NULL, H, g, 2, NULL, NULL, 100, 1e-16, 0.5, 1e-22, 0.1, theirs, (int)sizeof(log)),
      -1);
  orc_sameText(log, theirs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ellipsoids), cmocka_unit_test(degenerate), cmocka_unit_test(boxes),
      cmocka_unit_test(logs),       cmocka_unit_test(unbounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
