// The passes of kinematics for x86-64-v3: the same source as the baseline, with other instructions.
#include "kinematics/pass.h"

#ifdef KIN_V3
#include "kinematics/centers.h"
#include "kinematics/poses.h"

void kin_posesV3(const mjModel* m, mjData* d, const SlpRange* bodies, int sleep) {
  kin_poses(m, d, bodies, sleep);
}

void kin_centersV3(const mjModel* m, mjData* d, const SlpRange* bodies, mjtNum* roots) {
  kin_centers(m, d, bodies, roots);
}
#endif
