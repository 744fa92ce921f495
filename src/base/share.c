// Pieces of a step on the threads of a pool. See share.h.
#include "base/share.h"

#include <string.h>

#include "base/thread.h"

// parts per thread: more even out what takes longer, fewer cost less to hand over
enum { PARTS_PER_THREAD = 4 };

int bas_threads(const mjData* d) {
  return d->threadpool ? (int)mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool) + 1 : 1;
}

int bas_partsOfPool(const mjData* d, int n, int least) {
  const int threads = bas_threads(d);
  const int parts = n / least < PARTS_PER_THREAD * threads ? n / least : PARTS_PER_THREAD * threads;
  return parts > 1 ? parts : 1;
}

void bas_shareOnPool(mjData* d, const BasStackMark* mark, void (*run)(void* arg, int piece), void* arg, int n) {
  // inside a piece stacks are left as they are: the error ends that piece, too
  BasStackMark now;
  const int inside = bas_inPiece();
  if (!mark && !inside) bas_stackRemember(d, &now);
  char message[BAS_MESSAGE];
  const BasWork work = {.run = run, .arg = arg, .n = n};
  if (bas_runAll((mjThreadPool*)d->threadpool, &work, message) < 0) return;
  if (!inside) bas_stackPutBack(d, mark ? mark : &now);
  mju_error_raw(message);
}

//---------------------------------- copies ----------------------------------

// bytes that make a part worth a thread
enum { COPY_PART = 1 << 15 };

typedef struct {
  const BasCopy* copy;
  int n, nparts;
} Copies;

// one slice of every array
static void copyPart(void* arg, int piece) {
  const Copies* c = arg;
  for (int i = 0; i < c->n; i++) {
    const BasCopy* copy = c->copy + i;
    const size_t begin = copy->bytes / 64 * (size_t)piece / (size_t)c->nparts * 64;
    const size_t end = copy->bytes / 64 * ((size_t)piece + 1) / (size_t)c->nparts * 64;
    const size_t stop = piece + 1 < c->nparts ? end : copy->bytes;
    if (stop > begin) memcpy((char*)copy->to + begin, (const char*)copy->from + begin, stop - begin);
  }
}

void bas_copy(mjData* d, const BasCopy* copy, int n) {
  if (!d->threadpool) {
    for (int i = 0; i < n; i++) memcpy(copy[i].to, copy[i].from, copy[i].bytes);
    return;
  }
  size_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += copy[i].bytes;
  Copies c = {copy, n, bas_parts(d, (int)(bytes / 64), COPY_PART / 64)};
  bas_share(d, NULL, copyPart, &c, c.nparts);
}
