// Sweep and prune over the boxes of many small things, with the order of the pairs that it finds being part of the
// result.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

// n pairs of indices, on mjData's stack
typedef struct {
  size_t n;
  int* pair;
} ColSapPairs;

// Pairs of boxes (low[3], high[3]) that overlap up to the rounding of floats, swept along an axis, at most `most`. They
// come in the order in which the second one is met, those of one box in the order in which the first ones were met.
ColSapPairs col_sap(mjData* d, const mjtNum* box, int n, int axis, size_t most);
