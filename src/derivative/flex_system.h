// Stiffness of flexes with models of their own, as seen by the sliding dofs that carry their vertices.
#pragma once

#include <mujoco/mujoco.h>

enum { DER_MATRIX, DER_CHANGE };

// one element or edge, with memory on the stack of mjData
typedef struct {
  int nvert;
  int vert[4];   // among all flex vertices
  int gradient;  // 1: an edge, whose K is g gᵀ

  // what is in the matrix M - h ∂f/∂v - h² ∂f/∂x, and what the force changes by in a step with the present velocity:
  // (3·nvert)² of an element, (3·nvert) g of an edge; and their factors
  const mjtNum* K[2];
  mjtNum factor[2];
} DerFlexBlock;

typedef struct {
  const mjModel* m;
  int n;           // dofs
  int* dof;        // (n)
  int* place;      // (nv) index of a dof, -1: none of these
  int *nnz, *ind;  // (vertices), (vertices x 3): dofs of a vertex, as indices
  mjtNum* J;       // (vertices x 9): their directions
  int nblock;
  DerFlexBlock* block;
} DerFlexSystem;

// 0: no flex has a model of its own. Uses the stack, which the caller releases.
int der_openFlexSystem(const mjModel* m, mjData* d, DerFlexSystem* s);

// res += Σ factor Jᵀ K J vec, of DER_MATRIX or DER_CHANGE
void der_flexSystemMul(const DerFlexSystem* s, mjtNum* res, const mjtNum* vec, int which);

// res += the diagonal of DER_MATRIX
void der_flexSystemDiagonal(const DerFlexSystem* s, mjtNum* res);
