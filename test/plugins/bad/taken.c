// A library whose plugin has the name of another one.
#include <mujoco/mujoco.h>

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

mjPLUGIN_LIB_INIT {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.drag";
  plugin.capabilityflags = mjPLUGIN_ACTUATOR;
  plugin.nstate = noState;
  mjp_registerPlugin(&plugin);
}
