// What each option flag does, one small scene per flag, and its name in MJCF.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"

//---------------------------------- names ----------------------------------

static const char* const DISABLE[mjNDISABLE] = {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                                                "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                                                "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                                                "eulerdamp",    "autoreset", "nativeccd",    "island"};
static const char* const ENABLE[mjNENABLE] = {"override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep"};

// the bits that a flag sets
static void assertBits(const char* attribute, const char* value, int disable, int enable) {
  char xml[200];
  snprintf(xml, sizeof(xml), "<mujoco><option><flag %s='%s'/></option></mujoco>", attribute, value);
  mjModel* m = tst_string(xml);
  assert_int_equal(m->opt.disableflags, disable);
  assert_int_equal(m->opt.enableflags, enable);
  mj_deleteModel(m);
}

static void namesSetBits(void** state) {
  (void)state;
  for (int i = 0; i < mjNDISABLE; i++) {
    assertBits(DISABLE[i], "disable", 1 << i, 0);
    assertBits(DISABLE[i], "enable", 0, 0);
  }
  for (int i = 0; i < mjNENABLE; i++) {
    assertBits(ENABLE[i], "enable", 0, 1 << i);
    assertBits(ENABLE[i], "disable", 0, 0);
  }

  // nothing is set by default; springs and dampers have no flag in common
  mjModel* m = tst_string("<mujoco><option/></mujoco>");
  assert_int_equal(m->opt.disableflags, 0);
  assert_int_equal(m->opt.enableflags, 0);
  mj_deleteModel(m);
  char error[300] = "";
  assert_null(mj_parseXMLString("<mujoco><option><flag passive='disable'/></option></mujoco>", NULL, error, 300));
  assert_non_null(strstr(error, "passive"));
}

//---------------------------------- effects ----------------------------------

// a model with flags and its data after a forward pass
typedef struct {
  mjModel* m;
  mjData* d;
} Scene;

static Scene openScene(const char* xml, int disable, int enable) {
  Scene s = {.m = tst_string(xml)};
  s.m->opt.disableflags = disable;
  s.m->opt.enableflags = enable;
  s.d = mj_makeData(s.m);
  mj_forward(s.m, s.d);
  return s;
}

static void steps(Scene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

static void closeScene(Scene* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static const char BALL[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><joint name='z' type='slide' axis='0 0 1'"
    " stiffness='100' damping='10' springref='.1'/><geom size='.1'/></body></worldbody></mujoco>";

static void contactAndConstraint(void** state) {
  (void)state;
  Scene s = openScene(BALL, 0, 0);
  assert_int_equal(s.d->ncon, 1);
  assert_true(s.d->qfrc_constraint[0] > 0);
  closeScene(&s);
  for (int k = 0; k < 2; k++) {
    s = openScene(BALL, k ? mjDSBL_CONSTRAINT : mjDSBL_CONTACT, 0);
    assert_int_equal(s.d->ncon, 0);
    assert_int_equal(s.d->nefc, 0);
    assert_true(s.d->qfrc_constraint[0] == 0);

    // other forces act as before
    assert_true(fabs(s.d->qfrc_bias[0] - 9.81 * s.m->body_mass[1]) < 1e-12);
    assert_true(fabs(s.d->qfrc_passive[0] - 100 * 0.1) < 1e-12);
    closeScene(&s);
  }
}

// without any constraint the acceleration is the smooth one, whatever rows the scene would have
static void noConstraintAtAll(void** state) {
  (void)state;
  mjModel* m = tst_model("flags");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_true(d->ne && d->nf && d->nl && d->ncon);
  m->opt.disableflags = mjDSBL_CONSTRAINT;
  mj_forward(m, d);
  assert_int_equal(d->nefc, 0);
  assert_memory_equal(d->qacc, d->qacc_smooth, sizeof(mjtNum) * (size_t)m->nv);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void gravity(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body><body pos='1 0 0' gravcomp='1'><joint type='slide'"
      " stiffness='3' springref='1'/><geom size='.1'/></body></worldbody></mujoco>";
  Scene s = openScene(XML, mjDSBL_GRAVITY, mjENBL_ENERGY);
  for (int i = 0; i < 6; i++) assert_true(s.d->qacc[i] == 0);
  assert_true(s.d->qfrc_gravcomp[6] == 0);
  assert_true(s.d->qacc[6] > 0);
  assert_true(fabs(s.d->energy[0] - 1.5) < 1e-12);
  steps(&s, 10);
  for (int i = 0; i < 3; i++) assert_true(s.d->qpos[i] == 0);
  closeScene(&s);
}

static void limits(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 1 0' range='0 90' limited='true'/>"
      "<geom size='.1' pos='.3 0 0'/></body></worldbody><tendon><fixed range='0 1.5' limited='true'><joint joint='j'"
      " coef='1'/></fixed></tendon></mujoco>";
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_LIMIT : 0, 0);
    s.d->qvel[0] = 3;
    mjtNum force = 0;
    for (int i = 0; i < 500; i++) {
      mj_step(s.m, s.d);
      force = fmin(force, s.d->qfrc_constraint[0]);
    }
    assert_true(off ? fabs(s.d->qpos[0] - 3) < 1e-9 && force == 0 : s.d->qpos[0] < 1.6 && force < 0);
    closeScene(&s);
  }
}

static void equalities(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><freejoint/><geom size='.1'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body><body name='c' pos='2 0 0'><joint name='p'"
      " type='slide'/><geom size='.1'/></body><body pos='3 0 0'><joint name='q' type='slide'/><geom size='.1'/></body>"
      "</worldbody><tendon><fixed name='t'><joint joint='p' coef='1'/></fixed></tendon>"
      "<equality><weld body1='a' body2='b'/><connect body1='a' body2='b' anchor='0 0 0'/>"
      "<joint joint1='p' joint2='q'/><tendon tendon1='t'/></equality></mujoco>";
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_EQUALITY : 0, 0);
    assert_int_equal(s.d->ne, off ? 0 : 6 + 3 + 1 + 1);
    s.d->qvel[6] = 1;
    s.d->qvel[12] = 1;
    steps(&s, 200);
    const mjtNum apart = s.d->qpos[7] - s.d->qpos[0] - 1;
    assert_true(off ? fabs(apart - 0.4) < 1e-9 : fabs(apart) < 0.05);
    assert_true(off ? fabs(s.d->qpos[14] - 0.4) < 1e-9 : fabs(s.d->qpos[14]) < 0.1);
    closeScene(&s);
  }
}

static void frictionloss(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' frictionloss='5'/>"
      "<geom size='.1' mass='1'/></body></worldbody><tendon><fixed frictionloss='1'><joint joint='j' coef='1'/></fixed>"
      "</tendon></mujoco>";
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_FRICTIONLOSS : 0, 0);
    assert_int_equal(s.d->nf, off ? 0 : 2);
    s.d->qvel[0] = 1;
    steps(&s, 500);
    assert_true(off ? s.d->qvel[0] == 1 : fabs(s.d->qvel[0]) < 0.1);
    closeScene(&s);
  }
}

// springs and dampers of joints and tendons, each with its own flag
static void springsAndDampers(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide' stiffness='100' damping='10'/>"
      "<geom size='.1'/></body><body pos='1 0 0'><joint name='k' type='slide'/><geom size='.1'/></body></worldbody>"
      "<tendon><fixed stiffness='20' damping='3' springlength='0'><joint joint='k' "
      "coef='1'/></fixed></tendon></mujoco>";
  for (int k = 0; k < 4; k++) {
    const int spring = !(k & 1), damper = !(k & 2);
    Scene s = openScene(XML, (spring ? 0 : mjDSBL_SPRING) | (damper ? 0 : mjDSBL_DAMPER), 0);
    s.d->qpos[0] = s.d->qpos[1] = 0.1;
    s.d->qvel[0] = s.d->qvel[1] = 2;
    mj_forward(s.m, s.d);
    assert_true(fabs(s.d->qfrc_passive[0] + spring * 10.0 + damper * 20.0) < 1e-12);
    assert_true(fabs(s.d->qfrc_passive[1] + spring * 2.0 + damper * 6.0) < 1e-12);
    assert_true(s.d->qfrc_spring[0] == -spring * 100 * 0.1);
    assert_true(s.d->qfrc_damper[0] == -damper * 20.0);

    // what was there goes when its flag does
    s.m->opt.disableflags |= mjDSBL_DAMPER;
    mj_forward(s.m, s.d);
    assert_true(s.d->qfrc_damper[0] == 0 && s.d->qfrc_damper[1] == 0);
    assert_true(s.d->qfrc_spring[0] == -spring * 100 * 0.1);
    s.m->opt.disableflags |= mjDSBL_SPRING;
    mj_forward(s.m, s.d);
    assert_true(s.d->qfrc_spring[0] == 0 && s.d->qfrc_passive[0] == 0 && s.d->qfrc_passive[1] == 0);
    closeScene(&s);
  }
}

// a medium needs springs or dampers to be on; sleeping bodies are left out
static void media(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option density='10' viscosity='1' gravity='0 0 0'/><worldbody><body><freejoint/><geom "
      "size='.1'/></body>"
      "<body pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  for (int k = 0; k < 4; k++) {
    Scene s = openScene(XML, (k & 1 ? mjDSBL_SPRING : 0) | (k & 2 ? mjDSBL_DAMPER : 0), 0);
    s.d->qvel[0] = 1;
    mj_forward(s.m, s.d);
    assert_true(k == 3 ? s.d->qfrc_fluid[0] == 0 && s.d->qfrc_passive[0] == 0 : s.d->qfrc_fluid[0] < 0);
    closeScene(&s);
  }
  Scene s = openScene(XML, 0, mjENBL_SLEEP);
  s.d->qvel[6] = 0.5;
  steps(&s, 20);
  assert_int_equal(s.d->ntree_awake, 1);
  s.d->qfrc_fluid[0] = 12345;
  mj_step(s.m, s.d);
  assert_true(s.d->qfrc_fluid[0] == 12345);
  assert_true(s.d->qfrc_fluid[6] < 0);
  closeScene(&s);
}

static const char MOTOR[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/><geom "
    "size='.1'/></body></worldbody>"
    "<actuator><motor joint='j' ctrlrange='-1 1' ctrllimited='true'/><general joint='j' "
    "dyntype='integrator'/></actuator>"
    "</mujoco>";

static void actuation(void** state) {
  (void)state;
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(MOTOR, off ? mjDSBL_ACTUATION : 0, 0);
    s.d->ctrl[0] = s.d->ctrl[1] = 0.5;
    steps(&s, 10);
    assert_true(off ? s.d->qpos[0] == 0 && s.d->qfrc_actuator[0] == 0 && s.d->act[0] == 0
                    : s.d->qpos[0] > 0 && s.d->act[0] > 0);
    closeScene(&s);
  }
}

static void clampedControls(void** state) {
  (void)state;
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(MOTOR, off ? mjDSBL_CLAMPCTRL : 0, 0);
    s.d->ctrl[0] = 3;
    mj_forward(s.m, s.d);
    assert_true(s.d->actuator_force[0] == (off ? 3 : 1));
    assert_true(s.d->ctrl[0] == 3);
    closeScene(&s);
  }
}

// starting from the last solution takes fewer iterations and leads to the same one
static void warmstart(void** state) {
  (void)state;
  int iterations[2] = {0, 0};
  mjtNum qacc[2][100];
  mjModel* m = tst_model("flags");
  assert_true(m->nv < 100);
  for (int off = 0; off < 2; off++) {
    mjData* d = mj_makeData(m);
    m->opt.disableflags = 0;
    for (int i = 0; i < 20; i++) mj_step(m, d);
    m->opt.disableflags = (off ? mjDSBL_WARMSTART : 0) | mjDSBL_ISLAND;
    mj_forward(m, d);
    memcpy(d->qacc_warmstart, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
    mj_forward(m, d);
    iterations[off] = d->solver_niter[0];
    memcpy(qacc[off], d->qacc, sizeof(mjtNum) * (size_t)m->nv);
    mj_deleteData(d);
  }
  assert_true(iterations[0] < iterations[1]);
  for (int i = 0; i < m->nv; i++) assert_true(fabs(qacc[0][i] - qacc[1][i]) < 1e-6 * (1 + fabs(qacc[1][i])));
  mj_deleteModel(m);
}

static void parentsAndChildren(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><worldbody><body><joint type='slide'/><geom size='.1'/><body pos='.15 0 0'><joint/><geom "
      "size='.1'/></body>"
      "</body></worldbody></mujoco>";
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_FILTERPARENT : 0, 0);
    assert_int_equal(s.d->ncon, off);
    closeScene(&s);
  }
}

// a time constant below two steps is raised to it
static void safeReference(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='1 1 1' solref='.002 1'/><body pos='0 0 .09'>"
      "<joint type='slide' axis='0 0 1'/><geom size='.1' solref='.002 1'/></body></worldbody></mujoco>";
  mjtNum aref[2];
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_REFSAFE : 0, 0);
    aref[off] = s.d->efc_aref[0];
    closeScene(&s);
  }
  assert_true(aref[0] > 0 && fabs(aref[1] / aref[0] - 100) < 1e-9);
}

// leaving out the boxes of the middle phase finds the same contacts
static void midphase(void** state) {
  (void)state;
#define COMB                                                                                                    \
  "<geom size='.1' pos='-.3 0 0'/><geom size='.1' pos='-.1 0 0'/><geom size='.1' pos='.1 0 0'/><geom size='.1'" \
  " pos='.3 0 0'/><geom type='box' size='.4 .05 .05' pos='0 .1 0'/></body>"
  static const char XML[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .099'><freejoint/>" COMB
                            "<body pos='.05 .02 .25' euler='0 0 40'><freejoint/>" COMB
                            "<body pos='-.05 .02 .41' euler='0 10 80'><freejoint/>" COMB "</worldbody></mujoco>";
  Scene with = openScene(XML, 0, 0), without = openScene(XML, mjDSBL_MIDPHASE, 0);
  assert_true(with.d->ncon > 5);
  for (int i = 0; i < 50; i++) {
    mj_step(with.m, with.d);
    mj_step(without.m, without.d);
    assert_int_equal(with.d->ncon, without.d->ncon);
    assert_memory_equal(with.d->qacc, without.d->qacc, sizeof(mjtNum) * (size_t)with.m->nv);
  }
  closeScene(&with);
  closeScene(&without);
}

// v' = v - h b v / m explicitly, v / (1 + h b / m) implicitly
static void eulerDamping(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><joint type='slide' damping='20'/>"
      "<geom size='.1' mass='1'/></body></worldbody></mujoco>";
  for (int off = 0; off < 2; off++) {
    Scene s = openScene(XML, off ? mjDSBL_EULERDAMP : 0, 0);
    s.d->qvel[0] = 1;
    mj_step(s.m, s.d);
    assert_true(fabs(s.d->qvel[0] - (off ? 0.8 : 1 / 1.2)) < 1e-14);
    closeScene(&s);
  }
}

// the other algorithm for convex shapes finds the same touching face, islands do not change the solution
static void collisionAndIslands(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option tolerance='1e-14' iterations='200'/><worldbody><geom type='box' size='1 1 .1'/>"
      "<body pos='0 0 .298'><freejoint/><geom type='cylinder' size='.1 .2'/></body>"
      "<body pos='.5 0 .249'><freejoint/><geom type='ellipsoid' size='.1 .1 .15'/></body></worldbody></mujoco>";
  Scene plain = openScene(XML, 0, 0), old = openScene(XML, mjDSBL_NATIVECCD, 0),
        whole = openScene(XML, mjDSBL_ISLAND, 0);
  assert_int_equal(plain.d->nisland, 2);
  assert_int_equal(whole.d->nisland, 0);
  for (int i = 0; i < plain.m->nv; i++) assert_true(fabs(plain.d->qacc[i] - whole.d->qacc[i]) < 1e-7);
  assert_true(plain.d->ncon >= 2 && old.d->ncon >= 2);
  for (int i = 0; i < old.d->ncon; i++) {
    assert_true(fabs(old.d->contact[i].frame[2]) > 0.999);
    assert_true(old.d->contact[i].dist < 0 && old.d->contact[i].dist > -0.005);
  }
  closeScene(&plain);
  closeScene(&old);
  closeScene(&whole);
}

static void overridesAndPoints(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><option o_margin='.3' o_solref='.04 1' o_friction='.1 .2 .3 .4 .5'/><worldbody><geom type='box'"
      " size='1 1 .1'/><body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
  Scene s = openScene(XML, 0, 0);
  assert_int_equal(s.d->ncon, 0);
  closeScene(&s);
  s = openScene(XML, 0, mjENBL_OVERRIDE);
  assert_true(s.d->ncon > 0);
  assert_true(s.d->contact[0].friction[0] == 0.1 && s.d->contact[0].friction[4] == 0.5);
  assert_true(s.d->contact[0].solref[0] == 0.04 && s.d->contact[0].includemargin == 0.3);
  closeScene(&s);

  // a cylinder on a box: one point without the flag, more with it
  static const char FLAT[] =
      "<mujoco><worldbody><geom type='box' size='1 1 .1'/><body pos='0 0 .298'><freejoint/><geom type='cylinder'"
      " size='.1 .2'/></body></worldbody></mujoco>";
  int ncon[2];
  for (int on = 0; on < 2; on++) {
    s = openScene(FLAT, 0, on ? mjENBL_MULTICCD : 0);
    ncon[on] = s.d->ncon;
    closeScene(&s);
  }
  assert_true(ncon[0] == 1 && ncon[1] > 1);
}

static void energyAndSleep(void** state) {
  (void)state;
  static const char XML[] =
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom size='.1' "
      "mass='2'/></body>"
      "</worldbody></mujoco>";
  Scene s = openScene(XML, 0, 0);
  assert_true(s.d->energy[0] == 0);
  steps(&s, 2000);
  assert_int_equal(s.d->ntree_awake, 1);
  closeScene(&s);
  s = openScene(XML, 0, mjENBL_ENERGY | mjENBL_SLEEP);
  assert_true(fabs(s.d->energy[0] - 2 * 9.81 * 0.1) < 1e-12);
  steps(&s, 2000);
  assert_int_equal(s.d->ntree_awake, 0);
  closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesSetBits),
      cmocka_unit_test(contactAndConstraint),
      cmocka_unit_test(noConstraintAtAll),
      cmocka_unit_test(gravity),
      cmocka_unit_test(limits),
      cmocka_unit_test(equalities),
      cmocka_unit_test(frictionloss),
      cmocka_unit_test(springsAndDampers),
      cmocka_unit_test(media),
      cmocka_unit_test(actuation),
      cmocka_unit_test(clampedControls),
      cmocka_unit_test(warmstart),
      cmocka_unit_test(parentsAndChildren),
      cmocka_unit_test(safeReference),
      cmocka_unit_test(midphase),
      cmocka_unit_test(eulerDamping),
      cmocka_unit_test(collisionAndIslands),
      cmocka_unit_test(overridesAndPoints),
      cmocka_unit_test(energyAndSleep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
