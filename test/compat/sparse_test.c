// Sparse matrices: equal to their dense counterparts, and to the reference (structures exactly, sums up to the order of
// their terms).
#include "compat/stacks.h"

enum { N = 20, NNZ = N * N };

// up to N terms of magnitude 1, added in another order
static const double TOL = 1e-14;

// A sparse matrix with room for full rows.
typedef struct {
  int nr, nc;
  double val[NNZ], dense[NNZ];
  int rownnz[N], rowadr[N], colind[NNZ], super[N];
} Matrix;

// rows come in groups with the same columns; some columns are empty
static void randomMatrix(Rnd* r, Matrix* m, int nr, int nc) {
  int keep[N] = {0}, empty[N];
  m->nr = nr;
  m->nc = nc;
  for (int c = 0; c < nc; c++) empty[c] = rnd_below(r, 6) == 0;
  for (int i = 0; i < nr; i++) {
    for (int c = 0; (i == 0 || rnd_below(r, 2)) && c < nc; c++) keep[c] = !empty[c] && rnd_below(r, 3) == 0;
    for (int c = 0; c < nc; c++) m->dense[i * nc + c] = keep[c] ? rnd_uniform(r, 0.1, 1) : 0;
  }
  mju_dense2sparse(m->val, m->dense, nr, nc, m->rownnz, m->rowadr, m->colind, NNZ);
  mju_superSparse(nr, m->super, m->rownnz, m->rowadr, m->colind);
}

static void transposed(Matrix* t, const Matrix* m) {
  t->nr = m->nc;
  t->nc = m->nr;
  mju_transposeSparse(t->val, m->val, m->nr, m->nc, t->rownnz, t->rowadr, t->colind, t->super, m->rownnz, m->rowadr,
                      m->colind);
  mju_transpose(t->dense, m->dense, m->nr, m->nc);
}

// lower triangle of a square matrix, with its diagonal
static void randomLower(Rnd* r, Matrix* m, int n) {
  m->nr = m->nc = n;
  for (int i = 0; i < n * n; i++) {
    const int row = i / n, col = i % n;
    m->dense[i] = col == row || (col < row && rnd_below(r, 3) == 0) ? rnd_uniform(r, 0.1, 1) : 0;
  }
  mju_dense2sparse(m->val, m->dense, n, n, m->rownnz, m->rowadr, m->colind, NNZ);
}

static void equalInts(const int* a, const int* b, int n) {
  orc_sameBytes(a, b, sizeof(int) * (size_t)n);
}

static void products(void** state) {
  (void)state;
  Rnd r = {1};
  static Matrix m;
  double v[N], x[N], y[N];
  for (int k = 0; k < 300; k++) {
    randomMatrix(&r, &m, 1 + rnd_below(&r, N - 1), 1 + rnd_below(&r, N - 1));
    for (int i = 0; i < N; i++) v[i] = rnd_below(&r, 4) ? rnd_uniform(&r, -1, 1) : 0;
    const int* super = k % 2 ? m.super : NULL;
    mju_mulMatVecSparse(x, m.val, v, m.nr, m.rownnz, m.rowadr, m.colind, super);
    mju_mulMatVec(y, m.dense, v, m.nr, m.nc);
    cmp_arrays("A v", x, y, m.nr, TOL);
    ORC(mju_mulMatVecSparse)(y, m.val, v, m.nr, m.rownnz, m.rowadr, m.colind, super);
    cmp_arrays("mulMatVecSparse", x, y, m.nr, TOL);

    mju_mulMatTVecSparse(x, m.val, v, m.nr, m.nc, m.rownnz, m.rowadr, m.colind);
    mju_mulMatTVec(y, m.dense, v, m.nr, m.nc);
    cmp_arrays("A' v", x, y, m.nc, TOL);
    ORC(mju_mulMatTVecSparse)(y, m.val, v, m.nr, m.nc, m.rownnz, m.rowadr, m.colind);
    cmp_arrays("mulMatTVecSparse", x, y, m.nc, TOL);

    // two rows
    const int i = rnd_below(&r, m.nr), j = rnd_below(&r, m.nr), a = m.rowadr[i], b = m.rowadr[j];
    const double dot = mju_dotSparse2(m.val + a, m.colind + a, m.rownnz[i], m.val + b, m.colind + b, m.rownnz[j]);
    assert_true(cmp_close(dot, mju_dot(m.dense + i * m.nc, m.dense + j * m.nc, m.nc), m.nc, TOL));
    assert_true(dot == ORC(mju_dotSparse2)(m.val + a, m.colind + a, m.rownnz[i], m.val + b, m.colind + b, m.rownnz[j]));
  }
}

static void symmetric(void** state) {
  (void)state;
  Rnd r = {2};
  static Matrix m;
  static double full[NNZ], sum[NNZ], ref[NNZ];
  double v[N], x[N], y[N];
  for (int k = 0; k < 200; k++) {
    const int n = 1 + rnd_below(&r, N - 1), upper = k % 2;
    randomLower(&r, &m, n);
    cmp_fill(&r, v, n);
    for (int i = 0; i < n * n; i++) {
      const int mirror = i % n * n + i / n;
      full[i] = i % n <= i / n ? m.dense[i] : m.dense[mirror];
    }
    mju_mulSymVecSparse(x, m.val, v, n, m.rownnz, m.rowadr, m.colind);
    mju_mulMatVec(y, full, v, n, n);
    cmp_arrays("S v", x, y, n, TOL);
    ORC(mju_mulSymVecSparse)(y, m.val, v, n, m.rownnz, m.rowadr, m.colind);
    cmp_arrays("mulSymVecSparse", x, y, n, TOL);

    // added to a dense matrix
    cmp_fill(&r, sum, n * n);
    memcpy(ref, sum, sizeof(ref));
    mju_addToSymSparse(sum, m.val, n, m.rownnz, m.rowadr, m.colind, upper);
    for (int i = 0; i < n * n; i++) assert_true(sum[i] == ref[i] + (upper || i % n <= i / n ? full[i] : 0));
    ORC(mju_addToSymSparse)(ref, m.val, n, m.rownnz, m.rowadr, m.colind, upper);
    orc_sameBytes(sum, ref, sizeof(double) * (size_t)(n * n));
  }
}

// dst += M; room for full rows
static void sums(void** state) {
  (void)state;
  Rnd r = {3};
  static Matrix a, b, sum, ref;
  static double back[NNZ], buffer[N];
  int indices[N];
  for (int k = 0; k < 200; k++) {
    const int nr = 1 + rnd_below(&r, N - 1), nc = 1 + rnd_below(&r, N - 1);
    randomMatrix(&r, &a, nr, nc);
    randomMatrix(&r, &b, nr, nc);
    for (int i = 0; i < nr; i++) {
      sum.rowadr[i] = i * nc;
      sum.rownnz[i] = a.rownnz[i];
      memcpy(sum.val + i * nc, a.val + a.rowadr[i], sizeof(double) * (size_t)a.rownnz[i]);
      mju_copyInt(sum.colind + i * nc, a.colind + a.rowadr[i], a.rownnz[i]);
    }
    ref = sum;
    int count[N];
    for (int i = 0; i < nr; i++) {
      const int *ia = a.colind + a.rowadr[i], *ib = b.colind + b.rowadr[i];
      count[i] = mju_combineSparseCount(a.rownnz[i], b.rownnz[i], ia, ib);
      orc_sameInt(count[i], ORC(mju_combineSparseCount)(a.rownnz[i], b.rownnz[i], ia, ib));
    }
    mju_addToMatSparse(sum.val, sum.rownnz, sum.rowadr, sum.colind, nr, b.val, b.rownnz, b.rowadr, b.colind, buffer,
                       indices);
    equalInts(sum.rownnz, count, nr);
    mju_sparse2dense(back, sum.val, nr, nc, sum.rownnz, sum.rowadr, sum.colind);
    for (int i = 0; i < nr * nc; i++) assert_true(back[i] == a.dense[i] + b.dense[i]);
    ORC(mju_addToMatSparse)
    (ref.val, ref.rownnz, ref.rowadr, ref.colind, nr, b.val, b.rownnz, b.rowadr, b.colind, buffer, indices);
    equalInts(sum.rownnz, ref.rownnz, nr);
    for (int i = 0; i < nr; i++) {
      equalInts(sum.colind + i * nc, ref.colind + i * nc, sum.rownnz[i]);
      orc_sameBytes(sum.val + i * nc, ref.val + i * nc, sizeof(double) * (size_t)sum.rownnz[i]);
    }
  }
}

static void compression(void** state) {
  (void)state;
  Rnd r = {4};
  static Matrix a, b;
  for (int k = 0; k < 200; k++) {
    const double minval = k % 3 == 0 ? -1 : k % 3 == 1 ? 0 : 0.5;
    randomMatrix(&r, &a, 1 + rnd_below(&r, N - 1), 1 + rnd_below(&r, N - 1));

    // rows with gaps between them, some entries 0
    static double val[NNZ];
    static int colind[NNZ];
    for (int i = 0; i < a.nr; i++) {
      memcpy(val + i * N, a.val + a.rowadr[i], sizeof(double) * (size_t)a.rownnz[i]);
      mju_copyInt(colind + i * N, a.colind + a.rowadr[i], a.rownnz[i]);
      a.rowadr[i] = i * N;
      if (a.rownnz[i] && rnd_below(&r, 3) == 0) val[i * N + rnd_below(&r, a.rownnz[i])] = 0;
    }
    memcpy(a.val, val, sizeof(val));
    memcpy(a.colind, colind, sizeof(colind));
    b = a;
    int kept = 0;
    for (int i = 0; i < a.nr; i++) {
      for (int q = i * N; q < i * N + a.rownnz[i]; q++) kept += minval < 0 || fabs(val[q]) > minval;
    }
    const int nnz = mju_compressSparse(a.val, a.nr, a.nc, a.rownnz, a.rowadr, a.colind, minval);
    assert_int_equal(nnz, kept);
    assert_int_equal(a.rowadr[a.nr - 1] + a.rownnz[a.nr - 1], nnz);
    orc_sameInt(ORC(mju_compressSparse)(b.val, b.nr, b.nc, b.rownnz, b.rowadr, b.colind, minval), nnz);
    equalInts(a.rownnz, b.rownnz, a.nr);
    equalInts(a.rowadr, b.rowadr, a.nr);
    equalInts(a.colind, b.colind, nnz);
    orc_sameBytes(a.val, b.val, sizeof(double) * (size_t)nnz);
  }
}

static void transposes(void** state) {
  (void)state;
  Rnd r = {5};
  static Matrix m, t, u;
  static double back[NNZ];
  int super[N];
  for (int k = 0; k < 200; k++) {
    randomMatrix(&r, &m, 1 + rnd_below(&r, N - 1), 1 + rnd_below(&r, N - 1));
    transposed(&t, &m);
    mju_sparse2dense(back, t.val, t.nr, t.nc, t.rownnz, t.rowadr, t.colind);
    cmp_arrays("A'", back, t.dense, t.nr * t.nc, 0);
    mju_superSparse(t.nr, super, t.rownnz, t.rowadr, t.colind);
    equalInts(super, t.super, t.nr);

    // the structure alone
    mju_transposeSparse(NULL, NULL, m.nr, m.nc, u.rownnz, u.rowadr, u.colind, NULL, m.rownnz, m.rowadr, m.colind);
    equalInts(u.rownnz, t.rownnz, t.nr);
    const int nnz = t.rowadr[t.nr - 1] + t.rownnz[t.nr - 1];
    equalInts(u.colind, t.colind, nnz);
    ORC(mju_transposeSparse)
    (u.val, m.val, m.nr, m.nc, u.rownnz, u.rowadr, u.colind, u.super, m.rownnz, m.rowadr, m.colind);
    equalInts(u.rownnz, t.rownnz, t.nr);
    equalInts(u.rowadr, t.rowadr, t.nr);
    equalInts(u.colind, t.colind, nnz);
    equalInts(u.super, t.super, t.nr);
    orc_sameBytes(u.val, t.val, sizeof(double) * (size_t)nnz);
    ORC(mju_superSparse)(m.nr, super, m.rownnz, m.rowadr, m.colind);
    equalInts(super, m.super, m.nr);
  }
}

// mat'*diag*mat into full rows of h
static void squareOf(__typeof__(&mju_sqrMatTDSparse) function, Matrix* h, const Matrix* m, const Matrix* t,
                     const double* diag, mjData* d, int* diagind) {
  h->nr = h->nc = m->nc;
  mju_sqrMatTDUncompressedInit(h->rowadr, m->nc);
  function(h->val, m->val, t->val, diag, m->nr, m->nc, h->rownnz, h->rowadr, h->colind, m->rownnz, m->rowadr, m->colind,
           m->super, t->rownnz, t->rowadr, t->colind, t->super, d, diagind);
}

static void equalSquares(const Matrix* a, const Matrix* b) {
  equalInts(a->rownnz, b->rownnz, a->nr);
  for (int i = 0; i < a->nr; i++) {
    equalInts(a->colind + a->rowadr[i], b->colind + b->rowadr[i], a->rownnz[i]);
    cmp_arrays("square", a->val + a->rowadr[i], b->val + b->rowadr[i], a->rownnz[i], TOL);
  }
}

static void squares(void** state) {
  (void)state;
  Rnd r = {6};
  static Matrix m, t, h, ref;
  static double dense[NNZ], back[NNZ];
  for (int k = 0; k < 400; k++) {
    randomMatrix(&r, &m, 1 + rnd_below(&r, N - 1), 1 + rnd_below(&r, N - 1));
    transposed(&t, &m);
    double values[N];
    for (int i = 0; i < N; i++) values[i] = rnd_below(&r, 5) ? rnd_uniform(&r, 0.1, 1) : 0;
    const double* diag = k % 3 ? values : NULL;
    const int upper = k % 2, byrow = k / 2 % 2;
    int diagind[N], refind[N];

    // the dense square
    squareOf(byrow ? mju_sqrMatTDSparse_row : mju_sqrMatTDSparse, &h, &m, &t, diag, stk_ours, upper ? diagind : NULL);
    mju_sqrMatTD(dense, m.dense, diag, m.nr, m.nc);
    mju_sparse2dense(back, h.val, m.nc, m.nc, h.rownnz, h.rowadr, h.colind);
    for (int i = 0; i < m.nc * m.nc; i++) {
      if (upper || i % m.nc <= i / m.nc) assert_true(cmp_close(back[i], dense[i], N, TOL));
    }
    for (int i = 0; upper && i < m.nc; i++) {
      if (t.rownnz[i]) assert_int_equal(h.colind[diagind[i]], i);
      if (!byrow) assert_true(h.rownnz[i] > 0);
    }
    squareOf(byrow ? ORC(mju_sqrMatTDSparse_row) : ORC(mju_sqrMatTDSparse), &ref, &m, &t, diag, stk_reference,
             upper ? refind : NULL);
    equalSquares(&h, &ref);
    if (upper) equalInts(diagind, refind, m.nc);
  }
}

// counts are those of the row-based square
static void counts(void** state) {
  (void)state;
  Rnd r = {7};
  static Matrix m, t, h;
  int rownnz[N], rowadr[N], refnnz[N], refadr[N], diagind[N];
  for (int k = 0; k < 300; k++) {
    randomMatrix(&r, &m, 1 + rnd_below(&r, N - 1), 1 + rnd_below(&r, N - 1));
    transposed(&t, &m);
    const int upper = k % 2;
    const int* super = k % 3 ? t.super : NULL;
    squareOf(mju_sqrMatTDSparse_row, &h, &m, &t, NULL, stk_ours, upper ? diagind : NULL);
    const int nnz = mju_sqrMatTDSparseCount(rownnz, rowadr, m.nc, m.rownnz, m.rowadr, m.colind, t.rownnz, t.rowadr,
                                            t.colind, super, stk_ours, upper);
    equalInts(rownnz, h.rownnz, m.nc);
    assert_int_equal(nnz, rowadr[m.nc - 1] + rownnz[m.nc - 1]);
    orc_sameInt(nnz, ORC(mju_sqrMatTDSparseCount)(refnnz, refadr, m.nc, m.rownnz, m.rowadr, m.colind, t.rownnz,
                                                  t.rowadr, t.colind, super, stk_reference, upper));
    equalInts(rownnz, refnnz, m.nc);
    equalInts(rowadr, refadr, m.nc);
    ORC(mju_sqrMatTDUncompressedInit)(refadr, m.nc);
    equalInts(h.rowadr, refadr, m.nc);
  }
}

// three blocks of rows and columns, in random places of the matrix
typedef struct {
  int nr[3], nc[3], r[3], c[3];
  int perm_r[N], perm_c[N], forward_c[N], block_of_row[N], block_of_col[N];
  int nrow, ncol;
} Blocks;

static void randomBlocks(Rnd* r, Blocks* b) {
  b->nrow = b->ncol = 0;
  for (int k = 0; k < 3; k++) {
    b->r[k] = b->nrow;
    b->c[k] = b->ncol;
    b->nr[k] = 1 + rnd_below(r, 5);
    b->nc[k] = 1 + rnd_below(r, 5);
    b->nrow += b->nr[k];
    b->ncol += b->nc[k];
  }

  // deal out the rows and columns; within a block they keep their order
  int left_r[3], left_c[3], next_r[3], next_c[3];
  mju_copyInt(left_r, b->nr, 3);
  mju_copyInt(left_c, b->nc, 3);
  mju_copyInt(next_r, b->r, 3);
  mju_copyInt(next_c, b->c, 3);
  for (int i = 0, k; i < b->nrow; i++) {
    do {
      k = rnd_below(r, 3);
    } while (left_r[k] == 0);
    left_r[k]--;
    b->block_of_row[i] = k;
    b->perm_r[next_r[k]++] = i;
  }
  for (int i = 0, k; i < b->ncol; i++) {
    do {
      k = rnd_below(r, 3);
    } while (left_c[k] == 0);
    left_c[k]--;
    b->block_of_col[i] = k;
    b->forward_c[i] = next_c[k];
    b->perm_c[next_c[k]++] = i;
  }
}

static void blocks(void** state) {
  (void)state;
  Rnd r = {8};
  for (int k = 0; k < 200; k++) {
    Blocks b;
    static Matrix m, res, ref;
    static double out[NNZ], outref[NNZ], twice[NNZ], res2[NNZ], ref2[NNZ];
    randomBlocks(&r, &b);
    for (int i = 0; i < b.nrow * b.ncol; i++) {
      const int same = b.block_of_row[i / b.ncol] == b.block_of_col[i % b.ncol];
      m.dense[i] = same && rnd_below(&r, 3) ? rnd_uniform(&r, 0.1, 1) : 0;
    }

    // dense
    memset(out, 0, sizeof(out));
    memset(outref, 0, sizeof(outref));
    mju_blockDiag(out, m.dense, b.ncol, b.ncol, 3, b.perm_r, b.perm_c, b.nr, b.nc, b.r, b.c);
    for (int n = 0; n < 3; n++) {
      for (int i = 0; i < b.nr[n] * b.nc[n]; i++) {
        const int row = b.perm_r[b.r[n] + i / b.nc[n]], col = b.perm_c[b.c[n] + i % b.nc[n]];
        assert_true(out[b.ncol * b.r[n] + i] == m.dense[row * b.ncol + col]);
      }
    }

    // sparse, with a second set of values
    mju_dense2sparse(m.val, m.dense, b.nrow, b.ncol, m.rownnz, m.rowadr, m.colind, NNZ);
    mju_scl(twice, m.val, 2, NNZ);
    mju_blockDiagSparse(res.val, res.rownnz, res.rowadr, res.colind, m.val, m.rownnz, m.rowadr, m.colind, b.nrow, 3,
                        b.perm_r, b.forward_c, b.r, b.c, res2, twice);
    for (int i = 0; i < b.nrow; i++) {
      const int row = b.perm_r[i], n = b.block_of_row[row];
      for (int q = res.rowadr[i]; q < res.rowadr[i] + res.rownnz[i]; q++) {
        const int col = b.perm_c[b.c[n] + res.colind[q]];
        assert_true(res.val[q] == m.dense[row * b.ncol + col]);
        assert_true(res2[q] == 2 * res.val[q]);
      }
    }
    ORC(mju_blockDiag)(outref, m.dense, b.ncol, b.ncol, 3, b.perm_r, b.perm_c, b.nr, b.nc, b.r, b.c);
    orc_sameBytes(out, outref, sizeof(out));
    ORC(mju_blockDiagSparse)
    (ref.val, ref.rownnz, ref.rowadr, ref.colind, m.val, m.rownnz, m.rowadr, m.colind, b.nrow, 3, b.perm_r, b.forward_c,
     b.r, b.c, ref2, twice);
    const int nnz = res.rowadr[b.nrow - 1] + res.rownnz[b.nrow - 1];
    equalInts(res.rownnz, ref.rownnz, b.nrow);
    equalInts(res.rowadr, ref.rowadr, b.nrow);
    equalInts(res.colind, ref.colind, nnz);
    orc_sameBytes(res.val, ref.val, sizeof(double) * (size_t)nnz);
    orc_sameBytes(res2, ref2, sizeof(double) * (size_t)nnz);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),    cmocka_unit_test(symmetric),  cmocka_unit_test(sums),
      cmocka_unit_test(compression), cmocka_unit_test(transposes), cmocka_unit_test(squares),
      cmocka_unit_test(counts),      cmocka_unit_test(blocks),
  };
  return cmocka_run_group_tests(tests, stk_open, stk_close);
}
