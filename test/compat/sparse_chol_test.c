// Sparse factors: L'*L is the matrix, rank-one updates are those of the matrix, structures are the reference's.
#include "compat/stacks.h"

enum { N = 16, NNZ = N * N };

// a few operations on numbers of magnitude 1 to N
static const double TOL = 1e-12;

// A lower triangle with full rows: room for every entry.
typedef struct {
  int n;
  double dense[NNZ];  // symmetric
  double val[NNZ];
  int rownnz[N], rowadr[N], colind[NNZ];
} Lower;

// symmetric, diagonally dominant unless `shift` says otherwise
static void randomLower(Rnd* r, Lower* a, int n, double shift) {
  a->n = n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      const double value = rnd_below(r, 4) == 0 ? rnd_uniform(r, -1, 1) : 0;
      a->dense[i * n + j] = a->dense[j * n + i] = value;
    }
    a->dense[i * n + i] = shift + rnd_uniform(r, 0, 1);
  }
  for (int i = 0; i < n; i++) {
    a->rowadr[i] = i * n;
    a->rownnz[i] = 0;
    for (int j = 0; j <= i; j++) {
      if (a->dense[i * n + j] == 0) continue;
      a->val[i * n + a->rownnz[i]] = a->dense[i * n + j];
      a->colind[i * n + a->rownnz[i]++] = j;
    }
  }
}

// L'*L against a dense matrix
static void checkSquare(const Lower* L, const double* expected) {
  static double dense[NNZ], product[NNZ];
  mju_sparse2dense(dense, L->val, L->n, L->n, L->rownnz, L->rowadr, L->colind);
  mju_mulMatTMat(product, dense, dense, L->n, L->n, L->n);
  cmp_arrays("L' L", product, expected, L->n * L->n, TOL);
}

static void equalLower(const Lower* a, const Lower* b) {
  orc_sameBytes(a->rownnz, b->rownnz, sizeof(int) * (size_t)a->n);
  for (int i = 0; i < a->n; i++) {
    const int adr = a->rowadr[i];
    orc_sameBytes(a->colind + adr, b->colind + adr, sizeof(int) * (size_t)a->rownnz[i]);
    cmp_arrays("L", a->val + adr, b->val + adr, a->rownnz[i], TOL);
  }
}

static int factor(__typeof__(&mju_cholFactorSparse) function, Lower* a, mjData* d) {
  return function(a->val, a->n, 1e-10, a->rownnz, a->rowadr, a->colind, d);
}

static void inPlace(void** state) {
  (void)state;
  Rnd r = {1};
  static Lower a, L, ref;
  for (int k = 0; k < 300; k++) {
    const int n = 1 + rnd_below(&r, N - 1), definite = k % 3 != 0;
    randomLower(&r, &a, n, definite ? N : -0.5);
    L = ref = a;
    const int rank = factor(mju_cholFactorSparse, &L, stk_ours);
    if (definite) {
      assert_int_equal(rank, n);
      checkSquare(&L, a.dense);
    }
    orc_sameInt(factor(ORC(mju_cholFactorSparse), &ref, stk_reference), rank);
    if (definite) equalLower(&L, &ref);
  }
}

// pivots that are raised do not count
static void rank(void** state) {
  (void)state;
  double val[3] = {4, 2, 1};
  int rownnz[2] = {1, 2}, rowadr[2] = {0, 1}, colind[3] = {0, 0, 1};
  assert_int_equal(mju_cholFactorSparse(val, 2, 1e-10, rownnz, rowadr, colind, stk_ours), 1);
  assert_true(val[2] == 1 && val[1] == 2 && val[0] == 1e-5);
}

// Packed L, its transpose and the map between them.
typedef struct {
  int nnz;
  double val[NNZ];
  int rownnz[N], rowadr[N], colind[NNZ];
  int rownnzT[N], rowadrT[N], colindT[NNZ], map[NNZ];
} Factor;

static void symbolic(__typeof__(&mju_cholFactorSymbolic) f, Factor* L, const Lower* H, mjData* d) {
  const int n = H->n;
  L->nnz = f(NULL, L->rownnz, L->rowadr, NULL, L->rownnzT, L->rowadrT, NULL, H->rownnz, H->rowadr, H->colind, n, d);
  assert_int_equal(f(L->colind, L->rownnz, L->rowadr, L->colindT, L->rownnzT, L->rowadrT, L->map, H->rownnz, H->rowadr,
                     H->colind, n, d),
                   0);
}

static int numeric(__typeof__(&mju_cholFactorNumeric) f, Factor* L, const Lower* H, double mindiag, mjData* d) {
  return f(L->val, H->n, mindiag, L->rownnz, L->rowadr, L->colind, L->rownnzT, L->rowadrT, L->colindT, L->map, H->val,
           H->rownnz, H->rowadr, H->colind, d);
}

// all of a symmetric matrix: both functions take what they need
static void fullRows(Lower* h) {
  const int n = h->n;
  for (int i = 0; i < n; i++) {
    h->rownnz[i] = 0;
    for (int j = 0; j < n; j++) {
      if (h->dense[i * n + j] == 0) continue;
      h->val[i * n + h->rownnz[i]] = h->dense[i * n + j];
      h->colind[i * n + h->rownnz[i]++] = j;
    }
  }
}

static void equalFactors(const Factor* a, const Factor* b, int n) {
  const size_t rows = sizeof(int) * (size_t)n, entries = sizeof(int) * (size_t)a->nnz;
  assert_int_equal(a->nnz, b->nnz);
  orc_sameBytes(a->rownnz, b->rownnz, rows);
  orc_sameBytes(a->rowadr, b->rowadr, rows);
  orc_sameBytes(a->colind, b->colind, entries);
  orc_sameBytes(a->rownnzT, b->rownnzT, rows);
  orc_sameBytes(a->rowadrT, b->rowadrT, rows);
  orc_sameBytes(a->colindT, b->colindT, entries);
  orc_sameBytes(a->map, b->map, entries);
}

// structure, then numbers: the same factor as in place
static void twoSteps(void** state) {
  (void)state;
  Rnd r = {2};
  static Lower h, inplace;
  static Factor L, ref;
  for (int k = 0; k < 300; k++) {
    randomLower(&r, &h, 1 + rnd_below(&r, N - 1), N);
    inplace = h;
    fullRows(&h);
    symbolic(mju_cholFactorSymbolic, &L, &h, stk_ours);
    factor(mju_cholFactorSparse, &inplace, stk_ours);
    assert_int_equal(numeric(mju_cholFactorNumeric, &L, &h, 1e-10, stk_ours), h.n);
    assert_int_equal(stk_ours->pstack, 0);
    orc_sameBytes(L.rownnz, inplace.rownnz, sizeof(int) * (size_t)h.n);
    for (int i = 0; i < h.n; i++) {
      const int adr = L.rowadr[i], to = inplace.rowadr[i];
      orc_sameBytes(L.colind + adr, inplace.colind + to, sizeof(int) * (size_t)L.rownnz[i]);
      cmp_arrays("L", L.val + adr, inplace.val + to, L.rownnz[i], TOL);
      for (int q = L.rowadrT[i]; q < L.rowadrT[i] + L.rownnzT[i]; q++) {
        const int row = L.colindT[q];
        assert_int_equal(L.colind[L.map[q]], i);
        assert_in_range(L.map[q], L.rowadr[row], L.rowadr[row] + L.rownnz[row] - 1);
      }
    }
    symbolic(ORC(mju_cholFactorSymbolic), &ref, &h, stk_reference);
    equalFactors(&L, &ref, h.n);
    for (int step = 0; step < 2; step++) {
      // a mindiag that some pivots do not reach
      const double mindiag = step ? N + 0.5 : 1e-10;
      const int rankref = numeric(ORC(mju_cholFactorNumeric), &ref, &h, mindiag, stk_reference);
      assert_int_equal(numeric(mju_cholFactorNumeric, &L, &h, mindiag, stk_ours), rankref);
      cmp_arrays("numeric", L.val, ref.val, L.nnz, TOL);
    }
  }
}

// A +- x x'
static void update(void** state) {
  (void)state;
  Rnd r = {3};
  static Lower a, L, ref;
  static double expected[NNZ];
  for (int k = 0; k < 300; k++) {
    const int n = 1 + rnd_below(&r, N - 1), plus = k % 2;
    randomLower(&r, &a, n, N);
    L = a;
    factor(mju_cholFactorSparse, &L, stk_ours);
    ref = L;

    // x has entries in columns of one row only, some of them not
    const int row = rnd_below(&r, n);
    double x[N];
    int ind[N], nnz = 0;
    for (int q = L.rowadr[row]; q < L.rowadr[row] + L.rownnz[row]; q++) {
      if (k % 5 == 0 && rnd_below(&r, 3) == 0) continue;
      ind[nnz] = L.colind[q];
      x[nnz++] = rnd_uniform(&r, -0.5, 0.5);
    }
    memcpy(expected, a.dense, sizeof(expected));
    for (int i = 0; i < nnz * nnz; i++) {
      const int p = i / nnz, q = i % nnz;
      expected[ind[p] * n + ind[q]] += (plus ? 1 : -1) * x[p] * x[q];
    }
    double y[N];
    memcpy(y, x, sizeof(double) * (size_t)nnz);
    assert_int_equal(mju_cholUpdateSparse(L.val, x, n, plus, L.rownnz, L.rowadr, L.colind, nnz, ind, stk_ours), n);
    assert_int_equal(stk_ours->pstack, 0);
    orc_sameBytes(x, y, sizeof(double) * (size_t)nnz);
    checkSquare(&L, expected);
    const int rankref =
        ORC(mju_cholUpdateSparse)(ref.val, y, n, plus, ref.rownnz, ref.rowadr, ref.colind, nnz, ind, stk_reference);
    assert_int_equal(rankref, n);
    orc_sameBytes(x, y, sizeof(double) * (size_t)nnz);
    equalLower(&L, &ref);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inPlace),
      cmocka_unit_test(rank),
      cmocka_unit_test(twoSteps),
      cmocka_unit_test(update),
  };
  return cmocka_run_group_tests(tests, stk_open, stk_close);
}
