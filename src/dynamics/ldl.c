// Factor, solve and multiply, part by part of the plan; see ldl.h for the layout and ldl_pass.h for the passes.
#include "dynamics/ldl.h"

#include <math.h>
#include <string.h>

#include "base/timer.h"
#include "dynamics/ldl_pass.h"
#include "dynamics/pass.h"

// which compilation of the passes to take
#ifdef DYN_V3
#define BY_CPU(pass, ...) (mth_isV3() ? pass##V3(__VA_ARGS__) : pass(__VA_ARGS__))
#else
#define BY_CPU(pass, ...) pass(__VA_ARGS__)
#endif

static SlpRange allDofs(const mjModel* m) {
  return (SlpRange){0, (int)m->nv, NULL};
}

// ---------------------------------------------------------------- factor

void dyn_factorLDL(const mjModel* m, mjData* d, const mjtNum* mat, DynFactor res, const SlpRange* dofs) {
  DynFactorPass pass = {mat, res, dyn_scratch(d)};
  if (!d->threadpool) {
    BY_CPU(dyn_factorPass, m, d, &pass, dofs);
    return;
  }

  // others may be at other dofs
  mj_markStack(d);
  pass.work = mj_stackAllocByte(d, sizeof(mjtNum) * dyn_plan(d)->nscratch, 64);
  BY_CPU(dyn_factorPass, m, d, &pass, dofs);
  mj_freeStack(d);
}

static BAS_DIRECT void factorPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
  dyn_factorLDL(m, d, d->M, (DynFactor){d->qLD, d->qLDiagInv}, &part->dofs);
}

void mj_factorM(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  slp_share(m, d, factorPart, NULL);
  bas_timerAdd(d, mjTIMER_POS_INERTIA, start);
}

// ---------------------------------------------------------------- solve

void dyn_solveLDL(const mjModel* m, const mjData* d, DynFactor factor, mjtNum* x, int n, const SlpRange* dofs) {
  for (int k = 0; k < n; k++) BY_CPU(dyn_solvePass, m, d, factor, x + k * m->nv, dofs);
}

static void copyVectors(const mjModel* m, mjtNum* x, const mjtNum* y, int n) {
  if (x != y && n * m->nv > 0) memmove(x, y, n * m->nv * sizeof(mjtNum));
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  copyVectors(m, x, y, n);
  const SlpRange dofs = allDofs(m);
  dyn_solveLDL(m, d, (DynFactor){d->qLD, d->qLDiagInv}, x, n, &dofs);
}

void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  const DynPlan* plan = dyn_plan(d);
  copyVectors(m, x, y, n);
  for (int k = 0; k < n; k++, x += m->nv) {
    DynWalk walk = dyn_walk(plan, allDofs(m));
    for (const DynPart* part; (part = dyn_nextPart(&walk));) {
      if (part->nblock && part->deepest <= DYN_DEPTH) {
        solveUpTree(m, d->qLD, dyn_blocks(plan) + part->block, part, x);
      } else if (part->nblock) {
        solveUpIndexed(m, d->qLD, part, x);
      }
    }
    for (int i = 0; i < m->nv; i++) x[i] *= sqrtInvD[i];
  }
}

// ---------------------------------------------------------------- multiply

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  BY_CPU(dyn_mulPass, m, d, d->M, (DynProduct){vec, res});
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  // √D L vec
  for (int i = 0; i < m->nv; i++) {
    const int adr = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    const mjtNum value = vec[i] + mth_dotSparse(d->qLD + adr, vec, n, m->M_colind + adr);
    res[i] = value / sqrt(d->qLDiagInv[i]);
  }
}
