// Bending models: gradients, momentum, energy, curved rest shapes, stiff sheets.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "force/flex_model.h"
#include "physics/flexes.h"
#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

// a curved strip of 2 x 6 vertices: part of a cylinder of radius 0.2
static const char* curved(const char* attributes, const char* elastic) {
  static char xml[4000];
  char points[1200] = "", elements[400] = "";
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 2; j++) {
      snprintf(points + strlen(points), sizeof(points) - strlen(points), "%.17g %.17g %.17g ", 0.2 * sin(0.3 * i),
               0.1 * j, 0.2 * cos(0.3 * i));
    }
    if (i < 5) {
      snprintf(elements + strlen(elements), sizeof(elements) - strlen(elements), "%d %d %d %d %d %d ", 2 * i, 2 * i + 2,
               2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3);
    }
  }
  snprintf(
      xml, sizeof(xml),
      "<mujoco><option timestep=\".001\" gravity=\"0 0 0\"/><worldbody><body name=\"base\"><flexcomp name=\"strip\" "
      "type=\"direct\" dim=\"2\" radius=\".001\" mass=\".1\" point=\"%s\" element=\"%s\" %s><contact "
      "selfcollide=\"none\"/><elasticity young=\"1e6\" poisson=\".3\" thickness=\".01\" elastic2d=\"%s\"/></flexcomp>"
      "</body></worldbody></mujoco>",
      points, elements, attributes, elastic);
  return xml;
}

static void jitter(TstScene* s, Rnd* seed, mjtNum size) {
  for (int i = 0; i < s->m->nq; i++) s->d->qpos[i] = rnd_uniform(seed, -size, size);
}

static void momenta(const TstScene* s, const mjtNum* qvel, mjtNum linear[3], mjtNum angular[3]) {
  mju_zero3(linear);
  mju_zero3(angular);
  for (int v = 0; v < s->m->nflexvert; v++) {
    const int body = s->m->flex_vertbodyid[v];
    mjtNum p[3], l[3];
    mju_scl3(p, qvel + s->m->body_dofadr[body], s->m->body_mass[body]);
    mju_cross(l, s->d->flexvert_xpos + 3 * v, p);
    mju_addTo3(linear, p);
    mju_addTo3(angular, l);
  }
}

static mjtNum kinetic(const TstScene* s) {
  mjtNum sum = 0;
  for (int v = 0; v < s->m->nflexvert; v++) {
    const int body = s->m->flex_vertbodyid[v];
    const mjtNum* q = s->d->qvel + s->m->body_dofadr[body];
    sum += s->m->body_mass[body] * mju_dot3(q, q) / 2;
  }
  return sum;
}

//---------------------------------- the angle ----------------------------------

static void angleAndItsGradient(void** state) {
  (void)state;
  Rnd seed = {3};
  for (int trial = 0; trial < 200; trial++) {
    mjtNum x[4][3];
    for (int i = 0; i < 12; i++) x[i / 3][i % 3] = rnd_uniform(&seed, -1, 1);
    const mjtNum* const pos[4] = {x[0], x[1], x[2], x[3]};
    PhyHinge h, moved[2];
    assert_true(phy_hinge(pos, &h));
    for (int i = 0; i < 12; i++) {
      const mjtNum keep = x[i / 3][i % 3], step = 1e-7;
      for (int side = 0; side < 2; side++) {
        x[i / 3][i % 3] = keep + (side ? -step : step);
        phy_hinge(pos, moved + side);
      }
      x[i / 3][i % 3] = keep;
      mjtNum change = moved[0].angle - moved[1].angle;
      if (change > mjPI) change -= 2 * mjPI;
      if (change < -mjPI) change += 2 * mjPI;
      assert_near(h.grad[i / 3][i % 3], change / (2 * step), 1e-4 * (1 + fabs(h.grad[i / 3][i % 3])));
    }
  }

  // flat is zero; a fold by a right angle; a triangle without area has no angle
  const mjtNum a[3] = {0, 0, 0}, b[3] = {0, 1, 0}, c[3] = {1, 0, 0}, d[3] = {-1, 0, 0}, up[3] = {0, 0, 1};
  PhyHinge h;
  assert_true(phy_hinge((const mjtNum* const[]){a, b, c, d}, &h) && fabs(h.angle) < 1e-15);
  assert_true(phy_hinge((const mjtNum* const[]){a, b, c, up}, &h) && fabs(fabs(h.angle) - mjPI / 2) < 1e-15);
  assert_false(phy_hinge((const mjtNum* const[]){a, b, b, d}, &h));
}

// forces are minus the gradient of the energy and take no momentum
static void forcesAreGradientAndBalance(void** state) {
  (void)state;
  Rnd seed = {4};
  TstScene s = tst_openScene(SHEET("gravity=\"0 0 0\" integrator=\"implicitfast\"",
                                   "sinew:bending=\"bridson\" sinew:elasticity=\"neo_hookean\""));
  jitter(&s, &seed, 0.03);
  mj_forward(s.m, s.d);
  mjtNum force[48], zero[3], turn[3], accel[48];
  memcpy(force, s.d->qfrc_spring, sizeof(force));
  for (int i = 0; i < 48; i++) accel[i] = force[i] / s.m->body_mass[s.m->dof_bodyid[i]];
  momenta(&s, accel, zero, turn);
  for (int k = 0; k < 3; k++) {
    assert_near(zero[k], 0, 1e-12);
    assert_near(turn[k], 0, 1e-12);
  }
  for (int i = 0; i < 48; i += 5) {
    const mjtNum keep = s.d->qpos[i], step = 1e-7;
    mjtNum energy[2];
    for (int side = 0; side < 2; side++) {
      s.d->qpos[i] = keep + (side ? -step : step);
      mj_forward(s.m, s.d);
      energy[side] = sn_flexEnergy(s.m, s.d, 0);
    }
    s.d->qpos[i] = keep;
    assert_near(force[i], -(energy[0] - energy[1]) / (2 * step), 1e-4 * (1 + fabs(force[i])));
  }
  tst_closeScene(&s);
}

// a free sheet without damping keeps momentum, angular momentum and, at 0.2 ms, its energy
static void freeSheetKeepsEnergyAndMomentum(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      SHEET("timestep=\".0002\" gravity=\"0 0 0\"", "sinew:bending=\"bridson\" sinew:elasticity=\"neo_hookean\""));
  Rnd seed = {6};
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = rnd_uniform(&seed, -0.3, 0.3);
  mj_forward(s.m, s.d);
  mjtNum before[2][3], after[2][3], least = INFINITY, most = 0;
  momenta(&s, s.d->qvel, before[0], before[1]);
  for (int i = 0; i < 10000; i++) {
    mj_step(s.m, s.d);
    if (i % 500) continue;

    // the energy at the middle of a step's velocities is what the method keeps
    mj_forward(s.m, s.d);
    mjtNum half[48];
    memcpy(half, s.d->qvel, sizeof(half));
    for (int k = 0; k < 48; k++) s.d->qvel[k] += s.m->opt.timestep / 2 * s.d->qacc[k];
    const mjtNum energy = kinetic(&s) + sn_flexEnergy(s.m, s.d, 0);
    memcpy(s.d->qvel, half, sizeof(half));
    least = fmin(least, energy);
    most = fmax(most, energy);
  }
  assert_true(least > 0 && (most - least) / least < 0.01);
  mj_forward(s.m, s.d);
  momenta(&s, s.d->qvel, after[0], after[1]);
  for (int k = 0; k < 3; k++) {
    assert_near(before[0][k], after[0][k], 1e-12);
    assert_near(before[1][k], after[1][k], 1e-12);
  }
  tst_closeScene(&s);
}

// damping acts along the gradient: the energy of bending goes, momentum stays
static void dampingTakesNoMomentum(void** state) {
  (void)state;
  mjtNum left[2];
  for (int damped = 0; damped < 2; damped++) {
    TstScene s = tst_openScene(
        SHEET("timestep=\".0002\" gravity=\"0 0 0\"", "sinew:bending=\"bridson\" sinew:elasticity=\"neo_hookean\""));
    assert_null(sn_setBending(s.m, 0, "bridson", (mjtNum[]){0.01, damped ? 0.02 : 0}));
    mj_forward(s.m, s.d);

    // opposite corners up, the others down: a saddle
    s.d->qvel[2] = s.d->qvel[47] = 0.1;
    s.d->qvel[3 * 3 + 2] = s.d->qvel[3 * 12 + 2] = -0.1;
    mjtNum before[2][3], after[2][3];
    momenta(&s, s.d->qvel, before[0], before[1]);
    for (int i = 0; i < 3000; i++) mj_step(s.m, s.d);
    mj_forward(s.m, s.d);
    momenta(&s, s.d->qvel, after[0], after[1]);
    left[damped] = kinetic(&s) + sn_flexEnergy(s.m, s.d, 0);
    for (int k = 0; k < 3; k++) {
      assert_near(before[0][k], after[0][k], 1e-12);
      assert_near(before[1][k], after[1][k], 1e-12);
    }
    tst_closeScene(&s);
  }
  assert_true(left[1] < 0.1 * left[0]);
}

//---------------------------------- acceptance of 42B ----------------------------------

// against the reference: the forces of a sheet after one step under gravity
static void test_42B_AC1_cotangentIsTheReference(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><worldbody><body name=\"base\"><flexcomp name=\"sheet\" type=\"grid\" dim=\"2\" count=\"4 4 1\" "
      "spacing=\".1 .1 .1\" radius=\".001\" mass=\".9\"><contact selfcollide=\"none\"/><elasticity young=\"1e4\" "
      "poisson=\".3\" thickness=\".01\" elastic2d=\"both\"/></flexcomp></body></worldbody></mujoco>";
  if (!orc_available()) skip();
  mjModel* m = orc_compile(xml);
  mjData *ours = mj_makeData(m), *theirs = ORC(mj_makeData)(m);
  for (int i = 0; i < m->nq; i++) ours->qpos[i] = theirs->qpos[i] = 0.01 * sin(4 * i);
  mj_step(m, ours);
  ORC(mj_step)(m, theirs);
  mj_forward(m, ours);
  ORC(mj_forward)(m, theirs);
  for (int i = 0; i < m->nv; i++) assert_near(ours->qfrc_spring[i], theirs->qfrc_spring[i], 1e-8);
  mj_deleteData(ours);
  ORC(mj_deleteData)(theirs);
  ORC(mj_deleteModel)(m);
}

// the formula by hand on a single hinge: F = -k (θ - θ₀) ∇θ
static void test_42B_AC2_bridsonIsItsFormula(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option timestep=\"1e-4\" gravity=\"0 0 0\"/><worldbody><body name=\"base\"><flexcomp name=\"f\" "
      "type=\"direct\" dim=\"2\" radius=\".001\" mass=\"4\" point=\"0 0 0 0 1 0 1 0 0 -1 0 .5\" element=\"0 2 1 0 1 "
      "3\" "
      "sinew:bending=\"bridson\" sinew:bending_params=\"2 0\"><contact selfcollide=\"none\"/></flexcomp></body>"
      "</worldbody></mujoco>");
  mj_forward(s.m, s.d);
  for (int i = 0; i < 12; i++) assert_near(s.d->qfrc_spring[i], 0, 1e-12);
  s.d->qpos[3 * 2 + 2] = 0.3;
  mj_forward(s.m, s.d);
  const mjtNum area = 0.5 + sqrt(1.25) / 2, k = 2 * 3 * 1 / area;
  const mjtNum rest = atan2(0.5, 1), now = rest + atan2(0.3, 1);
  const mjtNum moment = k * (now - rest), arm = sqrt(1 + 0.3 * 0.3);
  const mjtNum* tip = s.d->qfrc_spring + 6;
  assert_near(mju_norm3(tip), moment / arm, 1e-9);
  assert_true(tip[2] < 0 && tip[0] > 0);
  tst_closeScene(&s);
}

// steps until the acceleration is bad, -1: never
static int stepsUntilBad(const char* xml, int steps) {
  TstScene s = tst_openScene(xml);
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = 1e-3 * sin(i);
  mju_user_warning = catchCount;
  int bad = -1;
  for (int i = 0; i < steps && bad < 0; i++) {
    mj_step(s.m, s.d);
    if (s.d->warning[mjWARN_BADQACC].number) bad = i;
  }
  mju_user_warning = NULL;
  tst_closeScene(&s);
  return bad;
}

// The criterion wants the cotangent form stable at young 1e12 and 10 ms because its matrix is constant. 3.5.0
// contradicts: a constant matrix bounds the growth of forces, not an explicit step, and it is bad after four steps with
// every integrator; so are we. What is true of it: stable without a clamp where the step resolves the stiffness. What
// was meant, 10 ms with such a material, bridson gives: implicitly, and explicitly by its clamp.
static void test_42B_AC3_stiffSheetsAreStable(void** state) {
  (void)state;
#define STIFF(option, attribute, young)                                                                \
  "<mujoco><option " option                                                                            \
  "/><worldbody><body name=\"base\"><flexcomp name=\"sheet\" type=\"grid\" dim=\"2\" count=\"4 4 1\" " \
  "spacing=\".1 .1 .1\" radius=\".001\" mass=\".9\" " attribute                                        \
  "><contact selfcollide=\"none\" contype=\"0\" conaffinity=\"0\"/><elasticity young=\"" young         \
  "\" poisson=\".3\" thickness=\".01\" elastic2d=\"bend\"/></flexcomp></body></worldbody></mujoco>"
  const int ours = stepsUntilBad(STIFF("timestep=\".01\"", "", "1e12"), 500);
  assert_int_equal(ours, 3);
  assert_int_equal(stepsUntilBad(STIFF("timestep=\".01\" integrator=\"implicitfast\"", "", "1e12"), 500), 3);
  assert_int_equal(stepsUntilBad(STIFF("timestep=\"1e-6\"", "", "1e12"), 500), -1);
  assert_int_equal(stepsUntilBad(STIFF("timestep=\".01\"", "", "1e6"), 500), -1);
  assert_int_equal(
      stepsUntilBad(STIFF("timestep=\".01\" integrator=\"implicitfast\"", "sinew:bending=\"bridson\"", "1e12"), 500),
      -1);
  assert_int_equal(stepsUntilBad(STIFF("timestep=\".01\"", "sinew:bending=\"bridson\"", "1e12"), 500), -1);

  if (!orc_available()) skip();
  mjModel* m = orc_compile(STIFF("timestep=\".01\"", "", "1e12"));
  mjData* d = ORC(mj_makeData)(m);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 1e-3 * sin(i);
  for (int i = 0; i <= ours; i++) {
    assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
    ORC(mj_step)(m, d);
  }
  assert_true(d->warning[mjWARN_BADQACC].number > 0);
  ORC(mj_deleteData)(d);
  ORC(mj_deleteModel)(m);
}

// Curved at rest: the dihedral springs have no force there, and pull back from elsewhere. The cotangent form of 3.5.0
// does have forces on this strip at rest (its cubic term does not cancel the quadratic one), and so does ours, to the
// bit that the comparison allows.
static void test_42B_AC4_curvedReference(void** state) {
  (void)state;
  TstScene s = tst_openScene(curved("sinew:bending=\"bridson\"", "bend"));
  mj_forward(s.m, s.d);
  mjtNum rest = 0, bent = 0;
  for (int i = 0; i < s.m->nv; i++) rest = fmax(rest, fabs(s.d->qfrc_spring[i]));

  // one end outwards, which straightens the strip: it pulls back towards the curve
  s.d->qpos[3 * 10] = s.d->qpos[3 * 11] = 0.02;
  mj_forward(s.m, s.d);
  for (int i = 0; i < s.m->nv; i++) bent = fmax(bent, fabs(s.d->qfrc_spring[i]));
  assert_true(bent > 1e-2);
  assert_true(rest < 1e-10 * bent);
  mjtNum work = 0;
  for (int i = 0; i < s.m->nv; i++) work += s.d->qfrc_spring[i] * s.d->qpos[i];
  assert_true(work < -1e-4);
  tst_closeScene(&s);

  if (!orc_available()) skip();
  mjModel* m = orc_compile(curved("", "bend"));
  mjData *ours = mj_makeData(m), *theirs = ORC(mj_makeData)(m);
  ours->qpos[32] = theirs->qpos[32] = 0.02;
  mj_forward(m, ours);
  ORC(mj_forward)(m, theirs);
  mjtNum most = 0;
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(theirs->qfrc_spring[i]));
  assert_true(most > 0.1);
  for (int i = 0; i < m->nv; i++) assert_near(ours->qfrc_spring[i], theirs->qfrc_spring[i], 1e-10 * most);
  mj_deleteData(ours);
  ORC(mj_deleteData)(theirs);
  ORC(mj_deleteModel)(m);
}

// edges with one triangle do not bend
static void test_42B_AC5_boundaryEdges(void** state) {
  (void)state;
  TstScene s = tst_openScene(SHEET("", "sinew:bending=\"bridson\""));
  mj_forward(s.m, s.d);
  const PhySection* physics = phy_open(s.m, s.d);
  const FrcFlexModel f = frc_flexModel(s.m, s.d, physics, phy_bendingOf(physics, 0));
  int boundary = 0, interior = 0;
  for (int e = 0; e < s.m->nflexedge; e++) {
    FrcHinge h;
    const int open = frc_openHinge(&f, e, &h), alone = s.m->flex_edgeflap[2 * e + 1] < 0;
    assert_int_equal(open, !alone);
    boundary += alone;
    interior += open;
  }
  assert_true(boundary == 12 && interior > 12);
  tst_closeScene(&s);
}

// another choice changes the forces of bending and nothing else
static void test_42B_AC6_choiceChangesBendingOnly(void** state) {
  (void)state;
  Rnd seed = {8};
  TstScene s = tst_openScene(SHEET("gravity=\"0 0 0\"", ""));
  jitter(&s, &seed, 0.005);
  mj_forward(s.m, s.d);
  mjtNum cotangent[48];
  memcpy(cotangent, s.d->qfrc_spring, sizeof(cotangent));
  assert_null(sn_setBending(s.m, 0, "bridson", (mjtNum[]){0, 0}));
  mj_forward(s.m, s.d);
  mjtNum none[48];
  memcpy(none, s.d->qfrc_spring, sizeof(none));

  // without bending, what is left is the stretch of the same model
  for (int i = 0; i < s.m->nflexedge * 17; i++) s.m->flex_bending[i] = 0;
  assert_null(sn_setBending(s.m, 0, "cotangent", NULL));
  mj_forward(s.m, s.d);
  for (int i = 0; i < 48; i++) assert_near(none[i], s.d->qfrc_spring[i], 1e-12);
  assert_memory_not_equal(none, cotangent, sizeof(none));
  tst_closeScene(&s);
}

// small deflections of a flat sheet: both models agree, so the default stiffness is that of the material
static void smallBendingAgreesWithCotangent(void** state) {
  (void)state;
  TstScene s = tst_openScene(SHEET("gravity=\"0 0 0\"", ""));
  mjtNum force[2][48], most = 0;
  for (int k = 0; k < 2; k++) {
    if (k) assert_null(sn_setBending(s.m, 0, "bridson", NULL));
    for (int v = 0; v < 16; v++) s.d->qpos[3 * v + 2] = 1e-4 * sin(3 * v);
    mj_forward(s.m, s.d);
    memcpy(force[k], s.d->qfrc_spring, sizeof(force[k]));
  }
  for (int v = 0; v < 16; v++) most = fmax(most, fabs(force[0][3 * v + 2]));
  assert_true(most > 1e-6);
  for (int v = 0; v < 16; v++) assert_near(force[0][3 * v + 2], force[1][3 * v + 2], 1e-3 * most);
  tst_closeScene(&s);
}

// two sheets in one world, each as if it were alone
static void test_42B_AC7_mixedModels(void** state) {
  (void)state;
#define CLOTH(name, pos, attribute)                                                                        \
  "<flexcomp name=\"" name                                                                                 \
  "\" type=\"grid\" dim=\"2\" count=\"4 3 1\" spacing=\".1 .1 .1\" radius=\".001\" mass=\".1\" pos=\"" pos \
  "\" " attribute                                                                                          \
  "><contact selfcollide=\"none\"/><elasticity young=\"1e4\" poisson=\".2\" thickness=\".01\" "            \
  "elastic2d=\"both\"/></flexcomp>"
#define WORLD(cloths) \
  "<mujoco><option timestep=\".0005\"/><worldbody><body name=\"base\">" cloths "</body></worldbody></mujoco>"
  TstScene both = tst_openScene(WORLD(CLOTH("a", "0 0 0", "") CLOTH("b", "1 0 0", "sinew:bending=\"bridson\"")));
  TstScene first = tst_openScene(WORLD(CLOTH("a", "0 0 0", "")));
  TstScene second = tst_openScene(WORLD(CLOTH("b", "1 0 0", "sinew:bending=\"bridson\"")));
  const int half = (int)first.m->nv;
  for (int i = 0; i < half; i++) {
    both.d->qvel[i] = both.d->qvel[half + i] = first.d->qvel[i] = second.d->qvel[i] = 0.3 * sin(5 * i);
  }
  for (int i = 0; i < 100; i++) {
    mj_step(both.m, both.d);
    mj_step(first.m, first.d);
    mj_step(second.m, second.d);
  }
  assert_memory_equal(both.d->qpos, first.d->qpos, (size_t)half * sizeof(mjtNum));
  assert_memory_equal(both.d->qpos + half, second.d->qpos, (size_t)half * sizeof(mjtNum));
  tst_closeScene(&both);
  tst_closeScene(&first);
  tst_closeScene(&second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angleAndItsGradient),
      cmocka_unit_test(forcesAreGradientAndBalance),
      cmocka_unit_test(freeSheetKeepsEnergyAndMomentum),
      cmocka_unit_test(dampingTakesNoMomentum),
      cmocka_unit_test(test_42B_AC1_cotangentIsTheReference),
      cmocka_unit_test(test_42B_AC2_bridsonIsItsFormula),
      cmocka_unit_test(test_42B_AC3_stiffSheetsAreStable),
      cmocka_unit_test(test_42B_AC4_curvedReference),
      cmocka_unit_test(test_42B_AC5_boundaryEdges),
      cmocka_unit_test(test_42B_AC6_choiceChangesBendingOnly),
      cmocka_unit_test(smallBendingAgreesWithCotangent),
      cmocka_unit_test(test_42B_AC7_mixedModels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
