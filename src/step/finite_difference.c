// Derivatives of a whole step, and of inverse dynamics, by finite differences.
//
// Every input is nudged by eps in turn and only the stages that depend on it run again: controls and activations
// skip positions and velocities, velocities skip positions. Rows of the results belong to inputs; mjd_transitionFD
// transposes them into the matrices of control theory, x' = A x + B u, s = C x + D u.
#include <string.h>

#include "step/stages.h"
#include "math/simd/kernels.h"
#include "base/timer.h"
#include "model/anchor.h"

typedef enum { INPUT_POS, INPUT_VEL, INPUT_ACT, INPUT_CTRL } Input;

// stage up to which the results of the unperturbed step stay valid, by input
static const int SKIP[] = {mjSTAGE_NONE, mjSTAGE_POS, mjSTAGE_VEL, mjSTAGE_VEL};

// what one step leaves: state and sensors (NULL: not wanted)
typedef struct {
  mjtNum* state;
  mjtNum* sensor;
} Outcome;

typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  int centered;
  int skipsensor;
  unsigned int spec;  // parts of the state to restore after each step
  mjtNum* saved;
  MdlAnchor* anchor;  // what contacts remembered
  int nanchor;
  Outcome next, plus, minus;
} StepFd;

//---------------------------------- stepping ----------------------------------

void stp_stepSkip(const mjModel* m, mjData* d, int skip, int skipsensor) {
  const mjtNum start = bas_now();
  mj_checkPos(m, d);
  mj_checkVel(m, d);
  mj_forwardSkip(m, d, skip, skipsensor);
  mj_checkAcc(m, d);
  if (mjENABLED(mjENBL_FWDINV)) mj_compareFwdInv(m, d);
  switch (m->opt.integrator) {
    case mjINT_EULER:
      stp_euler(m, d, skip >= mjSTAGE_POS);
      break;
    case mjINT_RK4:
      mj_RungeKutta(m, d, 4);
      break;
    case mjINT_IMPLICIT:
    case mjINT_IMPLICITFAST:
      stp_implicit(m, d, skip >= mjSTAGE_VEL);
      break;
    default:
      mju_error("invalid integrator: %d", m->opt.integrator);
  }
  bas_timerEnd(d, mjTIMER_STEP, start);
}

// one step from the present state, then back to the saved one
static void stepAndRestore(StepFd* fd, int skip, Outcome* outcome) {
  const mjModel* m = fd->m;
  stp_stepSkip(m, fd->d, skip, fd->skipsensor);
  mj_getState(m, fd->d, outcome->state, mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT);
  if (outcome->sensor) mth_copy(outcome->sensor, fd->d->sensordata, (int)m->nsensordata);
  mj_setState(m, fd->d, fd->saved, (int)fd->spec);
  mdl_setAnchors(fd->d, fd->anchor, fd->nanchor);
}

// moves input i by delta
static void nudge(StepFd* fd, Input input, int i, mjtNum delta) {
  const mjModel* m = fd->m;
  mjData* d = fd->d;
  if (input == INPUT_VEL) {
    d->qvel[i] += delta;
  } else if (input == INPUT_ACT) {
    d->act[i] += delta;
  } else if (input == INPUT_CTRL) {
    d->ctrl[i] += delta;
  } else {
    mj_markStack(d);
    mjtNum* dpos = mj_stackAllocNum(d, (size_t)m->nv);
    mth_zero(dpos, (int)m->nv);
    dpos[i] = 1;
    mj_integratePos(m, d->qpos, dpos, delta);
    mj_freeStack(d);
  }
}

// 1: the nudged control stays within its range
static int nudgeAllowed(const StepFd* fd, Input input, int i, mjtNum delta) {
  const mjModel* m = fd->m;
  if (input != INPUT_CTRL || !m->actuator_ctrllimited[i]) return 1;
  const mjtNum *range = m->actuator_ctrlrange + 2 * i, ctrl = fd->d->ctrl[i];
  return ctrl >= range[0] && ctrl <= range[1] && ctrl + delta >= range[0] && ctrl + delta <= range[1];
}

//---------------------------------- differences ----------------------------------

// res = (b - a) / h
static void difference(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum h, int n) {
  const mjtNum inv = 1 / h;
  for (int i = 0; i < n; i++) res[i] = inv * (b[i] - a[i]);
}

// the same for states, with positions on their manifold
static void stateDifference(const mjModel* m, mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum h) {
  const int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na;
  if (nq == nv) {
    difference(res, a, b, h, nq + nv + na);
  } else {
    mj_differentiatePos(m, res, h, a, b);
    difference(res + nv, a + nq, b + nq, h, nv + na);
  }
}

// rows of one input: Dy of the next state and Ds of the sensors, either may be NULL
static void differenceInput(StepFd* fd, Input input, int i, mjtNum* Dy, mjtNum* Ds) {
  const mjModel* m = fd->m;
  const int ns = (int)m->nsensordata, ndx = 2 * (int)m->nv + (int)m->na;

  // forward, and backward when that is asked for or the only way
  const int forward = nudgeAllowed(fd, input, i, fd->eps);
  if (forward) {
    nudge(fd, input, i, fd->eps);
    stepAndRestore(fd, SKIP[input], &fd->plus);
  }
  const int backward = (fd->centered || !forward) && nudgeAllowed(fd, input, i, -fd->eps);
  if (backward) {
    nudge(fd, input, i, -fd->eps);
    stepAndRestore(fd, SKIP[input], &fd->minus);
  }

  // no way to move: zero
  if (!forward && !backward) {
    if (Dy) mth_zero(Dy, ndx);
    if (Ds) mth_zero(Ds, ns);
    return;
  }
  const Outcome* low = backward ? &fd->minus : &fd->next;
  const Outcome* high = forward ? &fd->plus : &fd->next;
  const mjtNum h = forward && backward ? 2 * fd->eps : fd->eps;
  if (Dy) stateDifference(m, Dy, low->state, high->state, h);

  // centred differences of sensors with respect to controls have the opposite sign in the reference: kept, so that
  // programs that correct for it keep working
  const int flipped = input == INPUT_CTRL && forward && backward;
  if (Ds) difference(Ds, low->sensor, high->sensor, flipped ? -h : h, ns);
}

// rows of n inputs of one kind; the matrices have one row per input
static void differenceInputs(StepFd* fd, Input input, int n, mjtNum* Dy, mjtNum* Ds) {
  if (!Dy && !Ds) return;
  const int ns = (int)fd->m->nsensordata, ndx = 2 * (int)fd->m->nv + (int)fd->m->na;
  for (int i = 0; i < n; i++) differenceInput(fd, input, i, Dy ? Dy + i * ndx : NULL, Ds ? Ds + i * ns : NULL);
}

static Outcome newOutcome(StepFd* fd) {
  const mjModel* m = fd->m;
  Outcome outcome = {.state = mj_stackAllocNum(fd->d, (size_t)(m->nq + m->nv + m->na))};
  if (!fd->skipsensor) outcome.sensor = mj_stackAllocNum(fd->d, (size_t)m->nsensordata);
  return outcome;
}

//---------------------------------- public functions ----------------------------------

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B, mjtNum* C,
                      mjtNum* D) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mjd_transitionFD: RK4 integrator is not supported");
    return;
  }
  if (m->nhistory) {
    mju_error("mjd_transitionFD: delays are not supported");
    return;
  }
  const int nv = (int)m->nv, na = (int)m->na, nu = (int)m->nu, ns = (int)m->nsensordata, ndx = 2 * nv + na;
  mj_markStack(d);

  // transposed results: one row per input
  mjtNum* AT = A ? mj_stackAllocNum(d, (size_t)ndx * (size_t)ndx) : NULL;
  mjtNum* BT = B ? mj_stackAllocNum(d, (size_t)nu * (size_t)ndx) : NULL;
  mjtNum* CT = C ? mj_stackAllocNum(d, (size_t)ndx * (size_t)ns) : NULL;
  mjtNum* DT = D ? mj_stackAllocNum(d, (size_t)nu * (size_t)ns) : NULL;

  // everything that a step changes; the warm start only matters when it is used
  StepFd fd = {.m = m, .d = d, .eps = eps, .centered = flg_centered, .skipsensor = !C && !D};
  fd.spec = mjSTATE_FULLPHYSICS | mjSTATE_CTRL | (mjDISABLED(mjDSBL_WARMSTART) ? 0 : mjSTATE_WARMSTART);
  fd.saved = mj_stackAllocNum(d, (size_t)mj_stateSize(m, (int)fd.spec));
  mj_getState(m, d, fd.saved, (int)fd.spec);
  MdlAnchors* const anchors = mdl_section(d, MDL_ANCHORS);
  fd.nanchor = anchors->count;
  fd.anchor = mj_stackAllocByte(d, sizeof(MdlAnchor) * (size_t)fd.nanchor + 1, _Alignof(MdlAnchor));
  memcpy(fd.anchor, mdl_anchor(anchors), sizeof(MdlAnchor) * (size_t)fd.nanchor);
  fd.next = newOutcome(&fd);
  fd.plus = newOutcome(&fd);
  fd.minus = newOutcome(&fd);
  stepAndRestore(&fd, mjSTAGE_NONE, &fd.next);

  // later stages first: each kind of input leaves the stages before it as the unperturbed step made them
  differenceInputs(&fd, INPUT_CTRL, nu, BT, DT);
  differenceInputs(&fd, INPUT_ACT, na, A ? AT + 2 * nv * ndx : NULL, C ? CT + 2 * nv * ns : NULL);
  differenceInputs(&fd, INPUT_VEL, nv, A ? AT + nv * ndx : NULL, C ? CT + nv * ns : NULL);
  differenceInputs(&fd, INPUT_POS, nv, AT, CT);

  if (A) mju_transpose(A, AT, ndx, ndx);
  if (B) mju_transpose(B, BT, nu, ndx);
  if (C) mju_transpose(C, CT, ndx, ns);
  if (D) mju_transpose(D, DT, nu, ns);
  mj_freeStack(d);
}

//---------------------------------- inverse dynamics ----------------------------------

// outputs at the centre
typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum eps;
  int actuation;  // subtract the actuator forces
  int skipsensor;
  mjtNum *force, *plus, *sensor, *inertia;
} InverseFd;

// inverse dynamics from a stage on
static void inverseSkip(InverseFd* fd, int skip, mjtNum* force) {
  const int nv = (int)fd->m->nv;
  mj_inverseSkip(fd->m, fd->d, skip, fd->skipsensor);
  mth_copy(force, fd->d->qfrc_inverse, nv);
  if (fd->actuation) {
    mj_fwdActuation(fd->m, fd->d);
    mth_subFrom(force, fd->d->qfrc_actuator, nv);
  }
}

// rows i of the Jacobians after one input was nudged; NULL: not wanted
static void inverseRow(InverseFd* fd, int skip, int i, mjtNum* Df, mjtNum* Ds) {
  const int nv = (int)fd->m->nv, ns = (int)fd->m->nsensordata;
  inverseSkip(fd, skip, fd->plus);
  if (Df) difference(Df + i * nv, fd->force, fd->plus, fd->eps, nv);
  if (Ds) difference(Ds + i * ns, fd->sensor, fd->d->sensordata, fd->eps, ns);
}

// nudges each element of an array of the state in turn
static void inverseRows(InverseFd* fd, int skip, mjtNum* input, mjtNum* Df, mjtNum* Ds) {
  if (!Df && !Ds) return;
  for (int i = 0; i < fd->m->nv; i++) {
    const mjtNum saved = input[i];
    input[i] += fd->eps;
    inverseRow(fd, skip, i, Df, Ds);
    input[i] = saved;
  }
}

static void inversePositionRows(InverseFd* fd, mjtNum* DfDq, mjtNum* DsDq, mjtNum* DmDq) {
  if (!DfDq && !DsDq && !DmDq) return;
  const mjModel* m = fd->m;
  mjData* d = fd->d;
  const int nq = (int)m->nq, nv = (int)m->nv, nM = (int)m->nM;
  mjtNum* pos = mj_stackAllocNum(d, (size_t)nq);
  mjtNum* dpos = mj_stackAllocNum(d, (size_t)nv);
  mth_copy(pos, d->qpos, nq);
  for (int i = 0; i < nv; i++) {
    mth_zero(dpos, nv);
    dpos[i] = 1;
    mj_integratePos(m, d->qpos, dpos, fd->eps);
    inverseRow(fd, mjSTAGE_NONE, i, DfDq, DsDq);
    if (DmDq) difference(DmDq + i * nM, fd->inertia, d->qM, fd->eps, nM);
    mth_copy(d->qpos, pos, nq);
  }
}

// The parameters are the public interface's.
void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  if (m->opt.integrator == mjINT_RK4) {
    mju_error("mjd_inverseFD: RK4 integrator is not supported");
    return;
  }
  if (m->opt.noslip_iterations) {
    mju_error("mjd_inverseFD: noslip solver is not supported");
    return;
  }
  mj_markStack(d);
  InverseFd fd = {.m = m, .d = d, .eps = eps, .actuation = flg_actuation, .skipsensor = !DsDq && !DsDv && !DsDa};
  fd.force = mj_stackAllocNum(d, (size_t)m->nv);
  fd.plus = mj_stackAllocNum(d, (size_t)m->nv);
  fd.sensor = mj_stackAllocNum(d, (size_t)m->nsensordata);
  fd.inertia = mj_stackAllocNum(d, (size_t)m->nM);

  // outputs at the centre, then each input, the latest stage first
  inverseSkip(&fd, mjSTAGE_NONE, fd.force);
  mth_copy(fd.sensor, d->sensordata, (int)m->nsensordata);
  mth_copy(fd.inertia, d->qM, (int)m->nM);
  inverseRows(&fd, mjSTAGE_VEL, d->qacc, DfDa, DsDa);
  inverseRows(&fd, mjSTAGE_POS, d->qvel, DfDv, DsDv);
  inversePositionRows(&fd, DfDq, DsDq, DmDq);
  mj_freeStack(d);
}
