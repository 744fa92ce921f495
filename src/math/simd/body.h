// The vector kernels, written once for vectors of LANES doubles. A file per instruction set defines LANES, the vector
// type Vec and addVectors(), which adds the lanes of 8/LANES accumulators in the fixed order, and includes this one.
// See kernels.h for the order of summation; everything here keeps it for any LANES.
#include "math/simd/table.h"

// accumulators that make up the eight virtual lanes
enum { NACC = 8 / LANES };

typedef double VecUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long Mask __attribute__((vector_size(8 * LANES)));
typedef long long MaskUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

// MASKS + r: eight lanes of which the last r are on
static const long long MASKS[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};

static inline Vec load(const double* p) {
  return (Vec) * (const VecUnaligned*)p;
}

static inline void store(double* p, Vec v) {
  *(VecUnaligned*)p = (VecUnaligned)v;
}

static inline Vec masked(Vec v, const long long* mask) {
  return (Vec)((Mask)v & (Mask) * (const MaskUnaligned*)mask);
}

static inline Vec splat(double x) {
  return x - (Vec){0};
}

static inline Vec magnitude(Vec v) {
  const Mask sign = (Mask)(-(Vec){0});
  return (Vec)((Mask)v & ~sign);
}

//---------------------------------- reductions ----------------------------------
// TERM(i) is the vector of terms i ... i+LANES-1. The last, incomplete block of eight is the last eight terms with the
// ones already added masked to +0.

#define REDUCE(n, TERM)                                                                         \
  Vec acc[NACC];                                                                                \
  for (int v = 0; v < NACC; v++) acc[v] = TERM(v * LANES);                                      \
  int done = 8;                                                                                 \
  for (; done <= (n)-8; done += 8) {                                                            \
    for (int v = 0; v < NACC; v++) acc[v] += TERM(done + v * LANES);                            \
  }                                                                                             \
  if (done < (n)) {                                                                             \
    const long long* mask = MASKS + ((n)-done);                                                 \
    for (int v = 0; v < NACC; v++) acc[v] += masked(TERM((n)-8 + v * LANES), mask + v * LANES); \
  }                                                                                             \
  return addVectors(acc)

static double dot(const double* a, const double* b, int n) {
  if (n < MTH_INLINE) return mth_dotShort(a, b, n);
#define TERM(i) (load(a + (i)) * load(b + (i)))
  REDUCE(n, TERM);
#undef TERM
}

static double sum(const double* a, int n) {
  if (n < MTH_INLINE) return mth_sumShort(a, n);
#define TERM(i) load(a + (i))
  REDUCE(n, TERM);
#undef TERM
}

static double L1(const double* a, int n) {
  if (n < MTH_INLINE) return mth_L1Short(a, n);
#define TERM(i) magnitude(load(a + (i)))
  REDUCE(n, TERM);
#undef TERM
}

// LANES numbers from anywhere
static inline Vec gather(const double* vec, const int* ind) {
  Vec v;
  for (int i = 0; i < LANES; i++) v[i] = vec[ind[i]];
  return v;
}

static double dotSparse(const double* val, const double* vec, int nnz, const int* ind) {
  if (nnz < MTH_INLINE) return mth_dotSparseShort(val, vec, nnz, ind);
#define TERM(i) (load(val + (i)) * gather(vec, ind + (i)))
  REDUCE(nnz, TERM);
#undef TERM
}

//---------------------------------- element-wise ----------------------------------
// The last vector overlaps the one before; it is computed first so that it sees the inputs also when res is one of
// them.

#define ELEMENTWISE(n, VECTOR, SCALAR)                                  \
  if ((n) < LANES) {                                                    \
    for (int i = 0; i < (n); i++) res[i] = SCALAR(i);                   \
    return;                                                             \
  }                                                                     \
  const Vec last = VECTOR((n)-LANES);                                   \
  for (int i = 0; i < (n)-LANES; i += LANES) store(res + i, VECTOR(i)); \
  store(res + (n)-LANES, last)

static void scl(double* res, const double* a, double s, int n) {
  const Vec vs = splat(s);
#define VECTOR(i) (load(a + (i)) * vs)
#define SCALAR(i) (a[i] * s)
  ELEMENTWISE(n, VECTOR, SCALAR);
#undef VECTOR
#undef SCALAR
}

static void add(double* res, const double* a, const double* b, int n) {
#define VECTOR(i) (load(a + (i)) + load(b + (i)))
#define SCALAR(i) (a[i] + b[i])
  ELEMENTWISE(n, VECTOR, SCALAR);
#undef VECTOR
#undef SCALAR
}

static void sub(double* res, const double* a, const double* b, int n) {
#define VECTOR(i) (load(a + (i)) - load(b + (i)))
#define SCALAR(i) (a[i] - b[i])
  ELEMENTWISE(n, VECTOR, SCALAR);
#undef VECTOR
#undef SCALAR
}

static void addScl(double* res, const double* a, const double* b, double s, int n) {
  const Vec vs = splat(s);
#define VECTOR(i) (load(a + (i)) + vs * load(b + (i)))
#define SCALAR(i) (a[i] + s * b[i])
  ELEMENTWISE(n, VECTOR, SCALAR);
#undef VECTOR
#undef SCALAR
}

static void sclAddScl(double* res, const double* a, double s, const double* b, double t, int n) {
  const Vec vs = splat(s), vt = splat(t);
#define VECTOR(i) (vs * load(a + (i)) + vt * load(b + (i)))
#define SCALAR(i) (s * a[i] + t * b[i])
  ELEMENTWISE(n, VECTOR, SCALAR);
#undef VECTOR
#undef SCALAR
}

//---------------------------------- matrix times vector ----------------------------------

// rows that share the loads of vec; as many as the registers hold
enum { NROW = LANES == 2 ? 2 : 4 };

// NROW dot products of length n >= 8 with one vector
static inline void dotBlock(double* res, const double* mat, size_t stride, const double* vec, int n) {
  Vec acc[NROW][NACC];
  for (int v = 0; v < NACC; v++) {
    const Vec x = load(vec + v * LANES);
    for (int r = 0; r < NROW; r++) acc[r][v] = load(mat + r * stride + v * LANES) * x;
  }
  int done = 8;
  for (; done <= n - 8; done += 8) {
    for (int v = 0; v < NACC; v++) {
      const Vec x = load(vec + done + v * LANES);
      for (int r = 0; r < NROW; r++) acc[r][v] += load(mat + r * stride + done + v * LANES) * x;
    }
  }
  if (done < n) {
    const long long* mask = MASKS + (n - done);
    for (int v = 0; v < NACC; v++) {
      const Vec x = load(vec + n - 8 + v * LANES);
      for (int r = 0; r < NROW; r++) {
        acc[r][v] += masked(load(mat + r * stride + n - 8 + v * LANES) * x, mask + v * LANES);
      }
    }
  }
  for (int r = 0; r < NROW; r++) res[r] = addVectors(acc[r]);
}

static void dotRows(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  int r = 0;
  if (nc >= MTH_INLINE) {
    for (; r <= nr - NROW; r += NROW) dotBlock(res + r, mat + r * stride, stride, vec, nc);
    for (; r < nr; r++) res[r] = dot(mat + r * stride, vec, nc);
    return;
  }
  for (; r < nr; r++) res[r] = mth_dotShort(mat + r * stride, vec, nc);
}

// `count` vectors of columns from c on: all rows in sequence, without those whose factor is 0
static inline void columnBlock(double* res, const double* mat, const double* vec, int nr, int nc, int c, int count) {
  Vec acc[4];
  for (int v = 0; v < count; v++) acc[v] = (Vec){0};
  for (int r = 0; r < nr; r++) {
    if (vec[r] == 0) continue;
    const Vec x = splat(vec[r]);
    for (int v = 0; v < count; v++) acc[v] += x * load(mat + (size_t)r * nc + c + v * LANES);
  }
  for (int v = 0; v < count; v++) store(res + c + v * LANES, acc[v]);
}

static void mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc) {
  // fewer columns than lanes
  if (nc < LANES) {
    for (int c = 0; c < nc; c++) {
      double s = 0;
      for (int r = 0; r < nr; r++) {
        if (vec[r] != 0) s += vec[r] * mat[(size_t)r * nc + c];
      }
      res[c] = s;
    }
    return;
  }

  // wide blocks, then single vectors, the last of which overlaps
  int c = 0;
  for (; c <= nc - 4 * LANES; c += 4 * LANES) columnBlock(res, mat, vec, nr, nc, c, 4);
  for (; c <= nc - 2 * LANES; c += 2 * LANES) columnBlock(res, mat, vec, nr, nc, c, 2);
  for (; c <= nc - LANES; c += LANES) columnBlock(res, mat, vec, nr, nc, c, 1);
  if (c < nc) columnBlock(res, mat, vec, nr, nc, nc - LANES, 1);
}

//---------------------------------- J' D J ----------------------------------

// Rows of J with a nonzero among four neighbouring columns, and those four times the row's weight.
enum { NCHUNK = 128 };
typedef struct {
  int n;
  const double* row[NCHUNK];
  double coef[NCHUNK][4];
} SqrRows;

// collects up to NCHUNK rows from r on for columns i ... i+count-1; returns where to go on
static int collectRows(SqrRows* rows, const MthSqrTask* t, int r, int i, int count) {
  rows->n = 0;
  for (; r < t->nr && rows->n < NCHUNK; r++) {
    const double d = t->diag ? t->diag[r] : 1;
    const double* row = t->mat + (size_t)r * t->nc;
    double* coef = rows->coef[rows->n];
    int any = 0;
    for (int k = 0; k < 4; k++) {
      coef[k] = k < count ? row[i + k] * d : 0;
      any |= k < count && row[i + k] != 0;
    }
    rows->row[rows->n] = row;
    rows->n += any && d != 0;
  }
  return r;
}

// adds to a tile of 4 rows and `count` vectors of columns from c on
static inline void addTile(double* res, const SqrRows* rows, int nc, int c, int nrow, int count) {
  Vec acc[4][2];
  for (int k = 0; k < nrow; k++) {
    for (int v = 0; v < count; v++) acc[k][v] = load(res + (size_t)k * nc + c + v * LANES);
  }
  for (int r = 0; r < rows->n; r++) {
    Vec x[2];
    for (int v = 0; v < count; v++) x[v] = load(rows->row[r] + c + v * LANES);
    for (int k = 0; k < nrow; k++) {
      const Vec s = splat(rows->coef[r][k]);
      for (int v = 0; v < count; v++) acc[k][v] += s * x[v];
    }
  }
  for (int k = 0; k < nrow; k++) {
    for (int v = 0; v < count; v++) store(res + (size_t)k * nc + c + v * LANES, acc[k][v]);
  }
}

// rows i ... i+nrow-1 of the result, columns up to the diagonal and a little beyond
static inline void addRowBlock(const MthSqrTask* t, const SqrRows* rows, int i, int nrow) {
  double* res = t->res + (size_t)i * t->nc;
  const int end = i + nrow;
  int c = 0;
  if (nrow == 4) {
    for (; c <= end - 2 * LANES; c += 2 * LANES) addTile(res, rows, t->nc, c, 4, 2);
    for (; c <= end - LANES; c += LANES) addTile(res, rows, t->nc, c, 4, 1);
  }
  for (; c < end; c++) {
    for (int k = 0; k < nrow; k++) {
      double s = res[(size_t)k * t->nc + c];
      for (int r = 0; r < rows->n; r++) s += rows->coef[r][k] * rows->row[r][c];
      res[(size_t)k * t->nc + c] = s;
    }
  }
}

static void sqrMatTD(const MthSqrTask* t) {
  SqrRows rows;
  for (int i = 0; i < t->nc; i += 4) {
    const int nrow = t->nc - i < 4 ? t->nc - i : 4;
    for (int k = i; k < i + nrow; k++) mth_zero(t->res + (size_t)k * t->nc, i + nrow);
    for (int r = 0; r < t->nr;) {
      r = collectRows(&rows, t, r, i, nrow);
      addRowBlock(t, &rows, i, nrow);
    }
  }
}

#define MTH_TABLE(NAME) \
  { NAME, dot, sum, L1, dotSparse, scl, add, sub, addScl, sclAddScl, dotRows, mulMatTVec, sqrMatTD }
