// The memory of mjData that lives in d->arena, drawn as it lies there:
//
//     arena                                                       arena + narena
//     | arena arrays -> |          free          | <- scratch stack |
//     0               parena                narena - pstack      narena
//
// Arena arrays (contacts, constraint rows) last until the next step clears them. Scratch lasts until its frame
// is released: mj_markStack opens a frame, mj_freeStack drops everything allocated since. d->pbase is the address
// of the open frame's record, 0 when there is none.
//
// With a thread pool bound (d->threadpool), the upper half of the arena is cut into equal shards, one for the
// calling thread and one per worker, each a stack of its own; d->pstack and d->pbase then rest.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

// the same as mj_markStack and mj_freeStack, under the names that instrumented user code calls
MJAPI void mj__markStack(mjData* d);
MJAPI void mj__freeStack(mjData* d);

// bytes for an arena array, NULL when it does not fit between the arrays and the stack; alignment > 0
MJAPI void* mj_arenaAllocByte(mjData* d, size_t bytes, size_t alignment);

// bytes that one more allocation on the calling thread's stack could have, alignment aside
MJAPI size_t mj_stackBytesAvailable(mjData* d);

// mj_stackAllocByte that names its caller when there is no room
MJAPI void* mj_stackAllocInfo(mjData* d, size_t bytes, size_t alignment, const char* caller, int line);

// Cut the stack into shards for d->threadpool's workers and the calling thread, whose open frames (d->pstack, d->pbase)
// stay valid. For binding a pool, and for resetting an mjData that has one.
void bas_shardStack(mjData* d);

// how full the stacks of all threads of an mjData are
typedef struct {
  size_t pstack, pbase;  // of the whole
  size_t nshard;         // 0: no pool is bound
  struct {
    uintptr_t top, base;
  } shard[mjMAXTHREAD + 1];
} BasStackMark;

// Remember the stacks before work that an error may end, and put them back after it did. No other thread may be using
// them; between the two calls no pool is bound.
void bas_stackRemember(const mjData* d, BasStackMark* mark);
void bas_stackPutBack(mjData* d, const BasStackMark* mark);
