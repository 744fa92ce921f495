// Kernels for the x86-64 baseline: SSE2, two lanes. See body.h.
#if defined(__x86_64__)
#include <emmintrin.h>

#define LANES           2
#define MTH_ENTRY(name) mth_##name##_v2
typedef __m128d Vec;

static inline double addVectors(Vec a, Vec b, Vec c, Vec d) {
  const Vec s = (a + c) + (b + d);
  return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

#include "math/simd/body.h"

const MthKernels mth_kernelsV2 = MTH_TABLE("v2");
#else
typedef int MthNoKernelsV2;
#endif
