// Energy of a frictionless chain of five pendulums that falls from nearly horizontal, over ten thousand steps of 0.1
// ms.
//
// The error is measured in units of the largest kinetic energy. It is of the method's order in h: the first-order
// methods (Euler takes Coriolis forces at the start of the step, implicit linearises them) are held to 0.5 %, three
// times what is seen; Runge-Kutta to 2e-12, nine times what is seen. Halving the step must divide the error by two and
// by sixteen.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/model.h"

#define LINK(inner)                                                                                                   \
  "<body pos='0 0 -.2'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2' mass='.1'/>" inner \
  "</body>"
static const char CHAIN[] =
    "<mujoco><option><flag energy='enable' contact='disable' constraint='disable'/></option><worldbody>" LINK(
        LINK(LINK(LINK(LINK(""))))) "</worldbody></mujoco>";

enum { STEPS = 10000 };

// largest deviation of the energy from its start, in units of the largest kinetic energy
static double run(int integrator, double h, int steps) {
  mjModel* m = tst_string(CHAIN);
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  m->opt.timestep = h;
  for (int i = 0; i < m->nq; i++) d->qpos[i] = i ? 0.3 : 1.2;
  double start = 0, scale = 0, largest = 0;
  for (int k = 0; k < steps; k++) {
    // not what a step leaves: Runge-Kutta's last evaluation is beside the trajectory
    mj_forward(m, d);
    const double energy = d->energy[0] + d->energy[1];
    if (k == 0) start = energy;
    scale = fmax(scale, d->energy[1]);
    largest = fmax(largest, fabs(energy - start));
    mj_step(m, d);
  }
  assert_true(scale > 0.1);
  mj_deleteData(d);
  mj_deleteModel(m);
  return largest / scale;
}

static const struct {
  int integrator;
  const char* name;
  double bound;
  double gain;  // of halving the step: at least this factor
} METHOD[] = {
    {mjINT_EULER,        "Euler",        5e-3,  1.6},
    {mjINT_RK4,          "Runge-Kutta",  2e-12, 12 },
    {mjINT_IMPLICIT,     "implicit",     5e-3,  1.6},
    {mjINT_IMPLICITFAST, "implicitfast", 5e-3,  1.6},
};

static void energyIsConserved(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double error = run(METHOD[k].integrator, 1e-4, STEPS);
    if (!(error < METHOD[k].bound)) fail_msg("%s: %g", METHOD[k].name, error);
  }
}

// the same second in steps that rounding does not drown
static void errorIsOfTheMethodsOrder(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double coarse = run(METHOD[k].integrator, 4e-4, STEPS / 4), fine = run(METHOD[k].integrator, 2e-4, STEPS / 2);
    if (!(coarse > METHOD[k].gain * fine)) fail_msg("%s: %g, then %g", METHOD[k].name, coarse, fine);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energyIsConserved),
      cmocka_unit_test(errorIsOfTheMethodsOrder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
