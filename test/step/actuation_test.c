// Actuator forces against the reference, over flags and groups; limits; callbacks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/stage.h"

static void compareForces(Stage* s) {
  const int nu = (int)s->m->nu, nv = (int)s->m->nv, na = (int)s->m->na;
  stg_spoil(s->d->actuator_force, nu);
  stg_spoil(s->d->qfrc_actuator, nv);
  stg_spoil(s->d->act_dot, na);
  if (s->m->opt.disableflags & mjDSBL_ACTUATION) memcpy(s->d->act_dot, s->ref->act_dot, sizeof(mjtNum) * (size_t)na);
  mj_fwdActuation(s->m, s->d);
  stg_near(s, "act_dot", s->ref->act_dot, s->d->act_dot, na, 1e-13);
  stg_near(s, "actuator_force", s->ref->actuator_force, s->d->actuator_force, nu, 1e-13);
  stg_near(s, "qfrc_actuator", s->ref->qfrc_actuator, s->d->qfrc_actuator, nv, 1e-13);
}

static const int FLAGS[] = {0, mjDSBL_CLAMPCTRL, mjDSBL_GRAVITY, mjDSBL_ACTUATION, mjDSBL_SPRING | mjDSBL_DAMPER};

static void compareModel(const char* name, mjModel* m) {
  Stage s = stg_open(name, m);
  Rnd rnd = {5};
  const int original = m->opt.disableflags;
  for (size_t f = 0; f < sizeof(FLAGS) / sizeof(FLAGS[0]); f++) {
    for (int trial = 0; trial < 4; trial++) {
      m->opt.disableflags = original | FLAGS[f];
      m->opt.disableactuator = trial == 3 ? 1 << 1 : 0;
      stg_randomize(&s, &rnd, 0.4);

      // some steps fill the history buffers of delayed controls
      for (int k = 0; k < trial; k++) {
        for (int i = 0; i < m->nu; i++) s.ref->ctrl[i] = rnd_uniform(&rnd, -1.2, 1.2);
        ORC(mj_step)(m, s.ref);
      }
      stg_forward(&s);
      compareForces(&s);
    }
  }
  m->opt.disableflags = original;
  m->opt.disableactuator = 0;
  stg_finish(&s);
}

static void modelsMatchReference(void** state) {
  (void)state;
  stg_eachModel(compareModel, 1);
}

// limits of joints and tendons, actuated gravity compensation, delays of every interpolation, muscles with blending
static const char SCENE[] =
    "<mujoco><option timestep='.01'/><worldbody><body gravcomp='.7'><joint name='j' axis='0 1 0' "
    "actuatorgravcomp='true'"
    " actuatorfrcrange='-2 2'/><geom size='.1' pos='.3 0 0'/><body pos='.5 0 0' gravcomp='1'><joint name='k'"
    " axis='0 1 0' damping='.1'/><geom size='.1' pos='.3 0 0'/></body></body></worldbody>"
    "<tendon><fixed name='t' actuatorfrcrange='-1 .5'><joint joint='j' coef='1'/><joint joint='k' coef='-.4'/></fixed>"
    "<fixed name='u'><joint joint='j' coef='1'/></fixed></tendon><actuator>"
    "<motor tendon='t' gear='1'/><position tendon='t' kp='7'/><motor tendon='u' gear='2' forcerange='-.3 .3'/>"
    "<motor joint='j' gear='3' nsample='5' delay='.015' interp='zoh'/>"
    "<motor joint='j' gear='3' nsample='5' delay='.025' interp='linear'/>"
    "<motor joint='j' gear='3' nsample='6' delay='.033' interp='cubic'/>"
    "<muscle joint='k' lengthrange='-1 1' tausmooth='.3' ctrlrange='0 1'/>"
    "<muscle joint='k' lengthrange='-1 1' force='30' timeconst='.02 .05' ctrlrange='0 1'/>"
    "<general joint='k' dyntype='filterexact' dynprm='.03' actearly='true' actrange='-.2 .2' actlimited='true'"
    " gaintype='affine' gainprm='1 .5 .2' biastype='affine' biasprm='.1 -2 -.3' group='1'/>"
    "</actuator></mujoco>";

static void sceneMatchesReference(void** state) {
  (void)state;
  stg_oneScene(compareModel, "limits and delays", SCENE);
}

// a control that is not a number silences all actuators and warns
static void badControlIsZero(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjData* d = mj_makeData(m);
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  d->ctrl[0] = 1;
  d->ctrl[2] = NAN;
  mj_fwdActuation(m, d);
  assert_int_equal(d->warning[mjWARN_BADCTRL].number, 1);
  assert_int_equal(d->warning[mjWARN_BADCTRL].lastinfo, 2);
  assert_true(d->actuator_force[0] == 0);
  d->ctrl[2] = 0;
  mj_fwdActuation(m, d);
  assert_true(d->actuator_force[0] == 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjtNum three(const mjModel* m, const mjData* d, int id) {
  (void)m, (void)d, (void)id;
  return 3;
}

// user dynamics, gain and bias
static void callbacksAreUsed(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjData* d = mj_makeData(m);
  m->actuator_gaintype[0] = mjGAIN_USER;
  m->actuator_biastype[0] = mjBIAS_USER;
  m->actuator_forcelimited[0] = 0;
  int filter = 0;
  while (m->actuator_dyntype[filter] != mjDYN_FILTER) filter++;
  m->actuator_dyntype[filter] = mjDYN_USER;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  d->ctrl[0] = 0.5;
  mj_fwdActuation(m, d);
  assert_true(d->actuator_force[0] == 0.5);
  assert_true(d->act_dot[m->actuator_actadr[filter]] == 0);
  mjcb_act_gain = mjcb_act_bias = mjcb_act_dyn = three;
  mj_fwdActuation(m, d);
  assert_true(d->actuator_force[0] == 3 * 0.5 + 3);
  assert_true(d->act_dot[m->actuator_actadr[filter]] == 3);
  mjcb_act_gain = mjcb_act_bias = mjcb_act_dyn = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),
      cmocka_unit_test(sceneMatchesReference),
      cmocka_unit_test(badControlIsZero),
      cmocka_unit_test(callbacksAreUsed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
