// Kernels for x86-64-v4: AVX-512, eight lanes. See body.h.
#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8
typedef __m512d Vec;

static inline double addVectors(const Vec acc[1]) {
  const __m256d s = _mm512_castpd512_pd256(acc[0]) + _mm512_extractf64x4_pd(acc[0], 1);
  const __m128d t = _mm256_castpd256_pd128(s) + _mm256_extractf128_pd(s, 1);
  return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
}

#include "math/simd/body.h"

const MthKernels mth_kernelsV4 = MTH_TABLE("v4");
#else
typedef int MthNoKernelsV4;
#endif
