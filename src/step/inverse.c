// Inverse dynamics: the force that makes a given acceleration happen,
//   qfrc_inverse = M qacc + bias - passive - constraint.
//
// Constraint forces follow from the acceleration in closed form, without a solver: the reference acceleration and the
// impedance turn J qacc - aref into forces.
#include <mujoco/mujoco.h>

#include "base/timer.h"
#include "derivative/derivative.h"
#include "dynamics/dynamics.h"
#include "math/simd/kernels.h"
#include "math/sparse.h"
#include "math/vec.h"

//---------------------------------- stages ----------------------------------

void mj_invPosition(const mjModel* m, mjData* d) {
  const mjtNum begin = bas_now();
  d->flg_energypos = 0;
  mj_fwdKinematics(m, d);
  bas_timerEnd(d, mjTIMER_POS_KINEMATICS, begin);

  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);

  mjtNum start = bas_now();
  mj_makeConstraint(m, d);
  bas_timerEnd(d, mjTIMER_POS_MAKE, start);

  start = bas_now();
  mj_transmission(m, d);
  bas_timerAdd(d, mjTIMER_POS_KINEMATICS, start);
  bas_timerEnd(d, mjTIMER_POSITION, begin);
}

void mj_invVelocity(const mjModel* m, mjData* d) {
  mj_fwdVelocity(m, d);
}

void mj_invConstraint(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  if (d->nefc) {
    mj_markStack(d);
    mjtNum* jar = mj_stackAllocNum(d, (size_t)d->nefc);
    mj_mulJacVec(m, d, jar, d->qacc);
    mth_subFrom(jar, d->efc_aref, d->nefc);
    mj_constraintUpdate(m, d, jar, NULL, 0);
    mj_freeStack(d);
  } else {
    mth_zero(d->qfrc_constraint, (int)m->nv);
  }
  bas_timerEnd(d, mjTIMER_CONSTRAINT, start);
}

//---------------------------------- discrete time ----------------------------------

// 1: Euler treats joint damping implicitly in this model. The flag that switches dampers off does not count here,
// though it does when Euler integrates: so it is in the reference
static int eulerIsImplicit(const mjModel* m) {
  if (m->opt.disableflags & mjDSBL_EULERDAMP) return 0;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] > 0) return 1;
  }
  return 0;
}

// force that the integrator's own matrix gives to the acceleration it observed: (M - h D) qacc; 0: it is M qacc
static int discreteForce(const mjModel* m, mjData* d, mjtNum* qfrc) {
  const int nv = (int)m->nv;
  const mjtNum h = m->opt.timestep;
  if (m->opt.integrator == mjINT_EULER) {
    if (!eulerIsImplicit(m)) return 0;
    mj_mulM(m, d, qfrc, d->qacc);
    for (int i = 0; i < nv; i++) qfrc[i] += h * m->dof_damping[i] * d->qacc[i];
    return 1;
  }
  if (m->opt.integrator == mjINT_IMPLICIT) {
    der_smoothVel(m, d, 1);
    const MthPattern D = {nv, nv, m->D_rownnz, m->D_rowadr, m->D_colind, NULL};
    mjtNum* product = mj_stackAllocNum(d, (size_t)nv);
    mth_mulMatVecSparse(product, d->qDeriv, d->qacc, &D);
    mj_mulM(m, d, qfrc, d->qacc);
    mth_addToScl(qfrc, product, -h, nv);
    return 1;
  }

  // the fast variant keeps the lower triangle and takes the matrix for symmetric
  der_smoothVel(m, d, 0);
  mjtNum* H = mj_stackAllocNum(d, (size_t)m->nC);
  for (int i = 0; i < m->nC; i++) H[i] = d->M[i] - h * d->qDeriv[m->mapD2M[i]];
  const MthPattern M = {nv, nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL};
  mth_mulSymVecSparse(qfrc, H, d->qacc, &M);
  return 1;
}

// replaces the difference of velocities by the acceleration of continuous time that led to it
static void discreteAcc(const mjModel* m, mjData* d) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mj_inverse: discrete inverse dynamics is not supported by RK4 integrator");
    return;
  }
  mj_markStack(d);
  mjtNum* qfrc = mj_stackAllocNum(d, (size_t)m->nv);
  if (discreteForce(m, d, qfrc)) mj_solveM(m, d, d->qacc, qfrc, 1);
  mj_freeStack(d);
}

//---------------------------------- whole inverse ----------------------------------

static void positionPart(const mjModel* m, mjData* d, int skipsensor) {
  mj_invPosition(m, d);
  if (!skipsensor) mj_sensorPos(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energypos) mj_energyPos(m, d);
}

static void velocityPart(const mjModel* m, mjData* d, int skipsensor) {
  mj_invVelocity(m, d);
  if (!skipsensor) mj_sensorVel(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energyvel) mj_energyVel(m, d);
}

void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  const mjtNum start = bas_now();
  const int nv = (int)m->nv;
  mj_markStack(d);
  if (skipstage < mjSTAGE_POS) positionPart(m, d, skipsensor);
  if (skipstage < mjSTAGE_VEL) velocityPart(m, d, skipsensor);

  // discrete time: work with the continuous acceleration, give the caller's back at the end
  mjtNum* given = mj_stackAllocNum(d, (size_t)nv);
  mth_copy(given, d->qacc, nv);
  if (m->opt.enableflags & mjENBL_INVDISCRETE) discreteAcc(m, d);

  mj_invConstraint(m, d);
  if (!skipsensor) {
    d->flg_rnepost = 0;
    mj_sensorAcc(m, d);
  }

  // M holds the armature of dofs and, within a tree, of tendons: the product is what forward dynamics solved for
  mjtNum* inertial = mj_stackAllocNum(d, (size_t)nv);
  mj_mulM(m, d, inertial, d->qacc);
  mj_rne(m, d, 0, d->qfrc_inverse);
  dyn_tendonBias(m, d, d->qfrc_inverse);
  for (int i = 0; i < nv; i++) d->qfrc_inverse[i] += inertial[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];

  mth_copy(d->qacc, given, nv);
  mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_INVERSE, start);
}

void mj_inverse(const mjModel* m, mjData* d) {
  mj_inverseSkip(m, d, mjSTAGE_NONE, 0);
}

// size of a − b; a is overwritten
static mjtNum distance(mjtNum* a, const mjtNum* b, int n) {
  mth_subFrom(a, b, n);
  return mju_norm(a, n);
}

// Forward dynamics went from applied forces to accelerations; inverse dynamics goes back and should arrive at the same
// constraint forces and at the same applied forces. What forward dynamics found stays in d.
void mj_compareFwdInv(const mjModel* m, mjData* d) {
  mth_zero(d->solver_fwdinv, 2);
  if (!d->nefc) return;
  const int nv = (int)m->nv, nefc = d->nefc;
  mj_markStack(d);
  mjtNum *there = mj_stackAllocNum(d, 2 * (size_t)nv + (size_t)nefc), *force = there + nv, *back = force + nefc;
  mth_copy(there, d->qfrc_constraint, nv);
  mth_copy(force, d->efc_force, nefc);
  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);

  // constraint forces: compare, and put the old ones back
  mth_copy(back, there, nv);
  d->solver_fwdinv[0] = distance(back, d->qfrc_constraint, nv);
  mth_copy(d->qfrc_constraint, there, nv);
  mth_copy(d->efc_force, force, nefc);

  // applied forces
  mth_add(there, d->qfrc_applied, d->qfrc_actuator, nv);
  SlpRange bodies = slp_bodies(m, d);
  bodies.first = 1;
  dyn_addXfrc(m, d, there, &bodies);
  d->solver_fwdinv[1] = distance(there, d->qfrc_inverse, nv);
  mj_freeStack(d);
}
