// Solver kernels for machines with AVX-512.
#include "solver/kernels.h"

#if defined(__AVX512F__)
#include "solver/kernels_impl.h"

const SolKernels* sol_kernelsV4(void) {
  return &KERNELS;
}
#else
const SolKernels* sol_kernelsV4(void) {
  return 0;
}
#endif
