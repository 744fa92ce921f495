// L'DL factors of inertia-like matrices: lower triangles whose row i has a column for each ancestor dof of i, and
// the diagonal last.
//
// Dofs are numbered depth first, so the columns of an ancestor's row are the first columns of its descendants'
// rows: the column of the ancestor at depth p is entry p. plan.h cuts the dofs into parts and blocks accordingly.
#pragma once

#include <mujoco/mujoco.h>

#include "dynamics/plan.h"
#include "sleep/sleep.h"

// paths up to this depth live in local arrays; trees that are deeper take loops with column indices
#define DYN_DEPTH 128

// a factored matrix: L below the diagonal of a matrix with the structure of M, D on it, and 1/D
typedef struct {
  mjtNum* L;
  mjtNum* diaginv;
} DynFactor;

// factors the given dofs of a matrix with the structure of M, which may be where the result goes
void dyn_factorLDL(const mjModel* m, mjData* d, const mjtNum* mat, DynFactor res, SlpRange dofs);

// x ← (L'DL)⁻¹ x for n vectors of nv numbers, of which only the given dofs change
void dyn_solveLDL(const mjModel* m, const mjData* d, DynFactor factor, mjtNum* x, int n, SlpRange dofs);
