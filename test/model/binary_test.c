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

// the bytes of a test model as the reference saves it; without the reference as we do
static unsigned char* referenceBytes(const char* name, int* size) {
  if (!orc_available()) return tst_binary(name, size);
  char path[200], error[500] = "";
  snprintf(path, sizeof(path), "test/models/%s.xml", name);
  mjModel* m = ORC(mj_loadXML)(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  *size = (int)ORC(mj_sizeModel)(m);
  unsigned char* bytes = malloc((size_t)*size);
  ORC(mj_saveModel)(m, NULL, bytes, *size);
  ORC(mj_deleteModel)(m);
  return bytes;
}

//---------------------------------- round trips -------------------------------------------------------------------

// reference's bytes -> our model -> the same bytes
static void binariesSurvive(void** state) {
  (void)state;
  for (int i = 0; tst_binaries[i]; i++) {
    int before, after;
    unsigned char* bytes = referenceBytes(tst_binaries[i], &before);
    mjModel* m = mj_loadModelBuffer(bytes, before);
    if (!m) fail_msg("%s: %s", tst_binaries[i], warning);
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

// every model of a folder given by $SINEW_MODELS, which holds lists of paths: rigid.txt and flex.txt
static void modelsOfFolderSurvive(void** state) {
  (void)state;
  const char* folder = getenv("SINEW_MODELS");
  if (!orc_available() || !folder || !*folder) skip();
  int count = 0;
  for (int list = 0; list < 2; list++) {
    char line[1000], path[2000], error[500];
    snprintf(path, sizeof(path), "%s/%s", folder, list ? "flex.txt" : "rigid.txt");
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
      char name[500];
      if (line[0] == '#' || sscanf(line, "%499s", name) != 1) continue;
      snprintf(path, sizeof(path), "%s/%s", folder, name);
      mjModel* theirs = ORC(mj_loadXML)(path, NULL, error, sizeof(error));
      if (!theirs) fail_msg("%s: %s", name, error);

      // theirs -> ours -> the same bytes
      const int size = (int)ORC(mj_sizeModel)(theirs);
      unsigned char *bytes = malloc((size_t)size), *again;
      ORC(mj_saveModel)(theirs, NULL, bytes, size);
      mjModel* ours = mj_loadModelBuffer(bytes, size);
      if (!ours) fail_msg("%s: %s", name, warning);
      int after;
      again = save(ours, &after);
      assert_int_equal(after, size);
      assert_memory_equal(bytes, again, (size_t)size);

      // ours -> theirs -> the same bytes
      mjModel* back = ORC(mj_loadModelBuffer)(again, after);
      assert_non_null(back);
      ORC(mj_saveModel)(back, NULL, bytes, size);
      assert_memory_equal(bytes, again, (size_t)size);
      ORC(mj_deleteModel)(back);
      ORC(mj_deleteModel)(theirs);
      mj_deleteModel(ours);
      free(bytes);
      free(again);
      count++;
    }
    fclose(file);
  }
  assert_true(count > 0);
}

// through a file, and through the virtual file system
static void filesAndBuffersAgree(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  int size, filesize;
  unsigned char* bytes = save(m, &size);
  char path[] = "/tmp/sinew_binary_XXXXXX";
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  mj_saveModel(m, path, NULL, 0);
  unsigned char* file = tst_readFile(path, &filesize);
  assert_int_equal(size, filesize);
  assert_memory_equal(bytes, file, (size_t)size);
  mjModel* loaded = mj_loadModel(path, NULL);
  assert_non_null(loaded);
  assert_int_equal(loaded->nv, m->nv);
  mj_deleteModel(loaded);
  remove(path);

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "inside.mjb", bytes, size), 0);
  loaded = mj_loadModel("inside.mjb", &vfs);
  assert_non_null(loaded);
  assert_memory_equal(loaded->qpos0, m->qpos0, sizeof(mjtNum) * (size_t)m->nq);
  mj_deleteModel(loaded);
  mj_deleteVFS(&vfs);

  // a file that is not there
  warning[0] = 0;
  assert_null(mj_loadModel("/nowhere/at_all.mjb", NULL));
  assert_non_null(strstr(warning, "/nowhere/at_all.mjb"));
  mj_deleteModel(m);
  mj_deleteModel(NULL);
  free(bytes);
  free(file);
}

//---------------------------------- broken files ------------------------------------------------------------------

static void everyTruncationIsRejected(void** state) {
  (void)state;
  int size;
  unsigned char* bytes = tst_binary("pendulum", &size);
  for (int n = 0; n < size; n++) {
    // an allocation of its own, so that the sanitizer sees a read behind the end
    unsigned char* part = malloc(n ? (size_t)n : 1);
    memcpy(part, bytes, (size_t)n);
    warning[0] = 0;
    assert_null(mj_loadModelBuffer(part, n));
    assert_non_null(strstr(warning, "Invalid model: the file ends"));
    free(part);
  }

  // and so is what is too long
  unsigned char* longer = calloc((size_t)size + 1, 1);
  memcpy(longer, bytes, (size_t)size);
  assert_null(mj_loadModelBuffer(longer, size + 1));
  assert_non_null(strstr(warning, "1 bytes follow"));
  free(longer);
  free(bytes);
}

// messages name what is wrong
static void headersAreExplained(void** state) {
  (void)state;
  static const char* const EXPECTED[] = {"id", "precision", "sizes", "another version", "arrays"};
  int size;
  unsigned char* bytes = tst_binary("pendulum", &size);
  for (int i = 0; i < 5; i++) {
    bytes[4 * i] ^= 1;
    assert_null(mj_loadModelBuffer(bytes, size));
    if (!strstr(warning, EXPECTED[i])) fail_msg("header[%d]: %s", i, warning);
    bytes[4 * i] ^= 1;
  }

  // sizes: negative, huge, inconsistent
  mjtSize nq;
  static const struct {
    mjtSize value;
    const char* expected;
  } SIZES[] = {
      {-5,        "nq is negative"},
      {1LL << 40, "nq is"         },
      {3,         "the file ends" },
      {1 << 30,   "nbuffer is"    }
  };
  for (int i = 0; i < 4; i++) {
    memcpy(&nq, bytes + 20, sizeof(mjtSize));
    memcpy(bytes + 20, &SIZES[i].value, sizeof(mjtSize));
    assert_null(mj_loadModelBuffer(bytes, size));
    if (!strstr(warning, SIZES[i].expected)) fail_msg("%s", warning);
    memcpy(bytes + 20, &nq, sizeof(mjtSize));
  }
  free(bytes);
}

// a model that passes the checks must be usable: names, copies and data touch every array
static void useModel(const mjModel* m) {
  static const int TYPES[] = {mjOBJ_BODY, mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_SENSOR, mjOBJ_KEY};
  for (int i = 0; i < 6; i++) {
    const char* name = mj_id2name(m, TYPES[i], 0);
    if (name) mj_name2id(m, TYPES[i], name);
  }
  mjModel* copy = mj_copyModel(NULL, m);
  mj_deleteModel(copy);
}

// flips bits or overwrites numbers in one place or a few
static void mutate(Rnd* rnd, unsigned char* bytes, int size) {
  static const int VALUES[] = {-1, 0, 1, -2, 1000, 0x7FFFFFFF, (int)0x80000000, 0x10000};
  const int times = 1 + rnd_below(rnd, 3);
  for (int k = 0; k < times; k++) {
    // half of the changes hit the header and the sizes
    const int span = rnd_below(rnd, 2) ? size : 20 + 8 * mdl_nsizes;
    const int at = rnd_below(rnd, span);
    if (rnd_below(rnd, 2)) {
      bytes[at] ^= (unsigned char)(1 << rnd_below(rnd, 8));
    } else {
      const int value = VALUES[rnd_below(rnd, 8)], start = at & ~3;
      memcpy(bytes + start, &value, start + 4 <= size ? 4 : (size_t)(size - start));
    }
  }
}

// $SINEW_MUTATIONS sets the number; the default keeps the test quick
static void mutationsNeverCrash(void** state) {
  (void)state;
  const char* wanted = getenv("SINEW_MUTATIONS");
  const int total = wanted ? atoi(wanted) : 20000;
  Rnd rnd = {2026};
  int rejected = 0, done = 0;
  for (int i = 0; done < total; i = tst_binaries[i + 1] ? i + 1 : 0) {
    int size;
    unsigned char* bytes = tst_binary(tst_binaries[i], &size);
    unsigned char* changed = malloc((size_t)size);
    for (int k = 0; k < 100 && done < total; k++, done++) {
      memcpy(changed, bytes, (size_t)size);
      mutate(&rnd, changed, size);
      warning[0] = 0;
      mjModel* m = mj_loadModelBuffer(changed, size);
      rejected += !m;
      if (m) useModel(m);
      assert_true(m || !strncmp(warning, "Invalid model", 13));
      mj_deleteModel(m);
    }
    free(changed);
    free(bytes);
  }
  assert_true(rejected > total / 4);
}

// one wrong value per array of indices: all of them are found
static void wrongIndicesAreNamed(void** state) {
  (void)state;
  static const struct {
    const char *model, *array;
    int element, value;
  } CASES[] = {
      {"chain",     "body_parentid",       4,  9     },
      {"chain",     "body_jntadr",         3,  7     },
      {"chain",     "dof_parentid",        5,  7     },
      {"chain",     "jnt_type",            0,  4     },
      {"chain",     "geom_bodyid",         1,  -1    },
      {"chain",     "M_colind",            4,  12    },
      {"chain",     "name_geomadr",        2,  100000},
      {"chain",     "names_map",           3,  55    },
      {"chain",     "D_diag",              2,  0     },
      {"tendons",   "wrap_objid",          0,  77    },
      {"tendons",   "wrap_type",           1,  1     },
      {"tendons",   "tendon_num",          0,  90    },
      {"boxes",     "pair_geom1",          0,  99    },
      {"boxes",     "geom_condim",         1,  5     },
      {"boxes",     "bvh_child",           0,  0     },
      {"actuators", "actuator_trnid",      0,  50    },
      {"actuators", "actuator_actadr",     3,  60    },
      {"actuators", "actuator_historyadr", 11, 999   },
      {"equality",  "eq_obj2id",           2,  -1    },
      {"equality",  "eq_type",             0,  6     },
      {"sensors",   "sensor_adr",          2,  500   },
      {"sensors",   "sensor_dim",          3,  4     },
      {"sensors",   "sensor_objid",        0,  12    },
      {"assets",    "mesh_face",           3,  4     },
      {"assets",    "mesh_graph",          2,  99    },
      {"assets",    "hfield_nrow",         0,  90    },
      {"assets",    "tuple_objid",         0,  44    },
      {"assets",    "skin_bonevertid",     1,  3     },
      {"assets",    "text_size",           0,  0     },
      {"assets",    "mat_texid",           4,  2     },
      {"flex",      "flex_elem",           9,  60    },
      {"flex",      "flex_edge",           0,  5     },
      {"flex",      "flexedge_J_colind",   3,  108   },
      {"flex",      "flex_evpair",         1,  300   },
      {"flex",      "flex_vertbodyid",     0,  -1    },
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    mjModel* m = tst_model(CASES[i].model);
    const MdlField* f = mdl_modelFields;
    while (strcmp(f->name, CASES[i].array)) f++;
    (*(int**)mdl_pointer(f, m))[CASES[i].element] = CASES[i].value;
    int size;
    unsigned char* bytes = save(m, &size);
    warning[0] = 0;
    mjModel* loaded = mj_loadModelBuffer(bytes, size);
    if (loaded) fail_msg("%s[%d] = %d was accepted", CASES[i].array, CASES[i].element, CASES[i].value);
    assert_non_null(strstr(warning, "Invalid model: "));
    free(bytes);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(binariesSurvive, quiet),      cmocka_unit_test_setup(modelsOfFolderSurvive, quiet),
      cmocka_unit_test_setup(filesAndBuffersAgree, quiet), cmocka_unit_test_setup(everyTruncationIsRejected, quiet),
      cmocka_unit_test_setup(headersAreExplained, quiet),  cmocka_unit_test_setup(wrongIndicesAreNamed, quiet),
      cmocka_unit_test_setup(mutationsNeverCrash, quiet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
