// The passes of kinematics that exist a second time, compiled for x86-64-v3.
#pragma once

#include <mujoco/mujoco.h>

#include "math/simd/kernels.h"
#include "sleep/sleep.h"

#if defined(__x86_64__)
#define KIN_V3

void kin_posesV3(const mjModel* m, mjData* d, const SlpRange* bodies, int sleep);
void kin_centersV3(const mjModel* m, mjData* d, const SlpRange* bodies, mjtNum* roots);
#endif
