// What every step looks at or writes for all dofs, sleepers included: read once, written where it changes.
#include <string.h>

#include "math/pair.h"
#include "math/simd/kernels.h"
#include "sleep/private.h"

enum { BLOCK = SLP_BLOCK };

static inline int least(int a, int b) {
  return a < b ? a : b;
}

void slp_zeroDofs(const mjModel* m, const mjData* d, mjtNum* dest) {
  static const mjtNum ZERO[BLOCK];
  const int nv = (int)m->nv;
  if (!slp_dofs(m, d).list) {
    mth_zero(dest, nv);
    return;
  }
  for (int i = 0; i < nv; i += BLOCK) {
    const size_t bytes = sizeof(mjtNum) * (size_t)least(BLOCK, nv - i);
    if (memcmp(dest + i, ZERO, bytes) != 0) memset(dest + i, 0, bytes);
  }
}

//---------------------------------- velocities ----------------------------------

int slp_allZero(const mjtNum* vec, int n) {
  enum { LINES = 8 };
  typedef uint64_t Two __attribute__((vector_size(16), aligned(8), may_alias));
  Two any = {0, 0};
  int i = 0;
  for (; i + 2 * LINES <= n; i += 2 * LINES) {
    for (int k = 0; k < LINES; k++) any |= *(const Two*)(vec + i + 2 * k);
  }
  for (; i + 2 <= n; i += 2) any |= *(const Two*)(vec + i);
  uint64_t last = 0;
  if (i < n) memcpy(&last, vec + i, sizeof(last));
  return !(any[0] | any[1] | last);
}

int slp_lookAtVelocities(const mjModel* m, const mjData* d, mjtNum max) {
  SlpPrivate* const own = slp_private(d);
  unsigned char* const mark = slp_marks(m, own);
  const int nv = (int)m->nv;
  own->resting = 0;
  for (int i = 0; i < nv; i += BLOCK) {
    const int n = least(BLOCK, nv - i);
    mark[i / BLOCK] = slp_allZero(d->qvel + i, n) ? SLP_RESTS : 0;
    if (!mark[i / BLOCK] && !mth_allWithin(d->qvel + i, n, max)) return 0;
  }
  own->resting = 1;
  return 1;
}

int slp_atRest(const mjModel* m, const mjData* d, int dof, int n) {
  SlpPrivate* const own = slp_private(d);
  if (own->resting && n) {
    const unsigned char* const mark = slp_marks(m, own);
    int i = dof / BLOCK;
    while (i <= (dof + n - 1) / BLOCK && (mark[i] & SLP_RESTS)) i++;
    if (i > (dof + n - 1) / BLOCK) return 1;
  }
  return slp_allZero(d->qvel + dof, n);
}

//---------------------------------- accelerations ----------------------------------

void slp_openOutputs(const mjData* d, int owned) {
  SlpPrivate* const own = slp_private(d);
  own->owned = owned;
  own->settled = 0;
}

void slp_startAccelerations(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  const int nv = (int)m->nv;
  own->settled = 0;
  if (!slp_dofs(m, d).list) {
    mth_copy(d->qacc, d->qacc_smooth, nv);
    return;
  }
  unsigned char* const mark = slp_marks(m, own);
  for (int i = 0; i < nv; i += BLOCK) {
    const int n = least(BLOCK, nv - i);
    const size_t bytes = sizeof(mjtNum) * (size_t)n;
    const int same = !memcmp(d->qacc + i, d->qacc_smooth + i, bytes);
    if (!same) memcpy(d->qacc + i, d->qacc_smooth + i, bytes);
    const int settled = same && own->owned && !memcmp(d->qacc + i, d->qacc_warmstart + i, bytes) &&
                        mth_allWithin(d->qacc + i, n, mjMAXVAL);
    mark[i / BLOCK] = settled ? SLP_SETTLED : 0;
  }
  own->settled = own->owned;
}

int slp_settledWithin(const mjModel* m, const mjData* d, mjtNum max) {
  SlpPrivate* const own = slp_private(d);
  const SlpRange awake = slp_dofs(m, d);
  if (!own->settled || !awake.list) return 0;
  const unsigned char* const mark = slp_marks(m, own);
  const int nv = (int)m->nv;
  for (int i = 0; i < nv; i += BLOCK) {
    if (!mark[i / BLOCK] && !mth_allWithin(d->qacc + i, least(BLOCK, nv - i), max)) return 0;
  }
  for (int k = 0; k < awake.n; k++) {
    if (!mth_allWithin(d->qacc + awake.list[k], 1, max)) return 0;
  }
  return 1;
}

void slp_keepAccelerations(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  const SlpRange awake = slp_dofs(m, d);
  const int nv = (int)m->nv, settled = own->settled;
  const unsigned char* const mark = slp_marks(m, own);
  own->settled = 0;
  if (!awake.list) {
    mth_copy(d->qacc_warmstart, d->qacc, nv);
    return;
  }
  for (int i = 0; i < nv; i += BLOCK) {
    const size_t bytes = sizeof(mjtNum) * (size_t)least(BLOCK, nv - i);
    if (settled && mark[i / BLOCK]) continue;
    if (memcmp(d->qacc_warmstart + i, d->qacc + i, bytes) != 0) memcpy(d->qacc_warmstart + i, d->qacc + i, bytes);
  }
  for (int k = 0; k < awake.n; k++) d->qacc_warmstart[awake.list[k]] = d->qacc[awake.list[k]];
}
