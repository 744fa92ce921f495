// Forward dynamics: the stages in order. Sensors and energies of a stage follow it, so that they see what it computed.
#include "step/stages.h"

#include "base/timer.h"
#include "dynamics/dynamics.h"
#include "dynamics/ldl.h"
#include "model/hooks.h"
#include "sleep/parts.h"

void stp_positionStage(const mjModel* m, mjData* d, StpReaders readers) {
  stp_fwdPosition(m, d, readers);
  if (readers == STP_ALL) mj_sensorPos(m, d);

  // a sensor may have asked for the energy already
  if (d->flg_energypos) return;
  if (m->opt.enableflags & mjENBL_ENERGY) {
    mj_energyPos(m, d);
  } else {
    d->energy[0] = d->energy[1] = 0;
  }
}

void stp_velocityStage(const mjModel* m, mjData* d, int skipsensor) {
  mj_fwdVelocity(m, d);
  if (!skipsensor) mj_sensorVel(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energyvel) mj_energyVel(m, d);
}

// without constraints: M a = all other forces
static BAS_DIRECT void accelerationPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
  const SlpRange dofs = part->dofs;
  for (int k = dofs.first; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  dyn_addXfrc(m, d, d->qfrc_smooth, &part->bodies);
  for (int k = dofs.first; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    d->qacc_smooth[i] = d->qfrc_smooth[i];
  }
  dyn_solveLDL(m, d, (DynFactor){d->qLD, d->qLDiagInv}, d->qacc_smooth, 1, &part->dofs);
}

void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  slp_share(m, d, accelerationPart, NULL);
}

void stp_forward(const mjModel* m, mjData* d, int skipstage, StpReaders readers) {
  const int skipsensor = readers != STP_ALL;
  const mjtNum start = bas_now();
  if (skipstage < mjSTAGE_POS) stp_positionStage(m, d, readers);
  if (skipstage < mjSTAGE_VEL) stp_velocityStage(m, d, skipsensor);

  // the user's controls, then forces and accelerations
  if (!(m->opt.disableflags & mjDSBL_ACTUATION)) mdl_callControl(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  if (!skipsensor) mj_sensorAcc(m, d);
  bas_timerEnd(d, mjTIMER_FORWARD, start);
}

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  stp_forward(m, d, skipstage, skipsensor ? STP_NOSENSORS : STP_ALL);
}

void mj_forward(const mjModel* m, mjData* d) {
  slp_openOutputs(d, 0);
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
}
