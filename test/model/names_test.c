// Names and ids, against the reference and against each other.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/names.h"
#include "support/model.h"
#include "support/oracle.h"

static void namesAndIdsAreInverse(void** state) {
  (void)state;
  int named = 0;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    for (int type = -1; type < 110; type++) {
      for (int id = -1; id < 200; id++) {
        const char* name = mj_id2name(m, type, id);
        const char* const theirs = ORC(mj_id2name)(m, type, id);
        assert_ptr_equal(name, theirs);
        orc_bytes(name ? name : "", name ? strlen(name) + 1 : 0);
        if (!name) continue;
        assert_int_equal(mj_name2id(m, type, name), id);
        orc_sameInt(ORC(mj_name2id)(m, type, name), id);
        named++;
      }
      assert_int_equal(mj_name2id(m, type, "no such name"), -1);
      assert_int_equal(mj_name2id(m, type, ""), -1);
    }
    mj_deleteModel(m);
  }
  assert_true(named > 150);
}

static void hashTableIsReproduced(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    mjModel* copy = mj_copyModel(NULL, m);
    memset(copy->names_map, 0x55, sizeof(int) * (size_t)copy->nnames_map);
    mdl_hashNames(copy);
    assert_memory_equal(m->names_map, copy->names_map, sizeof(int) * (size_t)m->nnames_map);
    mj_deleteModel(copy);
    mj_deleteModel(m);
  }
}

static void knownNames(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "world"), 0);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "wrist2"), 4);
  assert_int_equal(mj_name2id(m, mjOBJ_XBODY, "handle"), 2);
  assert_string_equal(mj_id2name(m, mjOBJ_KEY, 0), "bent");
  assert_null(mj_id2name(m, mjOBJ_GEOM, 2));
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesAndIdsAreInverse),
      cmocka_unit_test(hashTableIsReproduced),
      cmocka_unit_test(knownNames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
