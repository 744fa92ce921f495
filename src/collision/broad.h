// Broad phase: which pairs of bodies and flexes may touch.
#pragma once

#include <mujoco/mujoco.h>

// a pair of bodyflexes a < b as one number; pairs are listed in the order of these numbers
static inline unsigned col_signature(int a, int b) {
  return a < b ? ((unsigned)a << 16) + (unsigned)b : ((unsigned)b << 16) + (unsigned)a;
}

// Pairs that the rest of the driver has to look at, ascending; one may come twice. The array is on mjData's stack: the
// caller opens and closes the frame.
typedef struct {
  int n;
  unsigned* pair;
} ColPairs;

ColPairs col_broad(const mjModel* m, mjData* d);
