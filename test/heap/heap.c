// What a program of the tests allocates: a margin behind every block, which must be as it was when the block is freed,
// and a count of blocks that nobody freed. Fresh memory is never zero, and what was freed is overwritten. Not under
// sanitizers, which look themselves, and only where the system's malloc has these names.
#include "heap/heap.h"

#include <features.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

// behind what was asked for: bytes of a pattern, at least MARGIN; the last word of the block is its size, disguised in
// one way where it counts and in another where it does not
enum { MARGIN = 16, PATTERN = 0xA7, FRESH = 0xC3, FREED = 0xE5, SOME = 4096 };
static const size_t COUNTED = 0x5bd1e9955bd1e995, APART = 0xa5c91e995b2de107;

static long live;

static size_t* sizeOf(void* block) {
  return (size_t*)(void*)((char*)block + malloc_usable_size(block) / sizeof(size_t) * sizeof(size_t) - sizeof(size_t));
}

// the dynamic loader keeps some blocks for threads that may come
static int isLoader(const void* caller) {
  enum { SIZE = 1 << 18 };
  return (uintptr_t)caller - getauxval(AT_BASE) < SIZE;
}

// no stdio here: it may allocate
static void broken(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(3);
  abort();
}

// what was asked for, of a block with its margin as it was
static size_t checked(void* block, int* counted) {
  size_t* const word = sizeOf(block);
  const size_t most = malloc_usable_size(block) - MARGIN;
  *counted = (*word ^ COUNTED) <= most;
  const size_t size = *word ^ (*counted ? COUNTED : APART);
  if (size > most) broken("heap: something was written behind a block, or it was freed before\n");
  for (const unsigned char* at = (unsigned char*)block + size; at < (unsigned char*)word; at++) {
    if (*at != PATTERN) broken("heap: something was written behind a block\n");
  }
  return size;
}

static void* take(size_t alignment, size_t size, const void* caller) {
  if (size > SIZE_MAX / 2) {
    errno = ENOMEM;
    return NULL;
  }
  const size_t room = size + MARGIN + sizeof(size_t);
  void* const block = alignment ? __libc_memalign(alignment, room) : __libc_malloc(room);
  if (!block) return NULL;
  size_t* const word = sizeOf(block);
  memset((char*)block + size, PATTERN, (size_t)((char*)word - (char*)block) - size);
  const int counted = !isLoader(caller);
  *word = size ^ (counted ? COUNTED : APART);
  __atomic_add_fetch(&live, counted, __ATOMIC_RELAXED);
  return block;
}

static void* fresh(size_t alignment, size_t size, const void* caller) {
  void* const block = take(alignment, size, caller);
  if (block) memset(block, FRESH, size < SOME ? size : SOME);
  return block;
}

// the system's libraries use these too
#pragma GCC visibility push(default)

void* malloc(size_t size) {
  return fresh(0, size, __builtin_return_address(0));
}
void* calloc(size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) bytes = SIZE_MAX;
  void* const block = take(0, bytes, __builtin_return_address(0));
  if (block) memset(block, 0, bytes);
  return block;
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fresh(alignment, size, __builtin_return_address(0));
}
void* memalign(size_t alignment, size_t size) {
  return fresh(alignment, size, __builtin_return_address(0));
}
int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = fresh(alignment, size, __builtin_return_address(0));
  return *block ? 0 : ENOMEM;
}
void free(void* block) {
  if (!block) return;
  int counted;
  const size_t size = checked(block, &counted);
  memset(block, FREED, size < SOME ? size : SOME);
  *sizeOf(block) = 0;
  __atomic_sub_fetch(&live, counted, __ATOMIC_RELAXED);
  __libc_free(block);
}
void* realloc(void* block, size_t size) {
  void* const moved = fresh(0, size, __builtin_return_address(0));
  if (!moved || !block) return moved;
  int counted;
  const size_t before = checked(block, &counted);
  memcpy(moved, block, before < size ? before : size);
  free(block);
  return moved;
}

#pragma GCC visibility pop

long heap_blocks(void) {
  return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

#else

long heap_blocks(void) {
  return 0;
}

#endif
