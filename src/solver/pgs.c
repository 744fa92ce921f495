// Projected Gauss-Seidel: constraint by constraint, the force that minimises the dual cost with all others fixed.
//
// Scalar rows have an interval of forces. An elliptic contact is first moved along its own ray (or along the normal
// when there is no force yet), then its friction is optimised with the normal fixed.
#include <string.h>

#include "base/assert.h"
#include "base/stack.h"
#include "math/vec.h"
#include "solver/dual.h"
#include "solver/stat.h"

// one row with bounds; returns the change of the cost
static mjtNum scalarUpdate(const SolDual* s, int i) {
  mjData* d = s->d;
  const mjtNum res = s->res[i], old = d->efc_force[i];
  mjtNum force = old - res * s->inv[i];
  if (i >= d->ne + d->nf) {
    if (force < 0) force = 0;
  } else if (i >= d->ne) {
    force = mth_clip(force, -d->efc_frictionloss[i], d->efc_frictionloss[i]);
  }

  // a change for the worse is undone
  const mjtNum delta = force - old, change = delta * (0.5 * (s->diag[i] * delta) + res);
  if (change > 1e-10) return 0;
  d->efc_force[i] = force;
  sol_dualMoved(s, i, 1, &old);
  return change;
}

// one contact with an elliptic cone; returns the change of the cost
static mjtNum coneUpdate(const SolDual* s, int i, const mjContact* con) {
  const int dim = con->dim;
  BAS_ASSERT(dim > 1 && dim < 7);
  mjtNum *force = s->d->efc_force + i, res[6], oldforce[6], A[36];
  sol_dualResidual(s, res, i, dim);
  sol_dualBlock(s, A, i, dim);
  memcpy(oldforce, force, sizeof(mjtNum) * (size_t)dim);
  const mjtNum change = sol_dualCone(force, A, res, con->friction, s->inv[i], dim);
  sol_dualMoved(s, i, dim, oldforce);
  return change;
}

// all constraints in turn; returns the improvement
static mjtNum sweep(const SolDual* s) {
  const mjData* d = s->d;
  mjtNum improvement = 0;
  for (int i = 0; i < d->nefc;) {
    if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact* con = d->contact + d->efc_id[i];
      improvement -= coneUpdate(s, i, con);
      i += con->dim;
    } else {
      improvement -= scalarUpdate(s, i);
      i++;
    }
  }
  return improvement;
}

void sol_pgs(const mjModel* m, mjData* d, int maxiter, int brief) {
  mj_markStack(d);
  SolDual s = {.brief = brief};
  sol_dualBegin(&s, m, d);
  const mjtNum scale = 1 / (m->stat.meaninertia * mth_maxInt(1, (int)m->nv));
  int iter = 0;
  while (iter < maxiter) {
    SolStat stat = {.improvement = scale * sweep(&s)};
    if (!brief) stat.nactive = sol_dualStates(&s, &stat.nchange);
    if (!brief) sol_saveStat(d, 0, iter, &stat);
    iter++;
    if (stat.improvement < m->opt.tolerance) break;
  }
  d->solver_niter[0] += iter;
  d->solver_nnz[0] = d->nA;
  sol_dualFinish(&s);
  mj_freeStack(d);
}
