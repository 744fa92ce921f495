// Mass and inertia of shapes by their textbook formulas, and of bodies made of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/same.h"

// a body with the given geoms and a free joint
static mjModel* bodyOf(const char* geoms) {
  char xml[1000];
  snprintf(xml, sizeof(xml), "<mujoco><worldbody><body><freejoint/>%s</body></worldbody></mujoco>", geoms);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  return m;
}

static void assertNear(double a, double b) {
  assert_true(fabs(a - b) <= 1e-12 * (1 + fabs(b)));
}

static void checkBody(const char* geoms, double mass, double x, double y, double z) {
  mjModel* const m = bodyOf(geoms);
  assertNear(m->body_mass[1], mass);
  assertNear(m->body_inertia[3], x);
  assertNear(m->body_inertia[4], y);
  assertNear(m->body_inertia[5], z);
  mj_deleteModel(m);
}

static void solids(void** state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  const double ball = 1000 * 4 * pi * 0.008 / 3;
  checkBody("<geom size='.2'/>", ball, 0.4 * ball * 0.04, 0.4 * ball * 0.04, 0.4 * ball * 0.04);
  const double box = 1000 * 8 * 0.1 * 0.2 * 0.3;
  checkBody("<geom type='box' size='.1 .2 .3'/>", box, box * (0.04 + 0.09) / 3, box * (0.01 + 0.09) / 3,
            box * (0.01 + 0.04) / 3);
  const double rod = 1000 * pi * 0.01 * 0.6;
  checkBody("<geom type='cylinder' size='.1 .3'/>", rod, rod * (3 * 0.01 + 0.36) / 12, rod * (3 * 0.01 + 0.36) / 12,
            rod * 0.01 / 2);
  const double egg = 1000 * 4 * pi * 0.1 * 0.2 * 0.3 / 3;
  checkBody("<geom type='ellipsoid' size='.1 .2 .3'/>", egg, egg * 0.13 / 5, egg * 0.1 / 5, egg * 0.05 / 5);
}

static void shells(void** state) {
  (void)state;
  checkBody("<geom size='.2' shellinertia='true' mass='3'/>", 3, 2 * 3 * 0.04 / 3, 2 * 3 * 0.04 / 3, 2 * 3 * 0.04 / 3);

  // a cube of plates: each contributes its own inertia and its offset
  const double side = 2, plate = 1;  // six plates of mass 1
  const double normal = plate * (side * side + side * side) / 12, across = plate * side * side / 12 + plate;
  const double total = 2 * normal + 4 * across;
  checkBody("<geom type='box' size='1 1 1' shellinertia='true' mass='6'/>", 6, total, total, total);
}

// a capsule as cylinder and two hemispheres, a hemisphere's centre of mass being 3/8 r above its base
static void capsule(void** state) {
  (void)state;
  const double pi = 3.14159265358979323846, r = 0.1, h = 0.6;
  const double tube = 1000 * pi * r * r * h, half = 1000 * 2 * pi * r * r * r / 3;
  const double c = 3 * r / 8, own = 2 * half * r * r / 5 - half * c * c;
  const double across = tube * (3 * r * r + h * h) / 12 + 2 * (own + half * (h / 2 + c) * (h / 2 + c));
  const double along = tube * r * r / 2 + 2 * (2 * half * r * r / 5);
  checkBody("<geom type='capsule' size='.1 .3'/>", tube + 2 * half, across, across, along);
}

// two equal masses apart: parallel axes, and the axis through both has the smallest moment
static void parallelAxes(void** state) {
  (void)state;
  mjModel* const m = bodyOf("<geom size='.1' mass='1' pos='1 0 0'/><geom size='.1' mass='1' pos='3 0 0'/>");
  const double own = 0.4 * 0.01;
  assertNear(m->body_mass[1], 2);
  assertNear(m->body_ipos[3], 2);
  assertNear(m->body_inertia[3], 2 * own + 2);
  assertNear(m->body_inertia[4], 2 * own + 2);
  assertNear(m->body_inertia[5], 2 * own);
  mj_deleteModel(m);
}

static void bounds(void** state) {
  (void)state;
  mjModel* m = compileText(
      "<mujoco><compiler boundmass='2' boundinertia='.5'/><worldbody><body><joint/><geom size='.1' mass='1'/></body>"
      "</worldbody></mujoco>");
  assert_non_null(m);
  assertNear(m->body_mass[1], 2);
  assertNear(m->body_inertia[3], 0.5);
  mj_deleteModel(m);

  // A + B < C: an error, unless balanced
  const char* const bad =
      "<mujoco><compiler balanceinertia='%s'/><worldbody><body><joint/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body></worldbody></mujoco>";
  char xml[500];
  snprintf(xml, sizeof(xml), bad, "false");
  assert_non_null(strstr(errorOf(xml), "inertia must satisfy A + B >= C"));
  snprintf(xml, sizeof(xml), bad, "true");
  m = compileText(xml);
  assert_non_null(m);
  assertNear(m->body_inertia[3], 5.0 / 3);
  mj_deleteModel(m);
}

static void totalMass(void** state) {
  (void)state;
  mjModel* const m = compileText(
      "<mujoco><compiler settotalmass='10'/><worldbody><body><joint/><geom size='.1' mass='1'/></body>"
      "<body><joint/><geom size='.1' mass='3'/></body></worldbody></mujoco>");
  assert_non_null(m);
  assertNear(m->body_mass[1], 2.5);
  assertNear(m->body_mass[2], 7.5);
  assertNear(m->body_subtreemass[0], 10);
  mj_deleteModel(m);
}

static void sameAsReference(void** state) {
  (void)state;
  static const char* const geoms[] = {
      "<geom size='.2' shellinertia='true'/>",
      "<geom type='capsule' size='.1 .3' shellinertia='true'/>",
      "<geom type='cylinder' size='.1 .3' shellinertia='true'/>",
      "<geom type='ellipsoid' size='.1 .2 .3' shellinertia='true'/>",
      "<geom type='box' size='.1 .2 .3' shellinertia='true'/>",
      "<geom type='capsule' size='.1' fromto='0 0 0 .4 .5 .6'/><geom type='box' size='.1 .2 .3' euler='10 20 30'/>",
      "<geom type='ellipsoid' size='.1 .2 .3' pos='1 2 3'/><geom size='.1' group='3'/><geom size='.2' mass='0'/>",
      "<inertial pos='1 2 3' mass='2' fullinertia='2 2.5 3 .1 .2 .3'/><geom size='1'/>",
      "<inertial pos='1 2 3' mass='2' diaginertia='1 2 2' euler='10 20 30'/><geom size='1'/>",
  };
  static const char* const settings[] = {"", "inertiafromgeom='true'", "inertiagrouprange='0 2'", "alignfree='true'"};
  for (size_t s = 0; s < sizeof(settings) / sizeof(settings[0]); s++) {
    for (size_t i = 0; i < sizeof(geoms) / sizeof(geoms[0]); i++) {
      char xml[1000];
      snprintf(xml, sizeof(xml),
               "<mujoco><compiler %s/><worldbody><body pos='1 2 3'><freejoint/><site pos='1 0 0'/><camera pos='0 1 0'/>"
               "<light pos='0 0 1'/>%s</body></worldbody></mujoco>",
               settings[s], geoms[i]);
      assert_int_equal(differencesOf(xml), 0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids),          cmocka_unit_test(shells), cmocka_unit_test(capsule),
      cmocka_unit_test(parallelAxes),    cmocka_unit_test(bounds), cmocka_unit_test(totalMass),
      cmocka_unit_test(sameAsReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
