// As many numbers at a time as the registers of the target hold, two or four. Operations are element by element, so the
// results are those of scalar code whatever the width.
#pragma once

#include "math/pair.h"

#if defined(__AVX__)
#define MTH_LANES 4
#else
#define MTH_LANES 2
#endif

typedef mjtNum MthLanes __attribute__((vector_size(MTH_LANES * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
