// sn_modelField, sn_dataField: every kind of thing that a model or an mjData holds, found by name where it lies.
#include <sinew/batch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

// a simulation with the values of another model steps as that model does, its neighbours as before
static void valuesOfAnotherModel(void** state) {
  (void)state;
  mjModel* m = tst_string(XML);
  mjModel* other = mj_copyModel(NULL, m);
  other->body_mass[1] *= 2;
  other->opt.timestep = 0.005;
  other->dof_damping[0] = 0.7;
  snBatch* b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, 3, NULL, NULL, 0);
  assert_int_equal(sn_batchSetModel(b, 1, other), SN_OK);
  assert_int_equal(sn_batchStep(b, NULL, 7), SN_OK);
  snField qpos;
  sn_batchField(b, 0, "qpos", &qpos);
  for (int i = 0; i < 3; i++) {
    mjModel* const own = i == 1 ? other : m;
    mjData* d = mj_makeData(own);
    for (int k = 0; k < 7; k++) mj_step(own, d);
    assert_true(((double*)qpos.data)[i] == d->qpos[0]);
    mj_deleteData(d);
  }

  // back again, also where fields are expanded by now
  assert_int_equal(sn_batchSetModel(b, 1, m), SN_OK);
  mjModel* back = sn_batchGetModel(b, 1);
  assert_true(back->body_mass[1] == m->body_mass[1] && back->opt.timestep == 0.01);
  mj_deleteModel(back);

  // what is made of other parts is refused
  mjModel* empty = tst_string("<mujoco/>");
  other->geom_type[0] = mjGEOM_BOX;
  assert_int_equal(sn_batchSetModel(b, 1, empty), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, -1), "different n"));
  assert_int_equal(sn_batchSetModel(b, 1, other), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, -1), "different geom_type"));
  assert_int_equal(sn_batchSetModel(b, 3, m), SN_ERROR);
  assert_int_equal(sn_batchSetModel(b, 0, NULL), SN_ERROR);
  assert_int_equal(sn_batchSetModel(NULL, 0, m), SN_ERROR);
  sn_deleteBatch(b);
  mj_deleteModel(empty);
  mj_deleteModel(other);
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
                                     cmocka_unit_test(valuesOfAnotherModel), cmocka_unit_test(anythingElseIsAnError)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
