// The field tables say the same as the public macros, and the layout of buffers that follows from them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <mujoco/mjxmacro.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "model/make.h"
#include "support/model.h"

#undef MJ_M
#define MJ_M(n) m->n

// rows, columns and element sizes of every array, against the macros evaluated for a model
static void tablesEqualMacros(void** state) {
  (void)state;
  for (int k = 0; tst_models[k]; k++) {
    mjModel* m = tst_model(tst_models[k]);
    mjData* d = mj_makeData(m);
    int i = 0;
#define X(type, field, nr, nc)                                            \
  {                                                                       \
    const MdlField* f = mdl_modelFields + i++;                            \
    assert_string_equal(f->name, #field);                                 \
    assert_int_equal(mdl_rows(f, m, NULL), m->nr);                        \
    assert_int_equal(mdl_columns(f, m), nc);                              \
    assert_int_equal(mdl_bytes(f, m, NULL), sizeof(type) * m->nr * (nc)); \
    assert_ptr_equal(*mdl_pointer(f, m), m->field);                       \
  }
    MJMODEL_POINTERS
    assert_int_equal(i, mdl_nmodelFields);
#undef X
    i = 0;
#define X(type, field, nr, nc)                                            \
  {                                                                       \
    const MdlField* f = mdl_dataFields + i++;                             \
    assert_string_equal(f->name, #field);                                 \
    assert_int_equal(mdl_bytes(f, m, NULL), sizeof(type) * m->nr * (nc)); \
    assert_ptr_equal(*mdl_pointer(f, d), d->field);                       \
  }
    MJDATA_POINTERS
    assert_int_equal(i, mdl_ndataFields);
#undef X
#undef MJ_D
#define MJ_D(n) d->n
    d->ncon = 2;
    d->nefc = 5;
    d->nJ = 7;
    d->nA = 11;
    d->nisland = 13;
    d->nidof = 17;
    i = 0;
#define X(type, field, nr, nc) assert_int_equal(mdl_bytes(mdl_arenaFields + i++, m, d), sizeof(type) * (nr) * (nc));
    MJDATA_ARENA_POINTERS
    assert_int_equal(i, mdl_narenaFields);
#undef X
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// pointers of mjModel lie in the order of the table, which the checks of the loader rely on
static void pointersAreInTableOrder(void** state) {
  (void)state;
  for (int i = 0; i < mdl_nmodelFields; i++) {
    assert_int_equal(mdl_modelFields[i].pointer, offsetof(mjModel, qpos0) + sizeof(void*) * (size_t)i);
  }
}

// arrays lie one behind the other on cache lines
static void arraysAreAlignedAndDisjoint(void** state) {
  (void)state;
  mjModel* m = tst_model("sensors");
  const char* end = m->buffer;
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const char* start = *mdl_pointer(mdl_modelFields + i, m);
    assert_int_equal((uintptr_t)start % 64, 0);
    assert_true(start >= end && start < end + 64);
    end = start + mdl_bytes(mdl_modelFields + i, m, NULL);
  }
  assert_int_equal(end - (char*)m->buffer, m->nbuffer);
  mj_deleteModel(m);
}

//---------------------------------- make --------------------------------------------------------------------------

static char warning[500];
static void keepWarning(const char* text) {
  strncpy(warning, text, sizeof(warning) - 1);
}

static void modelsAreMadeFromSizes(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjModel* empty = mdl_make(NULL, m);
  assert_int_equal(empty->nbuffer, m->nbuffer);
  assert_int_equal(empty->nnames_map, m->nnames_map);
  assert_true(empty->opt.timestep == 0.002);
  for (mjtSize i = 0; i < empty->nbuffer; i++) assert_int_equal(((char*)empty->buffer)[i], 0);

  // into an existing model of another size
  mjModel* other = tst_model("pendulum");
  assert_ptr_equal(mdl_make(other, m), other);
  assert_int_equal(other->nv, m->nv);
  mj_copyModel(other, m);
  assert_memory_equal(other->body_pos, m->body_pos, sizeof(mjtNum) * 3 * (size_t)m->nbody);
  mj_deleteModel(other);
  mj_deleteModel(empty);
  mj_deleteModel(m);
}

static void impossibleSizesAreRefused(void** state) {
  (void)state;
  mju_user_warning = keepWarning;
  static const struct {
    const char *size, *expected;
    mjtSize value;
  } CASES[] = {
      {"nq",       "nq is negative",        -1              },
      {"nbody",    "nbody is 0",            0               },
      {"ngeom",    "must be below",         INT_MAX         },
      {"nconmax",  "nconmax is negative",   -2              },
      {"nv",       "must be below",         (mjtSize)1 << 60},
      {"ntexdata", "tex_data is too large", INT64_MAX       },
      {"nkey",     "too many named",        INT_MAX - 1     },
  };
  mjModel* m = tst_model("chain");
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    mjModel sizes = *m;
    for (int k = 0; k < mdl_nsizes; k++) {
      if (!strcmp(mdl_sizes[k].name, CASES[i].size)) *(mjtSize*)((char*)&sizes + mdl_sizes[k].offset) = CASES[i].value;
    }
    warning[0] = 0;
    assert_null(mdl_make(NULL, &sizes));
    if (!strstr(warning, CASES[i].expected)) fail_msg("%s: %s", CASES[i].size, warning);
  }
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

// copies for drawing leave out what drawing does not need
static void visualCopySkipsTheRest(void** state) {
  (void)state;
  mjModel *src = tst_model("assets"), *dest = tst_model("assets");
  dest->mesh_vert[0] = 77;
  src->geom_rgba[0] = 0.125f;
  mjv_copyModel(dest, src);
  assert_true(dest->geom_rgba[0] == 0.125f && dest->mesh_vert[0] == 77);
  mj_copyModel(dest, src);
  assert_true(dest->mesh_vert[0] != 77);
  mj_deleteModel(src);
  mj_deleteModel(dest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tablesEqualMacros),           cmocka_unit_test(pointersAreInTableOrder),
      cmocka_unit_test(arraysAreAlignedAndDisjoint), cmocka_unit_test(modelsAreMadeFromSizes),
      cmocka_unit_test(impossibleSizesAreRefused),   cmocka_unit_test(visualCopySkipsTheRest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
