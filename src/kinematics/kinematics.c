// Forward kinematics: qpos → poses of bodies, their inertial frames, geoms and sites; then centres of mass, inertias
// and motion axes. The passes are in poses.h and centers.h.
#include "kinematics/centers.h"
#include "kinematics/frame.h"
#include "kinematics/pass.h"
#include "kinematics/poses.h"
#include "sleep/sleep.h"

static void poses(const mjModel* m, mjData* d, int sleep) {
#ifdef KIN_V3
  if (mth_isV3()) {
    kin_posesV3(m, d, sleep);
    return;
  }
#endif
  kin_poses(m, d, sleep);
}

void mj_kinematics(const mjModel* m, mjData* d) {
  const int sleep = slp_enabled(m);
  if (sleep) {
    poses(m, d, slp_takeStill(d) ? KIN_STILL : 1);
    if (slp_wake(m, d)) slp_update(m, d, 0);
    kin_frames(m, d);
  } else {
    // sleeping may have been switched off since the last step
    if (slp_wake(m, d)) slp_update(m, d, 0);
    poses(m, d, 0);
  }
  kin_sites(m, d);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  if (xpos && pos) kin_framePos(d, xpos, pos, body, sameframe);
  if (xmat && quat) kin_frameMat(d, xmat, quat, body, sameframe);
}

void mj_comPos(const mjModel* m, mjData* d) {
#ifdef KIN_V3
  if (mth_isV3()) {
    kin_centersV3(m, d);
    return;
  }
#endif
  kin_centers(m, d);
}
