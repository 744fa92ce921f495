// Position and velocity derivatives of interpolated flexes, for the implicit integrators.
#pragma once

#include <mujoco/mujoco.h>

// dofs of the nodes of all interpolated flexes; ind NULL: only counts
int der_flexDofs(const mjModel* m, int* ind);

// H += Σ (h² + h·damping) JᵀKJ over the interpolated flexes, on n dofs; H is dense n x n
void der_flexAddStiffness(const mjModel* m, mjData* d, mjtNum* H, const int* ind, int n, mjtNum h);

// res -= Σ (h² + h·damping) JᵀKJ vec
void der_flexMulStiffness(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec, mjtNum h);
