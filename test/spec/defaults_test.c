// Default classes, explicit contact pairs and small rules of reading: values end up where the text says, with and
// without classes. Every model is also compared with the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "compile/same.h"

// a model that agrees with the reference
static mjModel* load(const char* xml) {
  assert_int_equal(differencesOf(xml), 0);
  mjModel* m = compileText(xml);
  assert_non_null(m);
  return m;
}

#define HINGE(classes, joint)                                                     \
  "<mujoco><default>" classes "</default><worldbody><body><joint name='j' " joint \
  "/><geom size='1'/></body>"                                                     \
  "</worldbody></mujoco>"

static void checkDamping(const char* xml, double damping, double armature) {
  mjModel* m = load(xml);
  assert_true(m->dof_damping[0] == damping);
  assert_true(m->dof_armature[0] == armature);
  mj_deleteModel(m);
}

// main class, named classes, classes in classes, childclass; what is written wins, also when it is the built-in value
static void jointsAndTheirClasses(void** state) {
  (void)state;
  checkDamping(HINGE("<joint damping='.5'/>", ""), 0.5, 0);
  checkDamping(HINGE("<default class='heavy'><joint damping='.5'/></default>", "class='heavy' damping='1'"), 1, 0);
  checkDamping(HINGE("<joint damping='.1'/><default class='robot'><joint damping='.5'/>"
                     "<default class='arm'><joint armature='.01'/></default></default>",
                     "class='arm'"),
               0.5, 0.01);
  checkDamping(HINGE("<joint damping='.1'/><default class='robot'><joint damping='.5'/></default>", ""), 0.1, 0);
  checkDamping(HINGE("<joint damping='.1' armature='3'/>", "damping='0'"), 0, 3);
  checkDamping(HINGE("<joint damping='.1'/><default class='a'><joint damping='0'/></default>", "class='a'"), 0, 0);
  checkDamping(
      "<mujoco><default><default class='a'><joint damping='2'/></default><default class='b'>"
      "<joint damping='3'/></default></default><worldbody><body childclass='a'><frame childclass='b'><body>"
      "<joint class='a'/><geom size='1'/></body></frame></body></worldbody></mujoco>",
      2, 0);
  checkDamping(
      "<mujoco><default><default class='b'><joint damping='3'/></default></default><worldbody>"
      "<frame childclass='b'><body><joint/><geom size='1'/></body></frame></worldbody></mujoco>",
      3, 0);
  checkDamping("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>", 0, 0);
}

// one default element per type
static void everyType(void** state) {
  (void)state;
  mjModel* m = load(
      "<mujoco><default><geom friction='.8 .01 .001' density='500' rgba='1 0 0 1'/><site size='.2' group='3'/>"
      "<camera fovy='30'/><light diffuse='.1 .2 .3'/><material shininess='.25'/><mesh scale='2 2 2'/>"
      "<pair condim='1' margin='.1'/><equality solref='.5 1' active='false'/><tendon stiffness='1000' width='.02'/>"
      "<general gear='100' ctrlrange='-1 1'/></default>"
      "<asset><material name='m'/><mesh name='mesh' vertex='0 0 0 1 0 0 0 1 0 0 0 "
      "1'/></asset><worldbody><light/><camera/>"
      "<geom name='floor' type='plane' size='1 1 1'/><body name='b'><joint name='j'/><geom name='g' size='.5'/><site/>"
      "<geom type='mesh' mesh='mesh' material='m' mass='1'/></body></worldbody>"
      "<contact><pair geom1='g' geom2='floor'/></contact><equality><joint joint1='j'/></equality>"
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><motor joint='j'/><general tendon='t' gear='3'/></actuator></mujoco>");
  assert_true(m->geom_friction[3] == 0.8 && m->geom_friction[4] == 0.01 && m->geom_friction[5] == 0.001);
  assert_true(m->actuator_gear[0] == 100 && m->actuator_gear[6] == 3);
  assert_true(m->actuator_ctrlrange[0] == -1 && m->actuator_ctrllimited[0]);
  assert_true(m->tendon_stiffness[0] == 1000);
  assert_true(m->site_size[0] == 0.2 && m->site_group[0] == 3);
  assert_true(m->cam_fovy[0] == 30);
  assert_true(m->light_diffuse[1] == 0.2f);
  assert_true(m->mat_shininess[0] == 0.25f);
  assert_int_equal(m->pair_dim[0], 1);
  assert_int_equal(m->eq_active0[0], 0);
  assert_true(m->eq_solref[0] == 0.5);

  // the class's density makes the mass
  const double ball = 500 * 4.0 / 3 * mjPI * 0.125;
  assert_true(fabs(m->body_mass[1] - (ball + 1)) < 1e-9 * ball);
  mj_deleteModel(m);
}

static void unknownClasses(void** state) {
  (void)state;
  assert_non_null(strstr(errorOf(HINGE("", "class='no'")), "unknown default class name 'no'"));
  assert_non_null(strstr(errorOf("<mujoco><worldbody><body childclass='no'/></worldbody></mujoco>"), "childclass"));
  assert_non_null(strstr(errorOf("<mujoco><default><sensor noise='1'/></default></mujoco>"), "unrecognized element"));
}

// -------------------------------------------------------------------------------------------- contact pairs

static int contactsOf(const char* section) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><body name='a'><freejoint/><geom name='a' size='1' contype='0' conaffinity='0'/></body>"
           "<body name='b' pos='1.5 0 0'><freejoint/><geom name='b' size='1'/></body>"
           "<body name='c' pos='0 1.5 0'><freejoint/><geom name='c' size='1'/></body></worldbody>"
           "<contact>%s</contact></mujoco>",
           section);
  mjModel* m = load(xml);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  const int count = d->ncon;
  if (count && m->npair) {
    assert_int_equal(d->contact[0].dim, 1);
    assert_true(d->contact[0].friction[0] == 0.25);
    assert_true(d->contact[0].solref[0] == 0.5);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return count;
}

// b and c overlap at their corner only: bitmasks leave nothing for a; a pair brings it back with its own parameters
static void pairsAndExclusions(void** state) {
  (void)state;
  assert_int_equal(contactsOf(""), 0);
  assert_int_equal(contactsOf("<pair geom1='a' geom2='b' condim='1' friction='.25' solref='.5 1'/>"), 1);
  mjModel* m = load(
      "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body><body name='b'><freejoint/>"
      "<geom size='1'/></body></worldbody><contact><exclude body1='a' body2='b'/></contact></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// -------------------------------------------------------------------------------------------- small rules

// ranges of ball joints are angles, converted once; the first value must be zero
static void ballRanges(void** state) {
  (void)state;
#define BALL(compiler, range)                                                                        \
  "<mujoco><compiler " compiler "/><worldbody><body><joint type='ball' limited='true' range='" range \
  "'/>"                                                                                              \
  "<geom size='1'/></body></worldbody></mujoco>"
  mjModel* m = load(BALL("angle='degree'", "0 45"));
  assert_int_equal(m->jnt_limited[0], 1);
  assert_true(m->jnt_range[0] == 0 && fabs(m->jnt_range[1] - mjPI / 4) < 1e-15);
  mj_deleteModel(m);
  m = load(BALL("angle='radian'", "0 .5"));
  assert_true(m->jnt_range[1] == 0.5);
  mj_deleteModel(m);
  assert_string_not_equal(errorOf(BALL("", "45 0")), "");
  assert_string_not_equal(errorOf(BALL("", "10 45")), "");
}

// coefficients of the ellipsoid model: fewer than five keep the rest; an unknown shape is refused
static void fluidAttributes(void** state) {
  (void)state;
  mjModel* m = load(
      "<mujoco><worldbody><body><freejoint/><geom size='1' fluidshape='ellipsoid' fluidcoef='.1 .2'/></body>"
      "</worldbody></mujoco>");
  const double expected[] = {1, 0.1, 0.2, 1.5, 1, 1};
  for (int i = 0; i < 6; i++) assert_true(m->geom_fluid[i] == expected[i]);
  mj_deleteModel(m);
  assert_non_null(strstr(errorOf("<mujoco><worldbody><geom size='1' fluidshape='box'/></worldbody></mujoco>"),
                         "invalid keyword: 'box'"));
}

// every flag sets or clears its bit
static void flags(void** state) {
  (void)state;
  static const char* disable[mjNDISABLE] = {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                                            "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                                            "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                                            "eulerdamp",    "autoreset", "nativeccd",    "island"};
  static const char* enable[mjNENABLE] = {"override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep"};
  for (int i = 0; i < mjNDISABLE + mjNENABLE; i++) {
    const int on = i >= mjNDISABLE;
    char xml[200];
    snprintf(xml, sizeof(xml), "<mujoco><option><flag %s='%s'/></option></mujoco>",
             on ? enable[i - mjNDISABLE] : disable[i], on ? "enable" : "disable");
    mjModel* m = load(xml);
    assert_int_equal(on ? m->opt.enableflags : m->opt.disableflags, 1 << (on ? i - mjNDISABLE : i));
    assert_int_equal(on ? m->opt.disableflags : m->opt.enableflags, 0);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jointsAndTheirClasses),
      cmocka_unit_test(everyType),
      cmocka_unit_test(unknownClasses),
      cmocka_unit_test(pairsAndExclusions),
      cmocka_unit_test(ballRanges),
      cmocka_unit_test(fluidAttributes),
      cmocka_unit_test(flags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
