// Chooses the kernels for this machine once, when the library is loaded. See kernels.h.
#include "math/simd/table.h"

MthKernels mth_kernel;

// best first
static const MthKernels* const tables[] = {&mth_kernelsScalar};

enum { NTABLE = sizeof(tables) / sizeof(tables[0]) };

// 1: this machine can run the table
static int runnable(const MthKernels* table) {
  (void)table;
  return 1;
}

// Runs before main and before the constructors of programs that use the library.
__attribute__((constructor)) static void choose(void) {
  for (int i = 0; i < NTABLE; i++) {
    if (runnable(tables[i])) {
      mth_kernel = *tables[i];
      return;
    }
  }
}

const char* mth_kernelName(void) {
  return mth_kernel.name;
}

int mth_kernelSelect(const char* name) {
  for (int i = 0; i < NTABLE; i++) {
    if (!strcmp(tables[i]->name, name) && runnable(tables[i])) {
      mth_kernel = *tables[i];
      return 1;
    }
  }
  return 0;
}
