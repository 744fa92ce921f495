// Callbacks of one simulation before those of the process. Every stage that calls back goes through these.
#pragma once

#include <sinew/sinew.h>

#include "model/private.h"

static inline const snHooks* mdl_hooks(const mjData* d) {
  return mdl_section(d, MDL_HOOKS);
}

size_t mdl_hooksSize(const mjModel* m);
void mdl_hooksInit(const mjModel* m, void* memory);

static inline void mdl_callPassive(const mjModel* m, mjData* d) {
  const snHooks* h = mdl_hooks(d);
  if (h->passive) {
    h->passive(m, d, h->context);
  } else if (mjcb_passive) {
    mjcb_passive(m, d);
  }
}

static inline void mdl_callControl(const mjModel* m, mjData* d) {
  const snHooks* h = mdl_hooks(d);
  if (h->control) {
    h->control(m, d, h->context);
  } else if (mjcb_control) {
    mjcb_control(m, d);
  }
}

static inline void mdl_callSensor(const mjModel* m, mjData* d, int stage) {
  const snHooks* h = mdl_hooks(d);
  if (h->sensor) {
    h->sensor(m, d, stage, h->context);
  } else if (mjcb_sensor) {
    mjcb_sensor(m, d, stage);
  }
}

// 1: somebody filters contacts
static inline int mdl_filtersContacts(const mjData* d) {
  return mdl_hooks(d)->contactfilter || mjcb_contactfilter;
}

// the filter's answer; only where mdl_filtersContacts
static inline int mdl_callContactFilter(const mjModel* m, mjData* d, int geom1, int geom2) {
  const snHooks* h = mdl_hooks(d);
  return h->contactfilter ? h->contactfilter(m, d, geom1, geom2, h->context) : mjcb_contactfilter(m, d, geom1, geom2);
}

// user dynamics, gain and bias of an actuator; unset when nobody provides them
#define MDL_ACTUATOR_HOOK(Name, name)                                                               \
  static inline mjtNum mdl_callAct##Name(const mjModel* m, const mjData* d, int id, mjtNum unset) { \
    const snHooks* h = mdl_hooks(d);                                                                \
    if (h->act_##name) return h->act_##name(m, d, id, h->context);                                  \
    return mjcb_act_##name ? mjcb_act_##name(m, d, id) : unset;                                     \
  }
MDL_ACTUATOR_HOOK(Gain, gain)
MDL_ACTUATOR_HOOK(Bias, bias)
MDL_ACTUATOR_HOOK(Dyn, dyn)
#undef MDL_ACTUATOR_HOOK

// 1: somebody else's function may run within an evaluation of the accelerations
static inline int mdl_callsBack(const mjModel* m, const mjData* d) {
  const snHooks* h = mdl_hooks(d);
  return m->nplugin || h->passive || h->control || h->contactfilter || h->act_dyn || h->act_gain || h->act_bias ||
         mjcb_passive || mjcb_control || mjcb_contactfilter || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias;
}

// 1: somebody provides user dynamics
static inline int mdl_hasActDyn(const mjData* d) {
  return mdl_hooks(d)->act_dyn || mjcb_act_dyn;
}
