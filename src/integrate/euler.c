// Semi-implicit Euler, with joint damping B treated implicitly: (M + h B) a = total force.
#include <mujoco/mujoco.h>

#include "dynamics/ldl.h"
#include "integrate/integrate.h"
#include "math/simd/kernels.h"
#include "base/timer.h"
#include "sleep/sleep.h"

// 1: damping is implicit and an awake dof has some
static int hasDamping(const mjModel* m, SlpRange dofs) {
  if (mjDISABLED(mjDSBL_EULERDAMP) || mjDISABLED(mjDSBL_DAMPER)) return 0;
  for (int v = 0; v < dofs.n; v++) {
    if (m->dof_damping[slp_at(dofs, v)] > 0) return 1;
  }
  return 0;
}

// qH = M + h B, factored
static void factorDamped(const mjModel* m, mjData* d, SlpRange dofs) {
  const mjtNum h = m->opt.timestep;
  if (!dofs.list) mth_copy(d->qH, d->M, (int)m->nC);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), adr = m->M_rowadr[i], nnz = m->M_rownnz[i];
    if (dofs.list) mth_copy(d->qH + adr, d->M + adr, nnz);
    d->qH[adr + nnz - 1] += h * m->dof_damping[i];
  }
  dyn_factorLDL(m, d->qH, d->qHDiagInv, dofs);
}

void itg_euler(const mjModel* m, mjData* d, int skipfactor) {
  const mjtNum start = bas_now();
  const SlpRange dofs = slp_dofs(m, d);
  mj_markStack(d);

  // a copy, because falling asleep recomputes d->qacc
  mjtNum* qacc = mj_stackAllocNum(d, (size_t)m->nv);
  if (!hasDamping(m, dofs)) {
    mth_copy(qacc, d->qacc, (int)m->nv);
  } else {
    if (!skipfactor) factorDamped(m, d, dofs);
    for (int v = 0; v < dofs.n; v++) {
      const int i = slp_at(dofs, v);
      qacc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    }
    dyn_solveLDL(m, (DynFactor){d->qH, d->qHDiagInv}, qacc, 1, dofs);
  }
  itg_advance(m, d, d->act_dot, qacc, NULL);
  mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_ADVANCE, start);
}

void mj_Euler(const mjModel* m, mjData* d) {
  itg_euler(m, d, 0);
}
