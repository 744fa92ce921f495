// The same batch twice, on the CPU and on a GPU (or the kernels compiled as C): both are led along the CPU's
// trajectory and compared field by field.
#pragma once

#include <sinew/batch.h>

enum { TWIN_N = 2 };  // simulations

typedef struct {
  const mjModel* m;
  snBatch *cpu, *gpu;
} Twin;

// what is compared: fields with their bounds, after mj_forward and after a step
typedef struct {
  const char* const* fields;  // up to NULL: bound by the first comparison
  mjtNum smooth, solved;  // largest differences relative to the largest number: of these fields, of qacc and the state
} TwinBounds;

// options of both batches besides the device; real: SN_FLOAT32 or SN_FLOAT64 of the GPU's
Twin twin_open(const mjModel* m, snType real, int backwards, const snBatchOptions* options);
void twin_close(Twin* t);

// all numbers of a field over simulations, on the CPU (gpu 0) or on the device; freed by the caller
mjtNum* twin_read(Twin* t, int gpu, const char* name, int* n);

// fails the test where a field differs; step is named
void twin_compare(Twin* t, const char* name, mjtNum bound, int step);

// gives the device the state and inputs of the CPU
void twin_copyState(Twin* t);

// random controls and forces, forward, compare, step, compare; nstep times (tst_steps)
void twin_follow(Twin* t, const TwinBounds* bounds, int nstep);
