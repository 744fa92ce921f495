// Arena arrays and the scratch stack of mjData. The header draws the memory; here is the arithmetic.
// An allocation of n bytes with alignment a takes the addresses [p, p + n) with p the largest multiple of a that is
// at most top - n; p becomes the new top. Under the address sanitizer a red zone lies on both sides of every
// allocation, and what a frame leaves behind is poisoned, so that stale or overrunning scratch is reported.
#include "base/stack.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sanitize.h"
#include "base/thread.h"
#include "base/assert.h"

// poisoned bytes on each side of an allocation; the usage statistics contain them
#define REDZONE (BAS_ASAN ? (size_t)32 : (size_t)0)

// shards start on different pairs of cache lines, so that neighbours' prefetches do not collide
#define SHARD_ALIGN ((size_t)128)

// One stack in absolute addresses: of the whole mjData (assembled for each call) or a shard (kept at its low end).
typedef struct {
  uintptr_t bottom;  // first address above the stack
  uintptr_t top;     // lowest address in use
  uintptr_t limit;   // lowest address that may be used
  uintptr_t base;    // record of the open frame, 0: none
} Stack;

// Record that mj_markStack leaves on the stack: what mj_freeStack restores, and who opened the frame.
typedef struct {
  uintptr_t base;
  uintptr_t top;
  const void* opener;
} Frame;

// who asked for memory, for the overflow message
typedef struct {
  const char* caller;
  int line;
} Site;

// remainder of x by a positive number that is almost always a power of two
static inline size_t misalignment(size_t x, size_t alignment) {
  return (alignment & (alignment - 1)) == 0 ? x & (alignment - 1) : x % alignment;
}

static inline Stack wholeStack(const mjData* d) {
  const uintptr_t bottom = (uintptr_t)d->arena + (uintptr_t)d->narena;
  return (Stack){
      .bottom = bottom, .top = bottom - d->pstack, .limit = (uintptr_t)d->arena + d->parena, .base = d->pbase};
}

static inline void storeWhole(mjData* d, const Stack* s) {
  d->pstack = s->bottom - s->top;
  d->pbase = s->base;
}

// bytes of one shard; the shards together take the upper half of the arena
static size_t shardSize(const mjData* d, size_t nshard) {
  const size_t share = (size_t)d->narena / (2 * nshard);
  return (share + SHARD_ALIGN - 1) & ~(SHARD_ALIGN - 1);
}

// record of shard 0 (the owner's), 1 … n (the workers')
static Stack* shardAt(const mjData* d, size_t index) {
  const size_t nshard = mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool) + 1;
  const uintptr_t end = (uintptr_t)d->arena + (uintptr_t)d->narena;
  const uintptr_t start = end - (index + 1) * shardSize(d, nshard);
  return (Stack*)(start & ~(uintptr_t)(_Alignof(Stack) - 1));
}

static Stack* currentShard(const mjData* d) {
  return shardAt(d, mju_threadPoolCurrentWorkerId((mjThreadPool*)d->threadpool));
}

// the function that opened the innermost frame, for the overflow message; empty when its name is unknown
static void describeOpener(const Stack* s, char* text, size_t size) {
  Dl_info info;
  text[0] = '\0';
  if (!s->base) return;
  const void* const opener = ((const Frame*)s->base)->opener;
  if (opener && dladdr(opener, &info) && info.dli_sname) {
    snprintf(text, size, ", frame opened by %s", info.dli_sname);
  }
}

// message with the sizes that matter; kept out of the fast path. site NULL: unknown
__attribute__((noinline, cold)) static void overflow(const mjData* d, const Stack* s, size_t bytes, const Site* site) {
  char where[256] = "";
  if (site && site->caller) snprintf(where, sizeof(where), " at %s, line %d", site->caller, site->line);
  char opener[256];
  describeOpener(s, opener, sizeof(opener));

  const size_t available = s->top - s->limit;
  mju_error(
      "mj_stackAlloc: out of memory, stack overflow%s%s\n"
      "  max = %zu, available = %zu, requested = %zu\n"
      " nefc = %d, ncon = %d, narena = %zu, enough would be narena >= %zu",
      where, opener, (size_t)(s->bottom - s->limit), available, bytes, d->nefc, d->ncon, (size_t)d->narena,
      bytes > SIZE_MAX - (size_t)d->narena ? SIZE_MAX : (size_t)d->narena + bytes - available);
}

// largest usage so far; a bound pool counts each thread's shard instead of the whole
static inline void recordUsage(mjData* d, const Stack* s) {
  const mjtSize usage = (mjtSize)(s->bottom - s->top);
  if (!d->threadpool) {
    if (usage > d->maxuse_stack) d->maxuse_stack = usage;
    if (usage + (mjtSize)d->parena > d->maxuse_arena) d->maxuse_arena = usage + (mjtSize)d->parena;
    return;
  }
  const size_t worker = mju_threadPoolCurrentWorkerId((mjThreadPool*)d->threadpool);
  if (worker < mjMAXTHREAD && usage > d->maxuse_threadstack[worker]) d->maxuse_threadstack[worker] = usage;
}

// lower the top by an allocation; NULL when the error handler returned
static inline void* push(mjData* d, Stack* s, size_t bytes, size_t alignment, const Site* site) {
  BAS_ASSERT(s->limit <= s->top && s->top <= s->bottom);

  // compare sizes before addresses: bytes may be anything
  const size_t available = s->top - s->limit;
  if (__builtin_expect(bytes > available || bytes + 2 * REDZONE > available, 0)) {
    overflow(d, s, bytes, site);
    return NULL;
  }

  // align downwards; that too can run out of room
  uintptr_t start = s->top - bytes - REDZONE;
  start -= misalignment(start, alignment);
  if (__builtin_expect(start < s->limit + REDZONE, 0)) {
    overflow(d, s, s->top - start + REDZONE, site);
    return NULL;
  }

  // arena arrays that were here before may have left the bytes readable
  if (BAS_ASAN) {
    bas_arenaPoison(d->arena, (void*)(start - REDZONE), s->top - start + REDZONE);
    bas_unpoison((void*)start, bytes);
  }
  BAS_ASSERT(start + bytes + REDZONE <= s->top);
  s->top = start - REDZONE;
  BAS_ASSERT(s->top >= s->limit);
  recordUsage(d, s);
  return (void*)start;
}

// any allocation on the stack of the calling thread
__attribute__((noinline)) static void* allocateAny(mjData* d, size_t bytes, size_t alignment, const Site* site) {
  if (bytes == 0) return NULL;
  if (d->threadpool != 0) return push(d, currentShard(d), bytes, alignment, site);
  Stack s = wholeStack(d);
  void* const result = push(d, &s, bytes, alignment, site);
  d->pstack = s.bottom - s.top;
  return result;
}

// The usual allocation, in a third of the instructions: there is room, one stack, no red zones, and the alignment is a
// power of two. 0: not so.
static inline uintptr_t pushFast(mjData* d, size_t bytes, size_t alignment) {
  if (BAS_ASAN || d->threadpool) return 0;  // before parena is read, which other threads may be moving
  const size_t free = (size_t)d->narena - d->pstack - d->parena;
  if (bytes + alignment > free || bytes > free || (alignment & (alignment - 1))) return 0;
  const uintptr_t top = (uintptr_t)d->arena + (uintptr_t)d->narena - d->pstack;
  const uintptr_t start = (top - bytes) & ~(uintptr_t)(alignment - 1);
  const size_t pstack = d->pstack + (top - start);
  BAS_ASSERT(start >= (uintptr_t)d->arena + d->parena);
  d->pstack = pstack;
  if (__builtin_expect((mjtSize)pstack > d->maxuse_stack, 0)) d->maxuse_stack = (mjtSize)pstack;
  if (__builtin_expect((mjtSize)(pstack + d->parena) > d->maxuse_arena, 0)) {
    d->maxuse_arena = (mjtSize)(pstack + d->parena);
  }
  return start;
}

static inline void* allocate(mjData* d, size_t bytes, size_t alignment, const Site* site) {
  const uintptr_t start = bytes ? pushFast(d, bytes, alignment) : 0;
  return __builtin_expect(start != 0, 1) ? (void*)start : allocateAny(d, bytes, alignment, site);
}

static inline void openFrame(mjData* d, Stack* s, const void* opener) {
  const uintptr_t top = s->top;
  Frame* const frame = push(d, s, sizeof(Frame), _Alignof(Frame), NULL);
  if (!frame) return;
  BAS_ASSERT(bas_isAligned(frame, _Alignof(Frame)));
  BAS_ASSERT(!s->base || s->base > (uintptr_t)frame);
  *frame = (Frame){.base = s->base, .top = top, .opener = opener};
  s->base = (uintptr_t)frame;
}

static inline void closeFrame(const mjData* d, Stack* s) {
  if (__builtin_expect(!s->base, 0)) return;
  BAS_ASSERT(s->base >= s->top && s->base < s->bottom);
  const Frame frame = *(const Frame*)s->base;
  BAS_ASSERT(frame.top > s->base && frame.top <= s->bottom);
  BAS_ASSERT(!frame.base || (frame.base > s->base && frame.base >= frame.top));
  if (BAS_ASAN) bas_arenaPoison(d->arena, (void*)s->top, frame.top - s->top);
  s->base = frame.base;
  s->top = frame.top;
}

// any frame on the stack of the calling thread
__attribute__((noinline)) static void openAny(mjData* d, const void* opener) {
  if (d->threadpool != 0) {
    openFrame(d, currentShard(d), opener);
    return;
  }
  Stack s = wholeStack(d);
  openFrame(d, &s, opener);
  storeWhole(d, &s);
}

__attribute__((noinline)) static void closeAny(mjData* d) {
  if (d->threadpool != 0) {
    closeFrame(d, currentShard(d));
    return;
  }
  Stack s = wholeStack(d);
  closeFrame(d, &s);
  storeWhole(d, &s);
}

// The usual frame: a record on one stack, with room for it. The rest is kept apart, so that this saves no registers.
static inline void mark(mjData* d, const void* opener) {
  const size_t pstack = d->pstack;
  Frame* const frame = (Frame*)pushFast(d, sizeof(Frame), _Alignof(Frame));
  if (__builtin_expect(frame == NULL, 0)) {
    openAny(d, opener);
    return;
  }
  BAS_ASSERT(!d->pbase || d->pbase > (uintptr_t)frame);
  *frame = (Frame){.base = d->pbase, .top = (uintptr_t)d->arena + (uintptr_t)d->narena - pstack, .opener = opener};
  d->pbase = (uintptr_t)frame;
}

static inline void release(mjData* d) {
  if (BAS_DEBUG || BAS_ASAN || __builtin_expect(d->threadpool != 0 || !d->pbase, 0)) {
    closeAny(d);
    return;
  }
  const Frame* frame = (const Frame*)d->pbase;
  d->pstack = (uintptr_t)d->arena + (uintptr_t)d->narena - frame->top;
  d->pbase = frame->base;
}

// whoever calls; WebAssembly does not tell
#ifdef __EMSCRIPTEN__
#define CALLER NULL
#else
#define CALLER __builtin_return_address(0)
#endif

void mj_markStack(mjData* d) {
  mark(d, CALLER);
}
void mj__markStack(mjData* d) {
  mark(d, CALLER);
}
void mj_freeStack(mjData* d) {
  release(d);
}
void mj__freeStack(mjData* d) {
  release(d);
}

size_t mj_stackBytesAvailable(mjData* d) {
  const Stack s = d->threadpool ? *currentShard(d) : wholeStack(d);
  return s.top - s.limit;
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  return allocate(d, bytes, alignment, NULL);
}

void* mj_stackAllocInfo(mjData* d, size_t bytes, size_t alignment, const char* caller, int line) {
  return allocate(d, bytes, alignment, &(Site){caller, line});
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  if (__builtin_expect(size >= SIZE_MAX / sizeof(mjtNum), 0)) {
    mju_error("mj_stackAllocNum: requested size is too large (more than 2^64 bytes).");
    return NULL;
  }
  return allocate(d, size * sizeof(mjtNum), _Alignof(mjtNum), NULL);
}

int* mj_stackAllocInt(mjData* d, size_t size) {
  if (__builtin_expect(size >= SIZE_MAX / sizeof(int), 0)) {
    mju_error("mj_stackAllocInt: requested size is too large (more than 2^64 bytes).");
    return NULL;
  }
  return allocate(d, size * sizeof(int), _Alignof(int), NULL);
}

// first offset that arena arrays may not reach: the top of the stack, or the lowest shard
static size_t arenaEnd(const mjData* d) {
  if (!d->threadpool) return (size_t)d->narena - d->pstack;
  const size_t lowest = mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool);
  return (uintptr_t)shardAt(d, lowest) - (uintptr_t)d->arena;
}

void* mj_arenaAllocByte(mjData* d, size_t bytes, size_t alignment) {
  mjThreadPool* const pool = (mjThreadPool*)d->threadpool;
  if (pool) mju_threadPoolLockAllocMutex(pool);

  // offsets are aligned, not addresses: arrays lie alike in every mjData of a model
  const size_t end = arenaEnd(d);
  const size_t over = misalignment(d->parena, alignment);
  const size_t start = d->parena + (over ? alignment - over : 0);
  void* result = NULL;
  if (start <= end && bytes <= end - start) {
    BAS_ASSERT(start >= d->parena && misalignment(start, alignment) == 0);
    result = (char*)d->arena + start;
    d->parena = start + bytes;
    const mjtSize usage = (mjtSize)(d->pstack + d->parena);
    if (usage > d->maxuse_arena) d->maxuse_arena = usage;
    bas_unpoison(result, bytes);
  }

  if (pool) mju_threadPoolUnlockAllocMutex(pool);
  return result;
}

void bas_shardStack(mjData* d) {
  const size_t nshard = mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool) + 1;
  const uintptr_t end = (uintptr_t)d->arena + (uintptr_t)d->narena;

  // room for all shards above the arrays, and for the caller's scratch in the first one; +1: records are aligned down
  const size_t size = shardSize(d, nshard);
  const uintptr_t top = end - d->pstack;
  if (size > ((size_t)d->narena - d->parena) / (nshard + 1)) {
    d->threadpool = 0;
    mju_error("Arena is not large enough for %zu shards", nshard);
    return;
  }
  if ((uintptr_t)(shardAt(d, 0) + 1) > top) {
    d->threadpool = 0;
    mju_error("mju_bindThreadPool: the stack in use is larger than a shard: %zu bytes, at most %zu", d->pstack, size);
    return;
  }

  // each shard's record lies at its low end; the shard below starts there
  uintptr_t bottom = end;
  for (size_t i = 0; i < nshard; i++) {
    Stack* const shard = shardAt(d, i);
    BAS_ASSERT((uintptr_t)(shard + 1) <= bottom);
    bas_unpoison(shard, sizeof(*shard));
    *shard = (Stack){
        .bottom = bottom, .top = i == 0 ? top : bottom, .limit = (uintptr_t)(shard + 1), .base = i == 0 ? d->pbase : 0};
    bottom = (uintptr_t)shard;
  }
}

// drop what lies above the remembered top
static void putBack(const mjData* d, Stack* s, uintptr_t top, uintptr_t base) {
  if (BAS_ASAN && top > s->top) bas_arenaPoison(d->arena, (void*)s->top, top - s->top);
  s->top = top;
  s->base = base;
}

void bas_stackRemember(const mjData* d, BasStackMark* mark) {
  mark->pstack = d->pstack;
  mark->pbase = d->pbase;
  mark->nshard = d->threadpool ? mju_threadPoolNumberOfThreads((mjThreadPool*)d->threadpool) + 1 : 0;
  for (size_t i = 0; i < mark->nshard; i++) {
    const Stack* const shard = shardAt(d, i);
    mark->shard[i].top = shard->top;
    mark->shard[i].base = shard->base;
  }
}

void bas_stackPutBack(mjData* d, const BasStackMark* mark) {
  for (size_t i = 0; i < mark->nshard; i++) putBack(d, shardAt(d, i), mark->shard[i].top, mark->shard[i].base);
  if (mark->nshard) return;
  Stack s = wholeStack(d);
  putBack(d, &s, s.bottom - mark->pstack, mark->pbase);
  storeWhole(d, &s);
}
