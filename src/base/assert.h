// Invariants: what our own code promises to itself, written where one part hands over to another. They never guard
// input, which gets an error (base/error.h) instead: a program that breaks an invariant has found a bug of ours.
//
// Builds with NDEBUG, releases among them, contain nothing of it. In the others a broken invariant ends the program
// with its text and place.
//   BAS_ASSERT(condition)           one condition; has no effects of its own
//   BAS_CHECK(xxx_assertThing(…))   a function of many conditions, one per family: model, plans, rows, islands, …
#pragma once

#ifdef NDEBUG
#define BAS_DEBUG 0
#else
#define BAS_DEBUG 1
#endif

// gets to know of a broken invariant before the program ends; a test may leave by longjmp. NULL: nobody
typedef void (*BasAssertHandler)(const char* condition, const char* file, int line);
extern _Thread_local BasAssertHandler bas_assertHandler;

_Noreturn void bas_assertFailed(const char* condition, const char* file, int line);

#if BAS_DEBUG
#define BAS_ASSERT(condition) ((condition) ? (void)0 : bas_assertFailed(#condition, __FILE__, __LINE__))
#else
#define BAS_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#define BAS_CHECK(call)  \
  do {                   \
    if (BAS_DEBUG) call; \
  } while (0)

// 1: n numbers that increase strictly and lie in [low, high)
static inline int bas_isIncreasing(const int* list, int n, int low, int high) {
  for (int i = 0; i < n; i++) {
    if (list[i] < low || list[i] >= high) return 0;
    low = list[i] + 1;
  }
  return 1;
}

// 1: groups of the given sizes follow each other without gaps and end at total
static inline int bas_arePacked(const int* start, const int* size, int n, int total) {
  int end = 0;
  for (int i = 0; i < n; i++) {
    if (start[i] != end || size[i] < 0) return 0;
    end += size[i];
  }
  return end == total;
}

// 1: an address is a multiple of a power of two
static inline int bas_isAligned(const void* address, unsigned alignment) {
  return ((unsigned long)address & (alignment - 1)) == 0;
}
