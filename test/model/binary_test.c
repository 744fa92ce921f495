// Binary models: save and load, in both directions against the reference, and broken files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "support/model.h"
#include "support/oracle.h"
#include "support/random.h"

//---------------------------------- helpers -----------------------------------------------------------------------

static char warning[1000];
static void keepWarning(const char* text) {
  snprintf(warning, sizeof(warning), "%s", text);
}

static int quiet(void** state) {
  (void)state;
  mju_user_warning = keepWarning;
  return 0;
}

// the bytes of a model as our library saves it
static unsigned char* save(const mjModel* m, int* size) {
  *size = (int)mj_sizeModel(m);
  unsigned char* bytes = malloc((size_t)*size);
  mj_saveModel(m, NULL, bytes, *size);
  return bytes;
}

static unsigned char* golden(const char* name, int* size) {
  char path[200];
  snprintf(path, sizeof(path), "test/golden/mjb/%s.mjb", name);
  unsigned char* bytes = tst_readFile(path, size);
  assert_non_null(bytes);
  return bytes;
}

//---------------------------------- round trips -------------------------------------------------------------------

// reference's bytes -> our model -> the same bytes
static void goldenFilesSurvive(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    int before, after;
    unsigned char* bytes = golden(tst_models[i], &before);
    mjModel* m = mj_loadModelBuffer(bytes, before);
    if (!m) fail_msg("%s: %s", tst_models[i], warning);
    unsigned char* again = save(m, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, again, (size_t)before);

    // a copy is the same model in other memory
    mjModel* copy = mj_copyModel(NULL, m);
    free(again);
    again = save(copy, &after);
    assert_memory_equal(bytes, again, (size_t)before);
    assert_ptr_not_equal(copy->qpos0, m->qpos0);
    mj_deleteModel(copy);

    // the reference reads what we write
    if (orc_available()) {
      mjModel* theirs = ORC(mj_loadModelBuffer)(again, after);
      assert_non_null(theirs);
      assert_int_equal(ORC(mj_sizeModel)(theirs), after);
      ORC(mj_deleteModel)(theirs);
    }
    free(again);
    free(bytes);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(goldenFilesSurvive, quiet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
