// Joints by sinew:type: they move as they should, are saved as written, and say what is wrong.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"
#include "support/near.h"

#define BODY(joint)                                                                                               \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option gravity=\"0 0 -9.81\"/><worldbody><body name=\"b\"><joint "          \
  "name=\"j\" " joint                                                                                             \
  "/><geom type=\"box\" size=\".1 .2 .05\" mass=\"1\" pos=\".1 0 0\"/></body><body name=\"other\" pos=\"1 0 0\">" \
  "<joint name=\"k\" axis=\"0 0 1\"/><geom size=\".1\"/></body></worldbody></mujoco>"

// a nut on a bolt: a turn is a pitch, and gravity turns it
static void test_screw(void** state) {
  (void)state;
  TstScene s = tst_openScene(BODY("axis=\"0 0 1\" sinew:type=\"screw\" sinew:pitch=\".05\""));
  assert_int_equal(s.m->njnt, 3);
  assert_int_equal(s.m->neq, 1);
  assert_int_equal(s.m->jnt_type[0], mjJNT_HINGE);
  assert_int_equal(s.m->jnt_type[1], mjJNT_SLIDE);
  assert_int_equal(mj_name2id(s.m, mjOBJ_JOINT, "j#2"), 1);
  s.d->qvel[0] = 10;
  s.d->qvel[1] = 10 * 0.05 / (2 * mjPI);
  for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
  assert_true(s.d->qpos[0] > 8);
  assert_near(s.d->qpos[1], s.d->qpos[0] * 0.05 / (2 * mjPI), 1e-3);

  // let go it turns downwards, and slower than it would fall
  mj_resetData(s.m, s.d);
  for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
  assert_true(s.d->qpos[0] < -0.1 && s.d->qpos[1] < 0 && s.d->qpos[1] > -4);
  tst_closeScene(&s);
}

// two hinges across each other
static void test_universal(void** state) {
  (void)state;
  TstScene s = tst_openScene(BODY("axis=\"1 0 0\" sinew:type=\"universal\" sinew:axis2=\"0 1 0\" damping=\".1\""));
  assert_int_equal(s.m->nv, 3);
  assert_int_equal(s.m->neq, 0);
  assert_near(s.m->jnt_axis[3 + 1], 1, 0);
  assert_near(s.m->dof_damping[1], 0.1, 0);
  s.d->qpos[0] = 0.3;
  s.d->qpos[1] = 0.4;
  mj_kinematics(s.m, s.d);

  // turning about the body's own axis is what it cannot do
  mjtNum first[4], second[4], both[4];
  mju_axisAngle2Quat(first, (mjtNum[]){1, 0, 0}, 0.3);
  mju_axisAngle2Quat(second, (mjtNum[]){0, 1, 0}, 0.4);
  mju_mulQuat(both, first, second);
  for (int i = 0; i < 4; i++) assert_near(s.d->xquat[4 + i], both[i], 1e-12);
  tst_closeScene(&s);
}

// moves in a plane and turns in it
static void test_planar(void** state) {
  (void)state;
  TstScene s = tst_openScene(BODY("type=\"slide\" axis=\"0 0 1\" range=\"-1 1\" sinew:type=\"planar\""));
  assert_int_equal(s.m->njnt, 4);
  assert_int_equal(s.m->jnt_type[2], mjJNT_HINGE);
  assert_int_equal(s.m->jnt_limited[0], 1);
  assert_int_equal(s.m->jnt_limited[2], 0);
  s.d->xfrc_applied[6] = 1;
  s.d->xfrc_applied[7] = 2;
  for (int i = 0; i < 200; i++) mj_step(s.m, s.d);
  assert_near(s.d->xpos[3 + 2], 0, 1e-9);
  assert_true(s.d->xpos[3] > 0.01 && s.d->xpos[4] > 0.01);
  tst_closeScene(&s);
}

// three turns of one wheel are one of the other
static void test_gear(void** state) {
  (void)state;
  TstScene s = tst_openScene(BODY("axis=\"0 0 1\" sinew:type=\"gear\" sinew:to=\"k\" sinew:ratio=\"-3\""));
  assert_int_equal(s.m->njnt, 2);
  s.d->qfrc_applied[1] = 1;
  for (int i = 0; i < 1000; i++) mj_step(s.m, s.d);
  assert_true(fabs(s.d->qpos[1]) > 0.1);
  assert_near(s.d->qpos[0], -3 * s.d->qpos[1], 0.02 * fabs(s.d->qpos[0]));
  tst_closeScene(&s);
}

// the scene of the documentation
static void test_sceneMechanisms(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/mechanisms.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  s.d->ctrl[0] = 1;
  for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
  const mjtNum small = s.d->sensordata[0], large = s.d->sensordata[1], nut = s.d->sensordata[2];
  assert_true(small > 1 && nut < -1);
  assert_near(large, -small / 3, 1e-3 * small);
  assert_near(s.d->xpos[3 * mj_name2id(m, mjOBJ_BODY, "nut") + 2], 0.4 + nut * 0.02 / (2 * mjPI), 1e-3);
  tst_closeScene(&s);
}

static void test_savedAsWritten(void** state) {
  (void)state;
  char error[500], text[4000];
  mjSpec* spec = mj_parseXMLString(BODY("axis=\"0 0 1\" sinew:type=\"screw\" sinew:pitch=\".05\""), NULL, error, 500);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "sinew:type=\"screw\" sinew:pitch=\".05\""));
  assert_null(strstr(text, "#2"));
  assert_null(strstr(text, "<equality"));
  mjModel* again = tst_string(text);
  assert_int_equal(again->njnt, m->njnt);
  assert_int_equal(again->neq, m->neq);
  assert_int_equal(mjs_getId(mjs_findElement(spec, mjOBJ_JOINT, "k")), 2);
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void test_badInput(void** state) {
  (void)state;
  static const char* const wrong[][2] = {
      {"sinew:type=\"bolt\"",                                  "must be 'universal', 'planar', 'screw' or 'gear'"},
      {"sinew:type=\"screw\"",                                 "needs 'sinew:pitch'"                             },
      {"sinew:type=\"screw\" sinew:pitch=\"x\"",               "'x' is not a number"                             },
      {"sinew:type=\"screw\" sinew:pitch=\"1 2\"",             "has 2 values, must have 1"                       },
      {"type=\"ball\" sinew:type=\"screw\" sinew:pitch=\"1\"", "needs type=\"hinge\""                            },
      {"sinew:type=\"planar\"",                                "needs type=\"slide\""                            },
      {"sinew:pitch=\"1\"",                                    "'sinew:pitch' needs sinew:type=\"screw\""        },
      {"sinew:type=\"gear\" sinew:ratio=\"2\"",                "needs 'sinew:to'"                                },
      {"sinew:type=\"gear\" sinew:to=\"x\" sinew:ratio=\"2\"", "unknown element 'x' in equality constraint"      },
      {"sinew:typ=\"gear\"",                                   "did you mean 'type'?"                            },
      {"axis=\"0 0 0\" sinew:type=\"universal\"",              "axis"                                            },
  };
  for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), BODY("%s"), wrong[k][0]);
    const char* message = whyNot(xml);
    if (!strstr(message, wrong[k][1])) fail_msg("%s: '%s' instead of '%s'", wrong[k][0], message, wrong[k][1]);
  }
  assert_non_null(strstr(
      whyNot("<mujoco xmlns:sinew=\"urn:sinew\"><tendon><fixed><joint joint=\"j\" coef=\"1\" sinew:type=\"screw\"/>"
             "</fixed></tendon></mujoco>"),
      "unrecognized attribute: 'sinew:type'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_screw),    cmocka_unit_test(test_universal),       cmocka_unit_test(test_planar),
      cmocka_unit_test(test_gear),     cmocka_unit_test(test_sceneMechanisms), cmocka_unit_test(test_savedAsWritten),
      cmocka_unit_test(test_badInput),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
