// Two numbers at a time, as wide as every target's registers. Operations are element by element, so the results are
// those of scalar code.
//
// Results that are read again soon are best stored in pairs: a processor can forward a wide store to a narrower load
// but not two narrow stores to a wide load, which then waits until both have reached the cache.
#pragma once

#include <math.h>
#include <mujoco/mjtnum.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Compilers take a store of such a vector for a store of its numbers: it may change any mjtNum but no pointer or index.
typedef mjtNum MthPair __attribute__((vector_size(2 * sizeof(mjtNum)), aligned(sizeof(mjtNum))));

static inline MthPair mth_load2(const mjtNum* a) {
  return *(const MthPair*)a;
}

static inline void mth_storePair(mjtNum* res, MthPair v) {
#ifdef __clang_analyzer__
  // the static analyzer does not see that a vector sets two numbers
  res[0] = v[0];
  res[1] = v[1];
#else
  *(MthPair*)res = v;
#endif
}

static inline void mth_store2(mjtNum* res, mjtNum x, mjtNum y) {
  mth_storePair(res, (MthPair){x, y});
}

// the same number twice
static inline MthPair mth_both(mjtNum x) {
  return (MthPair){x, x};
}

// the lesser and the greater of each, b where they cannot be compared
static inline MthPair mth_lesser2(MthPair a, MthPair b) {
#if defined(__SSE2__)
  return _mm_min_pd(a, b);
#else
  return (MthPair){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}
static inline MthPair mth_greater2(MthPair a, MthPair b) {
#if defined(__SSE2__)
  return _mm_max_pd(a, b);
#else
  return (MthPair){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

// 1: all numbers are within ±max; what is not a number fails the comparison. Two at a time, without branches
static inline int mth_allWithin(const mjtNum* value, int n, mjtNum max) {
  typedef int64_t Bits __attribute__((vector_size(16)));
  Bits good = {-1, -1};
  int i = 0;
  for (; i + 2 <= n; i += 2) good &= (Bits)((MthPair)((Bits)mth_load2(value + i) & INT64_MAX) <= mth_both(max));
  return (good[0] & good[1]) != 0 && (i == n || fabs(value[i]) <= max);
}
