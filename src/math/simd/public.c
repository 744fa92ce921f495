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

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(SANITIZED)

// runs before relocations are complete: touches nothing but the processor
static inline int level(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return 2;
  const int v4 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return v4 ? 4 : 3;
}

#define BIND(name)                                                                                \
  __attribute__((used, no_stack_protector)) static __typeof__(&mju_##name) resolve_##name(void) { \
    const int isa = level();                                                                      \
    return isa == 4 ? mth_##name##_v4 : isa == 3 ? mth_##name##_v3 : mth_##name##_v2;             \
  }                                                                                               \
  __typeof__(mju_##name) mju_##name __attribute__((ifunc("resolve_" #name)));

BIND(dot)
BIND(norm)
BIND(fill)
BIND(scl)
BIND(add)
BIND(sub)
BIND(addTo)
BIND(subFrom)
BIND(addToScl)
BIND(addScl)
BIND(mulMatVec)

#else

mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  return mth_dot(vec1, vec2, n);
}

mjtNum mju_norm(const mjtNum* res, int n) {
  return mth_norm(res, n);
}

void mju_fill(mjtNum* res, mjtNum val, int n) {
  mth_fill(res, val, n);
}

void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  mth_scl(res, vec, scl, n);
}

void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  mth_add(res, vec1, vec2, n);
}

void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  mth_sub(res, vec1, vec2, n);
}

void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  mth_addTo(res, vec, n);
}

void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  mth_subFrom(res, vec, n);
}

void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  mth_addToScl(res, vec, scl, n);
}

void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  mth_addScl(res, vec1, vec2, scl, n);
}

void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_mulMatVec(res, mat, vec, nr, nc);
}

#endif
