// Length ranges of actuators: pulls each actuator to both ends by simulation and records how short and long it gets.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "math/elem.h"

// 1: the mode asks for this kind of actuator
static int isWanted(const mjModel* m, int id, int mode) {
  const int muscle = m->actuator_gaintype[id] == mjGAIN_MUSCLE || m->actuator_biastype[id] == mjBIAS_MUSCLE;
  const int user = m->actuator_gaintype[id] == mjGAIN_USER || m->actuator_biastype[id] == mjBIAS_USER;
  return mode == mjLRMODE_ALL || (mode == mjLRMODE_MUSCLEUSER && (muscle || user)) ||
         (mode == mjLRMODE_MUSCLE && muscle);
}

// range of the joint or tendon when it is limited; NULL: none
static const mjtNum* limitOf(const mjModel* m, int id) {
  const int type = m->actuator_trntype[id], target = m->actuator_trnid[2 * id];
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) {
    return m->jnt_limited[target] ? m->jnt_range + 2 * target : NULL;
  }
  if (type == mjTRN_TENDON) return m->tendon_limited[target] ? m->tendon_range + 2 * target : NULL;
  return NULL;
}

// One step of pulling along the actuator's moment, with velocities decaying by the option's time constant. sign: -1
// makes it shorter, +1 longer. Returns the length.
static mjtNum pull(const mjModel* m, mjData* d, int id, int sign, const mjLROpt* opt) {
  const int nv = (int)m->nv;
  mju_scl(d->qvel, d->qvel, mth_exp(-m->opt.timestep / fmax(0.01, opt->timeconst)), nv);
  mj_step1(m, d);

  // the force that gives the wanted acceleration
  mj_markStack(d);
  mjtNum* const moment = mj_stackAllocNum(d, (size_t)nv);
  memset(moment, 0, (size_t)nv * sizeof(mjtNum));
  for (int k = d->moment_rowadr[id]; k < d->moment_rowadr[id] + d->moment_rownnz[id]; k++) {
    moment[d->moment_colind[k]] = d->actuator_moment[k];
  }
  mjtNum* const force = d->qfrc_applied;
  mj_solveM(m, d, force, moment, 1);
  mju_scl(force, moment, sign * opt->accel / fmax(mjMINVAL, mju_norm(force, nv)), nv);
  const mjtNum size = mju_norm(force, nv);
  if (opt->maxforce > 0 && size > opt->maxforce) mju_scl(force, force, opt->maxforce / fmax(mjMINVAL, size), nv);
  mj_step2(m, d);
  mj_freeStack(d);
  return d->actuator_length[id];
}

// lengths seen at the end of a simulation
typedef struct {
  mjtNum low, high;
} Seen;

// 0: the simulation became unstable
static int simulate(const mjModel* m, mjData* d, int id, int sign, const mjLROpt* opt, Seen* seen) {
  int updated = 0;
  seen->low = seen->high = 0;
  mj_resetData(m, d);
  while (d->time < opt->inttotal) {
    const mjtNum before = d->time, length = pull(m, d, id, sign, opt);

    // a reset puts the clock back, wherever in the step it happens
    if (!(d->time > before)) return 0;
    if (d->time <= opt->inttotal - opt->interval) continue;
    if (!updated || length < seen->low) seen->low = length;
    if (!updated || length > seen->high) seen->high = length;
    updated = 1;
  }
  return 1;
}

int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz) {
  if (index < 0 || index >= m->nu) {
    mju_error("mj_setLengthRange: invalid actuator index");
    return 0;
  }
  mjtNum* const range = m->actuator_lengthrange + 2 * index;
  if (!isWanted(m, index, opt->mode) || (opt->useexisting && range[0] < range[1])) return 1;
  const mjtNum* const limit = opt->uselimit ? limitOf(m, index) : NULL;
  if (limit) {
    memcpy(range, limit, 2 * sizeof(mjtNum));
    return 1;
  }

  // both ends
  Seen seen[2];
  for (int side = 0; side < 2; side++) {
    if (!simulate(m, d, index, 2 * side - 1, opt, &seen[side])) {
      snprintf(error, (size_t)error_sz, "Unstable lengthrange simulation in actuator %d", index);
      return 0;
    }

    // the second pull starts with the first end known: forces of muscles depend on it
    range[side] = side ? seen[side].high : seen[side].low;
  }

  // what is still moving has not converged
  const mjtNum width = range[1] - range[0];
  if (width <= 0) {
    snprintf(error, (size_t)error_sz, "Invalid lengthrange (%g, %g) in actuator %d", range[0], range[1], index);
    return 0;
  }
  for (int side = 0; side < 2; side++) {
    if (seen[side].high - seen[side].low <= opt->tolrange * width) continue;
    snprintf(error, (size_t)error_sz,
             "Lengthrange computation did not converge in actuator %d:\n  eval (%g, %g)\n  range (%g, %g)", index,
             seen[side].low, seen[side].high, range[0], range[1]);
    return 0;
  }
  return 1;
}
