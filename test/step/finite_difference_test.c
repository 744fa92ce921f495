// Finite differences of steps and of inverse dynamics: against the reference, and on systems with known matrices.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/model.h"
#include "support/stage.h"

// differences over 1e-6 turn the rounding of forces of size 10² (1e-14) into 1e-8, sums of several into 1e-7
static const double TOLERANCE = 1e-6;

static mjtNum* numbers(size_t n) {
  return calloc(n + 1, sizeof(mjtNum));
}

// the same call on both libraries
static void compareTransition(Stage* s, int centered) {
  const mjModel* m = s->m;
  const size_t ndx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  const size_t size[4] = {ndx * ndx, ndx * nu, ns * ndx, ns * nu};
  mjtNum *ref[4], *our[4];
  for (int k = 0; k < 4; k++) {
    ref[k] = numbers(size[k]);
    our[k] = numbers(size[k]);
  }
  ORC(mjd_transitionFD)(m, s->ref, 1e-6, (mjtByte)centered, ref[0], ref[1], ref[2], ref[3]);
  mjd_transitionFD(m, s->d, 1e-6, (mjtByte)centered, our[0], our[1], our[2], our[3]);
  static const char* const NAME[] = {"A", "B", "C", "D"};

  for (int k = 0; k < 4; k++) {
    stg_near(s, NAME[k], ref[k], our[k], (int)size[k], TOLERANCE);
    free(ref[k]);
    free(our[k]);
  }
  stg_near(s, "qpos afterwards", s->ref->qpos, s->d->qpos, (int)m->nq, 0);
}

static void compareInverse(Stage* s, int actuation) {
  const mjModel* m = s->m;
  const size_t nv = (size_t)m->nv, ns = (size_t)m->nsensordata, nM = (size_t)m->nM;
  const size_t size[7] = {nv * nv, nv * nv, nv * nv, nv * ns, nv * ns, nv * ns, nv * nM};
  mjtNum *r[7], *o[7];
  for (int k = 0; k < 7; k++) {
    r[k] = numbers(size[k]);
    o[k] = numbers(size[k]);
  }
  ORC(mjd_inverseFD)(m, s->ref, 1e-6, (mjtByte)actuation, r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
  mjd_inverseFD(m, s->d, 1e-6, (mjtByte)actuation, o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
  static const char* const NAME[] = {"DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"};
  for (int k = 0; k < 7; k++) {
    stg_near(s, NAME[k], r[k], o[k], (int)size[k], TOLERANCE);
    free(r[k]);
    free(o[k]);
  }
}

static void modelsMatchReference(void** state) {
  (void)state;
  static const char* const NAME[] = {"chain", "pendulum", "tendons", "actuators"};
  static const int INTEGRATOR[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; i < 4; i++) {
    mjModel* m = tst_model(NAME[i]);
    Stage s = stg_open(NAME[i], m);
    Rnd rnd = {41};

    // smooth dynamics: solvers stop at a tolerance, which differences magnify
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    for (int k = 0; k < 6 && !s.errors; k++) {
      m->opt.integrator = INTEGRATOR[k % 3];
      stg_randomize(&s, &rnd, 0.3);
      stg_forward(&s);
      if (!m->nhistory) compareTransition(&s, k >= 3);
      stg_forward(&s);
      compareInverse(&s, k >= 3);
    }
    stg_close(&s);
    assert_int_equal(s.errors, 0);
    mj_deleteModel(m);
  }
}

// a pendulum under semi-implicit Euler: matrices by hand
static void pendulumByHand(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  m->dof_damping[0] = 0;
  d->qpos[0] = 0.4;
  d->qvel[0] = 0.3;
  d->ctrl[0] = 0.5;
  mj_forward(m, d);
  const mjtNum h = m->opt.timestep, inertia = d->M[0];

  // gravity torque -k sin(q)
  const mjtNum k = -(d->qfrc_actuator[0] - inertia * d->qacc[0]) / sin(0.4) * -1;
  const mjtNum stiff = -k * cos(0.4) / inertia;
  mjtNum A[4], B[2];
  mjd_transitionFD(m, d, 1e-6, 1, A, B, NULL, NULL);
  assert_true(fabs(A[2] - h * stiff) < 1e-8 * fabs(h * stiff) + 1e-9);
  assert_true(fabs(A[3] - 1) < 1e-9);
  assert_true(fabs(A[0] - (1 + h * A[2])) < 1e-8);
  assert_true(fabs(A[1] - h) < 1e-9);
  assert_true(fabs(B[1] - h / inertia) < 1e-8);
  assert_true(fabs(B[0] - h * h / inertia) < 1e-9);

  // at the limit of the control range only one side is tried; outside, none
  d->ctrl[0] = 1;
  mjd_transitionFD(m, d, 1e-6, 0, NULL, B, NULL, NULL);
  assert_true(fabs(B[1] - h / inertia) < 1e-8);
  d->ctrl[0] = 2;
  mjd_transitionFD(m, d, 1e-6, 1, NULL, B, NULL, NULL);
  assert_true(B[0] == 0 && B[1] == 0);

  // inverse dynamics: the inertia, and no change of it with the angle
  mjtNum DfDa, DmDq;
  mjd_inverseFD(m, d, 1e-6, 0, NULL, NULL, &DfDa, NULL, NULL, NULL, &DmDq);
  assert_true(fabs(DfDa - inertia) < 1e-8);
  assert_true(fabs(DmDq) < 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),
      cmocka_unit_test(pendulumByHand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
