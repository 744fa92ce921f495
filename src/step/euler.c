// Semi-implicit Euler, with joint damping B treated implicitly: (M + h B) a = total force.
#include <mujoco/mujoco.h>

#include "dynamics/ldl.h"
#include "step/stages.h"
#include "math/simd/kernels.h"
#include "base/timer.h"
#include "physics/physics.h"
#include "sleep/parts.h"

// 1: damping is implicit and an awake dof has some
static int hasDamping(const mjModel* m, SlpRange dofs) {
  if (mjDISABLED(mjDSBL_EULERDAMP) || mjDISABLED(mjDSBL_DAMPER)) return 0;
  for (int v = 0; v < dofs.n; v++) {
    if (m->dof_damping[slp_at(dofs, v)] > 0) return 1;
  }
  return 0;
}

// qH = M + h B
static void fillDamped(const mjModel* m, mjData* d, SlpRange dofs) {
  const mjtNum h = m->opt.timestep;
  if (!dofs.list && dofs.first < dofs.n) {
    const int begin = m->M_rowadr[dofs.first], last = dofs.n - 1, end = m->M_rowadr[last] + m->M_rownnz[last];
    mth_copy(d->qH + begin, d->M + begin, end - begin);
  }
  for (int v = dofs.first; v < dofs.n; v++) {
    const int i = slp_at(dofs, v), adr = m->M_rowadr[i], nnz = m->M_rownnz[i];
    if (dofs.list) mth_copy(d->qH + adr, d->M + adr, nnz);
    d->qH[adr + nnz - 1] += h * m->dof_damping[i];
  }
}

// (M + h B) a = force
typedef struct {
  DynSystem system;
  mjtNum* qacc;
} Damped;

static BAS_DIRECT void dampedPart(const mjModel* m, mjData* d, const SlpPart* part, void* arg) {
  const Damped* damped = arg;
  const SlpRange dofs = part->dofs;
  if (!damped->system.factored) fillDamped(m, d, dofs);
  for (int v = dofs.first; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    damped->qacc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }
  dyn_solveSystem(m, d, &damped->system, damped->qacc, dofs);
}

// the velocity that moves the positions where that is not the new one
static const mjtNum* positionVelocity(const mjModel* m, mjData* d, const mjtNum* qacc, const mjtNum* offset) {
  mjtNum* qvel = mj_stackAllocNum(d, (size_t)m->nv);
  for (int i = 0; i < m->nv; i++) qvel[i] = d->qvel[i] + m->opt.timestep * qacc[i] + offset[i];
  return qvel;
}

void stp_euler(const mjModel* m, mjData* d, int skipfactor) {
  const mjtNum start = bas_now();
  const SlpRange dofs = slp_dofs(m, d);

  // explicit: the accelerations as they are
  const int damped = hasDamping(m, dofs);
  const mjtNum* offset = d->nefc ? phy_positionOffset(m, d) : NULL;
  if (!offset && !damped && !slp_enabled(m)) {
    stp_advance(m, d, d->act_dot, d->qacc, NULL);
    bas_timerEnd(d, mjTIMER_ADVANCE, start);
    return;
  }

  // solved with damping, or a copy, because falling asleep recomputes d->qacc
  mj_markStack(d);
  mjtNum* qacc = mj_stackAllocNum(d, (size_t)m->nv);
  if (!damped) {
    for (int v = 0; v < dofs.n; v++) qacc[slp_at(dofs, v)] = d->qacc[slp_at(dofs, v)];
  } else {
    Damped arg = {
        {{d->qH, d->qHDiagInv}, dyn_shapeOf(m, dofs), skipfactor},
        qacc
    };
    slp_share(m, d, dampedPart, &arg);
  }
  stp_advance(m, d, d->act_dot, qacc, offset ? positionVelocity(m, d, qacc, offset) : NULL);
  mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_ADVANCE, start);
}

void mj_Euler(const mjModel* m, mjData* d) {
  stp_euler(m, d, 0);
}
