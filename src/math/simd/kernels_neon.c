// Kernels for 64-bit ARM: NEON, two lanes. See body.h.
#if defined(__aarch64__)
#include <arm_neon.h>

#define LANES           2
#define MTH_ENTRY(name) mth_##name##_neon
typedef float64x2_t Vec;

static inline double addVectors(Vec a, Vec b, Vec c, Vec d) {
  const Vec s = (a + c) + (b + d);
  return vgetq_lane_f64(s, 0) + vgetq_lane_f64(s, 1);
}

#include "math/simd/body.h"

const MthKernels mth_kernelsNeon = MTH_TABLE("neon");
#else
typedef int MthNoKernelsNeon;
#endif
