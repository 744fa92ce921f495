// The scratch stack and the arena of mjData: addresses, statistics, frames, overflow; the same calls in the
// reference give the same offsets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/sanitize.h"
#include "base/stack.h"
#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

#define NARENA (1 << 16)

static void frames_nest_and_restore(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  mj_markStack(d);
  const size_t outer = d->pstack;
  const size_t outerBase = d->pbase;
  mjtNum* const x = mj_stackAllocNum(d, 10);
  memset(x, 1, 10 * sizeof(mjtNum));
  const size_t inside = d->pstack;

  mj__markStack(d);
  assert_true(d->pbase != outerBase);
  assert_non_null(mj_stackAllocInt(d, 3));
  assert_non_null(mj_stackAllocByte(d, 100, 64));
  mj__freeStack(d);
  assert_int_equal(d->pstack, inside);
  assert_int_equal(d->pbase, outerBase);
  assert_true(inside > outer);

  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
  assert_int_equal(d->pbase, 0);

  // releasing without an open frame does nothing
  mj_freeStack(d);
  assert_int_equal(d->pstack, 0);
  arenaFree(d);
}

static void allocations_are_aligned_and_apart(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  Rnd rnd = {1};
  for (int round = 0; round < 50; round++) {
    mj_markStack(d);
    char* previous = (char*)d->arena + NARENA;
    for (int i = 0; i < 40; i++) {
      const size_t bytes = 1 + (size_t)rnd_below(&rnd, 300);
      const size_t alignment = rnd_below(&rnd, 4) ? (size_t)1 << rnd_below(&rnd, 8) : 1 + (size_t)rnd_below(&rnd, 50);
      char* const p = mj_stackAllocByte(d, bytes, alignment);
      assert_int_equal((uintptr_t)p % alignment, 0);
      assert_true(p + bytes <= previous);
      memset(p, 0xA5, bytes);
      previous = p;
    }
    assert_true(d->pstack >= (size_t)((char*)d->arena + NARENA - previous));
    mj_freeStack(d);
  }
  assert_null(mj_stackAllocByte(d, 0, 8));
  arenaFree(d);
}

static void overflow_is_an_error_with_sizes(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  const char* message = CATCH(mj_stackAllocByte(d, NARENA + 1, 1));
  assert_non_null(message);
  assert_non_null(strstr(message, "mj_stackAlloc: out of memory, stack overflow\n"));
  assert_non_null(strstr(message, "max = 65536, available = 65536, requested = 65537"));
  assert_non_null(strstr(message, "narena >= 65537"));
  assert_int_equal(d->pstack, 0);

  // sizes whose sum with an address would wrap
  assert_non_null(CATCH(mj_stackAllocByte(d, SIZE_MAX, 1)));
  assert_non_null(CATCH(mj_stackAllocByte(d, SIZE_MAX - 16, 64)));
  assert_non_null(strstr(CATCH(mj_stackAllocNum(d, SIZE_MAX / 8)), "too large"));
  assert_non_null(strstr(CATCH(mj_stackAllocInt(d, SIZE_MAX / 4)), "too large"));
  message = CATCH(mj_stackAllocInfo(d, NARENA + 1, 1, "here", 7));
  assert_non_null(strstr(message, "stack overflow at here, line 7"));

  // arrays shorten the stack
  assert_non_null(mj_arenaAllocByte(d, NARENA / 2, 1));
  assert_int_equal(mj_stackBytesAvailable(d), NARENA / 2);
  assert_non_null(CATCH(mj_stackAllocByte(d, NARENA / 2 + 1, 1)));
  arenaFree(d);
}

static void arena_grows_up_to_the_stack(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  assert_ptr_equal(mj_arenaAllocByte(d, 3, 1), d->arena);
  assert_ptr_equal(mj_arenaAllocByte(d, 8, 8), (char*)d->arena + 8);
  assert_int_equal(d->parena, 16);
  assert_int_equal(d->maxuse_arena, 16);
  mj_markStack(d);
  mj_stackAllocByte(d, 1000, 8);
  const size_t room = NARENA - d->pstack - d->parena;
  assert_null(mj_arenaAllocByte(d, room + 1, 1));
  assert_null(mj_arenaAllocByte(d, SIZE_MAX, 1));
  assert_int_equal(d->parena, 16);
  assert_non_null(mj_arenaAllocByte(d, room, 1));
  assert_int_equal(d->maxuse_arena, NARENA);
  mj_freeStack(d);
  arenaFree(d);
}

// the same random program of calls in both libraries gives the same offsets and statistics
static void offsets_equal_the_reference(void** state) {
  (void)state;
  if (!orc_available() || BAS_ASAN) skip();
  mjData* const ours = arenaMake(NARENA);
  mjData* const theirs = arenaMake(NARENA);
  Rnd rnd = {2};
  int depth = 0;
  for (int i = 0; i < 5000; i++) {
    const int action = rnd_below(&rnd, 10);
    const size_t bytes = (size_t)rnd_below(&rnd, 200);
    const size_t alignment = (size_t)1 << rnd_below(&rnd, 7);
    if (action < 2 && depth < 20) {
      mj_markStack(ours);
      ORC(mj_markStack)(theirs);
      depth++;
    } else if (action < 4 && depth > 0) {
      mj_freeStack(ours);
      ORC(mj_freeStack)(theirs);
      depth--;
    } else if (action < 5) {
      const char* const a = mj_arenaAllocByte(ours, bytes, alignment);
      const char* const b = ORC(mj_arenaAllocByte)(theirs, bytes, alignment);
      if (a && b) {
        assert_int_equal(a - (char*)ours->arena, b - (char*)theirs->arena);
      } else {
        assert_true(!a && !b);
        ours->parena = theirs->parena = 0;
      }
    } else if (depth > 0 && mj_stackBytesAvailable(ours) > 1000) {
      const char* const a = mj_stackAllocByte(ours, bytes, alignment);
      const char* const b = ORC(mj_stackAllocByte)(theirs, bytes, alignment);
      assert_int_equal(a ? a - (char*)ours->arena : -1, b ? b - (char*)theirs->arena : -1);
    }
    assert_int_equal(ours->pstack, theirs->pstack);
    assert_int_equal(ours->parena, theirs->parena);
    assert_int_equal(ours->maxuse_stack, theirs->maxuse_stack);
    assert_int_equal(ours->maxuse_arena, theirs->maxuse_arena);
    if (depth) assert_int_equal(ours->pbase - (uintptr_t)ours->arena, theirs->pbase - (uintptr_t)theirs->arena);
  }
  arenaFree(ours);
  arenaFree(theirs);
}

#if BAS_ASAN
// what lies between and behind allocations is poisoned, and nothing else
static void red_zones_surround_allocations(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  mj_markStack(d);
  char* const p = mj_stackAllocByte(d, 64, 8);
  assert_true(__asan_address_is_poisoned(p - 1));
  assert_true(__asan_address_is_poisoned(p + 64));
  assert_false(__asan_region_is_poisoned(p, 64) != NULL);
  mj_freeStack(d);
  assert_true(__asan_address_is_poisoned(p));
  assert_false(__asan_address_is_poisoned((char*)d->arena + NARENA / 2));
  assert_null(__asan_region_is_poisoned(mj_arenaAllocByte(d, NARENA, 1), NARENA));

  // an arena given back leaves nothing behind in its address range
  d->parena = 0;
  mj_markStack(d);
  mj_stackAllocByte(d, NARENA / 2, 8);
  mj_freeStack(d);
  void* const range = d->arena;
  arenaFree(d);
  assert_null(__asan_region_is_poisoned(range, NARENA));
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frames_nest_and_restore),
    cmocka_unit_test(allocations_are_aligned_and_apart),
    cmocka_unit_test(overflow_is_an_error_with_sizes),
    cmocka_unit_test(arena_grows_up_to_the_stack),
    cmocka_unit_test(offsets_equal_the_reference),
#if BAS_ASAN
    cmocka_unit_test(red_zones_surround_allocations),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
