// Kernels for WebAssembly with 128-bit vectors, two lanes. See body.h.
#if defined(__wasm_simd128__)

#define LANES           2
#define MTH_ENTRY(name) mth_##name##_wasm
typedef double Vec __attribute__((vector_size(16)));

static inline double addVectors(Vec a, Vec b, Vec c, Vec d) {
  const Vec s = (a + c) + (b + d);
  return s[0] + s[1];
}

#include "math/simd/body.h"

const MthKernels mth_kernelsWasm = MTH_TABLE("simd128");
#else
typedef int MthNoKernelsWasm;
#endif
