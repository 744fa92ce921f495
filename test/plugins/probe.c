// A sensor plugin: position of a site along z, its velocity along z, and how often the sensor was read, which is its
// state.
#include <mujoco/mujoco.h>

static int stateSize(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 1;
}

static int dataSize(const mjModel* m, int instance, int sensor) {
  (void)m, (void)instance, (void)sensor;
  return 3;
}

static void rewindState(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)data, (void)instance;
  state[0] = 0;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN || m->sensor_plugin[i] != instance) continue;
    mjtNum velocity[6];
    mj_objectVelocity(m, d, mjOBJ_SITE, m->sensor_objid[i], velocity, 0);
    mjtNum* const value = d->sensordata + m->sensor_adr[i];
    value[0] = d->site_xpos[3 * m->sensor_objid[i] + 2];
    value[1] = velocity[5];
    value[2] = d->plugin_state[m->plugin_stateadr[instance]];
  }
}

static void advance(const mjModel* m, mjData* d, int instance) {
  d->plugin_state[m->plugin_stateadr[instance]] += 1;
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.probe";
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_VEL;
  plugin.nstate = stateSize;
  plugin.nsensordata = dataSize;
  plugin.reset = rewindState;
  plugin.compute = compute;
  plugin.advance = advance;
  mjp_registerPlugin(&plugin);
}
