// Cables: the chain of bodies, their frames, joints and skins against the reference; what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "compile/same.h"

#define CABLE(attributes, inside) \
  "<mujoco><worldbody><composite type='cable' " attributes ">" inside "</composite></worldbody></mujoco>"
#define CAPSULE "<geom type='capsule' size='.1'/>"  // thick: thin links make M ill-conditioned
#define BOX     "<geom type='box' size='.05 .02 .002'/>"

// every curve and start, straight cables along each axis, frames, classes that must not reach the links
static void chainsAgree(void** state) {
  (void)state;
  static const char* models[] = {
      CABLE("curve='s' count='5 1 1' size='1' offset='-.3 0 .6' initial='none'",
            "<joint kind='main' damping='.015'/><geom type='capsule' size='.05' rgba='.8 .2 .1 1' condim='1'/>"),
      CABLE("curve='0 s' count='6' size='1' initial='free'", CAPSULE "<joint kind='main' damping='1' armature='2'/>"),
      CABLE("curve='0 0 s' count='4' size='1'", CAPSULE),
      CABLE("curve='s s s' count='6' size='1'", "<geom type='capsule' size='.1'/>"),
      CABLE("curve='cos(s) sin(s) s' count='12' size='1 .5 3' quat='.5 .5 .1 .2' prefix='ab'",
            "<joint kind='main' limited='true' armature='.01' frictionloss='.1' stiffness='3' margin='.1' group='2' "
            "solreflimit='.1 .2' solimplimit='.5' solreffix='.1 .2' axis='0 1 0' type='hinge'/>"
            "<geom type='cylinder' size='.005' friction='.2' mass='.1' margin='.1' gap='.01' priority='2'/>"
            "<site size='.1' rgba='1 0 0 1' group='2'/>"),
      CABLE("vertex='0 0 0  .1 0 .1  .2 .1 .1  .3 .1 .05  .4 0 0'", CAPSULE "<joint kind='main' range='0 20'/>"),
      "<mujoco><default><geom density='3' group='2'/><joint damping='7'/>"
      "<default class='c'><geom size='3'/><site group='1'/></default></default><worldbody>"
      "<body pos='1 2 3' childclass='c'><frame pos='0 0 1' euler='10 20 30'>"
      "<composite type='cable' curve='s 0 sin(s)' count='9' size='1 .2 2'>" CAPSULE
      "</composite></frame></body></worldbody></mujoco>",
      // after an element that needs scratch memory too
      "<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' pos='0 3 1' mass='1'>"
      "<pin id='0'/></flexcomp><composite type='cable' curve='s' count='4' size='1'>" CAPSULE
      "</composite></worldbody></mujoco>",
      "<mujoco><worldbody><replicate count='3' offset='1 0 0'><body name='x'>"
      "<composite prefix='r' type='cable' curve='0 s' count='4' size='1'>" CAPSULE
      "</composite></body></replicate></worldbody></mujoco>",
  };
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) assert_int_equal(differencesOf(models[i]), 0);
}

// skins of boxes: plain, and with subgrids whose weights are exact or rounded
static void skinsAgree(void** state) {
  (void)state;
  char xml[1000];
  assert_int_equal(differencesOf(CABLE("curve='s 0 sin(s)' count='7' size='2 .3 1'", BOX)), 0);
  for (int subgrid = 1; subgrid <= 9; subgrid++) {
    snprintf(xml, sizeof(xml),
             CABLE("curve='s 0 sin(s)' count='%d' size='2 .3 1'",
                   BOX "<skin subgrid='%d' texcoord='true' rgba='1 0 0 1' group='2' inflate='.3'/>"),
             4 + subgrid % 4, subgrid);
    assert_int_equal(differencesOf(xml), 0);
  }
}

// facts that need no reference: names, sizes, weights that sum to one
static void shapeOfACable(void** state) {
  (void)state;
  mjModel* m = compileText(CABLE("curve='s' count='6' size='1' prefix='p'", BOX "<skin subgrid='4'/>"));
  assert_non_null(m);
  assert_int_equal(m->nbody, 6);
  assert_int_equal(m->nexclude, 4);
  const char* bodies[] = {"pB_first", "pB_1", "pB_2", "pB_3", "pB_last"};
  for (int i = 0; i < 5; i++) assert_int_equal(mj_name2id(m, mjOBJ_BODY, bodies[i]), i + 1);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "pJ_last"), 4);
  assert_int_equal(mj_name2id(m, mjOBJ_SITE, "pS_last"), 1);
  for (int i = 0; i < 5; i++) assert_true(fabs(m->geom_size[3 * i] - 0.1) < 1e-7);

  // bones move the whole skin: the weights of each vertex sum to one
  double sum[2 * 26 * 11] = {0};
  assert_int_equal(m->nskinvert, 2 * 26 * 11);
  for (int i = 0; i < m->nskinbonevert; i++) sum[m->skin_bonevertid[i]] += (double)m->skin_bonevertweight[i];
  for (int i = 0; i < m->nskinvert; i++) assert_true(fabs(sum[i] - 1) < 1e-6);
  mj_deleteModel(m);
}

// the links share one instance of the elasticity plugin
static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void noForce(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

static void oneInstanceForAllLinks(void** state) {
  (void)state;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  const char* attributes[] = {"twist", "bend"};
  plugin.name = "mujoco.elasticity.cable";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.nstate = noState;
  plugin.compute = noForce;
  mjp_registerPlugin(&plugin);
  if (orc_available()) ORC(mjp_registerPlugin)(&plugin);
  const char* xml =
      "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody>"
      "<composite prefix='p' type='cable' curve='s' count='5' size='1'>" CAPSULE
      "<plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1e7'/></plugin></composite>"
      "</worldbody></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(mj_name2id(m, mjOBJ_PLUGIN, "compositep"), 0);
  for (int i = 1; i < m->nbody; i++) assert_int_equal(m->body_plugin[i], 0);
  mj_deleteModel(m);
}

static void refused(void** state) {
  (void)state;
  // clang-format off
  static const struct {
    const char *xml, *message;
  } rules[] = {
      {CABLE("count='0' curve='s'", CAPSULE), "Positive counts expected in composite"},
      {CABLE("count='3' size='0' curve='s'", CAPSULE), "Positive spacing or length expected"},
      {CABLE("count='3' vertex='0 0 0 1 0 0'", CAPSULE), "Either vertex or count"},
      {CABLE("count='1 3' curve='s'", CAPSULE), "Singleton counts must come last"},
      {CABLE("count='3 3' curve='s'", CAPSULE), "Cable must be one-dimensional"},
      {CABLE("count='5' curve='s'", "<geom type='sphere' size='1'/>"), "Cable geom type must be"},
      {CABLE("count='5' curve='s'", ""), "Cable geom type must be"},
      {CABLE("count='5' curve='s s s s'", CAPSULE), "The curve array must have a maximum of 3 components"},
      {CABLE("count='5' curve='tan(s)'", CAPSULE), "The curve array contains an invalid shape"},
      {CABLE("count='5' curve='s'", BOX "<skin group='6'/>"), "skin group must be between 0 and 5"},
      {CABLE("count='5' curve='s'", CAPSULE "<joint damping='1'/>"), "required attribute missing: 'kind'"},
      {CABLE("count='5' curve='s'", "<joint kind='main'/><joint kind='main'/>" CAPSULE),
       "Only particles are allowed to have multiple joints"},
      {"<mujoco><worldbody><composite type='rope' count='5'/></worldbody></mujoco>",
       "The \"rope\" composite type is deprecated. Please use \"cable\" instead."},
      {"<mujoco><worldbody><composite type='loop' count='5'/></worldbody></mujoco>", "\"flexcomp\" instead."},
      {"<mujoco><worldbody><composite type='particle' count='5'/></worldbody></mujoco>", "\"replicate\" instead"},
      {"<mujoco><worldbody><composite type='grid' count='5'/></worldbody></mujoco>", "\"flex\" instead."},
      {"<mujoco><worldbody><composite type='cloth' count='5'/></worldbody></mujoco>", "\"shell\" instead."},
      {"<mujoco><worldbody><composite type='box' count='5'/></worldbody></mujoco>", "invalid keyword: 'box'"},
      {"<mujoco><worldbody><composite count='5'/></worldbody></mujoco>", "required attribute missing: 'type'"},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
    const char* error = errorOf(rules[i].xml);
    if (!strstr(error, rules[i].message)) fail_msg("'%s' expected, got '%s'", rules[i].message, error);
    if (!orc_available()) continue;
    char theirs[1000] = "";
    mjSpec* spec = ORC(mj_parseXMLString)(rules[i].xml, NULL, theirs, sizeof(theirs));
    if (spec || !strstr(theirs, rules[i].message)) fail_msg("the reference says '%s'", theirs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chainsAgree),   cmocka_unit_test(skinsAgree),
      cmocka_unit_test(shapeOfACable), cmocka_unit_test(oneInstanceForAllLinks),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
