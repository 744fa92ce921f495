// One switch for code that talks to the address sanitizer: BAS_ASAN is 1 when this build is instrumented.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define BAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BAS_ASAN 1
#endif
#endif
#ifndef BAS_ASAN
#define BAS_ASAN 0
#endif

#include <stddef.h>

// declared here: the sanitizer's own header and mjsan.h define the same macros
#if BAS_ASAN
void __asan_poison_memory_region(void const volatile* start, size_t bytes);
void __asan_unpoison_memory_region(void const volatile* start, size_t bytes);
int __asan_address_is_poisoned(void const volatile* address);
void* __asan_region_is_poisoned(void* start, size_t bytes);
#endif

// reading or writing these bytes is reported from now on
static inline void bas_poison(const void* start, size_t bytes) {
#if BAS_ASAN
  __asan_poison_memory_region(start, bytes);
#else
  (void)start, (void)bytes;
#endif
}

// these bytes are ordinary memory again
static inline void bas_unpoison(const void* start, size_t bytes) {
#if BAS_ASAN
  __asan_unpoison_memory_region(start, bytes);
#else
  (void)start, (void)bytes;
#endif
}
