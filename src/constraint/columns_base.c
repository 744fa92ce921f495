// Contact columns for every machine, and the choice of the fastest: as the vector kernels of math/.
#include "constraint/columns_impl.h"
#include "math/simd/kernels.h"

ConColumnsFn con_columnsBase(void) {
  return columns;
}

ConColumnsFn con_columns(void) {
  // "v4", "v3", or a smaller one
  const char* name = mth_kernelName();
  const int wide = name[0] == 'v' && name[1] >= '3';
  return wide && con_columnsV3() ? con_columnsV3() : columns;
}
