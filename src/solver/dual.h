// What the dual solvers share: they iterate on constraint forces f, minimising ½ fᵀ(A + R)f + fᵀb over the feasible
// set.
#pragma once

#include <mujoco/mujoco.h>

// one row or one contact at a time: forces may change only within their bounds
typedef struct {
  const mjModel* m;
  mjData* d;
  int sparse;     // storage of efc_AR
  int subtractR;  // 1: iterate on A alone, without regularisation
  mjtNum* inv;    // (nefc) inverse diagonal
  int* oldstate;  // (nefc) states before the sweep
} SolDual;

// scratch on the stack and initial states
void sol_dualBegin(SolDual* s, const mjModel* m, mjData* d, int subtractR);

// residual b + (A + R)f of dim rows from row i on
void sol_dualResidual(const SolDual* s, mjtNum* res, int i, int dim);

// diagonal block of A + R, dim × dim from row i on
void sol_dualBlock(const SolDual* s, mjtNum* block, int i, int dim);

// change of the cost from oldforce to force; a change for the worse is undone
mjtNum sol_dualChange(const mjtNum* block, mjtNum* force, const mjtNum* oldforce, const mjtNum* res, int dim);

// states from forces after a sweep; returns the rows that act, *nchange those that changed
int sol_dualStates(const SolDual* s, int* nchange);

// friction forces f of one contact that minimise ½ fᵀAf + fᵀb within the ellipsoid Σ (f/mu)² ≤ normal²
void sol_dualFriction(mjtNum* force, const mjtNum* A, const mjtNum* b, const mjtNum* mu, mjtNum normal, int n);

// accelerations from forces
void sol_dualFinish(const SolDual* s);

// projected Gauss-Seidel
void sol_pgs(const mjModel* m, mjData* d, int maxiter);

// Gauss-Seidel on friction alone, without regularisation: removes slip that softness allows
void sol_noslip(const mjModel* m, mjData* d, int maxiter);
