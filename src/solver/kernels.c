// Choice of the solver kernels: the same instruction set as the vector kernels of math/.
#include "solver/kernels.h"

#include "math/simd/kernels.h"

const SolKernels* sol_kernels(void) {
  // "v4", "v3", or a smaller one
  const char* name = mth_kernelName();
  const int level = name[0] == 'v' ? name[1] - '0' : 0;
  if (level >= 4 && sol_kernelsV4()) return sol_kernelsV4();
  if (level >= 3 && sol_kernelsV3()) return sol_kernelsV3();
  return sol_kernelsBase();
}
