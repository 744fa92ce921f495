// Pieces of a step on the threads of a pool. See share.h.
#include "base/share.h"

#include "base/thread.h"

// parts per thread: more even out what takes longer, fewer cost less to hand over
enum { PARTS_PER_THREAD = 4 };

int bas_threads(const mjData* d) {
  return d->threadpool ? (int)mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool) + 1 : 1;
}

int bas_parts(const mjData* d, int n, int least) {
  const int threads = bas_threads(d);
  if (threads == 1) return 1;
  const int parts = n / least < PARTS_PER_THREAD * threads ? n / least : PARTS_PER_THREAD * threads;
  return parts > 1 ? parts : 1;
}

void bas_share(mjData* d, const BasStackMark* mark, void (*run)(void* arg, int piece), void* arg, int n) {
  if (!d->threadpool || n < 2) {
    for (int i = 0; i < n; i++) run(arg, i);
    return;
  }
  BasStackMark now;
  if (!mark) bas_stackRemember(d, &now);
  char message[BAS_MESSAGE];
  const BasWork work = {.run = run, .arg = arg, .n = n};
  if (bas_runAll((mjThreadPool*)d->threadpool, &work, message) < 0) return;
  bas_stackPutBack(d, mark ? mark : &now);
  mju_error_raw(message);
}
