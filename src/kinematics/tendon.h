// Tendons beyond the public mj_tendon.
#pragma once

#include <mujoco/mujoco.h>

// nv-vector: time derivative of a tendon's Jacobian; needs cvel and cdof_dot. Geoms in the path are an error.
void kin_tendonDot(const mjModel* m, const mjData* d, int id, mjtNum* Jdot);
