// Chooses the kernels for this machine once, when the library is loaded. See kernels.h.
#include <sinew/sinew.h>

#include "math/simd/table.h"

MthKernels mth_kernel;

// best first
static const MthKernels* const TABLES[] = {
#if defined(__x86_64__)
    &mth_kernelsV4, &mth_kernelsV3, &mth_kernelsV2,
#elif defined(__aarch64__)
    &mth_kernelsNeon,
#elif defined(__wasm_simd128__)
    &mth_kernelsWasm,
#endif
    &mth_kernelsScalar};

enum { NTABLE = sizeof(TABLES) / sizeof(TABLES[0]) };

// 1: this machine can run the table; the features are those the files are compiled for
static int runnable(const MthKernels* table) {
#if defined(__x86_64__)
  if (table == &mth_kernelsV3) return __builtin_cpu_supports("avx2") != 0;
  if (table == &mth_kernelsV4) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
#endif
  (void)table;
  return 1;
}

// before main, and early among constructors because those of programs may compute
__attribute__((constructor(101))) static void choose(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
  int i = 0;
  while (!runnable(TABLES[i])) i++;
  mth_kernel = *TABLES[i];
}

const char* mth_kernelName(void) {
  return mth_kernel.name;
}

const char* sn_kernels(void) {
  return mth_kernel.name;
}

int mth_kernelSelect(const char* name) {
  for (int i = 0; i < NTABLE; i++) {
    if (!strcmp(TABLES[i]->name, name) && runnable(TABLES[i])) {
      mth_kernel = *TABLES[i];
      return 1;
    }
  }
  return 0;
}
