// A group of arena arrays (a list of mjxmacro.h) in one allocation: a first walk over the list adds up what they need,
// a second gives each its part.
//
//   ConPlaces places = con_places(d);
//   #define X(type, name, nr, nc) CON_PLACE(&places, type, nr, nc);
//   LIST
//   #undef X
//   if (!con_reserve(d, &places)) return 0;
//   #define X(type, name, nr, nc) d->name = CON_PLACE(&places, type, nr, nc);
//   LIST
#pragma once

#include <mujoco/mujoco.h>

typedef struct {
  char* arena;
  size_t start, at;  // where the group begins, where its next array goes
} ConPlaces;

static inline ConPlaces con_places(const mjData* d) {
  return (ConPlaces){d->arena, d->parena, d->parena};
}

// the next array of the group; alignments are powers of two
static inline void* con_place(ConPlaces* p, size_t bytes, size_t alignment) {
  const size_t begin = (p->at + alignment - 1) & ~(alignment - 1);
  p->at = begin + bytes;
  return p->arena + begin;
}

#define CON_PLACE(places, type, nr, nc) con_place(places, sizeof(type) * (size_t)(nr) * (nc), _Alignof(type))

// takes the memory that the first walk asked for and goes back to the beginning; 0 when it is not there: then there are
// no rows, and a warning with the bytes that would have been enough
int con_reserve(mjData* d, ConPlaces* places);
