// Kernels for x86-64-v4: the encodings and the 32 registers of AVX-512 with four lanes. Eight lanes were slower on the
// machine they were measured on (Zen 4): every second access crosses a cache line, and stores of 64 bytes wait for it.
// See body.h.
#if defined(__x86_64__)
#include <immintrin.h>

#define LANES           4
#define MTH_ENTRY(name) mth_##name##_v4
typedef __m256d Vec;

static inline double addVectors(Vec a, Vec b) {
  const Vec s = a + b;
  const __m128d t = _mm256_castpd256_pd128(s) + _mm256_extractf128_pd(s, 1);
  return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
}

#include "math/simd/body.h"

const MthKernels mth_kernelsV4 = MTH_TABLE("v4");
#else
typedef int MthNoKernelsV4;
#endif
