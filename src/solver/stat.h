// Statistics of solver iterations.
#pragma once

#include <mujoco/mujoco.h>

typedef mjSolverStat SolStat;

// keeps the numbers of one iteration, where there is room; island -1: the only one
static inline void sol_saveStat(mjData* d, int island, int iter, const SolStat* stat) {
  if (island >= mjNISLAND || iter >= mjNSOLVER) return;
  d->solver[(island < 0 ? 0 : island) * mjNSOLVER + iter] = *stat;
}
