// Helpers of the dual solvers: residuals, blocks, states; what one contact does is in dual_body.h.
#include "solver/dual.h"

#include <math.h>
#include <string.h>

#include "base/stack.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "solver/dual_body.h"

//---------------------------------- A + R ----------------------------------

// entry of a sparse row; 0 when it has none
static mjtNum sparseEntry(const mjData* d, int row, int col) {
  const int adr = d->efc_AR_rowadr[row];
  for (int k = adr; k < adr + d->efc_AR_rownnz[row]; k++) {
    if (d->efc_AR_colind[k] == col) return d->efc_AR[k];
  }
  return 0;
}

static mjtNum entry(const SolDual* s, int row, int col) {
  return s->sparse ? sparseEntry(s->d, row, col) : s->d->efc_AR[(size_t)row * s->d->nefc + col];
}

// (A + R)f of one row
static mjtNum product(const SolDual* s, int row) {
  const mjData* d = s->d;
  if (!s->sparse) return mth_dot(d->efc_AR + (size_t)row * d->nefc, d->efc_force, d->nefc);
  const int adr = d->efc_AR_rowadr[row], nnz = d->efc_AR_rownnz[row];
  if (s->start[row] >= 0) return mth_dot(d->efc_AR + adr, d->efc_force + s->start[row], nnz);
  return mth_dotSparse(d->efc_AR + adr, d->efc_force, nnz, d->efc_AR_colind + adr);
}

void sol_dualBegin(SolDual* s, const mjModel* m, mjData* d) {
  const int subtractR = s->subtractR;
  *s = (SolDual){.m = m, .d = d, .sparse = mj_isSparse(m), .subtractR = subtractR, .brief = s->brief};
  s->inv = mj_stackAllocNum(d, (size_t)d->nefc);
  s->diag = mj_stackAllocNum(d, (size_t)d->nefc);
  s->res = mj_stackAllocNum(d, (size_t)d->nefc);
  s->start = s->sparse ? mj_stackAllocInt(d, (size_t)d->nefc) : NULL;
  for (int i = 0; i < (s->sparse ? d->nefc : 0); i++) {
    // rows of one island mostly follow each other
    const int nnz = d->efc_AR_rownnz[i], *col = d->efc_AR_colind + d->efc_AR_rowadr[i];
    s->start[i] = nnz && col[nnz - 1] - col[0] == nnz - 1 ? col[0] : -1;
  }
  for (int i = 0; i < d->nefc; i++) {
    const mjtNum diag = entry(s, i, i);
    s->inv[i] = 1 / (subtractR ? mth_max(mjMINVAL, diag - d->efc_R[i]) : diag);
    s->diag[i] = 1 / s->inv[i];
    s->res[i] = product(s, i) + d->efc_b[i];
  }
  if (s->brief) return;
  int unused;
  memset(d->efc_state, 0, sizeof(int) * (size_t)d->nefc);
  sol_dualStates(s, &unused);
}

// A + R is symmetric: what a force adds to all residuals is its row
void sol_dualMoved(const SolDual* s, int i, int dim, const mjtNum* old) {
  const mjData* d = s->d;
  for (int k = i; k < i + dim; k++) {
    const mjtNum delta = d->efc_force[k] - old[k - i];
    if (delta == 0) continue;
    if (!s->sparse) {
      mth_addToScl(s->res, d->efc_AR + (size_t)k * d->nefc, delta, d->nefc);
      continue;
    }
    const int adr = d->efc_AR_rowadr[k], nnz = d->efc_AR_rownnz[k];
    if (s->start[k] >= 0) {
      mth_addToScl(s->res + s->start[k], d->efc_AR + adr, delta, nnz);
    } else {
      mth_addToSclScatter(s->res, d->efc_AR + adr, delta, nnz, d->efc_AR_colind + adr);
    }
  }
}

void sol_dualBlock(const SolDual* s, mjtNum* block, int i, int dim) {
  const mjData* d = s->d;

  // rows of one contact are coupled by the same dofs: their columns lie side by side, at the same distance from the
  // start
  int offset = 0;
  if (s->sparse) {
    while (offset < d->efc_AR_rownnz[i] && d->efc_AR_colind[d->efc_AR_rowadr[i] + offset] != i) offset++;
  }
  for (int j = 0; j < dim; j++) {
    const mjtNum* row =
        d->efc_AR + (s->sparse ? (size_t)(d->efc_AR_rowadr[i + j] + offset) : (size_t)(i + j) * d->nefc + i);
    memcpy(block + j * dim, row, sizeof(mjtNum) * (size_t)dim);
    if (s->subtractR) block[j * (dim + 1)] = mth_max(1e-10, block[j * (dim + 1)] - d->efc_R[i + j]);
  }
}

//---------------------------------- states ----------------------------------

// state of a contact with an elliptic cone, from its forces
static int coneState(const mjContact* con, const mjtNum* force) {
  mjtNum sum = 0;
  const mjtNum N = force[0] / con->mu;
  for (int j = 1; j < con->dim; j++) {
    const mjtNum f = force[j] / con->friction[j - 1];
    sum += f * f;
  }
  const mjtNum T = sqrt(sum);
  if (con->mu * N >= T) return mjCNSTRSTATE_SATISFIED;
  return N + con->mu * T <= 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_CONE;
}

// sets n states; returns how many of them changed
static int setStates(int* state, int n, int now) {
  int nchange = 0;
  for (int i = 0; i < n; i++) {
    nchange += state[i] != now;
    state[i] = now;
  }
  return nchange;
}

int sol_dualStates(const SolDual* s, int* nchange) {
  const mjData* d = s->d;
  int* state = d->efc_state;
  const mjtNum *force = d->efc_force, *floss = d->efc_frictionloss;
  const int first = d->ne + d->nf;
  int nactive = first;

  // equality and friction loss always act
  *nchange = setStates(state, d->ne, mjCNSTRSTATE_QUADRATIC);
  for (int i = d->ne; i < first; i++) {
    const int now = force[i] <= -floss[i]  ? mjCNSTRSTATE_LINEARPOS
                    : force[i] >= floss[i] ? mjCNSTRSTATE_LINEARNEG
                                           : mjCNSTRSTATE_QUADRATIC;
    *nchange += setStates(state + i, 1, now);
  }

  // limits and contacts; without elliptic cones each row stands alone
  if (s->m->opt.cone == mjCONE_PYRAMIDAL) {
    for (int i = first; i < d->nefc; i++) {
      const int now = force[i] <= 0 ? mjCNSTRSTATE_SATISFIED : mjCNSTRSTATE_QUADRATIC;
      nactive += now != mjCNSTRSTATE_SATISFIED;
      *nchange += state[i] != now;
      state[i] = now;
    }
    return nactive;
  }
  for (int i = first; i < d->nefc;) {
    int dim = 1, now = force[i] <= 0 ? mjCNSTRSTATE_SATISFIED : mjCNSTRSTATE_QUADRATIC;
    if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact* con = d->contact + d->efc_id[i];
      dim = con->dim;
      now = coneState(con, force + i);
    }
    if (now != mjCNSTRSTATE_SATISFIED) nactive += dim;
    *nchange += setStates(state + i, dim, now);
    i += dim;
  }
  return nactive;
}

//---------------------------------- result ----------------------------------

void sol_dualFinish(const SolDual* s) {
  mj_mulJacTVec(s->m, s->d, s->d->qfrc_constraint, s->d->efc_force);
  if (s->brief) return;
  mj_solveM(s->m, s->d, s->d->qacc, s->d->qfrc_constraint, 1);
  mth_addTo(s->d->qacc, s->d->qacc_smooth, (int)s->m->nv);
}
