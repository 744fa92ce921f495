// The passes of dynamics that exist a second time, compiled for x86-64-v3.
#pragma once

#include "dynamics/ldl.h"
#include "math/simd/kernels.h"

#if defined(__x86_64__)
#define DYN_V3

void dyn_inertiaPassV3(const mjModel* m, mjData* d);
void dyn_factorPassV3(const mjModel* m, mjtNum* mat, mjtNum* diaginv, SlpRange dofs);
void dyn_velocityPassV3(const mjModel* m, mjData* d);
void dyn_rnePassV3(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);
#endif
