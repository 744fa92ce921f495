// Public functions that are kernels themselves. Where the loader can do it (ELF indirect functions), the public name is
// bound to the implementation for this machine when the library is loaded, so that a call costs what it costs without a
// choice; elsewhere, and under sanitizers, which do not survive code that runs that early, they go through the kernel
// table.
#include <mujoco/mujoco.h>

#include "math/simd/table.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

// other C libraries than GNU's do not bind them
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(SANITIZED)

// runs before relocations are complete: touches nothing but the processor, and counts nothing in a build that makes a
// profile
#define EARLY __attribute__((no_stack_protector, no_profile_instrument_function))
EARLY static inline int level(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return 2;
  const int v4 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return v4 ? 4 : 3;
}

#define BIND(result, name, parameters, arguments)                                     \
  EARLY __attribute__((used)) static __typeof__(&mju_##name) resolve_##name(void) {   \
    const int isa = level();                                                          \
    return isa == 4 ? mth_##name##_v4 : isa == 3 ? mth_##name##_v3 : mth_##name##_v2; \
  }                                                                                   \
  __typeof__(mju_##name) mju_##name __attribute__((ifunc("resolve_" #name)));

#else

#define BIND(result, name, parameters, arguments) \
  result mju_##name parameters {                  \
    return mth_kernel.name arguments;             \
  }

#endif

MTH_EACH_PUBLIC(BIND)
