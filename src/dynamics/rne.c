// Inverse dynamics by the recursive Newton-Euler algorithm: the joint forces that give accelerations q̈, or with
// q̈ = 0 the bias force c(q, q̇) of Coriolis, centrifugal and gravitational terms.
#include "dynamics/dynamics.h"
#include "dynamics/pass.h"
#include "dynamics/rne_pass.h"
#include "kinematics/jacobian.h"
#include "math/simd/kernels.h"

static BAS_DIRECT void rnePart(const mjModel* m, mjData* d, const SlpPart* part, void* pass) {
#ifdef DYN_V3
  if (mth_isV3()) {
    dyn_rnePassV3(m, d, pass, &part->bodies);
    return;
  }
#endif
  dyn_rnePass(m, d, pass, &part->bodies);
}

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  mj_markStack(d);
  const size_t size = sizeof(DynBodyRne) * (size_t)m->nbody;
  DynRne pass = {mj_stackAllocByte(d, size, _Alignof(DynBodyRne)), flg_acc, result};

  // the world
  const mjtNum sign = m->opt.disableflags & mjDSBL_GRAVITY ? 0 : -1, *gravity = m->opt.gravity;
  MTH_QUAD(pass.body[0].acc) = (MthQuad){0, 0, 0, sign * gravity[0]};
  mth_store2(pass.body[0].acc + 4, sign * gravity[1], sign * gravity[2]);
  slp_share(m, d, rnePart, &pass);
  mj_freeStack(d);
}

void dyn_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc) {
  if (!m->nv) return;
  mj_markStack(d);
  mjtNum* Jdot = NULL;
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_armature[t]) continue;
    if (!Jdot) Jdot = mj_stackAllocNum(d, m->nv);
    kin_tendonDot(m, d, t, Jdot);
    const mjtNum coef = m->tendon_armature[t] * mth_dot(Jdot, d->qvel, m->nv);
    if (!coef) continue;
    if (kin_isSparse(m)) {
      const int adr = d->ten_J_rowadr[t];
      mth_addToSclScatter(qfrc, d->ten_J + adr, coef, d->ten_J_rownnz[t], d->ten_J_colind + adr);
    } else {
      mth_addToScl(qfrc, d->ten_J + t * m->nv, coef, m->nv);
    }
  }
  mj_freeStack(d);
}
