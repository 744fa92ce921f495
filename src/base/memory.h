// Heap blocks beyond mju_malloc/mju_free: the reservation that holds an mjData's arena.
#pragma once

#include <stddef.h>

// every block starts on a multiple of this many bytes: a cache line and the widest vector register
#define BAS_ALIGN 64

// mju_malloc that raises nothing: NULL where there is no memory, for callers that have to clean up before they raise
void* bas_tryMalloc(size_t size);

// 1: bas_arenaReserve hands out address space that costs nothing until touched, so asking for much is free.
// 0: the user installed memory hooks and every byte asked for is allocated through them.
int bas_arenaReservable(void);

// Memory of this many bytes for an arena, 64-byte aligned and with unspecified content. Pages are committed when first
// touched; a reservation that was released before may come back with some of its pages. Where the user installed memory
// hooks, or address space cannot be reserved, it is an ordinary block. NULL when bytes is 0, or when there is no
// memory.
void* bas_arenaReserve(size_t bytes);

// The same for *bytes or, where the system has not as much address space to give (limits, strict overcommit), for half
// of that and so on, down to least; *bytes becomes what was reserved.
void* bas_arenaReserveUpTo(size_t* bytes, size_t least);

// give the memory of the two functions above back; NULL is allowed
void bas_arenaRelease(void* arena);

// the same for an arena of which at most `used` bytes at either end have been written
void bas_arenaReleaseUsed(void* arena, size_t used);

// Under the address sanitizer: poison bytes of an arena, and remember how far down that was done, so that releasing
// the arena clears no more than that (the sanitizer's own memory for a whole reservation would be large). Also works
// for an arena from elsewhere.
void bas_arenaPoison(void* arena, const void* start, size_t bytes);
