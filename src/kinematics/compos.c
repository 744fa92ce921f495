// Centres of mass, inertias and motion axes; the pass is in centers.h.
#include "kinematics/centers.h"
#include "kinematics/pass.h"

void mj_comPos(const mjModel* m, mjData* d) {
#ifdef KIN_V3
  if (mth_isV3()) {
    kin_centersV3(m, d);
    return;
  }
#endif
  kin_centers(m, d);
}
