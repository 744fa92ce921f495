// What the memory of mjData needs to know about the thread pool bound to it.
#pragma once

#include <mujoco/mujoco.h>

// threads that work for the pool, not counting the one that owns it
MJAPI size_t mju_threadPoolNumberOfThreads(mjThreadPool* pool);

// 1 … n on the pool's workers, 0 on every other thread
MJAPI size_t mju_threadPoolCurrentWorkerId(mjThreadPool* pool);

// the lock that arena allocations of concurrent workers take; held only inside mj_arenaAllocByte
MJAPI void mju_threadPoolLockAllocMutex(mjThreadPool* pool);
MJAPI void mju_threadPoolUnlockAllocMutex(mjThreadPool* pool);
