// Vector kernels of any length: short ones inline, the rest by the best instruction set of this machine.
//
// Every implementation gives the same bits. Element-wise operations do so by themselves. Reductions add in one fixed
// order: below eight terms in sequence. Otherwise in eight virtual lanes: term i of the first 8 [n/8] to lane i mod 8,
// the remaining r terms to the last r lanes (and +0 to the others), each lane in sequence; then the lanes are added as
// the tree ((0+4)+(2+6)) + ((1+5)+(3+7)). The choice is made once when the library is loaded. Arguments may alias only
// exactly (res == a) or not at all.
#pragma once

#include <math.h>
#include <stddef.h>
#include <string.h>

#include <mujoco/mjtnum.h>

// res = mat' * diag * mat for an nr x nc matrix: a task because it has many parts
typedef struct {
  mjtNum* res;         // (nc x nc) lower triangle; what is right of the diagonal may be overwritten
  const mjtNum* mat;   // (nr x nc)
  const mjtNum* diag;  // (nr) or NULL: ones
  int nr, nc;
} MthSqrTask;

// Every kernel as KERNEL(result, name, parameters, arguments); any length, any size. Matrices are row-major. Where a
// public function is one instruction set's kernel and nothing else, it stands in the first list (public.c).
#define MTH_EACH_PUBLIC(KERNEL)                                                                                   \
  /* reductions */                                                                                                \
  KERNEL(mjtNum, dot, (const mjtNum* a, const mjtNum* b, int n), (a, b, n))                                       \
  KERNEL(mjtNum, norm, (const mjtNum* a, int n), (a, n))                                                          \
  KERNEL(mjtNum, sum, (const mjtNum* a, int n), (a, n))                                                           \
  KERNEL(mjtNum, L1, (const mjtNum* a, int n), (a, n))                                                            \
  KERNEL(mjtNum, normalize, (mjtNum * res, int n), (res, n))                                                      \
  /* element-wise */                                                                                              \
  KERNEL(void, zero, (mjtNum * res, int n), (res, n))                                                             \
  KERNEL(void, fill, (mjtNum * res, mjtNum s, int n), (res, s, n))                                                \
  KERNEL(void, copy, (mjtNum * res, const mjtNum* a, int n), (res, a, n))                                         \
  KERNEL(void, scl, (mjtNum * res, const mjtNum* a, mjtNum s, int n), (res, a, s, n))                             \
  KERNEL(void, add, (mjtNum * res, const mjtNum* a, const mjtNum* b, int n), (res, a, b, n))                      \
  KERNEL(void, sub, (mjtNum * res, const mjtNum* a, const mjtNum* b, int n), (res, a, b, n))                      \
  KERNEL(void, addTo, (mjtNum * res, const mjtNum* a, int n), (res, a, n))                                        \
  KERNEL(void, subFrom, (mjtNum * res, const mjtNum* a, int n), (res, a, n))                                      \
  KERNEL(void, addScl, (mjtNum * res, const mjtNum* a, const mjtNum* b, mjtNum s, int n), (res, a, b, s, n))      \
  KERNEL(void, addToScl, (mjtNum * res, const mjtNum* a, mjtNum s, int n), (res, a, s, n))                        \
  /* matrices; products with a transposed or a second matrix skip zero coefficients */                            \
  KERNEL(void, mulMatVec, (mjtNum * res, const mjtNum* mat, const mjtNum* vec, int nr, int nc),                   \
         (res, mat, vec, nr, nc))                                                                                 \
  KERNEL(void, mulMatTVec, (mjtNum * res, const mjtNum* mat, const mjtNum* vec, int nr, int nc),                  \
         (res, mat, vec, nr, nc))                                                                                 \
  KERNEL(mjtNum, mulVecMatVec, (const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n),                \
         (vec1, mat, vec2, n))                                                                                    \
  KERNEL(void, mulMatMat, (mjtNum * res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2),         \
         (res, mat1, mat2, r1, c1, c2))                                                                           \
  KERNEL(void, mulMatMatT, (mjtNum * res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2),        \
         (res, mat1, mat2, r1, c1, r2))                                                                           \
  KERNEL(void, mulMatTMat, (mjtNum * res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2),        \
         (res, mat1, mat2, r1, c1, c2))                                                                           \
  KERNEL(void, eye, (mjtNum * mat, int n), (mat, n))                                                              \
  KERNEL(int, cholFactor, (mjtNum * mat, int n, mjtNum mindiag), (mat, n, mindiag))                               \
  /* fixed size */                                                                                                \
  KERNEL(void, cross, (mjtNum res[3], const mjtNum a[3], const mjtNum b[3]), (res, a, b))                         \
  KERNEL(void, mulMatVec3, (mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]), (res, mat, vec))            \
  KERNEL(void, rotVecQuat, (mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]), (res, vec, quat))          \
  KERNEL(void, mulQuat, (mjtNum res[4], const mjtNum a[4], const mjtNum b[4]), (res, a, b))                       \
  KERNEL(void, quat2Mat, (mjtNum res[9], const mjtNum quat[4]), (res, quat))                                      \
  KERNEL(void, subQuat, (mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]), (res, qa, qb))                   \
  KERNEL(void, mulPose,                                                                                           \
         (mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4], const mjtNum pos2[3], \
          const mjtNum quat2[4]),                                                                                 \
         (posres, quatres, pos1, quat1, pos2, quat2))

#define MTH_EACH_INTERNAL(KERNEL)                                                                                  \
  KERNEL(mjtNum, dotSparse, (const mjtNum* val, const mjtNum* vec, int nnz, const int* ind), (val, vec, nnz, ind)) \
  KERNEL(void, sclAddScl, (mjtNum * res, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n),             \
         (res, a, s, b, t, n))                                                                                     \
  /* rows `stride` numbers apart */                                                                                \
  KERNEL(void, dotRows, (mjtNum * res, const mjtNum* mat, size_t stride, const mjtNum* vec, int nr, int nc),       \
         (res, mat, stride, vec, nr, nc))                                                                          \
  KERNEL(void, sqrMatTD, (const MthSqrTask* task), (task))

// One implementation of each.
#define MTH_FIELD(result, kernel, parameters, arguments) result(*kernel) parameters;
typedef struct {
  const char* name;  // "scalar", "v2", "v3", "v4" or "neon"
  MTH_EACH_PUBLIC(MTH_FIELD)
  MTH_EACH_INTERNAL(MTH_FIELD)
} MthKernels;
#undef MTH_FIELD

// the kernels in use
extern MthKernels mth_kernel;

// name of the kernels in use
const char* mth_kernelName(void);

// switches to the named kernels; 0: this machine or build does not have them, nothing changed. For tests:
// not while another thread computes.
int mth_kernelSelect(const char* name);

// sums of fewer terms run inline and in sequence
#define MTH_INLINE 8

// element-wise operations on fewer elements run inline
#define MTH_FEW 4

// to the next row, without telling the compiler where it is: it would gather short rows and columns into vectors, and
// a vector read where single numbers have just been stored waits for them
#define MTH_NEXT_ROW(row, stride) \
  (row) += (stride);              \
  __asm__("" : "+r"(row))

//---------------------------------- short lengths ----------------------------------

// adds TERM(0) ... TERM(n-1) in sequence; +0 for none
#define MTH_SUM_SHORT(n, TERM)                       \
  if (__builtin_expect((n) < 4, 0)) {                \
    if ((n) < 1) return 0;                           \
    if ((n) == 1) return TERM(0);                    \
    const mjtNum s2_ = TERM(0) + TERM(1);            \
    return (n) == 2 ? s2_ : s2_ + TERM(2);           \
  }                                                  \
  mjtNum s_ = TERM(0) + TERM(1) + TERM(2) + TERM(3); \
  if ((n) > 4) {                                     \
    s_ += TERM(4);                                   \
    if ((n) > 5) s_ += TERM(5);                      \
    if ((n) > 6) s_ += TERM(6);                      \
  }                                                  \
  return s_

// 1: the kernels in use are those of x86-64-v3 or better; other code with two versions follows this choice
static inline int mth_isV3(void) {
  return mth_kernel.name[0] == 'v' && mth_kernel.name[1] >= '3';
}

// always inline: also in functions that are compiled with other options
static inline __attribute__((always_inline)) mjtNum mth_dotShort(const mjtNum* a, const mjtNum* b, int n) {
#define MTH_TERM(i) (a[i] * b[i])
  MTH_SUM_SHORT(n, MTH_TERM);
#undef MTH_TERM
}

static inline mjtNum mth_sumShort(const mjtNum* a, int n) {
#define MTH_TERM(i) a[i]
  MTH_SUM_SHORT(n, MTH_TERM);
#undef MTH_TERM
}

static inline mjtNum mth_L1Short(const mjtNum* a, int n) {
#define MTH_TERM(i) fabs(a[i])
  MTH_SUM_SHORT(n, MTH_TERM);
#undef MTH_TERM
}

static inline mjtNum mth_dotSparseShort(const mjtNum* val, const mjtNum* vec, int nnz, const int* ind) {
#define MTH_TERM(i) (val[i] * vec[ind[i]])
  MTH_SUM_SHORT(nnz, MTH_TERM);
#undef MTH_TERM
}

// res[i] = TERM(i) for n < MTH_FEW; all are read before the first is written
#define MTH_EACH_FEW(n, TERM)                                 \
  if ((n) == 3) {                                             \
    const mjtNum t0_ = TERM(0), t1_ = TERM(1), t2_ = TERM(2); \
    res[0] = t0_;                                             \
    res[1] = t1_;                                             \
    res[2] = t2_;                                             \
  } else if ((n) == 2) {                                      \
    const mjtNum t0_ = TERM(0), t1_ = TERM(1);                \
    res[0] = t0_;                                             \
    res[1] = t1_;                                             \
  } else if ((n) == 1) {                                      \
    res[0] = TERM(0);                                         \
  }

//---------------------------------- reductions ----------------------------------

static inline mjtNum mth_dot(const mjtNum* a, const mjtNum* b, int n) {
  return n < MTH_INLINE ? mth_dotShort(a, b, n) : mth_kernel.dot(a, b, n);
}

static inline mjtNum mth_norm(const mjtNum* a, int n) {
  return n < MTH_INLINE ? sqrt(mth_dotShort(a, a, n)) : mth_kernel.norm(a, n);
}

static inline mjtNum mth_sum(const mjtNum* a, int n) {
  return n < MTH_INLINE ? mth_sumShort(a, n) : mth_kernel.sum(a, n);
}

// sum of magnitudes
static inline mjtNum mth_L1(const mjtNum* a, int n) {
  return n < MTH_INLINE ? mth_L1Short(a, n) : mth_kernel.L1(a, n);
}

// dot product of a sparse row with a dense vector
static inline mjtNum mth_dotSparse(const mjtNum* val, const mjtNum* vec, int nnz, const int* ind) {
  return nnz < MTH_INLINE ? mth_dotSparseShort(val, vec, nnz, ind) : mth_kernel.dotSparse(val, vec, nnz, ind);
}

//---------------------------------- element-wise ----------------------------------

static inline void mth_fill(mjtNum* res, mjtNum val, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.fill(res, val, n);
  } else {
#define MTH_TERM(i) val
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

static inline void mth_zero(mjtNum* res, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.zero(res, n);
  } else {
#define MTH_TERM(i) 0
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

static inline void mth_copy(mjtNum* res, const mjtNum* a, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.copy(res, a, n);
  } else {
#define MTH_TERM(i) a[i]
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

static inline void mth_zeroInt(int* res, int n) {
  if (n > 0) memset(res, 0, (size_t)n * sizeof(int));
}

static inline void mth_copyInt(int* res, const int* a, int n) {
  if (n > 0) memmove(res, a, (size_t)n * sizeof(int));
}

// res = a * scl
static inline void mth_scl(mjtNum* res, const mjtNum* a, mjtNum scl, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.scl(res, a, scl, n);
  } else {
#define MTH_TERM(i) (a[i] * scl)
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

// res = a + b
static inline void mth_add(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.add(res, a, b, n);
  } else {
#define MTH_TERM(i) (a[i] + b[i])
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

// res = a - b
static inline void mth_sub(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.sub(res, a, b, n);
  } else {
#define MTH_TERM(i) (a[i] - b[i])
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

static inline void mth_addTo(mjtNum* res, const mjtNum* a, int n) {
  mth_add(res, res, a, n);
}

static inline void mth_subFrom(mjtNum* res, const mjtNum* a, int n) {
  mth_sub(res, res, a, n);
}

// res = a + scl*b
static inline void mth_addScl(mjtNum* res, const mjtNum* a, const mjtNum* b, mjtNum scl, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.addScl(res, a, b, scl, n);
  } else {
#define MTH_TERM(i) (a[i] + scl * b[i])
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
}

// res += scl*a
static inline void mth_addToScl(mjtNum* res, const mjtNum* a, mjtNum scl, int n) {
  mth_addScl(res, res, a, scl, n);
}

// res = s*a + t*b
static inline void mth_sclAddScl(mjtNum* res, const mjtNum* a, mjtNum s, const mjtNum* b, mjtNum t, int n) {
  if (n >= MTH_FEW) {
    mth_kernel.sclAddScl(res, a, s, b, t, n);
  } else {
#define MTH_TERM(i) (s * a[i] + t * b[i])
    MTH_EACH_FEW(n, MTH_TERM)
#undef MTH_TERM
  }
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

//---------------------------------- matrix and vector ----------------------------------

// res[r] = dot product of row r with vec; rows are `stride` numbers apart, nc of them count
static inline void mth_dotRows(mjtNum* res, const mjtNum* mat, size_t stride, const mjtNum* vec, int nr, int nc) {
  mth_kernel.dotRows(res, mat, stride, vec, nr, nc);
}

// res = mat * vec, mat is nr x nc
static inline void mth_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_kernel.mulMatVec(res, mat, vec, nr, nc);
}

// res = mat' * vec, mat is nr x nc; rows whose vec entry is 0 are skipped, the others added in sequence
static inline void mth_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mth_kernel.mulMatTVec(res, mat, vec, nr, nc);
}
