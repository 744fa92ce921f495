// The integrators that finite differences call without factoring again.
#pragma once

#include <mujoco/mujoco.h>

// mj_Euler and mj_implicit; skipfactor: reuse the factorisation left in mjData by the previous call
void itg_euler(const mjModel* m, mjData* d, int skipfactor);
void itg_implicit(const mjModel* m, mjData* d, int skipfactor);

// advances history buffers, activations, velocities, positions, time and plugin states by one step.
// qacc changes the velocities; positions move with qvel, or with the new velocities when it is NULL.
void itg_advance(const mjModel* m, mjData* d, const mjtNum* act_dot, const mjtNum* qacc, const mjtNum* qvel);
