// The state one step later, the same for all integrators.
#include <mujoco/mujoco.h>

#include "constraint/stick.h"
#include "force/actuator.h"
#include "force/plugin.h"
#include "step/stages.h"
#include "kinematics/position.h"
#include "math/simd/kernels.h"
#include "model/history.h"
#include "sensor/sensor.h"
#include "sleep/parts.h"

// records the controls of this step
static void recordControls(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    const int nsample = m->actuator_history[2 * i];
    if (nsample > 0) *mdl_historyInsert(d->history + m->actuator_historyadr[i], nsample, 1, d->time) = d->ctrl[i];
  }
}

// records the sensors that are due: delayed ones are evaluated now, the others have been
static void recordSensors(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nsensor; i++) {
    const int nsample = m->sensor_history[2 * i], dim = m->sensor_dim[i];
    if (nsample <= 0) continue;
    mjtNum* buf = d->history + m->sensor_historyadr[i];

    // sensors with an interval tick on their own clock, kept in the user slot
    const mjtNum interval = m->sensor_interval[2 * i];
    if (interval > 0) {
      if (buf[0] + interval > d->time) continue;
      buf[0] += interval;
    }
    mjtNum* slot = mdl_historyInsert(buf, nsample, dim, d->time);
    if (m->sensor_delay[i] > 0) {
      sen_compute(m, d, i, slot);
    } else {
      mth_copy(slot, d->sensordata + m->sensor_adr[i], dim);
    }
  }
}

// activations; those of disabled actuators stay, within their range
static void advanceActivations(const mjModel* m, mjData* d, const mjtNum* act_dot) {
  for (int i = 0; i < m->nu; i++) {
    const int first = m->actuator_actadr[i], disabled = frc_actuatorDisabled(m, i);
    for (int j = first; j < first + m->actuator_actnum[i]; j++) {
      d->act[j] = frc_nextActivation(m, d, i, j, disabled ? 0 : act_dot[j]);
    }
  }
}

// what moves the state: accelerations, and the velocities that positions follow
typedef struct {
  const mjtNum *qacc, *qvel;
} Moving;

// velocities, then positions
static BAS_DIRECT void statePart(const mjModel* m, mjData* d, const SlpPart* part, void* arg) {
  const Moving* moving = arg;
  const mjtNum h = m->opt.timestep;
  const SlpRange dofs = part->dofs;
  if (!dofs.list) {
    mth_addToScl(d->qvel + dofs.first, moving->qacc + dofs.first, h, dofs.n - dofs.first);
  } else {
    for (int v = 0; v < dofs.n; v++) d->qvel[dofs.list[v]] += h * moving->qacc[dofs.list[v]];
  }
  kin_integrateBodies(m, d->qpos, moving->qvel, h, &part->bodies);
}

void stp_advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel) {
  const mjtNum h = m->opt.timestep;
  con_stickAdvance(m, d);
  if (m->nhistory > 0) {
    recordControls(m, d);
    recordSensors(m, d);
  }
  if (m->na && !mjDISABLED(mjDSBL_ACTUATION)) advanceActivations(m, d, act_dot);

  // trees that come to rest now have no velocity: bring what depends on it up to date
  if (slp_enabled(m) && slp_sleep(m, d)) {
    mj_forwardSkip(m, d, mjSTAGE_POS, 0);
    slp_update(m, d, 0);
  }

  slp_share(m, d, statePart, &(Moving){qacc, qvel ? qvel : d->qvel});
  d->time += h;

  // plugins with states of their own
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = frc_plugin(m, i);
    if (plugin->advance) plugin->advance(m, d, i);
  }

  // where the next step's solver starts
  slp_keepAccelerations(m, d);
}
