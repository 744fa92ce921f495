// Ring buffers of past samples; the layout is in history.h.
//
// Cubic reads are Hermite segments with Catmull-Rom slopes m_i = (v_{i+1} - v_{i-1}) / (t_{i+1} - t_{i-1}), zero at
// the two ends of the buffer.
#include "model/history.h"

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

// names for the parts of one buffer; newest is the slot that the cursor means
typedef struct {
  mjtNum* cursor;
  int newest;
  mjtNum* time;
  mjtNum* value;
  int n;
  int dim;
} Ring;

static Ring openRing(mjtNum* buf, int n, int dim) {
  // the cursor is part of the state, so users may have put any number there
  const int newest = buf[1] >= 0 && buf[1] < n ? (int)buf[1] : n - 1;
  return (Ring){.cursor = buf + 1, .newest = newest, .time = buf + 2, .value = buf + 2 + n, .n = n, .dim = dim};
}

// slot of a logical index
static int slotOf(const Ring* ring, int logical) {
  return (ring->newest + 1 + logical) % ring->n;
}

static mjtNum timeAt(const Ring* ring, int logical) {
  return ring->time[slotOf(ring, logical)];
}

static mjtNum* valueAt(const Ring* ring, int logical) {
  return ring->value + slotOf(ring, logical) * ring->dim;
}

// smallest logical index whose time is not before t; n when t is after the newest sample
static int lowerBound(const Ring* ring, mjtNum t) {
  int low = 0, high = ring->n;
  while (low < high) {
    const int mid = low + (high - low) / 2;
    if (timeAt(ring, mid) < t) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

void mdl_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values, mjtNum user) {
  const Ring ring = openRing(buf, n, dim);

  // samples must be in order of time: reads search by bisection
  const mjtNum* ordered = times ? times : ring.time;
  for (int i = 1; i < n; i++) {
    if (ordered[i - 1] >= ordered[i]) {
      mju_error("mju_historyInit: times must be strictly increasing, got times[%d]=%g >= times[%d]=%g", i - 1,
                ordered[i - 1], i, ordered[i]);
      return;
    }
  }

  buf[0] = user;
  *ring.cursor = n - 1;
  if (times) memcpy(ring.time, times, sizeof(mjtNum) * (size_t)n);
  if (values) {
    memcpy(ring.value, values, sizeof(mjtNum) * (size_t)n * (size_t)dim);
  } else {
    memset(ring.value, 0, sizeof(mjtNum) * (size_t)n * (size_t)dim);
  }
}

mjtNum* mdl_historyInsert(mjtNum* buf, int n, int dim, mjtNum t) {
  Ring ring = openRing(buf, n, dim);
  const int at = lowerBound(&ring, t);

  // same time as a stored sample: overwrite it
  if (at < n && fabs(t - timeAt(&ring, at)) < mjMINVAL) return valueAt(&ring, at);

  // newest so far, the usual case: the oldest slot becomes the newest
  if (at == n) {
    ring.newest = slotOf(&ring, 0);
    *ring.cursor = ring.newest;
    ring.time[ring.newest] = t;
    return valueAt(&ring, n - 1);
  }

  // in between: drop the oldest and close the gap; older than all: replace the oldest
  const int target = at > 0 ? at - 1 : 0;
  for (int i = 0; i < target; i++) {
    ring.time[slotOf(&ring, i)] = timeAt(&ring, i + 1);
    memcpy(valueAt(&ring, i), valueAt(&ring, i + 1), sizeof(mjtNum) * (size_t)dim);
  }
  ring.time[slotOf(&ring, target)] = t;
  return valueAt(&ring, target);
}

// slope of component k at a logical index, zero at the ends of the buffer
static mjtNum slopeAt(const Ring* ring, int logical, int k) {
  if (logical <= 0 || logical >= ring->n - 1) return 0;
  return (valueAt(ring, logical + 1)[k] - valueAt(ring, logical - 1)[k]) /
         (timeAt(ring, logical + 1) - timeAt(ring, logical - 1));
}

const mjtNum* mdl_historyRead(const mjtNum* buf, int n, int dim, mjtNum* result, mjtNum t, int interp) {
  const Ring ring = openRing((mjtNum*)buf, n, dim);

  // outside the span: the first or the last sample
  if (t <= timeAt(&ring, 0) + mjMINVAL) return valueAt(&ring, 0);
  if (t >= timeAt(&ring, n - 1) - mjMINVAL) return valueAt(&ring, n - 1);

  // on a sample, or holding the previous one
  const int hi = lowerBound(&ring, t);
  if (fabs(t - timeAt(&ring, hi)) < mjMINVAL) return valueAt(&ring, hi);
  const int lo = hi - 1;
  if (interp == 0) return valueAt(&ring, lo);

  // between two samples
  const mjtNum* v0 = valueAt(&ring, lo);
  const mjtNum* v1 = valueAt(&ring, hi);
  const mjtNum span = timeAt(&ring, hi) - timeAt(&ring, lo);
  const mjtNum s = (t - timeAt(&ring, lo)) / span;
  for (int k = 0; k < dim; k++) {
    if (interp == 1) {
      result[k] = v0[k] + s * (v1[k] - v0[k]);
    } else {
      const mjtNum ss = s * s, sss = ss * s;
      result[k] = (2 * sss - 3 * ss + 1) * v0[k] + (sss - 2 * ss + s) * span * slopeAt(&ring, lo, k) +
                  (3 * ss - 2 * sss) * v1[k] + (sss - ss) * span * slopeAt(&ring, hi, k);
    }
  }
  return NULL;
}
