// Broad phase: which pairs of bodies and flexes may touch.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

// a signature holds two ids of 16 bits
#define COL_MAX_IDS 65536

// a pair of bodyflexes a < b as one number; pairs are listed in the order of these numbers
static inline unsigned col_signature(int a, int b) {
  return a < b ? ((unsigned)a << 16) + (unsigned)b : ((unsigned)b << 16) + (unsigned)a;
}

// Pairs that the rest of the driver has to look at, ascending; one may come twice. The array is on mjData's stack: the
// caller opens and closes the frame.
typedef struct {
  int n;
  unsigned* pair;
  int nworld;        // the first so many are with the world
  uint16_t* ground;  // for each of these: which of the world's geoms may be met, as bits; NULL when it has too many
} ColPairs;

// geoms of a far-reaching body that are looked at one by one; with more the mid phase is quicker
enum { COL_GROUND_GEOMS = 16 };

// invariants of the list (base/assert.h)
void col_assertPairs(const mjModel* m, const ColPairs* pairs);

ColPairs col_broad(const mjModel* m, mjData* d);
