// One choice of each kind together: presets, mixtures, other libraries' models.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"
#include "support/oracle.h"

static void run(TstScene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

// one model as it is and with the reference's physics set explicitly: the same bits
static void assertPresetChangesNothing(TstScene a, TstScene b) {
  assert_null(sn_setPhysics(b.m, &sn_physicsMujoco));
  a.d = mj_makeData(a.m);
  b.d = mj_makeData(b.m);
  run(&a, 20);
  run(&b, 20);
  assert_memory_equal(a.d->qpos, b.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  assert_memory_equal(a.d->qvel, b.d->qvel, (size_t)a.m->nv * sizeof(mjtNum));

  // also after another choice
  const mjtSize size = mj_sizeModel(b.m);
  if (!sn_setContact(b.m, "compliant", NULL)) {
    mj_resetData(b.m, b.d);
    run(&b, 5);
    assert_null(sn_setPhysics(b.m, &sn_physicsMujoco));
    assert_true(mj_sizeModel(b.m) > size);
    mj_resetData(b.m, b.d);
    run(&b, 20);
    assert_memory_equal(a.d->qpos, b.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  }
  tst_closeScene(&a);
  tst_closeScene(&b);
}

static mjModel* scene(const char* name) {
  char path[100], error[500] = "";
  snprintf(path, sizeof(path), "scenes/%s.xml", name);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  return m;
}

// every model of the tests, and ten scenes
static void test_42F_AC1_mujocoPreset(void** state) {
  (void)state;
  static const char* const scenes[] = {"humanoid",   "quadruped", "hand",   "car",         "cable_robot",
                                       "muscle_arm", "swimmer",   "engine", "servo_bench", "gripper_arm"};
  for (const char* const* name = tst_models; *name; name++) {
    assertPresetChangesNothing((TstScene){.m = tst_model(*name)}, (TstScene){.m = tst_model(*name)});
  }
  for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
    assertPresetChangesNothing((TstScene){.m = scene(scenes[i])}, (TstScene){.m = scene(scenes[i])});
  }
}

static void test_42F_AC2_animationPreset(void** state) {
  (void)state;
  TstScene s = tst_openScene(SHEET("timestep=\".001\"", "")), plain = tst_openScene(SHEET("timestep=\".001\"", ""));
  assert_null(sn_setPhysics(s.m, &sn_physicsAnimation));
  assert_string_equal(sn_getModel(s.m, SN_BENDING, 0, NULL)->name, "bridson");
  assert_string_equal(sn_getModel(s.m, SN_CONTACT, 0, NULL)->name, "xpbd");
  assert_string_equal(sn_getModel(s.m, SN_ELASTICITY, 0, NULL)->name, "linear");
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = plain.d->qvel[i] = sin(3 * i);
  run(&s, 30);
  run(&plain, 30);
  assert_int_equal(s.d->warning[mjWARN_BADQACC].number, 0);
  assert_memory_not_equal(s.d->qpos, plain.d->qpos, (size_t)s.m->nq * sizeof(mjtNum));
  tst_closeScene(&s);
  tst_closeScene(&plain);
}

// all kinds at once, chosen in the file and in C
static void test_42F_AC3_mixtures(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option timestep=\".001\" sinew:contact=\"xpbd\" sinew:substeps=\"4\"/><worldbody><geom type=\"plane\" "
      "size=\"2 2 .1\"/><body name=\"base\" pos=\"0 0 .2\"><flexcomp name=\"cube\" type=\"grid\" dim=\"3\" count=\"3 3 "
      "3\" "
      "spacing=\".05 .05 .05\" radius=\".005\" mass=\"1\"><contact selfcollide=\"none\" "
      "internal=\"false\"/><elasticity "
      "young=\"2e4\" poisson=\".3\" damping=\".002\"/></flexcomp></body><body pos=\"1 0 1\"><joint name=\"j\" axis=\"0 "
      "1 0\"/><geom type=\"capsule\" "
      "size=\".02\" fromto=\"0 0 0 .2 0 0\"/></body></worldbody><actuator><motor joint=\"j\" sinew:model=\"pid\" "
      "sinew:kp=\"20\" sinew:kd=\"1\"/></actuator></mujoco>");
  assert_null(sn_setElasticity(s.m, 0, "neo_hookean", NULL));
  run(&s, 600);
  mj_forward(s.m, s.d);
  assert_int_equal(s.d->warning[mjWARN_BADQACC].number, 0);
  mjtNum low = 1, high = -1;
  for (int v = 0; v < s.m->nflexvert; v++) {
    low = fmin(low, s.d->flexvert_xpos[3 * v + 2]);
    high = fmax(high, s.d->flexvert_xpos[3 * v + 2]);
  }
  assert_true(low > -0.01 && low < 0.02 && high - low > 0.07 && high - low < 0.11);
  tst_closeScene(&s);
}

// mj_makeData and mj_step do without any of this what the reference does
static void test_42F_AC4_nothingIsNeeded(void** state) {
  (void)state;
  if (!orc_available()) skip();
  static const char xml[] = SHEET("", "");
  char plain[sizeof(xml) + 10];
  snprintf(plain, sizeof(plain), "<mujoco>%s", strchr(xml, '>') + 1);
  mjModel* m = orc_compile(plain);
  mjData *ours = mj_makeData(m), *theirs = ORC(mj_makeData)(m);
  for (int i = 0; i < m->nv; i++) ours->qvel[i] = theirs->qvel[i] = 0.01 * sin(i);
  for (int i = 0; i < 10; i++) {
    mj_step(m, ours);
    ORC(mj_step)(m, theirs);
  }
  for (int i = 0; i < m->nq; i++) assert_near(ours->qpos[i], theirs->qpos[i], 1e-10);
  mj_deleteData(ours);
  ORC(mj_deleteData)(theirs);
  ORC(mj_deleteModel)(m);
}

// the reference loads a compiled model with choices in it, and keeps them
static void referenceLoadsChoices(void** state) {
  (void)state;
  if (!orc_available()) skip();
  mjModel* m =
      tst_string(SHEET("sinew:contact=\"xpbd\"", "sinew:bending=\"bridson\" sinew:elasticity=\"neo_hookean\""));
  const int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* theirs = ORC(mj_loadModelBuffer)(bytes, size);
  assert_non_null(theirs);
  assert_int_equal(theirs->ntext, 3);
  mjData* d = ORC(mj_makeData)(theirs);
  ORC(mj_step)(theirs, d);
  assert_string_equal(sn_getModel(theirs, SN_BENDING, 0, NULL)->name, "bridson");

  // ours works on the model that they hold, also when the choice is new
  assert_null(sn_setBending(theirs, 0, "cotangent", NULL));
  mjData* ours = mj_makeData(theirs);
  mj_step(theirs, ours);
  mj_deleteData(ours);
  ORC(mj_deleteData)(d);
  ORC(mj_deleteModel)(theirs);
  mj_deleteModel(m);
  free(bytes);
}

// the default path calls nothing through a table: a simulation without choices has no setting to look one up in
static void test_42F_AC5_defaultsAreCalledDirectly(void** state) {
  (void)state;
  for (int kind = 0; kind < SN_NKIND; kind++) {
    const snInfo* info = sn_modelAt((snKind)kind, 0);
    assert_int_equal(info->nparam, 0);
  }
  assert_null(((const snBending*)sn_modelAt(SN_BENDING, 0))->apply);
  assert_null(((const snElasticity*)sn_modelAt(SN_ELASTICITY, 0))->apply);
  assert_null(((const snActuation*)sn_modelAt(SN_ACTUATION, 0))->apply);
  assert_null(((const snContact*)sn_modelAt(SN_CONTACT, 0))->apply);
}

// another model for each episode gives another motion (examples/physics.c)
static void test_42F_AC6_episodes(void** state) {
  (void)state;
  TstScene s = tst_openScene(SHEET("timestep=\".0005\"", ""));
  static const char* const models[] = {"cotangent", "bridson"};
  mjtNum end[3][48];
  for (int episode = 0; episode < 3; episode++) {
    assert_null(sn_setBending(s.m, 0, models[episode % 2], NULL));
    mj_resetData(s.m, s.d);
    for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = 0.5 * sin(2 * i);
    run(&s, 100);
    memcpy(end[episode], s.d->qpos, sizeof(end[episode]));
  }
  assert_memory_equal(end[0], end[2], sizeof(end[0]));
  mjtNum apart = 0;
  for (int i = 0; i < 48; i++) apart = fmax(apart, fabs(end[0][i] - end[1][i]));
  assert_true(apart > 1e-6);
  tst_closeScene(&s);
}

// a preset that one element cannot take changes nothing
static void presetsAreAllOrNothing(void** state) {
  (void)state;
  mjModel* m = tst_string(SHEET("integrator=\"implicitfast\"", ""));
  assert_non_null(strstr(sn_setPhysics(m, &sn_physicsAnimation), "needs the integrator Euler"));
  assert_int_equal(m->ntext, 0);
  assert_null(sn_setPhysics(m, &sn_physicsSoft));
  assert_string_equal(sn_getModel(m, SN_ELASTICITY, 0, NULL)->name, "neo_hookean");
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_42F_AC1_mujocoPreset), cmocka_unit_test(test_42F_AC2_animationPreset),
      cmocka_unit_test(test_42F_AC3_mixtures),     cmocka_unit_test(test_42F_AC4_nothingIsNeeded),
      cmocka_unit_test(referenceLoadsChoices),     cmocka_unit_test(test_42F_AC5_defaultsAreCalledDirectly),
      cmocka_unit_test(test_42F_AC6_episodes),     cmocka_unit_test(presetsAreAllOrNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
