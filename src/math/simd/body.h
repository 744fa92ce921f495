// The vector kernels, written once for vectors of LANES doubles. A file per instruction set defines LANES, the vector
// type Vec and addVectors(), which adds the lanes of 8/LANES accumulators in the fixed order, and includes this one.
// LANES is 2 or 4. See kernels.h for the order of summation; everything here keeps it for any LANES. Vectors have at
// least eight elements, matrices any size.
#include "math/simd/table.h"

typedef double VecUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long Mask __attribute__((vector_size(8 * LANES)));
typedef long long MaskUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

// MASKS + r: eight lanes of which the last r are on
static const long long MASKS[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};

// entries start a cache line: a call of few elements is mostly fetching code
#define ALIGNED __attribute__((aligned(64)))

// loops over short rows: the compiler must not gather them into vectors. They copy the common row to x, which a store
// to the result cannot change.
#if defined(__GNUC__) && !defined(__clang__)
#define PLAIN __attribute__((noinline, optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#else
#define PLAIN __attribute__((noinline))
#endif

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

#define REDUCE(n, TERM)                         \
  EACH_ACC(START, TERM, 0)                      \
  int done = 8;                                 \
  for (; done <= (n)-8; done += 8) {            \
    EACH_ACC(CONTINUE, TERM, done)              \
  }                                             \
  if (done < (n)) {                             \
    const long long* mask = MASKS + ((n)-done); \
    EACH_ACC(FINISH, TERM, (n)-8)               \
  }                                             \
  return ADD_ACC(acc)

// one statement per accumulator: arrays would be kept in memory
#define START(v, TERM, i)    Vec acc##v = TERM((i) + v * LANES);
#define CONTINUE(v, TERM, i) acc##v += TERM((i) + v * LANES);
#define FINISH(v, TERM, i)   acc##v += masked(TERM((i) + v * LANES), mask + v * LANES);
#if LANES == 2
#define EACH_ACC(DO, x, i) DO(0, x, i) DO(1, x, i) DO(2, x, i) DO(3, x, i)
#define ADD_ACC(acc)       addVectors(acc##0, acc##1, acc##2, acc##3)
#else
#define EACH_ACC(DO, x, i) DO(0, x, i) DO(1, x, i)
#define ADD_ACC(acc)       addVectors(acc##0, acc##1)
#endif

static inline __attribute__((always_inline)) double dotInline(const double* a, const double* b, int n) {
#define TERM(i) (load(a + (i)) * load(b + (i)))
  REDUCE(n, TERM);
#undef TERM
}

ALIGNED double MTH_ENTRY(dot)(const double* a, const double* b, int n) {
  return n < MTH_INLINE ? mth_dotShort(a, b, n) : dotInline(a, b, n);
}

ALIGNED double MTH_ENTRY(norm)(const double* a, int n) {
  return sqrt(n < MTH_INLINE ? mth_dotShort(a, a, n) : dotInline(a, a, n));
}

static double sum(const double* a, int n) {
#define TERM(i) load(a + (i))
  REDUCE(n, TERM);
#undef TERM
}

static double L1(const double* a, int n) {
#define TERM(i) magnitude(load(a + (i)))
  REDUCE(n, TERM);
#undef TERM
}

// LANES numbers from anywhere
static inline Vec gather(const double* vec, const int* ind) {
#if LANES == 2
  return (Vec){vec[ind[0]], vec[ind[1]]};
#else
  return (Vec){vec[ind[0]], vec[ind[1]], vec[ind[2]], vec[ind[3]]};
#endif
}

static double dotSparse(const double* val, const double* vec, int nnz, const int* ind) {
#define TERM(i) (load(val + (i)) * gather(vec, ind + (i)))
  REDUCE(nnz, TERM);
#undef TERM
}

//---------------------------------- element-wise ----------------------------------
// Sixteen at a time, then eight, four, and the last three one by one. No access overlaps another: a load that straddles
// two earlier stores would have to wait for both.

// res = EXPR(IN, v, NUM), where IN(x, v) loads a vector or a number and NUM(s) is a constant
#define ELEMENTWISE(n, EXPR)            \
  int i = 0;                            \
  if (__builtin_expect((n) >= 16, 0)) { \
    do {                                \
      FOUR(EXPR, 0)                     \
      FOUR(EXPR, 4)                     \
      FOUR(EXPR, 8)                     \
      FOUR(EXPR, 12)                    \
      i += 16;                          \
    } while (i <= (n)-16);              \
  }                                     \
  if ((n)&8) {                          \
    FOUR(EXPR, 0)                       \
    FOUR(EXPR, 4)                       \
    i += 8;                             \
  }                                     \
  if ((n)&4) {                          \
    FOUR(EXPR, 0)                       \
    i += 4;                             \
  }                                     \
  if ((n)&2) {                          \
    res[i] = EXPR(ONE_IN, 0, ONE);      \
    res[i + 1] = EXPR(ONE_IN, 1, ONE);  \
    i += 2;                             \
  }                                     \
  if ((n)&1) res[i] = EXPR(ONE_IN, 0, ONE)
#if LANES == 2
#define FOUR(EXPR, v)                         \
  store(res + i + v, EXPR(WIDE_IN, v, WIDE)); \
  store(res + i + v + 2, EXPR(WIDE_IN, v + 2, WIDE));
#else
#define FOUR(EXPR, v) store(res + i + v, EXPR(WIDE_IN, v, WIDE));
#endif
#define WIDE_IN(x, v) load(x + i + v)
#define ONE_IN(x, v)  x[i + v]
#define WIDE(s)       v##s
#define ONE(s)        s

ALIGNED void MTH_ENTRY(fill)(double* res, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) NUM(s)
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

static void copy(double* res, const double* a, int n) {
#define EXPR(IN, v, NUM) IN(a, v)
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(scl)(double* res, const double* a, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(a, v) * NUM(s))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(add)(double* res, const double* a, const double* b, int n) {
#define EXPR(IN, v, NUM) (IN(a, v) + IN(b, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(sub)(double* res, const double* a, const double* b, int n) {
#define EXPR(IN, v, NUM) (IN(a, v) - IN(b, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(addScl)(double* res, const double* a, const double* b, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(a, v) + NUM(s) * IN(b, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

static void sclAddScl(double* res, const double* a, double s, const double* b, double t, int n) {
  const Vec vs = splat(s), vt = splat(t);
#define EXPR(IN, v, NUM) (NUM(s) * IN(a, v) + NUM(t) * IN(b, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

//---------------------------------- matrix times vector ----------------------------------

// rows that share the loads of vec; as many as the registers hold
enum { NROW = LANES == 2 ? 2 : 4 };
#if LANES == 2
#define EACH_ROW(DO, v, i) DO(0, v, i) DO(1, v, i)
#else
#define EACH_ROW(DO, v, i) DO(0, v, i) DO(1, v, i) DO(2, v, i) DO(3, v, i)
#endif

// NROW dot products of length n >= 8 with one vector
static inline void dotBlock(double* res, const double* mat, size_t stride, const double* vec, int n) {
#define AT(r, v, i)           load(mat + (r)*stride + (i) + (v)*LANES)
#define START_ROW(r, v, i)    Vec acc##r##v = AT(r, v, i) * x;
#define CONTINUE_ROW(r, v, i) acc##r##v += AT(r, v, i) * x;
#define FINISH_ROW(r, v, i)   acc##r##v += masked(AT(r, v, i) * x, mask + (v)*LANES);
#define RESULT(r, v, i)       res[r] = ADD_ACC(acc##r);
#define OPERAND(v, DO, i)          \
  x = load(vec + (i) + v * LANES); \
  EACH_ROW(DO, v, i)
  Vec x;
  EACH_ACC(OPERAND, START_ROW, 0)
  int done = 8;
  for (; done <= n - 8; done += 8) {
    EACH_ACC(OPERAND, CONTINUE_ROW, done)
  }
  if (done < n) {
    const long long* mask = MASKS + (n - done);
    EACH_ACC(OPERAND, FINISH_ROW, n - 8)
  }
  EACH_ROW(RESULT, 0, 0)
#undef AT
#undef START_ROW
#undef CONTINUE_ROW
#undef FINISH_ROW
#undef OPERAND
#undef RESULT
}

// rows shorter than eight: one loop per length, so that each is straight code
PLAIN static void dotRowsShort(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
#define ROWS(n)                                                                 \
  case n:                                                                       \
    for (int k = 0; k < n; k++) x[k] = vec[k];                                  \
    for (int r = 0; r < nr; r++) res[r] = mth_dotShort(mat + r * stride, x, n); \
    return
  double x[8];
  switch (nc) {
    ROWS(1);
    ROWS(2);
    ROWS(3);
    ROWS(4);
    ROWS(5);
    ROWS(6);
    ROWS(7);
    default:
      for (int r = 0; r < nr; r++) res[r] = 0;
  }
#undef ROWS
}

static void dotRows(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  if (nc < MTH_INLINE) {
    dotRowsShort(res, mat, stride, vec, nr, nc);
    return;
  }
  int r = 0;
  for (; r <= nr - NROW; r += NROW) dotBlock(res + r, mat + r * stride, stride, vec, nc);
  for (; r < nr; r++) res[r] = dotInline(mat + r * stride, vec, nc);
}

// vec1' * mat * vec2: products of the rows, added in sequence; rows shorter than eight
PLAIN static double mulVecMatVecShort(const double* vec1, const double* mat, const double* vec2, int n) {
  double res = 0;
#define ROWS(m)                                                                              \
  case m:                                                                                    \
    for (int r = 0; r < m; r++) res += vec1[r] * mth_dotShort(mat + (size_t)r * m, vec2, m); \
    return res
  switch (n) {
    ROWS(1);
    ROWS(2);
    ROWS(3);
    ROWS(4);
    ROWS(5);
    ROWS(6);
    ROWS(7);
  }
#undef ROWS
  return res;
}

static double mulVecMatVec(const double* vec1, const double* mat, const double* vec2, int n) {
  if (n < MTH_INLINE) return mulVecMatVecShort(vec1, mat, vec2, n);
  double res = 0, product[NROW];
  int r = 0;
  for (; r <= n - NROW; r += NROW) {
    dotBlock(product, mat + (size_t)r * n, (size_t)n, vec2, n);
    for (int k = 0; k < NROW; k++) res += vec1[r + k] * product[k];
  }
  for (; r < n; r++) res += vec1[r] * dotInline(mat + (size_t)r * n, vec2, n);
  return res;
}

// res = mat1 * mat2' with rows shorter than eight
PLAIN static void mulMatMatTShort(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
#define ROWS(m)                                                               \
  case m:                                                                     \
    for (int i = 0; i < r1; i++, mat1 += m, res += r2) {                      \
      for (int k = 0; k < m; k++) x[k] = mat1[k];                             \
      for (int j = 0; j < r2; j++) res[j] = mth_dotShort(x, mat2 + j * m, m); \
    }                                                                         \
    return
  double x[8];
  switch (c1) {
    ROWS(1);
    ROWS(2);
    ROWS(3);
    ROWS(4);
    ROWS(5);
    ROWS(6);
    ROWS(7);
    default:
      for (int i = 0; i < r1 * r2; i++) res[i] = 0;
  }
#undef ROWS
}

static void mulMatMatT(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
  if (c1 < MTH_INLINE) {
    mulMatMatTShort(res, mat1, mat2, r1, c1, r2);
    return;
  }
  for (int i = 0; i < r1; i++) dotRows(res + (size_t)i * r2, mat2, (size_t)c1, mat1 + (size_t)i * c1, r2, c1);
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

// up to three columns from c on
static inline void columnsShort(double* res, const double* mat, const double* vec, int nr, int nc, int c, int count) {
  double acc[3] = {0, 0, 0};
  for (int r = 0; r < nr; r++) {
    if (vec[r] == 0) continue;
    for (int k = 0; k < count; k++) acc[k] += vec[r] * mat[(size_t)r * nc + c + k];
  }
  for (int k = 0; k < count; k++) res[c + k] = acc[k];
}

static void mulMatTVec(double* res, const double* mat, const double* vec, int nr, int nc) {
  // wide blocks, then single vectors, then single columns
  int c = 0;
  for (; c <= nc - 4 * LANES; c += 4 * LANES) columnBlock(res, mat, vec, nr, nc, c, 4);
  for (; c <= nc - 2 * LANES; c += 2 * LANES) columnBlock(res, mat, vec, nr, nc, c, 2);
  for (; c <= nc - LANES; c += LANES) columnBlock(res, mat, vec, nr, nc, c, 1);
  if (nc - c == 1) columnsShort(res, mat, vec, nr, nc, c, 1);
  if (nc - c == 2) columnsShort(res, mat, vec, nr, nc, c, 2);
  if (nc - c == 3) columnsShort(res, mat, vec, nr, nc, c, 3);
}

//---------------------------------- Cholesky ----------------------------------

// column j below the pivot: (A(i,j) - dot of the rows left of it) / pivot for nr rows from `row` on; j below eight
PLAIN static void cholColumnShort(double* row, const double* pivotrow, int n, int nr, int j, double inv) {
  int i = 0;
#define ROWS(m)                                                                      \
  case m:                                                                            \
    for (int k = 0; k < m; k++) x[k] = pivotrow[k];                                  \
    for (; i < nr; i++, row += n) row[m] = (row[m] - mth_dotShort(row, x, m)) * inv; \
    return
  double x[8];
  switch (j) {
    ROWS(0);
    ROWS(1);
    ROWS(2);
    ROWS(3);
    ROWS(4);
    ROWS(5);
    ROWS(6);
    ROWS(7);
  }
#undef ROWS
}

static inline void cholColumn(double* row, const double* pivotrow, int n, int nr, int j, double inv) {
  double left[NROW];
  int i = 0;
  if (j < MTH_INLINE) {
    cholColumnShort(row, pivotrow, n, nr, j, inv);
    return;
  }
  for (; i <= nr - NROW; i += NROW, row += (size_t)NROW * n) {
    dotBlock(left, row, (size_t)n, pivotrow, j);
    for (int k = 0; k < NROW; k++) row[(size_t)k * n + j] = (row[(size_t)k * n + j] - left[k]) * inv;
  }
  for (; i < nr; i++, row += n) row[j] = (row[j] - dotInline(row, pivotrow, j)) * inv;
}

static int cholFactor(double* mat, int n, double mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    // pivot, raised to the threshold where the matrix is not positive enough
    double* row = mat + (size_t)j * n;
    double pivot = row[j] - (j < MTH_INLINE ? mth_dotShort(row, row, j) : dotInline(row, row, j));
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    pivot = sqrt(pivot);
    row[j] = pivot;
    cholColumn(row + n, row, n, n - j - 1, j, 1 / pivot);
  }
  return rank;
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
static inline int collectRows(SqrRows* rows, const MthSqrTask* t, int r, int i, int count) {
  int n = 0;
  for (; r < t->nr && n < NCHUNK; r++) {
    const double d = t->diag ? t->diag[r] : 1;
    const double* row = t->mat + (size_t)r * t->nc;
    int any = 0;
    for (int k = 0; k < count; k++) {
      rows->coef[n][k] = row[i + k] * d;
      any |= row[i + k] != 0;
    }
    rows->row[n] = row;
    n += any & (d != 0);
  }
  rows->n = n;
  return r;
}

// a tile of nrow rows and `count` vectors of columns from c on; first: starts from zero
static inline void addTile(double* res, const SqrRows* rows, int nc, int c, int nrow, int count, int first) {
  Vec acc[4][2];
  for (int k = 0; k < nrow; k++) {
    for (int v = 0; v < count; v++) acc[k][v] = first ? (Vec){0} : load(res + (size_t)k * nc + c + v * LANES);
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

// one column of a tile
static inline void addTileColumn(double* res, const SqrRows* rows, int nc, int c, int nrow, int first) {
  double acc[4];
  for (int k = 0; k < nrow; k++) acc[k] = first ? 0 : res[(size_t)k * nc + c];
  for (int r = 0; r < rows->n; r++) {
    for (int k = 0; k < nrow; k++) acc[k] += rows->coef[r][k] * rows->row[r][c];
  }
  for (int k = 0; k < nrow; k++) res[(size_t)k * nc + c] = acc[k];
}

// rows i ... i+nrow-1 of the result, columns up to the diagonal and, where the row goes on, a little beyond
static inline void rowBlock(const MthSqrTask* t, int i, int nrow) {
  SqrRows rows;
  double* res = t->res + (size_t)i * t->nc;
  const int end = i + nrow;
  int r = 0, first = 1;
  do {
    r = collectRows(&rows, t, r, i, nrow);
    int c = 0;
    for (; c < end - LANES && c <= t->nc - 2 * LANES; c += 2 * LANES) addTile(res, &rows, t->nc, c, nrow, 2, first);
    for (; c < end && c <= t->nc - LANES; c += LANES) addTile(res, &rows, t->nc, c, nrow, 1, first);
    for (; c < end; c++) addTileColumn(res, &rows, t->nc, c, nrow, first);
    first = 0;
  } while (r < t->nr);
}

static void sqrMatTD(const MthSqrTask* t) {
  int i = 0;
  for (; i <= t->nc - 4; i += 4) rowBlock(t, i, 4);
  if (t->nc - i == 1) rowBlock(t, i, 1);
  if (t->nc - i == 2) rowBlock(t, i, 2);
  if (t->nc - i == 3) rowBlock(t, i, 3);
}

#define MTH_TABLE(NAME)                                                                                               \
  {                                                                                                                   \
    NAME, MTH_ENTRY(dot), MTH_ENTRY(norm), sum, L1, dotSparse, MTH_ENTRY(fill), copy, MTH_ENTRY(scl), MTH_ENTRY(add), \
        MTH_ENTRY(sub), MTH_ENTRY(addScl), sclAddScl, dotRows, mulVecMatVec, mulMatTVec, mulMatMatT, cholFactor,      \
        sqrMatTD                                                                                                      \
  }

//---------------------------------- entries of the public functions ----------------------------------
// public.c binds the public names to them and to the MTH_ENTRY functions above when the library is loaded.

ALIGNED void MTH_ENTRY(addTo)(double* res, const double* a, int n) {
#define EXPR(IN, v, NUM) (IN(res, v) + IN(a, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(subFrom)(double* res, const double* a, int n) {
#define EXPR(IN, v, NUM) (IN(res, v) - IN(a, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(addToScl)(double* res, const double* a, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(res, v) + NUM(s) * IN(a, v))
  ELEMENTWISE(n, EXPR);
#undef EXPR
}

ALIGNED void MTH_ENTRY(mulMatVec)(double* res, const double* mat, const double* vec, int nr, int nc) {
  dotRows(res, mat, (size_t)nc, vec, nr, nc);
}
