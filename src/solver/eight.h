// Eight numbers, in as many registers as the instruction set that this is compiled for needs. One vector of eight would
// be simpler to write, but where the machine has no such registers gcc keeps it in memory and moves it number by
// number: three to five times the instructions. Operations are per number, the same on every instruction set.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define EIGHT_WIDTH 8
#elif defined(__AVX__)
#define EIGHT_WIDTH 4
#else
#define EIGHT_WIDTH 2
#endif
#define EIGHT_PARTS  (8 / EIGHT_WIDTH)

#define EIGHT_INLINE static inline __attribute__((always_inline))

// loops over the eight are written out, so that what they compute stays in registers
// (EIGHT_UNROLL_EARLY: which may end early, and those inside. clang cannot be told to, and says so.)
#if defined(__clang__)
#define EIGHT_UNROLL _Pragma("unroll")
#define EIGHT_UNROLL_EARLY
#else
#define EIGHT_UNROLL       _Pragma("GCC unroll 8")
#define EIGHT_UNROLL_EARLY EIGHT_UNROLL
#endif
#define EIGHT_EACH EIGHT_UNROLL for (int i = 0; i < EIGHT_PARTS; i++)

// one register, the same anywhere in memory, and as bits
typedef mjtNum EightPart __attribute__((vector_size(8 * EIGHT_WIDTH), may_alias));
typedef mjtNum EightAny __attribute__((vector_size(8 * EIGHT_WIDTH), aligned(8), may_alias));
typedef int64_t EightBits __attribute__((vector_size(8 * EIGHT_WIDTH), may_alias));

typedef struct {
  EightPart part[EIGHT_PARTS];
} V8;

// a bit pattern for each number
typedef struct {
  EightBits part[EIGHT_PARTS];
} M8;

// what a row keeps: all bits of the numbers below one, and of all of them
static const int64_t EIGHT_BELOW[9][8] __attribute__((aligned(64))) = {
    {0,  0,  0,  0,  0,  0,  0,  0 },
    {-1, 0,  0,  0,  0,  0,  0,  0 },
    {-1, -1, 0,  0,  0,  0,  0,  0 },
    {-1, -1, -1, 0,  0,  0,  0,  0 },
    {-1, -1, -1, -1, 0,  0,  0,  0 },
    {-1, -1, -1, -1, -1, 0,  0,  0 },
    {-1, -1, -1, -1, -1, -1, 0,  0 },
    {-1, -1, -1, -1, -1, -1, -1, 0 },
    {-1, -1, -1, -1, -1, -1, -1, -1},
};

// ---------------------------------------------------------------- memory

EIGHT_INLINE V8 v8_zero(void) {
  return (V8){0};
}

// from an address that is a multiple of 64
EIGHT_INLINE V8 v8_get(const mjtNum* from) {
  V8 res;
  EIGHT_EACH res.part[i] = ((const EightPart*)from)[i];
  return res;
}

// from any address
EIGHT_INLINE V8 v8_getAny(const mjtNum* from) {
  V8 res;
  EIGHT_EACH res.part[i] = ((const EightAny*)from)[i];
  return res;
}

EIGHT_INLINE void v8_put(mjtNum* to, V8 a) {
  EIGHT_EACH((EightPart*)to)[i] = a.part[i];
}

EIGHT_INLINE void v8_putAny(mjtNum* to, V8 a) {
  EIGHT_EACH((EightAny*)to)[i] = a.part[i];
}

EIGHT_INLINE M8 m8_below(int n) {
  M8 res;
  EIGHT_EACH res.part[i] = ((const EightBits*)EIGHT_BELOW[n])[i];
  return res;
}

// the first n, others are zero; behind them nothing is read or written
EIGHT_INLINE V8 v8_getSome(const mjtNum* from, int n) {
  V8 res;
#if EIGHT_WIDTH == 8
  res.part[0] = _mm512_maskz_loadu_pd((__mmask8)((1 << n) - 1), from);
#elif EIGHT_WIDTH == 4
  const __m256i* mask = (const __m256i*)EIGHT_BELOW[n];
  EIGHT_EACH res.part[i] = _mm256_maskload_pd(from + 4 * i, mask[i]);
#else
  mjtNum all[8] __attribute__((aligned(16))) = {0};
  for (int k = 0; k < n; k++) all[k] = from[k];
  EIGHT_EACH res.part[i] = ((const EightPart*)all)[i];
#endif
  return res;
}

EIGHT_INLINE void v8_putSome(mjtNum* to, V8 a, int n) {
#if EIGHT_WIDTH == 8
  _mm512_mask_storeu_pd(to, (__mmask8)((1 << n) - 1), a.part[0]);
#elif EIGHT_WIDTH == 4
  const __m256i* mask = (const __m256i*)EIGHT_BELOW[n];
  EIGHT_EACH _mm256_maskstore_pd(to + 4 * i, mask[i], a.part[i]);
#else
  for (int k = 0; k < n; k++) to[k] = a.part[k / 2][k % 2];
#endif
}

// ---------------------------------------------------------------- arithmetic

EIGHT_INLINE V8 v8_add(V8 a, V8 b) {
  EIGHT_EACH a.part[i] += b.part[i];
  return a;
}

EIGHT_INLINE V8 v8_sub(V8 a, V8 b) {
  EIGHT_EACH a.part[i] -= b.part[i];
  return a;
}

EIGHT_INLINE V8 v8_mul(V8 a, V8 b) {
  EIGHT_EACH a.part[i] *= b.part[i];
  return a;
}

EIGHT_INLINE V8 v8_scl(mjtNum c, V8 a) {
  EIGHT_EACH a.part[i] *= c;
  return a;
}

// a + c b and a − c b
EIGHT_INLINE V8 v8_addScl(V8 a, mjtNum c, V8 b) {
  return v8_add(a, v8_scl(c, b));
}
EIGHT_INLINE V8 v8_subScl(V8 a, mjtNum c, V8 b) {
  return v8_sub(a, v8_scl(c, b));
}

// sum in the library's fixed order, ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)): halves are folded until one is left
EIGHT_INLINE mjtNum v8_sum(V8 a) {
  typedef mjtNum Two __attribute__((vector_size(16)));
#if EIGHT_WIDTH == 2
  const Two two = (a.part[0] + a.part[2]) + (a.part[1] + a.part[3]);
#else
  typedef mjtNum Four __attribute__((vector_size(32)));
#if EIGHT_WIDTH == 4
  const Four four = a.part[0] + a.part[1];
#else
  const Four four = __builtin_shufflevector(a.part[0], a.part[0], 0, 1, 2, 3) +
                    __builtin_shufflevector(a.part[0], a.part[0], 4, 5, 6, 7);
#endif
  const Two two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
#endif
  return two[0] + two[1];
}

// ---------------------------------------------------------------- bits

EIGHT_INLINE V8 v8_keep(V8 a, M8 mask) {
  EIGHT_EACH a.part[i] = (EightPart)((EightBits)a.part[i] & mask.part[i]);
  return a;
}

EIGHT_INLINE V8 v8_abs(V8 a) {
  EIGHT_EACH a.part[i] = (EightPart)((EightBits)a.part[i] & INT64_MAX);
  return a;
}

// where a number is below zero, and where it is not at least zero
EIGHT_INLINE M8 v8_negative(V8 a) {
  M8 res;
  EIGHT_EACH res.part[i] = (EightBits)(a.part[i] < 0.0);
  return res;
}
EIGHT_INLINE M8 v8_notPositive(V8 a) {
  M8 res;
  EIGHT_EACH res.part[i] = ~(EightBits)(a.part[i] >= 0.0);
  return res;
}

// 1 where bits are set, as whole numbers
EIGHT_INLINE void m8_putOnes(int* to, M8 a) {
  typedef int Ints __attribute__((vector_size(4 * EIGHT_WIDTH), aligned(4), may_alias));
  EIGHT_EACH((Ints*)to)[i] = __builtin_convertvector(a.part[i], Ints) & 1;
}

EIGHT_INLINE M8 m8_xor(M8 a, M8 b) {
  EIGHT_EACH a.part[i] ^= b.part[i];
  return a;
}

// the bits of a, and those of a number
EIGHT_INLINE M8 m8_with(M8 a, V8 b) {
  EIGHT_EACH a.part[i] |= (EightBits)b.part[i];
  return a;
}

// which of the eight have any bit but the sign, as bits of one number
EIGHT_INLINE int m8_nonzero(M8 a) {
  int res = 0;
#if EIGHT_WIDTH == 8
  res = _mm512_test_epi64_mask((__m512i)a.part[0], _mm512_set1_epi64(INT64_MAX));
#elif EIGHT_WIDTH == 4
  const __m256i zero = _mm256_setzero_si256(), rest = _mm256_set1_epi64x(INT64_MAX);
  EIGHT_EACH {
    const __m256i none = _mm256_cmpeq_epi64(_mm256_and_si256((__m256i)a.part[i], rest), zero);
    res |= (_mm256_movemask_pd((__m256d)none) ^ 15) << (4 * i);
  }
#else
  EIGHT_EACH res |= (((a.part[i][0] & INT64_MAX) != 0) | ((a.part[i][1] & INT64_MAX) != 0) << 1) << (2 * i);
#endif
  return res;
}
