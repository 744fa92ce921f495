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
#elif defined(__wasm_simd128__)
extern const MthKernels mth_kernelsWasm;
#endif

// the kernels themselves: mth_dot_v3 ...
#define MTH_DECLARE(result, name, parameters, isa)      result mth_##name##_##isa parameters;
#define MTH_SCALAR(result, name, parameters, arguments) MTH_DECLARE(result, name, parameters, scalar)
MTH_EACH_PUBLIC(MTH_SCALAR)
MTH_EACH_INTERNAL(MTH_SCALAR)
#undef MTH_SCALAR
#if defined(__x86_64__)
#define MTH_X86(result, name, parameters, arguments) \
  MTH_DECLARE(result, name, parameters, v2)          \
  MTH_DECLARE(result, name, parameters, v3)          \
  MTH_DECLARE(result, name, parameters, v4)
MTH_EACH_PUBLIC(MTH_X86)
MTH_EACH_INTERNAL(MTH_X86)
#undef MTH_X86
#elif defined(__aarch64__)
#define MTH_ARM(result, name, parameters, arguments) MTH_DECLARE(result, name, parameters, neon)
MTH_EACH_PUBLIC(MTH_ARM)
MTH_EACH_INTERNAL(MTH_ARM)
#undef MTH_ARM
#elif defined(__wasm_simd128__)
#define MTH_WASM(result, name, parameters, arguments) MTH_DECLARE(result, name, parameters, wasm)
MTH_EACH_PUBLIC(MTH_WASM)
MTH_EACH_INTERNAL(MTH_WASM)
#undef MTH_WASM
#endif
#undef MTH_DECLARE

// the table of a file that defines MTH_ENTRY(name), its name for each kernel
#define MTH_ROW(result, name, parameters, arguments) MTH_ENTRY(name),
#define MTH_TABLE(isa) \
  { isa, MTH_EACH_PUBLIC(MTH_ROW) MTH_EACH_INTERNAL(MTH_ROW) }
