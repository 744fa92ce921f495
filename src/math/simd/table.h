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
