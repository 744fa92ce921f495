// Four floats at once, for searches whose result is checked afterwards: only what those need.
#pragma once

#include <string.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

typedef float ColFloat4 __attribute__((vector_size(16)));
typedef int ColInt4 __attribute__((vector_size(16)));

static inline ColFloat4 col_load4(const float* p) {
  ColFloat4 v;
  memcpy(&v, p, sizeof(v));
  return v;
}

static inline ColFloat4 col_all4(float x) {
  return (ColFloat4){x, x, x, x};
}

static inline ColFloat4 col_max4(ColFloat4 a, ColFloat4 b) {
#if defined(__SSE__)
  return _mm_max_ps(a, b);
#else
  const ColInt4 first = a > b;
  return (ColFloat4)((first & (ColInt4)a) | (~first & (ColInt4)b));
#endif
}

// bit i is set where a[i] >= b[i]
static inline unsigned col_notLess4(ColFloat4 a, ColFloat4 b) {
#if defined(__SSE__)
  return (unsigned)_mm_movemask_ps(_mm_cmpge_ps(a, b));
#else
  const ColInt4 bit = (a >= b) & (ColInt4){1, 2, 4, 8};
  return (unsigned)(bit[0] | bit[1] | bit[2] | bit[3]);
#endif
}

// 1: the sign of any of them is set, as a comparison leaves it
static inline int col_any4(ColInt4 a) {
#if defined(__SSE__)
  return _mm_movemask_ps((__m128)a) != 0;
#else
  return (a[0] | a[1] | a[2] | a[3]) < 0;
#endif
}

static inline float col_highest4(ColFloat4 v) {
  const ColFloat4 pairs = col_max4(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
  return col_max4(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2))[0];
}
