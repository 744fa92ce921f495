// Four lanes of AVX: what v3 and v4 have in common. See body.h.
#pragma once

#include <immintrin.h>

#define LANES 4
typedef __m256d Vec;

// the two 128-bit halves named by PART (0x20: the lower ones, 0x31: the upper ones) of a and b
#define HALVES(a, b, PART) _mm256_permute2f128_pd(a, b, PART)

static inline double addVectors(Vec a, Vec b) {
  const Vec s = a + b;
  const __m128d t = _mm256_extractf128_pd(s, 1) + _mm256_castpd256_pd128(s);
  return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
}

// what is left of addVectors for four rows at once, after the first addition
static inline Vec addRows(Vec s0, Vec s1, Vec s2, Vec s3) {
  const Vec s02 = HALVES(s0, s2, 0x20) + HALVES(s0, s2, 0x31), s13 = HALVES(s1, s3, 0x20) + HALVES(s1, s3, 0x31);
  return _mm256_unpacklo_pd(s02, s13) + _mm256_unpackhi_pd(s02, s13);
}

// the sum of the four numbers of each row, in sequence
static inline Vec addInSequence(Vec row0, Vec row1, Vec row2, Vec row3) {
  const Vec even01 = _mm256_unpacklo_pd(row0, row1), odd01 = _mm256_unpackhi_pd(row0, row1);
  const Vec even23 = _mm256_unpacklo_pd(row2, row3), odd23 = _mm256_unpackhi_pd(row2, row3);
  const Vec first = HALVES(even01, even23, 0x20) + HALVES(odd01, odd23, 0x20);
  return first + HALVES(even01, even23, 0x31) + HALVES(odd01, odd23, 0x31);
}
