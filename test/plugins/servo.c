// An actuator plugin: a servo that holds a position, force = kp·(ctrl - length) + ki·∫(ctrl - length). The integral is
// its state; where an actuator has an activation, it follows the control with a time constant of one second.
#include <stdlib.h>

#include <mujoco/mujoco.h>

typedef struct {
  mjtNum kp, ki;
  mjtNum failat;  // simulated time of a made-up error, for tests of errors; 0: never
} Servo;

static const char* const ATTRIBUTES[] = {"kp", "ki", "failat"};

static mjtNum setting(const mjModel* m, int instance, const char* name) {
  const char* const text = mj_getPluginConfig(m, instance, name);
  return text && *text ? strtod(text, NULL) : 0;
}

static int stateSize(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 1;
}

static int start(const mjModel* m, mjData* d, int instance) {
  Servo* const servo = malloc(sizeof(Servo));
  if (!servo) return -1;
  *servo = (Servo){setting(m, instance, "kp"), setting(m, instance, "ki"), setting(m, instance, "failat")};
  if (servo->kp < 0) {
    mju_warning("sinew.test.servo: kp is negative");
    free(servo);
    return -1;
  }
  d->plugin_data[instance] = (uintptr_t)servo;
  return 0;
}

static void stop(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

static void rewindState(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)data, (void)instance;
  state[0] = 0;
}

// how far the actuator is from where it should be; the control may be delayed
static mjtNum distance(const mjModel* m, const mjData* d, int actuator) {
  return mj_readCtrl(m, d, actuator, d->time, -1) - d->actuator_length[actuator];
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const Servo* const servo = (const Servo*)d->plugin_data[instance];
  if (servo->failat > 0 && d->time >= servo->failat) mju_error("sinew.test.servo: failed as it was told to");
  const mjtNum integral = d->plugin_state[m->plugin_stateadr[instance]];
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    d->actuator_force[i] = servo->kp * distance(m, d, i) + servo->ki * integral;
  }
}

static void rates(const mjModel* m, mjData* d, int instance) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance || !m->actuator_actnum[i]) continue;
    const int act = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
    d->act_dot[act] = d->ctrl[i] - d->act[act];
  }
}

static void advance(const mjModel* m, mjData* d, int instance) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    d->plugin_state[m->plugin_stateadr[instance]] += m->opt.timestep * distance(m, d, i);
  }
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.servo";
  plugin.nattribute = 3;
  plugin.attributes = ATTRIBUTES;
  plugin.capabilityflags = mjPLUGIN_ACTUATOR;
  plugin.nstate = stateSize;
  plugin.init = start;
  plugin.destroy = stop;
  plugin.reset = rewindState;
  plugin.compute = compute;
  plugin.actuator_act_dot = rates;
  plugin.advance = advance;
  mjp_registerPlugin(&plugin);
}
