// Inputs and comparisons shared by the differential tests of the math folder.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "support/oracle.h"
#include "support/random.h"

// a: ours, b: the reference's or what takes its place (see orc_result); 1: equal up to tol relative to scale; NaN
// equals NaN, infinities must be the same
static inline int cmp_close(double a, double b, double scale, double tol) {
  orc_result(&b, 1);
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  if (isinf(a) || isinf(b)) return a == b;
  return fabs(a - b) <= tol * scale;
}

// asserts two arrays close, relative to the largest finite magnitude in them
static inline void cmp_arrays(const char* what, const double* a, const double* b, int n, double tol) {
  double scale = 1e-300;
  for (int i = 0; i < n; i++) {
    if (isfinite(a[i]) && fabs(a[i]) > scale) scale = fabs(a[i]);
  }
  for (int i = 0; i < n; i++) {
    if (!cmp_close(a[i], b[i], scale, tol)) fail_msg("%s[%d]: ours %.17g, reference %.17g", what, i, a[i], b[i]);
  }
}

static inline void cmp_fill(Rnd* r, double* a, int n) {
  for (int i = 0; i < n; i++) a[i] = rnd_uniform(r, -1, 1);
}

// random numbers mixed with edge cases: NaN, infinities, zeros, denormals, huge and tiny
static inline void cmp_fillEdge(Rnd* r, double* a, int n) {
  static const double edge[] = {0, -0.0, 1, -1, 5e-324, -2.5e-310, 1e300, -1e300, 1e-160, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < n; i++) a[i] = rnd_below(r, 3) ? rnd_uniform(r, -1, 1) : edge[rnd_below(r, 12)];
}

static inline void cmp_unitQuat(Rnd* r, double q[4]) {
  double norm;
  do {
    cmp_fill(r, q, 4);
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  } while (norm < 0.1);
  for (int i = 0; i < 4; i++) q[i] /= norm;
}

// the same call of both libraries, which write to x and y, and a comparison of n results
#define CMP_BOTH(n, name, ...)       \
  do {                               \
    {                                \
      double* res = x;               \
      name(__VA_ARGS__);             \
    }                                \
    {                                \
      double* res = y;               \
      ORC(name)(__VA_ARGS__);        \
    }                                \
    cmp_arrays(#name, x, y, n, TOL); \
  } while (0)
