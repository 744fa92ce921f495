// The constraint solver for those who read its results only.
#pragma once

#include <mujoco/mujoco.h>

// As mj_fwdConstraint after mj_projectConstraint, but without states, statistics and accelerations: qfrc_constraint is
// set, and qacc = qacc_smooth + M⁻¹ qfrc_constraint is left to the caller. 0: nothing was done, because the model's
// solver does not iterate on forces, or because there are no rows.
int sol_forces(const mjModel* m, mjData* d);
