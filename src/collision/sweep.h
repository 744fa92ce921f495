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

static inline ColEntry col_entryOf(const mjModel* m, int body) {
  const int weld = m->body_weldid[body];
  return (ColEntry){body, weld, m->body_weldid[m->body_parentid[weld]], col_bits(m, body)};
}

// filters that need no geometry: the same rigid body, parent and child, collision bits
static inline bool col_mayMeet(const ColEntry* a, const ColEntry* b, bool filterParent) {
  if (!col_bitsMatch(a->bits, b->bits)) return false;
  if (a->weld == b->weld && a->weld >= 0) return false;
  const bool parent = a->weld == b->weldParent || b->weld == a->weldParent;
  return !(filterParent && a->weld > 0 && b->weld > 0 && parent);
}

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

// boxes that make a part worth a thread
enum { COL_PART = 64 };

// the places of boxes from one on, as a list of their own; and what it has found, moved behind the boxes that are there
ColBoxes col_boxesFrom(const ColBoxes* boxes, int first);
void col_moveBoxes(ColBoxes* boxes, int from, int n);

// adds a box; one that is not ordered (NaN) becomes one that meets everything
void col_addBox(ColBoxes* boxes, const ColEntry* entry, const mjtNum low[3], const mjtNum high[3]);

// raises the error of a list that is full
void col_tooManyPairs(const ColList* list);

// adds the pair of two bodyflexes to the list
void col_addPair(ColList* list, int a, int b);

// pairs of overlapping boxes that may collide: two active ones, or an active and a passive one
void col_sweep(const mjModel* m, mjData* d, ColList* list, ColBoxes* active, ColBoxes* passive);
