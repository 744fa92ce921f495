// Every sensor in a moving scene: against the reference step by step, and against what must hold without it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/near.h"
#include "support/oracle.h"

enum { STEPS = 60 };

static void setMotion(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.3 * sin(i + 1.0);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 0.5;
}

static const mjtNum* read(const mjModel* m, const mjData* d, const char* name) {
  const int id = mj_name2id(m, mjOBJ_SENSOR, name);
  assert_true(id >= 0);
  return d->sensordata + m->sensor_adr[id];
}

static void userSensor(const mjModel* m, mjData* d, int stage) {
  if (stage != mjSTAGE_VEL) return;
  mjtNum* value = d->sensordata + m->sensor_adr[mj_name2id(m, mjOBJ_SENSOR, "s_user")];
  value[0] = d->qvel[0];
  value[1] = 1;
}

// every sensor agrees with the reference on every step, and none of them is always zero
static void agreesWithReference(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData* ours = mj_makeData(m);
  mjData* theirs = ORC(mj_makeData)(m);
  setMotion(m, ours);
  setMotion(m, theirs);
  mjcb_sensor = userSensor;
  *ORC(mjcb_sensor) = userSensor;
  char seen[200] = {0};
  assert_true(m->nsensor < (int)sizeof(seen));
  for (int step = 0; step < STEPS; step++) {
    mj_step(m, ours);
    ORC(mj_step)(m, theirs);
    orc_result(theirs->sensordata, (size_t)m->nsensordata);
    for (int i = 0; i < m->nsensor; i++) {
      for (int j = 0; j < m->sensor_dim[i]; j++) {
        const mjtNum a = ours->sensordata[m->sensor_adr[i] + j], b = theirs->sensordata[m->sensor_adr[i] + j];
        // contact forces come from an iterative solver: it stops at its tolerance, not at rounding
        if (!(fabs(a - b) <= 1e-8 * (1 + fabs(b)))) {
          fail_msg("step %d, sensor %s[%d]: %.12g, reference %.12g", step, m->names + m->name_sensoradr[i], j, a, b);
        }
        seen[i] |= b != 0;
      }
    }
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (!seen[i] && strcmp(m->names + m->name_sensoradr[i], "s_out"))
      fail_msg("%s was always zero", m->names + m->name_sensoradr[i]);
  }
  mjcb_sensor = NULL;
  *ORC(mjcb_sensor) = NULL;
  ORC(mj_deleteData)(theirs);
  mj_deleteData(ours);
  mj_deleteModel(m);
}

// 1: a sensor has a value that is not zero
static int isAlive(const mjModel* m, const mjData* d, int id) {
  for (int j = 0; j < m->sensor_dim[id]; j++) {
    if (d->sensordata[m->sensor_adr[id] + j] != 0) return 1;
  }
  return 0;
}

// a plugin's sensor: one number
static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}
static int oneNumber(const mjModel* m, int instance, int sensor) {
  (void)m, (void)instance, (void)sensor;
  return 1;
}
static void computePlugin(const mjModel* m, mjData* d, int instance, int capability) {
  (void)instance, (void)capability;
  d->sensordata[m->sensor_adr[0]] = 1 + d->qpos[0];
}

static mjModel* pluginModel(void) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.number";
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  plugin.nstate = noState;
  plugin.nsensordata = oneNumber;
  plugin.compute = computePlugin;
  mjp_registerPlugin(&plugin);
  return tst_string(
      "<mujoco><extension><plugin plugin='sinew.test.number'/></extension><worldbody><body><joint/><geom size='.1'/>"
      "</body></worldbody><sensor><plugin plugin='sinew.test.number'/></sensor></mujoco>");
}

// all 49 types: each is in one of the scenes, and not zero there
static void everyTypeIsAlive(void** state) {
  (void)state;
  enum { NTYPE = mjSENS_USER + 1 };
  assert_int_equal(NTYPE, 49);
  int alive[NTYPE] = {0};
  mjModel* scene[] = {tst_model("sensor_zoo"), tst_model("tactile"), pluginModel()};
  mjcb_sensor = userSensor;
  for (int k = 0; k < 3; k++) {
    mjModel* m = scene[k];
    if (k) mjcb_sensor = NULL;
    mjData* d = mj_makeData(m);
    mj_resetDataKeyframe(m, d, 0);
    if (!m->nkey) setMotion(m, d);
    for (int step = 0; step < STEPS; step++) {
      mj_step(m, d);
      for (int i = 0; i < m->nsensor; i++) alive[m->sensor_type[i]] |= isAlive(m, d, i);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  for (int type = 0; type < NTYPE; type++) {
    if (!alive[type]) fail_msg("sensor type %d was never seen at work", type);
  }
}

// pressure where the ball is and nowhere else, sliding speeds of its velocity
static void padFeelsTheBall(void** state) {
  (void)state;
  mjModel* m = tst_model("tactile");
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  const int n = m->mesh_vertnum[0];
  assert_int_equal(m->sensor_dim[0], 3 * n);
  int touched = 0;
  for (int i = 0; i < n; i++) {
    if (d->sensordata[i] == 0) {
      assert_true(d->sensordata[n + i] == 0 && d->sensordata[2 * n + i] == 0);
      continue;
    }
    touched++;
    assert_true(d->sensordata[i] < 0);
    assert_true(fabs(d->sensordata[n + i] - 0.2) < 1e-9);
    assert_true(fabs(d->sensordata[2 * n + i] - 0.1) < 1e-9);
  }
  assert_int_equal(touched, 4);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// histories that the user fills: what is read lies between the samples, and the sensor gives it out after its delay
static void historiesAreFilled(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData* d = mj_makeData(m);
  const int linear = mj_name2id(m, mjOBJ_SENSOR, "s_delaylin"), n = m->sensor_history[2 * linear];
  mjtNum times[8], values[8], result;
  assert_int_equal(n, 8);
  for (int i = 0; i < n; i++) {
    times[i] = 0.002 * (i - n);
    values[i] = i;
  }
  mj_initSensorHistory(m, d, linear, times, values, 0);
  const mjtNum* stored = mj_readSensor(m, d, linear, times[3] + 0.001 + m->sensor_delay[linear], &result, 1);
  assert_true(fabs((stored ? *stored : result) - 3.5) < 1e-9);
  stored = mj_readSensor(m, d, linear, times[3] + 0.001 + m->sensor_delay[linear], &result, 0);
  assert_true((stored ? *stored : result) == 3);
  mj_forward(m, d);
  const mjtNum expected = n + -m->sensor_delay[linear] / 0.002;
  assert_true(fabs(read(m, d, "s_delaylin")[0] - expected) < 1e-9);

  // a sensor without history gives its value
  const int clock = mj_name2id(m, mjOBJ_SENSOR, "s_jp");
  assert_ptr_equal(mj_readSensor(m, d, clock, 0, &result, 0), d->sensordata + m->sensor_adr[clock]);
  assert_non_null(strstr(CATCH(mj_initSensorHistory(m, d, clock, times, values, 0)), "history"));
  assert_non_null(strstr(CATCH(mj_readSensor(m, d, (int)m->nsensor, 0, &result, 0)), "sensor id"));
  mj_deleteData(d);
  mj_deleteModel(m);
}

// accelerations of bodies are computed once per solution, and only when a sensor asks for them
static void accelerationsAreComputedOnce(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/><site name='imu' pos='.4 0 "
      "0'/></body>"
      "</worldbody><sensor><accelerometer site='imu'/><force site='imu'/></sensor></mujoco>");
  mj_forward(s.m, s.d);
  assert_int_equal(s.d->flg_rnepost, 1);
  const mjtNum value = s.d->sensordata[2];

  // what is there is read again, until the next solution
  s.d->cacc[6 + 5] += 1;
  mj_sensorAcc(s.m, s.d);
  assert_true(fabs(s.d->sensordata[2] - value - 1) < 1e-12);
  mj_fwdConstraint(s.m, s.d);
  assert_int_equal(s.d->flg_rnepost, 0);
  mj_sensorAcc(s.m, s.d);
  assert_true(s.d->sensordata[2] == value);

  // nobody asks
  s.m->opt.disableflags |= mjDSBL_SENSOR;
  mj_forward(s.m, s.d);
  assert_int_equal(s.d->flg_rnepost, 0);
  mj_rnePostConstraint(s.m, s.d);
  assert_int_equal(s.d->flg_rnepost, 1);
  tst_closeScene(&s);
}

// samples of accelerations are of the step's start, also where the integrator evaluates in between
static void storedAccelerationsAgree(void** state) {
  (void)state;
  mjModel* m = orc_compile(
      "<mujoco><option timestep='0.01' integrator='RK4'/><worldbody><body><joint axis='0 1 0' damping='.1'/>"
      "<geom type='capsule' size='.02' fromto='0 0 0 .3 0 0'/><body pos='.3 0 0'><joint axis='0 1 .5'/>"
      "<geom size='.05' pos='.1 0 .1'/><site name='imu' pos='.1 .1 0'/></body></body></worldbody>"
      "<sensor><accelerometer site='imu' nsample='4' delay='0.02'/><torque site='imu'/></sensor></mujoco>");
  mjData *ours = mj_makeData(m), *theirs = ORC(mj_makeData)(m);
  for (int step = 0; step < 40; step++) {
    mj_step(m, ours);
    ORC(mj_step)(m, theirs);
    orc_result(theirs->sensordata, (size_t)m->nsensordata);
    for (int i = 0; i < m->nsensordata; i++) {
      assert_true(fabs(ours->sensordata[i] - theirs->sensordata[i]) <= 1e-9 * (1 + fabs(theirs->sensordata[i])));
    }
  }
  assert_true(fabs(ours->sensordata[0]) > 1e-3);
  mj_deleteData(ours);
  ORC(mj_deleteData)(theirs);
  ORC(mj_deleteModel)(m);
}

// cutoffs clamp: both sides of real values, the top of positive ones
static void cutoffsClamp(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData *free = mj_makeData(m), *cut = mj_makeData(m);
  setMotion(m, free);
  setMotion(m, cut);
  for (int i = 0; i < m->nsensor; i++) m->sensor_cutoff[i] = 0;
  for (int step = 0; step < 20; step++) mj_step(m, free);
  mj_copyState(m, free, cut, mjSTATE_INTEGRATION);
  mj_forward(m, free);
  for (int i = 0; i < m->nsensor; i++) m->sensor_cutoff[i] = 0.05;
  mj_forward(m, cut);
  int clamped = 0;
  for (int i = 0; i < m->nsensor; i++) {
    const int type = m->sensor_type[i], data = m->sensor_datatype[i];

    // these use the cutoff as a distance, or have no use for it; delayed ones were recorded without it
    if (type == mjSENS_CONTACT || (type >= mjSENS_GEOMDIST && type <= mjSENS_GEOMFROMTO)) continue;
    if (m->sensor_history[2 * i] || type == mjSENS_RANGEFINDER) continue;
    for (int j = m->sensor_adr[i]; j < m->sensor_adr[i] + m->sensor_dim[i]; j++) {
      mjtNum expected = free->sensordata[j];
      if (data == mjDATATYPE_REAL) expected = fmax(-0.05, fmin(0.05, expected));
      if (data == mjDATATYPE_POSITIVE) expected = fmin(0.05, expected);
      assert_true(cut->sensordata[j] == expected);
      clamped += expected != free->sensordata[j];
    }
  }
  assert_true(clamped > 20);
  mj_deleteData(free);
  mj_deleteData(cut);
  mj_deleteModel(m);
}

// values that follow from others
static void valuesAreConsistent(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData* d = mj_makeData(m);
  setMotion(m, d);
  const int hinge = mj_name2id(m, mjOBJ_JOINT, "hinge");
  mjtNum past[STEPS];
  for (int step = 0; step < STEPS; step++) {
    const mjtNum time = d->time;
    past[step] = d->qpos[m->jnt_qposadr[hinge]];
    mj_step(m, d);
    assert_true(read(m, d, "s_clock")[0] == time);
    assert_true(read(m, d, "s_jp")[0] == past[step]);
    assert_true(fabs(mju_norm3(read(m, d, "s_mag")) - mju_norm3(m->opt.magnetic)) < 1e-14);
    assert_true(fabs(mju_norm(read(m, d, "s_fq"), 4) - 1) < 1e-14);
    assert_true(fabs(mju_norm3(read(m, d, "s_n")) - 1) < 1e-12);
    assert_true(fabs(read(m, d, "s_gyro")[0]) <= 0.4);
    assert_true(read(m, d, "s_touch")[0] >= 0);

    // a delay of two steps gives the value of two steps ago, an interval of three holds it
    if (step >= 2) assert_true(read(m, d, "s_delay")[0] == past[step - 2]);
    if (step >= 3) assert_true(read(m, d, "s_interval")[0] == past[step - step % 3]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a ball joint beyond its cone: position, velocity and force of its one row
static void ballLimits(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><worldbody><body><joint name='b' type='ball' limited='true' range='0 30'/><geom size='.1' pos='.1 0 0'/>"
      "</body></worldbody><sensor><jointlimitpos joint='b'/><jointlimitvel joint='b'/><jointlimitfrc "
      "joint='b'/></sensor>"
      "</mujoco>");
  mj_forward(s.m, s.d);
  for (int i = 0; i < 3; i++) assert_true(s.d->sensordata[i] == 0);
  s.d->qpos[0] = cos(0.3);
  s.d->qpos[2] = sin(0.3);
  s.d->qvel[1] = 0.2;
  mj_forward(s.m, s.d);
  assert_int_equal(s.d->nefc, 1);
  assert_near(s.d->sensordata[0], mjPI / 6 - 0.6, 1e-14);
  assert_near(s.d->sensordata[1], -0.2, 1e-14);
  assert_true(s.d->sensordata[2] == s.d->efc_force[0]);
  assert_near(s.d->sensordata[2], 14.97193337, 1e-6);  // what 3.5.0 gives
  assert_near(s.d->qfrc_constraint[1], -s.d->sensordata[2], 1e-12);
  tst_closeScene(&s);
}

// the sensor flag leaves sensordata alone
static void flagSwitchesOff(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  mjData* d = mj_makeData(m);
  m->opt.disableflags |= mjDSBL_SENSOR;
  for (int i = 0; i < m->nsensordata; i++) d->sensordata[i] = 42;
  mj_step(m, d);
  for (int i = 0; i < m->nsensordata; i++) assert_true(d->sensordata[i] == 42);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agreesWithReference),
      cmocka_unit_test(everyTypeIsAlive),
      cmocka_unit_test(padFeelsTheBall),
      cmocka_unit_test(historiesAreFilled),
      cmocka_unit_test(cutoffsClamp),
      cmocka_unit_test(valuesAreConsistent),
      cmocka_unit_test(ballLimits),
      cmocka_unit_test(flagSwitchesOff),
      cmocka_unit_test(accelerationsAreComputedOnce),
      cmocka_unit_test(storedAccelerationsAgree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
