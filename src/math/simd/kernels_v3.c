// Kernels for x86-64-v3: AVX2, four lanes. See body.h.
#if defined(__x86_64__)
#include <immintrin.h>

#define LANES           4
#define MTH_ENTRY(name) mth_##name##_v3
typedef __m256d Vec;

static inline double addVectors(Vec a, Vec b) {
  const Vec s = a + b;
  const __m128d t = _mm256_castpd256_pd128(s) + _mm256_extractf128_pd(s, 1);
  return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
}

#include "math/simd/body.h"

const MthKernels mth_kernelsV3 = MTH_TABLE("v3");
#else
typedef int MthNoKernelsV3;
#endif
