// Kernels in plain C: the definition that every instruction set reproduces bit by bit. See kernels.h.
#include <math.h>

#include "math/simd/table.h"

#define MTH_ENTRY(name) mth_##name##_scalar

#include "math/simd/fixed.h"

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

double mth_dot_scalar(const double* a, const double* b, int n) {
  if (n < MTH_INLINE) return mth_dotShort(a, b, n);
#define TERM(i) (a[i] * b[i])
  REDUCE(n, TERM);
#undef TERM
}

double mth_norm_scalar(const double* a, int n) {
  return sqrt(mth_dot_scalar(a, a, n));
}

double mth_sum_scalar(const double* a, int n) {
  if (n < MTH_INLINE) return mth_sumShort(a, n);
#define TERM(i) a[i]
  REDUCE(n, TERM);
#undef TERM
}

double mth_L1_scalar(const double* a, int n) {
  if (n < MTH_INLINE) return mth_L1Short(a, n);
#define TERM(i) fabs(a[i])
  REDUCE(n, TERM);
#undef TERM
}

double mth_dotSparse_scalar(const double* val, const double* vec, int nnz, const int* ind) {
  if (nnz < MTH_INLINE) return mth_dotSparseShort(val, vec, nnz, ind);
#define TERM(i) (val[i] * vec[ind[i]])
  REDUCE(nnz, TERM);
#undef TERM
}

double mth_normalize_scalar(double* res, int n) {
  const double norm = mth_norm_scalar(res, n);
  if (norm < mjMINVAL) {
    // no direction: the first axis
    for (int i = 0; i < n; i++) res[i] = i == 0;
    return norm;
  }
  const double inv = 1 / norm;
  for (int i = 0; i < n; i++) res[i] *= inv;
  return norm;
}

void mth_zero_scalar(double* res, int n) {
  for (int i = 0; i < n; i++) res[i] = 0;
}

void mth_fill_scalar(double* res, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = s;
}

void mth_copy_scalar(double* res, const double* a, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i];
}

void mth_scl_scalar(double* res, const double* a, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] * s;
}

void mth_add_scalar(double* res, const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + b[i];
}

void mth_sub_scalar(double* res, const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] - b[i];
}

void mth_addTo_scalar(double* res, const double* a, int n) {
  mth_add_scalar(res, res, a, n);
}

void mth_subFrom_scalar(double* res, const double* a, int n) {
  mth_sub_scalar(res, res, a, n);
}

void mth_addScl_scalar(double* res, const double* a, const double* b, double s, int n) {
  for (int i = 0; i < n; i++) res[i] = a[i] + s * b[i];
}

void mth_addToScl_scalar(double* res, const double* a, double s, int n) {
  mth_addScl_scalar(res, res, a, s, n);
}

void mth_sclAddScl_scalar(double* res, const double* a, double s, const double* b, double t, int n) {
  for (int i = 0; i < n; i++) res[i] = s * a[i] + t * b[i];
}

void mth_dotRows_scalar(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  for (int r = 0; r < nr; r++) res[r] = mth_dot_scalar(mat + r * stride, vec, nc);
}

void mth_mulMatVec_scalar(double* res, const double* mat, const double* vec, int nr, int nc) {
  mth_dotRows_scalar(res, mat, (size_t)nc, vec, nr, nc);
}

double mth_mulVecMatVec_scalar(const double* vec1, const double* mat, const double* vec2, int n) {
  double res = 0;
  for (int r = 0; r < n; r++) res += vec1[r] * mth_dot_scalar(mat + (size_t)r * n, vec2, n);
  return res;
}

void mth_mulMatMatT_scalar(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
  for (int i = 0; i < r1; i++) {
    mth_dotRows_scalar(res + (size_t)i * r2, mat2, (size_t)c1, mat1 + (size_t)i * c1, r2, c1);
  }
}

// res = rows of mat times the numbers of vec, which are `stride` apart, added in sequence without those that are 0
static void combine(double* res, const double* mat, const double* vec, size_t stride, int nr, int nc) {
  mth_zero_scalar(res, nc);
  for (int r = 0; r < nr; r++) {
    if (vec[r * stride] != 0) mth_addToScl_scalar(res, mat + (size_t)r * nc, vec[r * stride], nc);
  }
}

void mth_mulMatTVec_scalar(double* res, const double* mat, const double* vec, int nr, int nc) {
  combine(res, mat, vec, 1, nr, nc);
}

void mth_mulMatMat_scalar(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2) {
  for (int i = 0; i < r1; i++) combine(res + (size_t)i * c2, mat2, mat1 + (size_t)i * c1, 1, c1, c2);
}

void mth_mulMatTMat_scalar(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2) {
  for (int j = 0; j < c1; j++) combine(res + (size_t)j * c2, mat2, mat1 + j, (size_t)c1, r1, c2);
}

void mth_eye_scalar(double* mat, int n) {
  mth_zero_scalar(mat, n * n);
  for (int i = 0; i < n; i++) mat[(size_t)i * n + i] = 1;
}

int mth_cholFactor_scalar(double* mat, int n, double mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    // pivot, raised to the threshold where the matrix is not positive enough; the number left of it by itself (body.h)
    double* row = mat + (size_t)j * n;
    const double left = j > 0 ? row[j - 1] : 0;
    double pivot = row[j] - mth_dot_scalar(row, row, j - 1) - left * left;
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
      below[j] = (below[j] - mth_dot_scalar(below, row, j)) * inv;
    }
  }
  return rank;
}

void mth_sqrMatTD_scalar(const MthSqrTask* t) {
  for (int i = 0; i < t->nc; i++) {
    double* res = t->res + (size_t)i * t->nc;
    mth_zero_scalar(res, i + 1);
    for (int r = 0; r < t->nr; r++) {
      const double d = t->diag ? t->diag[r] : 1;
      const double* row = t->mat + (size_t)r * t->nc;
      if (d != 0 && row[i] != 0) mth_addToScl_scalar(res, row, row[i] * d, i + 1);
    }
  }
}

const MthKernels mth_kernelsScalar = MTH_TABLE("scalar");
