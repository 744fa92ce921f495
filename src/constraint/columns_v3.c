// Contact columns for machines with AVX2.
#include "constraint/columns.h"

#if defined(__AVX2__)
#include "constraint/columns_impl.h"

ConColumnsFn con_columnsV3(void) {
  return columns;
}
#else
ConColumnsFn con_columnsV3(void) {
  return NULL;
}
#endif
