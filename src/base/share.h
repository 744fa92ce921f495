// Work of one step in pieces, shared among the threads of the pool that is bound to an mjData.
#pragma once

#include <mujoco/mujoco.h>

#include "base/stack.h"

// threads that take pieces, the calling one among them; 1: no pool is bound
int bas_threads(const mjData* d);

// Does run(arg, piece) for pieces 0 to n - 1, which share nothing that they write, and returns when all have ended. A
// piece has the stack of the thread that it runs on; what it leaves there stays until the caller puts the stacks back.
// An error ends its piece; when all have ended the stacks are put back to `mark` (NULL: to where they were) and the
// error of the first piece that failed is raised here. A piece may share work itself; then its pieces leave nothing on
// the stacks.
void bas_shareOnPool(mjData* d, const BasStackMark* mark, void (*run)(void* arg, int piece), void* arg, int n);

// A piece that is part of its caller where there is no pool: as functions of their own, pieces took three percent more
// instructions of a pendulum's step.
#define BAS_DIRECT inline __attribute__((always_inline))

static BAS_DIRECT void bas_share(mjData* d, const BasStackMark* mark, void (*run)(void* arg, int piece), void* arg,
                                 int n) {
  if (d->threadpool && n > 1) {
    bas_shareOnPool(d, mark, run, arg, n);
    return;
  }
  for (int i = 0; i < n; i++) run(arg, i);
}

// copies arrays that do not overlap, on the threads when they are large
typedef struct {
  void* to;
  const void* from;
  size_t bytes;
} BasCopy;

void bas_copy(mjData* d, const BasCopy* copy, int n);

// part `piece` of `n` items in `pieces` parts: from begin to end
typedef struct {
  int begin, end;
} BasPart;

static inline BasPart bas_part(int n, int pieces, int piece) {
  if (pieces == 1) return (BasPart){0, n};
  return (BasPart){(int)((long long)n * piece / pieces), (int)((long long)n * (piece + 1) / pieces)};
}

// the same for a pool that is bound
int bas_partsOfPool(const mjData* d, int n, int least);

// into how many parts to cut n items of which `least` make a part worth handing over; 1: none
static inline int bas_parts(const mjData* d, int n, int least) {
  return d->threadpool ? bas_partsOfPool(d, n, least) : 1;
}
