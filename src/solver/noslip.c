// Removal of slip after the main solver: Gauss-Seidel over friction forces on A alone, normal forces fixed.
//
// Softness lets contacts creep; without R the friction that stops them exactly is found, within the cones.
#include <string.h>

#include "base/assert.h"
#include "base/stack.h"
#include "math/vec.h"
#include "solver/dual.h"
#include "solver/stat.h"

// friction loss of one dof or tendon
static mjtNum frictionUpdate(const SolDual* s, int i) {
  mjData* d = s->d;
  mjtNum res;
  const mjtNum oldforce = d->efc_force[i], floss = d->efc_frictionloss[i];
  sol_dualResidual(s, &res, i, 1);
  d->efc_force[i] = mth_clip(oldforce - res * s->inv[i], -floss, floss);
  sol_dualMoved(s, i, 1, &oldforce);
  const mjtNum delta = d->efc_force[i] - oldforce;
  return 0.5 * delta * delta / s->inv[i] + delta * res;
}

// two opposite edges of a pyramid: their sum, the normal force, stays
static mjtNum edgeUpdate(const SolDual* s, int i) {
  mjtNum *force = s->d->efc_force + i, res[2], A[4];
  sol_dualResidual(s, res, i, 2);
  sol_dualBlock(s, A, i, 2);
  const mjtNum old[2] = {force[0], force[1]};
  const mjtNum b0 = res[0] - (A[0] * old[0] + A[1] * old[1]), b1 = res[1] - (A[2] * old[0] + A[3] * old[1]);

  // forces mid ± y
  const mjtNum mid = 0.5 * (old[0] + old[1]);
  const mjtNum curve = A[0] + A[3] - A[1] - A[2], slope = mid * (A[0] - A[3]) + b0 - b1;
  mjtNum y = curve < mjMINVAL ? 0 : -slope / curve;
  if (y < -mid) {
    y = -mid;
  } else if (y > mid) {
    y = mid;
  }
  force[0] = mid + y;
  force[1] = mid - y;
  const mjtNum change = sol_dualChange(A, force, old, res, 2);
  sol_dualMoved(s, i, 2, old);
  return change;
}

// friction of a contact with an elliptic cone that starts at row i
static mjtNum coneUpdate(const SolDual* s, int i, const mjContact* con) {
  const int n = con->dim - 1;
  BAS_ASSERT(n > 0 && n < 6);
  mjtNum *force = s->d->efc_force + i, res[5], old[5], A[25], b[5];
  sol_dualResidual(s, res, i + 1, n);
  sol_dualBlock(s, A, i + 1, n);
  memcpy(old, force + 1, sizeof(mjtNum) * (size_t)n);
  for (int r = 0; r < n; r++) {
    b[r] = res[r];
    for (int c = 0; c < n; c++) b[r] -= A[r * n + c] * old[c];
  }
  sol_dualFriction(force + 1, A, b, con->friction, force[0], n);
  const mjtNum change = sol_dualChange(A, force + 1, old, res, n);
  sol_dualMoved(s, i + 1, n, old);
  return change;
}

// everything that rubs, in turn; returns the improvement
static mjtNum sweep(const SolDual* s) {
  const mjData* d = s->d;
  mjtNum improvement = 0;
  for (int i = d->ne; i < d->ne + d->nf; i++) improvement -= frictionUpdate(s, i);
  for (int i = d->ne + d->nf; i < d->nefc;) {
    const mjContact* con = d->contact + d->efc_id[i];
    if (d->efc_type[i] == mjCNSTR_CONTACT_PYRAMIDAL) {
      const int end = i + 2 * (con->dim - 1);
      for (; i < end; i += 2) improvement -= edgeUpdate(s, i);
    } else if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      improvement -= coneUpdate(s, i, con);
      i += con->dim;
    } else {
      i++;
    }
  }
  return improvement;
}

void sol_noslip(const mjModel* m, mjData* d, int maxiter) {
  mj_markStack(d);
  SolDual s = {.subtractR = 1};
  sol_dualBegin(&s, m, d);
  const mjtNum scale = 1 / (m->stat.meaninertia * mth_maxInt(1, (int)m->nv));
  const int before = d->solver_niter[0];
  int iter = 0;
  while (iter < maxiter) {
    SolStat stat = {0};

    // the cost no longer has the regularisation
    for (int i = 0; i < (iter ? 0 : d->nefc); i++) {
      stat.improvement += 0.5 * d->efc_force[i] * d->efc_force[i] * d->efc_R[i];
    }
    stat.improvement = scale * (stat.improvement + sweep(&s));
    stat.nactive = sol_dualStates(&s, &stat.nchange);
    sol_saveStat(d, 0, before + iter++, &stat);
    if (stat.improvement < m->opt.noslip_tolerance) break;
  }
  d->solver_niter[0] += iter;
  sol_dualFinish(&s);
  mj_freeStack(d);
}
