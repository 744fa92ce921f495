// Kernels in plain C: the definition that every instruction set reproduces bit by bit. See kernels.h.
#include <math.h>

#include "math/simd/table.h"

// adds the eight lanes
static mjtNum addLanes(const mjtNum l[8]) {
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

static mjtNum dot(const mjtNum* a, const mjtNum* b, int n) {
  // fewer than eight terms: in sequence
  if (n < MTH_INLINE) {
    mjtNum res = 0;
    for (int i = 0; i < n; i++) res += a[i] * b[i];
    return res;
  }

  // eight lanes, then the tree
  mjtNum lane[8];
  for (int i = 0; i < 8; i++) lane[i] = a[i] * b[i];
  for (int i = 8; i < n; i++) lane[i & 7] += a[i] * b[i];
  return addLanes(lane);
}

static mjtNum sum(const mjtNum* a, int n) {
  if (n < MTH_INLINE) {
    mjtNum res = 0;
    for (int i = 0; i < n; i++) res += a[i];
    return res;
  }
  mjtNum lane[8];
  for (int i = 0; i < 8; i++) lane[i] = a[i];
  for (int i = 8; i < n; i++) lane[i & 7] += a[i];
  return addLanes(lane);
}

static mjtNum L1(const mjtNum* a, int n) {
  if (n < MTH_INLINE) {
    mjtNum res = 0;
    for (int i = 0; i < n; i++) res += fabs(a[i]);
    return res;
  }
  mjtNum lane[8];
  for (int i = 0; i < 8; i++) lane[i] = fabs(a[i]);
  for (int i = 8; i < n; i++) lane[i & 7] += fabs(a[i]);
  return addLanes(lane);
}

static mjtNum dotSparse(const mjtNum* val, const mjtNum* vec, int nnz, const int* ind) {
  if (nnz < MTH_INLINE) {
    mjtNum res = 0;
    for (int i = 0; i < nnz; i++) res += val[i] * vec[ind[i]];
    return res;
  }
  mjtNum lane[8];
  for (int i = 0; i < 8; i++) lane[i] = val[i] * vec[ind[i]];
  for (int i = 8; i < nnz; i++) lane[i & 7] += val[i] * vec[ind[i]];
  return addLanes(lane);
}

static void scl(mjtNum* res, const mjtNum* a, mjtNum s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] * s;
}

static void add(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + b[i];
}

static void sub(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] - b[i];
}

static void addScl(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + s * b[i];
}

static void sclAddScl(mjtNum* res, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n) {
  for (int i = 0; i < n; i++) res[i] = s * a[i] + t * b[i];
}

static void mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  for (int r = 0; r < nr; r++) res[r] = dot(mat + (size_t)r * nc, vec, nc);
}

static void mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_zero(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r] != 0) addScl(res, res, mat + (size_t)r * nc, vec[r], nc);
  }
}

const MthKernels mth_kernelsScalar = {"scalar", dot, sum,    L1,        dotSparse, scl,
                                      add,      sub, addScl, sclAddScl, mulMatVec, mulMatTVec};
