// Numbers of several simulations side by side: lane i of a vector belongs to simulation i of a group.
//
// A file says by MTH_LANES how many there are, includes this and is compiled for instructions of that width (2 for the
// baseline, 4 for AVX2, 8 for AVX-512). Every operation is the scalar one in each lane, without fused multiply-adds, so
// a lane has the bits of scalar code that does the same in the same order. Where scalar code branches on numbers, lanes
// compute both and select.
#pragma once

#ifndef MTH_LANES
#error "MTH_LANES: the number of simulations side by side"
#endif

#include <math.h>
#include <stdint.h>
#if defined(__AVX__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#include <mujoco/mjtnum.h>

#include "math/elem.h"
#include "math/elem_tables.h"
#include "math/quad.h"

typedef mjtNum MthLane __attribute__((vector_size(MTH_LANES * sizeof(mjtNum))));
typedef int64_t MthMask __attribute__((vector_size(MTH_LANES * sizeof(int64_t))));  // a lane is all ones or zero

// all lanes as bits
#define MTH_ALL_LANES ((1u << MTH_LANES) - 1)

//---------------------------------- one instruction each ----------------------------------

static MTH_ALWAYS_INLINE MthLane mth_laneOf(mjtNum x) {
  return x - (MthLane){0};
}

static MTH_ALWAYS_INLINE MthMask mth_laneTrue(void) {
  return ~(MthMask){0};
}

static MTH_ALWAYS_INLINE unsigned mth_laneBits(MthMask mask) {
#if MTH_LANES == 8 && defined(__AVX512DQ__)
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif MTH_LANES == 4 && defined(__AVX__)
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif MTH_LANES == 2 && defined(__SSE2__)
  return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
  unsigned bits = 0;
  for (int i = 0; i < MTH_LANES; i++) bits |= (unsigned)(mask[i] & 1) << i;
  return bits;
#endif
}

// the lanes whose bits are set
static MTH_ALWAYS_INLINE MthMask mth_laneMask(unsigned bits) {
  MthMask mask;
  for (int i = 0; i < MTH_LANES; i++) mask[i] = -(int64_t)(bits >> i & 1);
  return mask;
}

// mask ? a : b
static MTH_ALWAYS_INLINE MthLane mth_laneSelect(MthMask mask, MthLane a, MthLane b) {
#if MTH_LANES == 8 && defined(__AVX512DQ__)
  return (MthLane)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)mask), (__m512d)b, (__m512d)a);
#elif MTH_LANES == 4 && defined(__AVX__)
  return (MthLane)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
  return (MthLane)((mask & (MthMask)a) | (~mask & (MthMask)b));
#endif
}

static MTH_ALWAYS_INLINE MthLane mth_laneSqrt(MthLane a) {
#if MTH_LANES == 8 && defined(__AVX512F__)
  return (MthLane)_mm512_sqrt_pd((__m512d)a);
#elif MTH_LANES == 4 && defined(__AVX__)
  return (MthLane)_mm256_sqrt_pd((__m256d)a);
#elif MTH_LANES == 2 && defined(__SSE2__)
  return (MthLane)_mm_sqrt_pd((__m128d)a);
#else
  for (int i = 0; i < MTH_LANES; i++) a[i] = sqrt(a[i]);
  return a;
#endif
}

static MTH_ALWAYS_INLINE MthLane mth_laneAbs(MthLane a) {
  return (MthLane)((MthMask)a & INT64_MAX);
}

// the opposite sign where the last bit of the mask's number is set
static MTH_ALWAYS_INLINE MthLane mth_laneFlip(MthLane a, MthMask odd) {
  return (MthLane)((MthMask)a ^ (-(odd & 1) & INT64_MIN));
}

static MTH_ALWAYS_INLINE MthLane mth_laneClip(MthLane x, mjtNum low, mjtNum high) {
  return mth_laneSelect((MthMask)(x < low), mth_laneOf(low), mth_laneSelect((MthMask)(x > high), mth_laneOf(high), x));
}

//---------------------------------- in and out ----------------------------------

// number k of MTH_LANES arrays
static MTH_ALWAYS_INLINE MthLane mth_laneGather(const mjtNum* const from[MTH_LANES], int k) {
#if MTH_LANES == 8
  return (MthLane){from[0][k], from[1][k], from[2][k], from[3][k], from[4][k], from[5][k], from[6][k], from[7][k]};
#elif MTH_LANES == 4
  return (MthLane){from[0][k], from[1][k], from[2][k], from[3][k]};
#else
  return (MthLane){from[0][k], from[1][k]};
#endif
}

// n numbers of one lane
static MTH_ALWAYS_INLINE void mth_laneTake(mjtNum* res, const MthLane* lanes, int n, int lane) {
  const mjtNum* const from = (const mjtNum*)lanes + lane;
  for (int k = 0; k < n; k++) res[k] = from[MTH_LANES * k];
}

static MTH_ALWAYS_INLINE void mth_lanePut(MthLane* lanes, const mjtNum* from, int n, int lane) {
  mjtNum* const to = (mjtNum*)lanes + lane;
  for (int k = 0; k < n; k++) to[MTH_LANES * k] = from[k];
}

//---------------------------------- small vectors ----------------------------------

static MTH_ALWAYS_INLINE void mth_laneCopy(MthLane* res, const MthLane* a, int n) {
  for (int k = 0; k < n; k++) res[k] = a[k];
}

static MTH_ALWAYS_INLINE MthLane mth_laneDot3(const MthLane a[3], const MthLane b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static MTH_ALWAYS_INLINE MthLane mth_laneDot4(const MthLane a[4], const MthLane b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static MTH_ALWAYS_INLINE MthLane mth_laneDot6(const MthLane a[6], const MthLane b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static MTH_ALWAYS_INLINE void mth_laneCross3(MthLane res[3], const MthLane a[3], const MthLane b[3]) {
  const MthLane x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}

// res = mat * vec, the vector the same in all lanes
static MTH_ALWAYS_INLINE void mth_laneTurn3(MthLane res[3], const MthLane mat[9], const mjtNum vec[3]) {
  for (int i = 0; i < 3; i++) res[i] = mat[3 * i] * vec[0] + mat[3 * i + 1] * vec[1] + mat[3 * i + 2] * vec[2];
}

// as mth_mulQuat
static MTH_ALWAYS_INLINE void mth_laneMulQuat(MthLane res[4], const MthLane a[4], const MthLane b[4]) {
  const MthLane w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const MthLane x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const MthLane y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const MthLane z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  res[0] = w;
  res[1] = x;
  res[2] = y;
  res[3] = z;
}

// the same with a quaternion of the model
static MTH_ALWAYS_INLINE void mth_laneMulQuatBy(MthLane res[4], const MthLane a[4], const mjtNum b[4]) {
  const MthLane wide[4] = {mth_laneOf(b[0]), mth_laneOf(b[1]), mth_laneOf(b[2]), mth_laneOf(b[3])};
  mth_laneMulQuat(res, a, wide);
}

// as mth_normalize4
static MTH_ALWAYS_INLINE void mth_laneNormalize4(MthLane a[4]) {
  const MthLane norm = mth_laneSqrt(mth_laneDot4(a, a));
  const MthMask tiny = (MthMask)(norm < mjMINVAL), off = (MthMask)(mth_laneAbs(norm - 1) > mjMINVAL);
  if (!mth_laneBits(tiny | off)) return;
  const MthLane inv = 1 / norm;
  for (int k = 0; k < 4; k++) {
    a[k] = mth_laneSelect(off, a[k] * inv, a[k]);
    a[k] = mth_laneSelect(tiny, mth_laneOf(k == 0), a[k]);
  }
}

// as mth_normalize3
static MTH_ALWAYS_INLINE MthLane mth_laneNormalize3(MthLane a[3]) {
  const MthLane norm = mth_laneSqrt(mth_laneDot3(a, a)), inv = 1 / norm;
  const MthMask tiny = (MthMask)(norm < mjMINVAL);
  for (int k = 0; k < 3; k++) a[k] = mth_laneSelect(tiny, mth_laneOf(k == 0), a[k] * inv);
  return norm;
}

// 1: exactly the identity, as mth_isUnitQuat
static MTH_ALWAYS_INLINE MthMask mth_laneIsUnit(const MthLane q[4]) {
  return (MthMask)(q[0] == 1) & (MthMask)(q[1] == 0) & (MthMask)(q[2] == 0) & (MthMask)(q[3] == 0);
}

//---------------------------------- sine and cosine ----------------------------------

// pi/4 rounded down: no reduction up to here
#define MTH_LANE_PIO4 0x1.921fb54442d18p-1

typedef struct {
  MthLane hi, lo;
} MthLaneDd;

// as mth_twoSum
static MTH_ALWAYS_INLINE MthLaneDd mth_laneTwoSum(MthLane a, MthLane b) {
  const MthLane s = a + b, v = s - a;
  return (MthLaneDd){s, (a - (s - v)) + (b - v)};
}

// the polynomials of trig.c in z = r^2
static MTH_ALWAYS_INLINE MthLane mth_laneSinPoly(MthLane z, MthLane z2) {
  const MthLane low = SIN_POLY[1] + z * SIN_POLY[2], mid = SIN_POLY[3] + z * SIN_POLY[4];
  return SIN_POLY[0] + z * (low + z2 * (mid + z2 * (SIN_POLY[5] + z * SIN_POLY[6])));
}

static MTH_ALWAYS_INLINE MthLane mth_laneCosPoly(MthLane z, MthLane z2) {
  const MthLane low = COS_POLY[1] + z * COS_POLY[2], mid = COS_POLY[3] + z * COS_POLY[4];
  return COS_POLY[0] + z * (low + z2 * (mid + z2 * (COS_POLY[5] + z * COS_POLY[6])));
}

// arguments up to pi/4, as sincosPair of trig.c
static MTH_ALWAYS_INLINE void mth_laneSincosSmall(MthLane r, MthLane* s, MthLane* c) {
  const MthLane z = r * r, z2 = z * z, half = 0.5 * z, w = 1 - half;
  *s = r + r * z * mth_laneSinPoly(z, z2);
  *c = w + (((1 - w) - half) + z * z * mth_laneCosPoly(z, z2));
}

// as mth_sincos: below 2^20 in lanes, the others one by one
static inline void mth_laneSincos(MthLane x, MthLane* s, MthLane* c) {
  const MthLane ax = mth_laneAbs(x), shifted = x * TWO_PI_INV + 0x1.8p52, k = shifted - 0x1.8p52;
  const MthLaneDd t = mth_laneTwoSum(x - k * PIO2_1, -(k * PIO2_2));
  const MthLaneDd r = mth_laneTwoSum(t.hi, t.lo - k * PIO2_3);
  const MthLane z = r.hi * r.hi, z2 = z * z, half = 0.5 * z, w = 1 - half;
  const MthLane sine = r.hi + (r.hi * z * mth_laneSinPoly(z, z2) + r.lo * (1 - 0.5 * z));
  const MthLane cr = w + (((1 - w) - half) + (z * z * mth_laneCosPoly(z, z2) - r.hi * r.lo));
  const MthLane sr = mth_laneSelect((MthMask)(ax < 0x1p-27), x, sine);

  // quadrants: the low bits of the number that was shifted
  const MthMask quadrant = (MthMask)shifted, odd = -(quadrant & 1);
  *s = mth_laneFlip(mth_laneSelect(odd, cr, sr), quadrant >> 1);
  *c = mth_laneFlip(mth_laneSelect(odd, sr, cr), (quadrant + 1) >> 1);

  const MthMask easy =
      (MthMask)(ax <= MTH_LANE_PIO4) | ((MthMask)(ax < 0x1p20) & (MthMask)(mth_laneAbs(r.hi) > 0x1p-28));
  unsigned hard = ~mth_laneBits(easy) & MTH_ALL_LANES;
  for (; hard; hard &= hard - 1) {
    const int lane = __builtin_ctz(hard);
    mjtNum sv, cv;
    mth_sincos(x[lane], &sv, &cv);
    (*s)[lane] = sv;
    (*c)[lane] = cv;
  }
}

// two arguments as mth_sincosN takes them: without reduction only if both are small, which gives zero no sign
static MTH_ALWAYS_INLINE void mth_laneSincos2(const MthLane x[2], MthLane s[2], MthLane c[2]) {
  const MthMask both = (MthMask)(mth_laneAbs(x[0]) <= MTH_LANE_PIO4) & (MthMask)(mth_laneAbs(x[1]) <= MTH_LANE_PIO4);
  const int small = mth_laneBits(both) == MTH_ALL_LANES;
  for (int k = 0; k < 2; k++) {
    if (small) {
      mth_laneSincosSmall(x[k], s + k, c + k);
    } else {
      mth_laneSincos(x[k], s + k, c + k);
      s[k] = mth_laneSelect(both, s[k] + 0.0, s[k]);
    }
  }
}

// quat <- quat * exp(vel * scale), as mth_quatIntegrate
static inline void mth_laneQuatIntegrate(MthLane quat[4], const MthLane vel[3], mjtNum scale) {
  MthLane axis[3] = {vel[0], vel[1], vel[2]}, turn[4], s, c;
  const MthLane angle = scale * mth_laneNormalize3(axis);
  const MthMask still = (MthMask)(angle == 0);
  mth_laneSincos(angle * 0.5, &s, &c);
  turn[0] = mth_laneSelect(still, mth_laneOf(1), c);
  for (int k = 0; k < 3; k++) turn[k + 1] = mth_laneSelect(still, mth_laneOf(0), axis[k] * s);
  mth_laneNormalize4(quat);
  mth_laneMulQuat(quat, quat, turn);
}
