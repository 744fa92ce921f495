// Integrators implicit in velocity: (M - h ∂f/∂v) a = total force, where f are the smooth forces.
//
// implicit keeps the Coriolis terms, so the matrix is general (LU); implicitfast drops them and uses the symmetric
// part (LDL). Interpolated flexes are stiff in position too: their dofs are solved again with the dense matrix
// H + (h² + h·damping) K and a right-hand side that includes the elastic force at the end of the step.
#include <mujoco/mujoco.h>

#include "derivative/flex.h"
#include "derivative/velocity.h"
#include "integrate/integrate.h"
#include "integrate/lu.h"
#include "integrate/symmetric.h"
#include "math/simd/kernels.h"
#include "base/timer.h"
#include "sleep/sleep.h"

//---------------------------------- flexes ----------------------------------

// dense factor for the dofs of interpolated flexes
typedef struct {
  int n;
  int* ind;   // dofs
  mjtNum* H;  // Cholesky factor
} FlexBlock;

// the block of the integrator's matrix that belongs to the flex dofs, before it is factored
static void gatherBlock(const mjModel* m, mjData* d, FlexBlock* block) {
  const int general = m->opt.integrator == mjINT_IMPLICIT, nv = (int)m->nv;
  const int* rownnz = general ? m->D_rownnz : m->M_rownnz;
  const int* rowadr = general ? m->D_rowadr : m->M_rowadr;
  const int* colind = general ? m->D_colind : m->M_colind;
  const mjtNum* source = general ? d->qLU : d->qH;

  // dof → row of the block
  mj_markStack(d);
  int* place = mj_stackAllocInt(d, (size_t)nv);
  for (int i = 0; i < nv; i++) place[i] = -1;
  for (int i = 0; i < block->n; i++) place[block->ind[i]] = i;

  mth_zero(block->H, block->n * block->n);
  for (int i = 0; i < block->n; i++) {
    const int row = block->ind[i];
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; k++) {
      if (place[colind[k]] >= 0) block->H[i * block->n + place[colind[k]]] = source[k];
    }
  }
  mj_freeStack(d);
}

// builds and factors the block; n stays 0 when there are no interpolated flexes
static FlexBlock openFlexBlock(const mjModel* m, mjData* d) {
  FlexBlock block = {.n = m->nflex ? der_flexDofs(m, NULL) : 0};
  if (!block.n) return block;
  block.ind = mj_stackAllocInt(d, (size_t)block.n);
  block.H = mj_stackAllocNum(d, (size_t)block.n * (size_t)block.n);
  der_flexDofs(m, block.ind);
  gatherBlock(m, d, &block);
  der_flexAddStiffness(m, d, block.H, block.ind, block.n);
  mju_cholFactor(block.H, block.n, mjMINVAL);
  return block;
}

// replaces the accelerations of the flex dofs
static void solveFlexBlock(const mjModel* m, mjData* d, const FlexBlock* block, const mjtNum* qfrc, mjtNum* qacc) {
  const int nv = (int)m->nv;
  const mjtNum h = m->opt.timestep, scale = h * h + h * m->flex_damping[0];
  mj_markStack(d);
  mjtNum* force = mj_stackAllocNum(d, (size_t)block->n);
  mjtNum* elastic = mj_stackAllocNum(d, (size_t)nv);
  mth_zero(elastic, nv);
  der_flexMulStiffness(m, d, elastic, d->qvel);

  // elastic holds -scale·K v; the force changes by -h K v over the step
  const mjtNum factor = scale > mjMINVAL ? h / scale : 0;
  for (int i = 0; i < block->n; i++) force[i] = qfrc[block->ind[i]] + elastic[block->ind[i]] * factor;
  mju_cholSolve(force, block->H, force, block->n);
  mth_scatter(qacc, force, block->ind, block->n);
  mj_freeStack(d);
}

//---------------------------------- all dofs ----------------------------------

// qLU = M - h ∂f/∂v; M is stored as its lower triangle
static void fillGeneral(const mjModel* m, mjData* d, SlpRange dofs) {
  const mjtNum h = m->opt.timestep;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), end = m->D_rowadr[i] + m->D_rownnz[i];
    for (int k = m->D_rowadr[i]; k < end; k++) {
      const int source = m->mapM2D[k];
      d->qLU[k] = (source >= 0 ? d->M[source] : 0) - h * d->qDeriv[k];
    }
  }
}

// qH = lower triangle of M - h ∂f/∂v
static void fillSymmetric(const mjModel* m, mjData* d, SlpRange dofs) {
  const mjtNum h = m->opt.timestep;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), end = m->M_rowadr[i] + m->M_rownnz[i];
    for (int k = m->M_rowadr[i]; k < end; k++) d->qH[k] = d->M[k] - h * d->qDeriv[m->mapD2M[k]];
  }
}

// fills the matrix of this step, and factors that of the flexes from it
static FlexBlock fillAll(const mjModel* m, mjData* d, SlpRange dofs) {
  if (m->opt.integrator == mjINT_IMPLICIT) {
    der_smoothVel(m, d, 1);
    fillGeneral(m, d, dofs);
  } else {
    der_smoothVel(m, d, 0);
    fillSymmetric(m, d, dofs);
  }
  return dofs.list ? (FlexBlock){0} : openFlexBlock(m, d);
}

void itg_implicit(const mjModel* m, mjData* d, int skipfactor) {
  if (m->opt.integrator != mjINT_IMPLICIT && m->opt.integrator != mjINT_IMPLICITFAST) {
    mju_error("integrator must be implicit or implicitfast");
    return;
  }
  const mjtNum start = bas_now();
  const SlpRange dofs = slp_dofs(m, d);
  mj_markStack(d);
  mjtNum* qfrc = mj_stackAllocNum(d, 2 * (size_t)m->nv);
  mjtNum* qacc = qfrc + m->nv;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    qacc[i] = qfrc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }

  // factor unless that was done before, and solve
  const FlexBlock flex = skipfactor ? (FlexBlock){0} : fillAll(m, d, dofs);
  if (m->opt.integrator == mjINT_IMPLICIT) {
    if (!skipfactor) itg_factorLU(m, d->qLU, dofs);
    itg_solveLU(m, qacc, d->qLU, dofs);
  } else {
    itg_solveSymmetric(m, d, qacc, dofs, skipfactor);
  }
  if (flex.n) solveFlexBlock(m, d, &flex, qfrc, qacc);

  itg_advance(m, d, d->act_dot, qacc, NULL);
  mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_ADVANCE, start);
}

void mj_implicit(const mjModel* m, mjData* d) {
  itg_implicit(m, d, 0);
}
