// Numbers of twice the precision as unevaluated sums hi + lo, and access to the bits of a double.
// Needs round-to-nearest and no fused multiply-add, which the build guarantees.
#pragma once

#include <stdint.h>
#include <string.h>

typedef struct {
  double hi, lo;
} MthDd;

// a + b exactly
static inline MthDd mth_twoSum(double a, double b) {
  const double s = a + b, v = s - a;
  return (MthDd){s, (a - (s - v)) + (b - v)};
}

// a + b exactly, |a| >= |b|
static inline MthDd mth_fastTwoSum(double a, double b) {
  const double s = a + b;
  return (MthDd){s, b - (s - a)};
}

// a * b exactly (Dekker); magnitudes between 2^-400 and 2^990
static inline MthDd mth_twoProd(double a, double b) {
  const double split = 0x1p27 + 1;
  const double ta = split * a, tb = split * b;
  const double ah = ta - (ta - a), bh = tb - (tb - b);
  const double al = a - ah, bl = b - bh;
  const double p = a * b;
  return (MthDd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline uint64_t mth_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static inline double mth_fromBits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

// 2^k, -1022 <= k <= 1023
static inline double mth_pow2(int k) {
  return mth_fromBits((uint64_t)(k + 1023) << 52);
}
