// Sweep and prune. Ends of boxes are sorted along the axis as floats; a box is compared with those that are open when
// it starts. Ends of equal value keep the order of their boxes, a box's start before its end.
#include "collision/sap.h"

#include <stdbool.h>
#include <string.h>

#include "base/stack.h"
#include "math/vec.h"

// one end of a box: twice its index, plus one for the upper end
typedef struct {
  float value;
  int end;
} End;

static bool endBefore(End a, End b) {
  return a.value < b.value || (a.value == b.value && a.end < b.end);
}

static void sortEnds(End* end, End* buffer, int n) {
  End *from = end, *to = buffer;
  for (int width = 1; width < n; width *= 2) {
    for (int start = 0; start < n; start += 2 * width) {
      const int mid = mth_minInt(start + width, n), stop = mth_minInt(start + 2 * width, n);
      for (int i = start, j = mid, k = start; k < stop; k++) {
        to[k] = i < mid && (j >= stop || !endBefore(from[j], from[i])) ? from[i++] : from[j++];
      }
    }
    End* swap = from;
    from = to;
    to = swap;
  }
  if (from != end) memcpy(end, from, (size_t)n * sizeof(End));
}

static inline bool overlap(const mjtNum* a, const mjtNum* b, int axis) {
  return a[axis] <= b[axis + 3] && b[axis] <= a[axis + 3];
}

ColSapPairs col_sap(mjData* d, const mjtNum* box, int n, int axis, size_t most) {
  ColSapPairs out = {0, mj_stackAllocInt(d, 2 * most)};
  mj_markStack(d);
  End* end = mj_stackAllocByte(d, 2 * (size_t)n * sizeof(End), _Alignof(End));
  End* buffer = mj_stackAllocByte(d, 2 * (size_t)n * sizeof(End), _Alignof(End));
  int* open = mj_stackAllocInt(d, (size_t)n);
  for (int i = 0; i < 2 * n; i++) end[i] = (End){(float)box[6 * (i / 2) + axis + 3 * (i % 2)], i};
  sortEnds(end, buffer, 2 * n);

  const int axis1 = axis == 0 ? 1 : 0, axis2 = axis == 2 ? 1 : 2;
  int nopen = 0;
  for (int i = 0; i < 2 * n && out.n < most; i++) {
    const int b = end[i].end / 2;

    // a box ends: close the gap
    if (end[i].end % 2) {
      int k = 0;
      while (k < nopen && open[k] != b) k++;
      if (k == nopen) continue;
      memmove(open + k, open + k + 1, (size_t)(--nopen - k) * sizeof(int));
      continue;
    }

    // a box starts: compare with the open ones on the other two axes
    for (int k = 0; k < nopen && out.n < most; k++) {
      const mjtNum *box1 = box + 6 * open[k], *box2 = box + 6 * b;
      if (!overlap(box1, box2, axis1) || !overlap(box1, box2, axis2)) continue;
      out.pair[2 * out.n] = open[k];
      out.pair[2 * out.n + 1] = b;
      out.n++;
    }
    open[nopen++] = b;
  }
  mj_freeStack(d);
  return out;
}
