// Actuation models: forces and states against equations integrated here, derivatives, implicit steps, hooks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "force/actuator.h"
#include "physics/flexes.h"
#include "support/random.h"
#include "support/near.h"

// a mass of 2 kg on a slider with one actuator
#define SLIDER(option, attributes)                                                                         \
  "<mujoco><option gravity=\"0 0 0\" " option                                                              \
  "/><worldbody><body><joint name=\"j\" type=\"slide\" axis=\"1 0 0\"/>"                                   \
  "<geom size=\".1\" mass=\"2\"/></body></worldbody><actuator><general name=\"a\" joint=\"j\" " attributes \
  "/></actuator></mujoco>"

enum { MASS = 2 };

//---------------------------------- acceptance of 42D ----------------------------------

// gains and biases of the reference through the interface: the same bits
static mjtNum affineForce(const snActuator* a) {
  const mjtNum *g = a->model->actuator_gainprm + mjNGAIN * a->id, *b = a->model->actuator_biasprm + mjNBIAS * a->id;
  mjtNum gain = g[0], bias = 0;
  if (a->model->actuator_gaintype[a->id] == mjGAIN_AFFINE) gain = g[0] + g[1] * a->length + g[2] * a->velocity;
  if (a->model->actuator_gaintype[a->id] == mjGAIN_MUSCLE) {
    gain = mju_muscleGain(a->length, a->velocity, a->model->actuator_lengthrange + 2 * a->id,
                          a->model->actuator_acc0[a->id], g);
  }
  if (a->model->actuator_biastype[a->id] == mjBIAS_AFFINE) bias = b[0] + b[1] * a->length + b[2] * a->velocity;
  if (a->model->actuator_biastype[a->id] == mjBIAS_MUSCLE) {
    bias = mju_muscleBias(a->length, a->model->actuator_lengthrange + 2 * a->id, a->model->actuator_acc0[a->id], b);
  }
  return gain * a->ctrl + bias;
}

static void test_42D_AC1_builtinGainsThroughTheInterface(void** state) {
  (void)state;
  static const snActuation model = {
      .info = {"same", "the reference's gain and bias", 0, NULL},
        .apply = affineForce
  };
  assert_true(sn_registerActuation(&model) > 0);
  static const char* const kinds[] = {
      SLIDER("", "gainprm=\"3\""),
      SLIDER("", "gaintype=\"affine\" gainprm=\"3 4 5\" biastype=\"affine\" biasprm=\"1 2 3\""),
      SLIDER("",
             "gaintype=\"muscle\" gainprm=\".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2\" biastype=\"muscle\" "
             "biasprm=\".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2\" lengthrange=\".1 1\""),
  };
  for (int k = 0; k < 3; k++) {
    TstScene a = tst_openScene(kinds[k]), b = tst_openScene(kinds[k]);
    assert_null(sn_setActuation(b.m, 0, "same", NULL));
    for (int i = 0; i < 50; i++) {
      a.d->ctrl[0] = b.d->ctrl[0] = sin(i);
      mj_step(a.m, a.d);
      mj_step(b.m, b.d);
      assert_true(a.d->actuator_force[0] == b.d->actuator_force[0] && a.d->qpos[0] == b.d->qpos[0]);
    }
    assert_true(a.d->qpos[0] != 0);

    // and the default by name
    assert_null(sn_setActuation(b.m, 0, "builtin", NULL));
    mj_step(a.m, a.d);
    mj_step(b.m, b.d);
    assert_true(a.d->qpos[0] == b.d->qpos[0]);
    tst_closeScene(&a);
    tst_closeScene(&b);
  }
}

// x'' = (k (gear u - x) - d x') / m in closed form
static void test_42D_AC2_seriesElastic(void** state) {
  (void)state;
  const mjtNum k = 200, damping = 4, gear = 0.5, u = 0.3;
  TstScene s = tst_openScene(
      SLIDER("timestep=\".001\" integrator=\"RK4\"", "sinew:model=\"series_elastic\" sinew:params=\"200 4 .5\""));
  s.d->ctrl[0] = s.d->act[0] = u;
  const mjtNum decay = damping / (2 * MASS), omega = sqrt(k / MASS - decay * decay);
  for (int i = 0; i < 1000; i++) mj_step(s.m, s.d);
  const mjtNum t = s.d->time, e = exp(-decay * t);
  const mjtNum x = gear * u * (1 - e * (cos(omega * t) + decay / omega * sin(omega * t)));
  assert_near(s.d->qpos[0], x, 1e-6);
  tst_closeScene(&s);

  // a command that moves: the motor's speed is its rate
  s = tst_openScene(SLIDER("timestep=\".001\"", "sinew:model=\"series_elastic\" sinew:params=\"200 4 .5\""));
  s.d->ctrl[0] = 0.002;
  mj_forward(s.m, s.d);
  assert_near(s.d->actuator_force[0], 200 * 0.001 + 4 * 0.5 * 0.002 / 0.001, 1e-12);
  mj_step(s.m, s.d);
  assert_near(s.d->act[0], 0.002, 1e-15);
  tst_closeScene(&s);
}

// every model, random states: its derivative is that of its force
static void test_42D_AC3_derivatives(void** state) {
  (void)state;
  static const char* const models[] = {
      "sinew:model=\"series_elastic\"",
      "sinew:model=\"dc_motor\" sinew:coulomb=\".3\" sinew:viscous=\".2\"",
      "sinew:model=\"dc_motor\" sinew:inductance=\".01\" sinew:thermal_res=\"3\" sinew:max_current=\"20\"",
      "sinew:model=\"pid\" sinew:kd=\"7\" sinew:ki=\"2\" sinew:slew=\"1\"",
      "sinew:model=\"pneumatic\"",
      "sinew:model=\"hydraulic\"",
  };
  Rnd seed = {2};
  for (size_t k = 0; k < sizeof(models) / sizeof(models[0]); k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), SLIDER("", "%s"), models[k]);
    TstScene s = tst_openScene(xml);
    for (int trial = 0; trial < 50; trial++) {
      s.d->qpos[0] = rnd_uniform(&seed, 0, 0.1);
      s.d->qvel[0] = rnd_uniform(&seed, -0.5, 0.5);
      s.d->ctrl[0] = rnd_uniform(&seed, -1, 1);
      for (int i = 0; i < s.m->na; i++) s.d->act[i] = rnd_uniform(&seed, 0, k >= 4 ? 1e5 : 1);
      mj_forward(s.m, s.d);
      const PhySection* physics = phy_open(s.m, s.d);
      const PhySetting* setting = phy_actuationOf(physics, 0);
      snActuator a = frc_openActuator(s.m, s.d, setting, s.d->ctrl[0]);
      const mjtNum slope = frc_modelForceVel(&a, setting), step = k >= 4 ? 2e-5 : 1e-6;
      assert_near(frc_modelForce(&a, setting), s.d->actuator_force[0], 1e-12 * (1 + fabs(s.d->actuator_force[0])));
      a.velocity += step;
      const mjtNum plus = frc_modelForce(&a, setting);
      a.velocity -= 2 * step;
      const mjtNum by = (plus - frc_modelForce(&a, setting)) / (2 * step);

      // those of cylinders are differences themselves, over a shorter step
      assert_near(slope, by, (k >= 4 ? 1e-4 : 1e-6) * (1 + fabs(by)));
    }
    tst_closeScene(&s);
  }
}

// without a choice nothing is added: no entry, no setting, the same state
static void test_42D_AC4_noCostWithoutChoice(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("", ""));
  mj_step(s.m, s.d);
  assert_null(phy_open(s.m, s.d));
  assert_int_equal(s.m->ntext + s.m->nnumeric, 0);
  assert_int_equal(phy_sectionSize(s.m), sizeof(PhySection));
  tst_closeScene(&s);
}

// damping of 5000 at 10 ms: stable with the derivative, which an explicit step is not
static void test_42D_AC5_implicitSteps(void** state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    TstScene s =
        tst_openScene(SLIDER("timestep=\".01\"", "sinew:model=\"series_elastic\" sinew:params=\"1000 5000 1\""));
    s.m->opt.integrator = k == 0 ? mjINT_EULER : k == 1 ? mjINT_IMPLICITFAST : mjINT_IMPLICIT;
    s.d->qvel[0] = 1;
    for (int i = 0; i < 100 && fabs(s.d->qvel[0]) < 1e6; i++) mj_step(s.m, s.d);
    if (k == 0) {
      assert_true(fabs(s.d->qvel[0]) > 1e5);
    } else {
      assert_true(fabs(s.d->qvel[0]) < 1e-2);
    }
    tst_closeScene(&s);
  }
}

//---------------------------------- models ----------------------------------

// L i' = u - R i - ke v, m v' = kt i - b v, by Runge-Kutta of fourth order in fine steps
static void dcMotorMatchesItsEquations(void** state) {
  (void)state;
  const mjtNum R = 2, L = 0.05, kt = 0.7, ke = 0.7, b = 0.1, u = 12;
  TstScene s = tst_openScene(SLIDER("timestep=\".001\" integrator=\"RK4\"",
                                    "sinew:model=\"dc_motor\" sinew:resistance=\"2\" sinew:inductance=\".05\" "
                                    "sinew:torque_const=\".7\" sinew:emf_const=\".7\" sinew:viscous=\".1\""));
  s.d->ctrl[0] = u;
  for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
  mjtNum y[3] = {0};  // i, v, x
  const int n = 50000;
  const mjtNum h = 0.5 / n;
  for (int i = 0; i < n; i++) {
    mjtNum k[4][3], z[3];
    static const mjtNum at[4] = {0, 0.5, 0.5, 1};
    for (int j = 0; j < 4; j++) {
      for (int c = 0; c < 3; c++) z[c] = y[c] + (j ? at[j] * h * k[j - 1][c] : 0);
      k[j][0] = (u - R * z[0] - ke * z[1]) / L;
      k[j][1] = (kt * z[0] - b * z[1]) / MASS;
      k[j][2] = z[1];
    }
    for (int c = 0; c < 3; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
  assert_near(s.d->act[0], y[0], 1e-6);
  assert_near(s.d->qvel[0], y[1], 1e-6);
  assert_near(s.d->qpos[0], y[2], 1e-6);
  tst_closeScene(&s);
}

// an inductance far below the timestep, strong coupling: implicitfast stays stable and reaches the final speed u/ke
static void dcMotorIsStableWhenStiff(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("timestep=\".01\" integrator=\"implicitfast\"",
                                    "sinew:model=\"dc_motor\" sinew:resistance=\".01\" sinew:inductance=\"1e-6\" "
                                    "sinew:torque_const=\"5\" sinew:emf_const=\"5\""));
  s.d->ctrl[0] = 10;
  for (int i = 0; i < 300; i++) mj_step(s.m, s.d);
  assert_near(s.d->qvel[0], 2, 1e-6);
  tst_closeScene(&s);
}

static void dcMotorLimits(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("",
                                    "sinew:model=\"dc_motor\" sinew:max_voltage=\"5\" sinew:max_current=\"3\" "
                                    "sinew:thermal_res=\"1\" sinew:heat_capacity=\"10\" sinew:max_temperature=\"5\""));
  s.d->ctrl[0] = 2;
  mj_forward(s.m, s.d);
  assert_near(s.d->actuator_force[0], 0.2, 1e-12);
  s.d->ctrl[0] = 1000;
  mj_forward(s.m, s.d);
  assert_near(s.d->actuator_force[0], 0.3, 1e-12);

  // it heats up until the limit of the current holds the temperature
  s.m->dof_damping[0] = 1e6;
  for (int i = 0; i < 50000; i++) mj_step(s.m, s.d);
  assert_true(s.d->act[0] > 4.4 && s.d->act[0] < 5);
  assert_true(s.d->actuator_force[0] < 0.25);
  tst_closeScene(&s);
}

static void pidReachesItsSetPoint(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("timestep=\".002\"",
                                    "forcerange=\"-20 20\" sinew:model=\"pid\" sinew:kp=\"100\" sinew:ki=\"150\" "
                                    "sinew:kd=\"25\" sinew:windup=\"15\" sinew:slew=\".5\""));
  s.d->ctrl[0] = 1;
  s.d->qfrc_applied[0] = -8;
  mjtNum most = 0, fastest = 0;
  for (int i = 0; i < 6000; i++) {
    mj_step(s.m, s.d);
    most = fmax(most, fabs(s.d->act[0]));
    if (i < 900) fastest = fmax(fastest, s.d->act[1] / s.d->time);
  }
  assert_near(s.d->qpos[0], 1, 1e-4);
  assert_near(s.d->act[0], 8, 1e-2);
  assert_true(most <= 15 + 1e-9);
  assert_near(fastest, 0.5, 1e-9);
  tst_closeScene(&s);
}

// valve open to one side: the pressures go to supply and surroundings, the force to their difference
static void cylindersFillAndPush(void** state) {
  (void)state;
  static const char* const models[] = {"sinew:model=\"pneumatic\"", "sinew:model=\"hydraulic\""};
  for (int k = 0; k < 2; k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), SLIDER("timestep=\".002\" integrator=\"implicitfast\"", "%s"), models[k]);
    TstScene s = tst_openScene(xml);
    s.m->dof_damping[0] = 1e9;
    s.d->qpos[0] = 0.05;
    s.d->ctrl[0] = 1;
    for (int i = 0; i < 5000; i++) mj_step(s.m, s.d);
    const mjtNum supply = k ? 1e7 : 5e5;
    assert_near(s.d->act[0], supply, k ? 2e-3 * supply : 1e-6 * supply);
    assert_near(s.d->act[1], 0, k ? 2e-3 * supply : 1e-6 * supply);
    assert_near(s.d->actuator_force[0], supply * 1e-3, k ? 4e-3 * supply * 1e-3 : 1);

    // closed, it is a spring: pushed in by a millimetre the pressure answers as the medium's law says
    s.d->ctrl[0] = 0;
    s.m->dof_damping[0] = 0;
    mj_step(s.m, s.d);
    assert_false(isnan(s.d->qpos[0]));
    tst_closeScene(&s);
  }
}

// closed chambers of air: isothermal or adiabatic compression follows p V^κ = const
static void pneumaticCompression(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("timestep=\"1e-4\"", "sinew:model=\"pneumatic\" sinew:exponent=\"1.4\""));
  s.d->qpos[0] = 0.05;
  s.d->act[0] = 2e5;
  s.m->dof_M0[0] = 1e9;
  s.d->qvel[0] = -0.05;
  const mjtNum start = (2e5 + 101325) * pow(1e-5 + 1e-3 * 0.05, 1.4);
  for (int i = 0; i < 5000; i++) mj_step(s.m, s.d);
  assert_near((s.d->act[0] + 101325) * pow(1e-5 + 1e-3 * s.d->qpos[0], 1.4) / start, 1, 1e-3);
  tst_closeScene(&s);
}

// states are activations: keyframes, state vectors and copies hold them
static void statesAreActivations(void** state) {
  (void)state;
  TstScene s = tst_openScene(SLIDER("", "sinew:model=\"dc_motor\" sinew:inductance=\".1\" sinew:thermal_res=\"1\""));
  assert_int_equal(s.m->na, 2);
  s.d->ctrl[0] = 10;
  for (int i = 0; i < 10; i++) mj_step(s.m, s.d);
  assert_true(s.d->act[0] > 0 && s.d->act[1] > 0);
  mjtNum full[50];
  mj_getState(s.m, s.d, full, mjSTATE_INTEGRATION);
  mjData* copy = mj_makeData(s.m);
  mj_setState(s.m, copy, full, mjSTATE_INTEGRATION);
  mj_step(s.m, s.d);
  mj_step(s.m, copy);
  assert_true(copy->act[0] == s.d->act[0] && copy->qpos[0] == s.d->qpos[0]);
  mj_deleteData(copy);
  tst_closeScene(&s);
}

//---------------------------------- hooks ----------------------------------

static mjtNum dampingBias(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)context;
  return -5000 * d->actuator_velocity[id];
}
static mjtNum countedSlope(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)d, (void)id;
  ++*(int*)context;
  return -5000;
}

// Users' actuators with damping 5000 at 10 ms are as stable as the built-in one: as bias or as gain, by differences or
// with their derivative.
static void hooksHaveDerivatives(void** state) {
  (void)state;
#define STEP "timestep=\".01\" integrator=\"implicitfast\""
  static const mjtIntegrator integrators[] = {mjINT_IMPLICITFAST, mjINT_IMPLICIT};
  for (int k = 0; k < 8; k++) {
    const int gain = k & 1, own = k >> 1 & 1;
    int calls = 0;
    TstScene s =
        tst_openScene(gain ? SLIDER(STEP, "gaintype=\"user\"") : SLIDER(STEP, "gainprm=\"0\" biastype=\"user\""));
    TstScene built = tst_openScene(SLIDER(STEP, "gainprm=\"0\" biastype=\"affine\" biasprm=\"0 0 -5000\""));
    s.m->opt.integrator = built.m->opt.integrator = integrators[k >> 2];
    sn_setHooks(s.d, &(snHooks){.context = &calls,
                                .act_gain = gain ? dampingBias : NULL,
                                .act_bias = gain ? NULL : dampingBias,
                                .act_vel = own ? countedSlope : NULL});
    s.d->qvel[0] = built.d->qvel[0] = s.d->ctrl[0] = 1;
    for (int i = 0; i < 50; i++) {
      mj_step(s.m, s.d);
      mj_step(built.m, built.d);
    }
    assert_near(s.d->qvel[0], built.d->qvel[0], 1e-9);
    assert_near(s.d->qpos[0], built.d->qpos[0], 1e-9);
    assert_int_equal(calls, own ? 50 : 0);
    tst_closeScene(&s);
    tst_closeScene(&built);
  }
}

// where forces were asked for
static mjtNum asked[20];
static int nasked;

static mjtNum askedBias(const mjModel* m, const mjData* d, int id, void* context) {
  (void)m, (void)context;
  asked[nasked++ % 20] = d->actuator_velocity[id];
  return -d->actuator_velocity[id];
}
static mjtNum askedForce(const snActuator* a) {
  asked[nasked++ % 20] = a->velocity;
  return -a->velocity * a->velocity * a->velocity;
}

// differences reach to both sides by 1e-5 of the velocity, or of one where that is less
static void differencesHaveTheirWidth(void** state) {
  (void)state;
  static const snActuation cubic = {
      .info = {.name = "cubic", .about = "a test"},
        .apply = askedForce
  };
  assert_true(sn_registerActuation(&cubic) >= 0);
  static const mjtNum velocities[] = {0.25, -3, 40};
  for (int k = 0; k < 6; k++) {
    const mjtNum velocity = velocities[k / 2], width = 1e-5 * mju_max(1, fabs(velocity));
    TstScene s =
        tst_openScene(SLIDER("timestep=\".01\" integrator=\"implicitfast\"", "gainprm=\"0\" biastype=\"user\""));
    if (k % 2) {
      sn_setHooks(s.d, &(snHooks){.act_bias = askedBias});
    } else {
      assert_null(sn_setActuation(s.m, 0, "cubic", NULL));
    }
    s.d->qvel[0] = velocity;
    nasked = 0;
    mj_step(s.m, s.d);
    assert_int_equal(nasked, 3);
    assert_near(asked[0], velocity, 1e-15);
    assert_near(asked[1], velocity + width, 1e-3 * width);
    assert_near(asked[2], velocity - width, 1e-3 * width);

    // M v' = f(v) + f'(v) (v' - v) h
    const mjtNum force = k % 2 ? -velocity : -velocity * velocity * velocity,
                 slope = k % 2 ? -1 : -3 * velocity * velocity;
    const mjtNum expected = velocity + 0.01 * force / (MASS - 0.01 * slope);
    assert_near(s.d->qvel[0], expected, 1e-6 * fabs(velocity));
    tst_closeScene(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_42D_AC1_builtinGainsThroughTheInterface),
      cmocka_unit_test(test_42D_AC2_seriesElastic),
      cmocka_unit_test(test_42D_AC3_derivatives),
      cmocka_unit_test(test_42D_AC4_noCostWithoutChoice),
      cmocka_unit_test(test_42D_AC5_implicitSteps),
      cmocka_unit_test(dcMotorMatchesItsEquations),
      cmocka_unit_test(dcMotorIsStableWhenStiff),
      cmocka_unit_test(dcMotorLimits),
      cmocka_unit_test(pidReachesItsSetPoint),
      cmocka_unit_test(cylindersFillAndPush),
      cmocka_unit_test(pneumaticCompression),
      cmocka_unit_test(statesAreActivations),
      cmocka_unit_test(hooksHaveDerivatives),
      cmocka_unit_test(differencesHaveTheirWidth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
