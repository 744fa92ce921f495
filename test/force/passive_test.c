// Passive forces against the reference, over models and flags, and analytic springs and dampers.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/stage.h"

static void comparePassive(Stage* s) {
  const int nv = (int)s->m->nv;
  stg_spoil(s->d->qfrc_spring, nv);
  stg_spoil(s->d->qfrc_damper, nv);
  stg_spoil(s->d->qfrc_gravcomp, nv);
  stg_spoil(s->d->qfrc_fluid, nv);
  stg_spoil(s->d->qfrc_passive, nv);
  mj_passive(s->m, s->d);
  stg_near(s, "qfrc_spring", s->ref->qfrc_spring, s->d->qfrc_spring, nv, 1e-12);
  stg_near(s, "qfrc_damper", s->ref->qfrc_damper, s->d->qfrc_damper, nv, 1e-12);
  stg_near(s, "qfrc_gravcomp", s->ref->qfrc_gravcomp, s->d->qfrc_gravcomp, nv, 1e-12);
  stg_near(s, "qfrc_fluid", s->ref->qfrc_fluid, s->d->qfrc_fluid, nv, 1e-12);
  stg_near(s, "qfrc_passive", s->ref->qfrc_passive, s->d->qfrc_passive, nv, 1e-12);
}

// all flags that passive forces look at
static const int FLAGS[] = {
    0, mjDSBL_SPRING, mjDSBL_DAMPER, mjDSBL_SPRING | mjDSBL_DAMPER, mjDSBL_GRAVITY, mjDSBL_CONTACT};

static void compareFlags(const char* name, mjModel* m) {
  Stage s = stg_open(name, m);
  Rnd rnd = {7};
  const int original = m->opt.disableflags;
  for (size_t f = 0; f < sizeof(FLAGS) / sizeof(FLAGS[0]); f++) {
    m->opt.disableflags = original | FLAGS[f];
    for (int trial = 0; trial < 3; trial++) {
      stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.5);
      stg_forward(&s);
      comparePassive(&s);
    }
  }
  m->opt.disableflags = original;
  stg_finish(&s);
}

static void modelsMatchReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    compareFlags(tst_models[i], m);

    // again in a medium with wind, and with the other storage of tendons
    m->opt.density = 3;
    m->opt.viscosity = 0.2;
    m->opt.wind[0] = 0.3;
    m->opt.wind[2] = -0.2;
    m->opt.jacobian = mjJAC_SPARSE;
    compareFlags(tst_models[i], m);
    mj_deleteModel(m);
  }
}

// flexes of every kind: bending of flat sheets and of one that is curved at rest, pinned to a moving body, centred and
// not, edge springs
static const char* const FLEX[] = {
    "<mujoco><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/>"
    "<flexcomp name='f' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' mass='1' radius='.01'>"
    "<elasticity young='3e3' poisson='.3' thickness='.02' damping='.02' elastic2d='stretch'/>"
    "<contact selfcollide='none'/><pin id='0 3'/></flexcomp></body></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' mass='1' radius='.01'>"
    "<elasticity young='3e3' poisson='.3' thickness='.02' damping='.02' elastic2d='bend'/>"
    "<contact selfcollide='none'/><edge damping='.3'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='direct' dim='2' mass='1' radius='.01' point='0 0 0 0 .1 0 .1 0 .03 .1 .1 .04 .18 0 .1 "
    ".18 "
    ".1 .11 .22 0 .2 .23 .1 .2' element='0 2 1 1 2 3 2 4 3 3 4 5 4 6 5 5 6 7'>"
    "<elasticity young='3e3' poisson='.3' thickness='.02' damping='.02' elastic2d='both'/>"
    "<contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' mass='1' radius='.01'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><edge damping='.2'/>"
    "<contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='6 6 6' spacing='.1 .1 .1' mass='1' radius='.01' dof='quadratic'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/><pin id='0 1'/></flexcomp>"
    "</worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='1' count='6 1 1' spacing='.1 .1 .1' mass='1' radius='.01'>"
    "<edge stiffness='50' damping='.5'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody><geom type='plane' size='3 3 .1'/><geom size='.2' pos='.1 .1 .05'/>"
    "<body pos='0 0 .5'><freejoint/><geom size='.25'/></body>"
    "<flexcomp name='f' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .26' mass='1' radius='.02'>"
    "<contact passive='true' selfcollide='none'/><elasticity young='1e3' poisson='.2' thickness='.01'/></flexcomp>"
    "<flexcomp name='g' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' pos='1 0 .1' mass='1' radius='.02'"
    " dof='trilinear'><contact passive='true' selfcollide='none'/><elasticity young='1e3' poisson='.2'/></flexcomp>"
    "</worldbody></mujoco>",
};

static void flexesMatchReference(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(FLEX) / sizeof(FLEX[0]); i++) {
    char name[20];
    snprintf(name, sizeof(name), "flex %zu", i);
    mjModel* m = orc_compile(FLEX[i]);

    // the coefficient of the curve at rest is there where it should be
    mjtNum curve = 0;
    for (int e = 0; e < m->nflexedge; e++) curve = fmax(curve, fabs(m->flex_bending[17 * e + 16]));
    assert_int_equal(curve > 1e-6, i == 2);
    compareFlags(name, m);
    ORC(mj_deleteModel)(m);
  }
}

// without the reference: a linear spring and damper on the pendulum model's dofs
static void springAndDamperAreLinear(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  const int nv = (int)m->nv;
  assert_true(nv >= 1);
  for (int j = 0; j < m->njnt; j++) m->jnt_stiffness[j] = 3;
  for (int i = 0; i < nv; i++) m->dof_damping[i] = 0.5;
  for (int i = 0; i < nv; i++) d->qvel[i] = 0.1 * (i + 1);
  mj_integratePos(m, d->qpos, d->qvel, 1);
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
    const int q = m->jnt_qposadr[j], i = m->jnt_dofadr[j];
    assert_true(fabs(d->qfrc_spring[i] + 3 * (d->qpos[q] - m->qpos_spring[q])) <= 1e-15);
    assert_true(fabs(d->qfrc_damper[i] + 0.5 * d->qvel[i]) <= 1e-15);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a dof without damping has no damper, also while its velocity is no number
static void noDampingNoForce(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  m->dof_damping[0] = 0;
  d->qvel[0] = NAN;
  mj_fwdPosition(m, d);
  mj_passive(m, d);
  assert_true(d->qfrc_damper[0] == 0);
  d->qvel[0] = 1;
  mj_passive(m, d);
  assert_true(d->qfrc_damper[0] == 0 && !signbit(d->qfrc_damper[0]));
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void addOne(const mjModel* m, mjData* d) {
  (void)m;
  d->qfrc_passive[0] += 1;
}

// the callback adds to the sum, and is skipped when springs and dampers are both disabled
static void callbackIsGated(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  const mjtNum before = d->qfrc_passive[0];
  mjcb_passive = addOne;
  mj_passive(m, d);
  assert_true(fabs(d->qfrc_passive[0] - (before + 1)) <= 1e-15);
  m->opt.disableflags |= mjDSBL_SPRING | mjDSBL_DAMPER;
  mj_passive(m, d);
  assert_true(d->qfrc_passive[0] == 0);
  mjcb_passive = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),     cmocka_unit_test(flexesMatchReference),
      cmocka_unit_test(springAndDamperAreLinear), cmocka_unit_test(noDampingNoForce),
      cmocka_unit_test(callbackIsGated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
