// Quadratic program in a box: minimise x'Hx/2 + x'g subject to lower <= x <= upper.
//
// Projected Newton (Tassa, Mansard, Todorov 2014): variables at a bound whose gradient points outwards are clamped, the
// Newton step is taken in the free ones, and an Armijo search runs along the projected direction. Only the lower
// triangle of H is read.
#include "math/boxqp.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "math/dense.h"
#include "math/simd/kernels.h"
#include "math/vec.h"

// why the iteration ended, and in words
typedef enum { NOT_DEFINITE, NO_DESCENT, MAX_ITER, MAX_STEPS, SMALL_GRADIENT, UNBOUNDED, ALL_CLAMPED } Status;
static const char* const STATUS[] = {"Hessian is not positive definite",
                                     "No descent direction found",
                                     "Maximum main iterations exceeded",
                                     "Maximum line-search iterations exceeded",
                                     "Gradient norm smaller than tolerance",
                                     "No dimensions clamped, returning Newton point",
                                     "All dimensions clamped"};

// The problem and its scratch, which lives behind the factor in R.
typedef struct {
  int n;
  const mjtNum *H, *g, *lower, *upper;
  mjtNum *res, *R, *grad, *search, *candidate, *temp;
  int *clamped, *oldclamped, *index;
  int nfree;

  // options and progress
  const MthBoxOption* option;
  int iter, nfactor;
  mjtNum norm2;  // of the free gradient, squared
  int logged;    // characters
} BoxQP;

// appends to the log what fits
__attribute__((format(printf, 2, 3))) static void report(BoxQP* q, const char* format, ...) {
  const int left = q->option->logsz - q->logged;
  if (!q->option->log || left <= 0) return;
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(q->option->log + q->logged, (size_t)left, format, args);
  va_end(args);
  q->logged += mth_minInt(length, left);
}

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
  q->nfactor++;
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
static int lineSearch(BoxQP* q, mjtNum slope, int factored) {
  const MthBoxOption* o = q->option;
  const mjtNum old = objective(q, q->res);
  mjtNum value, improvement = 0, step = 1;
  int nstep = 0, found = 1;
  do {
    for (int i = 0; i < q->n; i++) {
      const mjtNum x = q->search[i] * step + q->res[i];
      q->candidate[i] = q->lower && x < q->lower[i] ? q->lower[i] : q->upper && x > q->upper[i] ? q->upper[i] : x;
    }
    value = objective(q, q->candidate);
    nstep++;
    step *= o->backtrack;
    if (step < o->minstep) {
      found = 0;
      break;
    }
    improvement = (value - old) / (step * slope);
  } while (improvement < o->armijo);
  mth_copy(q->res, q->candidate, q->n);
  report(q,
         "iter %-3d:  |grad|: %-8.2g  reduction: %-8.2g  improvement: %-8.4g  linesearch: %g^%-2d  factorized: %d  "
         "nfree: %d\n",
         q->iter + 1, sqrt(q->norm2), old - value, improvement, o->backtrack, nstep - 1, factored, q->nfree);
  return found;
}

// the iteration
static Status solve(BoxQP* q) {
  for (; q->iter < q->option->maxiter; q->iter++) {
    const int changed = findClamped(q), factored = q->iter == 0 || changed;
    if (q->nfree == 0) return ALL_CLAMPED;
    if (factored && !factorFree(q)) return NOT_DEFINITE;
    newtonDirection(q);

    // small gradient in the free variables: done
    q->norm2 = 0;
    for (int i = 0; i < q->nfree; i++) q->norm2 += q->grad[q->index[i]] * q->grad[q->index[i]];
    if (q->norm2 < q->option->mingrad) return q->nfree == q->n ? UNBOUNDED : SMALL_GRADIENT;

    // not a descent direction: H is bad
    const mjtNum slope = mth_dot(q->search, q->grad, q->n);
    if (slope >= 0) return NO_DESCENT;
    if (!lineSearch(q, slope, factored)) {
      q->iter++;
      return MAX_STEPS;
    }
  }
  return NO_DESCENT;
}

// no bounds at all: the Newton point
static Status solveUnbounded(BoxQP* q) {
  for (int i = 0; i < q->n; i++) q->index[i] = i;
  mth_copy(q->R, q->H, q->n * q->n);
  if (mju_cholFactor(q->R, q->n, mjMINVAL) < q->n) return NOT_DEFINITE;
  mju_cholSolve(q->res, q->R, q->g, q->n);
  mth_scl(q->res, q->res, -1, q->n);
  q->nfactor = 1;
  return UNBOUNDED;
}

int mth_boxQP(const MthBoxProblem* p, const MthBoxOption* option) {
  const int n = p->n, bounded = p->lower || p->upper;
  if (n <= 0) {
    mju_error("mju_boxQP: problem size n must be positive");
    return -1;
  }
  for (int i = 0; p->lower && p->upper && i < n; i++) {
    if (p->lower[i] >= p->upper[i]) {
      mju_error("mju_boxQP: upper bounds must be strictly larger than lower bounds");
      return -1;
    }
  }

  // scratch: seven vectors of n numbers behind the n x n factor
  mjtNum* s = p->R + (size_t)n * n;
  BoxQP q = {.n = n, .H = p->H, .g = p->g, .lower = p->lower, .upper = p->upper, .res = p->res, .R = p->R};
  q.grad = s;
  q.search = s + n;
  q.candidate = s + 2 * n;
  q.temp = s + 3 * n;
  q.clamped = (int*)(s + 4 * n);
  q.oldclamped = (int*)(s + 5 * n);
  q.index = p->index ? p->index : (int*)(s + 6 * n);
  q.nfree = n;
  q.option = option;

  // start inside the box
  for (int i = 0; bounded && i < n; i++) {
    if (p->lower) q.res[i] = mth_max(q.res[i], p->lower[i]);
    if (p->upper) q.res[i] = mth_min(q.res[i], p->upper[i]);
    q.oldclamped[i] = 0;
  }
  Status status = bounded ? solve(&q) : solveUnbounded(&q);
  if (q.iter == option->maxiter) status = MAX_ITER;
  if (option->log) {
    const mjtNum value = bounded && option->maxiter > 0 ? objective(&q, q.res) : 0;
    report(&q, "BOXQP: %s.\niterations= %d,  factorizations= %d,  |grad|= %-12.6g, final value= %-12.6g\n",
           STATUS[status], q.iter, q.nfactor, sqrt(q.norm2), value);
  }
  return status == NOT_DEFINITE || status == NO_DESCENT ? -1 : q.nfree;
}

int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
              const mjtNum* upper) {
  // the reference's: results depend on them
  static const MthBoxOption option = {
      .maxiter = 100, .mingrad = 1e-16, .backtrack = 0.5, .minstep = 1e-22, .armijo = 0.1};
  return mth_boxQP(&(MthBoxProblem){n, H, g, lower, upper, res, R, index}, &option);
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
