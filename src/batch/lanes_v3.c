// Four simulations side by side: x86-64-v3.
#if defined(__x86_64__)
#define MTH_LANES 4
#include "batch/lanes_impl.h"

const BatLanes bat_lanesV3 = {MTH_LANES, bytes, start, stepTask, take};
#endif
