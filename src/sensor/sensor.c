// The sensors of a stage in order: built-in ones, then the user's, then those of plugins; delays and cutoffs.
#include "sensor/sensor.h"

#include <math.h>

#include "math/simd/kernels.h"
#include "math/vec.h"
#include "model/history.h"
#include "model/hooks.h"
#include "sleep/sleep.h"

//---------------------------------- one sensor ----------------------------------

// clamps a value to the sensor's range; contact and segment sensors use the cutoff in another way
static void applyCutoff(const mjModel* m, int id, mjtNum* value) {
  const mjtNum cutoff = m->sensor_cutoff[id];
  if (cutoff <= 0 || m->sensor_type[id] == mjSENS_CONTACT || m->sensor_type[id] == mjSENS_GEOMFROMTO) return;
  for (int j = 0; j < m->sensor_dim[id]; j++) {
    if (m->sensor_datatype[id] == mjDATATYPE_REAL) {
      value[j] = mth_clip(value[j], -cutoff, cutoff);
    } else if (m->sensor_datatype[id] == mjDATATYPE_POSITIVE) {
      value[j] = fmin(cutoff, value[j]);
    }
  }
}

void sen_compute(const mjModel* m, mjData* d, int id, mjtNum* value) {
  // callbacks and plugins write all of their sensors at once, in place
  if (m->sensor_type[id] == mjSENS_USER || m->sensor_type[id] == mjSENS_PLUGIN) {
    mju_error("sensor %d: sensors of callbacks and plugins cannot have a delay", id);
    return;
  }
  const SenSensor s = {.id = id,
                       .type = m->sensor_type[id],
                       .objtype = m->sensor_objtype[id],
                       .reftype = m->sensor_reftype[id],
                       .objid = m->sensor_objid[id],
                       .refid = m->sensor_refid[id]};
  switch (m->sensor_needstage[id]) {
    case mjSTAGE_POS:
      sen_position(m, d, &s, value);
      break;
    case mjSTAGE_VEL:
      sen_velocity(m, d, &s, value);
      break;
    case mjSTAGE_ACC:
      sen_acceleration(m, d, &s, value);
      break;
    default:
      mju_error("sensor %d: stage %d is not a stage of sensors", id, m->sensor_needstage[id]);
  }
  applyCutoff(m, id, value);
}

// the value that a sensor gives out at this time
static void evaluate(const mjModel* m, mjData* d, int id) {
  mjtNum* value = d->sensordata + m->sensor_adr[id];
  if (m->sensor_history[2 * id] <= 0) {
    sen_compute(m, d, id, value);
    return;
  }

  // delayed: an old sample; with an interval: the last one until the next is due
  const mjtNum interval = m->sensor_interval[2 * id];
  const mjtNum last = d->history[m->sensor_historyadr[id]];
  const int waiting = interval > 0 && last + interval > d->time;
  if (m->sensor_delay[id] <= 0 && !waiting) {
    sen_compute(m, d, id, value);
    return;
  }
  const mjtNum* stored = mj_readSensor(m, d, id, d->time, value, m->sensor_history[2 * id + 1]);
  if (stored) mth_copy(value, stored, m->sensor_dim[id]);
}

//---------------------------------- stages ----------------------------------

// what user sensors and plugins may read
static void prepare(const mjModel* m, mjData* d, mjtStage stage) {
  if (stage == mjSTAGE_VEL && !d->flg_subtreevel) mj_subtreeVel(m, d);
  if (stage == mjSTAGE_ACC && !d->flg_rnepost) mj_rnePostConstraint(m, d);
}

static void userSensors(const mjModel* m, mjData* d, mjtStage stage) {
  mdl_callSensor(m, d, stage);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == (int)stage) {
      applyCutoff(m, i, d->sensordata + m->sensor_adr[i]);
    }
  }
}

static void pluginSensors(const mjModel* m, mjData* d, mjtStage stage) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin) mju_error("invalid plugin slot: %d", m->plugin[i]);
    if (!(plugin->capabilityflags & mjPLUGIN_SENSOR)) continue;

    // a plugin that needs no stage runs with the first
    const mjtStage needed = plugin->needstage == mjSTAGE_NONE ? mjSTAGE_POS : (mjtStage)plugin->needstage;
    if (needed != stage) continue;
    if (!plugin->compute) mju_error("`compute` is a null function pointer for plugin at slot %d", m->plugin[i]);
    prepare(m, d, stage);
    plugin->compute(m, d, i, mjPLUGIN_SENSOR);
    for (int j = 0; j < m->nsensor; j++) {
      const int own = m->sensor_type[j] == mjSENS_PLUGIN && m->sensor_plugin[j] == i;
      if (own && m->sensor_needstage[j] == (int)stage) applyCutoff(m, j, d->sensordata + m->sensor_adr[j]);
    }
  }
}

static void runStage(const mjModel* m, mjData* d, mjtStage stage) {
  if (mjDISABLED(mjDSBL_SENSOR)) return;
  const int filter = slp_enabled(m) && d->nbody_awake < m->nbody;
  int nuser = 0;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_needstage[i] != (int)stage || m->sensor_type[i] == mjSENS_PLUGIN) continue;
    if (filter && slp_state(m, d, mjOBJ_SENSOR, i) == mjS_ASLEEP) continue;
    if (m->sensor_type[i] == mjSENS_USER) {
      prepare(m, d, stage);
      mth_zero(d->sensordata + m->sensor_adr[i], m->sensor_dim[i]);
      nuser++;
    } else {
      evaluate(m, d, i);
    }
  }
  if (nuser) userSensors(m, d, stage);
  if (m->nplugin) pluginSensors(m, d, stage);
}

void mj_sensorPos(const mjModel* m, mjData* d) {
  runStage(m, d, mjSTAGE_POS);
}

void mj_sensorVel(const mjModel* m, mjData* d) {
  runStage(m, d, mjSTAGE_VEL);
}

void mj_sensorAcc(const mjModel* m, mjData* d) {
  runStage(m, d, mjSTAGE_ACC);
}

//---------------------------------- history ----------------------------------

const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum* result, int interp) {
  if (id < 0 || id >= m->nsensor) {
    mju_error("mj_readSensor: invalid sensor id %d", id);
    return NULL;
  }
  const int nsample = m->sensor_history[2 * id];
  if (nsample <= 0) return d->sensordata + m->sensor_adr[id];
  return mdl_historyRead(d->history + m->sensor_historyadr[id], nsample, m->sensor_dim[id], result,
                         time - m->sensor_delay[id], interp < 0 ? m->sensor_history[2 * id + 1] : interp);
}

void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const mjtNum* values,
                          mjtNum phase) {
  if (id < 0 || id >= m->nsensor) {
    mju_error("mj_initSensorHistory: invalid sensor id %d", id);
    return;
  }
  const int nsample = m->sensor_history[2 * id];
  if (nsample <= 0) {
    mju_error("mj_initSensorHistory: sensor %d has no history buffer", id);
    return;
  }
  mdl_historyInit(d->history + m->sensor_historyadr[id], nsample, m->sensor_dim[id], times, values, phase);
}
