// Inverse dynamics: forces that were applied come back from the acceleration they caused, in continuous and discrete
// time; the whole against the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/stage.h"

// a state with motion, controls and forces of all kinds; the same for either library's data
static void stir(const mjModel* m, mjData* d, Rnd* rnd) {
  const double spread = m->nflex ? 0.01 : 0.2;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(rnd, -spread, spread);
  mj_integratePos(m, d->qpos, d->qvel, 1);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = rnd_uniform(rnd, -0.5, 0.5);
    d->qfrc_applied[i] = rnd_uniform(rnd, -0.2, 0.2);
  }
  for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = rnd_uniform(rnd, -0.1, 0.1);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = rnd_uniform(rnd, -1, 1);
}

// what forward dynamics was given: applied and actuator forces, and Cartesian ones through the Jacobian
static void appliedForces(const mjModel* m, mjData* d, mjtNum* force) {
  for (int i = 0; i < m->nv; i++) force[i] = d->qfrc_applied[i] + d->qfrc_actuator[i];
  for (int b = 1; b < m->nbody; b++) {
    mj_applyFT(m, d, d->xfrc_applied + 6 * b, d->xfrc_applied + 6 * b + 3, d->xipos + 3 * b, b, force);
  }
}

// largest difference between inverse forces and those that were applied, relative to the largest force around
static double worst(const mjModel* m, const mjData* d, const mjtNum* applied) {
  double difference = 0, scale = 1;
  for (int i = 0; i < m->nv; i++) {
    difference = fmax(difference, fabs(d->qfrc_inverse[i] - applied[i]));
    scale = fmax(scale, fmax(fabs(d->qfrc_constraint[i]), fabs(d->qfrc_bias[i])));
  }
  return difference / scale;
}

enum { MAXNV = 300 };

// with constraints solved to the last digits, for both kinds of friction cones
static void inverseUndoesForward(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    for (int cone = 0; cone < 2; cone++) {
      mjModel* m = tst_model(tst_models[i]);
      mjData* d = mj_makeData(m);
      assert_true(m->nv < MAXNV);
      m->opt.cone = cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      m->opt.solver = mjSOL_NEWTON;
      m->opt.tolerance = 0;
      m->opt.iterations = 200;
      m->opt.noslip_iterations = 0;
      m->opt.enableflags &= ~mjENBL_SLEEP;
      Rnd rnd = {41};
      mjtNum applied[MAXNV], qacc[MAXNV];
      for (int trial = 0; trial < 3; trial++) {
        mj_resetData(m, d);
        stir(m, d, &rnd);
        mj_forward(m, d);
        appliedForces(m, d, applied);
        memcpy(qacc, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
        mj_inverse(m, d);
        if (!(worst(m, d, applied) < 1e-8)) fail_msg("%s, cone %d: %g", tst_models[i], cone, worst(m, d, applied));
        assert_memory_equal(qacc, d->qacc, sizeof(mjtNum) * (size_t)m->nv);
      }
      mj_deleteData(d);
      mj_deleteModel(m);
    }
  }
}

// the acceleration that a step shows is not the one of continuous time: damping is implicit. The flag undoes that
static void discreteTime(void** state) {
  (void)state;
  static const int INTEGRATOR[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  static const char* const NAME[] = {"chain", "joints", "tendons", "pendulum"};
  int damped = 0;
  for (int k = 0; k < 3; k++) {
    for (size_t i = 0; i < sizeof(NAME) / sizeof(NAME[0]); i++) {
      mjModel* m = tst_model(NAME[i]);
      m->opt.integrator = INTEGRATOR[k];
      m->opt.timestep = 0.01;
      m->opt.disableflags |= mjDSBL_CONSTRAINT;
      mjData* d = mj_makeData(m);
      Rnd rnd = {43};
      stir(m, d, &rnd);
      mjData* start = mj_copyData(NULL, m, d);
      mjtNum applied[MAXNV];
      mj_step(m, d);
      appliedForces(m, d, applied);

      // back to the start with the acceleration that was seen
      for (int v = 0; v < m->nv; v++) d->qacc[v] = (d->qvel[v] - start->qvel[v]) / m->opt.timestep;
      mj_copyState(m, start, d, mjSTATE_FULLPHYSICS);
      mj_inverse(m, d);
      const double continuous = worst(m, d, applied);
      m->opt.enableflags |= mjENBL_INVDISCRETE;
      mj_inverse(m, d);
      if (!(worst(m, d, applied) < 1e-10)) {
        fail_msg("%s, integrator %d: %g (continuous %g)", NAME[i], INTEGRATOR[k], worst(m, d, applied), continuous);
      }
      damped += continuous > 1e-6;
      mj_deleteData(start);
      mj_deleteData(d);
      mj_deleteModel(m);
    }
  }

  // it mattered in nearly all of them
  assert_true(damped >= 9);

  // four evaluations cannot be undone
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  m->opt.integrator = mjINT_RK4;
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  assert_non_null(strstr(CATCH(mj_inverse(m, d)), "RK4"));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the comparison leaves forces and accelerations as it found them, and is small where the solver has converged
static void comparisonIsSmall(void** state) {
  (void)state;
  mjModel* m = tst_model("flags");
  mjData *d = mj_makeData(m), *plain = mj_makeData(m);
  for (int i = 0; i < 20; i++) {
    m->opt.enableflags = 0;
    mj_step(m, plain);
    assert_true(plain->solver_fwdinv[0] == 0 && plain->solver_fwdinv[1] == 0);
    m->opt.enableflags = mjENBL_FWDINV;
    mj_step(m, d);
    assert_true(d->nefc > 0);
    assert_true(d->solver_fwdinv[0] > 0 && d->solver_fwdinv[0] < 1e-6);
    assert_true(d->solver_fwdinv[1] > 0 && d->solver_fwdinv[1] < 1e-6);
    assert_memory_equal(d->qpos, plain->qpos, sizeof(mjtNum) * (size_t)m->nq);
    assert_memory_equal(d->qacc, plain->qacc, sizeof(mjtNum) * (size_t)m->nv);
    assert_memory_equal(d->efc_force, plain->efc_force, sizeof(mjtNum) * (size_t)d->nefc);
  }

  // a solver that stops too early shows
  m->opt.iterations = 1;
  m->opt.solver = mjSOL_PGS;
  mj_step(m, d);
  assert_true(d->solver_fwdinv[0] > 1e-4);
  mj_deleteData(plain);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjtNum clockTicks;
static mjtNum tick(void) {
  return clockTicks++;
}

// a clock that ticks when it is looked at: every stage is timed from its own begin, so that parts make the whole
static void timersOfStages(void** state) {
  (void)state;
  // STEP, FORWARD, INVERSE, POSITION, VELOCITY, ACTUATION, CONSTRAINT, ADVANCE, then the parts of POSITION and
  // collision
  static const int ticks[3][mjNTIMER] = {
      {28, 24, 0,  16, 1, 1, 1, 1, 2, 2, 3, 1, 1, 1, 1},
      {0,  24, 0,  16, 1, 1, 1, 0, 2, 2, 3, 1, 1, 1, 1},
      {0,  0,  20, 14, 1, 0, 1, 0, 2, 2, 3, 1, 0, 1, 1}
  };
  mjModel* m = tst_model("flags");
  mjData* d = mj_makeData(m);
  void (*const calls[3])(const mjModel*, mjData*) = {mj_step, mj_forward, mj_inverse};
  mjcb_time = tick;
  for (int k = 0; k < 3; k++) {
    mj_resetData(m, d);
    clockTicks = 0;
    calls[k](m, d);
    for (int i = 0; i < mjNTIMER; i++) {
      if (d->timer[i].duration != ticks[k][i]) fail_msg("call %d, timer %d: %g", k, i, d->timer[i].duration);
      assert_int_equal(d->timer[i].number, ticks[k][i] > 0);
    }
  }
  mjcb_time = NULL;
  mj_deleteData(d);
  mj_deleteModel(m);
}

// stages one by one give what the whole gives; skipping what is up to date changes nothing
static void stagesMakeTheWhole(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData *a = mj_makeData(m), *b = mj_makeData(m);
  Rnd rnd = {47};
  stir(m, a, &rnd);
  for (int i = 0; i < m->nv; i++) a->qacc[i] = rnd_uniform(&rnd, -1, 1);
  mj_copyData(b, m, a);
  mj_inverse(m, a);
  mj_invPosition(m, b);
  mj_sensorPos(m, b);
  mj_invVelocity(m, b);
  mj_sensorVel(m, b);
  mj_invConstraint(m, b);
  assert_memory_equal(a->qfrc_constraint, b->qfrc_constraint, sizeof(mjtNum) * (size_t)m->nv);
  mj_inverseSkip(m, b, mjSTAGE_VEL, 0);
  assert_memory_equal(a->qfrc_inverse, b->qfrc_inverse, sizeof(mjtNum) * (size_t)m->nv);
  assert_memory_equal(a->sensordata, b->sensordata, sizeof(mjtNum) * (size_t)m->nsensordata);

  // new accelerations need the last stage only; without sensors they keep their values
  for (int i = 0; i < m->nv; i++) a->qacc[i] = b->qacc[i] += 0.5;
  mj_inverse(m, a);
  memset(b->sensordata, 0, sizeof(mjtNum) * (size_t)m->nsensordata);
  mj_inverseSkip(m, b, mjSTAGE_VEL, 1);
  assert_memory_equal(a->qfrc_inverse, b->qfrc_inverse, sizeof(mjtNum) * (size_t)m->nv);
  for (int i = 0; i < m->nsensordata; i++) assert_true(b->sensordata[i] == 0);
  mj_deleteData(b);
  mj_deleteData(a);
  mj_deleteModel(m);
}

static void compareInverse(Stage* s, Rnd* rnd, int discrete) {
  mjModel* m = s->m;
  if (discrete) {
    m->opt.enableflags |= mjENBL_INVDISCRETE;
  } else {
    m->opt.enableflags &= ~mjENBL_INVDISCRETE;
  }
  stg_randomize(s, rnd, m->nflex ? 0.01 : 0.3);
  ORC(mj_forward)(m, s->ref);
  orc_mirror(m, s->d, s->ref);
  for (int i = 0; i < m->nv; i++) s->d->qacc[i] = s->ref->qacc[i] = rnd_uniform(rnd, -2, 2);
  ORC(mj_inverse)(m, s->ref);
  mj_inverse(m, s->d);
  stg_near(s, "qfrc_inverse", s->ref->qfrc_inverse, s->d->qfrc_inverse, (int)m->nv, 1e-9);
  stg_near(s, "qfrc_constraint", s->ref->qfrc_constraint, s->d->qfrc_constraint, (int)m->nv, 1e-9);
  stg_near(s, "sensordata", s->ref->sensordata, s->d->sensordata, (int)m->nsensordata, 1e-9);
}

static void modelsMatchReference(void** state) {
  (void)state;
  static const int INTEGRATOR[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    if (m->opt.enableflags & mjENBL_SLEEP) m->opt.enableflags &= ~mjENBL_SLEEP;
    Stage s = stg_open(tst_models[i], m);
    Rnd rnd = {53};
    const int flags = m->opt.disableflags;
    for (int trial = 0; trial < 8; trial++) {
      m->opt.integrator = INTEGRATOR[trial < 6 ? trial % 3 : 0];
      m->opt.disableflags = flags | (trial == 6 ? mjDSBL_DAMPER : trial == 7 ? mjDSBL_EULERDAMP : 0);
      compareInverse(&s, &rnd, trial >= 3);
    }
    stg_close(&s);
    assert_int_equal(s.errors, 0);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverseUndoesForward), cmocka_unit_test(discreteTime),
      cmocka_unit_test(comparisonIsSmall),    cmocka_unit_test(timersOfStages),
      cmocka_unit_test(stagesMakeTheWhole),   cmocka_unit_test(modelsMatchReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
