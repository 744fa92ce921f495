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
#define TERM(i) (a[i] * b[i])
  REDUCE(n, TERM);
#undef TERM
}

static double norm(const double* a, int n) {
  return sqrt(dot(a, a, n));
}

static double sum(const double* a, int n) {
#define TERM(i) a[i]
  REDUCE(n, TERM);
#undef TERM
}

static double L1(const double* a, int n) {
#define TERM(i) fabs(a[i])
  REDUCE(n, TERM);
#undef TERM
}

static double dotSparse(const double* val, const double* vec, int nnz, const int* ind) {
#define TERM(i) (val[i] * vec[ind[i]])
  REDUCE(nnz, TERM);
#undef TERM
}

static void fill(double* res, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = s;
}

static void copy(double* res, const double* a, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i];
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

// any length
static double dotAny(const double* a, const double* b, int n) {
  return n < MTH_INLINE ? mth_dotShort(a, b, n) : dot(a, b, n);
}

static void dotRows(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  for (int r = 0; r < nr; r++) res[r] = dotAny(mat + r * stride, vec, nc);
}

static double mulVecMatVec(const double* vec1, const double* mat, const double* vec2, int n) {
  double res = 0;
  for (int r = 0; r < n; r++) res += vec1[r] * dotAny(mat + (size_t)r * n, vec2, n);
  return res;
}

static void mulMatMatT(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
  for (int i = 0; i < r1; i++) dotRows(res + (size_t)i * r2, mat2, (size_t)c1, mat1 + (size_t)i * c1, r2, c1);
}

static void mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc) {
  mth_zero(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r] != 0) addScl(res, res, mat + (size_t)r * nc, vec[r], nc);
  }
}

static int cholFactor(double* mat, int n, double mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    // pivot, raised to the threshold where the matrix is not positive enough
    double* row = mat + (size_t)j * n;
    double pivot = row[j] - dotAny(row, row, j);
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    pivot = sqrt(pivot);
    row[j] = pivot;

    // column below it
    const double inv = 1 / pivot;
    for (int i = j + 1; i < n; i++) {
      double* below = mat + (size_t)i * n;
      below[j] = (below[j] - dotAny(below, row, j)) * inv;
    }
  }
  return rank;
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

const MthKernels mth_kernelsScalar = {"scalar",     dot,        norm,       sum,        L1,      dotSparse, fill,
                                      copy,         scl,        add,        sub,        addScl,  sclAddScl, dotRows,
                                      mulVecMatVec, mulMatTVec, mulMatMatT, cholFactor, sqrMatTD};
