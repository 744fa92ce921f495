// The vector kernels, written once for vectors of LANES doubles. A file per instruction set defines LANES, the vector
// type Vec and addVectors(), which adds the lanes of 8/LANES accumulators in the fixed order, and includes this one.
// LANES is 2 or 4. See kernels.h for the order of summation; everything here keeps it for any LANES.
//
// Written for whole steps, as plainly as that allows. Figures are instructions of whole steps (callgrind, AVX2), with
// Newton, CG and PGS on twelve scenes:
//   sums end with one masked block, where a tree of cases with a way out of each was before: PGS of a humanoid -0.7 %,
//     CG of a humanoid +0.8 %, all others -0.1 to +0.5 %; times of steps do not tell them apart
//   accumulators without a term in that block are left out: CG of a humanoid -0.4 %, for its sparse rows are gathered
//   the last elements in a loop, where each had its place in a tree of cases: CG of a humanoid +0.2 %, others none
//   MTH_NEXT_ROW hides the next row from the compiler: PGS of a humanoid -0.3 %
//   what was aligned to 512 bytes or ordered by likelihood for single calls of ten cycles, is not any more: no
//   difference
#include "math/simd/fixed.h"
#include "math/simd/table.h"

typedef double VecUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long Mask __attribute__((vector_size(8 * LANES)));
typedef long long MaskUnaligned __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#define INLINE   inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

static inline Vec load(const double* p) {
  return (Vec) * (const VecUnaligned*)p;
}

static inline void store(double* p, Vec v) {
  *(VecUnaligned*)p = (VecUnaligned)v;
}

// The last r of eight lanes, and a vector of them from lane `first` on with +0 in the others. Instruction sets with
// mask registers bring their own.
#if !defined(MTH_HAS_TAIL)
typedef const long long* Tail;
static inline Tail tail(size_t r) {
  static const long long MASKS[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
  return MASKS + r;
}
static inline Vec inTail(Tail t, Vec v, int first) {
  return (Vec)((Mask)v & (Mask) * (const MaskUnaligned*)(t + first));
}
#endif

static inline Vec splat(double x) {
  return x - (Vec){0};
}

static inline Vec magnitude(Vec v) {
  const Mask sign = (Mask)(-(Vec){0});
  return (Vec)((Mask)v & ~sign);
}

//---------------------------------- reductions ----------------------------------
// Eight virtual lanes in 8/LANES accumulators. TERM(i) is the vector of terms i ... i+LANES-1. The last r = n mod 8
// terms go to the last r lanes: the last eight are read once more and those that were added already are masked.

#define REDUCE(n)                                    \
  EACH_ACC(START, 0)                                 \
  const size_t n_ = (size_t)(n);                     \
  for (size_t done = 8; done + 8 <= n_; done += 8) { \
    EACH_ACC(CONTINUE, done)                         \
  }                                                  \
  if (n_ & 7) {                                      \
    const Tail last = tail(n_ & 7);                  \
    EACH_ACC(LAST, n_ - 8)                           \
  }                                                  \
  return ADD_ACC

// one statement per accumulator: arrays would be kept in memory
#define START(v, i)    Vec acc##v = TERM((i) + v * LANES);
#define CONTINUE(v, i) acc##v += TERM((i) + v * LANES);
#define LAST(v, i)     acc##v += (n_ & 7) + (v + 1) * LANES > 8 ? inTail(last, TERM((i) + v * LANES), v * LANES) : (Vec){0};
#if LANES == 2
#define EACH_ACC(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__)
#define ADD_ACC           addVectors(acc0, acc1, acc2, acc3)
#else
#define EACH_ACC(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__)
#define ADD_ACC           addVectors(acc0, acc1)
#endif

// eight terms and more
static INLINE double dotInline(const double* a, const double* b, int n) {
#define TERM(i) (load(a + (i)) * load(b + (i)))
  REDUCE(n);
#undef TERM
}

double MTH_ENTRY(dot)(const double* a, const double* b, int n) {
  return n < MTH_INLINE ? mth_dotShort(a, b, n) : dotInline(a, b, n);
}

double MTH_ENTRY(norm)(const double* a, int n) {
  return sqrt(n < MTH_INLINE ? mth_dotShort(a, a, n) : dotInline(a, a, n));
}

double MTH_ENTRY(sum)(const double* a, int n) {
  if (n < MTH_INLINE) return mth_sumShort(a, n);
#define TERM(i) load(a + (i))
  REDUCE(n);
#undef TERM
}

double MTH_ENTRY(L1)(const double* a, int n) {
  if (n < MTH_INLINE) return mth_L1Short(a, n);
#define TERM(i) magnitude(load(a + (i)))
  REDUCE(n);
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

double MTH_ENTRY(dotSparse)(const double* val, const double* vec, int nnz, const int* ind) {
  if (nnz < MTH_INLINE) return mth_dotSparseShort(val, vec, nnz, ind);
#define TERM(i) (load(val + (i)) * gather(vec, ind + (i)))
  REDUCE(nnz);
#undef TERM
}

//---------------------------------- element-wise ----------------------------------
// Four at a time, then the last three one by one.

// res = EXPR(IN, v, NUM) where IN(x, v) loads a vector or a number and NUM(s) is a constant, of which the vector vs
// must be there
#define ELEMENTWISE(n, EXPR)                   \
  int at = 0;                                  \
  for (; at <= (n)-4; at += 4) {               \
    for (int k = at; k < at + 4; k += LANES) { \
      store(res + k, EXPR(WIDE_IN, k, WIDE));  \
    }                                          \
  }                                            \
  for (; at < (n); at++) res[at] = EXPR(ONE_IN, at, ONE);
#define WIDE_IN(x, v) load(x + (v))
#define ONE_IN(x, v)  x[v]
#define WIDE(s)       v##s
#define ONE(s)        s

// longer vectors are copied and cleared by the C library
enum { NCOPY = 32, NZERO = 63 };

static INLINE void fill(double* res, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) NUM(s)
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

// a number that the compiler does not know: of a loop that stores zeros it makes a call, or worse, an instruction that
// takes longer to start than to clear a few numbers
#if defined(__x86_64__)
#define HIDE(x) __asm__("" : "+x"(x))
#else
#define HIDE(x) ((void)0)
#endif

static INLINE void zero(double* res, int n) {
  if (n > NZERO) {
    memset(res, 0, (size_t)n * sizeof(double));
    return;
  }
  double nothing = 0;
  HIDE(nothing);
  fill(res, nothing, n);
}

void MTH_ENTRY(zero)(double* res, int n) {
  zero(res, n);
}

void MTH_ENTRY(eye)(double* mat, int n) {
  zero(mat, n * n);
  for (int i = 0; i < n; i++) mat[(size_t)i * (n + 1)] = 1;
}

void MTH_ENTRY(fill)(double* res, double s, int n) {
  fill(res, s, n);
}

void MTH_ENTRY(copy)(double* res, const double* a, int n) {
  if (n > NCOPY) {
    memmove(res, a, (size_t)n * sizeof(double));
    return;
  }
#define EXPR(IN, v, NUM) IN(a, v)
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

static INLINE void sclInline(double* res, const double* a, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(a, v) * NUM(s))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(scl)(double* res, const double* a, double s, int n) {
  sclInline(res, a, s, n);
}

double MTH_ENTRY(normalize)(double* res, int n) {
  const double norm = MTH_ENTRY(norm)(res, n);
  if (norm < mjMINVAL) {
    // no direction: the first axis
    zero(res, n);
    if (n > 0) res[0] = 1;
    return norm;
  }
  sclInline(res, res, 1 / norm, n);
  return norm;
}

void MTH_ENTRY(add)(double* res, const double* a, const double* b, int n) {
#define EXPR(IN, v, NUM) (IN(a, v) + IN(b, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(sub)(double* res, const double* a, const double* b, int n) {
#define EXPR(IN, v, NUM) (IN(a, v) - IN(b, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(addTo)(double* res, const double* a, int n) {
#define EXPR(IN, v, NUM) (IN(res, v) + IN(a, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(subFrom)(double* res, const double* a, int n) {
#define EXPR(IN, v, NUM) (IN(res, v) - IN(a, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(addScl)(double* res, const double* a, const double* b, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(a, v) + NUM(s) * IN(b, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(addToScl)(double* res, const double* a, double s, int n) {
  const Vec vs = splat(s);
#define EXPR(IN, v, NUM) (IN(res, v) + NUM(s) * IN(a, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

void MTH_ENTRY(sclAddScl)(double* res, const double* a, double s, const double* b, double t, int n) {
  const Vec vs = splat(s), vt = splat(t);
#define EXPR(IN, v, NUM) (NUM(s) * IN(a, v) + NUM(t) * IN(b, v))
  ELEMENTWISE(n, EXPR)
#undef EXPR
}

//---------------------------------- matrix times vector ----------------------------------

// LANES rows share the loads of vec, and their results fill a vector.
#if LANES == 2
#define EACH_ROW(DO, v, i) DO(0, v, i) DO(1, v, i)
#define SUM(r)             ((acc##r##0 + acc##r##2) + (acc##r##1 + acc##r##3))
#define ADD_ROWS           addRows(SUM(0), SUM(1))
static inline Vec addRows(Vec s0, Vec s1) {
  return (Vec){s0[0], s1[0]} + (Vec){s0[1], s1[1]};
}
#else
#define EACH_ROW(DO, v, i) DO(0, v, i) DO(1, v, i) DO(2, v, i) DO(3, v, i)
#define SUM(r)             (acc##r##0 + acc##r##1)
#define ADD_ROWS           addRows(SUM(0), SUM(1), SUM(2), SUM(3))
#endif

// dot products of LANES rows of length n >= 8 with one vector
static inline Vec dotBlock(const double* mat, size_t stride, const double* vec, int n) {
#define AT(r, v, i)           load(mat + (r)*stride + (i) + (v)*LANES)
#define START_ROW(r, v, i)    Vec acc##r##v = AT(r, v, i) * x;
#define CONTINUE_ROW(r, v, i) acc##r##v += AT(r, v, i) * x;
#define FINISH_ROW(r, v, i)   acc##r##v += inTail(last, AT(r, v, i) * x, (v)*LANES);
#define OPERAND(v, DO, i)          \
  x = load(vec + (i) + v * LANES); \
  EACH_ROW(DO, v, i)
  Vec x;
  EACH_ACC(OPERAND, START_ROW, 0)
  const size_t count = (size_t)n;
  for (size_t done = 8; done + 8 <= count; done += 8) {
    EACH_ACC(OPERAND, CONTINUE_ROW, done)
  }
  if (count & 7) {
    const Tail last = tail(count & 7);
    EACH_ACC(OPERAND, FINISH_ROW, count - 8)
  }
  return ADD_ROWS;
#undef AT
#undef START_ROW
#undef CONTINUE_ROW
#undef FINISH_ROW
#undef OPERAND
}

// number k of LANES rows
static inline Vec column(const double* mat, size_t stride, int k) {
#if LANES == 2
  return (Vec){mat[k], mat[stride + k]};
#else
  return (Vec){mat[k], mat[stride + k], mat[2 * stride + k], mat[3 * stride + k]};
#endif
}

// dot products of LANES rows of length n < 8 with one vector; n is a constant where this is inlined
static INLINE Vec dotBlockShort(const double* mat, size_t stride, const double* vec, int n) {
#if LANES == 4
  if (n >= 4) {
    const Vec x = load(vec);
    Vec sum =
        addInSequence(load(mat) * x, load(mat + stride) * x, load(mat + 2 * stride) * x, load(mat + 3 * stride) * x);
    for (int k = 4; k < n; k++) sum += column(mat, stride, k) * splat(vec[k]);
    return sum;
  }
#endif
  Vec sum = column(mat, stride, 0) * splat(vec[0]);
  for (int k = 1; k < n; k++) sum += column(mat, stride, k) * splat(vec[k]);
  return sum;
}

// one case per length below eight, so that each is straight code
#define EACH_SHORT(ROWS) ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6) ROWS(7)

static INLINE void dotRowsShort(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  // a copy, which a store to the result cannot change
  double x[8];
  int r = 0;
#define ROWS(n)                                                           \
  case n:                                                                 \
    for (int k = 0; k < n; k++) x[k] = vec[k];                            \
    for (; n > 3 && r <= nr - LANES; r += LANES, mat += LANES * stride) { \
      store(res + r, dotBlockShort(mat, stride, vec, n));                 \
    }                                                                     \
    for (; r < nr; r++) {                                                 \
      res[r] = mth_dotShort(mat, x, n);                                   \
      MTH_NEXT_ROW(mat, stride);                                          \
    }                                                                     \
    return;
  switch (nc) {
    EACH_SHORT(ROWS)
    default:
      for (; r < nr; r++) res[r] = 0;
  }
#undef ROWS
}

// rows of eight and more
static INLINE void dotRowsBlocks(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  int r = 0;
  for (; r <= nr - LANES; r += LANES) store(res + r, dotBlock(mat + r * stride, stride, vec, nc));
  for (; r < nr; r++) res[r] = dotInline(mat + r * stride, vec, nc);
}

// the same apart from the short rows, which would have to save the registers that it needs
static NOINLINE void dotRowsLong(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  dotRowsBlocks(res, mat, stride, vec, nr, nc);
}

void MTH_ENTRY(dotRows)(double* res, const double* mat, size_t stride, const double* vec, int nr, int nc) {
  if (nc < MTH_INLINE) {
    dotRowsShort(res, mat, stride, vec, nr, nc);
  } else {
    dotRowsLong(res, mat, stride, vec, nr, nc);
  }
}

void MTH_ENTRY(mulMatVec)(double* res, const double* mat, const double* vec, int nr, int nc) {
  if (nc < MTH_INLINE) {
    dotRowsShort(res, mat, (size_t)nc, vec, nr, nc);
  } else {
    dotRowsLong(res, mat, (size_t)nc, vec, nr, nc);
  }
}

// res + the numbers of v in sequence
static inline double addLanes(double res, Vec v) {
  for (int k = 0; k < LANES; k++) res += v[k];
  return res;
}

// vec1' * mat * vec2, rows of eight and more: products of the rows, added in sequence
static NOINLINE double mulVecMatVecLong(const double* vec1, const double* mat, const double* vec2, int n) {
  double res = 0;
  int r = 0;
  for (; r <= n - LANES; r += LANES) {
    res = addLanes(res, load(vec1 + r) * dotBlock(mat + (size_t)r * n, (size_t)n, vec2, n));
  }
  for (; r < n; r++) res += vec1[r] * dotInline(mat + (size_t)r * n, vec2, n);
  return res;
}

// vec1' * mat * vec2
double MTH_ENTRY(mulVecMatVec)(const double* vec1, const double* mat, const double* vec2, int n) {
  double res = 0;
  int r = 0;
#define ROWS(m)                                                             \
  case m:                                                                   \
    for (; m > 3 && r <= m - LANES; r += LANES, mat += LANES * m) {         \
      res = addLanes(res, load(vec1 + r) * dotBlockShort(mat, m, vec2, m)); \
    }                                                                       \
    for (; r < m; r++) {                                                    \
      res += vec1[r] * mth_dotShort(mat, vec2, m);                          \
      MTH_NEXT_ROW(mat, m);                                                 \
    }                                                                       \
    return res;
  switch (n) {
    case 0:
      return 0;
      EACH_SHORT(ROWS)
  }
#undef ROWS
  return mulVecMatVecLong(vec1, mat, vec2, n);
}

// mat1 * mat2' with rows of c1 < 8 numbers: LANES rows of mat2 stay in registers
static INLINE void mulMatMatTShort(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
  int j = 0;
  for (; j <= r2 - LANES; j += LANES) {
    Vec col[7];
    for (int k = 0; k < c1; k++) col[k] = column(mat2 + (size_t)j * c1, c1, k);
    const double* x = mat1;
    for (int i = 0; i < r1; i++, x += c1) {
      Vec sum = col[0] * splat(x[0]);
      for (int k = 1; k < c1; k++) sum += col[k] * splat(x[k]);
      store(res + (size_t)i * r2 + j, sum);
    }
  }
  for (; j < r2; j++) {
    const double* x = mat1;
    for (int i = 0; i < r1; i++) {
      res[(size_t)i * r2 + j] = mth_dotShort(x, mat2 + (size_t)j * c1, c1);
      MTH_NEXT_ROW(x, c1);
    }
  }
}

void MTH_ENTRY(mulMatMatT)(double* res, const double* mat1, const double* mat2, int r1, int c1, int r2) {
#define ROWS(m)                                  \
  case m:                                        \
    mulMatMatTShort(res, mat1, mat2, r1, m, r2); \
    return;
  switch (c1) { EACH_SHORT(ROWS) }
#undef ROWS
  if (c1 <= 0) zero(res, r1 * r2);
  for (int i = 0; i < r1 && c1 > 0; i++) {
    dotRowsBlocks(res + (size_t)i * r2, mat2, (size_t)c1, mat1 + (size_t)i * c1, r2, c1);
  }
}

//---------------------------------- combinations of rows ----------------------------------

// The rows of a matrix and the numbers they are multiplied with.
typedef struct {
  const double* mat;  // (nr x nc)
  const double* vec;  // nr numbers, `step` apart
  size_t step;
  int nr, nc;
} Rows;

// `count` vectors of columns from c on: all rows in sequence, without those whose factor is 0
static INLINE void columnBlock(double* res, Rows rows, int c, int count) {
  Vec acc[4];
  for (int v = 0; v < count; v++) acc[v] = (Vec){0};
  const double *row = rows.mat + c, *vec = rows.vec;
  for (int r = 0; r < rows.nr; r++, row += rows.nc, vec += rows.step) {
    if (*vec == 0) continue;
    const Vec x = splat(*vec);
    for (int v = 0; v < count; v++) acc[v] += x * load(row + v * LANES);
  }
  for (int v = 0; v < count; v++) store(res + c + v * LANES, acc[v]);
}

// up to three columns from c on
static INLINE void columnsShort(double* res, Rows rows, int c, int count) {
  double acc[3] = {0, 0, 0};
  const double *row = rows.mat + c, *vec = rows.vec;
  for (int r = 0; r < rows.nr; r++, row += rows.nc, vec += rows.step) {
    if (*vec == 0) continue;
    for (int k = 0; k < count; k++) acc[k] += *vec * row[k];
  }
  for (int k = 0; k < count; k++) res[c + k] = acc[k];
}

// wide blocks, then single vectors, then single columns
static INLINE void combine(double* res, Rows rows) {
  int c = 0;
  const int nc = rows.nc;
  for (; c <= nc - 4 * LANES; c += 4 * LANES) columnBlock(res, rows, c, 4);
  for (; c <= nc - 2 * LANES; c += 2 * LANES) columnBlock(res, rows, c, 2);
  for (; c <= nc - LANES; c += LANES) columnBlock(res, rows, c, 1);
  if (nc - c == 1) columnsShort(res, rows, c, 1);
  if (nc - c == 2) columnsShort(res, rows, c, 2);
  if (nc - c == 3) columnsShort(res, rows, c, 3);
}

void MTH_ENTRY(mulMatTVec)(double* res, const double* mat, const double* vec, int nr, int nc) {
  combine(res, (Rows){mat, vec, 1, nr, nc});
}

void MTH_ENTRY(mulMatMat)(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2) {
  for (int i = 0; i < r1; i++) combine(res + (size_t)i * c2, (Rows){mat2, mat1 + (size_t)i * c1, 1, c1, c2});
}

void MTH_ENTRY(mulMatTMat)(double* res, const double* mat1, const double* mat2, int r1, int c1, int c2) {
  for (int j = 0; j < c1; j++) combine(res + (size_t)j * c2, (Rows){mat2, mat1 + j, (size_t)c1, r1, c2});
}

//---------------------------------- Cholesky ----------------------------------

// Column j below the pivot: (A(i,j) - dot of the rows left of it) / pivot for nr rows from `row` on, at least one.
// Returns the first of them; j below eight.
static inline double cholColumnShort(double* row, const double* pivotrow, int n, int nr, int j, double inv) {
  double x[8], first;
#define ROWS(m)                                          \
  case m:                                                \
    for (int k = 0; k < m; k++) x[k] = pivotrow[k];      \
    first = (row[m] - mth_dotShort(row, x, m)) * inv;    \
    row[m] = first;                                      \
    for (int i = 1; i < nr; i++) {                       \
      MTH_NEXT_ROW(row, n);                              \
      row[m] = (row[m] - mth_dotShort(row, x, m)) * inv; \
    }                                                    \
    return first;
  switch (j) {
    ROWS(0)
    EACH_SHORT(ROWS)
  }
#undef ROWS
  return 0;
}

// the same for j of eight and more
static inline double cholColumnLong(double* row, const double* pivotrow, int n, int nr, int j, double inv) {
  const double first = (row[j] - dotInline(row, pivotrow, j)) * inv;
  row[j] = first;
  row += n;
  int i = 1;
  for (; i <= nr - LANES; i += LANES, row += (size_t)LANES * n) {
    const Vec below = (column(row, (size_t)n, j) - dotBlock(row, (size_t)n, pivotrow, j)) * splat(inv);
    for (int k = 0; k < LANES; k++) row[(size_t)k * n + j] = below[k];
  }
  for (; i < nr; i++, row += n) row[j] = (row[j] - dotInline(row, pivotrow, j)) * inv;
  return first;
}

int MTH_ENTRY(cholFactor)(double* mat, int n, double mindiag) {
  int rank = n;
  double* row = mat;
  double left = 0;
  for (int j = 0; j < n; j++, row += n) {
    // the pivot; the number left of it is new and comes by itself: in a sum it would have to wait for its store
    const int old = j - 1;
    double pivot = row[j] - (old < MTH_INLINE ? mth_dotShort(row, row, old) : dotInline(row, row, old)) - left * left;

    // raised to the threshold where the matrix is not positive enough
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    pivot = sqrt(pivot);
    row[j] = pivot;
    if (j == n - 1) break;
    left = (j < MTH_INLINE ? cholColumnShort : cholColumnLong)(row + n, row, n, n - j - 1, j, 1 / pivot);
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

void MTH_ENTRY(sqrMatTD)(const MthSqrTask* t) {
  int i = 0;
  for (; i <= t->nc - 4; i += 4) rowBlock(t, i, 4);
  if (t->nc - i == 1) rowBlock(t, i, 1);
  if (t->nc - i == 2) rowBlock(t, i, 2);
  if (t->nc - i == 3) rowBlock(t, i, 3);
}
