// Heap memory: the public allocator with its user hooks, and lazily committed reservations for arenas.
#include "base/memory.h"

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/sanitize.h"

void* (*mju_user_malloc)(size_t) = NULL;
void (*mju_user_free)(void*) = NULL;

// Models with large meshes are tens of megabytes that are written as soon as they are allocated: in huge pages that
// takes a fraction of the page faults. Smaller blocks stay as they are.
static void hintHuge(void* block, size_t size) {
  enum { HUGEPAGE = 2 << 20, LARGE = 2 * HUGEPAGE };
  if (size < LARGE) return;
  const uintptr_t first = ((uintptr_t)block + HUGEPAGE - 1) & ~(uintptr_t)(HUGEPAGE - 1);
  const uintptr_t end = ((uintptr_t)block + size) & ~(uintptr_t)(HUGEPAGE - 1);
  if (end > first) madvise((char*)block + (first - (uintptr_t)block), end - first, MADV_HUGEPAGE);
}

void* bas_tryMalloc(size_t size) {
  void* block = NULL;
  if (mju_user_malloc) {
    // the hook sees the size that was asked for, zero included
    block = mju_user_malloc(size);
  } else if (size > 0 && size <= SIZE_MAX - (BAS_ALIGN - 1)) {
    // aligned_alloc wants a multiple of the alignment
    block = aligned_alloc(BAS_ALIGN, (size + BAS_ALIGN - 1) & ~(size_t)(BAS_ALIGN - 1));
    if (block) hintHuge(block, size);
  }
  return block;
}

void* mju_malloc(size_t size) {
  void* const block = bas_tryMalloc(size);
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
  uint64_t magic;    // ARENA_MAGIC: the header is really one
  size_t bytes;      // of the whole block, this header included
  int mapped;        // 1: munmap, 0: mju_free
  uintptr_t lowest;  // poisoned bytes, if any, lie between here and the end
} ArenaHeader;

#define ARENA_MAGIC 0x616e657261776e73u

// mappings start on a multiple of this (or more)
#define PAGE 4096

_Static_assert(sizeof(ArenaHeader) <= BAS_ALIGN, "the header fits in front of the arena");

int bas_arenaReservable(void) {
  return !mju_user_malloc && !mju_user_free;
}

//---------------------------------- the shelf ----------------------------------------------------------------------
// Reservations that wait for the next mjData of the same size: asking the system for one, and for the pages of the
// first step one by one, takes longer than everything else in mj_makeData. What waits is bounded: in number, in address
// space, and in memory, because only the pages at both ends stay, where small worlds live.

enum { NSHELF = 64 };
#define SHELF_BYTES ((size_t)(SIZE_MAX > UINT32_MAX ? (uint64_t)1 << 32 : UINT32_MAX / 4))
#define SHELF_ENDS  ((size_t)1 << 18)

static struct {
  pthread_mutex_t lock;
  int n;
  size_t total;  // bytes of all
  struct {
    void* block;
    size_t bytes;
  } item[NSHELF];  // latest last
} shelf = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Every user goes on without the shelf when another thread is at it: then nobody waits, and a process that was forked
// meanwhile cannot hang.
static int openShelf(void) {
  return !BAS_ASAN && pthread_mutex_trylock(&shelf.lock) == 0;
}

static void closeShelf(void) {
  pthread_mutex_unlock(&shelf.lock);
}

// a block of exactly this size, NULL: none
static void* takeFromShelf(size_t bytes) {
  if (!openShelf()) return NULL;
  void* block = NULL;
  for (int i = shelf.n - 1; i >= 0 && !block; i--) {
    if (shelf.item[i].bytes != bytes) continue;
    block = shelf.item[i].block;
    shelf.item[i] = shelf.item[--shelf.n];
    shelf.total -= bytes;
  }
  closeShelf();
  return block;
}

// 1: the block, of which `used` bytes at either end have been written, is on the shelf
static int putOnShelf(void* block, size_t bytes, size_t used) {
  if (bytes > SHELF_BYTES || !openShelf()) return 0;
  const int room = shelf.n < NSHELF && shelf.total <= SHELF_BYTES - bytes;
  if (room) {
    shelf.item[shelf.n].block = block;
    shelf.item[shelf.n++].bytes = bytes;
    shelf.total += bytes;
    if (used > SHELF_ENDS && bytes > 2 * SHELF_ENDS)
      madvise((char*)block + SHELF_ENDS, bytes - 2 * SHELF_ENDS, MADV_DONTNEED);
  }
  closeShelf();
  return room;
}

// gives everything back; 1: there was something
static int clearShelf(void) {
  if (!openShelf()) return 0;
  const int any = shelf.n > 0;
  while (shelf.n > 0) {
    shelf.n--;
    munmap(shelf.item[shelf.n].block, shelf.item[shelf.n].bytes);
  }
  shelf.total = 0;
  closeShelf();
  return any;
}

//---------------------------------- arenas -------------------------------------------------------------------------

// address space without swap reservation, NULL when the system refuses
static void* reserve(size_t bytes) {
#ifdef __EMSCRIPTEN__
  // WebAssembly has no pages that come with their use: what is reserved is taken
  return NULL;
#endif
  void* const used = takeFromShelf(bytes);
  if (used) return used;
  void* block;
  do {
    block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  } while (block == MAP_FAILED && clearShelf());
  if (block == MAP_FAILED) return NULL;

  // a few kilobytes are used at each end: huge pages would make megabytes of them, in thousands of mjData gigabytes
  madvise(block, bytes, MADV_NOHUGEPAGE);
  return block;
}

// remember in front of the arena where it came from
static void* openArena(void* block, size_t total, int mapped) {
  const uintptr_t start = (uintptr_t)block;
  *(ArenaHeader*)block = (ArenaHeader){
      .magic = ARENA_MAGIC, .bytes = total, .mapped = mapped, .lowest = start + (mapped ? total : BAS_ALIGN)};
  return (char*)block + BAS_ALIGN;
}

void* bas_arenaReserve(size_t bytes) {
  return bas_arenaReserveUpTo(&bytes, bytes);
}

void* bas_arenaReserveUpTo(size_t* bytes, size_t least) {
  if (*bytes == 0 || *bytes > SIZE_MAX - BAS_ALIGN) return NULL;

  // reserve as much as the system gives
  if (least > *bytes) least = *bytes;
  for (size_t n = *bytes; bas_arenaReservable() && n > 0; n /= 2) {
    if (n < least) n = least;
    void* const block = reserve(n + BAS_ALIGN);
    if (block) {
      *bytes = n;
      return openArena(block, n + BAS_ALIGN, 1);
    }
    if (n == least) break;
  }

  // an ordinary block; with the user's allocator it has the full size
  if (bas_arenaReservable() && least > 0) *bytes = least;
  void* const block = bas_tryMalloc(*bytes + BAS_ALIGN);
  return block ? openArena(block, *bytes + BAS_ALIGN, 0) : NULL;
}

void bas_arenaRelease(void* arena) {
  bas_arenaReleaseUsed(arena, SIZE_MAX);
}

void bas_arenaReleaseUsed(void* arena, size_t used) {
  if (!arena) return;
  void* const block = (char*)arena - BAS_ALIGN;
  const ArenaHeader header = *(const ArenaHeader*)block;

  // the scratch stack leaves poison behind; the address range may be handed out again
  bas_unpoison((void*)header.lowest, (uintptr_t)block + header.bytes - header.lowest);
  if (header.mapped) {
    if (!putOnShelf(block, header.bytes, used)) munmap(block, header.bytes);
  } else {
    mju_free(block);
  }
}

#if BAS_ASAN

// Header of an arena that is mapped, NULL for any other. Mapped ones start one header behind a page; the bytes in front
// of a foreign block at such an address are its allocator's, on the same page, and only looked at.
__attribute__((no_sanitize_address)) static ArenaHeader* mappedHeader(void* arena) {
  if ((uintptr_t)arena % PAGE != BAS_ALIGN) return NULL;
  ArenaHeader* const header = (ArenaHeader*)((char*)arena - BAS_ALIGN);
  return header->magic == ARENA_MAGIC && header->mapped ? header : NULL;
}

void bas_arenaPoison(void* arena, const void* start, size_t bytes) {
  bas_poison(start, bytes);
  ArenaHeader* const header = mappedHeader(arena);
  if (!header) return;

  // workers of a pool share the arena
  uintptr_t lowest = __atomic_load_n(&header->lowest, __ATOMIC_RELAXED);
  while ((uintptr_t)start < lowest && !__atomic_compare_exchange_n(&header->lowest, &lowest, (uintptr_t)start, 1,
                                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

#else

void bas_arenaPoison(void* arena, const void* start, size_t bytes) {
  (void)arena, (void)start, (void)bytes;
}

#endif
