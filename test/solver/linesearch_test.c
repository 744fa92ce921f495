// Costs along a line against the rows' own costs and forces, and searches where forces are large and balance.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/update.h"
#include "solver/linesearch.h"
#include "support/model.h"
#include "support/random.h"

//---------------------------------- one line ----------------------------------

// every kind of row: equalities, friction loss, limits, contacts with and without friction
static const char* const ROWS =
    "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
    "<body name='a' pos='0 0 .09'><freejoint/><geom size='.1'/><geom size='.1' pos='.3 0 0' condim='4'/></body>"
    "<body pos='1 0 .09'><freejoint/><geom size='.1' condim='6'/></body>"
    "<body pos='2 0 .09'><freejoint/><geom size='.1' condim='1'/></body>"
    "<body pos='0 1 1'><joint axis='0 1 0' frictionloss='1' limited='true' range='0 .1'/><geom size='.1' pos='.1 0 0'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='.1 0 0'/></body></body>"
    "</worldbody><equality><connect body1='a' anchor='0 0 .1'/></equality></mujoco>";

// cost of all rows at x + α v, and its slope
static mjtNum costAt(const ConRowSet* rows, const mjtNum* x, const mjtNum* v, mjtNum alpha, mjtNum* slope) {
  mjtNum jar[200];
  assert_true(rows->nefc <= 200);
  for (int i = 0; i < rows->nefc; i++) jar[i] = x[i] + alpha * v[i];
  const mjtNum cost = con_update(rows, jar, 0);
  *slope = 0;
  for (int i = 0; i < rows->nefc; i++) *slope -= rows->force[i] * v[i];
  return cost;
}

static void compareLine(mjModel* m, mjData* d, Rnd* rnd, mjtNum spread) {
  SolProblem p;
  sol_problem(&p, m, d, -1);
  const int n = p.rows.nefc;
  mjtNum x[200], v[200], slope0, slope1, slope2;
  for (int i = 0; i < n; i++) {
    x[i] = rnd_uniform(rnd, -spread, spread);
    v[i] = rnd_uniform(rnd, -1, 1);

    // friction loss changes its side at R·floss
    if (i >= p.rows.ne && i < p.rows.ne + p.rows.nf)
      x[i] = rnd_uniform(rnd, -2, 2) * p.rows.R[i] * p.rows.frictionloss[i];
  }
  SolLine line;
  sol_lineMake(&line, &p, x, v);
  const mjtNum cost0 = costAt(&p.rows, x, v, 0, &slope0), gauss = 0.3, more = 0.2;
  sol_lineSet(&line, slope0 + more, gauss);
  for (mjtNum alpha = -1.5; alpha < 2; alpha += 0.37) {
    SolPoint point = {.alpha = alpha};
    sol_lineEval(&line, &point);
    const mjtNum cost = costAt(&p.rows, x, v, alpha, &slope1) - cost0 + alpha * (more + alpha * gauss);
    assert_true(fabs(point.cost - cost) <= 1e-12 * (fabs(cost) + cost0));
    assert_true(fabs(point.deriv[0] - (slope1 + more + 2 * alpha * gauss)) <=
                1e-12 * (fabs(slope1) + fabs(slope0) + 1));

    // curvature by differences, away from where it jumps
    const mjtNum eps = 1e-6;
    costAt(&p.rows, x, v, alpha + eps, &slope2);
    costAt(&p.rows, x, v, alpha - eps, &slope1);
    SolPoint left = {.alpha = alpha - eps}, right = {.alpha = alpha + eps};
    sol_lineEval(&line, &left);
    sol_lineEval(&line, &right);
    if (fabs(left.deriv[1] - right.deriv[1]) > 1e-3 * point.deriv[1]) continue;
    const mjtNum curve = (slope2 - slope1) / (2 * eps) + 2 * gauss;
    assert_true(fabs(point.deriv[1] - curve) <= 1e-4 * curve);
  }
}

static void pointsEqualTheRows(void** state) {
  (void)state;
  mjModel* m = tst_string(ROWS);
  Rnd rnd = {5};
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    mjData* d = mj_makeData(m);
    d->qpos[m->nq - 2] = 0.2;
    mj_forward(m, d);
    assert_true(d->ne > 0 && d->nf > 0 && d->nl > 0 && d->ncon > 3);
    for (int k = 0; k < 300; k++) {
      mj_markStack(d);
      compareLine(m, d, &rnd, k % 3 ? 1 : 0.1);
      mj_freeStack(d);
    }
    mj_deleteData(d);
  }
  mj_deleteModel(m);
}

//---------------------------------- large forces ----------------------------------

#define GROUND "<geom type='plane' size='9 9 .1'/>"
#define WHEEL(name, pos)                   \
  "<body pos='" pos "'><joint name='" name \
  "' axis='0 1 0' frictionloss='.1'/>"     \
  "<geom type='cylinder' size='.1 .02' euler='90 0 0' mass='.01'/></body>"

// light bodies that strong motors press together: the forces are a million times what the remaining error is worth
static const char* const PRESSED[] = {
    // a gripper that squeezes, with a finger at its limit
    "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 0 1' type='slide' frictionloss='1'/>"
    "<joint axis='0 1 0' type='slide' frictionloss='1'/><geom type='box' size='.04 .04 .04' mass='.01'/></body>"
    "<body pos='-.09 0 1'><joint name='l' type='slide' axis='1 0 0' frictionloss='10'/>"
    "<geom type='box' size='.05 .04 .03' mass='.01'/></body>"
    "<body pos='.09 0 1'><joint name='r' type='slide' axis='-1 0 0' limited='true' range='-.1 .0001'/>"
    "<geom type='box' size='.05 .04 .03' mass='.01'/></body></worldbody>"
    "<actuator><motor joint='l' gear='3e5'/><motor joint='r' gear='4e5'/></actuator></mujoco>",

    // a press that slides, with a brake
    "<mujoco><worldbody>" GROUND
    "<body pos='0 0 .05'><freejoint/><geom type='box' size='.05 .05 .05' mass='.001'/></body>"
    "<body pos='0 0 .12'><joint name='p' type='slide' axis='0 0 -1'/>"
    "<joint name='s' type='slide' axis='1 0 0' frictionloss='2e4'/><geom type='box' size='.06 .06 .02' mass='.001'/></body>"
    "</worldbody><actuator><motor joint='p' gear='1e5'/><motor joint='s' gear='3e4'/></actuator></mujoco>",

    // a light wheel under a heavy load
    "<mujoco><worldbody>" GROUND "<body pos='0 0 .1'><joint name='x' type='slide' axis='1 0 0'/>"
    "<joint name='z' type='slide' axis='0 0 1'/><geom size='.01' mass='.001' contype='0' conaffinity='0'/>" WHEEL(
        "w", "0 0 0") "</body></worldbody><actuator><motor joint='z' gear='-1e5'/><motor joint='w' gear='10'/></actuator>"
    "</mujoco>",

    // a cart of four of them with an arm
    "<mujoco><worldbody>" GROUND "<body pos='0 0 .1'><joint name='x' type='slide' axis='1 0 0'/>"
    "<joint name='z' type='slide' axis='0 0 1'/><joint axis='0 1 0'/>"
    "<geom type='box' size='.2 .1 .02' mass='.1' contype='0' conaffinity='0'/>" WHEEL("w1", ".2 .15 0")
        WHEEL("w2", ".2 -.15 0") WHEEL("w3", "-.2 .15 0") WHEEL("w4", "-.2 -.15 0")
    "<body pos='0 0 .1'><joint axis='0 1 0' frictionloss='.01'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 .3 0 .1' mass='.01'/></body></body></worldbody>"
    "<actuator><motor joint='z' gear='-3e5'/><motor joint='w1' gear='10'/><motor joint='w2' gear='5'/></actuator></mujoco>",

    // rollers between plates, one of which is at its limit
    "<mujoco><option cone='elliptic' impratio='10'/><worldbody>" GROUND
    "<body pos='0 0 .1'><freejoint/><geom type='cylinder' size='.1 .1' euler='90 0 0' mass='.01'/></body>"
    "<body pos='.3 0 .1'><freejoint/><geom type='cylinder' size='.1 .1' euler='90 0 0' mass='.01'/></body>"
    "<body pos='.15 0 .22'><joint name='p' type='slide' axis='0 0 -1'/>"
    "<joint name='s' type='slide' axis='1 0 0' limited='true' range='-.1 .1'/>"
    "<geom type='box' size='.5 .2 .02' mass='.01'/></body></worldbody>"
    "<actuator><motor joint='p' gear='1e5'/><motor joint='s' gear='2e4'/></actuator></mujoco>",
};

// searches find their minimum in a few evaluations, not by running out of them
static void largeForcesDoNotBlur(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof(PRESSED) / sizeof(PRESSED[0]); k++) {
    mjModel* m = tst_string(PRESSED[k]);
    mjData* d = mj_makeData(m);
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = 1;
    int most = 0;
    double evaluations = 0, searches = 0;
    for (int step = 0; step < 300; step++) {
      mj_step(m, d);
      for (int island = 0; island < (d->nisland < mjNISLAND ? d->nisland : mjNISLAND); island++) {
        const int n = d->solver_niter[island];
        for (int i = 0; i < (n < mjNSOLVER ? n : mjNSOLVER); i++) {
          const int neval = d->solver[island * mjNSOLVER + i].neval;
          most = neval > most ? neval : most;
          evaluations += neval;
          searches++;
        }
      }
    }
    printf("scene %zu: %g searches, at most %d evaluations, %.2f on average\n", k, searches, most,
           evaluations / searches);
    assert_true(searches > 100);
    assert_in_range(most, 2, m->opt.ls_iterations / 2);
    assert_true(evaluations < 2.7 * searches);
    assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pointsEqualTheRows), cmocka_unit_test(largeForcesDoNotBlur)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
