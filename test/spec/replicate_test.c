// Replicated parts of a model: which elements outside the tree come along with a copy, and under which names they refer
// to what. Names alone decide, as in the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "compile/same.h"

// s50 is the name that a copy of s5 would have; q, x, j and gg are copied, the rest is not
static const char TREE[] =
    "<worldbody><site name='s5'/><site name='s50'/><site name='s57'/><body name='b'/><geom name='g' size='.1'/>"
    "<geom name='g0' size='.1'/><replicate count='2'><site name='q'/><body name='x'><joint name='j' axis='1 0 0'/>"
    "<geom name='gg' size='.1'/></body></replicate><body name='y'><joint name='jj'/><geom "
    "size='.1'/></body></worldbody>";

typedef struct {
  const char* text;  // outside the tree
  int count;         // elements of the kind in question in the model
} Case;

// compiles every case, compares with the reference, and the number that count says with the expected one
static void check(const Case* cases, size_t n, long (*count)(const mjModel* m)) {
  for (size_t i = 0; i < n; i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), "<mujoco>%s%s</mujoco>", TREE, cases[i].text);
    assert_int_equal(differencesOf(xml), 0);
    mjModel* const m = compileText(xml);
    assert_non_null(m);
    if (count(m) != cases[i].count) fail_msg("%ld of %d in %s", count(m), cases[i].count, cases[i].text);
    mj_deleteModel(m);
  }
}
#define CHECK(cases, count) check(cases, sizeof(cases) / sizeof((cases)[0]), count)

static long sensors(const mjModel* m) {
  return m->nsensor;
}

static long equalities(const mjModel* m) {
  return m->neq;
}

static long tuples(const mjModel* m) {
  return m->ntuple;
}

static long actuators(const mjModel* m) {
  return m->nu;
}

static long tendons(const mjModel* m) {
  return m->ntendon;
}

static void sensorsFollowWhatTheyCan(void** state) {
  (void)state;
  // clang-format off
  static const Case cases[] = {
      {"<sensor><framepos objtype='site' objname='q' reftype='site' refname='s57'/></sensor>", 2},
      {"<sensor><framepos objtype='site' objname='s5'/></sensor>", 2},
      {"<sensor><subtreecom body='world'/></sensor>", 1},
      {"<sensor><clock name='c'/></sensor>", 4},
      {"<sensor><user name='u' dim='2'/></sensor>", 4},
  };
  // clang-format on
  CHECK(cases, sensors);
}

static void equalitiesFollowAsAWhole(void** state) {
  (void)state;
  static const Case cases[] = {
      {"<equality><connect site1='q' site2='s5'/></equality>",  1},
      {"<equality><connect site1='q' site2='s57'/></equality>", 0},
      {"<equality><weld body1='x'/></equality>",                2},
      {"<equality><weld body1='x' body2='world'/></equality>",  0},
      {"<equality><joint joint1='jj'/></equality>",             1},
  };
  CHECK(cases, equalities);
}

static void tuplesFollowAsAWhole(void** state) {
  (void)state;
#define TUPLE(inside) "<custom><tuple name='t'><element objtype='site' objname='s5'/>" inside "</tuple></custom>"
  static const Case cases[] = {
      {TUPLE(""),                                          2},
      {TUPLE("<element objtype='site' objname='s57'/>"),   1},
      {TUPLE("<element objtype='body' objname='world'/>"), 1},
  };
  CHECK(cases, tuples);
}

static void actuatorsFollowAsAWhole(void** state) {
  (void)state;
  static const Case cases[] = {
      {"<actuator><motor joint='j'/></actuator>",                                      2},
      {"<actuator><motor site='q' refsite='s57'/></actuator>",                         0},
      {"<actuator><motor site='q' refsite='s5'/></actuator>",                          1},
      {"<actuator><motor cranksite='q' slidersite='s57' cranklength='1'/></actuator>", 0},
  };
  CHECK(cases, actuators);
}

// geoms of a path follow with their side sites
static void tendonsFollow(void** state) {
  (void)state;
#define PATH(inside) "<tendon><spatial name='t'>" inside "</spatial></tendon>"
  static const Case cases[] = {
      {PATH("<site site='s5'/><site site='s57'/>"),                               2},
      {PATH("<site site='s50'/><site site='s57'/>"),                              1},
      {PATH("<site site='q'/><geom geom='gg' sidesite='q'/><site site='s57'/>"),  2},
      {PATH("<site site='q'/><geom geom='gg'/><site site='s57'/>"),               0},
      {PATH("<site site='q'/><geom geom='g' sidesite='s57'/><site site='s57'/>"), 2},
      {PATH("<site site='q'/><geom geom='g' sidesite='q'/><site site='s57'/>"),   1},
  };
  CHECK(cases, tendons);
}

// actuators whose targets are known when the copies are made lose what the keyframes of the copies say
static void flexesStay(void** state) {
  (void)state;
  // the flex's bodies f_1 and f_10 are there, as if one were the other's copy, but most have none
  static const char xml[] =
      "<mujoco><worldbody><flexcomp name='f' type='grid' dim='1' count='12 1 1' spacing='.1 .1 .1' mass='1'/>"
      "<replicate count='2'><replicate count='2'><body><geom "
      "size='.1'/></body></replicate></replicate></worldbody></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nflex, 1);
  mj_deleteModel(m);
}

static void controlsOfKeyframes(void** state) {
  (void)state;
  char xml[2000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><size nkey='2'/>%s<actuator><motor joint='jj'/><motor site='s57'/></actuator><keyframe><key name='k' "
      "ctrl='3 4'/></keyframe></mujoco>",
      TREE);
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  static const double expected[5][2] = {
      {0, 0},
      {0, 0},
      {3, 0},
      {3, 0},
      {3, 4}
  };
  assert_int_equal(m->nkey, 5);
  assert_memory_equal(m->key_ctrl, expected, sizeof(expected));
  mj_deleteModel(m);
}

static void namesThatAreMissingOrTaken(void** state) {
  (void)state;
  // clang-format off
  static const char* const cases[][2] = {
      {"<mujoco><worldbody><body name='b'/><replicate count='1'><camera target='b'/></replicate></worldbody></mujoco>",
       "unknown target body in camera"},
      {"<mujoco><asset><texture name='t' builtin='flat' width='2'/></asset><worldbody><replicate count='1'>"
       "<light texture='t'/></replicate></worldbody></mujoco>",
       "unknown texture in light"},
      {"<mujoco><worldbody><replicate count='2'/><replicate count='1'/></worldbody><sensor><clock name='c'/></sensor>"
       "</mujoco>",
       "repeated name 'c0' in sensor"},
      {"<mujoco><worldbody><replicate count='2'><body name='x'/></replicate></worldbody><deformable><skin "
       "vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='x' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' "
       "vertweight='1 1 1'/></skin></deformable></mujoco>",
       "unknown body 'x' in skin"},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const char* const error = errorOf(cases[i][0]);
    if (!strstr(error, cases[i][1])) fail_msg("'%s' in '%s'", cases[i][1], error);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sensorsFollowWhatTheyCan),
      cmocka_unit_test(equalitiesFollowAsAWhole),
      cmocka_unit_test(tuplesFollowAsAWhole),
      cmocka_unit_test(actuatorsFollowAsAWhole),
      cmocka_unit_test(tendonsFollow),
      cmocka_unit_test(flexesStay),
      cmocka_unit_test(controlsOfKeyframes),
      cmocka_unit_test(namesThatAreMissingOrTaken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
