// Contact models: rest, overlap, stacks, sliding, reports, and switching between steps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"
#include "support/catch.h"

#define BOX(option, pos)                                                                                         \
  "<mujoco><option " option "/><worldbody><geom name=\"floor\" type=\"plane\" size=\"5 5 .1\"/><body pos=\"" pos \
  "\">"                                                                                                          \
  "<freejoint/><geom name=\"box\" type=\"box\" size=\".1 .1 .1\" mass=\"1\"/></body></worldbody></mujoco>"

// a flat box with friction 0.5, which slides without tipping
#define PLATE(option)                                                                         \
  "<mujoco><option " option                                                                   \
  "/><worldbody><geom type=\"plane\" size=\"5 5 .1\" friction=\".5\"/><body pos=\"0 0 .02\">" \
  "<freejoint/><geom type=\"box\" size=\".1 .1 .02\" mass=\"1\" margin=\".01\" "              \
  "friction=\".5\"/></body></worldbody></mujoco>"

static void step(TstScene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

// M (qacc - qacc_smooth) = Jᵀ efc_force = qfrc_constraint
static void assertForcesAct(TstScene* s) {
  mj_forward(s->m, s->d);
  mjtNum moved[100], apart[100], pulled[100];
  for (int i = 0; i < s->m->nv; i++) apart[i] = s->d->qacc[i] - s->d->qacc_smooth[i];
  mj_mulM(s->m, s->d, moved, apart);
  mj_mulJacTVec(s->m, s->d, pulled, s->d->efc_force);
  for (int i = 0; i < s->m->nv; i++) {
    assert_near(moved[i], s->d->qfrc_constraint[i], 1e-9 * (1 + fabs(moved[i])));
    assert_near(pulled[i], s->d->qfrc_constraint[i], 1e-9 * (1 + fabs(pulled[i])));
  }
}

//---------------------------------- acceptance of 42E ----------------------------------

static void test_42E_AC1_lcpIsTheReference(void** state) {
  (void)state;
  static const char* const solvers[] = {"PGS", "CG", "Newton"};
  for (int k = 0; k < 3; k++) {
    char xml[2][1000];
    snprintf(xml[0], sizeof(xml[0]), BOX("solver=\"%s\"", "0 0 .15"), solvers[k]);
    snprintf(xml[1], sizeof(xml[1]), BOX("solver=\"%s\" sinew:contact=\"lcp\"", "0 0 .15"), solvers[k]);
    TstScene a = tst_openScene(xml[0]), b = tst_openScene(xml[1]);
    a.d->qvel[0] = b.d->qvel[0] = 1;
    step(&a, 300);
    step(&b, 300);
    assert_memory_equal(a.d->qpos, b.d->qpos, 7 * sizeof(mjtNum));
    assert_memory_equal(a.d->qvel, b.d->qvel, 6 * sizeof(mjtNum));
    tst_closeScene(&a);
    tst_closeScene(&b);
  }
}

// ten seconds at rest, with both cones: less than 10 µm of drift
static void test_42E_AC2_xpbdBoxRests(void** state) {
  (void)state;
  static const char* const cones[] = {"pyramidal", "elliptic"};
  for (int k = 0; k < 2; k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), BOX("cone=\"%s\" sinew:contact=\"xpbd\"", "0 0 .1"), cones[k]);
    TstScene s = tst_openScene(xml);
    step(&s, 500);
    mjtNum start[7];
    memcpy(start, s.d->qpos, sizeof(start));
    step(&s, 5000);
    for (int i = 0; i < 7; i++) assert_near(s.d->qpos[i], start[i], 1e-5);
    assertForcesAct(&s);
    mjtNum total = 0;
    for (int i = 0; i < s.d->ncon; i++) {
      mjtNum f[6];
      mj_contactForce(s.m, s.d, i, f);
      total += f[0];
    }
    assert_near(total, 9.81, 1e-3);
    tst_closeScene(&s);
  }
}

// an overlap of a centimetre is gone after one step of fifty iterations, and the box does not fly
static void test_42E_AC3_xpbdResolvesOverlap(void** state) {
  (void)state;
  TstScene s = tst_openScene(BOX("sinew:contact=\"xpbd\" sinew:compliance=\"0\"", "0 0 .09"));
  step(&s, 1);
  assert_true(s.d->qpos[2] > 0.1 - 1e-4);
  mjtNum most = 0;
  for (int i = 0; i < 500; i++) {
    step(&s, 1);
    most = fmax(most, s.d->qpos[2]);
  }
  assert_true(most < 0.1005);
  tst_closeScene(&s);
}

static void test_42E_AC4_noCostWithoutChoice(void** state) {
  (void)state;
  TstScene s = tst_openScene(BOX("", "0 0 .1"));
  step(&s, 5);
  assert_int_equal(s.m->ntext + s.m->nnumeric, 0);
  assert_string_equal(sn_getModel(s.m, SN_CONTACT, 0, NULL)->name, "lcp");
  tst_closeScene(&s);
}

// every model after every other: the box stays where it is, and the way back leads to the reference's bits
static void test_42E_AC5_switchingBetweenSteps(void** state) {
  (void)state;
  static const char* const models[] = {"xpbd", "lcp", "compliant", "xpbd", "compliant", "lcp"};
  TstScene s = tst_openScene(BOX("", "0 0 .1")), plain = tst_openScene(BOX("", "0 0 .1"));
  for (int k = 0; k < 6; k++) {
    assert_null(sn_setContact(s.m, models[k], NULL));
    step(&s, 500);
    assert_near(s.d->qpos[2], 0.1, 2e-3);
    assert_near(s.d->qpos[3], 1, 1e-4);
  }
  mj_resetData(s.m, s.d);
  step(&s, 100);
  step(&plain, 100);
  assert_memory_equal(s.d->qpos, plain.d->qpos, 7 * sizeof(mjtNum));
  tst_closeScene(&s);
  tst_closeScene(&plain);
}

//---------------------------------- xpbd ----------------------------------

static void tenBoxesStand(void** state) {
  (void)state;
  char xml[3000] =
      "<mujoco><option timestep=\".004\" sinew:contact=\"xpbd\" sinew:substeps=\"4\"/>"
      "<default><geom margin=\".005\"/></default>"
      "<worldbody><geom type=\"plane\" size=\"5 5 .1\"/>";
  for (int i = 0; i < 10; i++) {
    snprintf(xml + strlen(xml), sizeof(xml) - strlen(xml),
             "<body pos=\"0 0 %g\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/></body>",
             0.1 + 0.2 * i);
  }
  strcat(xml, "</worldbody></mujoco>");
  TstScene s = tst_openScene(xml);
  step(&s, 2500);
  for (int i = 0; i < 10; i++) {
    const mjtNum* q = s.d->qpos + 7 * i;
    assert_near(q[2], 0.1 + 0.2 * i, 0.01);
    assert_true(fabs(q[0]) < 0.02 && fabs(q[1]) < 0.02 && q[3] > 0.999);
  }
  tst_closeScene(&s);
}

// where a plate is that slides to rest, every 10 ms
enum { PLACES = 50 };
static void slide(TstScene* s, mjtNum timestep, mjtNum place[PLACES]) {
  s->m->opt.timestep = timestep;
  const int per = (int)lround(0.01 / timestep);

  // at rest first, so that no model starts with a fall
  step(s, 30 * per);
  s->d->qpos[0] = 0;
  s->d->qvel[0] = 2;
  for (int i = 0; i < PLACES; i++) {
    step(s, per);
    place[i] = s->d->qpos[0];
  }
  assert_true(fabs(s->d->qvel[0]) < 1e-3);
}

// largest distance from the motion that lcp gives in fine steps
static mjtNum slideError(int substeps, const mjtNum lcp[PLACES]) {
  mjtNum place[PLACES], most = 0;
  TstScene s = tst_openScene(PLATE("cone=\"elliptic\""));
  assert_null(sn_setContact(s.m, "xpbd", (mjtNum[]){30, substeps, 0}));
  slide(&s, 0.01, place);
  for (int i = 0; i < PLACES; i++) most = fmax(most, fabs(place[i] - lcp[i]));
  tst_closeScene(&s);
  return most;
}

// 10 ms: at most 9.9 mm from the motion of lcp over a way of 408 mm, and half of that with twice the substeps
static void slidingErrorAgainstLcpShrinks(void** state) {
  (void)state;
  mjtNum lcp[PLACES], error[5];
  TstScene s = tst_openScene(PLATE("cone=\"elliptic\" impratio=\"100\""));
  s.m->geom_margin[1] = 0;
  s.m->geom_solref[0] = s.m->geom_solref[mjNREF] = 0.005;
  slide(&s, 1e-4, lcp);
  tst_closeScene(&s);
  assert_near(lcp[PLACES - 1], 2 * 2 / (2 * 0.5 * 9.81), 2e-4);
  for (int k = 0; k < 5; k++) error[k] = slideError(1 << k, lcp);
  assert_near(error[0], 9.87e-3, 5e-5);
  for (int k = 1; k < 5; k++) assert_true(error[k] < 0.52 * error[k - 1] && error[k] > 0.3 * error[k - 1]);
}

// joints at their limits, equalities, tendon limits and friction loss are constraints like contacts
static void allRowsAreProjected(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option timestep=\".002\" sinew:contact=\"xpbd\" sinew:iterations=\"20\"/><worldbody>"
      "<body pos=\"0 0 1\"><joint name=\"a\" axis=\"0 1 0\" range=\"-20 20\" limited=\"true\"/><geom type=\"capsule\" "
      "fromto=\"0 0 0 .3 0 0\" size=\".02\"/></body>"
      "<body pos=\"0 1 1\"><joint name=\"b\" axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 .3 0 0\" "
      "size=\".02\"/></body>"
      "<body name=\"hung\" pos=\"0 2 1\"><freejoint/><geom size=\".05\"/></body>"
      "<body pos=\"0 3 1\"><joint name=\"c\" type=\"slide\" axis=\"0 0 1\"/><geom size=\".05\"/></body>"
      "<body pos=\"0 4 1\"><joint name=\"d\" type=\"slide\" axis=\"0 0 1\" frictionloss=\"100\"/><geom "
      "size=\".05\"/></body>"
      "</worldbody><tendon><fixed name=\"t\" range=\"-.1 .1\" limited=\"true\"><joint joint=\"c\" "
      "coef=\"1\"/></fixed></tendon>"
      "<equality><joint joint1=\"b\" joint2=\"a\"/><connect body1=\"hung\" anchor=\"0 0 0\"/></equality></mujoco>");
  step(&s, 2000);
  const int* adr = s.m->jnt_qposadr;
  assert_near(s.d->qpos[adr[0]], 20 * mjPI / 180, 0.01);
  assert_near(s.d->qpos[adr[1]], s.d->qpos[adr[0]], 0.01);
  assert_near(s.d->qpos[adr[2] + 2], 1, 0.01);
  assert_near(s.d->qpos[adr[3]], -0.1, 0.005);
  assert_near(s.d->qpos[adr[4]], 0, 1e-6);
  assertForcesAct(&s);
  tst_closeScene(&s);
}

// sensors report what acted
static void sensorsReport(void** state) {
  (void)state;
  static const char* const models[] = {"xpbd", "compliant"};
  for (int k = 0; k < 2; k++) {
    char xml[1000];
    snprintf(
        xml, sizeof(xml),
        "<mujoco><option timestep=\".001\" sinew:contact=\"%s\"/><worldbody><geom type=\"plane\" size=\"5 5 "
        ".1\"/><body "
        "pos=\"0 0 .1\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/><site name=\"s\" type=\"box\" "
        "size=\".11 .11 .11\"/></body></worldbody><sensor><touch site=\"s\"/></sensor></mujoco>",
        models[k]);
    TstScene s = tst_openScene(xml);
    step(&s, 3000);
    assert_near(s.d->sensordata[0], 9.81, 0.02);
    tst_closeScene(&s);
  }
}

//---------------------------------- compliant ----------------------------------

// a ball at rest on a plane: k δ^1.5 = m g; its first bounce loses what dissipation says
static void compliantRestAndBounce(void** state) {
  (void)state;
#define BALL(height)                                                                                                 \
  "<mujoco><option timestep=\"1e-4\" sinew:contact=\"compliant\" sinew:stiffness=\"1e6\" sinew:dissipation=\".2\"/>" \
  "<worldbody><geom type=\"plane\" size=\"5 5 .1\"/><body pos=\"0 0 " height                                         \
  "\"><freejoint/><geom size=\".1\" mass=\"1\"/>"                                                                    \
  "</body></worldbody></mujoco>"
  TstScene s = tst_openScene(BALL("0.1"));
  s.m->opt.timestep = 1e-3;
  assert_null(sn_setContact(s.m, "compliant", (mjtNum[]){1e6, 1.5, 50, 0.01}));
  step(&s, 3000);
  assert_near(0.1 - s.d->qpos[2], pow(9.81 / 1e6, 2. / 3.), 1e-6);
  tst_closeScene(&s);

  s = tst_openScene(BALL("0.15"));
  mjtNum in = 0, out = 0;
  for (int i = 0; i < 5000; i++) {
    step(&s, 1);
    if (s.d->qvel[2] < in) in = s.d->qvel[2];
    if (i > 1000 && s.d->qvel[2] > out) out = s.d->qvel[2];
  }

  // about 1 - 2/3 c v for small losses
  assert_near(out / -in, 1 - 2. / 3. * 0.2 * -in, 0.02);
  tst_closeScene(&s);
}

static void compliantFriction(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      PLATE("timestep=\".0005\" sinew:contact=\"compliant\" sinew:dissipation=\"20\" sinew:slip=\".001\""));
  step(&s, 1000);
  s.d->qpos[0] = 0;
  s.d->qvel[0] = 1;
  step(&s, 1000);
  assert_near(s.d->qpos[0], 1 / (2 * 0.5 * 9.81), 0.003);
  assert_true(fabs(s.d->qvel[0]) < 0.01);
  tst_closeScene(&s);
}

static void rowsThatAModelCannotHandle(void** state) {
  (void)state;
  const char* message = whyNot(
      "<mujoco><option sinew:contact=\"compliant\"/><worldbody><body name=\"b\"><freejoint/>"
      "<geom size=\".1\"/></body></worldbody><equality><connect name=\"eq\" body1=\"b\" "
      "anchor=\"0 0 0\"/></equality></mujoco>");
  assert_non_null(strstr(message, "contact model 'compliant': equality 0 eq is a constraint that it does not have"));

  // chosen by hand in the entries, it is an error of mj_makeData
  mjModel* m = tst_string(
      "<mujoco><option sinew:contact=\"xpbd\"/><worldbody><body name=\"b\"><freejoint/>"
      "<geom size=\".1\"/></body></worldbody></mujoco>");
  m->opt.integrator = mjINT_RK4;
  assert_non_null(strstr(CATCH(mj_makeData(m)), "needs the integrator Euler"));
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_42E_AC1_lcpIsTheReference),
      cmocka_unit_test(test_42E_AC2_xpbdBoxRests),
      cmocka_unit_test(test_42E_AC3_xpbdResolvesOverlap),
      cmocka_unit_test(test_42E_AC4_noCostWithoutChoice),
      cmocka_unit_test(test_42E_AC5_switchingBetweenSteps),
      cmocka_unit_test(tenBoxesStand),
      cmocka_unit_test(slidingErrorAgainstLcpShrinks),
      cmocka_unit_test(allRowsAreProjected),
      cmocka_unit_test(sensorsReport),
      cmocka_unit_test(compliantRestAndBounce),
      cmocka_unit_test(compliantFriction),
      cmocka_unit_test(rowsThatAModelCannotHandle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
