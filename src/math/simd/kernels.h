// Vector kernels of any length: short ones inline, the rest by the best instruction set of this machine.
//
// Every implementation gives the same bits. Element-wise operations do so by themselves. Reductions add in one
// fixed order: below eight terms in sequence; otherwise term i goes to virtual lane i mod 8, in sequence within
// the lane, and the lanes are added as the tree ((0+4)+(2+6)) + ((1+5)+(3+7)).
// The choice is made once when the library is loaded. Arguments may alias only exactly (res == vec) or not at all.
#pragma once

#include <math.h>
#include <string.h>

#include <mujoco/mjtnum.h>

typedef struct {
  const char* name;  // "scalar", "v2", "v3", "v4" or "neon"

  // reductions
  mjtNum (*dot)(const mjtNum* a, const mjtNum* b, int n);
  mjtNum (*sum)(const mjtNum* a, int n);
  mjtNum (*L1)(const mjtNum* a, int n);
  mjtNum (*dotSparse)(const mjtNum* val, const mjtNum* vec, int nnz, const int* ind);

  // element-wise
  void (*scl)(mjtNum* res, const mjtNum* a, mjtNum scl, int n);
  void (*add)(mjtNum* res, const mjtNum* a, const mjtNum* b, int n);
  void (*sub)(mjtNum* res, const mjtNum* a, const mjtNum* b, int n);
  void (*addScl)(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum scl, int n);
  void (*sclAddScl)(mjtNum* res, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n);

  // matrices, row-major
  void (*mulMatVec)(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);
  void (*mulMatTVec)(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);
} MthKernels;

// the kernels in use
extern MthKernels mth_kernel;

// name of the kernels in use
const char* mth_kernelName(void);

// switches to the named kernels; 0: this machine or build does not have them, nothing changed. For tests:
// not while another thread computes.
int mth_kernelSelect(const char* name);

// lengths below this run inline and sum in sequence
#define MTH_INLINE 8

static inline mjtNum mth_dot(const mjtNum* a, const mjtNum* b, int n) {
  if (n >= MTH_INLINE) return mth_kernel.dot(a, b, n);
  mjtNum res = 0;
  for (int i = 0; i < n; i++) res += a[i] * b[i];
  return res;
}

static inline mjtNum mth_sum(const mjtNum* a, int n) {
  if (n >= MTH_INLINE) return mth_kernel.sum(a, n);
  mjtNum res = 0;
  for (int i = 0; i < n; i++) res += a[i];
  return res;
}

// sum of magnitudes
static inline mjtNum mth_L1(const mjtNum* a, int n) {
  if (n >= MTH_INLINE) return mth_kernel.L1(a, n);
  mjtNum res = 0;
  for (int i = 0; i < n; i++) res += fabs(a[i]);
  return res;
}

// dot product of a sparse row with a dense vector
static inline mjtNum mth_dotSparse(const mjtNum* val, const mjtNum* vec, int nnz, const int* ind) {
  if (nnz >= MTH_INLINE) return mth_kernel.dotSparse(val, vec, nnz, ind);
  mjtNum res = 0;
  for (int i = 0; i < nnz; i++) res += val[i] * vec[ind[i]];
  return res;
}

static inline void mth_zero(mjtNum* res, int n) {
  if (n > 0) memset(res, 0, (size_t)n * sizeof(mjtNum));
}

static inline void mth_copy(mjtNum* res, const mjtNum* a, int n) {
  if (n > 0) memmove(res, a, (size_t)n * sizeof(mjtNum));
}

static inline void mth_zeroInt(int* res, int n) {
  if (n > 0) memset(res, 0, (size_t)n * sizeof(int));
}

static inline void mth_copyInt(int* res, const int* a, int n) {
  if (n > 0) memmove(res, a, (size_t)n * sizeof(int));
}

static inline void mth_fill(mjtNum* res, mjtNum val, int n) {
  for (int i = 0; i < n; i++) res[i] = val;
}

// res = a * scl
static inline void mth_scl(mjtNum* res, const mjtNum* a, mjtNum scl, int n) {
  if (n >= MTH_INLINE) {
    mth_kernel.scl(res, a, scl, n);
    return;
  }
  for (int i = 0; i < n; i++) res[i] = a[i] * scl;
}

// res = a + b
static inline void mth_add(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  if (n >= MTH_INLINE) {
    mth_kernel.add(res, a, b, n);
    return;
  }
  for (int i = 0; i < n; i++) res[i] = a[i] + b[i];
}

// res = a - b
static inline void mth_sub(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  if (n >= MTH_INLINE) {
    mth_kernel.sub(res, a, b, n);
    return;
  }
  for (int i = 0; i < n; i++) res[i] = a[i] - b[i];
}

static inline void mth_addTo(mjtNum* res, const mjtNum* a, int n) {
  mth_add(res, res, a, n);
}

static inline void mth_subFrom(mjtNum* res, const mjtNum* a, int n) {
  mth_sub(res, res, a, n);
}

// res = a + scl*b
static inline void mth_addScl(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum scl, int n) {
  if (n >= MTH_INLINE) {
    mth_kernel.addScl(res, a, b, scl, n);
    return;
  }
  for (int i = 0; i < n; i++) res[i] = a[i] + scl * b[i];
}

// res += scl*a
static inline void mth_addToScl(mjtNum* res, const mjtNum* a, mjtNum scl, int n) {
  mth_addScl(res, res, a, scl, n);
}

// res = s*a + t*b
static inline void mth_sclAddScl(mjtNum* res, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n) {
  if (n >= MTH_INLINE) {
    mth_kernel.sclAddScl(res, a, s, b, t, n);
    return;
  }
  for (int i = 0; i < n; i++) res[i] = s * a[i] + t * b[i];
}

// res = mat * vec, mat is nr x nc; each row is a dot product in the order above
static inline void mth_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_kernel.mulMatVec(res, mat, vec, nr, nc);
}

// res = mat' * vec, mat is nr x nc; rows whose vec entry is 0 are skipped, the others added in sequence
static inline void mth_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_kernel.mulMatTVec(res, mat, vec, nr, nc);
}

// res[i] = vec[ind[i]]
static inline void mth_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[ind[i]];
}

// res[ind[i]] = vec[i]
static inline void mth_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) res[ind[i]] = vec[i];
}

// res[ind[i]] += scl * val[i]
static inline void mth_addToSclScatter(mjtNum* res, const mjtNum* val, mjtNum scl, int nnz, const int* ind) {
  for (int i = 0; i < nnz; i++) res[ind[i]] += scl * val[i];
}
