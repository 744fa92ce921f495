// Whole steps: the two halves, bad states, user inputs, keyframes, clocks and callbacks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"

static void stir(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.2 * sin(i + 1.0);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.3;
}

static size_t bytes(mjtSize n) {
  return sizeof(mjtNum) * (size_t)n;
}

//---------------------------------- parts of a step ----------------------------------

// step1 and step2 are a step, for every integrator but Runge-Kutta, which becomes Euler
static void halvesMakeAStep(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
      mjData *whole = mj_makeData(m), *halves = mj_makeData(m);
      stir(m, whole);
      stir(m, halves);
      for (int k = 0; k < 5; k++) {
        m->opt.integrator = integrator == mjINT_RK4 ? mjINT_EULER : integrator;
        mj_step(m, whole);
        m->opt.integrator = integrator;
        mj_step1(m, halves);
        mj_step2(m, halves);
      }
      assert_memory_equal(whole->qpos, halves->qpos, bytes(m->nq));
      assert_memory_equal(whole->qvel, halves->qvel, bytes(m->nv));
      assert_memory_equal(whole->sensordata, halves->sensordata, bytes(m->nsensordata));
      mj_deleteData(whole);
      mj_deleteData(halves);
    }
    mj_deleteModel(m);
  }
}

// stages that are up to date can be left out
static void stagesAreSkipped(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData *whole = mj_makeData(m), *skipped = mj_makeData(m);
  stir(m, whole);
  mj_forward(m, whole);
  mj_copyData(skipped, m, whole);

  // a new control changes accelerations only, a new velocity not the position stage
  for (int stage = mjSTAGE_VEL; stage >= mjSTAGE_POS; stage--) {
    whole->ctrl[0] = skipped->ctrl[0] += 0.5;
    if (stage == mjSTAGE_POS) whole->qvel[2] = skipped->qvel[2] += 0.5;
    mj_forward(m, whole);
    mj_forwardSkip(m, skipped, stage, 0);
    assert_memory_equal(whole->qacc, skipped->qacc, bytes(m->nv));
    assert_memory_equal(whole->sensordata, skipped->sensordata, bytes(m->nsensordata));
  }

  // without sensors they keep their values
  memset(skipped->sensordata, 0, bytes(m->nsensordata));
  mj_forwardSkip(m, skipped, mjSTAGE_NONE, 1);
  for (int i = 0; i < m->nsensordata; i++) assert_true(skipped->sensordata[i] == 0);
  assert_memory_equal(whole->qacc, skipped->qacc, bytes(m->nv));
  mj_deleteData(whole);
  mj_deleteData(skipped);
  mj_deleteModel(m);
}

//---------------------------------- bad states ----------------------------------

// what is not a usable number: a warning with its index, and a new start unless that is switched off
static void badStatesAreReset(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  const mjtNum bad[] = {NAN, INFINITY, -INFINITY, 1.01e10, -1e300};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    for (int what = 0; what < 3; what++) {
      for (int keep = 0; keep < 2; keep++) {
        mjData* d = mj_makeData(m);
        m->opt.disableflags = keep ? mjDSBL_AUTORESET : 0;
        mj_step(m, d);
        mjtNum* const value = what == 0 ? d->qpos + 2 : what == 1 ? d->qvel + 5 : d->qacc + 1;
        *value = bad[i];
        mju_user_warning = catchCount;
        if (what == 0) mj_checkPos(m, d);
        if (what == 1) mj_checkVel(m, d);
        if (what == 2) mj_checkAcc(m, d);
        mju_user_warning = NULL;
        const int warning = what == 0 ? mjWARN_BADQPOS : what == 1 ? mjWARN_BADQVEL : mjWARN_BADQACC;
        assert_int_equal(d->warning[warning].number, keep ? 2 : 1);
        assert_int_equal(d->warning[warning].lastinfo, what == 0 ? 2 : what == 1 ? 5 : 1);
        if (keep) {
          assert_memory_equal(value, &bad[i], sizeof(mjtNum));
          assert_true(d->time > 0);
        } else {
          assert_memory_equal(d->qpos, m->qpos0, bytes(m->nq));
          assert_true(d->time == 0);
        }
        mj_deleteData(d);
      }
    }
  }

  // a fresh start forgets earlier ones; where there is none they add up
  for (int keep = 0; keep < 2; keep++) {
    mjData* d = mj_makeData(m);
    m->opt.disableflags = keep ? mjDSBL_AUTORESET : 0;
    mju_user_warning = catchCount;
    for (int i = 0; i < 3; i++) {
      d->qvel[4] = NAN;
      mj_checkVel(m, d);
    }
    mju_user_warning = NULL;
    assert_int_equal(d->warning[mjWARN_BADQVEL].number, keep ? 6 : 1);
    mj_deleteData(d);
  }

  // the largest usable number is one
  mjData* d = mj_makeData(m);
  m->opt.disableflags = 0;
  d->qvel[0] = -1e10;
  mj_checkVel(m, d);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void unknownIntegrator(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  m->opt.integrator = 17;
  assert_non_null(strstr(CATCH(mj_step(m, d)), "integrator: 17"));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a message begins with the name of the function that was called
#define NAMED(call, function)                                       \
  do {                                                              \
    const char* const raised = CATCH(call);                         \
    assert_non_null(raised);                                        \
    assert_ptr_equal(strstr(raised, function ": "), (void*)raised); \
  } while (0)

static void errorsNameTheFunction(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  mjModel* other = tst_model("pendulum");
  mjData *d = mj_makeData(m), *d2 = mj_makeData(other);
  mjtNum x[16] = {0}, *result = calloc((size_t)(4 * m->nv * m->nv), sizeof(mjtNum));
  mj_forward(m, d);
  NAMED(mj_applyFT(m, d, x, x, x, (int)m->nbody, d->qfrc_applied), "mj_applyFT");
  NAMED(mj_objectVelocity(m, d, mjOBJ_KEY, 0, x, 0), "mj_objectVelocity");
  NAMED(mj_objectAcceleration(m, d, mjOBJ_KEY, 0, x, 0), "mj_objectAcceleration");
  NAMED(mj_ray(m, d, x, x, NULL, 1, -1, NULL, NULL), "mj_ray");
  NAMED(mju_rayGeom(x, x, x, x, x, mjGEOM_MESH, NULL), "mju_rayGeom");
  NAMED(mj_rayMesh(m, d, 0, x, x, NULL), "mj_rayMesh");
  NAMED(mj_rayHfield(m, d, 0, x, x, NULL), "mj_rayHfield");
  NAMED(mj_RungeKutta(m, d, 2), "mj_RungeKutta");
  m->opt.integrator = mjINT_EULER;
  NAMED(mj_implicit(m, d), "mj_implicit");
  NAMED(mj_extractState(m, x, mjSTATE_TIME, x, mjSTATE_QPOS), "mj_extractState");
  NAMED(mj_extractState(m, x, -1, x, mjSTATE_QPOS), "mj_extractState");
  NAMED(mj_copyModel(other, m), "mj_copyModel");
  NAMED(mj_copyData(d2, m, d), "mj_copyData");
  m->opt.integrator = mjINT_RK4;
  NAMED(mjd_transitionFD(m, d, 1e-6, 0, result, NULL, NULL, NULL), "mjd_transitionFD");
  NAMED(mjd_inverseFD(m, d, 1e-6, 0, result, NULL, NULL, NULL, NULL, NULL, NULL), "mjd_inverseFD");
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  NAMED(mj_inverse(m, d), "mj_inverse");
  free(result);
  mj_deleteData(d);
  mj_deleteData(d2);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

//---------------------------------- inputs ----------------------------------

static const char INPUTS[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><size nuserdata='4'/><worldbody>"
    "<body name='hand' mocap='true' pos='1 0 0'/><body name='ball' pos='0 0 1'><freejoint/>"
    "<geom size='.1' mass='2'/></body><body pos='3 0 0'><joint name='j' type='slide' axis='1 0 0'/>"
    "<geom size='.1' mass='4'/></body></worldbody><actuator><intvelocity joint='j' kp='1' actrange='-1 1'/></actuator>"
    "<keyframe><key name='full' time='3' qpos='1 2 3 0 1 0 0 .5' qvel='1 2 3 4 5 6 7' act='.25' ctrl='.75'"
    " mpos='7 8 9' mquat='0 0 1 0'/><key/></keyframe></mujoco>";

// forces on dofs and on bodies, and what the engine never touches
static void inputsAct(void** state) {
  (void)state;
  mjModel* m = tst_string(INPUTS);
  mjData* d = mj_makeData(m);
  const int ball = mj_name2id(m, mjOBJ_BODY, "ball");
  d->xfrc_applied[6 * ball + 1] = 3;
  d->xfrc_applied[6 * ball + 5] = 0.4;
  d->qfrc_applied[6] = 8;
  for (int i = 0; i < 4; i++) d->userdata[i] = i + 1;
  d->mocap_pos[0] = 5;
  mj_step(m, d);
  const mjtNum inertia = 0.4 * 2 * 0.01;
  assert_true(fabs(d->qacc[1] - 1.5) < 1e-12);
  assert_true(fabs(d->qacc[5] - 0.4 / inertia) < 1e-9);
  assert_true(fabs(d->qacc[6] - 2) < 1e-12);
  assert_true(d->xpos[3 * mj_name2id(m, mjOBJ_BODY, "hand")] == 5);
  for (int i = 0; i < 4; i++) assert_true(d->userdata[i] == i + 1);

  // user data belongs to the state, and a reset clears it
  mjtNum saved[4];
  assert_int_equal(mj_stateSize(m, mjSTATE_USERDATA), 4);
  mj_getState(m, d, saved, mjSTATE_USERDATA);
  mj_resetData(m, d);
  assert_true(d->userdata[2] == 0 && d->xfrc_applied[6 * ball + 1] == 0 && d->qfrc_applied[6] == 0);
  mj_setState(m, d, saved, mjSTATE_USERDATA);
  assert_true(d->userdata[2] == 3);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// controls that act later: held, on a line and on a curve between samples; the user may fill the past
static void controlsAreDelayed(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/><geom size='.1'/>"
      "</body></worldbody><actuator><motor joint='j' nsample='6' delay='.025' interp='zoh'/>"
      "<motor joint='j' nsample='6' delay='.025' interp='linear'/>"
      "<motor joint='j' nsample='6' delay='.025' interp='cubic'/><motor joint='j'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);

  // a ramp of 100 per second until now
  mjtNum times[6], values[6];
  for (int i = 0; i < 6; i++) {
    times[i] = 0.01 * (i - 6);
    values[i] = i - 6;
  }
  for (int id = 0; id < 3; id++) mj_initCtrlHistory(m, d, id, times, values);
  mj_forward(m, d);
  assert_true(d->actuator_force[0] == -3);
  assert_true(fabs(d->actuator_force[1] + 2.5) < 1e-9);
  assert_true(fabs(d->actuator_force[2] + 2.5) < 1e-9);
  assert_true(mj_readCtrl(m, d, 0, 0, 1) == d->actuator_force[1]);

  // every step records the control it was given; what the model does not delay acts at once
  for (int step = 0; step < 8; step++) {
    for (int id = 0; id < 4; id++) d->ctrl[id] = step;
    mj_step(m, d);
    assert_true(fabs(d->actuator_force[1] - (step - 2.5)) < 1e-9);
    assert_true(fabs(d->actuator_force[2] - (step - 2.5)) < 1e-9);
    assert_true(d->actuator_force[0] == step - 3 && d->actuator_force[3] == step);
  }
  assert_true(mj_readCtrl(m, d, 3, 0, 0) == 7);
  assert_non_null(strstr(CATCH(mj_initCtrlHistory(m, d, 3, times, values)), "history"));
  assert_non_null(strstr(CATCH(mj_readCtrl(m, d, 4, 0, 0)), "actuator id"));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// every field of a keyframe, both ways; those that are not given start as the model does
static void keyframesHoldEverything(void** state) {
  (void)state;
  mjModel* m = tst_string(INPUTS);
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, mj_name2id(m, mjOBJ_KEY, "full"));
  static const mjtNum QPOS[8] = {1, 2, 3, 0, 1, 0, 0, 0.5}, QVEL[7] = {1, 2, 3, 4, 5, 6, 7};
  assert_memory_equal(d->qpos, QPOS, sizeof(QPOS));
  assert_memory_equal(d->qvel, QVEL, sizeof(QVEL));
  assert_true(d->time == 3 && d->act[0] == 0.25 && d->ctrl[0] == 0.75);
  assert_true(d->mocap_pos[1] == 8 && d->mocap_quat[2] == 1);
  mj_resetDataKeyframe(m, d, 1);
  assert_memory_equal(d->qpos, m->qpos0, bytes(m->nq));
  assert_true(d->time == 0 && d->mocap_pos[0] == 1 && d->mocap_quat[0] == 1);

  // write and read back
  mj_resetDataKeyframe(m, d, 0);
  mj_step(m, d);
  mjData* other = mj_makeData(m);
  mj_setKeyframe(m, d, 1);
  mj_resetDataKeyframe(m, other, 1);
  assert_memory_equal(other->qpos, d->qpos, bytes(m->nq));
  assert_memory_equal(other->qvel, d->qvel, bytes(m->nv));
  assert_memory_equal(other->mocap_pos, d->mocap_pos, bytes(3));
  assert_memory_equal(other->mocap_quat, d->mocap_quat, bytes(4));
  assert_true(other->time == d->time && other->act[0] == d->act[0] && other->ctrl[0] == d->ctrl[0]);

  // an index that is none is a plain reset
  mj_resetDataKeyframe(m, d, 2);
  assert_memory_equal(d->qpos, m->qpos0, bytes(m->nq));
  mj_deleteData(other);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- callbacks ----------------------------------

// a clock that advances with every look
static mjtNum clock1;
static mjtNum tick(void) {
  return clock1 += 1;
}

static void timersRun(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  for (int i = 0; i < mjNTIMER; i++) assert_true(d->timer[i].duration == 0);
  mjcb_time = tick;
  const int before = d->timer[mjTIMER_STEP].number;
  for (int i = 0; i < 3; i++) mj_step(m, d);
  mjcb_time = NULL;
  assert_int_equal(d->timer[mjTIMER_STEP].number, before + 3);
  static const int INNER[] = {mjTIMER_FORWARD,     mjTIMER_POSITION,      mjTIMER_VELOCITY,
                              mjTIMER_CONSTRAINT,  mjTIMER_ADVANCE,       mjTIMER_POS_KINEMATICS,
                              mjTIMER_POS_INERTIA, mjTIMER_POS_COLLISION, mjTIMER_POS_MAKE};
  for (size_t i = 0; i < sizeof(INNER) / sizeof(INNER[0]); i++) {
    assert_true(d->timer[INNER[i]].duration > 0);
    assert_true(d->timer[INNER[i]].duration < d->timer[mjTIMER_STEP].duration);
  }
  assert_true(d->timer[mjTIMER_POSITION].duration < d->timer[mjTIMER_FORWARD].duration);

  // two halves count as one step
  mjcb_time = tick;
  mj_step1(m, d);
  mj_step2(m, d);
  mj_inverse(m, d);
  mjcb_time = NULL;
  assert_int_equal(d->timer[mjTIMER_STEP].number, before + 4);
  assert_true(d->timer[mjTIMER_INVERSE].duration > 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int calls[8];
static void onPassive(const mjModel* m, mjData* d) {
  calls[0]++;
  for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] += 0.125;
}
static void onControl(const mjModel* m, mjData* d) {
  calls[1]++;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.5;
}
static int onPair(const mjModel* m, mjData* d, int g1, int g2) {
  (void)m, (void)d, (void)g1, (void)g2;
  calls[2]++;
  return 1;
}
static void onSensor(const mjModel* m, mjData* d, int stage) {
  (void)m;
  calls[3]++;
  if (stage == mjSTAGE_VEL) d->sensordata[0] = 7;
}
static mjtNum onDyn(const mjModel* m, const mjData* d, int id) {
  (void)m, (void)d, (void)id;
  calls[4]++;
  return 2;
}
static mjtNum onGain(const mjModel* m, const mjData* d, int id) {
  (void)m, (void)d, (void)id;
  calls[5]++;
  return 3;
}
static mjtNum onBias(const mjModel* m, const mjData* d, int id) {
  (void)m, (void)d, (void)id;
  calls[6]++;
  return 4;
}

static const char CALLBACKS[] =
    "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'>"
    "<joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody><actuator>"
    "<general joint='j' dyntype='user' actdim='1' gaintype='user' biastype='user'/></actuator>"
    "<sensor><user dim='1' needstage='vel'/></sensor></mujoco>";

// every callback in one step, each with its effect; then none of them
static void callbacksAreCalled(void** state) {
  (void)state;
  mjModel* m = tst_string(CALLBACKS);
  mjData* d = mj_makeData(m);
  mj_step(m, d);
  assert_int_equal(d->ncon, 1);
  mj_resetData(m, d);
  mjcb_passive = onPassive;
  mjcb_control = onControl;
  mjcb_contactfilter = onPair;
  mjcb_sensor = onSensor;
  mjcb_act_dyn = onDyn;
  mjcb_act_gain = onGain;
  mjcb_act_bias = onBias;
  mjcb_time = tick;
  d->act[0] = 10;
  mj_step(m, d);
  for (int i = 0; i < 7; i++) assert_int_equal(calls[i], 1);
  assert_true(d->qfrc_passive[0] == 0.125);
  assert_true(d->ctrl[0] == 0.5);
  assert_int_equal(d->ncon, 0);
  assert_true(d->sensordata[0] == 7);
  assert_true(d->act_dot[0] == 2);
  assert_true(d->actuator_force[0] == 3 * 10 + 4);
  assert_true(fabs(d->act[0] - 10.02) < 1e-12);

  mj_resetCallbacks();
  assert_null(mjcb_time);
  mj_step(m, d);
  for (int i = 0; i < 7; i++) assert_int_equal(calls[i], 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halvesMakeAStep),
      cmocka_unit_test(stagesAreSkipped),
      cmocka_unit_test(badStatesAreReset),
      cmocka_unit_test(unknownIntegrator),
      cmocka_unit_test(errorsNameTheFunction),
      cmocka_unit_test(inputsAct),
      cmocka_unit_test(controlsAreDelayed),
      cmocka_unit_test(keyframesHoldEverything),
      cmocka_unit_test(timersRun),
      cmocka_unit_test(callbacksAreCalled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
