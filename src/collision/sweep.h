// World-aligned boxes of bodies and flexes, and the pairs of them that overlap.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

#include "collision/filter.h"

// what the pair tests read of a bodyflex
typedef struct {
  int id;
  int weld;        // body that it is welded to, -1 for a flex
  int weldParent;  // the same of that body's parent, -2 for a flex
  ColBits bits;
} ColEntry;

// Boxes with one array per bound, so that several are compared at once. They are floats, rounded outwards: what
// overlaps as doubles overlaps here.
typedef struct {
  int n;
  ColEntry* entry;
  float* low[3];
  float* high[3];
} ColBoxes;

// growing list of pairs
typedef struct {
  unsigned* pair;
  size_t n, max;
} ColList;

// room for `max` boxes on mjData's stack
ColBoxes col_newBoxes(mjData* d, int max);

// adds a box; one that is not ordered (NaN) becomes one that meets everything
void col_addBox(ColBoxes* boxes, const ColEntry* entry, const mjtNum low[3], const mjtNum high[3]);

// adds the pair of two bodyflexes to the list
void col_addPair(ColList* list, int a, int b);

// pairs of overlapping boxes that may collide: two active ones, or an active and a passive one
void col_sweep(const mjModel* m, mjData* d, ColList* list, ColBoxes* active, ColBoxes* passive);
