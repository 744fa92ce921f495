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
  int brief;      // 1: forces are all that is wanted: no states, no statistics, no accelerations
  mjtNum* inv;    // (nefc) inverse diagonal
  mjtNum* diag;   // (nefc) its inverse
  mjtNum* res;    // (nefc) residual b + (A + R)f, kept in step with the forces
  int* start;     // (nefc) sparse: first column of a row whose columns have no gaps, -1: it has
} SolDual;

// scratch on the stack and initial states; subtractR and brief are set, and nothing else is
void sol_dualBegin(SolDual* s, const mjModel* m, mjData* d);

// residual of dim rows from row i on
static inline void sol_dualResidual(const SolDual* s, mjtNum* res, int i, int dim) {
  const mjData* d = s->d;
  for (int k = 0; k < dim; k++) {
    res[k] = s->res[i + k];
    if (s->subtractR) res[k] -= d->efc_R[i + k] * d->efc_force[i + k];
  }
}

// brings the residual up to date with dim forces from row i on that were old before; most of those that press against
// their bound stay, and cost nothing
void sol_dualMoved(const SolDual* s, int i, int dim, const mjtNum* old);

// diagonal block of A + R, dim × dim from row i on
void sol_dualBlock(const SolDual* s, mjtNum* block, int i, int dim);

// change of the cost from oldforce to force; a change for the worse is undone
mjtNum sol_dualChange(const mjtNum* block, mjtNum* force, const mjtNum* oldforce, const mjtNum* res, int dim);

// states from forces after a sweep; returns the rows that act, *nchange those that changed
int sol_dualStates(const SolDual* s, int* nchange);

// friction forces f of one contact that minimise ½ fᵀAf + fᵀb within the ellipsoid Σ (f/mu)² ≤ normal²
void sol_dualFriction(mjtNum* force, const mjtNum* A, const mjtNum* b, const mjtNum* mu, mjtNum normal, int n);

// forces of one contact with an elliptic cone, along their ray, then friction; returns the change of the cost
mjtNum sol_dualCone(mjtNum* force, const mjtNum* A, const mjtNum* res, const mjtNum* mu, mjtNum inv, int dim);

// forces on dofs, and accelerations
void sol_dualFinish(const SolDual* s);

// projected Gauss-Seidel; brief as above
void sol_pgs(const mjModel* m, mjData* d, int maxiter, int brief);

// Gauss-Seidel on friction alone, without regularisation: removes slip that softness allows
void sol_noslip(const mjModel* m, mjData* d, int maxiter);
