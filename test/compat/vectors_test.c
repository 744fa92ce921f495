// Small vectors, integer vectors, gathering and maps: known values, and the reference's results bit by bit.
#include "math/compare.h"

#include "compat/compat.h"

enum { N = 12, NNZ = N * N };

// sums of three products: the reference adds them in another order
static const double TOL = 1e-15;

static void vectors3(void** state) {
  (void)state;
  const double a[3] = {1, 2, 3}, near[3] = {1, 2, 3 + 8e-16}, far[3] = {1, 2 + 2e-15, 3}, bad[3] = {1, NAN, 3};
  assert_int_equal(mju_equal3(a, near), 1);
  assert_int_equal(mju_equal3(a, far), 0);
  assert_int_equal(mju_equal3(bad, bad), 0);
  Rnd r = {1};
  for (int k = 0; k < 3000; k++) {
    double x[3], y[3];
    cmp_fillEdge(&r, x, 3);
    memcpy(y, x, sizeof(x));
    if (k % 3) y[rnd_below(&r, 3)] += rnd_uniform(&r, -2e-15, 2e-15);
    orc_sameInt(mju_equal3(x, y), ORC(mju_equal3)(x, y));
  }
}

static void matrices3(void** state) {
  (void)state;
  Rnd r = {2};
  for (int k = 0; k < 300; k++) {
    double a[9], b[9], x[9], y[9];
    cmp_fill(&r, a, 9);
    cmp_fill(&r, b, 9);
    mju_mulMatMat3(x, a, b);
    mju_mulMatMat(y, a, b, 3, 3, 3);
    cmp_arrays("A B", x, y, 9, TOL);
    mju_mulMatTMat3(x, a, b);
    mju_mulMatTMat(y, a, b, 3, 3, 3);
    cmp_arrays("A' B", x, y, 9, TOL);
    mju_mulMatMatT3(x, a, b);
    mju_mulMatMatT(y, a, b, 3, 3, 3);
    cmp_arrays("A B'", x, y, 9, TOL);
    mju_mulMatMat3(x, a, b);
    ORC(mju_mulMatMat3)(y, a, b);
    cmp_arrays("mulMatMat3", x, y, 9, TOL);
    mju_mulMatTMat3(x, a, b);
    ORC(mju_mulMatTMat3)(y, a, b);
    cmp_arrays("mulMatTMat3", x, y, 9, TOL);
    mju_mulMatMatT3(x, a, b);
    ORC(mju_mulMatMatT3)(y, a, b);
    cmp_arrays("mulMatMatT3", x, y, 9, TOL);
  }
}

// a point mass m at c: momentum m (v + w x c), angular momentum c x that
static void inertia(void** state) {
  (void)state;
  const double m = 2, c[3] = {1, 2, 3}, v[6] = {0.1, -0.2, 0.3, 1, 2, 3};
  const double inert[10] = {m * (c[1] * c[1] + c[2] * c[2]),
                            m * (c[0] * c[0] + c[2] * c[2]),
                            m * (c[0] * c[0] + c[1] * c[1]),
                            -m * c[0] * c[1],
                            -m * c[0] * c[2],
                            -m * c[1] * c[2],
                            m * c[0],
                            m * c[1],
                            m * c[2],
                            m};
  double expected[6], x[6], y[6];
  mju_cross(expected + 3, v, c);
  mju_addTo3(expected + 3, v + 3);
  mju_scl3(expected + 3, expected + 3, m);
  mju_cross(expected, c, expected + 3);
  mju_mulInertVec(x, inert, v);
  cmp_arrays("point mass", x, expected, 6, 1e-14);
  Rnd r = {3};
  for (int k = 0; k < 300; k++) {
    double I[10], w[6];
    cmp_fill(&r, I, 10);
    cmp_fill(&r, w, 6);
    mju_mulInertVec(x, I, w);
    ORC(mju_mulInertVec)(y, I, w);
    cmp_arrays("mulInertVec", x, y, 6, 1e-15);
  }
}

static void integers(void** state) {
  (void)state;
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  mju_copyInt(a, b, 3);
  assert_int_equal(a[2], 7);
  assert_int_equal(a[3], 4);
  mju_zeroInt(a, 3);
  assert_int_equal(a[0] | a[1] | a[2], 0);
  assert_int_equal(a[3], 4);
  mju_copyInt(NULL, NULL, 0);
  mju_zeroInt(NULL, 0);
  int c[4] = {1, 2, 3, 4}, e[4] = {1, 2, 3, 4};
  for (int n = 4; n >= 0; n--) {
    mju_copyInt(c, b, n);
    ORC(mju_copyInt)(e, b, n);
    orc_sameBytes(c, e, sizeof(c));
    mju_zeroInt(c, n);
    ORC(mju_zeroInt)(e, n);
    orc_sameBytes(c, e, sizeof(c));
  }
}

static void zeroBytes(void** state) {
  (void)state;
  const double minus = -0.0;
  assert_int_equal(mju_isZeroByte(NULL, 0), 1);
  assert_int_equal(mju_isZeroByte((const unsigned char*)&minus, sizeof(minus)), 0);
  unsigned char bytes[40] = {0};
  for (int n = 0; n <= 40; n++) {
    assert_int_equal(mju_isZeroByte(bytes, n), 1);
    for (int at = 0; at < 40; at++) {
      bytes[at] = 3;
      assert_int_equal(mju_isZeroByte(bytes, n), at >= n);
      orc_sameInt(ORC(mju_isZeroByte)(bytes, n), at >= n);
      bytes[at] = 0;
    }
  }
}

// every function against its definition, and against the reference
static void gathering(void** state) {
  (void)state;
  Rnd r = {4};
  for (int k = 0; k < 200; k++) {
    double vec[N], res[N], ref[N];
    int ivec[N], ires[N], iref[N], ind[N], mask[N];
    cmp_fillEdge(&r, vec, N);
    const int n = rnd_below(&r, N + 1);
    for (int i = 0; i < N; i++) {
      ivec[i] = rnd_below(&r, 1000) - 500;
      ind[i] = (i * 5 + k) % N;
      mask[i] = rnd_below(&r, 3) ? ind[i] : -1 - rnd_below(&r, 2);
    }
    memset(res, 0, sizeof(res));
    mju_gather(res, vec, ind, n);
    for (int i = 0; i < n; i++) orc_sameBytes(res + i, vec + ind[i], sizeof(double));
    for (int i = n; i < N; i++) assert_true(res[i] == 0);
    mju_gatherMasked(res, vec, mask, n);
    for (int i = 0; i < n; i++) {
      const double expected = mask[i] < 0 ? 0 : vec[mask[i]];
      orc_sameBytes(res + i, &expected, sizeof(double));
    }
    memset(ref, 0, sizeof(ref));
    ORC(mju_gatherMasked)(ref, vec, mask, n);
    orc_sameBytes(res, ref, sizeof(res));
    mju_scatter(res, vec, ind, n);
    for (int i = 0; i < n; i++) orc_sameBytes(res + ind[i], vec + i, sizeof(double));
    memset(ires, 0, sizeof(ires));
    mju_gatherInt(ires, ivec, ind, n);
    for (int i = 0; i < n; i++) assert_int_equal(ires[i], ivec[ind[i]]);
    mju_scatterInt(ires, ivec, ind, n);
    for (int i = 0; i < n; i++) assert_int_equal(ires[ind[i]], ivec[i]);
    mju_gather(res, vec, ind, n);
    ORC(mju_gather)(ref, vec, ind, n);
    orc_sameBytes(res, ref, sizeof(double) * (size_t)n);
    memset(res, 0, sizeof(res));
    memset(ref, 0, sizeof(ref));
    mju_scatter(res, vec, ind, n);
    ORC(mju_scatter)(ref, vec, ind, n);
    orc_sameBytes(res, ref, sizeof(res));
    memset(ires, 0, sizeof(ires));
    memset(iref, 0, sizeof(iref));
    mju_scatterInt(ires, ivec, ind, n);
    ORC(mju_scatterInt)(iref, ivec, ind, n);
    orc_sameBytes(ires, iref, sizeof(ires));
    mju_gatherInt(ires, ivec, ind, n);
    ORC(mju_gatherInt)(iref, ivec, ind, n);
    orc_sameBytes(ires, iref, sizeof(ires));
  }
}

// A sparse structure whose entries are where `keep` is not 0.
typedef struct {
  int rownnz[N], rowadr[N], colind[NNZ];
  int nnz;
} Structure;

static void fill(Structure* s, const int* keep, int nr, int gap) {
  s->nnz = 0;
  for (int r = 0; r < nr; r++) {
    s->rowadr[r] = s->nnz;
    s->rownnz[r] = 0;
    for (int c = 0; c < nr; c++) {
      if (keep[r * nr + c]) s->colind[s->rowadr[r] + s->rownnz[r]++] = c;
    }
    s->nnz += s->rownnz[r] + (gap && s->nnz + s->rownnz[r] + gap + nr * (nr - r) < NNZ ? gap : 0);
  }
}

// the entries of a structure go where the map says
static void maps(void** state) {
  (void)state;
  Rnd r = {5};
  for (int k = 0; k < 500; k++) {
    const int nr = 1 + rnd_below(&r, N - 1);
    static int keep[NNZ], some[NNZ], all[NNZ], lower[NNZ], map[NNZ], ref[NNZ], cursor[N];
    static Structure res, src;
    for (int i = 0; i < nr * nr; i++) {
      keep[i] = rnd_below(&r, 2);
      some[i] = keep[i] && rnd_below(&r, 2);
    }

    // a part of the same matrix
    fill(&src, keep, nr, k % 2);
    fill(&res, some, nr, 0);
    mju_sparseMap(map, nr, res.rowadr, res.rownnz, res.colind, src.rowadr, src.rownnz, src.colind);
    for (int i = 0; i < nr; i++) {
      for (int q = res.rowadr[i]; q < res.rowadr[i] + res.rownnz[i]; q++) {
        assert_in_range(map[q], src.rowadr[i], src.rowadr[i] + src.rownnz[i] - 1);
        assert_int_equal(src.colind[map[q]], res.colind[q]);
      }
    }
    ORC(mju_sparseMap)(ref, nr, res.rowadr, res.rownnz, res.colind, src.rowadr, src.rownnz, src.colind);
    orc_sameBytes(map, ref, sizeof(int) * (size_t)res.nnz);

    // lower triangle to a symmetric matrix that may have more
    for (int i = 0; i < nr * nr; i++) {
      const int row = i / nr, col = i % nr, mirror = col * nr + row;
      lower[i] = col < row ? keep[i] : col == row;
      all[i] = i == mirror || keep[row > col ? i : mirror] || some[row < col ? i : mirror];
    }
    fill(&src, lower, nr, 0);
    fill(&res, all, nr, 0);
    mju_lower2SymMap(map, nr, res.rowadr, res.rownnz, res.colind, src.rowadr, src.rownnz, src.colind, cursor);
    for (int i = 0; i < nr; i++) {
      for (int q = res.rowadr[i]; q < res.rowadr[i] + res.rownnz[i]; q++) {
        const int c = res.colind[q], row = i > c ? i : c, col = i > c ? c : i;
        if (map[q] < 0) {
          assert_int_equal(lower[row * nr + col], 0);
        } else {
          assert_in_range(map[q], src.rowadr[row], src.rowadr[row] + src.rownnz[row] - 1);
          assert_int_equal(src.colind[map[q]], col);
        }
      }
    }
    ORC(mju_lower2SymMap)
    (ref, nr, res.rowadr, res.rownnz, res.colind, src.rowadr, src.rownnz, src.colind, cursor);
    orc_sameBytes(map, ref, sizeof(int) * (size_t)res.nnz);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors3),  cmocka_unit_test(matrices3), cmocka_unit_test(inertia), cmocka_unit_test(integers),
      cmocka_unit_test(zeroBytes), cmocka_unit_test(gathering), cmocka_unit_test(maps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
