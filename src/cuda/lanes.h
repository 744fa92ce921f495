// The thin layer under the kernels: the same source is CUDA C for a GPU and C17 for any machine.
//
// A simulation belongs to a group of CU_WIDTH lanes that run the same code. Work over n things is written as
//
//   CU_FOR(i, n) a[i] = ...;     each lane takes its share
//   cu_sync();                   what lanes wrote before, all lanes see after
//   sum = cu_sum(part);          every lane gets the sum over lanes, always added in the same order
//
// On a GPU a group is a warp, or a part of one. Compiled as C a group is one lane that does everything in turn,
// forwards or, with CU_BACKWARDS, backwards: a loop whose result depends on the order of its lanes shows up as a
// difference.
//
// A file is compiled for one precision: CU_DOUBLE 0 or 1 says which. On a GPU it is also compiled for one CU_WIDTH.
#pragma once

#include <math.h>
#include <stdint.h>

#ifndef CU_DOUBLE
#error "CU_DOUBLE must be 0 or 1"
#endif

#if CU_DOUBLE
typedef double Real;
#define CU_NAME(x)    x##_d
#define CU_MATH(name) name
#else
typedef float Real;
#define CU_NAME(x)    x##_f
#define CU_MATH(name) name##f
#endif

// 0: the kernels for models that have no solids and nothing else that is rare, and of which only the state is read.
// What is left out there would cost them registers, and thereby a tenth of their speed.
#ifndef CU_ALL
#define CU_ALL 1
#endif

// 1: the kernels for models that have solids. Those of most such models have nothing else that is rare.
#ifndef CU_SOLIDS
#define CU_SOLIDS CU_ALL
#endif

// 1: the kernels for models whose workspace is too large for a processor: it lies in the memory of the device. Matrices
// of such models are mostly zeros, which these kernels skip (far.h).
#ifndef CU_FAR
#define CU_FAR 0
#endif

// a condition on something rare
#define CU_HAS(x) (CU_ALL && (x))

// a number literal in the precision of the file
#define R_(x) ((Real)(x))

//---------------------------------- numbers ----------------------------------

#define cu_sqrt(x)     CU_MATH(sqrt)(x)
#define cu_abs(x)      CU_MATH(fabs)(x)
#define cu_pow(x, y)   CU_MATH(pow)(x, y)
#define cu_exp(x)      CU_MATH(exp)(x)
#define cu_sin(x)      CU_MATH(sin)(x)
#define cu_cos(x)      CU_MATH(cos)(x)
#define cu_atan2(y, x) CU_MATH(atan2)(y, x)
#define cu_asin(x)     CU_MATH(asin)(x)
#define cu_acos(x)     CU_MATH(acos)(x)
#define cu_floor(x)    CU_MATH(floor)(x)
#define cu_ceil(x)     CU_MATH(ceil)(x)
#define cu_min(x, y)   CU_MATH(fmin)((Real)(x), (Real)(y))
#define cu_max(x, y)   CU_MATH(fmax)((Real)(x), (Real)(y))

// what the engine takes for zero; in single precision the square of it must still be a number
#if CU_DOUBLE
#define CU_MINVAL 1e-15
#else
#define CU_MINVAL 1e-15f
#endif

//---------------------------------- lanes ----------------------------------

#ifdef __CUDACC__

#ifndef CU_WIDTH
#define CU_WIDTH 32
#endif
#define CU_FN    static __device__ __forceinline__
#define CU_CALL  static __device__ __noinline__
#define CU_CONST __device__ const

// this lane's number in its group, and the group's bits in the warp
CU_FN int cu_lane(void) {
  return (int)(threadIdx.x & (CU_WIDTH - 1));
}

CU_FN unsigned cu_group(void) {
#if CU_WIDTH == 32
  return 0xffffffffu;
#else
  return ((1u << CU_WIDTH) - 1) << (threadIdx.x & 31 & ~(CU_WIDTH - 1));
#endif
}

CU_FN void cu_sync(void) {
  __syncwarp(cu_group());
}

CU_FN Real cu_sum(Real x) {
  for (int k = CU_WIDTH / 2; k; k >>= 1) x += __shfl_xor_sync(cu_group(), x, k, CU_WIDTH);
  return x;
}

CU_FN int cu_sumInt(int x) {
  for (int k = CU_WIDTH / 2; k; k >>= 1) x += __shfl_xor_sync(cu_group(), x, k, CU_WIDTH);
  return x;
}

// 1: some lane has x
CU_FN int cu_any(int x) {
  return __any_sync(cu_group(), x) != 0;
}

// the lanes that have x, as bits, the first of them, and whether this lane is that
CU_FN unsigned cu_mask(int x) {
  return __ballot_sync(cu_group(), x) >> (threadIdx.x & 31 & ~(CU_WIDTH - 1));
}

CU_FN int cu_first(unsigned mask) {
  return __ffs((int)mask) - 1;
}

CU_FN int cu_isFirst(unsigned mask) {
  return cu_first(mask) == cu_lane();
}

// sum of x over the lanes before this one; total is that over all
CU_FN int cu_before(int x, int* total) {
  int sum = x;
  for (int k = 1; k < CU_WIDTH; k <<= 1) {
    const int left = __shfl_up_sync(cu_group(), sum, k, CU_WIDTH);
    if (cu_lane() >= k) sum += left;
  }
  *total = __shfl_sync(cu_group(), sum, CU_WIDTH - 1, CU_WIDTH);
  return sum - x;
}

// x of one lane, for all
CU_FN Real cu_from(Real x, int lane) {
  return __shfl_sync(cu_group(), x, lane, CU_WIDTH);
}

CU_FN int cu_fromInt(int x, int lane) {
  return __shfl_sync(cu_group(), x, lane, CU_WIDTH);
}

// how many lanes before this one have x; total: how many there are
CU_FN int cu_haveBefore(int x, int* total) {
  const unsigned mask = cu_mask(x);
  *total = __popc(mask);
  return __popc(mask & ((1u << cu_lane()) - 1));
}

// for all lanes: the least x, which is not negative, and the least rank of the lanes that have it. By its bits: those
// of numbers that are not negative have the same order.
CU_FN void cu_least(double* x, int* rank) {
  const unsigned high = (unsigned)__double2hiint(*x), low = (unsigned)__double2loint(*x), group = cu_group();
  const unsigned top = __reduce_min_sync(group, high);
  const unsigned rest = __reduce_min_sync(group, high == top ? low : ~0u);
  *rank = (int)__reduce_min_sync(group, high == top && low == rest ? (unsigned)*rank : ~0u);
  *x = __hiloint2double((int)top, (int)rest);
}

// the first lane that has the largest x
CU_FN int cu_mostOf(Real x) {
  Real most = x;
  for (int k = CU_WIDTH / 2; k; k >>= 1) most = cu_max(most, __shfl_xor_sync(cu_group(), most, k, CU_WIDTH));
  return cu_first(cu_mask(x == most));
}

CU_FN void cu_sincos(Real x, Real* s, Real* c) {
  CU_MATH(sincos)(x, s, c);
}

// four numbers at once from an address that is a multiple of four
CU_FN void cu_load4(Real r[4], const Real* p) {
#if CU_DOUBLE
  const double2 a = ((const double2*)p)[0], b = ((const double2*)p)[1];
  r[0] = a.x, r[1] = a.y, r[2] = b.x, r[3] = b.y;
#else
  const float4 a = *(const float4*)p;
  r[0] = a.x, r[1] = a.y, r[2] = a.z, r[3] = a.w;
#endif
}

// most loops go round once or twice: unrolled, they would only fill the instruction cache
#define CU_FOR(i, n) _Pragma("unroll 1") for (int i = cu_lane(), i##_end = (n); i < i##_end; i += CU_WIDTH)

// a loop that all lanes run through together and that shall stay one
#define CU_LOOP _Pragma("unroll 1")

// All groups of a block wait for each other, so that they run through the same code at about the same time and share
// what the instruction cache holds. Groups that have ended are not waited for.
CU_FN void cu_together(void) {
  __syncthreads();
}

#else

#define CU_WIDTH 1
#define CU_LOOP
#define CU_FN    static inline
#define CU_CALL  static inline
#define CU_CONST static const

CU_FN int cu_lane(void) {
  return 0;
}

CU_FN void cu_sync(void) {}

CU_FN void cu_together(void) {}

CU_FN Real cu_sum(Real x) {
  return x;
}

CU_FN int cu_sumInt(int x) {
  return x;
}

CU_FN int cu_any(int x) {
  return x != 0;
}

CU_FN unsigned cu_mask(int x) {
  return x != 0;
}

CU_FN int cu_first(unsigned mask) {
  (void)mask;
  return 0;
}

CU_FN int cu_isFirst(unsigned mask) {
  return mask != 0;
}

CU_FN int cu_before(int x, int* total) {
  *total = x;
  return 0;
}

CU_FN Real cu_from(Real x, int lane) {
  (void)lane;
  return x;
}

CU_FN int cu_fromInt(int x, int lane) {
  (void)lane;
  return x;
}

CU_FN int cu_haveBefore(int x, int* total) {
  *total = x;
  return 0;
}

CU_FN void cu_least(double* x, int* rank) {
  (void)x;
  (void)rank;
}

CU_FN int cu_mostOf(Real x) {
  (void)x;
  return 0;
}

CU_FN void cu_sincos(Real x, Real* s, Real* c) {
  *s = cu_sin(x);
  *c = cu_cos(x);
}

CU_FN void cu_load4(Real r[4], const Real* p) {
  for (int i = 0; i < 4; i++) r[i] = p[i];
}

#ifdef CU_BACKWARDS
#define CU_FOR(i, n) for (int i = (n)-1; i >= 0; i--)
#else
#define CU_FOR(i, n) for (int i = 0, i##_end = (n); i < i##_end; i++)
#endif

#endif

// every lane goes through the loop equally often, so that the body can call cu_before and cu_any; valid tells whether
// the lane has a thing
#define CU_FOR_ALL(i, valid, n)                                          \
  for (int i##_base = 0, i = cu_lane(), valid = i < (n); i##_base < (n); \
       i##_base += CU_WIDTH, i += CU_WIDTH, valid = i < (n))
