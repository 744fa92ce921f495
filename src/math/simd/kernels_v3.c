// Kernels for x86-64-v3: AVX2, four lanes. See body.h.
#if defined(__x86_64__)
#include "math/simd/avx.h"

#define MTH_ENTRY(name) mth_##name##_v3

#include "math/simd/body.h"

const MthKernels mth_kernelsV3 = MTH_TABLE("v3");
#else
typedef int MthNoKernelsV3;
#endif
