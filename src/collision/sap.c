// Sweep and prune. Boxes are met in the order of their lower ends along the axis, as floats, those of equal value in
// the order of their indices. A box that is met is compared with those that are open: met before, and not ended. One
// that ends where another starts has ended when its index is the lower one.
//
// The open boxes are kept in the order in which they were met, with one array per bound, and compared four at a time;
// the bounds on the other two axes are rounded outwards, so a pair may be reported that only nearly overlaps.
#include "collision/sap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "base/stack.h"
#include "math/vec.h"

enum { LANES = 4, COMPACT_EVERY = 16 };
typedef float Lane4 __attribute__((vector_size(16), aligned(4)));
typedef int Mask4 __attribute__((vector_size(16)));

// open boxes: the end along the axis, bounds on the other two
typedef struct {
  int n;
  int* index;
  float* end;
  float* low[2];
  float* high[2];
} Open;

static float roundDown(mjtNum x) {
  const float f = (float)x;
  return f - fabsf(f) * 2.5e-7f - 1e-30f;
}

static Open newOpen(mjData* d, int max) {
  const size_t stride = (size_t)max + LANES;
  Open open = {.n = 0, .index = mj_stackAllocInt(d, stride)};
  float* bound = mj_stackAllocByte(d, 5 * stride * sizeof(float), _Alignof(float));
  open.end = bound;
  for (size_t k = 0; k < 2; k++) {
    open.low[k] = bound + (1 + 2 * k) * stride;
    open.high[k] = bound + (2 + 2 * k) * stride;
  }
  return open;
}

static void addOpen(Open* open, const mjtNum* box, int index, int axis) {
  const int n = open->n++;
  open->index[n] = index;
  open->end[n] = (float)box[6 * index + axis + 3];
  for (int k = 0; k < 2; k++) {
    const int a = (axis + 1 + k) % 3;
    open->low[k][n] = roundDown(box[6 * index + a]);
    open->high[k][n] = -roundDown(-box[6 * index + a + 3]);
  }
}

static bool hasEnded(const Open* open, int i, float start, int index) {
  return open->end[i] < start || (open->end[i] == start && open->index[i] < index);
}

// drops the boxes that have ended, keeping the order of the others
static void compact(Open* open, float start, int index) {
  int n = 0;
  for (int i = 0; i < open->n; i++) {
    if (hasEnded(open, i, start, index)) continue;
    open->index[n] = open->index[i];
    open->end[n] = open->end[i];
    for (int k = 0; k < 2; k++) {
      open->low[k][n] = open->low[k][i];
      open->high[k][n] = open->high[k][i];
    }
    n++;
  }
  open->n = n;
}

static Lane4 load(const float* x) {
  return *(const Lane4*)x;
}

static Lane4 splat(float x) {
  return (Lane4){x, x, x, x};
}

// pairs of the open boxes with the last one, which has just been met
static void compare(ColSapPairs* out, const Open* open, float start, size_t most) {
  const int last = open->n - 1;
  const Lane4 begin = splat(start);
  Lane4 low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = splat(open->low[k][last]);
    high[k] = splat(open->high[k][last]);
  }
  for (int i = 0; i < last; i += LANES) {
    const Mask4 hit = (load(open->end + i) >= begin) & (load(open->low[0] + i) <= high[0]) &
                      (load(open->high[0] + i) >= low[0]) & (load(open->low[1] + i) <= high[1]) &
                      (load(open->high[1] + i) >= low[1]);
    long long word[2];
    memcpy(word, &hit, sizeof(word));
    if (!(word[0] | word[1])) continue;
    for (int k = 0; k < LANES && i + k < last && out->n < most; k++) {
      if (!hit[k] || hasEnded(open, i + k, start, open->index[last])) continue;
      out->pair[2 * out->n] = open->index[i + k];
      out->pair[2 * out->n + 1] = open->index[last];
      out->n++;
    }
  }
}

ColSapPairs col_sap(mjData* d, const mjtNum* box, int n, int axis, size_t most) {
  ColSapPairs out = {0, mj_stackAllocInt(d, 2 * most)};
  mj_markStack(d);
  BasKey* key = mj_stackAllocByte(d, (size_t)n * sizeof(BasKey), _Alignof(BasKey));
  for (int i = 0; i < n; i++) key[i] = (BasKey){bas_orderedBits((float)box[6 * i + axis]), i};
  BasKey* const other = mj_stackAllocByte(d, (size_t)n * sizeof(BasKey), _Alignof(BasKey));
  key = bas_sortKeys(key, other, mj_stackAllocInt(d, BAS_BUCKETS + 1), n);

  Open open = newOpen(d, n);
  for (int i = 0; i < n && out.n < most; i++) {
    const int index = key[i].index;
    const float start = (float)box[6 * index + axis];
    if (i % COMPACT_EVERY == 0) compact(&open, start, index);
    addOpen(&open, box, index, axis);
    compare(&out, &open, start, most);
  }
  mj_freeStack(d);
  return out;
}
