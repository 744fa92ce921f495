// Fast bodies do not pass through others, and gain no energy.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/batch.h>

#include "physics/flexes.h"
#include "support/near.h"

// something that flies at a plate of 1 mm at x = 0
#define SHOT(option, body, plate)                                                                                  \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option gravity=\"0 0 0\" " option "/><worldbody><geom name=\"plate\" " plate \
  "/><body pos=\"-.53 0 0\" " body "</body></worldbody></mujoco>"
#define PLATE      "type=\"box\" size=\".0005 .3 .3\""
#define CONTINUOUS "sinew:continuous=\"true\""

typedef struct {
  mjtNum farthest, energy;  // largest x, and largest kinetic energy as a part of the first
  mjtNum speed;             // at the end
} Flight;

static Flight fly(const char* xml, mjtNum vx, mjtNum spin, int steps) {
  TstScene s = tst_openScene(xml);
  s.m->opt.enableflags |= mjENBL_ENERGY;
  s.d->qvel[0] = vx;
  s.d->qvel[5] = spin;
  mj_forward(s.m, s.d);
  const mjtNum start = s.d->energy[1];
  Flight f = {-1, 0, 0};
  for (int i = 0; i < steps; i++) {
    mj_step(s.m, s.d);
    f.farthest = fmax(f.farthest, s.d->qpos[0]);
    mj_energyVel(s.m, s.d);
    f.energy = fmax(f.energy, s.d->energy[1] / start);
  }
  f.speed = mju_norm(s.d->qvel, 6);
  tst_closeScene(&s);
  return f;
}

// 1 cm at 100 m/s: 20 cm a step
static void test_ballDoesNotPassAPlate(void** state) {
  (void)state;
  static const char* const options[] = {"cone=\"elliptic\"",       "cone=\"pyramidal\"", "integrator=\"implicitfast\"",
                                        "integrator=\"implicit\"", "solver=\"PGS\"",     "solver=\"CG\""};
  static const char* const plates[] = {PLATE, "type=\"plane\" size=\"1 1 1\" zaxis=\"-1 0 0\"",
                                       "type=\"cylinder\" size=\".3 .0005\" zaxis=\"1 0 0\""};
  for (size_t k = 0; k < 6 * 3; k++) {
    for (mjtNum speed = 100; speed > 30; speed *= 0.83) {
      char xml[1000];
      snprintf(xml, sizeof(xml), SHOT("%s", CONTINUOUS "><freejoint/><geom size=\".005\" mass=\".01\"/>", "%s"),
               options[k % 6], plates[k / 6]);
      const Flight f = fly(xml, speed, 0, 50);
      if (f.farthest > 0 || f.energy > 1 + 1e-9)
        fail_msg("%s %s at %g: %g, %g", options[k % 6], plates[k / 6], speed, f.farthest, f.energy);
    }
  }

  // without it goes through
  assert_true(fly(SHOT("", "><freejoint/><geom size=\".005\" mass=\".01\"/>", PLATE), 100, 0, 20).farthest > 0.1);
}

// boxes, capsules and meshes that tumble; the plate moves too
static void test_tumblingShapes(void** state) {
  (void)state;
  static const char* const geoms[] = {"type=\"box\" size=\".01 .02 .005\"", "type=\"capsule\" size=\".004 .03\"",
                                      "type=\"ellipsoid\" size=\".02 .01 .01\"", "type=\"cylinder\" size=\".01 .02\""};
  for (size_t k = 0; k < 4; k++) {
    for (int spin = 0; spin <= 100; spin += 50) {
      char xml[1000];
      snprintf(xml, sizeof(xml),
               SHOT("integrator=\"implicit\"", CONTINUOUS "><freejoint/><geom %s mass=\".01\"/>", PLATE), geoms[k]);
      const Flight f = fly(xml, 20, spin, 200);
      if (f.farthest > 0.005 || f.energy > 1 + 1e-6) fail_msg("%s, %d: %g, %g", geoms[k], spin, f.farthest, f.energy);
    }
  }
}

// what flies past an edge is not held up
static void test_missesWhatItMisses(void** state) {
  (void)state;
  const Flight f = fly(SHOT("", CONTINUOUS "><freejoint/><geom size=\".005\" mass=\".01\"/>",
                            "type=\"box\" size=\".0005 .1 .1\" pos=\"0 .107 0\""),
                       100, 0, 20);
  assert_true(f.farthest > 3);
  assert_near(f.speed, 100, 1e-9);
}

// the scene of the documentation: one of two is stopped
static void test_sceneShot(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/shot.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {m, mj_makeData(m)};
  mj_resetDataKeyframe(m, s.d, 0);
  for (int i = 0; i < 20; i++) mj_step(s.m, s.d);
  assert_true(s.d->qpos[0] < 0.53 && s.d->qpos[0] > 0.52);
  assert_true(s.d->qpos[1] > 3);
  tst_closeScene(&s);
}

// slow bodies are as without: the same bits
static void test_slowBodiesAreAsBefore(void** state) {
  (void)state;
  mjtNum qpos[2][7];
  for (int k = 0; k < 2; k++) {
    char xml[1000];
    snprintf(
        xml, sizeof(xml),
        "<mujoco xmlns:sinew=\"urn:sinew\"><worldbody><geom type=\"plane\" size=\"1 1 1\"/><body pos=\"0 0 .12\" %s>"
        "<freejoint/><geom type=\"box\" size=\".1 .1 .1\"/></body></worldbody></mujoco>",
        k ? CONTINUOUS : "");
    TstScene s = tst_openScene(xml);
    for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
    memcpy(qpos[k], s.d->qpos, sizeof(qpos[k]));
    tst_closeScene(&s);
  }
  assert_memory_equal(qpos[0], qpos[1], sizeof(qpos[0]));
}

// a batch of two threads, with bodies, exact meshes and decomposed ones, has the bits of single simulations
static void test_batch(void** state) {
  (void)state;
  static const char* const scenes[] = {"shot", "links", "mug"};
  for (int k = 0; k < 3; k++) {
    char path[100], error[500] = "", message[300];
    snprintf(path, sizeof(path), "scenes/contact/%s.xml", scenes[k]);
    mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
    if (!m) fail_msg("%s", error);
    mjData* d = mj_makeData(m);
    snBatchOptions options;
    sn_defaultBatchOptions(&options);
    options.nthread = 2;
    snBatch* b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, 4, &options, message, sizeof(message));
    assert_non_null(b);
    snField qpos, qvel, ctrl;
    assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "qvel", &qvel), SN_OK);
    assert_int_equal(sn_batchField(b, 0, "ctrl", &ctrl), SN_OK);
    for (int i = 0; i < 4; i++) {
      memcpy((char*)qpos.data + i * qpos.stride[0], m->key_qpos, sizeof(mjtNum) * (size_t)m->nq);
      memcpy((char*)qvel.data + i * qvel.stride[0], m->key_qvel, sizeof(mjtNum) * (size_t)m->nv);
      *(mjtNum*)(void*)((char*)qvel.data + i * qvel.stride[0]) += 0.01 * i;
      if (m->nu) memcpy((char*)ctrl.data + i * ctrl.stride[0], m->key_ctrl, sizeof(mjtNum) * (size_t)m->nu);
    }
    for (int t = 0; t < 4; t++) assert_int_equal(sn_batchStep(b, NULL, 5), SN_OK);
    for (int i = 0; i < 4; i++) {
      mj_resetDataKeyframe(m, d, 0);
      d->qvel[0] += 0.01 * i;
      for (int t = 0; t < 20; t++) mj_step(m, d);
      assert_memory_equal(d->qpos, (char*)qpos.data + i * qpos.stride[0], sizeof(mjtNum) * (size_t)m->nq);
    }
    sn_deleteBatch(b);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void test_savedAndBadInput(void** state) {
  (void)state;
  char error[500], text[3000];
  mjSpec* spec =
      mj_parseXMLString(SHOT("", CONTINUOUS "><freejoint/><geom size=\".005\"/>", PLATE), NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "sinew:continuous=\"true\""));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  assert_non_null(strstr(whyNot(SHOT("integrator=\"RK4\"", CONTINUOUS "><geom size=\"1\"/>", PLATE)),
                         "needs the integrator Euler"));
  assert_non_null(strstr(whyNot(SHOT("", "sinew:continuous=\"yes\"><geom size=\"1\"/>", PLATE)),
                         "'sinew:continuous' is 'yes', must be 'true' or 'false'"));
  assert_non_null(
      strstr(whyNot(SHOT("", "sinew:continous=\"true\"><geom size=\"1\"/>", PLATE)), "did you mean 'continuous'?"));
  assert_non_null(
      strstr(whyNot("<mujoco><custom><numeric name=\"sinew:continuous:bodies\" data=\"1 0 1\"/></custom></mujoco>"),
             "has 3 values, the model has 1 bodies"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ballDoesNotPassAPlate),
      cmocka_unit_test(test_tumblingShapes),
      cmocka_unit_test(test_missesWhatItMisses),
      cmocka_unit_test(test_slowBodiesAreAsBefore),
      cmocka_unit_test(test_sceneShot),
      cmocka_unit_test(test_batch),
      cmocka_unit_test(test_savedAndBadInput),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
