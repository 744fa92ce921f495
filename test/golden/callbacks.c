// Steps with all callbacks in place, each of which depends on the time and the state it is called with.
#include <math.h>
#include <string.h>

#include "golden/cases.h"
#include "golden/fields.h"
#include "golden/state.h"

static void control(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = sin(9 * d->time + i) + 0.1 * (m->nv ? d->qvel[0] : 0);
}

static void passive(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] += 0.05 * cos(7 * d->time + i) - 0.02 * d->qvel[i];
}

static mjtNum activation(const mjModel* m, const mjData* d, int id) {
  return 0.3 * d->ctrl[id] - 0.7 * d->act[m->actuator_actadr[id]] + 0.1 * cos(5 * d->time);
}

static mjtNum gain(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return 1.5 + 0.3 * d->actuator_length[id] + 0.1 * sin(11 * d->time);
}

static mjtNum bias(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return 0.2 - 0.4 * d->actuator_velocity[id] + 0.1 * d->time;
}

// every third pair of geoms does not meet
static int filter(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)d;
  if ((geom1 + geom2) % 3 == 0) return 1;
  return !(m->geom_contype[geom1] & m->geom_conaffinity[geom2]) &&
         !(m->geom_contype[geom2] & m->geom_conaffinity[geom1]);
}

static void sensor(const mjModel* m, mjData* d, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    for (int k = 0; k < m->sensor_dim[i]; k++)
      d->sensordata[m->sensor_adr[i] + k] = stage + d->time * (k + 1) + d->qvel[0];
  }
}

static void setHandlers(int on) {
  mjcb_control = on ? control : NULL;
  mjcb_passive = on ? passive : NULL;
  mjcb_act_dyn = on ? activation : NULL;
  mjcb_act_gain = on ? gain : NULL;
  mjcb_act_bias = on ? bias : NULL;
  mjcb_contactfilter = on ? filter : NULL;
  mjcb_sensor = on ? sensor : NULL;
}

// halves of a step as well as whole ones
static void stepAll(Rec* rec, const mjModel* m, mjData* d, int halves) {
  st_set(rec, m, d, 1);
  for (int k = 0; k < 6; k++) {
    if (halves) {
      mj_step1(m, d);
      mj_step2(m, d);
    } else {
      mj_step(m, d);
    }
  }
  fld_state(rec, m, d);
  rec_num(rec, "ctrl", d->ctrl, (size_t)m->nu);
  rec_num(rec, "qfrc_passive", d->qfrc_passive, (size_t)m->nv);
}

void gold_callbacks(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  st_tighten(m);
  mjData* const d = mj_makeData(m);
  setHandlers(1);
  for (int i = 0; i < 4; i++) {
    m->opt.integrator = i;
    rec_scope(rec, "integrator %d ", i);
    stepAll(rec, m, d, 0);
    rec_scope(rec, "integrator %d halves ", i);
    if (i != mjINT_RK4) stepAll(rec, m, d, 1);
  }
  setHandlers(0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
