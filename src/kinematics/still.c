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

// 1: each of these bodies has one free joint, and joints and coordinates follow each other as the bodies do; written to
// be vectorized
static int areFree(const mjModel* m, int first, int end) {
  const int joint = m->body_jntadr[first], n = end - first;
  if (joint < 0 || m->body_jntnum[first] != 1 || joint + n > m->njnt) return 0;
  const int *num = m->body_jntnum + first, *adr = m->body_jntadr + first;
  const int *type = m->jnt_type + joint, *qpos = m->jnt_qposadr + joint;
  int other = 0;
  for (int i = 0; i < n; i++) {
    other |= (num[i] ^ 1) | (adr[i] ^ (joint + i)) | (type[i] ^ mjJNT_FREE) | (qpos[i] ^ (qpos[0] + 7 * i));
  }
  return !other;
}

// the same as isSettled of all of them: coordinates two at a time, without branches
static int freeSettled(const mjModel* m, const mjData* d, int first, int end) {
  typedef int64_t Bits __attribute__((vector_size(16)));
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[m->body_jntadr[first]];
  int64_t moved = 0;
  for (int body = first; body < end; body++, qpos += 7) {
    const mjtNum *pos = d->xpos + 3 * body, *quat = d->xquat + 4 * body;
    const Bits other = (Bits)(mth_load2(qpos) != mth_load2(pos)) | (Bits)(mth_load2(qpos + 3) != mth_load2(quat)) |
                       (Bits)(mth_load2(qpos + 5) != mth_load2(quat + 2));
    const int64_t asleep = d->body_awake[body] == mjS_ASLEEP;
    moved |= asleep & (other[0] | other[1] | (qpos[2] != pos[2]));
  }
  return !moved;
}

KinLook kin_lookAtSleepers(const mjModel* m, const mjData* d) {
  const int nbody = (int)m->nbody, nq = (int)m->nq;
  int still = 1, checked = 0;
  for (int first = 0; still && first < nbody; first += ROW) {
    const int end = first + ROW < nbody ? first + ROW : nbody;
    if (areFree(m, first, end)) {
      still &= freeSettled(m, d, first, end);
    } else {
      for (int body = first; body < end; body++) still &= isSettled(m, d, body);
    }

    // the coordinates up to those of the next body
    const int next = end < nbody && m->body_jntnum[end] ? m->jnt_qposadr[m->body_jntadr[end]] : checked;
    if (next <= checked) continue;
    if (!mth_allWithin(d->qpos + checked, next - checked, mjMAXVAL)) return KIN_BAD;
    checked = next;
  }
  if (!mth_allWithin(d->qpos + checked, nq - checked, mjMAXVAL)) return KIN_BAD;
  return still ? KIN_SETTLED : KIN_CHANGED;
}
