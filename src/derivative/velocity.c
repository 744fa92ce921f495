// Velocity derivatives of actuators, dampers, medium and Coriolis forces, written straight into qDeriv.
//
// A force along a row J with strength b·(J q̇) gives the outer product b JᵀJ, restricted to the structure of qDeriv:
// entries that couple different trees are dropped.
#include "derivative/derivative.h"

#include <math.h>

#include "force/actuator.h"
#include "force/fluid.h"
#include "kinematics/jacobian.h"
#include "math/numeric.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "model/hooks.h"
#include "sleep/sleep.h"

// qDeriv += b J'J for a sparse row with increasing columns
static void addOuter(const mjModel* m, mjData* d, const mjtNum* J, const int* ind, int nnz, mjtNum b) {
  // one dof: the diagonal
  if (nnz == 1) {
    d->qDeriv[m->D_rowadr[ind[0]] + m->D_diag[ind[0]]] += J[0] * b * J[0];
    return;
  }
  for (int k = 0; k < nnz; k++) {
    const int row = ind[k], adr = m->D_rowadr[row], end = adr + m->D_rownnz[row];
    const mjtNum scale = J[k] * b;
    if (scale == 0) continue;

    // match the columns of J with those of the row
    for (int s = adr, j = 0; s < end && j < nnz;) {
      if (m->D_colind[s] == ind[j]) {
        d->qDeriv[s++] += scale * J[j++];
      } else if (m->D_colind[s] < ind[j]) {
        s++;
      } else {
        j++;
      }
    }
  }
}

// the same for a row whose columns are runs of three, each with a block of its own in qDeriv; 0: they are not
static int addTriples(const mjModel* m, mjData* d, const mjtNum* J, const int* ind, int nnz, mjtNum b) {
  if (nnz % 3) return 0;
  for (int k = 0; k < nnz; k += 3) {
    for (int r = 0; r < 3; r++) {
      const int row = ind[k + r];
      if (m->D_rownnz[row] != 3 || m->D_colind[m->D_rowadr[row]] != ind[k] || row != ind[k] + r) return 0;
    }
  }
  for (int k = 0; k < nnz; k++) {
    mjtNum* const row = d->qDeriv + m->D_rowadr[ind[k]];
    const mjtNum scale = J[k] * b, *const J3 = J + (k - k % 3);
    for (int j = 0; j < 3; j++) row[j] += scale * J3[j];
  }
  return 1;
}

//---------------------------------- actuators ----------------------------------

// derivative of mju_muscleGain with respect to velocity; prm = (range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax)
static mjtNum muscleGainVel(const mjModel* m, const mjData* d, int id, const mjtNum prm[9]) {
  // scales of force, length and velocity
  const mjtNum* range = m->actuator_lengthrange + 2 * id;
  const mjtNum force = prm[2] < 0 ? prm[3] / mth_max(mjMINVAL, m->actuator_acc0[id]) : prm[2];
  const mjtNum L0 = (range[1] - range[0]) / mth_max(mjMINVAL, prm[1] - prm[0]);
  const mjtNum L = prm[0] + (d->actuator_length[id] - range[0]) / mth_max(mjMINVAL, L0);
  const mjtNum unit = mth_max(mjMINVAL, L0 * prm[6]), V = d->actuator_velocity[id] / unit;

  // slope of the velocity curve: two parabolas between constants
  const mjtNum knee = prm[8] - 1;
  mjtNum slope = 0;
  if (V > -1 && V <= 0) {
    slope = 2 * V + 2;
  } else if (V > 0 && V <= knee) {
    slope = (2 * knee - 2 * V) / mth_max(mjMINVAL, knee);
  }
  return -force * mth_muscleGainLength(L, prm[4], prm[5]) * slope / unit;
}

// derivative of an actuator's force with respect to its velocity
static mjtNum forceVel(const mjModel* m, const mjData* d, int id) {
  const mjtNum* gainprm = m->actuator_gainprm + mjNGAIN * id;
  mjtNum slope = m->actuator_biastype[id] == mjBIAS_AFFINE ? m->actuator_biasprm[mjNBIAS * id + 2] : 0;

  // the gain multiplies the control or the activation
  mjtNum gain = 0;
  if (m->actuator_gaintype[id] == mjGAIN_AFFINE) {
    gain = gainprm[2];
  } else if (m->actuator_gaintype[id] == mjGAIN_MUSCLE) {
    gain = muscleGainVel(m, d, id, gainprm);
  }
  if (gain != 0) {
    slope += gain * (m->actuator_dyntype[id] == mjDYN_NONE ? d->ctrl[id] : frc_activation(m, d, id));
  }
  return slope;
}

// derivative of the force of hooks that stand for gain and bias: their own, or by differences
__attribute__((noinline)) static mjtNum hookVel(const mjModel* m, mjData* d, int id) {
  const snHooks* hooks = mdl_hooks(d);
  const int gain = m->actuator_gaintype[id] == mjGAIN_USER && hooks->act_gain;
  const int bias = m->actuator_biastype[id] == mjBIAS_USER && hooks->act_bias;
  if (!gain && !bias) return 0;
  if (hooks->act_vel) return hooks->act_vel(m, d, id, hooks->context);
  const mjtNum input = m->actuator_dyntype[id] == mjDYN_NONE ? frc_control(m, d, id, !mjDISABLED(mjDSBL_CLAMPCTRL))
                                                             : d->act[frc_lastAct(m, id)];
  const mjtNum now = d->actuator_velocity[id], step = FRC_DIFFERENCE * mth_max(1, fabs(now));
  mjtNum force[2];
  for (int k = 0; k < 2; k++) {
    d->actuator_velocity[id] = k ? now - step : now + step;
    force[k] = (gain ? hooks->act_gain(m, d, id, hooks->context) * input : 0) +
               (bias ? hooks->act_bias(m, d, id, hooks->context) : 0);
  }
  d->actuator_velocity[id] = now;
  return (force[0] - force[1]) / (2 * step);
}

// derivative of an actuator's force with respect to its velocity, whatever makes the force
static inline mjtNum anyForceVel(const mjModel* m, mjData* d, int id, const PhySection* physics) {
  const PhySetting* setting = phy_actuationOf(physics, id);
  if (setting) return frc_chosenForceVel(m, d, setting, frc_control(m, d, id, !mjDISABLED(mjDSBL_CLAMPCTRL)));
  const mjtNum slope = forceVel(m, d, id);
  return m->actuator_gaintype[id] == mjGAIN_USER || m->actuator_biastype[id] == mjBIAS_USER ? slope + hookVel(m, d, id)
                                                                                            : slope;
}

// 1: the force is at the end of its range and does not follow the velocity
static int isSaturated(const mjModel* m, const mjData* d, int id) {
  const mjtNum *range = m->actuator_forcerange + 2 * id, force = d->actuator_force[id];
  return m->actuator_forcelimited[id] && (force <= range[0] || force >= range[1]);
}

void der_actuatorVel(const mjModel* m, mjData* d) {
  if (mjDISABLED(mjDSBL_ACTUATION)) return;
  const int filter = slp_dofs(m, d).list != NULL;
  const PhySection* physics = m->nu ? phy_open(m, d) : NULL;
  for (int i = 0; i < m->nu; i++) {
    if (frc_actuatorDisabled(m, i) || isSaturated(m, d, i)) continue;
    if (filter && slp_state(m, d, mjOBJ_ACTUATOR, i) == mjS_ASLEEP) continue;
    const mjtNum slope = anyForceVel(m, d, i, physics);
    const int adr = d->moment_rowadr[i];
    if (slope != 0) addOuter(m, d, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[i], slope);
  }
}

//---------------------------------- passive forces ----------------------------------

static void flexEdgeDamping(const mjModel* m, mjData* d) {
  for (int f = 0; f < m->nflex; f++) {
    const mjtNum damping = m->flex_edgedamping[f];
    if (m->flex_rigid[f] || damping == 0) continue;
    const int first = m->flex_edgeadr[f];
    for (int e = first; e < first + m->flex_edgenum[f]; e++) {
      const int adr = m->flexedge_J_rowadr[e];
      const mjtNum* J = d->flexedge_J + adr;
      const int *ind = m->flexedge_J_colind + adr, nnz = m->flexedge_J_rownnz[e];
      if (m->flexedge_rigid[e] || addTriples(m, d, J, ind, nnz, -damping)) continue;
      addOuter(m, d, J, ind, nnz, -damping);
    }
  }
}

// dense tendon rows are packed first
static void denseTendon(const mjModel* m, mjData* d, int tendon, mjtNum damping) {
  const int nv = (int)m->nv;
  const mjtNum* J = d->ten_J + (size_t)tendon * (size_t)nv;
  mj_markStack(d);
  mjtNum* val = mj_stackAllocNum(d, (size_t)nv);
  int* ind = mj_stackAllocInt(d, (size_t)nv);
  int nnz = 0;
  for (int i = 0; i < nv; i++) {
    if (J[i] == 0) continue;
    ind[nnz] = i;
    val[nnz++] = J[i];
  }
  addOuter(m, d, val, ind, nnz, -damping);
  mj_freeStack(d);
}

static void tendonDamping(const mjModel* m, mjData* d) {
  const int filter = slp_dofs(m, d).list != NULL, sparse = kin_isSparse(m);
  for (int i = 0; i < m->ntendon; i++) {
    const mjtNum damping = m->tendon_damping[i];
    if (damping == 0 || (filter && slp_state(m, d, mjOBJ_TENDON, i) != mjS_AWAKE)) continue;
    if (sparse) {
      const int adr = d->ten_J_rowadr[i];
      addOuter(m, d, d->ten_J + adr, d->ten_J_colind + adr, d->ten_J_rownnz[i], -damping);
    } else {
      denseTendon(m, d, i, damping);
    }
  }
}

// dampers of dofs, edges and tendons
static void damping(const mjModel* m, mjData* d) {
  if (mjDISABLED(mjDSBL_DAMPER)) return;
  const SlpRange dofs = slp_dofs(m, d);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    d->qDeriv[m->D_rowadr[i] + m->D_diag[i]] -= m->dof_damping[i];
  }
  flexEdgeDamping(m, d);
  tendonDamping(m, d);
}

// 1: the medium acts, which needs springs or dampers to be enabled
static int fluidActs(const mjModel* m) {
  return frc_hasFluid(m) && !(mjDISABLED(mjDSBL_SPRING) && mjDISABLED(mjDSBL_DAMPER));
}

void der_passiveVel(const mjModel* m, mjData* d) {
  der_bodyVel(m, d, fluidActs(m), 0);
  damping(m, d);
}

void der_biasVel(const mjModel* m, mjData* d) {
  der_bodyVel(m, d, 0, 1);
}

//---------------------------------- all ----------------------------------

void der_smoothVel(const mjModel* m, mjData* d, int bias) {
  // clear the rows of awake dofs
  const SlpRange dofs = slp_dofs(m, d);
  if (!dofs.list) {
    mth_zero(d->qDeriv, (int)m->nD);
  } else {
    for (int v = 0; v < dofs.n; v++) mth_zero(d->qDeriv + m->D_rowadr[dofs.list[v]], m->D_rownnz[dofs.list[v]]);
  }

  // forces along rows, then those on bodies in one pass
  der_actuatorVel(m, d);
  damping(m, d);
  der_bodyVel(m, d, fluidActs(m), bias);
}
