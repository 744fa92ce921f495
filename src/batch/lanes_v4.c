// Eight simulations side by side: x86-64-v4.
#if defined(__x86_64__)
#define MTH_LANES 8
#include "batch/lanes_impl.h"

const BatLanes bat_lanesV4 = {MTH_LANES, bytes, start, stepTask, take};
#endif
