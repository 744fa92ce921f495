// Sweeping finds exactly the overlapping pairs that may collide, with few boxes and with many, whatever was swept
// before.
#include "collision/sweep.h"

#include "collision/scene.h"
#include "collision/section.h"
#include "model/private.h"

#include <stdlib.h>

enum { MOST = 80, ARENA = 1 << 20 };

// as much of a model and its data as a sweep reads: the number of bodies, a stack, the private section
typedef struct {
  mjModel m;
  mjData d;
} World;

static World* makeWorld(void) {
  World* w = calloc(1, sizeof(World));
  w->m.nbody = MOST;
  size_t size[MDL_NSECTION] = {0};
  size[MDL_COLLISION] = col_sectionSize(&w->m);
  w->d.buffer = calloc(1, sizeof(MdlTail) + mdl_blockSize(size));
  MdlTail* tail = mdl_tail(&w->d);
  tail->block = (MdlBlock*)(tail + 1);
  mdl_blockInit(tail->block, size);
  col_sectionInit(&w->m, mdl_section(&w->d, MDL_COLLISION));
  w->d.arena = aligned_alloc(64, ARENA);
  w->d.narena = ARENA;
  return w;
}

static void freeWorld(World* w) {
  free(w->d.buffer);
  free(w->d.arena);
  free(w);
}

typedef struct {
  mjtNum low[3], high[3];
  ColEntry entry;
  int active;
} Item;

static void randomItems(Item* item, int n, Rnd* r, mjtNum spread) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      item[i].low[k] = rnd_uniform(r, -spread, spread);
      item[i].high[k] = item[i].low[k] + rnd_uniform(r, 0, 1);
    }
    item[i].entry = (ColEntry){
        i, i + 1, i % 5 == 0 ? 0 : i, {1, rnd_below(r, 5) > 0}
    };
    item[i].active = rnd_below(r, 3) > 0;
  }
}

// 1: yes, 0: no, -1: closer to touching than floats can tell
static int expected(const Item* a, const Item* b) {
  if (!a->active && !b->active) return 0;
  if (!a->entry.bits.conaffinity && !b->entry.bits.conaffinity) return 0;
  if (a->entry.weld == b->entry.weldParent || b->entry.weld == a->entry.weldParent) return 0;
  int result = 1;
  for (int k = 0; k < 3; k++) {
    const mjtNum gap = fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]);
    if (gap > 1e-4) return 0;
    if (gap > 0) result = -1;
  }
  return result;
}

static void check(const mjModel* m, mjData* d, const Item* item, int n) {
  mj_markStack(d);
  ColBoxes active = col_newBoxes(d, n), passive = col_newBoxes(d, n);
  for (int i = 0; i < n; i++) {
    col_addBox(item[i].active ? &active : &passive, &item[i].entry, item[i].low, item[i].high);
  }
  static unsigned pair[MOST * MOST];
  ColList list = {pair, 0, MOST * MOST};
  col_sweep(m, d, &list, &active, &passive);

  static int found[MOST][MOST];
  memset(found, 0, sizeof(found));
  for (size_t i = 0; i < list.n; i++) found[pair[i] >> 16][pair[i] & 0xFFFF]++;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      const int want = expected(item + i, item + j);
      if (want >= 0) assert_int_equal(found[i][j], want);
      assert_true(found[i][j] <= 1);
    }
  }
  mj_freeStack(d);
}

static void finds_overlaps(void** state) {
  (void)state;
  World* w = makeWorld();
  const mjModel* m = &w->m;
  mjData* d = &w->d;
  static Item item[MOST];
  Rnd r = {.state = 21};
  for (int round = 0; round < 200; round++) {
    const int n = round % 4 == 0 ? 5 + rnd_below(&r, 30) : 41 + rnd_below(&r, MOST - 41);
    randomItems(item, n, &r, round % 3 + 0.5);

    // once from the last order, once from the order that this left, once after a small move
    check(m, d, item, n);
    check(m, d, item, n);
    for (int i = 0; i < n; i++) {
      item[i].low[0] += 0.01 * i;
      item[i].high[0] += 0.01 * i;
    }
    check(m, d, item, n);
  }
  freeWorld(w);
}

// boxes of NaN and infinity do not hide the others
static void survives_bad_numbers(void** state) {
  (void)state;
  World* w = makeWorld();
  const mjModel* m = &w->m;
  mjData* d = &w->d;
  static Item item[MOST];
  Rnd r = {.state = 22};
  const int n = 45;
  for (int round = 0; round < 50; round++) {
    randomItems(item, n, &r, 1);
    for (int i = 0; i < 3; i++) {
      Item* bad = item + rnd_below(&r, n);
      bad->entry.bits = (ColBits){0, 0};
      bad->low[rnd_below(&r, 3)] = i == 0 ? NAN : i == 1 ? -INFINITY : INFINITY;
    }
    // pairs with a bad box are not expected: it has no bits
    for (int i = 0; i < n; i++) {
      if (!item[i].entry.bits.contype) item[i].active = 0;
    }
    mj_markStack(d);
    ColBoxes active = col_newBoxes(d, n), passive = col_newBoxes(d, n);
    for (int i = 0; i < n; i++) {
      col_addBox(item[i].active ? &active : &passive, &item[i].entry, item[i].low, item[i].high);
    }
    static unsigned pair[MOST * MOST];
    ColList list = {pair, 0, MOST * MOST};
    col_sweep(m, d, &list, &active, &passive);
    int want = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        const int good = item[i].entry.bits.contype && item[j].entry.bits.contype;
        want += good && expected(item + i, item + j) == 1;
      }
    }
    assert_true((int)list.n >= want && (int)list.n <= want + 3);
    mj_freeStack(d);
  }
  freeWorld(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_overlaps),
      cmocka_unit_test(survives_bad_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
