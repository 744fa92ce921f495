// Plugin instances of a model, resolved to their registered functions.
#pragma once

#include <mujoco/mjplugin.h>
#include <mujoco/mujoco.h>

// the plugin of an instance; raises an error when its slot is not registered
static inline const mjpPlugin* frc_plugin(const mjModel* m, int instance) {
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!plugin) mju_error("invalid plugin slot: %d", m->plugin[instance]);
  return plugin;
}

// calls compute of all instances with a capability
static inline void frc_computePlugins(const mjModel* m, mjData* d, int capability) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = frc_plugin(m, i);
    if (!(plugin->capabilityflags & capability)) continue;
    if (!plugin->compute) mju_error("`compute` is a null function pointer for plugin at slot %d", m->plugin[i]);
    plugin->compute(m, d, i, capability);
  }
}
