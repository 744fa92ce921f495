// The first two stages of forward dynamics with their sensors and energies, for those who run the rest themselves.
#pragma once

#include <mujoco/mujoco.h>

// mj_fwdPosition, then the sensors and the energy that depend on position
void fwd_positionStage(const mjModel* m, mjData* d, int skipsensor);

// mj_fwdVelocity, then the sensors and the energy that depend on velocity
void fwd_velocityStage(const mjModel* m, mjData* d, int skipsensor);
