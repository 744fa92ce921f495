// The private block behind mjData: directory, alignment, copies between blocks of different size.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/private.h"
#include "support/model.h"

static void sectionsAreAlignedAndDisjoint(void** state) {
  (void)state;
  size_t size[MDL_NSECTION] = {0};
  size[MDL_KINEMATICS] = 100;
  size[MDL_COLLISION] = 1;
  size[MDL_HOOKS] = 64;
  const size_t bytes = mdl_blockSize(size);
  MdlBlock* block = aligned_alloc(64, bytes);
  memset(block, 0x55, bytes);
  mdl_blockInit(block, size);
  assert_int_equal(block->bytes, bytes);
  assert_int_equal(block->section[MDL_DYNAMICS], 0);
  assert_int_equal(block->section[MDL_COLLISION], block->section[MDL_KINEMATICS] + 128);
  assert_int_equal(block->section[MDL_HOOKS], block->section[MDL_COLLISION] + 64);
  assert_int_equal(block->section[MDL_HOOKS] + 64, bytes);
  for (size_t i = block->section[MDL_KINEMATICS]; i < bytes; i++) assert_int_equal(((char*)block)[i], 0);
  free(block);
}

// sections behind real data: inside the buffer's allocation, on cache lines
static void dataHasSections(void** state) {
  (void)state;
  for (int k = 0; tst_models[k]; k++) {
    mjModel* m = tst_model(tst_models[k]);
    mjData* d = mj_makeData(m);
    assert_true((char*)mdl_tail(d) >= (char*)d->buffer + d->nbuffer);
    for (int i = 0; i < MDL_NSECTION; i++) {
      const void* section = mdl_section(d, (MdlSection)i);
      assert_true(section ? (uintptr_t)section % 64 == 0 : mdl_tail(d)->block->size[i] == 0);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// a copy takes over the source's block, also when it has another size
static void copiesTakeTheBlock(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  mjData *src = mj_makeData(m), *dest = mj_makeData(m);
  size_t size[MDL_NSECTION] = {0};
  size[MDL_HOOKS] = 5000;
  MdlBlock* larger = mju_malloc(mdl_blockSize(size));
  mdl_blockInit(larger, size);
  MdlBlock* const original = mdl_tail(src)->block;
  mdl_tail(src)->block = larger;
  memset(mdl_section(src, MDL_HOOKS), 9, 5000);
  mj_copyData(dest, m, src);
  assert_memory_equal(mdl_tail(dest)->block, larger, larger->bytes);
  assert_ptr_not_equal(mdl_tail(dest)->block, larger);

  // and back to the usual one
  mju_free(larger);
  mdl_tail(src)->block = original;
  mj_copyData(dest, m, src);
  assert_memory_equal(mdl_tail(dest)->block, original, original->bytes);
  mj_deleteData(src);
  mj_deleteData(dest);
  mj_deleteModel(m);
}

// a section that is made anew is zero, also when it needs more room; the others stay as they are
static void sectionsAreRenewed(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  const size_t size = mdl_tail(d)->block->size[MDL_DYNAMICS], other = mdl_tail(d)->block->size[MDL_COLLISION];
  char* const before = malloc(other);
  memcpy(before, mdl_section(d, MDL_COLLISION), other);
  const size_t sizes[] = {size / 2, size, size + 1, 5 * size, size};
  for (int k = 0; k < 5; k++) {
    char* const section = mdl_sectionRenew(d, MDL_DYNAMICS, sizes[k]);
    assert_ptr_equal(section, mdl_section(d, MDL_DYNAMICS));
    assert_int_equal((uintptr_t)section % 64, 0);
    for (size_t i = 0; i < sizes[k]; i++) assert_int_equal(section[i], 0);
    memset(section, 0x55, sizes[k]);
    assert_memory_equal(before, mdl_section(d, MDL_COLLISION), other);
  }
  free(before);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void arenaFollowsTheModel(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  const size_t usual = mdl_arenaSize(m);
  assert_true(usual >= (size_t)m->narena && usual <= (size_t)1 << 30);
  assert_int_equal(usual, mdl_arenaSize(m));
  m->narena = (mjtSize)3 << 30;
  assert_true(mdl_arenaSize(m) >= (size_t)3 << 30);
  m->narena = 0;
  assert_true(mdl_arenaSize(m) >= (size_t)1 << 26);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sectionsAreAlignedAndDisjoint),
      cmocka_unit_test(dataHasSections),
      cmocka_unit_test(copiesTakeTheBlock),
      cmocka_unit_test(sectionsAreRenewed),
      cmocka_unit_test(arenaFollowsTheModel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
