// Contact columns for every machine, and the choice of the fastest.
#include "constraint/columns_impl.h"

ConColumnsFn con_columnsBase(void) {
  return columns;
}

ConColumnsFn con_columns(void) {
#if defined(__x86_64__)
  if (con_columnsV3() && __builtin_cpu_supports("avx2")) return con_columnsV3();
#endif
  return columns;
}
