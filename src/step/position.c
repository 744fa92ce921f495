// The position stage: everything that depends on qpos alone, in order.
#include "step/stages.h"

#include "base/timer.h"
#include "constraint/rows.h"
#include "sleep/sleep.h"

void stp_kinematics(const mjModel* m, mjData* d, StpReaders readers) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  if (readers != STP_NOBODY) mj_camlight(m, d);
  mj_flex(m, d);
  mj_tendon(m, d);
  if (slp_wakeTendon(m, d)) slp_update(m, d, 0);
}

void mj_fwdKinematics(const mjModel* m, mjData* d) {
  stp_kinematics(m, d, STP_ALL);
}

void stp_fwdPosition(const mjModel* m, mjData* d, StpReaders readers) {
  const mjtNum begin = bas_now();
  d->flg_energypos = 0;

  // where things are
  stp_kinematics(m, d, readers);
  bas_timerEnd(d, mjTIMER_POS_KINEMATICS, begin);

  // how heavy they are, and what they touch; both are timed inside
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);

  // a tree that wakes by contact may touch others
  if (slp_wakeCollision(m, d)) {
    slp_update(m, d, 0);
    mj_collision(m, d);
  }
  if (slp_wakeEquality(m, d)) slp_update(m, d, 0);

  // constraints
  mjtNum start = bas_now();
  mj_makeConstraint(m, d);
  if (readers == STP_NOBODY) {
    con_islandSizes(m, d);
  } else {
    mj_island(m, d);
  }
  bas_timerEnd(d, mjTIMER_POS_MAKE, start);

  // actuators; adhesion reads the rows of contacts
  start = bas_now();
  mj_transmission(m, d);
  bas_timerAdd(d, mjTIMER_POS_KINEMATICS, start);

  start = bas_now();
  mj_projectConstraint(m, d);
  bas_timerEnd(d, mjTIMER_POS_PROJECT, start);
  bas_timerEnd(d, mjTIMER_POSITION, begin);
}

void mj_fwdPosition(const mjModel* m, mjData* d) {
  stp_fwdPosition(m, d, STP_ALL);
}
