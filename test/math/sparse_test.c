// Sparse kernels: equal to their dense counterparts, with and without supernodes, and to the reference where it has
// them.
#include "math/compare.h"

#include "math/sparse.h"

enum { NMAX = 24, NNZ = NMAX * NMAX };
static const double TOL = 1e-13;

// A sparse matrix with its own arrays.
typedef struct {
  double val[NNZ];
  int rownnz[NMAX], rowadr[NMAX], colind[NNZ], rowsuper[NMAX];
  MthPattern p;
} Matrix;

static MthPatternOut out(Matrix* m) {
  return (MthPatternOut){m->rownnz, m->rowadr, m->colind};
}

static void view(Matrix* m, int nr, int nc) {
  m->p = (MthPattern){nr, nc, m->rownnz, m->rowadr, m->colind, NULL};
}

static void fromDense(Matrix* m, const double* dense, int nr, int nc) {
  assert_int_equal(mju_dense2sparse(m->val, dense, nr, nc, m->rownnz, m->rowadr, m->colind, NNZ), 0);
  view(m, nr, nc);
}

// random dense matrix whose rows come in groups with the same nonzero columns
static void grouped(Rnd* r, double* dense, int nr, int nc) {
  int keep[NMAX];
  for (int i = 0; i < nr; i++) {
    if (i == 0 || rnd_below(r, 3) == 0) {
      for (int j = 0; j < nc; j++) keep[j] = rnd_below(r, 3) == 0;
    }
    for (int j = 0; j < nc; j++) dense[i * nc + j] = keep[j] ? rnd_uniform(r, 0.1, 1) : 0;
  }
}

// dense round trip, and what happens without room
static void conversion(void** state) {
  (void)state;
  Rnd r = {1};
  static Matrix m;
  static double a[NNZ], b[NNZ];
  for (int k = 0; k < 100; k++) {
    const int nr = rnd_below(&r, NMAX), nc = rnd_below(&r, NMAX);
    grouped(&r, a, nr, nc);
    fromDense(&m, a, nr, nc);
    mju_sparse2dense(b, m.val, nr, nc, m.rownnz, m.rowadr, m.colind);
    cmp_arrays("round trip", b, a, nr * nc, 0);
  }
  a[0] = a[1] = a[2] = 1;
  assert_int_equal(mju_dense2sparse(m.val, a, 1, 3, m.rownnz, m.rowadr, m.colind, 2), 1);
  assert_int_equal(mju_dense2sparse(m.val, a, 1, 3, m.rownnz, m.rowadr, m.colind, 0), 1);
  assert_int_equal(mju_dense2sparse(m.val, a, 1, 3, m.rownnz, m.rowadr, m.colind, 3), 0);
}

// products with vectors; supernodes do not change a bit
static void products(void** state) {
  (void)state;
  Rnd r = {2};
  static Matrix m, t;
  static double a[NNZ], v[NMAX], x[NMAX], y[NMAX], back[NNZ];
  for (int k = 0; k < 300; k++) {
    const int nr = 1 + rnd_below(&r, NMAX - 1), nc = 1 + rnd_below(&r, NMAX - 1);
    grouped(&r, a, nr, nc);
    fromDense(&m, a, nr, nc);
    for (int i = 0; i < NMAX; i++) v[i] = rnd_below(&r, 4) ? rnd_uniform(&r, -1, 1) : 0;
    mth_mulMatVecSparse(x, m.val, v, &m.p);
    mju_mulMatVec(y, a, v, nr, nc);
    cmp_arrays("J v", x, y, nr, TOL);
    mth_superSparse(m.rowsuper, &m.p);
    MthPattern super = m.p;
    super.rowsuper = m.rowsuper;
    mth_mulMatVecSparse(y, m.val, v, &super);
    assert_memory_equal(x, y, sizeof(double) * (size_t)nr);
    mth_mulMatTVecSparse(x, m.val, v, &m.p);
    mju_mulMatTVec(y, a, v, nr, nc);
    cmp_arrays("J' v", x, y, nc, TOL);

    // transpose
    const MthPatternOut to = out(&t);
    mth_transposeSparse(t.val, &to, m.val, &m.p);
    view(&t, nc, nr);
    mju_sparse2dense(back, t.val, nc, nr, t.rownnz, t.rowadr, t.colind);
    for (int i = 0; i < nr * nc; i++) assert_true(a[i] == back[(i % nc) * nr + i / nc]);

    // transpose of a block of its rows
    const int from = rnd_below(&r, nr), n = 1 + rnd_below(&r, nr - from), adr = m.rowadr[from];
    const MthPattern block = {n, nc, m.rownnz + from, m.rowadr + from, m.colind + adr, NULL};
    mth_transposeSparse(t.val, &to, m.val + adr, &block);
    mju_sparse2dense(back, t.val, nc, n, t.rownnz, t.rowadr, t.colind);
    for (int i = 0; i < n * nc; i++) assert_true(a[from * nc + i] == back[(i % nc) * n + i / nc]);

    // dot of two rows
    const int i = rnd_below(&r, nr), j = rnd_below(&r, nr);
    const double dot = mth_dotSparse2(m.val + m.rowadr[i], m.colind + m.rowadr[i], m.rownnz[i], m.val + m.rowadr[j],
                                      m.colind + m.rowadr[j], m.rownnz[j]);
    assert_true(cmp_close(dot, mju_dot(a + i * nc, a + j * nc, nc), nc, TOL));
  }
}

// rowsuper by its definition
static void supernodes(void** state) {
  (void)state;
  Rnd r = {3};
  static Matrix m;
  static double a[NNZ];
  grouped(&r, a, NMAX, NMAX);
  fromDense(&m, a, NMAX, NMAX);
  mth_superSparse(m.rowsuper, &m.p);
  for (int i = 0; i < NMAX; i++) {
    int same = 0;
    for (int j = i + 1; j < NMAX; j++, same++) {
      int equal = 1;
      for (int c = 0; c < NMAX; c++) equal &= (a[i * NMAX + c] != 0) == (a[j * NMAX + c] != 0);
      if (!equal) break;
    }
    assert_int_equal(m.rowsuper[i], same);
  }
}

// combination of rows and dropping of small entries
static void rows(void** state) {
  (void)state;
  Rnd r = {4};
  static double a[2 * NMAX];
  for (int k = 0; k < 500; k++) {
    const int n = 1 + rnd_below(&r, NMAX - 1);
    double v1[NMAX], v2[NMAX], dense[NMAX];
    int i1[NMAX], i2[NMAX];
    MthRow dst = {0, i1, v1}, src = {0, i2, v2};
    for (int i = 0; i < n; i++) {
      const int in1 = rnd_below(&r, 2), in2 = k % 5 ? rnd_below(&r, 2) : in1;
      a[i] = in1 ? rnd_uniform(&r, 1, 2) : 0;
      a[n + i] = in2 ? rnd_uniform(&r, 1, 2) : 0;
      if (in1) v1[dst.nnz] = a[i], i1[dst.nnz++] = i;
      if (in2) v2[src.nnz] = a[n + i], i2[src.nnz++] = i;
    }
    const int count = mth_combineSparseCount(dst.nnz, src.nnz, dst.ind, src.ind);
    mth_combineSparse(&dst, &src, 2, -3);
    assert_int_equal(dst.nnz, count);
    memset(dense, 0, sizeof(dense));
    for (int i = 0; i < dst.nnz; i++) dense[dst.ind[i]] = dst.val[i];
    for (int i = 0; i < n; i++) assert_true(dense[i] == 2 * a[i] + -3 * a[n + i]);
    for (int i = 1; i < dst.nnz; i++) assert_true(dst.ind[i - 1] < dst.ind[i]);

    // now src is contained in dst
    mth_addToSclSparseInc(&dst, &src, 3);
    for (int i = 0; i < dst.nnz; i++) assert_true(cmp_close(dst.val[i], 2 * a[dst.ind[i]], 10, TOL));
    const int zero = 0;
    int nnz = dst.nnz, adr = zero;
    const MthPatternOut p = {&nnz, &adr, dst.ind};
    const int left = mth_compressSparse(dst.val, 1, &p, 1e-10);
    for (int i = 0; i < left; i++) assert_true(fabs(dst.val[i]) > 1e-10);
    assert_int_equal(left, nnz);
  }
}

// J'DJ equals the dense product; supernodes and skipped rows change nothing
static void square(void** state) {
  (void)state;
  Rnd r = {5};
  static Matrix J, T, H;
  static double a[NNZ], dense[NNZ], expect[NNZ], diag[NMAX], scratch[NMAX], again[NNZ];
  int marker[NMAX];
  for (int k = 0; k < 300; k++) {
    const int nr = 1 + rnd_below(&r, NMAX - 1), nc = 1 + rnd_below(&r, NMAX - 1);
    grouped(&r, a, nr, nc);
    fromDense(&J, a, nr, nc);
    for (int i = 0; i < nr; i++) diag[i] = rnd_below(&r, 3) ? rnd_uniform(&r, 0.5, 2) : 0;
    const MthPatternOut to = out(&T), ho = out(&H);
    mth_transposeSparse(T.val, &to, J.val, &J.p);
    view(&T, nc, nr);
    const MthPatternOut count = {H.rownnz, H.rowadr, NULL};
    const int nnz = mth_sqrMatTDSymbolic(&count, &J.p, &T.p, marker);
    assert_int_equal(mth_sqrMatTDSymbolic(&ho, &J.p, &T.p, marker), nnz);
    view(&H, nc, nc);
    for (int i = 0; i < nc; i++) assert_int_equal(H.colind[H.rowadr[i] + H.rownnz[i] - 1], i);

    const MthSqrPattern p = {&H.p, &J.p, &T.p};
    const double* d = k % 3 ? diag : NULL;
    mth_sqrMatTDNumeric(H.val, J.val, T.val, d, &p, scratch);
    mju_sparse2dense(dense, H.val, nc, nc, H.rownnz, H.rowadr, H.colind);
    mju_sqrMatTD(expect, a, d, nr, nc);
    for (int i = 0; i < nc; i++) cmp_arrays("J'DJ", dense + i * nc, expect + i * nc, i + 1, TOL);

    // supernodes: the same structure and bits
    mth_superSparse(J.rowsuper, &J.p);
    MthPattern super = J.p;
    super.rowsuper = J.rowsuper;
    const MthSqrPattern sp = {&H.p, &super, &T.p};
    assert_int_equal(mth_sqrMatTDSymbolic(&ho, &super, &T.p, marker), nnz);
    mth_sqrMatTDNumeric(again, J.val, T.val, d, &sp, scratch);
    assert_memory_equal(again, H.val, sizeof(double) * (size_t)nnz);
    for (int i = 0; i < nc; i++) assert_true(scratch[i] == 0);
  }
}

// random symmetric positive definite matrix with sparse lower triangle; tree: no fill-in
static void fillSPD(Rnd* r, double* a, int n, int tree) {
  int parent[NMAX];
  for (int i = 0; i < n; i++) parent[i] = i ? rnd_below(r, i + 1) - 1 : -1;
  for (int i = 0; i < n * n; i++) a[i] = 0;
  for (int i = 0; i < n; i++) {
    if (tree) {
      for (int j = parent[i]; j >= 0; j = parent[j]) a[i * n + j] = a[j * n + i] = rnd_uniform(r, 0.1, 1);
    } else {
      for (int j = 0; j < i; j++) {
        if (rnd_below(r, 5) == 0) a[i * n + j] = a[j * n + i] = rnd_uniform(r, 0.1, 1);
      }
    }
    a[i * n + i] = n + 1;
  }
}

// lower triangle of a dense symmetric matrix
static void lowerOf(Matrix* m, const double* a, int n) {
  static double low[NNZ];
  for (int i = 0; i < n * n; i++) low[i] = i % n <= i / n ? a[i] : 0;
  fromDense(m, low, n, n);
}

// factor, solve and update against the dense inverse
static void cholesky(void** state) {
  (void)state;
  Rnd r = {6};
  static Matrix A, L;
  static double a[NNZ], l[NNZ], v[NMAX], x[NMAX], y[NMAX], up[NMAX];
  static int scratch[4 * NMAX + NNZ];
  for (int k = 0; k < 300; k++) {
    const int n = 1 + rnd_below(&r, NMAX - 1);
    fillSPD(&r, a, n, k % 2);
    lowerOf(&A, a, n);
    const MthPatternOut count = {L.rownnz, L.rowadr, NULL}, lo = out(&L);
    const int nnz = mth_cholSymbolicSparse(&count, &A.p, scratch);
    assert_int_equal(mth_cholSymbolicSparse(&lo, &A.p, scratch), nnz);
    view(&L, n, n);
    if (k % 2) assert_int_equal(nnz, A.rowadr[n - 1] + A.rownnz[n - 1]);
    assert_int_equal(mth_cholNumericSparse(L.val, &L.p, A.val, &A.p, 1e-10), n);

    // L' L = A
    mju_sparse2dense(l, L.val, n, n, L.rownnz, L.rowadr, L.colind);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int c = 0; c < n; c++) sum += l[c * n + i] * l[c * n + j];
        assert_true(fabs(sum - a[i * n + j]) < 1e-12);
      }
    }

    // solve
    cmp_fill(&r, v, n);
    if (n > 3) v[n - 1] = v[n / 2] = 0;
    mth_cholSolveSparse(x, L.val, v, &L.p);
    mju_mulMatVec(y, a, x, n, n);
    cmp_arrays("A x", y, v, n, 1e-12);

    // rank-one update with the columns of one row, then back
    const int last = rnd_below(&r, n);
    for (int sign = 1; sign >= 0; sign--) {
      double* save = y;
      memset(up, 0, sizeof(up));
      for (int q = 0; q < L.rownnz[last]; q++) {
        const int c = L.colind[L.rowadr[last] + q];
        up[c] = sign ? rnd_uniform(&r, -1, 1) : save[c];
      }
      memcpy(save, up, sizeof(up));
      assert_int_equal(mth_cholUpdateSparse(L.val, &L.p, up, last, sign), n);
      for (int i = 0; i < n; i++) assert_true(up[i] == 0);
      mju_sparse2dense(l, L.val, n, n, L.rownnz, L.rowadr, L.colind);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          double sum = 0;
          for (int c = 0; c < n; c++) sum += l[c * n + i] * l[c * n + j];
          assert_true(fabs(sum - a[i * n + j] - (sign ? save[i] * save[j] : 0)) < 1e-11);
        }
      }
    }

    // a pivot below the threshold is raised and counted
    A.val[A.rowadr[n - 1] + A.rownnz[n - 1] - 1] = -1;
    assert_int_equal(mth_cholNumericSparse(L.val, &L.p, A.val, &A.p, 1e-10) < n, 1);
  }
}

// the symmetric product of a lower triangle
static void symmetricProduct(void** state) {
  (void)state;
  Rnd r = {7};
  static Matrix A;
  static double a[NNZ], v[NMAX], x[NMAX], y[NMAX];
  for (int k = 0; k < 300; k++) {
    const int n = 1 + rnd_below(&r, NMAX - 1);
    fillSPD(&r, a, n, 1);
    lowerOf(&A, a, n);
    cmp_fill(&r, v, n);
    mth_mulSymVecSparse(x, A.val, v, &A.p);
    mju_mulMatVec(y, a, v, n, n);
    cmp_arrays("symmetric product", x, y, n, TOL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversion),      cmocka_unit_test(products),
                                     cmocka_unit_test(supernodes),      cmocka_unit_test(rows),
                                     cmocka_unit_test(square),          cmocka_unit_test(cholesky),
                                     cmocka_unit_test(symmetricProduct)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
