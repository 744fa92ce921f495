// One step of simulation: check the state, forward dynamics, integrate.
#include "base/timer.h"
#include "kinematics/still.h"
#include "math/pair.h"
#include "step/stages.h"
#include "model/hooks.h"
#include "sleep/sleep.h"

//---------------------------------- checks ----------------------------------

// index of the first value that is not a usable number, -1: all are
static int firstBad(const mjtNum* value, mjtSize n) {
  if (mth_allWithin(value, (int)n, mjMAXVAL)) return -1;
  int i = 0;
  while (!mju_isBad(value[i])) i++;
  return i;
}

// reports a bad state and, unless switched off, starts again from the initial one. The warning is counted once more
// behind the reset, which forgot it: its number is 1 after any fresh start and grows by two where there is none
static int recover(const mjModel* m, mjData* d, int warning, int index) {
  mj_warning(d, warning, index);
  const int fresh = !(m->opt.disableflags & mjDSBL_AUTORESET);
  if (fresh) mj_resetData(m, d);
  d->warning[warning].number++;
  d->warning[warning].lastinfo = index;
  return fresh;
}

void mj_checkPos(const mjModel* m, mjData* d) {
  const int bad = firstBad(d->qpos, m->nq);
  if (bad >= 0) recover(m, d, mjWARN_BADQPOS, bad);
}

void mj_checkVel(const mjModel* m, mjData* d) {
  const int bad = firstBad(d->qvel, m->nv);
  if (bad >= 0) recover(m, d, mjWARN_BADQVEL, bad);
}

void mj_checkAcc(const mjModel* m, mjData* d) {
  if (slp_settledWithin(m, d, mjMAXVAL)) return;
  const int bad = firstBad(d->qacc, m->nv);
  if (bad >= 0 && recover(m, d, mjWARN_BADQACC, bad)) mj_forward(m, d);
}

// Positions and velocities at the start of a step. While trees sleep this is also the look at what sleeps, which
// kinematics and waking need not repeat: nobody comes in between.
static void checkState(const mjModel* m, mjData* d) {
  if (slp_dofs(m, d).list && !slp_isStill(d)) {
    const KinLook look = kin_lookAtSleepers(m, d);
    if (look != KIN_BAD && slp_lookAtVelocities(m, d, mjMAXVAL)) {
      slp_setStill(d, look == KIN_SETTLED);
      return;
    }
  }
  mj_checkPos(m, d);
  mj_checkVel(m, d);
}

// 1: from the solver to the end of the step nobody but us writes accelerations
static int ownsAccelerations(const mjModel* m, const mjData* d) {
  return slp_enabled(m) && m->opt.integrator != mjINT_RK4 && !(m->opt.enableflags & mjENBL_FWDINV) && !m->nplugin &&
         !m->nhistory && !mdl_hooks(d)->sensor && !mjcb_sensor;
}

//---------------------------------- whole steps ----------------------------------

void stp_step(const mjModel* m, mjData* d, StpReaders readers) {
  const mjtNum start = bas_now();
  checkState(m, d);
  slp_openOutputs(d, ownsAccelerations(m, d));
  stp_forward(m, d, mjSTAGE_NONE, readers);
  mj_checkAcc(m, d);
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);

  switch (m->opt.integrator) {
    case mjINT_EULER:
      mj_Euler(m, d);
      break;
    case mjINT_RK4:
      mj_RungeKutta(m, d, 4);
      break;
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST:
      mj_implicit(m, d);
      break;
    default:
      mju_error("mj_step: invalid integrator: %d", m->opt.integrator);
  }
  slp_openOutputs(d, 0);
  bas_timerEnd(d, mjTIMER_STEP, start);
}

void mj_step(const mjModel* m, mjData* d) {
  stp_step(m, d, STP_ALL);
}

void mj_step1(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  checkState(m, d);
  stp_positionStage(m, d, STP_ALL);
  stp_velocityStage(m, d, 0);
  if (!(m->opt.disableflags & mjDSBL_ACTUATION)) mdl_callControl(m, d);
  bas_timerEnd(d, mjTIMER_STEP, start);
}

void mj_step2(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  slp_openOutputs(d, ownsAccelerations(m, d));
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  mj_sensorAcc(m, d);
  mj_checkAcc(m, d);
  if (m->opt.enableflags & mjENBL_FWDINV) mj_compareFwdInv(m, d);

  // Runge-Kutta would have to run the first half again, so it becomes Euler
  if (m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST) {
    mj_implicit(m, d);
  } else {
    mj_Euler(m, d);
  }
  slp_openOutputs(d, 0);

  // both halves count as one step
  bas_timerAdd(d, mjTIMER_STEP, start);
}
