// The passes of dynamics that exist a second time, compiled for x86-64-v3.
#pragma once

#include "dynamics/ldl.h"
#include "math/simd/kernels.h"
#include "sleep/parts.h"

// a product of the form M vec
typedef struct {
  const mjtNum* vec;
  mjtNum* res;
} DynProduct;

// factors a matrix; work has room for the rows of the largest tree
typedef struct {
  const mjtNum* mat;
  DynFactor res;
  mjtNum* work;
} DynFactorPass;

// acceleration and force of one body, which are always moved in pieces of four and two numbers: a load that straddles
// earlier stores would have to wait for them
typedef struct {
  mjtNum acc[6];
  mjtNum frc[6];
} DynBodyRne;

// inverse dynamics
typedef struct {
  DynBodyRne* body;  // (nbody) the world's acceleration is there
  int accelerate;    // 0: as if all accelerations were zero
  mjtNum* result;
} DynRne;

#if defined(__x86_64__)
#define DYN_V3

void dyn_inertiaPassV3(const mjModel* m, mjData* d, const SlpPart* part);
void dyn_factorPassV3(const mjModel* m, mjData* d, const DynFactorPass* pass, const SlpRange* dofs);
void dyn_solvePassV3(const mjModel* m, const mjData* d, DynFactor f, mjtNum* x, const SlpRange* dofs);
void dyn_mulPassV3(const mjModel* m, const mjData* d, const mjtNum* mat, DynProduct product);
void dyn_velocityPassV3(const mjModel* m, mjData* d, const SlpRange* bodies);
void dyn_rnePassV3(const mjModel* m, mjData* d, const DynRne* pass, const SlpRange* bodies);
#endif
