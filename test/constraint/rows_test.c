// Rows, impedance, projection, reference acceleration and islands against the reference, on contact-rich scenes, dense
// and sparse, with both cones.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/compare.h"
#include "constraint/scenes.h"
#include "support/oracle.h"

// the reference's state goes into ours, our stages run, and everything they write is compared
static int stagesDiffer(const char* name, const mjModel* m, mjData* d, const mjData* ref) {
  Cmp c = {name, 0, 0};
  orc_mirror(m, d, ref);
  mj_makeConstraint(m, d);
  cmpRows(&c, m, ref, d);
  mj_island(m, d);
  cmpIslands(&c, m, ref, d);
  mj_projectConstraint(m, d);
  cmpProjection(&c, m, ref, d);
  mj_referenceConstraint(m, d);
  if (!c.errors && ref->nefc) {
    cmpNum(&c, "efc_vel", ref->efc_vel, d->efc_vel, (size_t)ref->nefc, 1e-12);
    cmpNum(&c, "efc_aref", ref->efc_aref, d->efc_aref, (size_t)ref->nefc, 1e-12);
  }
  return c.errors;
}

// one scene in all storage and cone modes; rows is the largest number of rows seen
static int sceneDiffers(int scene, int* rows) {
  mjModel* m = orc_compile(SCENES[scene]);
  mjData* ref = ORC(mj_makeData)(m);
  mjData* d = mj_makeData(m);
  int errors = 0;
  for (int mode = 0; mode < 8; mode++) {
    m->opt.jacobian = mode & 1 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.cone = mode & 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    m->opt.solver = mode & 4 ? mjSOL_PGS : mjSOL_NEWTON;
    for (int step = 0; step < 8; step++) {
      for (int i = 0; i < 7; i++) ORC(mj_step)(m, ref);
      ORC(mj_forward)(m, ref);
      char name[100];
      snprintf(name, sizeof(name), "%s mode %d step %d", SCENE_NAMES[scene], mode, step);
      errors += stagesDiffer(name, m, d, ref);
      if (ref->nefc > *rows) *rows = ref->nefc;
    }
  }
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
  return errors;
}

static void rowsEqualReference(void** state) {
  (void)state;
  for (int scene = 0; scene < NSCENE; scene++) {
    int rows = 0;
    assert_int_equal(sceneDiffers(scene, &rows), 0);
    assert_true(rows >= 6);
  }
}

// every flag leaves out exactly its kind of rows
static void flagsGateRows(void** state) {
  (void)state;
  mjModel* m = orc_compile(SCENE_COUPLED);
  mjData* ref = ORC(mj_makeData)(m);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 100; i++) ORC(mj_step)(m, ref);
  const int flags[] = {
      0, mjDSBL_CONSTRAINT, mjDSBL_EQUALITY, mjDSBL_FRICTIONLOSS, mjDSBL_LIMIT, mjDSBL_CONTACT, mjDSBL_REFSAFE};
  int full = 0;
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
    m->opt.disableflags = flags[i];
    ORC(mj_forward)(m, ref);
    Cmp c = {"flags", 0, 0};
    orc_mirror(m, d, ref);
    mj_makeConstraint(m, d);
    cmpRows(&c, m, ref, d);
    assert_int_equal(c.errors, 0);
    if (!flags[i]) full = d->nefc;
    if (flags[i] == mjDSBL_CONSTRAINT) assert_int_equal(d->nefc, 0);
    if (flags[i] == mjDSBL_EQUALITY) assert_true(d->ne == 0 && d->nefc == full - 3);
    if (flags[i] == mjDSBL_FRICTIONLOSS) assert_true(d->nf == 0 && d->nefc == full - 2);
    if (flags[i] == mjDSBL_LIMIT) assert_int_equal(d->nl, 0);
  }
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rowsEqualReference), cmocka_unit_test(flagsGateRows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
