// Fewer contacts of a pair: the deepest, and those that are spread most.
//
// mjModel says where in the numeric entry sinew:contacts:geoms: for each geom how many contacts a pair with it may
// have, 0 for as many as there are.
#pragma once

#include <mujoco/mujoco.h>

#include "collision/continuous.h"

// where two shapes touch
typedef struct {
  mjtNum pos[3], normal[3], dist;
} ColTouch;

// Indices of at most `most` of n <= COL_TOUCHES touches: the deepest, then always the one that differs most from those
// before, by place and by normal; size is that of the smaller shape. What is at the place of one that was taken is left
// out. Returns how many.
enum { COL_TOUCHES = 256 };
int col_spread(const ColTouch* touch, int n, int most, mjtNum size, int* index);

// 1: a geom of the model limits its contacts
static inline int col_hasReduce(const mjModel* m, const mjData* d) {
  col_hasContinuous(m, d);
  return ((const ColContinuous*)mdl_section(d, MDL_CONTINUOUS))->reduce >= 0;
}

// Leaves as many of the n contacts of two geoms, the lower type first, as these allow; of a height field those that
// belong to its surface. Returns how many.
int col_reduce(const mjModel* m, const mjData* d, mjContact* con, int n, int g1, int g2);
