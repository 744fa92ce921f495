// One look at the coordinates of all bodies while many sleep: are they usable numbers, and are the sleepers where they
// were? Each number is fetched from memory once for both questions.
#include "kinematics/still.h"
#include "math/pair.h"

// bodies that are looked at together: their coordinates stay in the nearest cache
enum { ROW = 64 };

// 1: a body that moves freely, asleep where it was; or one that does not sleep
static inline int isSettled(const mjModel* m, const mjData* d, int body) {
  if (d->body_awake[body] != mjS_ASLEEP) return 1;
  const int joint = m->body_jntadr[body];
  if (m->body_jntnum[body] != 1 || m->jnt_type[joint] != mjJNT_FREE) return 0;
  return kin_sleepsOn(m, d, body, joint);
}

KinLook kin_lookAtSleepers(const mjModel* m, const mjData* d) {
  const int nbody = (int)m->nbody, nq = (int)m->nq;
  int still = 1, checked = 0;
  for (int first = 0; still && first < nbody; first += ROW) {
    const int end = first + ROW < nbody ? first + ROW : nbody;
    for (int body = first; body < end; body++) still &= isSettled(m, d, body);

    // the coordinates up to those of the next body
    const int next = end < nbody && m->body_jntnum[end] ? m->jnt_qposadr[m->body_jntadr[end]] : checked;
    if (next <= checked) continue;
    if (!mth_allWithin(d->qpos + checked, next - checked, mjMAXVAL)) return KIN_BAD;
    checked = next;
  }
  if (!mth_allWithin(d->qpos + checked, nq - checked, mjMAXVAL)) return KIN_BAD;
  return still ? KIN_SETTLED : KIN_CHANGED;
}
