// Integrators against the reference, one step from the same state; order and exactness without it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sinew/sinew.h>

#include "step/stages.h"
#include "support/model.h"
#include "support/stage.h"

// the state after one step of both
static void compareStates(Stage* s) {
  const mjModel* m = s->m;
  mjData *r = s->ref, *d = s->d;
  stg_near(s, "time", &r->time, &d->time, 1, 0);
  stg_near(s, "qpos", r->qpos, d->qpos, (int)m->nq, 1e-12);
  stg_near(s, "qvel", r->qvel, d->qvel, (int)m->nv, 1e-12);
  stg_near(s, "act", r->act, d->act, (int)m->na, 1e-13);
  stg_near(s, "history", r->history, d->history, (int)m->nhistory, 1e-13);
  stg_near(s, "qacc_warmstart", r->qacc_warmstart, d->qacc_warmstart, (int)m->nv, 0);
}

static void compareIntegrator(Stage* s, int integrator) {
  mjModel* m = s->m;
  m->opt.integrator = integrator;
  if (integrator == mjINT_EULER) {
    ORC(mj_Euler)(m, s->ref);
    mj_Euler(m, s->d);
  } else {
    ORC(mj_implicit)(m, s->ref);
    mj_implicit(m, s->d);
  }
  compareStates(s);
}

static void compareModel(const char* name, mjModel* m) {
  static const int INTEGRATOR[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  Stage s = stg_open(name, m);
  Rnd rnd = {29};
  const int original = m->opt.disableflags;
  for (int trial = 0; trial < 9; trial++) {
    m->opt.disableflags = original | (trial == 3 ? mjDSBL_EULERDAMP : trial == 4 ? mjDSBL_ACTUATION : 0);
    m->opt.disableactuator = trial == 5 ? 1 << 1 : 0;
    m->opt.density = trial < 6 ? 0 : 2;
    m->opt.integrator = INTEGRATOR[trial % 3];
    stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.3);
    stg_forward(&s);
    compareIntegrator(&s, INTEGRATOR[trial % 3]);
  }
  m->opt.disableflags = original;
  stg_finish(&s);
}

static void modelsMatchReference(void** state) {
  (void)state;
  stg_eachModel(compareModel, 0);
}

// interpolated flexes add their stiffness to the implicit integrators; some hang on moving bodies
static const char* const FLEX[] = {
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='6 6 6' spacing='.1 .1 .1' mass='1' radius='.01' dof='quadratic'>"
    "<elasticity young='3e3' poisson='.3'/><contact selfcollide='none'/></flexcomp>"
    "<body pos='2 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    "<mujoco><worldbody>"
    "<flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/><pin id='0 1'/></flexcomp>"
    "</worldbody></mujoco>",
    "<mujoco><worldbody><body name='a'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='1'/>"
    "<body name='b' pos='.3 0 0'><joint type='slide'/><geom size='.1' mass='1'/>"
    "<flexcomp name='f' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.02'/><contact selfcollide='none'/><pin id='4 5 6 7'/></flexcomp>"
    "</body><body name='c'><joint type='slide' axis='0 1 0'/><geom size='.1' mass='1'/>"
    "<flexcomp name='g' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' radius='.01' dof='trilinear'>"
    "<elasticity young='3e3' poisson='.3' damping='.01'/><contact selfcollide='none'/><pin id='0 1 2 3'/></flexcomp>"
    "</body></body></worldbody></mujoco>",
};

static void flexesMatchReference(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(FLEX) / sizeof(FLEX[0]); i++) {
    mjModel* m = orc_compile(FLEX[i]);
    compareModel("interpolated flex", m);
    ORC(mj_deleteModel)(m);
  }
}

// Runge-Kutta runs whole forward passes: without constraints it agrees to rounding
static void rungeKuttaMatchesReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    Stage s = stg_open(tst_models[i], m);
    Rnd rnd = {31};
    m->opt.integrator = mjINT_RK4;
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    for (int trial = 0; trial < 3; trial++) {
      stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.3);
      stg_forward(&s);
      ORC(mj_RungeKutta)(m, s.ref, 4);
      mj_RungeKutta(m, s.d, 4);
      const mjData *r = s.ref, *d = s.d;
      stg_near(&s, "time", &r->time, &d->time, 1, 0);
      stg_near(&s, "qpos", r->qpos, d->qpos, (int)m->nq, 1e-12);
      stg_near(&s, "qvel", r->qvel, d->qvel, (int)m->nv, 1e-12);
      stg_near(&s, "act", r->act, d->act, (int)m->na, 1e-12);
    }
    stg_close(&s);
    assert_int_equal(s.errors, 0);
    mj_deleteModel(m);
  }
}

// one second of a frictionless chain with a given step; the energy drifts by the error of the method
static double energyDrift(int integrator, double h) {
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  m->opt.timestep = h;
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_DAMPER | mjDSBL_ACTUATION | mjDSBL_SPRING;
  m->opt.enableflags |= mjENBL_ENERGY;
  for (int i = 0; i < m->nq; i++) d->qpos[i] = 1;
  double start = 0, worst = 0;
  for (int k = 0; k < 1 / h; k++) {
    mj_forward(m, d);
    const double energy = d->energy[0] + d->energy[1];
    if (k == 0) start = energy;
    worst = fmax(worst, fabs(energy - start));
    if (integrator == mjINT_RK4) {
      mj_RungeKutta(m, d, 4);
    } else {
      mj_Euler(m, d);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return worst;
}

// halving the step divides the error by 16 for fourth order (at least 10 asked for), by 2 for Euler
static void ordersOfConvergence(void** state) {
  (void)state;
  const double coarse = energyDrift(mjINT_RK4, 0.01), fine = energyDrift(mjINT_RK4, 0.005);
  assert_true(fine > 0 && coarse / fine > 10);
  const double coarse1 = energyDrift(mjINT_EULER, 0.01), fine1 = energyDrift(mjINT_EULER, 0.005);
  assert_true(coarse1 / fine1 > 1.5 && coarse1 / fine1 < 3);
  assert_true(fine < 1e-3 * fine1);
}

// an exact filter reaches 1 - exp(-t/tau) whatever the timestep; ranges hold
static void exactFilterIsExact(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjData* d = mj_makeData(m);
  int id = 0;
  while (m->actuator_dyntype[id] != mjDYN_FILTEREXACT) id++;
  const int act = m->actuator_actadr[id];
  const mjtNum tau = m->actuator_dynprm[mjNDYN * id];
  m->opt.integrator = mjINT_EULER;
  d->ctrl[id] = 1;
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  for (int k = 0; k < 10; k++) {
    mj_fwdActuation(m, d);
    memset(d->qacc, 0, sizeof(mjtNum) * (size_t)m->nv);
    mj_Euler(m, d);
  }
  assert_true(fabs(d->act[act] - (1 - exp(-d->time / tau))) < 1e-13);
  m->actuator_actlimited[id] = 1;
  m->actuator_actrange[2 * id] = 0;
  m->actuator_actrange[2 * id + 1] = 0.25;
  mj_Euler(m, d);
  assert_true(d->act[act] == 0.25);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// factoring again changes nothing
static void skippingFactorsIsTheSame(void** state) {
  (void)state;
  static const int INTEGRATOR[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  mjModel* m = tst_model("chain");
  mjData *a = mj_makeData(m), *b = mj_makeData(m);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  for (int k = 0; k < 3; k++) {
    m->opt.integrator = INTEGRATOR[k];
    mj_resetData(m, a);
    for (int i = 0; i < m->nv; i++) a->qvel[i] = 0.1 * i;
    mj_fwdPosition(m, a);
    mj_fwdVelocity(m, a);
    mj_fwdActuation(m, a);
    mj_fwdAcceleration(m, a);
    memcpy(a->qacc, a->qacc_smooth, sizeof(mjtNum) * (size_t)m->nv);
    mj_copyData(b, m, a);
    (k ? stp_implicit : stp_euler)(m, a, 0);
    mj_copyState(m, b, a, mjSTATE_INTEGRATION);
    (k ? stp_implicit : stp_euler)(m, a, 1);
    (k ? stp_implicit : stp_euler)(m, b, 0);
    assert_memory_equal(a->qpos, b->qpos, sizeof(mjtNum) * (size_t)m->nq);
    assert_memory_equal(a->qvel, b->qvel, sizeof(mjtNum) * (size_t)m->nv);
  }
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteModel(m);
}

// one tree on the floor, with cameras and lights that follow it; where the solver stops is felt, and so is the scale
// that it measures with
static const char WATCHED[] =
    "<mujoco><option integrator='RK4' tolerance='1e-3'><flag energy='enable'/></option><statistic meaninertia='1e6'/>"
    "<worldbody><geom type='plane' size='1 1 .1'/>"
    "<light name='l' mode='trackcom' pos='0 0 2'/>"
    "<body name='a' pos='0 0 .3'><freejoint/><geom type='box' size='.1 .08 .06'/><camera pos='0 0 1'/>"
    "<body pos='.15 0 0'><joint name='j' axis='0 1 0' range='-20 20' frictionloss='.1'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 -.1'/><camera mode='targetbody' target='a' pos='1 0 1'/></body>"
    "</body></worldbody><actuator><motor joint='j'/></actuator></mujoco>";

typedef struct {
  int calls, behind;  // how often it was called, and how often a camera was not where its body is
} Watcher;

static void watch(const mjModel* m, mjData* d, void* context) {
  Watcher* w = context;
  mjtNum place[3];
  mju_mulMatVec3(place, d->xmat + 9, m->cam_pos);
  mju_addTo3(place, d->xpos + 3);
  w->calls++;
  w->behind += mju_dist3(place, d->cam_xpos) > 1e-12;
}

// 1: what a step leaves in mjData is the same, cameras, energies and islands among it; PGS leaves islands' forces open
static int sameResults(const mjModel* m, const mjData* a, const mjData* b) {
#define SAME(name, n) (!memcmp(a->name, b->name, sizeof(*a->name) * (size_t)(n)))
  if (a->nefc != b->nefc || a->nisland != b->nisland || a->nidof != b->nidof) return 0;
  if (a->nisland && !SAME(dof_island, m->nv)) return 0;
  if (a->nisland && m->opt.solver != mjSOL_PGS && !(SAME(iefc_force, a->nefc) && SAME(iacc, a->nidof))) return 0;
  return SAME(qpos, m->nq) && SAME(qvel, m->nv) && SAME(qacc, m->nv) && SAME(cam_xpos, 3 * m->ncam) &&
         SAME(cam_xmat, 9 * m->ncam) && SAME(light_xpos, 3) && SAME(energy, 2) && SAME(efc_force, a->nefc) &&
         SAME(solver_niter, mjNISLAND);
#undef SAME
}

// Evaluations within a step leave out what nobody sees. Somebody who is called sees everything at its place, and finds
// the same results as nobody.
static void evaluationsBetweenAreTheSame(void** state) {
  (void)state;
  TstScene scene = tst_openScene(WATCHED);
  mjModel* m = scene.m;
  mjData *alone = scene.d, *seen = mj_makeData(m);
  Watcher watcher = {0, 0};
  sn_setHooks(seen, &(snHooks){.context = &watcher, .passive = watch});
  int islands = 0;
  for (int kind = 0; kind < 12; kind++) {
    m->opt.solver = kind % 3;
    m->opt.jacobian = kind / 3 % 2;
    m->opt.cone = kind / 6;
    mj_resetData(m, alone);
    mj_resetData(m, seen);
    for (int i = 0; i < 60; i++) {
      alone->ctrl[0] = seen->ctrl[0] = i % 7 - 3;
      mj_step(m, alone);
      mj_step(m, seen);
      assert_true(sameResults(m, alone, seen));
      islands += alone->nisland;
    }
  }
  assert_true(islands > 300);
  assert_int_equal(watcher.calls, 12 * 60 * 4);
  assert_int_equal(watcher.behind, 0);
  mj_deleteData(seen);
  tst_closeScene(&scene);
}

// a model in which nothing moves: time passes, whatever the integrator and solver; sizes of zero reach every stage
static void nothingMoves(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><option density='1' viscosity='1'><flag energy='enable' fwdinv='enable'/></option>"
      "<worldbody><geom name='g' size='.1'/><site name='p'/><site name='q' pos='1 0 0'/><camera name='c'/>"
      "<body name='b' mocap='true'><geom name='h' size='.1' fluidshape='ellipsoid'/></body></worldbody>"
      "<tendon><spatial name='t' limited='true' range='0 .5' frictionloss='1' stiffness='1' damping='1' armature='1'>"
      "<site site='p'/><site site='q'/></spatial>"
      "<spatial limited='true' range='.9 1.1' margin='.3'><site site='p'/><site site='q'/></spatial></tendon>"
      "<equality><weld body1='world' body2='b'/><connect site1='p' site2='q'/><tendon tendon1='t'/></equality>"
      "<contact><pair geom1='g' geom2='h'/></contact>"
      "<actuator><adhesion body='b' ctrlrange='0 1'/><motor tendon='t'/><position site='p' refsite='q'/></actuator>"
      "<sensor><tendonpos tendon='t'/><tendonlimitfrc tendon='t'/><framelinacc objtype='site' objname='p'/>"
      "<force site='q'/><touch site='p'/><subtreeangmom body='b'/><e_kinetic/></sensor></mujoco>";
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 48; i++) {
    m->opt.integrator = i % 4;
    m->opt.solver = i / 4 % 3;
    m->opt.jacobian = i / 12 % 2;
    m->opt.cone = i / 24;
    mj_step(m, d);
    mj_inverse(m, d);
  }
  assert_int_equal(d->nefc, 0);
  assert_true(d->time > 47.5 * m->opt.timestep);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),         cmocka_unit_test(flexesMatchReference),
      cmocka_unit_test(rungeKuttaMatchesReference),   cmocka_unit_test(ordersOfConvergence),
      cmocka_unit_test(exactFilterIsExact),           cmocka_unit_test(skippingFactorsIsTheSame),
      cmocka_unit_test(evaluationsBetweenAreTheSame), cmocka_unit_test(nothingMoves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
