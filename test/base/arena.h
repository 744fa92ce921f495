// An mjData with an arena and nothing else.
#pragma once

#include <mujoco/mujoco.h>
#include <stdlib.h>

#include "base/memory.h"

static inline mjData* arenaMake(size_t bytes) {
  mjData* const d = calloc(1, sizeof(mjData));
  d->narena = (mjtSize)bytes;
  d->arena = bas_arenaReserve(bytes);
  return d;
}

static inline void arenaFree(mjData* d) {
  bas_arenaRelease(d->arena);
  free(d);
}
