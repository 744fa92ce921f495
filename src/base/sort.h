// Sorts of arrays of structs, without a call per comparison and without the heap. All of them are for orders in which
// no two items are equal (a number of the item decides at last), so that the result does not depend on the way to it.
//
//   BAS_SORT          shell sort: in place, for lists of a few to a few thousand
//   BAS_SORT_NEARLY   insertion while the order is nearly right, else merge sort with a buffer: coherent orders
//   bas_sortKeys      radix sort by 32 bits, stable: large arrays in no order
//
// before(a, b) is a function or macro: 1 when a comes before b.
#pragma once

#include <stdint.h>
#include <string.h>

#define BAS_SORT(Type, item, n, before)                                              \
  do {                                                                               \
    for (int gap_ = (n) / 2; gap_ > 0; gap_ = gap_ > 2 ? gap_ * 5 / 11 : gap_ - 1) { \
      for (int i_ = gap_; i_ < (n); i_++) {                                          \
        const Type moving_ = (item)[i_];                                             \
        int j_ = i_;                                                                 \
        for (; j_ >= gap_ && before(moving_, (item)[j_ - gap_]); j_ -= gap_) {       \
          (item)[j_] = (item)[j_ - gap_];                                            \
        }                                                                            \
        (item)[j_] = moving_;                                                        \
      }                                                                              \
    }                                                                                \
  } while (0)

// Defines name(item, n), which returns 1, or 0 when the order was too far from right: then name##Merge(item, buffer, n)
// sorts what it has left, with a buffer of n items.
#define BAS_SORT_NEARLY(name, Type, before)                                                   \
  static int name(Type* item, int n) {                                                        \
    int budget = 16 * n + 64;                                                                 \
    for (int i = 1; i < n; i++) {                                                             \
      const Type moving = item[i];                                                            \
      int j = i;                                                                              \
      for (; j > 0 && before(moving, item[j - 1]); j--) item[j] = item[j - 1];                \
      item[j] = moving;                                                                       \
      budget -= i - j;                                                                        \
      if (budget < 0) return 0;                                                               \
    }                                                                                         \
    return 1;                                                                                 \
  }                                                                                           \
                                                                                              \
  static void name##Merge(Type* item, Type* buffer, int n) {                                  \
    Type *from = item, *to = buffer;                                                          \
    for (int width = 1; width < n; width *= 2) {                                              \
      for (int start = 0; start < n; start += 2 * width) {                                    \
        const int mid = start + width < n ? start + width : n;                                \
        const int end = start + 2 * width < n ? start + 2 * width : n;                        \
        for (int i = start, j = mid, k = start; k < end; k++) {                               \
          to[k] = i < mid && (j >= end || !before(from[j], from[i])) ? from[i++] : from[j++]; \
        }                                                                                     \
      }                                                                                       \
      Type* const swap = from;                                                                \
      from = to;                                                                              \
      to = swap;                                                                              \
    }                                                                                         \
    if (from != item) memcpy(item, from, (size_t)n * sizeof(Type));                           \
  }

// the bits of a float in an order that unsigned numbers have too, with the item that they belong to
typedef struct {
  uint32_t bits;
  int index;
} BasKey;

enum { BAS_DIGIT = 11, BAS_BUCKETS = 1 << BAS_DIGIT };

static inline uint32_t bas_orderedBits(float x) {
  // both zeros are one value
  x += 0.0f;
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

// three passes between key and other; returns the one that holds the result. count: BAS_BUCKETS + 1
static inline BasKey* bas_sortKeys(BasKey* key, BasKey* other, int* count, int n) {
  for (int shift = 0; shift < 32; shift += BAS_DIGIT) {
    memset(count, 0, (BAS_BUCKETS + 1) * sizeof(int));
    for (int i = 0; i < n; i++) count[((key[i].bits >> shift) & (BAS_BUCKETS - 1)) + 1]++;
    for (int i = 0; i < BAS_BUCKETS; i++) count[i + 1] += count[i];
    for (int i = 0; i < n; i++) other[count[(key[i].bits >> shift) & (BAS_BUCKETS - 1)]++] = key[i];
    BasKey* const swap = key;
    key = other;
    other = swap;
  }
  return key;
}
