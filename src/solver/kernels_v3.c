// Solver kernels for machines with AVX2.
#include "solver/kernels.h"

#if defined(__AVX2__)
#include "solver/kernels_impl.h"

const SolKernels* sol_kernelsV3(void) {
  return &KERNELS;
}
#else
const SolKernels* sol_kernelsV3(void) {
  return 0;
}
#endif
