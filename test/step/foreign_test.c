// mjData steps with a model that it was not made for: another of the same sizes, or its own after an edit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model.h"

//---------------------------------- trees ----------------------------------

#define LINK(type, more) \
  "<body pos='.1 .2 .3'><joint type='" type "' axis='0 1 0'/><geom size='.05' pos='.1 0 .1' mass='1'/>" more "</body>"
#define CHAIN3 LINK("hinge", LINK("slide", LINK("hinge", "")))
#define SINGLE LINK("hinge", "")
#define FREE   "<body pos='1 2 3'><freejoint/><geom size='.1 .2 .3' type='ellipsoid'/></body>"

// as many dofs, joints and entries of M each time
static const char* const TREES[] = {
    "<mujoco><option><flag contact='disable'/></option><worldbody>" CHAIN3 SINGLE FREE SINGLE "</worldbody></mujoco>",
    "<mujoco><option><flag contact='disable'/></option><worldbody>" SINGLE CHAIN3 SINGLE FREE "</worldbody></mujoco>",
    "<mujoco><option><flag contact='disable'/></option><worldbody>" FREE SINGLE SINGLE CHAIN3 "</worldbody></mujoco>",
};

static void shake(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * sin(i + 1.0);
}

// the same steps on data that is given and on data of the model's own
static void compareSteps(const mjModel* m, mjData* d, int n) {
  mjData* own = mj_makeData(m);
  mj_resetData(m, d);
  shake(m, own);
  shake(m, d);
  for (int k = 0; k < n; k++) {
    mj_step(m, own);
    mj_step(m, d);
  }
  mj_inverse(m, own);
  mj_inverse(m, d);
  for (int i = 0; i < m->nq; i++) assert_true(isfinite(own->qpos[i]));
  assert_memory_equal(own->qpos, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
  assert_memory_equal(own->qacc, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
  assert_memory_equal(own->qfrc_inverse, d->qfrc_inverse, sizeof(mjtNum) * (size_t)m->nv);
  mj_deleteData(own);
}

static void otherModelsOfTheSameSizes(void** state) {
  (void)state;
  for (int integrator = 0; integrator < 4; integrator++) {
    mjModel* m[3];
    for (int i = 0; i < 3; i++) {
      m[i] = tst_string(TREES[i]);
      m[i]->opt.integrator = integrator;
    }
    for (int made = 0; made < 3; made++) {
      mjData* d = mj_makeData(m[made]);
      for (int used = 0; used < 6; used++) {
        assert_int_equal(m[made]->nM, m[used % 3]->nM);
        compareSteps(m[used % 3], d, 20);
      }

      // a copy goes on with whatever the data was last used for
      mjData* copy = mj_copyData(NULL, m[2], d);
      compareSteps(m[2], copy, 5);
      compareSteps(m[0], copy, 5);
      mj_deleteData(copy);
      mj_deleteData(d);
    }
    for (int i = 0; i < 3; i++) mj_deleteModel(m[i]);
  }
}

// the same address, another content
static void editedModel(void** state) {
  (void)state;
  mjModel *m = tst_string(TREES[0]), *next = tst_string(TREES[1]);
  mjData* d = mj_makeData(m);
  compareSteps(m, d, 10);
  assert_ptr_equal(mj_copyModel(m, next), m);
  compareSteps(m, d, 10);

  // types of joints and geoms
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_HINGE) {
      m->jnt_type[j] = mjJNT_SLIDE;
    } else if (m->jnt_type[j] == mjJNT_SLIDE) {
      m->jnt_type[j] = mjJNT_HINGE;
    }
  }
  for (int g = 0; g < m->ngeom; g++) m->geom_type[g] = mjGEOM_SPHERE;
  compareSteps(m, d, 10);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(next);
}

//---------------------------------- transmission ----------------------------------

// a motor of a tree that sleeps is given to one that is awake
static void editedTransmission(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><option><flag sleep='enable' gravity='disable'/></option><worldbody>"
      "<body sleep='init'><joint name='a' type='slide' damping='1'/><geom size='.1'/></body>"
      "<body pos='0 3 0' sleep='never'><joint name='b' type='slide'/><geom size='.1'/></body></worldbody>"
      "<actuator><motor joint='a'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);
  for (int k = 0; k < 5; k++) mj_step(m, d);
  assert_true(d->tree_asleep[0] >= 0);
  m->actuator_trnid[0] = 1;
  d->ctrl[0] = 1;
  mj_step(m, d);
  assert_true(d->qfrc_actuator[1] == 1 && d->qvel[1] > 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(otherModelsOfTheSameSizes),
      cmocka_unit_test(editedModel),
      cmocka_unit_test(editedTransmission),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
