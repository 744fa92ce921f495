// The symmetric system of an integrator, in d->qH with the structure of M.
#pragma once

#include <mujoco/mujoco.h>

#include "sleep/sleep.h"

// x <- qH^-1 x over the given dofs; factors qH in place first unless skipfactor
void stp_solveSymmetric(const mjModel* m, mjData* d, mjtNum* x, SlpRange dofs, int skipfactor);
