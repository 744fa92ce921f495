// Initial state of mjData: zero everything, then what the model says about the start.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stack.h"
#include "collision/section.h"
#include "constraint/rows.h"
#include "model/fields.h"
#include "model/anchor.h"
#include "sleep/sleep.h"
#include "step/data.h"
#include "model/arena.h"

// tree_asleep of a tree that has just been moved: it must rest for mjMINAWAKE steps before it may sleep
#define FULLY_AWAKE (-(1 + mjMINAWAKE))

//---------------------------------- parts of a reset --------------------------------------------------------------

// scalars, statistics, the arena and the scratch stacks, also those of a bound pool's threads; the pool stays bound
static void clearHeader(mjData* d) {
  d->pstack = 0;
  d->pbase = 0;
  d->ncon = 0;
  mdl_resetRows(d);
  if (d->threadpool) bas_shardStack(d);

  // statistics of memory, solver, warnings and timers are one run of members, and so are counts, flags, time, energy
  mdl_rememberUse(d);
  memset(&d->maxuse_stack, 0, offsetof(mjData, ncon) - offsetof(mjData, maxuse_stack));
  memset(&d->ncon, 0, offsetof(mjData, buffer) - offsetof(mjData, ncon));
}

// times of a history buffer of n samples spaced by dt, the newest one step ago
static void regularTimes(mjtNum* times, int n, mjtNum dt) {
  for (int j = 0; j < n; j++) times[j] = -(n - j) * dt;
}

// history of controls: a user slot, a cursor on the newest sample, then times and values
static void initControlHistory(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    const int n = m->actuator_history[2 * i];
    if (n <= 0) continue;
    mjtNum* const buffer = d->history + m->actuator_historyadr[i];
    memset(buffer, 0, sizeof(mjtNum) * (2 + 2 * (size_t)n));
    buffer[1] = n - 1;
    regularTimes(buffer + 2, n, m->opt.timestep);
  }
}

// history of sensors: as for controls, but samples may be spaced by the sensor's own interval
static void initSensorHistory(const mjModel* m, mjData* d) {
  const mjtNum dt = m->opt.timestep;
  for (int i = 0; i < m->nsensor; i++) {
    const int n = m->sensor_history[2 * i];
    if (n <= 0) continue;
    const mjtNum period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
    mjtNum* const buffer = d->history + m->sensor_historyadr[i];
    memset(buffer, 0, sizeof(mjtNum) * (2 + (size_t)n * (1 + (size_t)m->sensor_dim[i])));

    // the user slot holds the time of the last evaluation; without phase the first one is due at time 0
    const mjtNum last = period > 0 ? (phase == 0 ? -period : phase) : -dt;
    buffer[0] = last;
    buffer[1] = n - 1;

    // samples lie on the grid of time steps
    if (period > 0) {
      for (int j = 0; j < n; j++) buffer[2 + j] = ceil((last - (n - 1 - j) * period) / dt) * dt;
    } else {
      regularTimes(buffer + 2, n, dt);
    }
  }
}

// bodies that never move are skipped while others sleep, so their poses are computed once, here
static void poseAll(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_camlight(m, d);
  mj_tendon(m, d);
}

// puts the trees to sleep that the model wants asleep at the start; returns how many of them sleep
static int sleepAtStart(const mjModel* m, mjData* d) {
  // a tree may sleep only together with what it touches, which a full pass finds out
  mj_forward(m, d);
  for (int i = 0; i < m->ntree; i++) d->tree_asleep[i] = m->tree_sleep_policy[i] == mjSLEEP_INIT ? -1 : FULLY_AWAKE;
  const int slept = slp_sleep(m, d);

  // rows and forces of the pass belong to no step
  mdl_resetRows(d);
  memset(d->qacc_smooth, 0, sizeof(mjtNum) * (size_t)m->nv);
  memset(d->qfrc_smooth, 0, sizeof(mjtNum) * (size_t)m->nv);
  return slept;
}

// every tree awake, or asleep where the model says so; 0 when a tree cannot sleep
static int initSleep(const mjModel* m, mjData* d, char* error, int error_sz) {
  int wanted = 0, slept = 0;
  for (int i = 0; i < m->ntree; i++) {
    d->tree_asleep[i] = FULLY_AWAKE;
    wanted += m->tree_sleep_policy[i] == mjSLEEP_INIT;
  }
  if (slp_enabled(m)) {
    slp_update(m, d, 1);
    if (!wanted) {
      poseAll(m, d);
    } else if ((slept = sleepAtStart(m, d)) < wanted) {
      // name the first one
      int tree = 0;
      while (m->tree_sleep_policy[tree] != mjSLEEP_INIT || d->tree_asleep[tree] >= 0) tree++;
      const char* const name = mj_id2name(m, mjOBJ_BODY, m->tree_bodyadr[tree]);
      snprintf(error, error_sz,
               "%d trees were marked as sleep='init' but only %d could be slept.\n"
               "Body '%s' (id=%d) is the root of the first tree that could not be slept.",
               wanted, slept, name ? name : "", m->tree_bodyadr[tree]);
      return 0;
    }
  }
  slp_update(m, d, 0);
  return 1;
}

// plugin instances keep their data; their state is theirs to reset
static void resetPlugins(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->reset) {
      plugin->reset(m, d->plugin_state + m->plugin_stateadr[i], (void*)d->plugin_data[i], i);
    }
  }
}

//---------------------------------- reset -------------------------------------------------------------------------

// 1: an array that a reset leaves alone
static int survives(const MdlField* f) {
  return f->pointer == offsetof(mjData, plugin) || f->pointer == offsetof(mjData, plugin_data) ||
         f->pointer == offsetof(mjData, plugin_state);
}

// 1: an array that is zeroed even when the others are filled with a debugging value: state, user input, and the
// inertia matrix, of which the stages write only parts
static int isInput(const MdlField* f) {
  static const size_t INPUT[] = {
      offsetof(mjData, qpos),         offsetof(mjData, qvel),
      offsetof(mjData, act),          offsetof(mjData, qacc_warmstart),
      offsetof(mjData, ctrl),         offsetof(mjData, qfrc_applied),
      offsetof(mjData, xfrc_applied), offsetof(mjData, mocap_pos),
      offsetof(mjData, mocap_quat),   offsetof(mjData, qacc),
      offsetof(mjData, act_dot),      offsetof(mjData, userdata),
      offsetof(mjData, qM),
  };
  for (size_t i = 0; i < sizeof(INPUT) / sizeof(INPUT[0]); i++) {
    if (f->pointer == INPUT[i]) return 1;
  }
  return 0;
}

int stp_reset(const mjModel* m, mjData* d, unsigned char debug_value, char* error, int error_sz) {
  if (m->nhistory && m->opt.timestep <= 0) {
    snprintf(error, error_sz, "history buffers need a positive timestep, not %g", m->opt.timestep);
    return 0;
  }

  // clear; without plugins everything at once
  slp_tell(d);
  clearHeader(d);
  mdl_clearAnchors(d);
  const int all = !debug_value && !m->nplugin;
  if (all) memset(d->buffer, 0, (size_t)d->nbuffer);
  for (int i = 0; i < mdl_ndataFields && !all; i++) {
    const MdlField* f = mdl_dataFields + i;
    const size_t bytes = mdl_bytes(f, m, NULL);
    if (bytes && !survives(f)) memset(*mdl_pointer(f, d), isInput(f) ? 0 : debug_value, bytes);
  }
  if (debug_value) col_meshBoxesMarked(m, d);

  // state at the start
  if (m->nq) memcpy(d->qpos, m->qpos0, sizeof(mjtNum) * (size_t)m->nq);
  if (m->neq) memcpy(d->eq_active, m->eq_active0, sizeof(mjtByte) * (size_t)m->neq);
  initControlHistory(m, d);
  initSensorHistory(m, d);
  if (!initSleep(m, d, error, error_sz)) return 0;

  // mocap bodies start where the model puts them
  for (int i = 0; i < m->nbody; i++) {
    const int mocap = m->body_mocapid[i];
    if (mocap < 0) continue;
    memcpy(d->mocap_pos + 3 * mocap, m->body_pos + 3 * i, 3 * sizeof(mjtNum));
    memcpy(d->mocap_quat + 4 * mocap, m->body_quat + 4 * i, 4 * sizeof(mjtNum));
  }
  resetPlugins(m, d);
  d->signature = m->signature;
  return 1;
}

// the public variants: an error where the reset is impossible
static int reset(const char* caller, const mjModel* m, mjData* d, unsigned char debug_value) {
  char error[300];
  if (!m || !d) {
    mju_error("%s: %s is NULL", caller, m ? "d" : "m");
    return 0;
  }
  if (!stp_reset(m, d, debug_value, error, sizeof(error))) {
    mju_error("%s: %s", caller, error);
    return 0;
  }
  return 1;
}

void mj_resetData(const mjModel* m, mjData* d) {
  reset("mj_resetData", m, d, 0);
}

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  reset("mj_resetDataDebug", m, d, debug_value);
}

void stp_setKeyframe(const mjModel* m, mjData* d, int key) {
  // one row of each table of keyframes
  const struct {
    mjtNum* to;
    const mjtNum* from;
    mjtSize n;
  } copy[] = {
      {&d->time,      m->key_time,  1            },
      {d->qpos,       m->key_qpos,  m->nq        },
      {d->qvel,       m->key_qvel,  m->nv        },
      {d->act,        m->key_act,   m->na        },
      {d->mocap_pos,  m->key_mpos,  3 * m->nmocap},
      {d->mocap_quat, m->key_mquat, 4 * m->nmocap},
      {d->ctrl,       m->key_ctrl,  m->nu        },
  };
  for (size_t i = 0; i < sizeof(copy) / sizeof(copy[0]); i++) {
    if (copy[i].n) memcpy(copy[i].to, copy[i].from + key * copy[i].n, sizeof(mjtNum) * (size_t)copy[i].n);
  }
}

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  if (!reset("mj_resetDataKeyframe", m, d, 0)) return;
  if (key >= 0 && key < m->nkey) stp_setKeyframe(m, d, key);
}
