// Quadratic program in a box: minimise x'Hx/2 + x'g subject to lower <= x <= upper.
//
// Projected Newton (Tassa, Mansard, Todorov 2014): variables at a bound whose gradient points outwards are clamped, the
// Newton step is taken in the free ones, and an Armijo search runs along the projected direction. Only the lower
// triangle of H is read.
#include <math.h>

#include <mujoco/mujoco.h>

#include "math/dense.h"
#include "math/simd/kernels.h"
#include "math/vec.h"

// stopping and step-size constants of the reference; results depend on them
enum { MAXITER = 100 };
static const mjtNum MINGRAD = 1e-16, BACKTRACK = 0.5, MINSTEP = 1e-22, ARMIJO = 0.1;

// The problem and its scratch, which lives behind the factor in R.
typedef struct {
  int n;
  const mjtNum *H, *g, *lower, *upper;
  mjtNum *res, *R, *grad, *search, *candidate, *temp;
  int *clamped, *oldclamped, *index;
  int nfree;
} BoxQP;

// x'Hx/2 + x'g
static mjtNum objective(const BoxQP* q, const mjtNum* x) {
  mjtNum quadratic = 0;
  for (int i = 0; i < q->n; i++) {
    const mjtNum* row = q->H + (size_t)i * q->n;
    quadratic += x[i] * row[i] * x[i];
    quadratic += 2 * x[i] * mth_dot(row, x, i);
  }
  return 0.5 * quadratic + mth_dot(x, q->g, q->n);
}

// gradient, clamped variables and the index of the free ones; 1: the clamped set differs from the last one
static int findClamped(BoxQP* q) {
  mth_mulSymVec(q->grad, q->H, q->res, q->n);
  mth_addTo(q->grad, q->g, q->n);

  int changed = 0;
  q->nfree = 0;
  for (int i = 0; i < q->n; i++) {
    const int low = q->lower && q->res[i] == q->lower[i] && q->grad[i] > 0;
    const int high = q->upper && q->res[i] == q->upper[i] && q->grad[i] < 0;
    q->clamped[i] = low || high;
    if (!q->clamped[i]) q->index[q->nfree++] = i;
    changed |= q->clamped[i] != q->oldclamped[i];
    q->oldclamped[i] = q->clamped[i];
  }
  return changed;
}

// factors the free block of H; 0: not positive definite
static int factorFree(BoxQP* q) {
  for (int i = 0; i < q->nfree; i++) {
    const mjtNum* row = q->H + (size_t)q->index[i] * q->n;
    mth_gather(q->R + (size_t)i * q->nfree, row, q->index, i + 1);
  }
  return mju_cholFactor(q->R, q->nfree, mjMINVAL) == q->nfree;
}

// search direction: to the Newton point of the free variables with the clamped ones fixed
static void newtonDirection(BoxQP* q) {
  // gradient at the point whose free variables are 0
  for (int i = 0; i < q->n; i++) q->temp[i] = q->clamped[i] ? q->res[i] : 0;
  mth_mulSymVec(q->search, q->H, q->temp, q->n);
  mth_addTo(q->search, q->g, q->n);
  mth_gather(q->temp, q->search, q->index, q->nfree);

  mju_cholSolve(q->temp, q->R, q->temp, q->nfree);
  mth_zero(q->search, q->n);
  for (int i = 0; i < q->nfree; i++) q->search[q->index[i]] = -q->temp[i] - q->res[q->index[i]];
}

// Armijo search along the projected direction; leaves the accepted point in res. 0: the step became too small.
static int lineSearch(BoxQP* q, mjtNum slope) {
  const mjtNum old = objective(q, q->res);
  int found = 1;
  for (mjtNum step = 1;;) {
    for (int i = 0; i < q->n; i++) {
      const mjtNum x = q->search[i] * step + q->res[i];
      q->candidate[i] = q->lower && x < q->lower[i] ? q->lower[i] : q->upper && x > q->upper[i] ? q->upper[i] : x;
    }
    const mjtNum value = objective(q, q->candidate);
    step *= BACKTRACK;
    if (step < MINSTEP) {
      found = 0;
      break;
    }
    if (!((value - old) / (step * slope) < ARMIJO)) break;
  }
  mth_copy(q->res, q->candidate, q->n);
  return found;
}

// the iteration; returns the number of free variables, -1 when it fails
static int solve(BoxQP* q) {
  for (int iter = 0; iter < MAXITER; iter++) {
    const int changed = findClamped(q);
    if (q->nfree == 0) return 0;
    if ((iter == 0 || changed) && !factorFree(q)) return -1;
    newtonDirection(q);

    // small gradient in the free variables: done
    mjtNum norm2 = 0;
    for (int i = 0; i < q->nfree; i++) norm2 += q->grad[q->index[i]] * q->grad[q->index[i]];
    if (norm2 < MINGRAD) return q->nfree;

    // not a descent direction: H is bad
    const mjtNum slope = mth_dot(q->search, q->grad, q->n);
    if (slope >= 0) return -1;
    if (!lineSearch(q, slope)) return q->nfree;
  }
  return q->nfree;
}

// no bounds at all: the Newton point
static int solveUnbounded(BoxQP* q) {
  for (int i = 0; i < q->n; i++) q->index[i] = i;
  mth_copy(q->R, q->H, q->n * q->n);
  if (mju_cholFactor(q->R, q->n, mjMINVAL) < q->n) return -1;
  mju_cholSolve(q->res, q->R, q->g, q->n);
  mth_scl(q->res, q->res, -1, q->n);
  return q->n;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
              const mjtNum* upper) {
  if (n <= 0) mju_error("mju_boxQP: problem size n must be positive");
  for (int i = 0; lower && upper && i < n; i++) {
    if (lower[i] >= upper[i]) mju_error("mju_boxQP: upper bounds must be strictly larger than lower bounds");
  }

  // scratch: seven vectors of n numbers behind the n x n factor
  mjtNum* s = R + (size_t)n * n;
  BoxQP q = {.n = n, .H = H, .g = g, .lower = lower, .upper = upper, .res = res, .R = R};
  q.grad = s;
  q.search = s + n;
  q.candidate = s + 2 * n;
  q.temp = s + 3 * n;
  q.clamped = (int*)(s + 4 * n);
  q.oldclamped = (int*)(s + 5 * n);
  q.index = index ? index : (int*)(s + 6 * n);
  if (!lower && !upper) return solveUnbounded(&q);

  // start inside the box
  for (int i = 0; i < n; i++) {
    if (lower) res[i] = mth_max(res[i], lower[i]);
    if (upper) res[i] = mth_min(res[i], upper[i]);
    q.oldclamped[i] = 0;
  }
  return solve(&q);
}

void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n, mjtNum** lower,
                     mjtNum** upper) {
  const size_t vec = (size_t)n * sizeof(mjtNum);
  *res = (mjtNum*)mju_malloc(vec);
  *R = (mjtNum*)mju_malloc(vec * ((size_t)n + 7));
  *H = (mjtNum*)mju_malloc(vec * (size_t)n);
  *g = (mjtNum*)mju_malloc(vec);
  if (lower) *lower = (mjtNum*)mju_malloc(vec);
  if (upper) *upper = (mjtNum*)mju_malloc(vec);
  if (index) *index = (int*)mju_malloc((size_t)n * sizeof(int));
}
