// General matrices over the dofs with the structure of qDeriv: each dof couples to its ancestors and descendants.
#pragma once

#include <mujoco/mujoco.h>

#include "sleep/sleep.h"

// in place: mat = U L with U unit upper and L lower triangular
void stp_factorLU(const mjModel* m, mjtNum* mat, SlpRange dofs);

// x <- (U L)^-1 x over the given dofs
void stp_solveLU(const mjModel* m, mjtNum* x, const mjtNum* mat, SlpRange dofs);
