// Solver kernels for every machine.
#include "solver/kernels_impl.h"

const SolKernels* sol_kernelsBase(void) {
  return &KERNELS;
}
