// Heap memory: the public allocator with its user hooks, and lazily committed reservations for arenas.
#include "base/memory.h"

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/sanitize.h"

void* (*mju_user_malloc)(size_t) = NULL;
void (*mju_user_free)(void*) = NULL;

void* mju_malloc(size_t size) {
  void* block = NULL;
  if (mju_user_malloc) {
    // the hook sees the size that was asked for, zero included
    block = mju_user_malloc(size);
  } else if (size > 0 && size <= SIZE_MAX - (BAS_ALIGN - 1)) {
    // aligned_alloc wants a multiple of the alignment
    block = aligned_alloc(BAS_ALIGN, (size + BAS_ALIGN - 1) & ~(size_t)(BAS_ALIGN - 1));
  }
  if (!block && size > 0) mju_error("Could not allocate memory");
  return block;
}

void mju_free(void* ptr) {
  if (!ptr) return;
  if (mju_user_free) {
    mju_user_free(ptr);
  } else {
    free(ptr);
  }
}

// What lies in the BAS_ALIGN bytes in front of an arena: how to give it back.
typedef struct {
  size_t bytes;  // of the whole block, this header included
  int mapped;    // 1: munmap, 0: mju_free
} ArenaHeader;

_Static_assert(sizeof(ArenaHeader) <= BAS_ALIGN, "the header fits in front of the arena");

int bas_arenaReservable(void) {
  return !mju_user_malloc && !mju_user_free;
}

// address space without swap reservation, NULL when the system refuses
static void* reserve(size_t bytes) {
  void* const block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return block == MAP_FAILED ? NULL : block;
}

void* bas_arenaReserve(size_t bytes) {
  if (bytes == 0) return NULL;
  if (bytes > SIZE_MAX - BAS_ALIGN) {
    mju_error("Could not allocate memory");
    return NULL;
  }

  // reserve, or allocate plainly
  const size_t total = bytes + BAS_ALIGN;
  void* block = bas_arenaReservable() ? reserve(total) : NULL;
  const int mapped = block != NULL;
  if (!block) block = mju_malloc(total);
  if (!block) return NULL;

  // remember in front of the arena where it came from
  *(ArenaHeader*)block = (ArenaHeader){.bytes = total, .mapped = mapped};
  return (char*)block + BAS_ALIGN;
}

void bas_arenaRelease(void* arena) {
  if (!arena) return;
  void* const block = (char*)arena - BAS_ALIGN;
  const ArenaHeader header = *(const ArenaHeader*)block;

  // the scratch stack leaves poison behind; the address range may be handed out again
  bas_unpoison(arena, header.bytes - BAS_ALIGN);
  if (header.mapped) {
    munmap(block, header.bytes);
  } else {
    mju_free(block);
  }
}
