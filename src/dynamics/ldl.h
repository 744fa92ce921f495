// L'DL factors of inertia-like matrices: lower triangles whose row i has a column for each ancestor dof of i, and
// the diagonal last.
//
// Dofs are numbered depth first, so the columns of an ancestor's row are the first columns of its descendants'
// rows: the column of the ancestor at depth p is entry p. Elimination runs from the last dof to the first and changes
// rows of ancestors only, so that there is no fill-in:
//   factor  for k = n … 1:  row(i) -= L(k,i) · row(k) for the ancestors i of k, then row(k) /= D(k)
//   solve   x ← L'⁻¹ x,  x ← D⁻¹ x,  x ← L⁻¹ x
//
// The same two algorithms exist in these variants, which differ in what they know about the rows:
//   along the plan    ldl.c, ldl_pass.h   all of a model, blocks of rows at a time (plan.h): M at every step. Trees
//   deeper
//                                         than DYN_DEPTH go through column indices
//   short rows        ldl_rows.c          the factor and one solution in a single pass: integrators, most of whose
//   trees
//                                         have few dofs
//   rows by address   ldl_rows.c          any rows, or a list of them: islands, where the plan does not reach, and
//                                         matrices of callers
//   older order       ldl_rows.c          rows from the diagonal to the root (qM, dof_Madr): for callers only
// Each sums in an order of its own; a solver stays with one.
#pragma once

#include <mujoco/mujoco.h>

#include "dynamics/plan.h"
#include "math/sparse.h"
#include "sleep/sleep.h"

// paths up to this depth live in local arrays; trees that are deeper take loops with column indices
#define DYN_DEPTH 128

// a factored matrix: L below the diagonal of a matrix with the structure of M, D on it, and 1/D
typedef struct {
  mjtNum* L;
  mjtNum* diaginv;
} DynFactor;

//---------------------------------- along the plan ----------------------------------

// factors the given dofs of a matrix with the structure of M, which may be where the result goes
void dyn_factorLDL(const mjModel* m, mjData* d, const mjtNum* mat, DynFactor res, const SlpRange* dofs);

// x ← (L'DL)⁻¹ x for n vectors of nv numbers, of which only the given dofs change
void dyn_solveLDL(const mjModel* m, const mjData* d, DynFactor factor, mjtNum* x, int n, const SlpRange* dofs);

//---------------------------------- short rows ----------------------------------

// x ← A⁻¹ x over the given dofs for a matrix A with the structure of M, which lies in factor.L and is factored there
// first; factored: it is there already. Rows that are too long for a single pass go along the plan.
void dyn_factorSolveLDL(const mjModel* m, mjData* d, DynFactor factor, mjtNum* x, SlpRange dofs, int factored);

// the same in two: what the rows look like, of all dofs, decides how any of them are solved
typedef struct {
  int isShort;    // 1: no row is too long for a single pass
  int hasSimple;  // 1: there are rows with a diagonal only
} DynShape;

typedef struct {
  DynFactor factor;
  DynShape shape;
  int factored;
} DynSystem;

DynShape dyn_shapeOf(const mjModel* m, SlpRange dofs);
void dyn_solveSystem(const mjModel* m, mjData* d, const DynSystem* system, mjtNum* x, SlpRange dofs);

//---------------------------------- rows by address ----------------------------------

// in place; index: the rows->nr rows to take, ancestors before descendants, NULL: the first ones. diaginv may be NULL.
void dyn_factorRows(mjtNum* mat, mjtNum* diaginv, const MthPattern* rows, const int* index);

// x ← (L'DL)⁻¹ x for one vector
void dyn_solveRows(mjtNum* x, const mjtNum* L, const mjtNum* diaginv, const MthPattern* rows, const int* index);

//---------------------------------- older order ----------------------------------

// in place, rows from the diagonal to the root; a pivot that is too small is replaced, with a warning in d
void dyn_factorUpward(const mjModel* m, mjData* d, DynFactor factor);

// x ← (L'DL)⁻¹ x for one vector
void dyn_solveUpward(const mjModel* m, mjtNum* x, const mjtNum* L, const mjtNum* diaginv);
