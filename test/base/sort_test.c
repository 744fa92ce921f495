// Sorts: the same as qsort's, for every length, and for orders that are right, reversed, nearly right and random.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "support/random.h"

typedef struct {
  float value;
  int index;
} Item;

static int itemBefore(Item a, Item b) {
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

static int compareItems(const void* a, const void* b) {
  return itemBefore(*(const Item*)a, *(const Item*)b) ? -1 : 1;
}

BAS_SORT_NEARLY(sortNearly, Item, itemBefore)

enum { MOST = 3000 };
enum { IN_ORDER, REVERSED, NEARLY, RANDOM, FEW_VALUES, NKIND };

static void fill(Item* item, int n, int kind, Rnd* r) {
  for (int i = 0; i < n; i++) {
    const float place = kind == REVERSED ? (float)(n - i) : (float)i;
    item[i] = (Item){place, i};
    if (kind == RANDOM) item[i].value = (float)rnd_uniform(r, -1e3, 1e3);
    if (kind == FEW_VALUES) item[i].value = (float)(rnd_below(r, 3) - 1) * 0.5f;
    if (kind == NEARLY && rnd_below(r, 10) == 0) item[i].value += 1.5f;
  }
}

static void assertSame(const Item* a, const Item* b, int n) {
  for (int i = 0; i < n; i++) assert_true(a[i].value == b[i].value && a[i].index == b[i].index);
}

static void allSortsAgree(void** state) {
  (void)state;
  static Item start[MOST], expected[MOST], item[MOST], buffer[MOST];
  static BasKey key[2][MOST];
  static int count[BAS_BUCKETS + 1];
  static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 100, 1024, MOST};
  Rnd r = {3};
  for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]) * NKIND; s++) {
    const int n = sizes[s / NKIND], kind = (int)(s % NKIND);
    fill(start, n, kind, &r);
    memcpy(expected, start, sizeof(start));
    qsort(expected, (size_t)n, sizeof(Item), compareItems);

    memcpy(item, start, sizeof(start));
    BAS_SORT(Item, item, n, itemBefore);
    assertSame(item, expected, n);

    // only what is far from right needs the buffer
    memcpy(item, start, sizeof(start));
    const int done = sortNearly(item, n);
    if (kind == IN_ORDER || kind == NEARLY) assert_true(done);
    if (kind == REVERSED && n > 100) assert_false(done);
    if (!done) sortNearlyMerge(item, buffer, n);
    assertSame(item, expected, n);

    // merging alone
    memcpy(item, start, sizeof(start));
    sortNearlyMerge(item, buffer, n);
    assertSame(item, expected, n);

    // items are numbered in their order, so that a stable sort by value is the same
    for (int i = 0; i < n; i++) key[0][i] = (BasKey){bas_orderedBits(start[i].value), i};
    const BasKey* const sorted = bas_sortKeys(key[0], key[1], count, n);
    for (int i = 0; i < n; i++) assert_int_equal(sorted[i].index, expected[i].index);
  }
}

static void bitsHaveTheOrderOfFloats(void** state) {
  (void)state;
  static const float increasing[] = {-INFINITY, -1e30f, -2, -1, -1e-40f, 0, 1e-40f, 1, 2, 1e30f, INFINITY};
  for (size_t i = 1; i < sizeof(increasing) / sizeof(increasing[0]); i++) {
    assert_true(bas_orderedBits(increasing[i - 1]) < bas_orderedBits(increasing[i]));
  }
  assert_int_equal(bas_orderedBits(-0.0f), bas_orderedBits(0.0f));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(allSortsAgree), cmocka_unit_test(bitsHaveTheOrderOfFloats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
