// sn_modelField, sn_dataField: every kind of thing that a model or an mjData holds, found by name where it lies.
#include <sinew/batch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/model.h"

static const char XML[] =
    "<mujoco><option timestep='0.01' gravity='1 2 3'/><worldbody><body><joint/><geom size='.1'/><geom size='.2' pos='1 "
    "0 0'/>"
    "</body></worldbody></mujoco>";

static void everyKindIsFound(void** state) {
  (void)state;
  mjModel* m = tst_string(XML);
  snField f;

  // a size: a number that is not to be written
  assert_int_equal(sn_modelField(m, "ngeom", &f), SN_OK);
  assert_ptr_equal(f.data, &m->ngeom);
  assert_int_equal(f.ndim, 0);
  assert_int_equal(f.type, SN_INT64);
  assert_false(f.writable);

  // options, alone and in a row
  assert_int_equal(sn_modelField(m, "opt.timestep", &f), SN_OK);
  assert_true(f.data == &m->opt.timestep && f.ndim == 0 && f.writable);
  assert_int_equal(sn_modelField(m, "opt.gravity", &f), SN_OK);
  assert_true(f.data == m->opt.gravity && f.ndim == 1 && f.shape[0] == 3 && f.stride[0] == 8);

  // arrays: of numbers, of rows, of integers
  assert_int_equal(sn_modelField(m, "body_mass", &f), SN_OK);
  assert_true(f.data == m->body_mass && f.ndim == 1 && f.shape[0] == 2);
  assert_int_equal(sn_modelField(m, "geom_pos", &f), SN_OK);
  assert_true(f.data == m->geom_pos && f.ndim == 2 && f.shape[0] == 2 && f.shape[1] == 3 && f.stride[0] == 24);
  assert_int_equal(sn_modelField(m, "geom_type", &f), SN_OK);
  assert_true(f.data == m->geom_type && f.type == SN_INT32 && f.itemsize == 4);
  mj_deleteModel(m);
}

static void dataIsFound(void** state) {
  (void)state;
  mjModel* m = tst_string(XML);
  mjData* d = mj_makeData(m);
  snField f;
  assert_int_equal(sn_dataField(m, d, "qpos", &f), SN_OK);
  assert_true(f.data == d->qpos && f.ndim == 1 && f.shape[0] == 1 && f.writable);
  assert_int_equal(sn_dataField(m, d, "xpos", &f), SN_OK);
  assert_true(f.data == d->xpos && f.ndim == 2 && f.shape[0] == 2 && f.shape[1] == 3 && f.stride[0] == 24);
  assert_false(f.writable);
  assert_int_equal(sn_dataField(m, d, "time", &f), SN_OK);
  assert_true(f.data == &d->time && f.ndim == 0);

  // without an mjData only the shape
  assert_int_equal(sn_dataField(m, NULL, "xpos", &f), SN_OK);
  assert_true(!f.data && f.shape[0] == 2 && f.shape[1] == 3);
  assert_int_equal(sn_dataField(m, NULL, "time", &f), SN_OK);
  assert_true(!f.data && f.ndim == 0);
  assert_int_equal(sn_dataField(m, d, "contact", &f), SN_ERROR);
  assert_int_equal(sn_dataField(m, d, "qpoz", &f), SN_ERROR);
  assert_int_equal(sn_dataField(NULL, d, "qpos", &f), SN_ERROR);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void anythingElseIsAnError(void** state) {
  (void)state;
  mjModel* m = tst_string(XML);
  snField f;
  assert_int_equal(sn_modelField(m, "geom_poss", &f), SN_ERROR);
  assert_int_equal(sn_modelField(m, "qpos", &f), SN_ERROR);
  assert_int_equal(sn_modelField(NULL, "nq", &f), SN_ERROR);
  assert_int_equal(sn_modelField(m, NULL, &f), SN_ERROR);
  assert_int_equal(sn_modelField(m, "nq", NULL), SN_ERROR);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everyKindIsFound), cmocka_unit_test(dataIsFound),
                                     cmocka_unit_test(anythingElseIsAnError)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
