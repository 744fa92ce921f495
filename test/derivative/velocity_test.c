// Velocity derivatives against the reference's qDeriv and against finite differences.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "derivative/derivative.h"
#include "support/model.h"
#include "support/stage.h"

typedef void (*SmoothVel)(const mjModel*, mjData*, int);
typedef void (*PartVel)(const mjModel*, mjData*);

static void compareDerivatives(Stage* s) {
  const int nD = (int)s->m->nD;

  // both integrators want different things
  for (int bias = 0; bias < 2; bias++) {
    ((SmoothVel)orc_orOurs("mjd_smooth_vel", (const void*)der_smoothVel))(s->m, s->ref, bias);
    stg_spoil(s->d->qDeriv, nD);
    der_smoothVel(s->m, s->d, bias);
    stg_near(s, bias ? "qDeriv with bias" : "qDeriv", s->ref->qDeriv, s->d->qDeriv, nD, 1e-12);
  }

  // parts
  memset(s->ref->qDeriv, 0, sizeof(mjtNum) * (size_t)nD);
  memset(s->d->qDeriv, 0, sizeof(mjtNum) * (size_t)nD);
  ((PartVel)orc_orOurs("mjd_passive_vel", (const void*)der_passiveVel))(s->m, s->ref);
  der_passiveVel(s->m, s->d);
  stg_near(s, "qDeriv of passive forces", s->ref->qDeriv, s->d->qDeriv, nD, 1e-12);
  memset(s->ref->qDeriv, 0, sizeof(mjtNum) * (size_t)nD);
  memset(s->d->qDeriv, 0, sizeof(mjtNum) * (size_t)nD);
  ((PartVel)orc_orOurs("mjd_actuator_vel", (const void*)der_actuatorVel))(s->m, s->ref);
  der_actuatorVel(s->m, s->d);
  stg_near(s, "qDeriv of actuators", s->ref->qDeriv, s->d->qDeriv, nD, 1e-12);
}

static void compareModel(const char* name, mjModel* m) {
  Stage s = stg_open(name, m);
  Rnd rnd = {17};
  const int flags[] = {0, mjDSBL_DAMPER, mjDSBL_SPRING | mjDSBL_DAMPER, mjDSBL_ACTUATION};
  const int original = m->opt.disableflags;
  for (int trial = 0; trial < 8; trial++) {
    m->opt.disableflags = original | flags[trial % 4];
    m->opt.integrator = trial < 4 ? mjINT_IMPLICIT : mjINT_IMPLICITFAST;
    m->opt.jacobian = trial % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.disableactuator = trial % 3 == 1 ? 1 << 1 : 0;
    stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.5);
    stg_forward(&s);
    compareDerivatives(&s);
  }
  stg_finish(&s);
}

static void modelsMatchReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    for (int medium = 0; medium < 2; medium++) {
      mjModel* m = tst_model(tst_models[i]);
      if (medium) {
        m->opt.density = 3;
        m->opt.viscosity = 0.2;
        m->opt.wind[1] = 0.3;
      }
      compareModel(tst_models[i], m);
      mj_deleteModel(m);
    }
  }
}

// fluid models of every kind on every joint, in a branching tree with offsets; muscles and affine gains
static const char SCENE[] =
    "<mujoco><option density='20' viscosity='.3' wind='.2 -.1 .4'/><default><geom density='300'/></default><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom type='ellipsoid' size='.1 .05 .02' fluidshape='ellipsoid'/>"
    " <body pos='.3 0 0' euler='10 20 30'><joint name='h' axis='0 1 0' pos='0 .1 0'/><geom type='capsule' size='.03 "
    ".1'/>"
    "  <body pos='.3 0 0'><joint type='ball' pos='.01 .02 .03'/><geom type='cylinder' size='.03 .1' pos='.1 .1 0'"
    "   euler='30 0 0' fluidshape='ellipsoid' fluidcoef='1 .5 2 .7 .3'/><geom type='box' size='.05 .02 .03'/></body>"
    "  <body pos='-.3 0 0'><joint type='slide' axis='0 0 1'/><joint axis='1 0 0'/><geom type='box' size='.1 .05 .02'/>"
    "  </body></body>"
    " <body pos='-.3 0 0'><geom type='sphere' size='.04' fluidshape='ellipsoid'/><body><joint axis='1 1 0'/>"
    "  <geom type='capsule' size='.03 .1' fluidshape='ellipsoid'/></body></body>"
    "</body>"
    "<body pos='1 0 1'><joint type='ball'/><geom type='box' size='.1 .02 .3' pos='.1 .1 .1'/></body>"
    "<body pos='2 0 1'><joint name='k' type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><geom size='.1'/>"
    "</body></worldbody>"
    "<tendon><fixed name='t' damping='3'><joint joint='h' coef='1'/><joint joint='k' coef='-.4'/></fixed></tendon>"
    "<actuator><muscle joint='h' lengthrange='-1 1'/><general tendon='t' gaintype='affine' gainprm='1 2 3'"
    " biastype='affine' biasprm='0 -1 -2'/><velocity joint='k' kv='4'/>"
    "<position joint='k' kp='3' kv='2' forcerange='-.4 .4'/><position joint='h' kp='1' kv='2' forcerange='-2 2'/>"
    "</actuator></mujoco>";

static void sceneMatchesReference(void** state) {
  (void)state;
  stg_oneScene(compareModel, "media", SCENE);
}

// smooth force minus bias at a velocity
static void smoothForce(const mjModel* m, mjData* d, mjtNum* force) {
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  for (int i = 0; i < m->nv; i++) force[i] = d->qfrc_passive[i] + d->qfrc_actuator[i] - d->qfrc_bias[i];
}

// without the reference: centred differences of the forces
static void derivativesMatchDifferences(void** state) {
  (void)state;
  static const char* const names[] = {"chain", "pendulum", "equality", "joints", "tendons", "actuators", NULL};
  for (int k = 0; names[k]; k++) {
    mjModel* m = tst_model(names[k]);
    mjData* d = mj_makeData(m);
    m->opt.integrator = mjINT_IMPLICIT;
    m->opt.density = 5;
    m->opt.viscosity = 0.1;
    const int nv = (int)m->nv;
    mjtNum plus[64], minus[64];
    assert_true(nv <= 64);
    Rnd rnd = {23};
    for (int i = 0; i < nv; i++) d->qvel[i] = rnd_uniform(&rnd, -0.5, 0.5);
    mj_integratePos(m, d->qpos, d->qvel, 1);
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    mj_fwdActuation(m, d);
    der_smoothVel(m, d, 1);
    double scale = 1;
    for (int i = 0; i < m->nD; i++) scale = fmax(scale, fabs(d->qDeriv[i]));
    const double eps = 1e-6;
    for (int j = 0; j < nv; j++) {
      const mjtNum saved = d->qvel[j];
      d->qvel[j] = saved + eps;
      smoothForce(m, d, plus);
      d->qvel[j] = saved - eps;
      smoothForce(m, d, minus);
      d->qvel[j] = saved;
      for (int i = 0; i < nv; i++) {
        for (int adr = m->D_rowadr[i]; adr < m->D_rowadr[i] + m->D_rownnz[i]; adr++) {
          if (m->D_colind[adr] != j) continue;
          assert_true(fabs(d->qDeriv[adr] - (plus[i] - minus[i]) / (2 * eps)) < 1e-7 * scale);
        }
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// the derivative of an actuator whose next activation counts follows its force
static void earlyActivationCounts(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><option timestep='.05'/><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='1 0 0'/>"
      "</body></worldbody><actuator>"
      "<general joint='j' dyntype='integrator' gaintype='affine' gainprm='1 0 3' actearly='true'/>"
      "<general joint='j' dyntype='filterexact' dynprm='.3' gaintype='affine' gainprm='1 0 2' actearly='true'"
      " actlimited='true' actrange='0 .5'/>"
      "<general joint='j' dyntype='filter' dynprm='.3' gaintype='affine' gainprm='1 0 2'/>"
      "<muscle joint='j' lengthrange='-2 2'/></actuator></mujoco>");
  m->actuator_actearly[3] = 1;
  mjData* d = mj_makeData(m);
  const mjtNum act[4] = {0.2, 0.45, 0.3, 0.1}, ctrl[4] = {-0.7, 0.9, 0.4, 0.8}, eps = 1e-6;
  memcpy(d->act, act, sizeof(act));
  memcpy(d->ctrl, ctrl, sizeof(ctrl));
  mjtNum force[2];
  for (int side = 0; side < 2; side++) {
    d->qvel[0] = 0.3 + (side ? eps : -eps);
    mj_forward(m, d);
    force[side] = d->qfrc_actuator[0];
  }
  d->qvel[0] = 0.3;
  mj_forward(m, d);
  memset(d->qDeriv, 0, sizeof(mjtNum) * (size_t)m->nD);
  der_actuatorVel(m, d);
  const mjtNum slope = (force[1] - force[0]) / (2 * eps);
  assert_true(fabs(slope) > 0.1 && fabs(d->qDeriv[0] - slope) < 1e-6 * fabs(slope));
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),
      cmocka_unit_test(sceneMatchesReference),
      cmocka_unit_test(derivativesMatchDifferences),
      cmocka_unit_test(earlyActivationCounts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
