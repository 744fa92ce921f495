// Fewer contacts of a pair. Height fields and fine meshes give one for every triangle that is touched: more than a body
// needs to rest, and each costs rows.
#include "collision/reduce.h"

#include "math/vec.h"

// places that are one, as a part of the size
#define SAME 1e-3

// how different two touches are: distance, and the turn of the normal as one
static mjtNum difference(const ColTouch* a, const ColTouch* b, mjtNum size) {
  const mjtNum turn = size * (1 - mth_dot3(a->normal, b->normal));
  return mth_distSqr3(a->pos, b->pos) + turn * turn;
}

int col_spread(const ColTouch* touch, int n, int most, mjtNum size, int* index) {
  mjtNum apart[COL_TOUCHES];
  int count = 0;
  for (int i = 0; i < n; i++) apart[i] = mjMAXVAL;
  while (count < most && count < n) {
    int best = 0;
    for (int i = 1; i < n; i++) {
      if (count ? apart[i] > apart[best] : touch[i].dist < touch[best].dist) best = i;
    }
    if (apart[best] < SAME * SAME * size * size) break;
    for (int i = 0; i < n; i++) apart[i] = mth_min(apart[i], difference(touch + i, touch + best, size));
    index[count++] = best;
  }
  return count;
}

int col_reduce(const mjModel* m, const mjData* d, mjContact* con, int n, int g1, int g2) {
  const ColContinuous* s = mdl_section(d, MDL_CONTINUOUS);
  const mjtNum *limit = m->numeric_data + m->numeric_adr[s->reduce], a = limit[g1], b = limit[g2];
  const int most = (int)(a > 0 && b > 0 ? mth_min(a, b) : mth_max(a, b));
  if (most <= 0 || n <= most) return n;

  // in the order in which they were found
  const mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  ColTouch touch[mjMAXCONPAIR];
  int index[mjMAXCONPAIR], taken[mjMAXCONPAIR] = {0}, kept = 0;
  for (int i = 0; i < n; i++) {
    mth_copy3(touch[i].pos, con[i].pos);
    mth_copy3(touch[i].normal, con[i].frame);
    touch[i].dist = con[i].dist;
  }
  const int count = col_spread(touch, n, most, r1 > 0 && r2 > 0 ? mth_min(r1, r2) : mth_max(r1, r2), index);
  for (int i = 0; i < count; i++) taken[index[i]] = 1;
  for (int i = 0; i < n; i++) {
    if (taken[i]) con[kept++] = con[i];
  }
  return kept;
}
