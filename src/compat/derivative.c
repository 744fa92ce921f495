// Velocity derivatives and steps under the reference's internal names.
#include "compat/engine.h"
#include "derivative/derivative.h"
#include "force/flex_passive.h"
#include "step/stages.h"
#include "math/simd/kernels.h"

//---------------------------------- analytic ----------------------------------

void mjd_smooth_vel(const mjModel* m, mjData* d, int flg_bias) {
  der_smoothVel(m, d, flg_bias);
}

void mjd_actuator_vel(const mjModel* m, mjData* d) {
  der_actuatorVel(m, d);
}

void mjd_passive_vel(const mjModel* m, mjData* d) {
  der_passiveVel(m, d);
}

void mjd_rne_vel_dense(const mjModel* m, mjData* d) {
  // everything counts as awake for the moment
  const int nbody = d->nbody_awake, nv = d->nv_awake;
  d->nbody_awake = (int)m->nbody;
  d->nv_awake = (int)m->nv;
  der_biasVel(m, d);
  d->nbody_awake = nbody;
  d->nv_awake = nv;
}

void mj_flexInterpState(const mjModel* m, mjData* d, int f, mjtNum* xpos, mjtNum* vel, mjtNum* quat) {
  frc_flexLocal(m, d, f, xpos, vel, quat);
}

void mjd_flexInterp_mulKD(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec, mjtNum h) {
  der_flexMulStiffness(m, d, res, vec, h);
}

void mjd_flexInterp_addH(const mjModel* m, mjData* d, mjtNum* H, const int* dof_indices, int ndof, mjtNum h) {
  der_flexAddStiffness(m, d, H, dof_indices, ndof, h);
}

//---------------------------------- finite differences ----------------------------------

// column col of qDeriv, where it has entries
static void setColumn(const mjModel* m, mjData* d, int col, const mjtNum* value) {
  for (int i = 0; i < m->nv; i++) {
    const int end = m->D_rowadr[i] + m->D_rownnz[i];
    for (int adr = m->D_rowadr[i]; adr < end; adr++) {
      if (m->D_colind[adr] == col) d->qDeriv[adr] = value[i];
    }
  }
}

// smooth forces when dof i moves faster by delta
static void nudgedForce(const mjModel* m, mjData* d, int i, mjtNum delta, mjtNum* force) {
  const mjtNum qvel = d->qvel[i];
  d->qvel[i] += delta;
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  d->qvel[i] = qvel;
  mth_add(force, d->qfrc_actuator, d->qfrc_passive, (int)m->nv);
  mth_subFrom(force, d->qfrc_bias, (int)m->nv);
}

void mjd_smooth_velFD(const mjModel* m, mjData* d, mjtNum eps) {
  const int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* plus = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* minus = mj_stackAllocNum(d, (size_t)nv);
  for (int i = 0; i < nv; i++) {
    nudgedForce(m, d, i, eps, plus);
    nudgedForce(m, d, i, -eps, minus);
    mth_subFrom(plus, minus, nv);
    mth_scl(plus, plus, 0.5 / eps, nv);
    setColumn(m, d, i, plus);
  }
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  mj_freeStack(d);
}

void mjd_passive_velFD(const mjModel* m, mjData* d, mjtNum eps) {
  const int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* before = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* slope = mj_stackAllocNum(d, (size_t)nv);
  mth_copy(before, d->qfrc_passive, nv);
  for (int i = 0; i < nv; i++) {
    const mjtNum qvel = d->qvel[i];
    d->qvel[i] += eps;
    mj_fwdVelocity(m, d);
    d->qvel[i] = qvel;
    mth_sub(slope, d->qfrc_passive, before, nv);
    mth_scl(slope, slope, 1 / eps, nv);
    setColumn(m, d, i, slope);
  }
  mj_fwdVelocity(m, d);
  mj_freeStack(d);
}

//---------------------------------- steps ----------------------------------

void mj_stepSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  stp_stepSkip(m, d, skipstage, skipsensor);
}

void mj_EulerSkip(const mjModel* m, mjData* d, int skipfactor) {
  stp_euler(m, d, skipfactor);
}

void mj_implicitSkip(const mjModel* m, mjData* d, int skipfactor) {
  stp_implicit(m, d, skipfactor);
}
