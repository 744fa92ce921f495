// Finite differences beyond the public functions.
#pragma once

#include <mujoco/mujoco.h>

// mj_step without the stages before and including skip (mjtStage)
void too_stepSkip(const mjModel* m, mjData* d, int skip, int skipsensor);
