// Four numbers at a time on every target: one register where they are wide enough, two elsewhere. Operations are
// element by element, so the results are those of scalar code.
//
// Quads are not passed by value, because without wide registers that would be another calling convention: functions
// take addresses, and being inlined leave no trace of them.
#pragma once

#include "math/pair.h"

typedef mjtNum MthQuad __attribute__((vector_size(4 * sizeof(mjtNum)), aligned(sizeof(mjtNum))));

// the four numbers from an address on, to read or to write
#define MTH_QUAD(address)       (*(MthQuad*)(address))
#define MTH_CONST_QUAD(address) (*(const MthQuad*)(address))

#define MTH_ALWAYS_INLINE       inline __attribute__((always_inline))

// rows become columns
static MTH_ALWAYS_INLINE void mth_transpose4(MthQuad row[4]) {
  const MthQuad a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
  const MthQuad b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
  const MthQuad c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
  const MthQuad d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
  row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// the first and the second numbers of four pairs
static MTH_ALWAYS_INLINE void mth_transposePairs(MthQuad column[2], const mjtNum* const pair[4]) {
  const MthPair a = mth_load2(pair[0]), b = mth_load2(pair[1]), c = mth_load2(pair[2]), d = mth_load2(pair[3]);
  const MthQuad ac = __builtin_shufflevector(a, c, 0, 1, 2, 3), bd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
  column[0] = __builtin_shufflevector(ac, bd, 0, 4, 2, 6);
  column[1] = __builtin_shufflevector(ac, bd, 1, 5, 3, 7);
}

// Four vectors side by side, one per lane: number k of each becomes quad k. The vectors are loaded in pieces of four
// and two numbers.
static MTH_ALWAYS_INLINE void mth_lanes6(MthQuad res[6], const mjtNum* const vec[4]) {
  const mjtNum* const rest[4] = {vec[0] + 4, vec[1] + 4, vec[2] + 4, vec[3] + 4};
  for (int j = 0; j < 4; j++) res[j] = MTH_CONST_QUAD(vec[j]);
  mth_transpose4(res);
  mth_transposePairs(res + 4, rest);
}

static MTH_ALWAYS_INLINE void mth_lanes10(MthQuad res[10], const mjtNum* const vec[4]) {
  const mjtNum* const rest[4] = {vec[0] + 4, vec[1] + 4, vec[2] + 4, vec[3] + 4};
  for (int j = 0; j < 4; j++) res[j] = MTH_CONST_QUAD(vec[j]);
  mth_transpose4(res);
  mth_lanes6(res + 4, rest);
}

// vector j of those that lanes hold
static MTH_ALWAYS_INLINE void mth_storeLane6(mjtNum* res, const MthQuad turned[4], const MthQuad rest[2], int j) {
  MTH_QUAD(res) = turned[j];
  mth_store2(res + 4, rest[0][j], rest[1][j]);
}

// writes the first n numbers of a quad
static MTH_ALWAYS_INLINE void mth_storeFirst(mjtNum* res, const MthQuad* quad, int n) {
  if (n >= 4) {
    MTH_QUAD(res) = *quad;
    return;
  }
  if (n >= 2) mth_store2(res, (*quad)[0], (*quad)[1]);
  if (n == 1) res[0] = (*quad)[0];
  if (n == 3) res[2] = (*quad)[2];
}
