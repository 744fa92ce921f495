// Forces of contacts and bodies against the reference, and by balance of forces.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/compare.h"
#include "constraint/scenes.h"
#include "support/model.h"
#include "support/oracle.h"

static void forcesEqualReference(void** state) {
  (void)state;
  for (int scene = 0; scene < NSCENE; scene++) {
    mjModel* m = orc_compile(SCENES[scene]);
    mjData* ref = ORC(mj_makeData)(m);
    mjData* d = mj_makeData(m);
    for (int cone = 0; cone < 2; cone++) {
      m->opt.cone = cone;
      for (int i = 0; i < 60; i++) ORC(mj_step)(m, ref);
      for (int i = 0; i < 3; i++) ref->xfrc_applied[6 * (m->nbody - 1) + 2 * i] = 1 + i;
      ORC(mj_forward)(m, ref);
      ORC(mj_rnePostConstraint)(m, ref);
      orc_mirror(m, d, ref);
      memset(d->cacc, 0, sizeof(mjtNum) * 6 * (size_t)m->nbody);
      memset(d->cfrc_int, 0, sizeof(mjtNum) * 6 * (size_t)m->nbody);
      memset(d->cfrc_ext, 0, sizeof(mjtNum) * 6 * (size_t)m->nbody);
      mj_rnePostConstraint(m, d);
      Cmp c = {SCENE_NAMES[scene], 0, 0};
      cmpNum(&c, "cacc", ref->cacc, d->cacc, 6 * (size_t)m->nbody, 1e-12);
      cmpNum(&c, "cfrc_int", ref->cfrc_int, d->cfrc_int, 6 * (size_t)m->nbody, 1e-11);
      cmpNum(&c, "cfrc_ext", ref->cfrc_ext, d->cfrc_ext, 6 * (size_t)m->nbody, 1e-11);
      for (int i = -1; i <= ref->ncon; i++) {
        mjtNum a[6], b[6];
        ORC(mj_contactForce)(m, ref, i, a);
        mj_contactForce(m, d, i, b);
        cmpNum(&c, "contactForce", a, b, 6, 1e-13);
      }
      assert_int_equal(c.errors, 0);
    }
    mj_deleteData(d);
    ORC(mj_deleteData)(ref);
    ORC(mj_deleteModel)(m);
  }
}

// new contacts take the rows away: forces of equalities are gone until the rows are made again
static void contactsAfterRows(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/>"
      "<site name='s'/></body></worldbody><equality><weld body1='a'/></equality>"
      "<sensor><accelerometer site='s'/></sensor></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_true(d->ne == 6 && fabs(d->cfrc_ext[6 + 5]) > 1);
  mj_collision(m, d);
  assert_int_equal(d->nefc, 0);
  mj_rnePostConstraint(m, d);
  for (int i = 6; i < 12; i++) assert_true(d->cfrc_ext[i] == 0);
  mj_sensorAcc(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forcesEqualReference), cmocka_unit_test(contactsAfterRows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
