// From the spec to arrays of mjModel.
#pragma once

#include <string.h>

#include "compile/compile.h"

// n values, converted where the types differ
#define CMP_COPY(dest, source, n)                                                       \
  do {                                                                                  \
    __typeof__(&(dest)[0]) const to_ = (dest);                                          \
    __typeof__(&(source)[0]) const from_ = (source);                                    \
    const mjtSize n_ = (mjtSize)(n);                                                    \
    if (__builtin_types_compatible_p(__typeof__((dest)[0]), __typeof__((source)[0]))) { \
      if (n_ > 0) memcpy(to_, from_, sizeof(*to_) * (size_t)n_);                        \
    } else {                                                                            \
      for (mjtSize k_ = 0; k_ < n_; k_++) to_[k_] = (__typeof__((dest)[0]))from_[k_];   \
    }                                                                                   \
  } while (0)

// user values of an element; what is missing stays zero
static inline void cmp_copyUser(mjtNum* dest, const SpcVec* user) {
  const double* const value = (const void*)user->begin;
  CMP_COPY(dest, value, spc_vecCount(user, sizeof(double)));
}
