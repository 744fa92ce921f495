// Kernels for x86-64-v4: the encodings and the 32 registers of AVX-512 with four lanes. Eight lanes were slower on the
// machine they were measured on (Zen 4): every second access crosses a cache line, and stores of 64 bytes wait for it.
// See body.h.
#if defined(__x86_64__)
#include "math/simd/avx.h"

#define MTH_ENTRY(name) mth_##name##_v4

// the last r of eight lanes
#define MTH_HAS_TAIL
typedef __mmask8 Tail;
static inline Tail tail(unsigned long r) {
  return (Tail)(0xff00 >> r);
}
static inline Vec inTail(Tail t, Vec v, int first) {
  return _mm256_maskz_mov_pd((Tail)(t >> first), v);
}

#include "math/simd/body.h"

const MthKernels mth_kernelsV4 = MTH_TABLE("v4");
#else
typedef int MthNoKernelsV4;
#endif
