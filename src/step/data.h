// mjData as a memory object, for the compiler.
#pragma once

#include <mujoco/mujoco.h>

// gives an existing mjData the buffers of another model and resets it; the address of d stays
void stp_remakeData(const mjModel* m, mjData* d);
