// Integrators implicit in velocity: (M - h ∂f/∂v) a = total force, where f are the smooth forces.
//
// implicit keeps the Coriolis terms, so the matrix is general (LU); implicitfast drops them and uses the symmetric
// part (LDL). Interpolated flexes are stiff in position too: their dofs are solved again with the dense matrix
// H + (h² + h·damping) K and a right-hand side that includes the elastic force at the end of the step.
#include <mujoco/mujoco.h>

#include "derivative/derivative.h"
#include "derivative/flex_system.h"
#include "dynamics/ldl.h"
#include "step/stages.h"
#include "step/lu.h"
#include "math/simd/kernels.h"
#include "base/timer.h"
#include "sleep/sleep.h"

//---------------------------------- matrix ----------------------------------

// entry k of M - h ∂f/∂v; M is stored as its lower triangle
static inline mjtNum matrixEntry(const mjModel* m, const mjData* d, int k) {
  const mjtNum h = m->opt.timestep;
  if (m->opt.integrator != mjINT_IMPLICIT) return d->M[k] - h * d->qDeriv[m->mapD2M[k]];
  const int source = m->mapM2D[k];
  return (source >= 0 ? d->M[source] : 0) - h * d->qDeriv[k];
}

// qLU (implicit) or qH (implicitfast) over the rows of awake dofs
static void fillMatrix(const mjModel* m, mjData* d, SlpRange dofs) {
  const int general = m->opt.integrator == mjINT_IMPLICIT;
  const int *rowadr = general ? m->D_rowadr : m->M_rowadr, *rownnz = general ? m->D_rownnz : m->M_rownnz;
  mjtNum* target = general ? d->qLU : d->qH;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), end = rowadr[i] + rownnz[i];
    for (int k = rowadr[i]; k < end; k++) target[k] = matrixEntry(m, d, k);
  }
}

//---------------------------------- flexes ----------------------------------

// dense factor for the dofs of interpolated flexes
typedef struct {
  int n;
  int* ind;    // (n) dofs
  int* place;  // (nv) index of a dof in ind, -1: not a flex dof
  mjtNum* H;   // (n x n) Cholesky factor
} FlexBlock;

// rows of the integrator's matrix: full for implicit, lower triangle for implicitfast
typedef struct {
  const int *rownnz, *rowadr, *colind;
} MatrixRows;

static MatrixRows matrixRows(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT ? (MatrixRows){m->D_rownnz, m->D_rowadr, m->D_colind}
                                             : (MatrixRows){m->M_rownnz, m->M_rowadr, m->M_colind};
}

// the block of the integrator's matrix that belongs to the flex dofs; only its lower triangle will be read
static void gatherBlock(const mjModel* m, const mjData* d, FlexBlock* block) {
  const MatrixRows rows = matrixRows(m);
  mth_zero(block->H, block->n * block->n);
  for (int i = 0; i < block->n; i++) {
    const int adr = rows.rowadr[block->ind[i]], end = adr + rows.rownnz[block->ind[i]];
    for (int k = adr; k < end; k++) {
      const int j = block->place[rows.colind[k]];
      if (j >= 0) block->H[i * block->n + j] = matrixEntry(m, d, k);
    }
  }
}

// builds and factors the block; n stays 0 when there are no interpolated flexes
static FlexBlock openFlexBlock(const mjModel* m, mjData* d) {
  FlexBlock block = {.n = m->nflex ? der_flexDofs(m, NULL) : 0};
  if (!block.n) return block;

  // dofs of several nodes of one body are listed for each; the last place counts
  const int nv = (int)m->nv;
  block.ind = mj_stackAllocInt(d, (size_t)block.n);
  block.place = mj_stackAllocInt(d, (size_t)nv);
  block.H = mj_stackAllocNum(d, (size_t)block.n * (size_t)block.n);
  der_flexDofs(m, block.ind);
  for (int i = 0; i < nv; i++) block.place[i] = -1;
  for (int i = 0; i < block.n; i++) block.place[block.ind[i]] = i;

  gatherBlock(m, d, &block);
  der_flexAddStiffness(m, d, block.H, block.ind, block.n, m->opt.timestep);
  mju_cholFactor(block.H, block.n, mjMINVAL);
  return block;
}

// force on a flex dof from the accelerations of the dofs outside the block
static mjtNum outsideForce(const mjModel* m, const mjData* d, const FlexBlock* block, int i, const mjtNum* qacc) {
  const MatrixRows rows = matrixRows(m);
  const int adr = rows.rowadr[block->ind[i]], end = adr + rows.rownnz[block->ind[i]];
  mjtNum force = 0;
  for (int k = adr; k < end; k++) {
    if (block->place[rows.colind[k]] < 0) force -= matrixEntry(m, d, k) * qacc[rows.colind[k]];
  }
  return force;
}

// replaces the accelerations of the flex dofs, those of the others being given
static void solveFlexBlock(const mjModel* m, mjData* d, const FlexBlock* block, const mjtNum* qfrc, mjtNum* qacc) {
  const int nv = (int)m->nv;
  const mjtNum h = m->opt.timestep, scale = h * h + h * m->flex_damping[0];
  mj_markStack(d);
  mjtNum* force = mj_stackAllocNum(d, (size_t)block->n);
  mjtNum* elastic = mj_stackAllocNum(d, (size_t)nv);
  mth_zero(elastic, nv);
  der_flexMulStiffness(m, d, elastic, d->qvel, m->opt.timestep);

  // elastic holds -scale·K v; the force changes by -h K v over the step
  const mjtNum factor = scale > mjMINVAL ? h / scale : 0;
  for (int i = 0; i < block->n; i++) {
    const int dof = block->ind[i];
    force[i] = qfrc[dof] + elastic[dof] * factor + outsideForce(m, d, block, i, qacc);
  }
  mju_cholSolve(force, block->H, force, block->n);
  mth_scatter(qacc, force, block->ind, block->n);
  mj_freeStack(d);
}

//---------------------------------- flexes with models of their own ----------------------------------

// res = (H + K) vec over the dofs of the system, H the block of the integrator's matrix
static void mulSystem(const mjModel* m, const mjData* d, const DerFlexSystem* s, mjtNum* res, const mjtNum* vec) {
  const MatrixRows rows = matrixRows(m);
  const int general = m->opt.integrator == mjINT_IMPLICIT;
  mth_zero(res, s->n);
  for (int i = 0; i < s->n; i++) {
    const int adr = rows.rowadr[s->dof[i]], end = adr + rows.rownnz[s->dof[i]];
    for (int k = adr; k < end; k++) {
      const int j = s->place[rows.colind[k]];
      if (j < 0) continue;
      const mjtNum entry = matrixEntry(m, d, k);
      res[i] += entry * vec[j];
      if (!general && j != i) res[j] += entry * vec[i];
    }
  }
  der_flexSystemMul(s, res, vec, DER_MATRIX);
}

// x: solution of (H + K) x = b by conjugate gradients from the x given, preconditioned by the diagonal
static void solveSystem(const mjModel* m, mjData* d, const DerFlexSystem* s, const mjtNum* b, mjtNum* x) {
  enum { MOST = 1000 };
  const mjtNum enough = 1e-8;  // residual relative to b, both in the norm of the preconditioner
  const int n = s->n;
  mjtNum* r = mj_stackAllocNum(d, 5 * (size_t)n);
  mjtNum *z = r + n, *p = z + n, *Ap = p + n, *diagonal = Ap + n;
  mth_zero(diagonal, n);
  der_flexSystemDiagonal(s, diagonal);
  const MatrixRows rows = matrixRows(m);
  for (int i = 0; i < n; i++) {
    const int adr = rows.rowadr[s->dof[i]], end = adr + rows.rownnz[s->dof[i]];
    for (int k = adr; k < end; k++) {
      if (rows.colind[k] == s->dof[i]) diagonal[i] += matrixEntry(m, d, k);
    }
  }
  mulSystem(m, d, s, Ap, x);
  mjtNum size = 0, rz = 0;
  for (int i = 0; i < n; i++) {
    r[i] = b[i] - Ap[i];
    p[i] = z[i] = r[i] / diagonal[i];
    size += b[i] * b[i] / diagonal[i];
    rz += r[i] * z[i];
  }
  for (int k = 0; k < MOST && rz > enough * enough * size; k++) {
    mulSystem(m, d, s, Ap, p);
    const mjtNum curvature = mth_dot(p, Ap, n);
    if (curvature <= 0) return;
    const mjtNum alpha = rz / curvature;
    mjtNum next = 0;
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * Ap[i];
      z[i] = r[i] / diagonal[i];
      next += r[i] * z[i];
    }
    for (int i = 0; i < n; i++) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
}

// replaces the accelerations of the dofs of flexes with models of their own, those of the others being given
static void solveModelFlexes(const mjModel* m, mjData* d, const mjtNum* qfrc, mjtNum* qacc) {
  mj_markStack(d);
  DerFlexSystem s;
  if (der_openFlexSystem(m, d, &s)) {
    mjtNum* b = mj_stackAllocNum(d, 3 * (size_t)s.n);
    mjtNum *x = b + s.n, *v = x + s.n;
    const FlexBlock rest = {.ind = s.dof, .place = s.place};
    mth_gather(v, d->qvel, s.dof, s.n);
    mth_gather(x, qacc, s.dof, s.n);
    mth_zero(b, s.n);
    der_flexSystemMul(&s, b, v, DER_CHANGE);
    for (int i = 0; i < s.n; i++) b[i] = qfrc[s.dof[i]] - b[i] + outsideForce(m, d, &rest, i, qacc);
    solveSystem(m, d, &s, b, x);
    mth_scatter(qacc, x, s.dof, s.n);
  }
  mj_freeStack(d);
}

//---------------------------------- step ----------------------------------

void stp_implicit(const mjModel* m, mjData* d, int skipfactor) {
  if (m->opt.integrator != mjINT_IMPLICIT && m->opt.integrator != mjINT_IMPLICITFAST) {
    mju_error("mj_implicit: integrator must be implicit or implicitfast");
    return;
  }
  const mjtNum start = bas_now();
  const SlpRange dofs = slp_dofs(m, d);
  mj_markStack(d);
  mjtNum* qfrc = mj_stackAllocNum(d, (size_t)m->nv);
  mjtNum* qacc = mj_stackAllocNum(d, (size_t)m->nv);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    qacc[i] = qfrc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }

  // matrices, unless they are those of the previous call
  FlexBlock flex = {0};
  if (!skipfactor) {
    der_smoothVel(m, d, m->opt.integrator == mjINT_IMPLICIT);
    fillMatrix(m, d, dofs);
    if (!dofs.list) flex = openFlexBlock(m, d);
  }

  // factor and solve
  if (m->opt.integrator == mjINT_IMPLICIT) {
    if (!skipfactor) stp_factorLU(m, d->qLU, dofs);
    stp_solveLU(m, qacc, d->qLU, dofs);
  } else {
    dyn_factorSolveLDL(m, d, (DynFactor){d->qH, d->qHDiagInv}, qacc, dofs, skipfactor);
  }
  if (flex.n) solveFlexBlock(m, d, &flex, qfrc, qacc);
  if (m->nflex && !dofs.list) solveModelFlexes(m, d, qfrc, qacc);

  stp_advance(m, d, d->act_dot, qacc, NULL);
  mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_ADVANCE, start);
}

void mj_implicit(const mjModel* m, mjData* d) {
  stp_implicit(m, d, 0);
}
