// Support for address sanitizer: poisoning of memory, and scratch frames that remember who opened
// them.
//
// mujoco.h includes it. Without ADDRESS_SANITIZER the macros do nothing, and mj_markStack and
// mj_freeStack are plain functions.

#ifndef MUJOCO_INCLUDE_MJSAN_H_
#define MUJOCO_INCLUDE_MJSAN_H_

#include <mujoco/mjdata.h>

// mark memory as forbidden, or allowed again
#ifdef ADDRESS_SANITIZER
  #include <sanitizer/asan_interface.h>
#elif defined(_MSC_VER)
  #define ASAN_POISON_MEMORY_REGION(addr, size)
  #define ASAN_UNPOISON_MEMORY_REGION(addr, size)
#else
  #define ASAN_POISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
  #define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#ifdef ADDRESS_SANITIZER
// mj_markStack and mj_freeStack must become part of their caller, so that the library sees whether
// both are called from the same function
#ifdef __cplusplus
extern "C" {
#endif

void mj__markStack(mjData*) __attribute__((noinline));
static inline void mj_markStack(mjData* d) __attribute__((always_inline)) {
  asm volatile("" ::: "memory");
  mj__markStack(d);
  asm volatile("" ::: "memory");
}

void mj__freeStack(mjData*) __attribute__((noinline));
static inline void mj_freeStack(mjData* d) __attribute__((always_inline)) {
  asm volatile("" ::: "memory");
  mj__freeStack(d);
  asm volatile("" ::: "memory");
}

#ifdef __cplusplus
}
#endif
#endif

#endif
