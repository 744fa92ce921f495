// Choice of the solver kernels for this machine.
#include "solver/kernels.h"

// 1: this machine runs the instructions
static int hasV4(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return 0;
#endif
}

static int hasV3(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return 0;
#endif
}

const SolKernels* sol_kernels(void) {
  if (sol_kernelsV4() && hasV4()) return sol_kernelsV4();
  if (sol_kernelsV3() && hasV3()) return sol_kernelsV3();
  return sol_kernelsBase();
}
