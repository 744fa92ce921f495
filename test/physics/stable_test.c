// The largest stable timestep of chosen models: motions stay bounded below it and grow above it; the compiler warns.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"

#define SLIDER(attributes)                                                                                    \
  "<mujoco><option gravity=\"0 0 0\" timestep=\".0001\"/><worldbody><body><joint name=\"j\" type=\"slide\"/>" \
  "<geom size=\".1\" mass=\"2\"/></body></worldbody><actuator><general name=\"a\" joint=\"j\" gear=\"3\" "    \
  "sinew:model=\"series_elastic\" " attributes "/></actuator></mujoco>"

static mjtNum fastest(const TstScene* s) {
  mjtNum most = 0;
  for (int i = 0; i < s->m->nv; i++) most = fmax(most, fabs(s->d->qvel[i]));
  return most;
}

// a push that is small enough for everything to be linear; 1: it has grown a thousandfold after many steps
static int grows(const TstScene* s, mjtNum timestep) {
  const mjtNum push = 1e-9;
  mj_resetData(s->m, s->d);
  s->m->opt.timestep = timestep;
  for (int i = 0; i < s->m->nv; i++) s->d->qvel[i] = push * sin(5 * i + 1);
  for (int i = 0; i < 1000 && fastest(s) < 1000 * push; i++) mj_step(s->m, s->d);
  return !(fastest(s) < 1000 * push);
}

static void assertLimit(const TstScene* s, snKind kind) {
  mj_forward(s->m, s->d);
  const mjtNum most = sn_stableTimestep(s->m, s->d, kind, 0);
  assert_true(most > 0 && most < 1);
  assert_false(grows(s, 0.97 * most));
  assert_true(grows(s, 1.05 * most));
}

static void flexes(void** state) {
  (void)state;
  static const char* const elastic[] = {"young=\"1e4\" poisson=\".3\"", "young=\"1e4\" poisson=\".3\" damping=\".01\""};
  static const mjtIntegrator integrators[] = {mjINT_EULER, mjINT_RK4};
  for (int k = 0; k < 4; k++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), CUBE("gravity=\"0 0 0\"", "sinew:elasticity=\"neo_hookean\"", "%s"), elastic[k / 2]);
    TstScene s = tst_openScene(xml);
    s.m->opt.integrator = integrators[k % 2];
    assertLimit(&s, SN_ELASTICITY);

    // implicit steps take any
    s.m->opt.integrator = mjINT_IMPLICITFAST;
    assert_true(isinf(sn_stableTimestep(s.m, s.d, SN_ELASTICITY, 0)));
    if (k == 0) assert_false(grows(&s, 0.1));
    tst_closeScene(&s);
  }

  // bending alone, stiffer than the stretch of its sheet; the clamp on large moments is not reached
  TstScene s = tst_openScene(SHEET("gravity=\"0 0 0\"", "sinew:bending=\"bridson\" sinew:bend_stiffness=\"1\""));
  assertLimit(&s, SN_BENDING);
  assert_true(isinf(sn_stableTimestep(s.m, s.d, SN_ELASTICITY, 0)));
  tst_closeScene(&s);
}

// k w = ω²: in closed form 2/ω without damping; with damping explicit steps take less, steps implicit in velocity more
static void actuators(void** state) {
  (void)state;
  const mjtNum w = 9 / 2., square = 1000 * w;
  static const mjtIntegrator integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICITFAST};
  for (int k = 0; k < 6; k++) {
    TstScene s = tst_openScene(k < 3 ? SLIDER("sinew:params=\"1000 0 1\"") : SLIDER("sinew:params=\"1000 10 1\""));
    s.m->opt.integrator = integrators[k % 3];
    assertLimit(&s, SN_ACTUATION);
    const mjtNum most = sn_stableTimestep(s.m, s.d, SN_ACTUATION, 0), rate = k < 3 ? 0 : 10 * w;
    if (k % 3 == 0) assert_near(most * most * square + 2 * most * rate, 4, 1e-6);
    if (k % 3 == 2) assert_near(most * most * square - 2 * most * rate, 4, 1e-6);
    tst_closeScene(&s);
  }
}

// a ball that rests: half of the limit carries it, three times the limit throws it
static void contacts(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option sinew:contact=\"compliant\" sinew:dissipation=\"0\" timestep=\"1e-5\"/><worldbody>"
      "<geom type=\"plane\" size=\"1 1 .1\"/><body pos=\"0 0 .1\"><freejoint/><geom size=\".1\" mass=\".2\" "
      "condim=\"1\"/></body></worldbody></mujoco>");
  mj_forward(s.m, s.d);
  const mjtNum most = sn_stableTimestep(s.m, s.d, SN_CONTACT, 0), depth = pow(0.2 * 9.81 / 1e5, 2. / 3.);
  assert_near(most, 2 / sqrt(1.5 * 1e5 * sqrt(depth) / 0.2), 1e-6);
  for (int k = 0; k < 2; k++) {
    mj_resetData(s.m, s.d);
    s.m->opt.timestep = k ? 3 * most : most / 2;
    s.d->qpos[2] = 0.1 - 0.999 * depth;
    mjtNum apart = 0;
    for (int i = 0; i < 300; i++) {
      mj_step(s.m, s.d);
      apart = fmax(apart, fabs(s.d->qpos[2] - 0.1 + depth));
    }
    assert_true(k ? apart > depth / 2 : apart < depth / 100);
  }
  tst_closeScene(&s);
}

// defaults and wrong arguments have no limit
static void withoutChoice(void** state) {
  (void)state;
  TstScene s = tst_openScene(SHEET("", ""));
  for (int k = -1; k <= SN_NKIND; k++) assert_true(isinf(sn_stableTimestep(s.m, s.d, (snKind)k, 0)));
  assert_true(isinf(sn_stableTimestep(NULL, s.d, SN_BENDING, 0)));
  assert_true(isinf(sn_stableTimestep(s.m, s.d, SN_BENDING, 7)));
  tst_closeScene(&s);
}

//---------------------------------- warnings ----------------------------------

// what the compiler warns of; "": nothing
static const char* warningOf(const char* xml) {
  static char text[2000];
  char error[500];
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  snprintf(text, sizeof(text), "%s", mjs_getError(spec));
  assert_int_equal(mjs_isWarning(spec), *text != 0);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return text;
}

static void compilerWarns(void** state) {
  (void)state;
  const char* text = warningOf(CUBE("timestep=\".01\"", "sinew:elasticity=\"neo_hookean\"", "young=\"1e6\""));
  assert_non_null(
      strstr(text, "elasticity model 'neo_hookean' of flex 'cube', line 1, is too stiff for a timestep of 0.01"));
  double most = 0;
  const char* number = strstr(text, "the largest stable one is ");
  assert_non_null(number);
  assert_int_equal(sscanf(number, "the largest stable one is %lf", &most), 1);
  assert_non_null(strstr(text, "implicitfast takes any"));

  // with the timestep that it names, or implicit steps, there is nothing to say
  char xml[2000];
  snprintf(xml, sizeof(xml), CUBE("timestep=\"%g\"", "sinew:elasticity=\"neo_hookean\"", "young=\"1e6\""), 0.99 * most);
  assert_string_equal(warningOf(xml), "");
  assert_string_equal(warningOf(CUBE("timestep=\".01\" integrator=\"implicitfast\"", "sinew:elasticity=\"neo_hookean\"",
                                     "young=\"1e6\"")),
                      "");

  // one sentence for a sheet with both, one for each actuator, one for contacts
  text = warningOf(SHEET("timestep=\".05\"", "sinew:elasticity=\"neo_hookean\" sinew:bending=\"bridson\""));
  assert_non_null(strstr(text, "flex 'sheet'"));
  assert_null(strstr(text, "bending model"));
  text = warningOf(SHEET("timestep=\".002\"", "sinew:bending=\"bridson\" sinew:bend_stiffness=\"1e4\""));
  assert_non_null(strstr(text, "bending model 'bridson' of flex 'sheet'"));
  assert_non_null(strstr(warningOf(SLIDER("sinew:params=\"1e9 0 1\"")),
                         "actuation model 'series_elastic' of actuator 'a', line 1, is too stiff"));
  text = warningOf(
      "<mujoco><option sinew:contact=\"compliant\" sinew:stiffness=\"1e9\"/><worldbody><geom type=\"plane\" size=\"1 1 "
      "1\"/><body><freejoint/><geom size=\".01\"/></body></worldbody></mujoco>");
  assert_non_null(strstr(text, "contact model 'compliant' is too stiff for a timestep of 0.002"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flexes),        cmocka_unit_test(actuators),     cmocka_unit_test(contacts),
      cmocka_unit_test(withoutChoice), cmocka_unit_test(compilerWarns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
