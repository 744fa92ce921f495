// Actuation: controls and activations to forces on the dofs.
//
// force_i = gain_i(length, velocity) · (ctrl_i or act_i) + bias_i(length, velocity);  qfrc = momentᵀ force.
#include <math.h>
#include <mujoco/mujoco.h>

#include "force/actuator.h"
#include "force/plugin.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "model/hooks.h"
#include "base/share.h"
#include "base/timer.h"
#include "sleep/sleep.h"

// controls that need no memory on mjData's stack
enum { FEW_CONTROLS = 32 };

//---------------------------------- controls and activations ----------------------------------

// actuators that make a part worth a thread
enum { ACTUATOR_PART = 128 };

// actuators in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  mjtNum* ctrl;
  const PhySection* physics;
  int n;
  int* limited;  // (n) 1: one of the part pulls a tendon with a force limit
} Actuators;

static void controlPart(void* arg, int piece) {
  const Actuators* a = arg;
  const int clamp = !((a->m->opt.disableflags) & mjDSBL_CLAMPCTRL);
  const BasPart part = bas_part((int)a->m->nu, a->n, piece);
  for (int i = part.begin; i < part.end; i++) a->ctrl[i] = frc_control(a->m, a->d, i, clamp);
}

// controls that act now: delayed, clamped; all zero if one of them is not a usable number
static void readControls(Actuators* a) {
  mjData* d = a->d;
  mjtNum* ctrl = a->ctrl;
  const int nu = (int)a->m->nu;
  bas_share(d, NULL, controlPart, a, a->n);

  // a sum of comparisons first: it is wide, and nearly always enough
  int nbad = 0;
  for (int i = 0; i < nu; i++) nbad += !(fabs(ctrl[i]) <= mjMAXVAL);
  if (!nbad) return;
  int bad = 0;
  while (!mju_isBad(ctrl[bad])) bad++;
  mj_warning(d, mjWARN_BADCTRL, bad);
  mth_zero(ctrl, nu);
}

// derivative of the activation of one actuator
static void activationRate(const mjModel* m, mjData* d, int id, mjtNum ctrl) {
  const int num = m->actuator_actnum[id], last = frc_lastAct(m, id);
  const mjtNum* prm = m->actuator_dynprm + mjNDYN * id;
  mth_zero(d->act_dot + m->actuator_actadr[id], num);
  switch (m->actuator_dyntype[id]) {
    case mjDYN_INTEGRATOR:
      d->act_dot[last] = ctrl;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      d->act_dot[last] = (ctrl - d->act[last]) / mth_max(mjMINVAL, prm[0]);
      break;
    case mjDYN_MUSCLE:
      d->act_dot[last] = mju_muscleDynamics(ctrl, d->act[last], prm);
      break;
    default:
      // user dynamics: returns the rate of a single variable, writes several itself
      if (mdl_hasActDyn(d)) {
        const mjtNum rate = mdl_callActDyn(m, d, id, 0);
        if (num == 1) d->act_dot[last] = rate;
      }
  }
}

static void activationRates(const mjModel* m, mjData* d, const mjtNum* ctrl, const PhySection* physics) {
  if (m->na) {
    const SlpRange actuators = slp_actuators(m, d);
    for (int k = 0; k < actuators.n; k++) {
      const int i = slp_at(actuators, k);
      if (m->actuator_actadr[i] < 0) continue;
      const PhySetting* setting = phy_actuationOf(physics, i);
      if (setting) {
        frc_chosenRate(m, d, setting, ctrl[i], d->act_dot + m->actuator_actadr[i]);
      } else {
        activationRate(m, d, i, ctrl[i]);
      }
    }
  }

  // plugins with states of their own
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = frc_plugin(m, i);
    if ((plugin->capabilityflags & mjPLUGIN_ACTUATOR) && plugin->actuator_act_dot) plugin->actuator_act_dot(m, d, i);
  }
}

//---------------------------------- forces ----------------------------------

static mjtNum affine(const mjtNum prm[3], mjtNum length, mjtNum velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

static mjtNum gainOf(const mjModel* m, const mjData* d, int id) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * id;
  const mjtNum length = d->actuator_length[id], velocity = d->actuator_velocity[id];
  switch (m->actuator_gaintype[id]) {
    case mjGAIN_FIXED:
      return prm[0];
    case mjGAIN_AFFINE:
      return affine(prm, length, velocity);
    case mjGAIN_MUSCLE:
      return mju_muscleGain(length, velocity, m->actuator_lengthrange + 2 * id, m->actuator_acc0[id], prm);
    default:
      return mdl_callActGain(m, d, id, 1);
  }
}

static mjtNum biasOf(const mjModel* m, const mjData* d, int id) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * id;
  const mjtNum length = d->actuator_length[id];
  switch (m->actuator_biastype[id]) {
    case mjBIAS_NONE:
      return 0;
    case mjBIAS_AFFINE:
      return affine(prm, length, d->actuator_velocity[id]);
    case mjBIAS_MUSCLE:
      return mju_muscleBias(length, m->actuator_lengthrange + 2 * id, m->actuator_acc0[id], prm);
    default:
      return mdl_callActBias(m, d, id, 0);
  }
}

// what the gain multiplies: the control, or the activation
static mjtNum inputOf(const mjModel* m, const mjData* d, int id, mjtNum ctrl) {
  return frc_lastAct(m, id) < 0 ? ctrl : frc_activation(m, d, id);
}

// forces of the actuators of a part that are not plugins
static void forcePart(void* arg, int piece) {
  const Actuators* a = arg;
  const mjModel* m = a->m;
  mjData* d = a->d;
  int limited = 0;
  const SlpRange actuators = slp_actuators(m, d);
  const BasPart part = bas_part(actuators.n, a->n, piece);
  for (int k = part.begin; k < part.end; k++) {
    const int i = slp_at(actuators, k);
    if (frc_actuatorDisabled(m, i) || m->actuator_plugin[i] >= 0) continue;
    if (m->actuator_trntype[i] == mjTRN_TENDON) limited |= m->tendon_actfrclimited[m->actuator_trnid[2 * i]];
    const PhySetting* setting = phy_actuationOf(a->physics, i);
    if (setting) {
      d->actuator_force[i] = frc_chosenForce(m, d, setting, a->ctrl[i]);
      continue;
    }
    const mjtNum gain = gainOf(m, d, i);
    d->actuator_force[i] = gain * inputOf(m, d, i, a->ctrl[i]) + biasOf(m, d, i);
  }
  a->limited[piece] = limited;
}

// forces of all of them; returns 1 when one of them pulls a tendon with a force limit
static int actuatorForces(Actuators* a) {
  bas_share(a->d, NULL, forcePart, a, a->n);
  int limited = 0;
  for (int k = 0; k < a->n; k++) limited |= a->limited[k];
  return limited;
}

// limited tendon of an actuator, -1: none
static int limitedTendon(const mjModel* m, int id) {
  if (m->actuator_trntype[id] != mjTRN_TENDON) return -1;
  const int tendon = m->actuator_trnid[2 * id];
  return m->tendon_actfrclimited[tendon] ? tendon : -1;
}

// scales the actuators of a tendon down together when their sum is outside its range
static void limitTendonForces(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* total = mj_stackAllocNum(d, (size_t)m->ntendon);
  mth_zero(total, (int)m->ntendon);
  for (int i = 0; i < m->nu; i++) {
    const int tendon = limitedTendon(m, i);
    if (tendon >= 0) total[tendon] += d->actuator_force[i];
  }
  for (int i = 0; i < m->nu; i++) {
    const int tendon = limitedTendon(m, i);
    if (tendon < 0 || total[tendon] == 0) continue;
    const mjtNum bounded =
        mth_clip(total[tendon], m->tendon_actfrcrange[2 * tendon], m->tendon_actfrcrange[2 * tendon + 1]);
    if (bounded != total[tendon]) d->actuator_force[i] *= bounded / total[tendon];
  }
  mj_freeStack(d);
}

//---------------------------------- dofs ----------------------------------

// 1: a flag of the list is set; written to be vectorized, for models with many joints and few limits
static int anySet(const mjtByte* flag, int n) {
  mjtByte any = 0;
  for (int i = 0; i < n; i++) any |= flag[i];
  return any != 0;
}

// forces to the dofs, with actuated gravity compensation and joint limits
static void forcesToDofs(const mjModel* m, mjData* d) {
  static const int DOFNUM[4] = {6, 3, 1, 1};
  slp_zeroDofs(m, d, d->qfrc_actuator);
  const SlpRange actuators = slp_actuators(m, d);
  for (int k = 0; k < actuators.n; k++) {
    const int i = slp_at(actuators, k), adr = d->moment_rowadr[i];
    const mjtNum force = d->actuator_force[i];
    if (!force) continue;
    if (d->moment_rownnz[i] == 1) {
      d->qfrc_actuator[d->moment_colind[adr]] += d->actuator_moment[adr] * force;
    } else {
      mth_addToSclScatter(d->qfrc_actuator, d->actuator_moment + adr, force, d->moment_rownnz[i],
                          d->moment_colind + adr);
    }
  }

  // gravity compensation that counts as actuation
  if (m->ngravcomp && !mjDISABLED(mjDSBL_GRAVITY) && mth_norm3(m->opt.gravity) != 0) {
    for (int j = 0; j < m->njnt; j++) {
      const int dof = m->jnt_dofadr[j];
      if (m->jnt_actgravcomp[j]) mth_addTo(d->qfrc_actuator + dof, d->qfrc_gravcomp + dof, DOFNUM[m->jnt_type[j]]);
    }
  }

  // limits of joints
  if (!anySet(m->jnt_actfrclimited, (int)m->njnt)) return;
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_actfrclimited[j]) continue;
    mjtNum* qfrc = d->qfrc_actuator + m->jnt_dofadr[j];
    *qfrc = mth_clip(*qfrc, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
  }
}

void mj_fwdActuation(const mjModel* m, mjData* d) {
  const int nu = (int)m->nu;
  mth_zero(d->actuator_force, nu);
  if (nu == 0 || mjDISABLED(mjDSBL_ACTUATION)) {
    slp_zeroDofs(m, d, d->qfrc_actuator);
    return;
  }
  const mjtNum start = bas_now();
  mjtNum few[FEW_CONTROLS] = {0};
  int limited = 0;
  Actuators a = {m, d, few, phy_open(m, d), 1, &limited};
  if (nu > FEW_CONTROLS) {
    mj_markStack(d);
    a.ctrl = mj_stackAllocNum(d, (size_t)nu);
  }

  // on threads only where nobody else's functions take part, and nothing sleeps
  if (d->threadpool && !a.physics && !mdl_callsBack(m, d) && !slp_dofs(m, d).list) {
    a.n = bas_parts(d, nu, ACTUATOR_PART);
    if (a.n > 1) a.limited = mj_stackAllocInt(d, (size_t)a.n);
  }

  // inputs
  readControls(&a);
  activationRates(m, d, a.ctrl, a.physics);

  // forces along the transmissions, limited per tendon, then per actuator
  const int tendonLimits = actuatorForces(&a);
  if (m->nplugin) frc_computePlugins(m, d, mjPLUGIN_ACTUATOR);
  if (tendonLimits) limitTendonForces(m, d);
  for (int i = 0; i < nu; i++) {
    if (!m->actuator_forcelimited[i]) continue;
    d->actuator_force[i] =
        mth_clip(d->actuator_force[i], m->actuator_forcerange[2 * i], m->actuator_forcerange[2 * i + 1]);
  }

  forcesToDofs(m, d);
  if (nu > FEW_CONTROLS) mj_freeStack(d);
  bas_timerEnd(d, mjTIMER_ACTUATION, start);
}
