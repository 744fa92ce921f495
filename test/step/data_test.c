// Make, copy, reset and delete of mjData.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "model/private.h"
#include "step/data.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/oracle.h"

// joints, tendons, actuators with history and delay, sensors, mocap and equality: every array of a reset is in use
static const char* ZOO =
    "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='m' mocap='true' pos='1 2 3' quat='1 1 0 0'/>"
    "<body pos='0 0 1'><freejoint/><geom size='.1'/><site name='s'/>"
    "<body pos='.3 0 0'><joint name='b' type='ball'/><geom size='.1'/>"
    "<body pos='.3 0 0'><joint name='h' axis='0 1 0'/><geom size='.1'/></body></body></body>"
    "</worldbody>"
    "<tendon><fixed name='t'><joint joint='h' coef='2'/></fixed></tendon>"
    "<actuator><motor joint='h' nsample='4' delay='.006'/><intvelocity joint='h' kp='3' actrange='-1 1'/></actuator>"
    "<sensor><framepos objtype='site' objname='s' nsample='3' interval='.01 -.003'/>"
    "<gyro site='s' nsample='2' delay='.004'/><jointpos joint='h' nsample='3' interval='.005'/></sensor>"
    "<equality><joint joint1='h' active='false'/><tendon tendon1='t'/></equality>"
    "<keyframe><key time='3' ctrl='1 2' mpos='4 5 6'/></keyframe>"
    "</mujoco>";

// errors are kept instead of ending the program
static jmp_buf back;
static char message[500];
static void raiseError(const char* text) {
  snprintf(message, sizeof(message), "%s", text);
  longjmp(back, 1);
}

// fails on the first array of the fixed buffer that differs
static void assertSameArrays(const mjModel* m, const mjData* a, const mjData* b) {
  for (int i = 0; i < mdl_ndataFields; i++) {
    const MdlField* f = mdl_dataFields + i;
    const size_t bytes = mdl_bytes(f, m, NULL);
    if (bytes && memcmp(*mdl_pointer(f, a), *mdl_pointer(f, b), bytes)) fail_msg("%s differs", f->name);
  }
}

static void assertSameScalars(const mjData* a, const mjData* b) {
  assert_memory_equal(&a->maxuse_con, &b->maxuse_con, offsetof(mjData, energy) - offsetof(mjData, maxuse_con));
  assert_int_equal(a->nbuffer, b->nbuffer);
  assert_int_equal(a->nplugin, b->nplugin);
  assert_true(a->signature == b->signature);
}

static void makeEqualsReference(void** state) {
  (void)state;
  mjModel* m = orc_compile(ZOO);
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  assertSameArrays(m, d, ref);
  assertSameScalars(d, ref);
  assert_ptr_equal(d->contact, d->arena);
  assert_true(d->narena >= m->narena);

  // keyframes
  mj_resetDataKeyframe(m, d, 0);
  ORC(mj_resetDataKeyframe)(m, ref, 0);
  assertSameArrays(m, d, ref);
  assert_true(d->time == 3);

  // filled with a value
  mj_resetDataDebug(m, d, 7);
  ORC(mj_resetDataDebug)(m, ref, 7);
  assertSameArrays(m, d, ref);
  assertSameScalars(d, ref);

  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
}

static void copyKeepsEverything(void** state) {
  (void)state;
  mjModel* m = orc_compile(ZOO);
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  ORC(mj_step)(m, ref);
  orc_mirror(m, d, ref);

  // into a new one and into an existing one
  mjData* copy = mj_copyData(NULL, m, d);
  assertSameArrays(m, copy, d);
  assertSameScalars(copy, d);
  assert_int_equal(copy->nefc, ref->nefc);
  assert_memory_equal(copy->efc_J, ref->efc_J, sizeof(mjtNum) * ref->nJ);
  assert_true((char*)copy->efc_J - (char*)copy->arena == (char*)d->efc_J - (char*)d->arena);
  mj_resetData(m, copy);
  assert_ptr_equal(mj_copyData(copy, m, d), copy);
  assertSameArrays(m, copy, d);

  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteData(NULL);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
}

// every test model starts as in the reference
static void allModelsStartAsInReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    // results of a whole forward pass are compared elsewhere
    if (!strcmp(tst_models[i], "sleepers")) continue;
    mjModel* m = tst_model(tst_models[i]);
    mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
    assertSameArrays(m, d, ref);
    assertSameScalars(d, ref);
    mj_deleteData(d);
    ORC(mj_deleteData)(ref);
    mj_deleteModel(m);
  }
}

// trees that start asleep: found by a forward pass, whose results agree to rounding
static void sleepersStartAsInReference(void** state) {
  (void)state;
  mjModel* m = tst_model("sleepers");
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  int asleep = 0;
  for (int i = 0; i < m->ntree; i++) asleep += d->tree_asleep[i] >= 0;
  assert_int_equal(asleep, 1);
  assert_int_equal(d->ntree_awake, m->ntree - 1);
  for (int i = 0; i < mdl_ndataFields; i++) {
    const MdlField* f = mdl_dataFields + i;
    const size_t bytes = mdl_bytes(f, m, NULL);
    const void *x = *mdl_pointer(f, d), *y = *mdl_pointer(f, ref);
    if (f->type != MDL_NUM && bytes && memcmp(x, y, bytes)) fail_msg("%s differs", f->name);
    for (size_t k = 0; f->type == MDL_NUM && k < bytes / sizeof(mjtNum); k++) {
      const mjtNum a = ((const mjtNum*)x)[k], b = ((const mjtNum*)y)[k];
      // the solver stops at its tolerance, so accelerations agree to about that
      if (fabs(a - b) > 1e-7 * (1 + fabs(a))) fail_msg("%s[%zu]: %.17g, reference %.17g", f->name, k, a, b);
    }
  }
  assert_int_equal(d->ncon, ref->ncon);
  assert_int_equal(d->nefc, ref->nefc);
  assert_int_equal(d->nisland, ref->nisland);
  assert_memory_equal(&d->ntree_awake, &ref->ntree_awake, offsetof(mjData, time) - offsetof(mjData, ntree_awake));
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);

  // a tree that touches one that must stay awake cannot sleep: an error that names it
  mjModel* touching = tst_model("sleepers");
  touching->qpos0[7] = -0.85;
  mju_user_error = raiseError;
  message[0] = 0;
  if (!setjmp(back)) mj_makeData(touching);
  mju_user_error = NULL;
  assert_non_null(strstr(message, "1 trees were marked as sleep='init' but only 0 could be slept.\nBody 'init'"));
  mj_deleteModel(touching);
  mj_deleteModel(m);
}

// contacts of trees that start asleep have no rows, so no forces
static void sleepersHaveNoForces(void** state) {
  (void)state;
  mjModel* m = tst_model("sleepers");
  mjData* d = mj_makeData(m);
  for (int trial = 0; trial < 2; trial++) {
    assert_true(d->ncon > 0 && d->nefc == 0);
    for (int i = 0; i < d->ncon; i++) {
      mjtNum force[6];
      assert_int_equal(d->contact[i].efc_address, -1);
      mj_contactForce(m, d, i, force);
      for (int k = 0; k < 6; k++) assert_true(force[k] == 0);
    }
    mj_rnePostConstraint(m, d);
    mj_step(m, d);
    mj_resetData(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// what a reset leaves does not depend on what was there before
static void resetForgetsEverything(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    mjData *d = mj_makeData(m), *fresh = mj_makeData(m);
    for (int k = 0; k < mdl_ndataFields; k++) {
      const size_t bytes = mdl_bytes(mdl_dataFields + k, m, NULL);
      if (bytes) memset(*mdl_pointer(mdl_dataFields + k, d), 0x3F, bytes);
    }
    d->time = 9;
    d->ncon = d->nefc = 3;
    d->nplugin = 0;
    mj_resetData(m, d);
    assertSameArrays(m, d, fresh);
    assertSameScalars(d, fresh);
    mj_deleteData(d);
    mj_deleteData(fresh);
    mj_deleteModel(m);
  }
}

// plain memory from the user's allocator instead of reserved address space
static int nalloc, nfree;
static void* countedMalloc(size_t size) {
  nalloc++;
  return aligned_alloc(64, (size + 63) & ~(size_t)63);
}
static void countedFree(void* p) {
  nfree++;
  free(p);
}

static void userAllocatorIsUsed(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* reserved = mj_makeData(m);
  mju_user_malloc = countedMalloc;
  mju_user_free = countedFree;
  mjData* d = mj_makeData(m);
  assert_true(nalloc >= 3);
  assert_int_equal(d->narena, m->narena);

  // data of either kind can be copied into the other
  reserved->qpos[0] = 2;
  mj_copyData(d, m, reserved);
  assert_true(d->qpos[0] == 2 && d->narena == m->narena && reserved->narena > d->narena);
  mj_deleteData(d);
  assert_int_equal(nalloc, nfree);
  mju_user_malloc = NULL;
  mju_user_free = NULL;
  mj_deleteData(reserved);
  mj_deleteModel(m);
}

// the reservation is there: its last byte can be written, and it costs little
static void arenaIsReservedNotCommitted(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* many[64];
  for (int i = 0; i < 64; i++) {
    many[i] = mj_makeData(m);
    ((char*)many[i]->arena)[many[i]->narena - 1] = 1;
    assert_true(many[i]->narena >= m->narena && many[i]->narena <= (mjtSize)1 << 30);
  }
  for (int i = 0; i < 64; i++) mj_deleteData(many[i]);

  // a model that asks for more gets it
  m->narena = ((mjtSize)1 << 30) + 12345;
  mjData* large = mj_makeData(m);
  assert_true(large->narena >= m->narena);
  mj_deleteData(large);
  mj_deleteModel(m);
}

// mjv_copyData leaves out what drawing does not need
static void visualCopySkipsTheRest(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  mjData *src = mj_makeData(m), *dest = mj_makeData(m);
  src->xpos[3] = 5;
  src->qM[0] = 7;
  src->crb[10] = 8;
  mjv_copyData(dest, m, src);
  assert_true(dest->xpos[3] == 5 && dest->qM[0] == 0 && dest->crb[10] == 0);
  mj_copyData(dest, m, src);
  assert_true(dest->qM[0] == 7 && dest->crb[10] == 8);
  mj_deleteData(src);
  mj_deleteData(dest);
  mj_deleteModel(m);
}

// the same mjData for another model
static void dataIsRemadeInPlace(void** state) {
  (void)state;
  mjModel *small = tst_model("pendulum"), *large = tst_model("chain");
  mjData *d = mj_makeData(small), *fresh = mj_makeData(large);
  stp_remakeData(large, d);
  assertSameArrays(large, d, fresh);
  assert_int_equal(d->nbuffer, fresh->nbuffer);
  assert_ptr_equal(d->contact, d->arena);
  mj_deleteData(d);
  mj_deleteData(fresh);
  mj_deleteModel(small);
  mj_deleteModel(large);
}

static void keepMessage(const char* text) {
  snprintf(message, sizeof(message), "%s", text);
}

// one negative size among many good ones: no data, and a warning that names an array with that size
static void negativeSizesAreRefused(void** state) {
  (void)state;
  mjModel* m = tst_string(ZOO);
  const struct {
    mjtSize* size;
    const char* array;
  } cases[] = {
      {&m->nq,          "qpos"        },
      {&m->nv,          "qvel"        },
      {&m->nu,          "ctrl"        },
      {&m->nbody,       "xfrc_applied"},
      {&m->nsensordata, "sensordata"  },
      {&m->nhistory,    "history"     },
      {&m->neq,         "eq_active"   },
  };
  mju_user_warning = keepMessage;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const mjtSize good = *cases[i].size;
    *cases[i].size = -1;
    message[0] = 0;
    assert_null(mj_makeData(m));
    *cases[i].size = good;
    assert_non_null(strstr(message, cases[i].array));
  }
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

// copies that cannot be made leave nothing behind, whether the handler jumps or returns
static void returnFromError(const char* text) {
  (void)text;
}
static void failedCopiesAreFreed(void** state) {
  (void)state;
  mjModel* const m = tst_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  mjModel* const other = tst_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  mjData* const d = mj_makeData(m);
  mju_user_malloc = countedMalloc;
  mju_user_free = countedFree;
  assert_non_null(strstr(CATCH(mj_copyData(NULL, other, d)), "different size"));
  assert_int_equal(nalloc, nfree);
  d->pstack = 64;
  assert_non_null(strstr(CATCH(mj_copyData(NULL, m, d)), "scratch memory in use"));
  assert_int_equal(nalloc, nfree);
  mju_user_error = returnFromError;
  assert_null(mj_copyData(NULL, m, d));
  assert_int_equal(nalloc, nfree);
  mju_clearHandlers();
  d->pstack = 0;
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failedCopiesAreFreed),    cmocka_unit_test(makeEqualsReference),
      cmocka_unit_test(copyKeepsEverything),     cmocka_unit_test(allModelsStartAsInReference),
      cmocka_unit_test(resetForgetsEverything),  cmocka_unit_test(sleepersStartAsInReference),
      cmocka_unit_test(userAllocatorIsUsed),     cmocka_unit_test(arenaIsReservedNotCommitted),
      cmocka_unit_test(visualCopySkipsTheRest),  cmocka_unit_test(dataIsRemadeInPlace),
      cmocka_unit_test(negativeSizesAreRefused), cmocka_unit_test(sleepersHaveNoForces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
