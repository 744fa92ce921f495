// From the spec to arrays of mjModel.
#pragma once

#include "compile/compile.h"

// n values, converted where the types differ
#define CMP_COPY(dest, source, n)                                                                   \
  do {                                                                                              \
    for (mjtSize k_ = 0; k_ < (mjtSize)(n); k_++) (dest)[k_] = (__typeof__((dest)[0]))(source)[k_]; \
  } while (0)

// user values of an element; what is missing stays zero
static inline void cmp_copyUser(mjtNum* dest, const SpcVec* user) {
  const double* const value = (const void*)user->begin;
  CMP_COPY(dest, value, spc_vecCount(user, sizeof(double)));
}
