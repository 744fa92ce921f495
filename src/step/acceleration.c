// The acceleration stage without constraints: M a = all other forces.
#include "dynamics/dynamics.h"
#include "dynamics/ldl.h"
#include "sleep/sleep.h"

void mj_fwdAcceleration(const mjModel* m, mjData* d) {
  const SlpRange dofs = slp_dofs(m, d);
  for (int k = 0; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  dyn_addXfrc(m, d, d->qfrc_smooth);
  for (int k = 0; k < dofs.n; k++) {
    const int i = slp_at(dofs, k);
    d->qacc_smooth[i] = d->qfrc_smooth[i];
  }
  dyn_solveLDL(m, d, (DynFactor){d->qLD, d->qLDiagInv}, d->qacc_smooth, 1, dofs);
}
