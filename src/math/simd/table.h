// The kernel tables of this build; which of them this machine can run is decided in dispatch.c.
#pragma once

#include "math/simd/kernels.h"

extern const MthKernels mth_kernelsScalar;
#if defined(__x86_64__)
extern const MthKernels mth_kernelsV2;
extern const MthKernels mth_kernelsV3;
extern const MthKernels mth_kernelsV4;
#elif defined(__aarch64__)
extern const MthKernels mth_kernelsNeon;
#endif

// The entries of the public functions in one instruction set.
#define MTH_ENTRIES(isa)                                                                 \
  mjtNum mth_dot_##isa(const mjtNum* a, const mjtNum* b, int n);                         \
  mjtNum mth_norm_##isa(const mjtNum* a, int n);                                         \
  void mth_fill_##isa(mjtNum* res, mjtNum s, int n);                                     \
  void mth_scl_##isa(mjtNum* res, const mjtNum* a, mjtNum s, int n);                     \
  void mth_add_##isa(mjtNum* res, const mjtNum* a, const mjtNum* b, int n);              \
  void mth_sub_##isa(mjtNum* res, const mjtNum* a, const mjtNum* b, int n);              \
  void mth_addTo_##isa(mjtNum* res, const mjtNum* a, int n);                             \
  void mth_subFrom_##isa(mjtNum* res, const mjtNum* a, int n);                           \
  void mth_addToScl_##isa(mjtNum* res, const mjtNum* a, mjtNum s, int n);                \
  void mth_addScl_##isa(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum s, int n); \
  void mth_mulMatVec_##isa(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);
#if defined(__x86_64__)
MTH_ENTRIES(v2)
MTH_ENTRIES(v3)
MTH_ENTRIES(v4)
#elif defined(__aarch64__)
MTH_ENTRIES(neon)
#endif
