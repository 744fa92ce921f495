// Forward kinematics: qpos → poses of bodies, their inertial frames, geoms and sites; then centres of mass, inertias
// and motion axes. The passes are in poses.h and centers.h.
#include "kinematics/centers.h"
#include "kinematics/frame.h"
#include "kinematics/pass.h"
#include "kinematics/poses.h"
#include "sleep/parts.h"

static void poses(const mjModel* m, mjData* d, const SlpRange* bodies, int sleep) {
#ifdef KIN_V3
  if (mth_isV3()) {
    kin_posesV3(m, d, bodies, sleep);
    return;
  }
#endif
  kin_poses(m, d, bodies, sleep);
}

static BAS_DIRECT void posesPart(const mjModel* m, mjData* d, const SlpPart* part, void* none) {
  (void)none;
  poses(m, d, &part->bodies, 0);
}

void mj_kinematics(const mjModel* m, mjData* d) {
  const int sleep = slp_enabled(m);
  if (sleep) {
    poses(m, d, &(SlpRange){1, (int)m->nbody, NULL}, slp_takeStill(d) ? KIN_STILL : 1);
    if (slp_wake(m, d)) slp_update(m, d, 0);
    kin_frames(m, d);
  } else {
    // sleeping may have been switched off since the last step
    if (slp_wake(m, d)) slp_update(m, d, 0);
    slp_share(m, d, posesPart, NULL);
  }
  kin_sites(m, d);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  if (xpos && pos) kin_framePos(d, xpos, pos, body, sameframe);
  if (xmat && quat) kin_frameMat(d, xmat, quat, body, sameframe);
}

static BAS_DIRECT void centersPart(const mjModel* m, mjData* d, const SlpPart* part, void* roots) {
#ifdef KIN_V3
  if (mth_isV3()) {
    kin_centersV3(m, d, &part->bodies, roots);
    return;
  }
#endif
  kin_centers(m, d, &part->bodies, roots);
}

void mj_comPos(const mjModel* m, mjData* d) {
  if (slp_bodies(m, d).list) {
    slp_share(m, d, centersPart, NULL);
    return;
  }

  mth_zero3(d->subtree_com);
  if (!d->threadpool) {
    slp_share(m, d, centersPart, NULL);
    kin_worldCenter(m, d, NULL);
    return;
  }

  // what the world's children give to it is added up in one order, whoever finds it
  mj_markStack(d);
  mjtNum* const roots = mj_stackAllocNum(d, 3 * (size_t)m->nbody);
  slp_share(m, d, centersPart, roots);
  kin_worldCenter(m, d, roots);
  mj_freeStack(d);
}
