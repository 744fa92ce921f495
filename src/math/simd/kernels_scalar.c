// Kernels in plain C: the definition that every instruction set reproduces bit by bit. See kernels.h.
#include <math.h>

#include "math/simd/table.h"

// Adds terms in the fixed order: eight lanes, the last incomplete block shifted to the upper lanes with +0 below.
#define REDUCE(n, TERM)                                                            \
  double lane[8];                                                                  \
  for (int j = 0; j < 8; j++) lane[j] = TERM(j);                                   \
  int done = 8;                                                                    \
  for (; done <= (n)-8; done += 8) {                                               \
    for (int j = 0; j < 8; j++) lane[j] += TERM(done + j);                         \
  }                                                                                \
  if (done < (n)) {                                                                \
    for (int j = 0; j < 8; j++) lane[j] += (n)-8 + j < done ? 0 : TERM((n)-8 + j); \
  }                                                                                \
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))

static double dot(const double* a, const double* b, int n) {
  if (n < MTH_INLINE) return mth_dotShort(a, b, n);
#define TERM(i) (a[i] * b[i])
  REDUCE(n, TERM);
#undef TERM
}

static double sum(const double* a, int n) {
  if (n < MTH_INLINE) return mth_sumShort(a, n);
#define TERM(i) a[i]
  REDUCE(n, TERM);
#undef TERM
}

static double L1(const double* a, int n) {
  if (n < MTH_INLINE) return mth_L1Short(a, n);
#define TERM(i) fabs(a[i])
  REDUCE(n, TERM);
#undef TERM
}

static double dotSparse(const double* val, const double* vec, int nnz, const int* ind) {
  if (nnz < MTH_INLINE) return mth_dotSparseShort(val, vec, nnz, ind);
#define TERM(i) (val[i] * vec[ind[i]])
  REDUCE(nnz, TERM);
#undef TERM
}

static void scl(double* res, const double* a, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] * s;
}

static void add(double* res, const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + b[i];
}

static void sub(double* res, const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] - b[i];
}

static void addScl(double* res, const double* a, const double* b, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + s * b[i];
}

static void sclAddScl(double* res, const double* a, double s, const double* b, double t, int n) {
  for (int i = 0; i < n; i++) res[i] = s * a[i] + t * b[i];
}

static void dotRows(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  for (int r = 0; r < nr; r++) res[r] = dot(mat + r * stride, vec, nc);
}

static void mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc) {
  mth_zero(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r] != 0) addScl(res, res, mat + (size_t)r * nc, vec[r], nc);
  }
}

static void sqrMatTD(const MthSqrTask* t) {
  for (int i = 0; i < t->nc; i++) {
    double* res = t->res + (size_t)i * t->nc;
    mth_zero(res, i + 1);
    for (int r = 0; r < t->nr; r++) {
      const double d = t->diag ? t->diag[r] : 1;
      const double* row = t->mat + (size_t)r * t->nc;
      if (d != 0 && row[i] != 0) addScl(res, res, row, row[i] * d, i + 1);
    }
  }
}

const MthKernels mth_kernelsScalar = {"scalar", dot,    sum,       L1,      dotSparse,  scl,     add,
                                      sub,      addScl, sclAddScl, dotRows, mulMatTVec, sqrMatTD};
