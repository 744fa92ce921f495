// Dynamics beyond the public functions.
#pragma once

#include <mujoco/mujoco.h>

#include "sleep/sleep.h"

// adds Jᵀ a J of tendons that have armature a to M; needs ten_J
void dyn_tendonArmature(const mjModel* m, mjData* d);

// adds the bias force of tendons that have armature a: Jᵀ a (J̇ q̇); needs ten_J, cvel and cdof_dot. Uses the stack.
void dyn_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc);

// a force and a torque (either may be NULL) at a point of a body, in world coordinates
typedef struct {
  int body;
  const mjtNum* point;
  const mjtNum* force;
  const mjtNum* torque;
} DynWrench;

// adds the joint force of a wrench
void dyn_addWrench(const mjModel* m, const mjData* d, DynWrench wrench, mjtNum* qfrc);

// adds the joint forces of d->xfrc_applied of a range of bodies
void dyn_addXfrc(const mjModel* m, const mjData* d, mjtNum* qfrc, const SlpRange* bodies);
