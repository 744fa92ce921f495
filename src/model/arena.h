// What lies in the arena: contacts first, without gaps, then the arrays of constraint rows and islands.
//
// A group of arena arrays (a list of mjxmacro.h) in one allocation: a first walk over the list adds up what they need,
// a second gives each its part.
//
//   MdlPlaces places = mdl_places(d);
//   #define X(type, name, nr, nc) MDL_PLACE(&places, type, nr, nc);
//   LIST
//   #undef X
//   if (!mdl_reserve(d, &places)) return 0;
//   #define X(type, name, nr, nc) d->name = MDL_PLACE(&places, type, nr, nc);
//   LIST
#pragma once

#include <mujoco/mujoco.h>

#include "base/assert.h"

typedef struct {
  char* arena;
  size_t start, at;  // where the group begins, where its next array goes
} MdlPlaces;

static inline MdlPlaces mdl_places(const mjData* d) {
  return (MdlPlaces){d->arena, d->parena, d->parena};
}

// the next array of the group; alignments are powers of two
static inline void* mdl_place(MdlPlaces* p, size_t bytes, size_t alignment) {
  BAS_ASSERT(alignment && (alignment & (alignment - 1)) == 0);
  const size_t begin = (p->at + alignment - 1) & ~(alignment - 1);
  BAS_ASSERT(begin >= p->start);
  p->at = begin + bytes;
  return p->arena + begin;
}

#define MDL_PLACE(places, type, nr, nc) mdl_place(places, sizeof(type) * (size_t)(nr) * (nc), _Alignof(type))

// takes the memory that the first walk asked for and goes back to the beginning; 0 when it is not there: then there are
// no rows, and a warning with the bytes that would have been enough
int mdl_reserve(mjData* d, MdlPlaces* places);

// the arena ends behind the contacts again
void mdl_shrinkArena(mjData* d);

// forgets the arrays of rows and islands, so that only the contacts remain in the arena
void mdl_dropRows(mjData* d);

// the same, with every count of rows zero and the contacts without rows
void mdl_resetRows(mjData* d);
