// Velocity derivatives of forces on bodies.
#pragma once

#include <mujoco/mujoco.h>

// adds to qDeriv the derivatives of the medium's forces (fluid) and minus those of the Coriolis and centrifugal forces
// (bias)
void der_bodyVel(const mjModel* m, mjData* d, int fluid, int bias);
