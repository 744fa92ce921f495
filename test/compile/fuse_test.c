// Static bodies that are fused with their parents, and what is discarded with everything visual.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "compile/same.h"

#define FUSE(world, rest) \
  "<mujoco><compiler fusestatic='true'/><worldbody><site name='s'/>" world "</worldbody>" rest "</mujoco>"
#define MOVING(name, inside) "<body name='" name "'><joint/><geom size='.1'/>" inside "</body>"

// which bodies stay depends on who refers to them, and on how many have gone before
static void bodiesThatStay(void** state) {
  (void)state;
#define SENSOR(type, name) "<sensor><framepos objtype='" type "' objname='" name "'/></sensor>"
  // clang-format off
  static const struct {
    const char* xml;
    int nbody;
  } cases[] = {
      {FUSE(MOVING("a", "") "<body name='b'/>" MOVING("c", ""), SENSOR("body", "c")), 3},
      {FUSE(MOVING("a", "") "<body name='b'/>" MOVING("c", ""), SENSOR("body", "b")), 4},
      {FUSE("<body name='x'/><body name='y'/>" MOVING("a", "") "<body name='b'/>" MOVING("c", ""), SENSOR("body", "c")),
       5},
      {FUSE("<body name='x'/><body/>" MOVING("a", "") "<body name='b'/><body/>" MOVING("c", ""), SENSOR("body", "c")),
       4},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_int_equal(differencesOf(cases[i].xml), 0);
    mjModel* const m = compileText(cases[i].xml);
    assert_non_null(m);
    assert_int_equal(m->nbody, cases[i].nbody);
    mj_deleteModel(m);
  }
  assert_non_null(strstr(errorOf(FUSE("<body name='b'/>", SENSOR("xbody", "b"))), "unrecognized name 'b'"));
}

// A name stands for a number, and fusing moves sites and geoms up in the tree: t stands for the site that came to its
// place.
static void namesStandForNumbers(void** state) {
  (void)state;
  static const char xml[] =
      FUSE(MOVING("a", "<site name='t' pos='1 2 3'/>") "<body><site name='u' pos='4 5 6'/></body>",
           "<sensor><framepos objtype='site' objname='t'/></sensor>");
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->sensor_objid[0], 1);
  assert_string_equal(mj_id2name(m, mjOBJ_SITE, 1), "u");
  mj_deleteModel(m);
}

static void treesOfFusedBodies(void** state) {
  (void)state;
  assert_int_equal(differencesOf(FUSE("<geom size='.1'/><body pos='1 0 0'><geom size='.2'/><body pos='0 1 0'>"
                                      "<geom size='.3'/><geom size='.1' pos='0 0 1'/></body></body>",
                                      "")),
                   0);
}

// only geoms do without their materials
static void discardedLooks(void** state) {
  (void)state;
#define DISCARD(world, rest)                                                                                         \
  "<mujoco><compiler discardvisual='true'/><asset><texture name='t' builtin='flat' type='2d' width='2' height='2'/>" \
  "<material name='m' texture='t'/></asset><worldbody><site name='a'/><site name='b' pos='1 0 0'/>" world            \
  "</worldbody>" rest "</mujoco>"
  static const char* const refused[] = {
      DISCARD("<site material='m'/>", ""),
      DISCARD("<light texture='t'/>", ""),
      DISCARD("", "<tendon><spatial material='m'><site site='a'/><site site='b'/></spatial></tendon>"),
      DISCARD("", "<custom><tuple name='l'><element objtype='material' objname='m'/></tuple></custom>"),
  };
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    assert_non_null(strstr(errorOf(refused[i]), "object not found"));
  }
  assert_int_equal(differencesOf(DISCARD("<geom size='.1' material='m'/>", "")), 0);
  mjModel* const m = compileText(DISCARD("<geom size='.1' material='m'/>", ""));
  assert_non_null(m);
  assert_int_equal(m->nmat, 0);
  mj_deleteModel(m);
}

// texture coordinates that stand in the model are kept
static void texcoordStay(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><compiler discardvisual='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' "
      "texcoord='0 0 1 0 0 1 1 1'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nmeshtexcoord, 4);
  mj_deleteModel(m);
}

// cameras do not inherit numbers of the user; the field of view follows the sensor in single precision
static void cameras(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><default><camera user='1 2'/></default><worldbody><camera/><camera sensorsize='.0213 .0341' "
      "resolution='5 3' focal='.013 .0171'/></worldbody></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nuser_cam, 0);
  assert_true(fabs(m->cam_fovy[1] - 89.83222) < 1e-4);
  mj_deleteModel(m);
}

// in frames and replicates attributes that are not known are left alone, elements are not
static void framesAreNotChecked(void** state) {
  (void)state;
#define WORLD(inside) "<mujoco><worldbody>" inside "</worldbody></mujoco>"
  assert_int_equal(
      differencesOf(WORLD("<frame bad='1'><body bad='1'><geom size='1' bad='1'><bad/></geom></body></frame>")), 0);
  assert_string_equal(errorOf(WORLD("<replicate count='1'><geom size='1' bad='1'/></replicate>")), "");
  assert_non_null(strstr(errorOf(WORLD("<frame><body><bad/></body></frame>")), "unrecognized element"));
  assert_non_null(strstr(errorOf(WORLD("<body><geom size='1' bad='1'/></body>")), "unrecognized attribute"));
}

// constraints on the edges of flexes: the first one decides, classes do not matter, rigid flexes have none
static void edgesOfFlexes(void** state) {
  (void)state;
#define FLEX(name, inside) \
  "<flexcomp name='" name "' type='grid' dim='2' count='3 2 1' spacing='.1 .1 .1'>" inside "</flexcomp>"
  static const char xml[] =
      "<mujoco><default><equality solref='.5 1' solimp='.5 .6 .7'/></default><worldbody>" FLEX(
          "a", "<edge equality='true'/>") FLEX("b", "<edge equality='vert'/>") "</worldbody><equality><flexvert flex='a'/>"
                                                                               "<flex flex='b'/></equality></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->flex_edgeequality[0], 2);
  assert_int_equal(m->flex_edgeequality[1], 1);
  assert_true(m->eq_solref[2 * mjNREF] == 0.02);
  mj_deleteModel(m);
  assert_non_null(strstr(errorOf(WORLD(FLEX("a", "<edge equality='vert'/><elasticity elastic2d='stretch'/>"))),
                         "elasticity and edge constraints cannot both be present"));
  assert_non_null(strstr(errorOf("<mujoco><worldbody><flexcomp name='a' type='grid' dim='1' count='3 1 1' rigid='true' "
                                 "spacing='.1 .1 .1'/></worldbody><equality><flex flex='a'/></equality></mujoco>"),
                         "rigid flex 'a' in equality constraint 0"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodiesThatStay),      cmocka_unit_test(namesStandForNumbers),
      cmocka_unit_test(treesOfFusedBodies),  cmocka_unit_test(discardedLooks),
      cmocka_unit_test(texcoordStay),        cmocka_unit_test(cameras),
      cmocka_unit_test(framesAreNotChecked), cmocka_unit_test(edgesOfFlexes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
