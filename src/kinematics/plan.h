// What the passes of kinematics would otherwise find out at every step, made once per mjData (section MDL_KINEMATICS).
#pragma once

#include <mujoco/mujoco.h>

#include "model/private.h"
#include "base/assert.h"

// the hinges, in the order of the joints; behind this struct their addresses in qpos and one that is larger than any,
// then room for three numbers each. Joints may change their type later: readers compare addresses.
typedef struct {
  int nhinge;
  size_t scratch;  // bytes from the start of the section
} KinPlan;

size_t kin_sectionSize(const mjModel* m);
void kin_sectionInit(const mjModel* m, void* memory);

// invariants of the plan against the model it was made for (base/assert.h)
void kin_assertPlan(const mjModel* m, const mjData* d);

static inline const KinPlan* kin_plan(const mjData* d) {
  const KinPlan* plan = mdl_section(d, MDL_KINEMATICS);
  BAS_ASSERT(plan);
  return plan;
}

static inline const int* kin_hinges(const KinPlan* plan) {
  return (const int*)(plan + 1);
}

static inline mjtNum* kin_scratch(const mjData* d) {
  const KinPlan* plan = kin_plan(d);
  return (mjtNum*)((char*)plan + plan->scratch);
}
