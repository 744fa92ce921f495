// Velocity derivatives and steps under the reference's names. Tolerances: analytic derivatives differ by the order of
// sums; finite differences divide such differences by eps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

// a chain in a medium, with an actuator that depends on velocity and a damped tendon
static const char CHAIN[] =
    "<mujoco><option density='20' viscosity='.3' integrator='implicit'/><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom type='box' size='.1 .05 .02'/>"
    " <body pos='.3 0 0'><joint name='h' axis='0 1 0' damping='.1'/><geom type='capsule' size='.03 .1'/>"
    "  <body pos='.3 0 0'><joint type='ball'/><geom type='box' size='.03 .1 .05' pos='.1 .1 0'/></body></body></body>"
    "</worldbody><tendon><fixed name='t' damping='.2'><joint joint='h' coef='2'/></fixed></tendon>"
    "<actuator><velocity joint='h' kv='3'/><damper tendon='t' kv='2' ctrlrange='0 1'/></actuator></mujoco>";

// two interpolated flexes
static const char FLEX[] =
    "<mujoco><worldbody>"
    "<flexcomp name='a' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' dof='trilinear' mass='1' radius='.01'>"
    "<elasticity young='1e4' poisson='.2' damping='.01'/><contact selfcollide='none'/></flexcomp>"
    "<flexcomp name='b' type='grid' count='4 3 4' spacing='.1 .1 .1' pos='1 0 0' dim='3' dof='trilinear' mass='1' "
    "radius='.01'><elasticity young='1e3' poisson='0'/><contact selfcollide='none'/></flexcomp></worldbody>"
    "</mujoco>";

// a flex on a body that turns
static const char TURNING[] =
    "<mujoco><worldbody><body name='p' pos='.3 0 1'><joint axis='0 1 .2'/><geom size='.05' contype='0'/>"
    "<flexcomp name='a' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' dof='trilinear' mass='1' radius='.01'>"
    "<elasticity young='1e4' poisson='.2' damping='.01'/><contact selfcollide='none'/></flexcomp>"
    "</body></worldbody></mujoco>";

static mjtNum* numbers(mjtSize n) {
  return calloc((size_t)n + 1, sizeof(mjtNum));
}

//---------------------------------- analytic and finite differences ----------------------------------

static void analyticIsFiniteDifference(void** state) {
  (void)state;
  TstScene t = tst_openScene(CHAIN);
  mjModel* m = t.m;
  mjData* d = t.d;
  const int nD = (int)m->nD;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.2 * i - 0.5;
  d->ctrl[0] = 0.3;
  d->ctrl[1] = 0.6;
  mj_forward(m, d);

  // the whole
  mjtNum *whole = numbers(nD), *parts = numbers(nD);
  mjd_smooth_vel(m, d, 1);
  memcpy(whole, d->qDeriv, (size_t)nD * sizeof(mjtNum));
  stg_spoil(d->qDeriv, nD);
  mjd_smooth_velFD(m, d, 1e-6);
  for (int i = 0; i < nD; i++) assert_near(whole[i], d->qDeriv[i], 1e-7);

  // its parts
  memset(d->qDeriv, 0, (size_t)nD * sizeof(mjtNum));
  mjd_passive_vel(m, d);
  memcpy(parts, d->qDeriv, (size_t)nD * sizeof(mjtNum));
  mjd_actuator_vel(m, d);
  mjd_rne_vel_dense(m, d);
  for (int i = 0; i < nD; i++) assert_near(whole[i], d->qDeriv[i], 1e-13);
  mjd_passive_velFD(m, d, 1e-7);
  for (int i = 0; i < nD; i++) assert_near(parts[i], d->qDeriv[i], 1e-5);
  free(whole);
  free(parts);
  tst_closeScene(&t);
}

typedef void (*Part)(const mjModel*, mjData*);

// one function on both sides, from the same qDeriv
static void comparePart(Stage* s, const char* name, Part ref, Part our) {
  const int nD = (int)s->m->nD;
  for (int i = 0; i < nD; i++) s->ref->qDeriv[i] = s->d->qDeriv[i] = 0.1 * (i % 7);
  ref(s->m, s->ref);
  our(s->m, s->d);
  stg_near(s, name, s->ref->qDeriv, s->d->qDeriv, nD, 1e-12);
}

static void derivativesMatchReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    if (m->nv > 80) {
      mj_deleteModel(m);
      continue;
    }
    Stage s = stg_open(tst_models[i], m);
    Rnd rnd = {17};
    const int nD = (int)m->nD;
    for (int trial = 0; trial < 3; trial++) {
      stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.5);
      stg_forward(&s);
      for (int bias = 0; bias < 2; bias++) {
        ORC(mjd_smooth_vel)(m, s.ref, bias);
        stg_spoil(s.d->qDeriv, nD);
        mjd_smooth_vel(m, s.d, bias);
        stg_near(&s, "smooth", s.ref->qDeriv, s.d->qDeriv, nD, 1e-12);
      }
      comparePart(&s, "passive", ORC(mjd_passive_vel), mjd_passive_vel);
      comparePart(&s, "actuator", ORC(mjd_actuator_vel), mjd_actuator_vel);
      comparePart(&s, "bias", ORC(mjd_rne_vel_dense), mjd_rne_vel_dense);

      ORC(mjd_smooth_velFD)(m, s.ref, 1e-4);
      mjd_smooth_velFD(m, s.d, 1e-4);
      stg_near(&s, "smooth FD", s.ref->qDeriv, s.d->qDeriv, nD, 1e-8);
      stg_near(&s, "qvel", s.ref->qvel, s.d->qvel, (int)m->nv, 0);
      ORC(mjd_passive_velFD)(m, s.ref, 1e-4);
      mjd_passive_velFD(m, s.d, 1e-4);
      stg_near(&s, "passive FD", s.ref->qDeriv, s.d->qDeriv, nD, 1e-8);
    }
    assert_int_equal(s.errors, 0);
    stg_close(&s);
    mj_deleteModel(m);
  }
}

// two trees that may sleep
static const char TWO[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody>"
    "<body><joint axis='0 1 0' damping='1'/><geom size='.1' pos='.2 0 0'/>"
    "<body pos='.3 0 0'><joint axis='1 0 1'/><geom size='.1' pos='.2 0 0'/></body></body>"
    "<body pos='0 1 0'><joint axis='0 1 0' damping='1'/><geom size='.1' pos='.2 0 0'/>"
    "<body pos='.3 0 0'><joint axis='1 0 1'/><geom size='.1' pos='.2 0 0'/></body></body>"
    "</worldbody></mujoco>";

// the dense function counts what sleeps, as if it were awake, and leaves it asleep
static void denseBiasOfSleepingTrees(void** state) {
  (void)state;
  TstScene t = tst_openScene(TWO);
  const int nD = (int)t.m->nD;
  mjtNum* const awake = numbers(nD);
  for (int i = 0; i < 4; i++) t.d->qvel[i] = 0.7 - 0.3 * i;
  t.d->qpos[1] = 0.4;
  t.d->qpos[3] = -0.6;
  mj_forward(t.m, t.d);
  memset(t.d->qDeriv, 0, (size_t)nD * sizeof(mjtNum));
  mjd_rne_vel_dense(t.m, t.d);
  memcpy(awake, t.d->qDeriv, (size_t)nD * sizeof(mjtNum));
  mjtNum most = 0;
  for (int i = nD / 2; i < nD; i++) most = mju_max(most, fabs(awake[i]));
  assert_true(most > 1e-3);

  t.d->tree_asleep[1] = 1;
  mj_updateSleep(t.m, t.d);
  memset(t.d->qDeriv, 0, (size_t)nD * sizeof(mjtNum));
  mjd_rne_vel_dense(t.m, t.d);
  orc_sameBytes(awake, t.d->qDeriv, (size_t)nD * sizeof(mjtNum));
  assert_int_equal(t.d->nv_awake, 2);
  assert_int_equal(t.d->nbody_awake, 3);
  free(awake);
  tst_closeScene(&t);
}

// trees that sleep are left out by all but the dense function
static void sleepingTrees(void** state) {
  (void)state;
  mjModel* m = tst_string(TWO);
  Stage s = stg_open("asleep", m);
  Rnd rnd = {4};
  stg_randomize(&s, &rnd, 0.5);
  stg_forward(&s);
  s.ref->tree_asleep[1] = s.d->tree_asleep[1] = 1;
  ORC(mj_updateSleep)(m, s.ref);
  mj_updateSleep(m, s.d);
  assert_int_equal(s.d->nv_awake, 2);
  comparePart(&s, "passive", ORC(mjd_passive_vel), mjd_passive_vel);
  comparePart(&s, "bias", ORC(mjd_rne_vel_dense), mjd_rne_vel_dense);
  assert_int_equal(s.d->nv_awake, 2);
  assert_int_equal(s.errors, 0);
  stg_close(&s);
  mj_deleteModel(m);
}

//---------------------------------- interpolated flexes ----------------------------------

static void stretchFlex(const mjModel* m, mjtNum* qpos, mjtNum* qvel) {
  Rnd rnd = {9};
  for (int i = 0; i < m->nv; i++) {
    qpos[i] += rnd_uniform(&rnd, -0.01, 0.01);
    qvel[i] = rnd_uniform(&rnd, -1, 1);
  }
}

// product with a vector = matrix times vector
static void productIsMatrix(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  mjtNum *H = numbers((mjtSize)nv * nv), *vec = numbers(nv), *res = numbers(nv), *Hv = numbers(nv);
  int* ind = calloc((size_t)nv, sizeof(int));
  for (int i = 0; i < nv; i++) {
    ind[i] = i;
    vec[i] = 0.1 * (i % 5) - 0.2;
  }
  mjd_flexInterp_addH(m, d, H, ind, nv, 0.3);
  mjd_flexInterp_mulKD(m, d, res, vec, 0.3);
  mju_mulMatVec(Hv, H, vec, nv, nv);
  mjtNum largest = 0;
  for (int i = 0; i < nv; i++) largest = fmax(largest, fabs(Hv[i]));
  assert_true(largest > 1);
  for (int i = 0; i < nv; i++) assert_near(Hv[i], -res[i], 1e-12 * largest);
  free(H);
  free(vec);
  free(res);
  free(Hv);
  free(ind);
}

static void compareFlex(Stage* s) {
  const mjModel* m = s->m;
  const int nv = (int)m->nv, n = nv / 2;
  mjtNum *H[2], *res[2], *vec = numbers(nv), *xpos[2], *vel[2], quat[2][4];
  int* ind = calloc((size_t)nv, sizeof(int));
  for (int i = 0; i < n; i++) ind[i] = i % 3 ? nv - 1 - i : n - 1 - i;
  for (int i = 0; i < nv; i++) vec[i] = 0.1 * (i % 5) - 0.2;
  for (int k = 0; k < 2; k++) {
    H[k] = numbers((mjtSize)n * n);
    res[k] = numbers(nv);
    xpos[k] = numbers(3 * 27);
    vel[k] = numbers(3 * 27);
    for (int i = 0; i < n * n; i++) H[k][i] = i % 3;
    for (int i = 0; i < nv; i++) res[k][i] = i % 3;
  }
  ORC(mjd_flexInterp_addH)(m, s->ref, H[0], ind, n, 0.4);
  mjd_flexInterp_addH(m, s->d, H[1], ind, n, 0.4);
  stg_near(s, "H", H[0], H[1], n * n, 1e-12);
  ORC(mjd_flexInterp_mulKD)(m, s->ref, res[0], vec, 0.4);
  mjd_flexInterp_mulKD(m, s->d, res[1], vec, 0.4);
  stg_near(s, "KD vec", res[0], res[1], nv, 1e-12);
  for (int f = 0; f < m->nflex; f++) {
    // the guess tells where the search for the rotation starts
    for (int i = 0; i < 4; i++) quat[0][i] = quat[1][i] = f == 0 ? i == 0 : 0.5;
    ORC(mj_flexInterpState)(m, s->ref, f, xpos[0], vel[0], quat[0]);
    mj_flexInterpState(m, s->d, f, xpos[1], vel[1], quat[1]);
    stg_near(s, "xpos", xpos[0], xpos[1], 3 * m->flex_nodenum[f], 1e-15);
    stg_near(s, "vel", vel[0], vel[1], 3 * m->flex_nodenum[f], 1e-13);
    stg_near(s, "quat", quat[0], quat[1], 4, 1e-12);
    ORC(mj_flexInterpState)(m, s->ref, f, xpos[0], NULL, quat[0]);
    mj_flexInterpState(m, s->d, f, xpos[1], NULL, quat[1]);
    stg_near(s, "quat again", quat[0], quat[1], 4, 1e-12);
  }
  for (int k = 0; k < 2; k++) {
    free(H[k]);
    free(res[k]);
    free(xpos[k]);
    free(vel[k]);
  }
  free(vec);
  free(ind);
}

static void interpolatedFlexes(void** state) {
  (void)state;
  mjModel* m = tst_string(FLEX);
  mjData* d = mj_makeData(m);
  stretchFlex(m, d->qpos, d->qvel);
  mj_forward(m, d);
  productIsMatrix(m, d);

  // nodes of a centred flex are at the origins of their bodies, and move with them
  mjtNum xpos[24], vel[24], quat[4] = {1, 0, 0, 0};
  mj_flexInterpState(m, d, 0, xpos, vel, quat);
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[0];
  assert_near(mju_norm(quat, 4), 1, 1e-12);
  mju_negQuat(quat, quat);
  mju_rotVecQuat(vel, vel, quat);
  for (int k = 0; k < 3; k++) xpos[k] -= 0.5;
  mju_rotVecQuat(xpos, xpos, quat);
  for (int k = 0; k < 3; k++) {
    assert_near(xpos[k], d->xpos[3 * body[0] + k], 1e-12);
    assert_near(vel[k], d->qvel[m->body_dofadr[body[0]] + k], 1e-12);
  }
  mj_deleteData(d);

  mjModel* models[] = {m, tst_string(TURNING)};
  for (int k = 0; k < 2; k++) {
    Stage s = stg_open(k ? "flex that turns" : "flex", models[k]);
    stretchFlex(models[k], s.ref->qpos, s.ref->qvel);
    stg_forward(&s);
    compareFlex(&s);
    assert_int_equal(s.errors, 0);
    stg_close(&s);
  }
  mj_deleteModel(models[1]);
  mj_deleteModel(m);
}

//---------------------------------- steps ----------------------------------

// a step that skips nothing is mj_step; after it, one that skips positions finds its parts still valid
static void skippingSteps(void** state) {
  (void)state;
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    TstScene t = tst_openScene(CHAIN);
    mjModel* m = t.m;
    m->opt.integrator = integrator;
    mjData *a = t.d, *b = mj_makeData(m);
    const size_t size = (size_t)m->nv * sizeof(mjtNum);
    for (int i = 0; i < m->nv; i++) a->qvel[i] = b->qvel[i] = 0.1 * i;
    mj_step(m, a);
    mj_stepSkip(m, b, mjSTAGE_NONE, 0);
    orc_sameBytes(a->qvel, b->qvel, size);
    orc_sameBytes(a->qpos, b->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_true(a->time == b->time);

    // the integrators alone
    if (integrator != mjINT_RK4) {
      mj_forward(m, a);
      mj_forward(m, b);
      if (integrator == mjINT_EULER) {
        mj_Euler(m, a);
        mj_EulerSkip(m, b, 0);
      } else {
        mj_implicit(m, a);
        mj_implicitSkip(m, b, 0);
      }
      orc_sameBytes(a->qvel, b->qvel, size);
    }
    mj_deleteData(b);
    tst_closeScene(&t);
  }
}

static void compareState(Stage* s, const char* what) {
  stg_near(s, what, s->ref->qpos, s->d->qpos, (int)s->m->nq, 1e-10);
  stg_near(s, what, s->ref->qvel, s->d->qvel, (int)s->m->nv, 1e-10);
  stg_near(s, what, s->ref->act, s->d->act, (int)s->m->na, 1e-12);
  stg_near(s, what, &s->ref->time, &s->d->time, 1, 0);
}

// both sides step, then step again from changed inputs with some stages skipped
static void compareSteps(Stage* s, int skip) {
  const mjModel* m = s->m;
  mjData* both[] = {s->ref, s->d};
  ORC(mj_stepSkip)(m, s->ref, mjSTAGE_NONE, 0);
  mj_stepSkip(m, s->d, mjSTAGE_NONE, 0);
  compareState(s, "step");
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < m->nu; i++) both[k]->ctrl[i] = 0.1;
    if (skip < mjSTAGE_VEL) {
      for (int i = 0; i < m->nv; i++) both[k]->qvel[i] += 0.01;
    }
  }
  ORC(mj_stepSkip)(m, s->ref, skip, 1);
  mj_stepSkip(m, s->d, skip, 1);
  compareState(s, "step with stages skipped");
  if (m->opt.integrator == mjINT_EULER) {
    ORC(mj_EulerSkip)(m, s->ref, 1);
    mj_EulerSkip(m, s->d, 1);
  } else {
    ORC(mj_implicitSkip)(m, s->ref, 1);
    mj_implicitSkip(m, s->d, 1);
  }
  compareState(s, "integrator without factoring");
}

static void stepsMatchReference(void** state) {
  (void)state;
  const int integrator[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 6; k++) {
    for (int skip = mjSTAGE_NONE; skip <= mjSTAGE_VEL; skip++) {
      mjModel* m = tst_string(k < 3 ? CHAIN : TURNING);
      m->opt.integrator = integrator[k % 3];
      Stage s = stg_open(k < 3 ? "chain" : "flex that turns", m);
      Rnd rnd = {1};
      stg_randomize(&s, &rnd, k < 3 ? 0.3 : 0.01);
      stg_forward(&s);
      compareSteps(&s, skip);
      assert_int_equal(s.errors, 0);
      stg_close(&s);
      mj_deleteModel(m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(analyticIsFiniteDifference),
      cmocka_unit_test(derivativesMatchReference),
      cmocka_unit_test(sleepingTrees),
      cmocka_unit_test(denseBiasOfSleepingTrees),
      cmocka_unit_test(interpolatedFlexes),
      cmocka_unit_test(skippingSteps),
      cmocka_unit_test(stepsMatchReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
