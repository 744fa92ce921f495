// The kernel tables of this build; which ones this machine can run is decided in dispatch.c.
#pragma once

#include "math/simd/kernels.h"

extern const MthKernels mth_kernelsScalar;
