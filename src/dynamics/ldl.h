// L'DL factors of inertia-like matrices: lower triangles whose row i has a column for each ancestor dof of i, and
// the diagonal last.
//
// Dofs are numbered depth first, so the columns of an ancestor's row are the first columns of its descendants'
// rows: the column of the ancestor at depth p is entry p. The loops below therefore run over contiguous rows, and
// vectors are read through the path from the root to the current dof instead of through column indices.
#pragma once

#include <mujoco/mujoco.h>

#include "sleep/sleep.h"

// paths up to this depth live in local arrays; deeper models take loops with column indices
#define DYN_DEPTH 128

// a factored matrix: L below the diagonal of a matrix with the structure of M, and 1/D
typedef struct {
  const mjtNum* L;
  const mjtNum* diaginv;
} DynFactor;

// factors a matrix with the structure of M in place; diaginv (nv) gets 1/D and may be NULL
void dyn_factorLDL(const mjModel* m, mjtNum* mat, mjtNum* diaginv, SlpRange dofs);

// x ← (L'DL)⁻¹ x for n vectors of nv numbers, of which only the given dofs change
void dyn_solveLDL(const mjModel* m, DynFactor factor, mjtNum* x, int n, SlpRange dofs);

// res = A vec for a symmetric matrix with the structure of M, all dofs
void dyn_mulSym(const mjModel* m, mjtNum* res, const mjtNum* mat, const mjtNum* vec);
