// Derivatives of the fluid models: finite differences part by part, formulas, symmetry, dissipation.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "derivative/derivative.h"
#include "force/fluid.h"
#include "sleep/sleep.h"
#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

typedef struct {
  mjModel* m;
  mjData* d;
  int body, dof, geom;
} Scene;

// a free body of the fluid model, moving in all directions
static Scene openScene(const char* body) {
  Scene s = {.m = tst_model("fluid")};
  s.d = mj_makeData(s.m);
  s.body = mj_name2id(s.m, mjOBJ_BODY, body);
  s.dof = s.m->body_dofadr[s.body];
  s.geom = s.m->body_geomadr[s.body];
  static const mjtNum VELOCITY[6] = {1.2, -0.7, 0.3, 0.5, -1.1, 0.8};
  memcpy(s.d->qvel + s.dof, VELOCITY, sizeof(VELOCITY));
  return s;
}

static void closeScene(Scene* s) {
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

// entry of qDeriv between two dofs of the body
static mjtNum entry(const Scene* s, int i, int j) {
  const mjModel* m = s->m;
  return s->d->qDeriv[m->D_rowadr[s->dof + i] + j];
}

static void passiveDerivative(Scene* s) {
  mj_fwdPosition(s->m, s->d);
  mj_fwdVelocity(s->m, s->d);
  memset(s->d->qDeriv, 0, sizeof(mjtNum) * (size_t)s->m->nD);
  der_passiveVel(s->m, s->d);
}

// largest difference between qDeriv and centred differences of qfrc_fluid, relative to the largest entry
static double worstDifference(Scene* s) {
  passiveDerivative(s);
  double worst = 0, scale = 0;
  const double eps = 1e-6;
  mjtNum force[2][6];
  for (int j = 0; j < 6; j++) {
    mjtNum* v = s->d->qvel + s->dof + j;
    const mjtNum saved = *v;
    for (int k = 0; k < 2; k++) {
      *v = saved + (k ? eps : -eps);
      mj_fwdVelocity(s->m, s->d);
      memcpy(force[k], s->d->qfrc_fluid + s->dof, sizeof(force[k]));
    }
    *v = saved;
    for (int i = 0; i < 6; i++) {
      worst = fmax(worst, fabs(entry(s, i, j) - (force[1][i] - force[0][i]) / (2 * eps)));
      scale = fmax(scale, fabs(entry(s, i, j)));
    }
  }
  assert_true(scale > 0);
  return worst / scale;
}

// every body, both viscous and inertial
static void differencesOfAllShapes(void** state) {
  (void)state;
  static const char* const BODY[] = {"sphere",    "box",    "offset",    "capsules", "esphere",
                                     "ellipsoid", "nolift", "inherited", "oblate",   "cylinder",
                                     "capsule",   "mixed",  "pair",      "rotated",  "far"};
  for (size_t k = 0; k < sizeof(BODY) / sizeof(BODY[0]); k++) {
    Scene s = openScene(BODY[k]);
    s.m->opt.viscosity = 0.3;
    s.m->opt.wind[1] = 0.2;
    assert_true(worstDifference(&s) < 1e-8);
    closeScene(&s);
  }
}

// one part of the ellipsoid model at a time: the others have zero coefficients
static void differencesOfParts(void** state) {
  (void)state;
  enum { BLUNT = 1, SLENDER, ANGULAR, KUTTA, MAGNUS, MASS, INERTIA = 9 };
  static const struct {
    int first, num;
    mjtNum density, viscosity;
  } PART[] = {
      {MASS,    6, 1.2, 0  }, // added mass
      {MAGNUS,  1, 1.2, 0  },
      {KUTTA,   1, 1.2, 0  },
      {BLUNT,   1, 1.2, 0  },
      {SLENDER, 1, 1.2, 0  },
      {BLUNT,   2, 1.2, 0.5},
      {BLUNT,   2, 0,   0.5}, // viscous drag alone
      {ANGULAR, 1, 1.2, 0  },
      {ANGULAR, 1, 1.2, 0.5},
      {ANGULAR, 1, 0,   0.5}
  };
  for (size_t k = 0; k < sizeof(PART) / sizeof(PART[0]); k++) {
    Scene s = openScene("ellipsoid");
    s.m->opt.density = PART[k].density;
    s.m->opt.viscosity = PART[k].viscosity;
    mjtNum* coef = s.m->geom_fluid + mjNFLUID * s.geom;
    for (int i = 1; i < mjNFLUID; i++) {
      if (i < PART[k].first || i >= PART[k].first + PART[k].num) coef[i] = 0;
    }
    assert_true(worstDifference(&s) < 1e-7);
    closeScene(&s);
  }
}

// Magnus force alone is a multiple of w × v: its two blocks turn any small change into the cross product with the other
static void crossProducts(void** state) {
  (void)state;
  enum { MAGNUS = 5 };
  Scene s = openScene("ellipsoid");
  s.m->opt.viscosity = 0;
  mjtNum* coef = s.m->geom_fluid + mjNFLUID * s.geom;
  for (int i = 1; i < mjNFLUID; i++) coef[i] = i == MAGNUS ? 2 : 0;
  const mjtNum* size = s.m->geom_size + 3 * s.geom;
  const mjtNum scale = 2 * s.m->opt.density * (4.0 / 3 * mjPI * size[0] * size[1] * size[2]);
  static const mjtNum PAIR[][6] = {
      {0.5, -1.1, 0.8, 1.2, -0.7, 0.3},
      {1,   0,    0,   0,   1,    0  },
      {0,   0,    -2,  3,   0,    1  },
      {0,   0,    0,   1,   2,    3  }
  };
  for (size_t k = 0; k < sizeof(PAIR) / sizeof(PAIR[0]); k++) {
    const mjtNum *w = PAIR[k], *v = w + 3, change[3] = {0.3, -0.4, 0.9};
    mjtNum B[36] = {0}, byRotation[3], byTranslation[3];
    der_fluidEllipsoid(s.m, s.geom, PAIR[k], B);
    mju_cross(byRotation, change, v);
    mju_cross(byTranslation, w, change);
    for (int i = 0; i < 3; i++) {
      const mjtNum* row = B + 6 * (3 + i);
      assert_true(fabs(mju_dot3(row, change) - scale * byRotation[i]) < 1e-16);
      assert_true(fabs(mju_dot3(row + 3, change) - scale * byTranslation[i]) < 1e-16);
      for (int j = 0; j < 6; j++) assert_true(B[6 * i + j] == 0);
    }
  }
  closeScene(&s);
}

// viscous part: constant, -3πDμ and -πD³μ on the diagonal
static void viscousBox(void** state) {
  (void)state;
  Scene s = openScene("sphere");
  s.m->opt.density = 0;
  s.m->opt.viscosity = 0.4;
  mjtNum box[3];
  frc_inertiaBox(s.m, s.body, box);
  for (int k = 0; k < 2; k++) {
    passiveDerivative(&s);
    for (int i = 0; i < 6; i++) {
      const mjtNum expected = i < 3 ? -3 * mjPI * box[0] * 0.4 : -mjPI * box[0] * box[0] * box[0] * 0.4;
      for (int j = 0; j < 6; j++) assert_true(fabs(entry(&s, i, j) - (i == j ? expected : 0)) < 1e-14);
    }
    for (int i = 0; i < 6; i++) s.d->qvel[s.dof + i] = 0;
  }
  closeScene(&s);
}

// at rest only viscosity is left: a negative diagonal with the numbers of the inertia box
static void boxAtRest(void** state) {
  (void)state;
  Scene s = openScene("box");
  s.m->opt.viscosity = 0.4;
  for (int i = 0; i < 6; i++) s.d->qvel[s.dof + i] = 0;
  passiveDerivative(&s);
  mjtNum box[3];
  frc_inertiaBox(s.m, s.body, box);
  const mjtNum diameter = (box[0] + box[1] + box[2]) / 3;
  for (int i = 0; i < 6; i++) {
    const mjtNum expected = i < 3 ? -3 * mjPI * diameter * 0.4 : -mjPI * diameter * diameter * diameter * 0.4;
    for (int j = 0; j < 6; j++) {
      assert_true(isfinite(entry(&s, i, j)));
      assert_true(fabs(entry(&s, i, j) - (i == j ? expected : 0)) < 1e-12);
    }
    assert_true(entry(&s, i, i) < 0);
  }
  closeScene(&s);
}

// the same in qDeriv: one entry for a spin about one axis; viscosity and density add up
static void boxInTheMatrix(void** state) {
  (void)state;
  Scene s = openScene("sphere");
  s.m->opt.viscosity = 0;
  for (int i = 0; i < 6; i++) s.d->qvel[s.dof + i] = i == 5 ? -1 : 0;
  passiveDerivative(&s);
  mjtNum box[3];
  frc_inertiaBox(s.m, s.body, box);
  const mjtNum D = box[0], expected = -2 * s.m->opt.density * D * (2 * D * D * D * D) / 64;
  for (int i = 0; i < 6; i++) assert_true(fabs(entry(&s, i, i) - (i == 5 ? expected : 0)) < 1e-12);
  closeScene(&s);

  mjtNum part[3][36];
  for (int k = 0; k < 3; k++) {
    Scene b = openScene("box");
    b.m->opt.density = k == 1 ? 0 : 1.2;
    b.m->opt.viscosity = k == 2 ? 0 : 0.3;
    passiveDerivative(&b);
    for (int i = 0; i < 36; i++) part[k][i] = entry(&b, i / 6, i % 6);
    closeScene(&b);
  }
  for (int i = 0; i < 36; i++) assert_true(fabs(part[0][i] - part[1][i] - part[2][i]) < 1e-10);
}

// inertial part: proportional to the speed along each axis
static void inertialBox(void** state) {
  (void)state;
  Scene s = openScene("sphere");
  s.m->opt.density = 2;
  s.m->opt.viscosity = 0;
  mjtNum box[3], diag[6];
  frc_inertiaBox(s.m, s.body, box);
  const mjtNum vel[6] = {0, 0, -1, 0, 0, 0}, d = box[0];
  der_fluidBox(s.m, s.body, vel, diag);
  for (int i = 0; i < 6; i++) {
    assert_true(fabs(diag[i] - (i == 2 ? -2 * 2 * d * (2 * d * d * d * d) / 64 : 0)) < 1e-16);
  }

  // viscosity and density add up
  mjtNum both[6], viscous[6], dense[6];
  const mjtNum moving[6] = {0.3, -0.2, 1, 2, -3, 0.5};
  der_fluidBox(s.m, s.body, moving, dense);
  s.m->opt.viscosity = 0.7;
  der_fluidBox(s.m, s.body, moving, both);
  s.m->opt.density = 0;
  der_fluidBox(s.m, s.body, moving, viscous);
  for (int i = 0; i < 6; i++) assert_true(fabs(both[i] - viscous[i] - dense[i]) < 1e-15);
  closeScene(&s);
}

// implicitfast gets symmetric matrices, implicit the true ones, whose rotation-translation coupling is not symmetric
static void symmetry(void** state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    Scene s = openScene("ellipsoid");
    s.m->opt.integrator = fast ? mjINT_IMPLICITFAST : mjINT_IMPLICIT;
    s.m->opt.density = 100;
    passiveDerivative(&s);
    double worst = 0, coupling = 0;
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < i; j++) {
        const double asymmetry = fabs(entry(&s, i, j) - entry(&s, j, i));
        worst = fmax(worst, asymmetry);
        if (i >= 3 && j < 3) coupling = fmax(coupling, asymmetry);
      }
    }
    if (fast) {
      assert_true(worst < 1e-14);
    } else {
      assert_true(worst > 1e-4 && coupling > 1e-4);
    }
    closeScene(&s);
  }
}

// no medium, no mass, springs and dampers off: no derivative
static void gates(void** state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    Scene s = openScene(k == 1 ? "ellipsoid" : "box");
    if (k == 0) s.m->opt.density = s.m->opt.viscosity = 0;
    if (k == 1) s.m->body_mass[s.body] = 1e-20;
    if (k == 2) s.m->opt.disableflags |= mjDSBL_SPRING | mjDSBL_DAMPER;
    mj_fwdPosition(s.m, s.d);
    passiveDerivative(&s);
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) assert_true(entry(&s, i, j) == 0);
    }
    closeScene(&s);
  }
}

// a coefficient set to zero falls back on the inertia box
static void fallsBackOnTheBox(void** state) {
  (void)state;
  Scene s = openScene("ellipsoid");
  s.m->geom_fluid[mjNFLUID * s.geom] = 0;
  passiveDerivative(&s);
  mjtNum diag[6], vel[6];
  frc_flowVelocity(s.m, s.d, s.body, s.d->xipos + 3 * s.body, s.d->ximat + 9 * s.body, vel);
  der_fluidBox(s.m, s.body, vel, diag);
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(entry(&s, 3 + i, 3 + i) - diag[i]) < 1e-15);
    assert_true(fabs(entry(&s, i, i) - diag[3 + i]) < 1e-15);
  }
  closeScene(&s);
}

// kinetic energy of a body in a medium never grows
static void energyDissipates(void** state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    Scene s = openScene("sphere");
    s.m->opt.integrator = fast ? mjINT_IMPLICITFAST : mjINT_IMPLICIT;
    s.m->opt.viscosity = 0;
    double previous = 1e30;
    for (int k = 0; k < 1000; k++) {
      mj_forward(s.m, s.d);
      mj_energyVel(s.m, s.d);
      assert_true(s.d->energy[1] <= previous + 1e-12);
      previous = s.d->energy[1];
      mj_implicit(s.m, s.d);
    }
    assert_true(previous < 1);
    closeScene(&s);
  }
}

// bodies that sleep are left out, and those awake have the same bits as without sleeping
static void test_40c_sleepersAreLeftOut(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option density='20' viscosity='.3' integrator='implicit' wind='.5 0 .2'><flag sleep='enable'/></option>"
      "<worldbody><body><freejoint/><geom type='box' size='.1 .05 .02'/><body pos='.3 0 0'><joint axis='0 1 0'/>"
      "<geom type='capsule' size='.03 .1' fluidshape='ellipsoid'/></body></body><body pos='0 0 1'><freejoint/><geom "
      "type='box' size='.1 .05 .02'/></body><body pos='0 0 2'><freejoint/><geom type='ellipsoid' size='.1 .05 .02' "
      "fluidshape='ellipsoid'/></body></worldbody></mujoco>");
  mjtNum all[400], *rows = s.d->qDeriv;
  assert_true(s.m->nD < 400 && s.m->ntree == 3);
  for (int i = 0; i < s.m->nv; i++) s.d->qvel[i] = 0.3 * sin(i + 1);
  mj_forward(s.m, s.d);
  memset(rows, 0, sizeof(mjtNum) * (size_t)s.m->nD);
  der_passiveVel(s.m, s.d);
  memcpy(all, rows, sizeof(mjtNum) * (size_t)s.m->nD);

  // the first tree falls asleep
  s.d->tree_asleep[0] = 0;
  slp_update(s.m, s.d, 0);
  assert_int_equal(s.d->ntree_awake, 2);
  memset(rows, 0, sizeof(mjtNum) * (size_t)s.m->nD);
  der_passiveVel(s.m, s.d);
  int asleep = 0;
  for (int i = 0; i < s.m->nv; i++) {
    for (int k = s.m->D_rowadr[i]; k < s.m->D_rowadr[i] + s.m->D_rownnz[i]; k++) {
      asleep += s.m->dof_treeid[i] == 0 && all[k] != 0;
      assert_true(rows[k] == (s.m->dof_treeid[i] == 0 ? 0 : all[k]));
    }
  }
  assert_true(asleep > 20);
  tst_closeScene(&s);
}

// eight swimmers of 50 dofs: the sparse sums against dense products Jᵀ B J over all bodies
static void test_40d_sparseIsDense(void** state) {
  (void)state;
  enum { TREES = 8, LINKS = 44, NV = TREES * (6 + LINKS) };
  static char xml[100000];
  int n = snprintf(xml, sizeof(xml), "<mujoco><option density='20' viscosity='.3' integrator='implicit'/><worldbody>");
  for (int t = 0; t < TREES; t++) {
    n += snprintf(xml + n, sizeof(xml) - (size_t)n,
                  "<body pos='0 %d 0'><freejoint/><geom type='box' size='.05 .03 .02'/>", t);
    for (int i = 0; i < LINKS; i++) {
      n += snprintf(xml + n, sizeof(xml) - (size_t)n,
                    "<body pos='.1 0 0'><joint axis='0 %d %d'/><geom type='capsule' size='.02 .03'%s/>", i % 2,
                    1 - i % 2, i % 3 ? "" : " fluidshape='ellipsoid'");
    }
    for (int i = 0; i <= LINKS; i++) n += snprintf(xml + n, sizeof(xml) - (size_t)n, "</body>");
  }
  snprintf(xml + n, sizeof(xml) - (size_t)n, "</worldbody></mujoco>");
  TstScene s = tst_openScene(xml);
  assert_int_equal(s.m->nv, NV);
  for (int i = 0; i < NV; i++) s.d->qvel[i] = 0.3 * sin(3 * i);
  mj_forward(s.m, s.d);
  memset(s.d->qDeriv, 0, sizeof(mjtNum) * (size_t)s.m->nD);
  der_passiveVel(s.m, s.d);

  static mjtNum dense[NV][NV], J[6][NV], BJ[6][NV];
  memset(dense, 0, sizeof(dense));
  for (int b = 1; b < s.m->nbody; b++) {
    mjtNum B[36] = {0};
    der_fluidBody(s.m, s.d, b, B);
    mj_jac(s.m, s.d, J[3], J[0], s.d->subtree_com + 3 * s.m->body_rootid[b], b);
    mju_mulMatMat(BJ[0], B, J[0], 6, 6, NV);
    for (int i = 0; i < NV; i++) {
      for (int k = 0; k < 6; k++) {
        if (J[k][i] != 0) mju_addToScl(dense[i], BJ[k], J[k][i], NV);
      }
    }
  }
  mjtNum most = 0;
  for (int i = 0; i < NV * NV; i++) most = fmax(most, fabs(dense[i / NV][i % NV]));
  assert_true(most > 0.1);
  for (int i = 0; i < NV; i++) {
    for (int k = s.m->D_rowadr[i]; k < s.m->D_rowadr[i] + s.m->D_rownnz[i]; k++) {
      mjtNum* entry = &dense[i][s.m->D_colind[k]];
      assert_near(s.d->qDeriv[k], *entry, 1e-13 * most);
      *entry = 0;
    }
  }

  // nothing is outside of the pattern
  for (int i = 0; i < NV * NV; i++) assert_true(dense[i / NV][i % NV] == 0);
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differencesOfAllShapes),
      cmocka_unit_test(differencesOfParts),
      cmocka_unit_test(crossProducts),
      cmocka_unit_test(viscousBox),
      cmocka_unit_test(boxAtRest),
      cmocka_unit_test(boxInTheMatrix),
      cmocka_unit_test(inertialBox),
      cmocka_unit_test(symmetry),
      cmocka_unit_test(gates),
      cmocka_unit_test(fallsBackOnTheBox),
      cmocka_unit_test(energyDissipates),
      cmocka_unit_test(test_40c_sleepersAreLeftOut),
      cmocka_unit_test(test_40d_sparseIsDense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
