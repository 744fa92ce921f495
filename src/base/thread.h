// Threads of the library: what mjData's memory needs to know about the pool bound to it, and the one way in which work
// is shared among threads.
#pragma once

#include <mujoco/mujoco.h>

#include "base/error.h"

// threads that work for the pool, not counting the one that owns it
MJAPI size_t mju_threadPoolNumberOfThreads(mjThreadPool* pool);

// 1 … n on the pool's workers, 0 on every other thread
MJAPI size_t mju_threadPoolCurrentWorkerId(mjThreadPool* pool);

// the lock that arena allocations of concurrent workers take; held only inside mj_arenaAllocByte
MJAPI void mju_threadPoolLockAllocMutex(mjThreadPool* pool);
MJAPI void mju_threadPoolUnlockAllocMutex(mjThreadPool* pool);

// a pool of up to so many threads: fewer where the system refuses more, NULL where none could be started
mjThreadPool* bas_poolUpTo(size_t number_of_threads);

// work in n pieces that share nothing they write
typedef struct {
  void (*run)(void* arg, int piece);
  void* arg;
  int n;
} BasWork;

// Does all pieces, on the calling thread and on whichever workers of the pool (NULL: none) are free, first come first
// served, and returns when every one has ended. An error ends its piece only; nothing is raised here. Returns -1, or
// the first piece that failed, with its message: the caller puts its things in order and raises it. A piece may have
// work in pieces itself: threads that find nothing left outside help with it.
int bas_runAll(mjThreadPool* pool, const BasWork* work, char message[BAS_MESSAGE]);

// 1: the calling thread is in a piece
int bas_inPiece(void);
