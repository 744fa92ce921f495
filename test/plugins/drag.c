// A passive plugin: every dof of its bodies is slowed down by coef times its velocity.
#include <stdlib.h>

#include <mujoco/mujoco.h>

static const char* const ATTRIBUTES[] = {"coef"};

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const mjtNum coef = strtod(mj_getPluginConfig(m, instance, "coef"), NULL);
  for (int i = 0; i < m->nv; i++) {
    if (m->body_plugin[m->dof_bodyid[i]] == instance) d->qfrc_passive[i] -= coef * d->qvel[i];
  }
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.drag";
  plugin.nattribute = 1;
  plugin.attributes = ATTRIBUTES;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.compute = compute;
  mjp_registerPlugin(&plugin);
}
