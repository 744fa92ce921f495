// The arena's arrays: where they are and how they go away.
#include "model/arena.h"

#include <limits.h>
#include <mujoco/mjxmacro.h>

#include "base/memory.h"
#include "base/stack.h"
#include "base/assert.h"

void mdl_shrinkArena(mjData* d) {
  const size_t end = (size_t)d->ncon * sizeof(mjContact);
  if (d->parena > end) bas_arenaPoison(d->arena, (char*)d->arena + end, d->parena - end);
  d->parena = end;
  BAS_ASSERT(end <= (size_t)d->narena);
}

void mdl_dropRows(mjData* d) {
  mdl_shrinkArena(d);
#define X(type, name, nr, nc) d->name = NULL;
  MJDATA_ARENA_POINTERS
#undef X
  d->contact = d->arena;
  d->nefc = 0;
  d->nisland = 0;
}

void mdl_resetRows(mjData* d) {
  mdl_dropRows(d);
  d->ne = d->nf = d->nl = d->nJ = d->nA = 0;
  d->nidof = 0;
  for (int i = 0; i < d->ncon; i++) d->contact[i].efc_address = -1;
}

int mdl_reserve(mjData* d, MdlPlaces* places) {
  const size_t end = places->at;
  BAS_ASSERT(places->arena == d->arena && places->start == d->parena && end >= places->start);
  if (mj_arenaAllocByte(d, end - places->start, 1)) {
    places->at = places->start;
    return 1;
  }

  // scratch is taken from the other end
  const size_t enough = end + d->pstack;
  mdl_resetRows(d);
  mj_warning(d, mjWARN_CNSTRFULL, enough > INT_MAX ? INT_MAX : (int)enough);
  return 0;
}
