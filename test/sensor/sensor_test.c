// Every sensor in a moving scene: against the reference step by step, and against what must hold without it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"
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
  if (!orc_available()) skip();
  mjModel* m = tst_model("sensor_zoo");
  mjData* ours = mj_makeData(m);
  mjData* theirs = ORC(mj_makeData)(m);
  setMotion(m, ours);
  setMotion(m, theirs);
  mjcb_sensor = userSensor;
  *(mjfSensor*)orc_symbol("mjcb_sensor") = userSensor;
  char seen[200] = {0};
  assert_true(m->nsensor < (int)sizeof(seen));
  for (int step = 0; step < STEPS; step++) {
    mj_step(m, ours);
    ORC(mj_step)(m, theirs);
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
  *(mjfSensor*)orc_symbol("mjcb_sensor") = NULL;
  ORC(mj_deleteData)(theirs);
  mj_deleteData(ours);
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
      cmocka_unit_test(valuesAreConsistent),
      cmocka_unit_test(flagSwitchesOff),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
