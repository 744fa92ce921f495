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

// shapes that tumble, hit by a corner and spin on: none passes, none gains energy. The inertia is that of a ball, so
// that turning fast is nothing that integrators cannot follow.
static void test_tumblingShapes(void** state) {
  (void)state;
  static const char* const geoms[] = {"type=\"box\" size=\".01 .02 .005\"", "type=\"capsule\" size=\".004 .03\"",
                                      "type=\"ellipsoid\" size=\".02 .01 .01\"", "type=\"cylinder\" size=\".01 .02\"",
                                      "type=\"box\" size=\".002 .05 .05\""};
  static const char* const options[] = {"integrator=\"implicit\"", "cone=\"elliptic\"", "solver=\"PGS\""};
  static const mjtNum speeds[] = {5, 20, 60, 100}, spins[] = {0, 50, 200, -700, 1500};
  for (size_t k = 0; k < 5 * 4 * 5; k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml),
             SHOT("%s",
                  CONTINUOUS "><freejoint/><inertial pos=\"0 0 0\" mass=\".01\" diaginertia=\"2e-6 2e-6 2e-6\"/>"
                             "<geom %s/>",
                  PLATE),
             options[k % 3], geoms[k / 20]);
    const Flight f = fly(xml, speeds[k / 5 % 4], spins[k % 5], 120);
    if (f.farthest > 0 || f.energy > 1 + 1e-9)
      fail_msg("%s, %g, %g: %g, %g", geoms[k / 20], speeds[k / 5 % 4], spins[k % 5], f.farthest, f.energy);
  }
}

// a rod that turns about its middle, 30 cm a step at its ends, stops at a plate beside it
static void test_turningRodStops(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><option gravity=\"0 0 0\"/><worldbody>"
             "<geom type=\"box\" size=\".2 .0005 .2\" pos=\"0 .1 0\"/><body %s><joint axis=\"0 0 1\"/>"
             "<geom type=\"capsule\" size=\".005 .15\" euler=\"0 90 0\" mass=\".01\"/></body></worldbody></mujoco>",
             k ? CONTINUOUS : "");
    TstScene s = tst_openScene(xml);
    s.d->qvel[0] = 1000;
    mjtNum most = 0;
    for (int i = 0; i < 50; i++) {
      mj_step(s.m, s.d);
      most = fmax(most, s.d->qpos[0]);
    }
    if (k ? most > 0.72 : most < 3) fail_msg("%d: %g", k, most);
    tst_closeScene(&s);
  }
}

// true surfaces and height fields are looked at as well: a ball flies into a tube, where its hull would stop it, and is
// stopped at the bottom; another one at a field
static void test_surfacesStop(void** state) {
  (void)state;
  char error[500], text[6000], vertex[2000] = "", face[2000] = "";
  const int n = 12;
  for (int i = 0; i < 4 * n; i++) {
    static const double ring[4][2] = {
        {.05, 0  },
        {.05, .2 },
        {.03, .2 },
        {.03, .01}
    };
    const double a = 2 * mjPI * (i % n) / n;
    sprintf(vertex + strlen(vertex), "%.5f %.5f %g ", ring[i / n][0] * cos(a), ring[i / n][0] * sin(a), ring[i / n][1]);
  }
  sprintf(vertex + strlen(vertex), "0 0 0 0 0 .01");
  for (int i = 0; i < n; i++) {
    const int j = (i + 1) % n;
    sprintf(face + strlen(face), "%d %d %d %d %d %d ", 4 * n, j, i, 4 * n + 1, 3 * n + i, 3 * n + j);
    for (int k = 0; k < 3; k++)
      sprintf(face + strlen(face), "%d %d %d %d %d %d ", k * n + i, k * n + j, k * n + n + j, k * n + i, k * n + n + j,
              k * n + n + i);
  }
  snprintf(
      text, sizeof(text),
      "<mujoco xmlns:sinew=\"urn:sinew\"><option gravity=\"0 0 0\"/><asset><mesh name=\"tube\" vertex=\"%s\" "
      "face=\"%s\" "
      "inertia=\"exact\" sinew:shape=\"exact\"/><hfield name=\"f\" nrow=\"5\" ncol=\"5\" size=\"1 1 .1 .01\"/></asset>"
      "<worldbody><geom type=\"mesh\" mesh=\"tube\"/><geom type=\"hfield\" hfield=\"f\" pos=\"2 0 0\"/>"
      "<body pos=\".003 .002 .49\" " CONTINUOUS
      "><freejoint/><geom size=\".005\" mass=\".01\"/></body>"
      "<body pos=\"2.1 .03 .49\" " CONTINUOUS
      "><freejoint/><geom type=\"box\" size=\".005 .005 .01\" mass=\".01\"/>"
      "</body></worldbody></mujoco>",
      vertex, face);
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  TstScene s = {.m = mj_compile(spec, NULL)};
  if (!s.m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  s.d = mj_makeData(s.m);
  s.d->qvel[2] = s.d->qvel[8] = -100;
  mjtNum least[2] = {1, 1};
  for (int i = 0; i < 50; i++) {
    mj_step(s.m, s.d);
    for (int k = 0; k < 2; k++) least[k] = fmin(least[k], s.d->qpos[7 * k + 2]);
  }
  assert_near(least[0], 0.015, 1e-3);
  assert_near(least[1], 0.01, 2e-3);
  tst_closeScene(&s);
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
  TstScene s = {.m = m, .d = mj_makeData(m)};
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
      cmocka_unit_test(test_turningRodStops),
      cmocka_unit_test(test_surfacesStop),
      cmocka_unit_test(test_missesWhatItMisses),
      cmocka_unit_test(test_slowBodiesAreAsBefore),
      cmocka_unit_test(test_sceneShot),
      cmocka_unit_test(test_savedAndBadInput),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
