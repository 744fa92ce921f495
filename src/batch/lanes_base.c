// Two simulations side by side: registers that every machine has.

#define MTH_LANES 2
#include "batch/lanes_impl.h"

const BatLanes bat_lanesBase = {MTH_LANES, bytes, start, stepTask, take};
