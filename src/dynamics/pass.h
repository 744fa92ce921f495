// The passes of dynamics that exist a second time, compiled for x86-64-v3.
#pragma once

#include "dynamics/ldl.h"
#include "math/simd/kernels.h"

// a product of the form M vec
typedef struct {
  const mjtNum* vec;
  mjtNum* res;
} DynProduct;

#if defined(__x86_64__)
#define DYN_V3

void dyn_inertiaPassV3(const mjModel* m, mjData* d);
void dyn_factorPassV3(const mjModel* m, mjData* d, const mjtNum* mat, DynFactor res, SlpRange dofs);
void dyn_solvePassV3(const mjModel* m, const mjData* d, DynFactor f, mjtNum* x, SlpRange dofs);
void dyn_mulPassV3(const mjModel* m, const mjData* d, const mjtNum* mat, DynProduct product);
void dyn_velocityPassV3(const mjModel* m, mjData* d);
void dyn_rnePassV3(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);
#endif
