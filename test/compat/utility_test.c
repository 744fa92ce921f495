// Sensor sizes, base64, histories, muscles, shapes, interpolation and rays: known values and the reference's results.
#include "math/compare.h"

#include "compat/compat.h"
#include "support/catch.h"
#include "support/model.h"

// a few operations in another order
static const double TOL = 1e-14;

static void sensorSizes(void** state) {
  (void)state;
  assert_int_equal(mju_condataSize(0), 0);
  assert_int_equal(mju_condataSize(1 << mjCONDATA_FOUND | 1 << mjCONDATA_FORCE), 4);
  assert_int_equal(mju_condataSize((1 << mjNCONDATA) - 1), 17);
  orc_sameBytes(mjCONDATA_SIZE, ORC(mjCONDATA_SIZE), sizeof(mjCONDATA_SIZE));
  for (int spec = 0; spec < 512; spec++) orc_sameInt(mju_condataSize(spec), ORC(mju_condataSize)(spec));
}

static void encoding(void** state) {
  (void)state;
  char text[64], theirs[64];
  assert_int_equal(mju_encodeBase64(text, (const uint8_t*)"Sinew", 5), 9);
  assert_string_equal(text, "U2luZXc=");
  Rnd r = {1};
  for (int k = 0; k < 200; k++) {
    uint8_t bytes[40], back[40];
    const size_t n = (size_t)rnd_below(&r, 40);
    for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)rnd_below(&r, 256);
    const size_t length = mju_encodeBase64(text, bytes, n);
    assert_int_equal(length, strlen(text) + 1);
    assert_int_equal(mju_isValidBase64(text), n);
    memset(back, 7, sizeof(back));
    assert_int_equal(mju_decodeBase64(back, text), n);
    orc_sameBytes(back, bytes, n);
    if (n < sizeof(back)) assert_int_equal(back[n], 7);
    orc_sameInt(ORC(mju_encodeBase64)(theirs, bytes, n), length);
    assert_string_equal(text, theirs);
    orc_sameInt(ORC(mju_decodeBase64)(back, text), n);
  }
  assert_int_equal(mju_encodeBase64(text, NULL, 0), 1);
  assert_int_equal(mju_decodeBase64(NULL, ""), 0);
}

// texts that are not base64, and texts of its characters at random
static void validity(void** state) {
  (void)state;
  static const char* const bad[] = {
      "", "A", "AAA", "A==A", "A===", "====", "aaaa====", "A#AA", "AA=A", "AAAA\n", "=AAA"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    assert_int_equal(mju_isValidBase64(bad[i]), 0);
    orc_sameInt(ORC(mju_isValidBase64)(bad[i]), 0);
  }
  assert_int_equal(mju_isValidBase64("az09AZ+/11=="), 7);
  Rnd r = {2};
  for (int k = 0; k < 5000; k++) {
    char text[9] = "";
    const int n = rnd_below(&r, 9);
    for (int i = 0; i < n; i++) text[i] = "AZaz09+/=-"[rnd_below(&r, i < n - 2 ? 9 : 10)];
    orc_sameInt(mju_isValidBase64(text), ORC(mju_isValidBase64)(text));
  }
}

static void histories(void** state) {
  (void)state;
  enum { N = 5, DIM = 2, SIZE = 2 + N + N * DIM };
  Rnd r = {3};
  for (int k = 0; k < 300; k++) {
    double times[N], values[N * DIM], ours[SIZE] = {0}, theirs[SIZE] = {0};
    for (int i = 0; i < N; i++) times[i] = i + rnd_uniform(&r, 0, 0.9);
    cmp_fill(&r, values, N * DIM);
    mju_historyInit(ours, N, DIM, times, values, 3);
    assert_true(ours[0] == 3 && ours[1] == N - 1);
    ORC(mju_historyInit)(theirs, N, DIM, times, values, 3);

    // samples at new and at old times
    for (int i = 0; i < 8; i++) {
      const double t = rnd_below(&r, 3) ? rnd_uniform(&r, -1, 10) : times[rnd_below(&r, N)];
      double* slot = mju_historyInsert(ours, N, DIM, t);
      slot[0] = i;
      slot[1] = -i;
      double res[DIM];
      const double* back = mju_historyRead(ours, N, DIM, res, t, 0);
      assert_ptr_equal(back, slot);
      double* other = ORC(mju_historyInsert)(theirs, N, DIM, t);
      assert_int_equal(other - theirs, slot - ours);
      other[0] = i;
      other[1] = -i;
      orc_sameBytes(ours, theirs, sizeof(ours));
    }

    // reads between them
    for (int i = 0; i < 12; i++) {
      double a[DIM] = {0, 0}, b[DIM] = {0, 0};
      const double t = rnd_uniform(&r, -1, 11);
      const double* x = mju_historyRead(ours, N, DIM, a, t, i % 3);
      const double* y = ORC(mju_historyRead)(theirs, N, DIM, b, t, i % 3);
      assert_int_equal(x == NULL, y == NULL);
      if (x) assert_int_equal(x - ours, y - theirs);
      cmp_arrays("interpolated", a, b, DIM, TOL);
    }
  }
  double buf[SIZE];
  const double unordered[N] = {1, 2, 2, 3, 4};
  assert_non_null(strstr(CATCH(mju_historyInit(buf, N, DIM, unordered, NULL, 0)),
                         "mju_historyInit: times must be strictly increasing"));
}

static void muscles(void** state) {
  (void)state;
  assert_true(mju_muscleGainLength(0.75, 0.5, 1.5) == 0.5);
  assert_true(mju_muscleGainLength(1, 0.5, 1.5) == 1);
  assert_true(mju_muscleGainLength(1.6, 0.5, 1.5) == 0);
  assert_true(mju_muscleDynamicsTimescale(0, 0.25, 0.75, 0.1) == 0.5);
  Rnd r = {4};
  for (int k = 0; k < 2000; k++) {
    const double length = rnd_uniform(&r, 0, 2), low = rnd_uniform(&r, 0, 1), high = rnd_uniform(&r, 1, 2);
    assert_true(
        cmp_close(mju_muscleGainLength(length, low, high), ORC(mju_muscleGainLength)(length, low, high), 1, TOL));
    const double dctrl = rnd_uniform(&r, -1, 1), width = k % 4 ? rnd_uniform(&r, 0, 0.5) : 0;
    assert_true(cmp_close(mju_muscleDynamicsTimescale(dctrl, low, high, width),
                          ORC(mju_muscleDynamicsTimescale)(dctrl, low, high, width), 1, TOL));
  }
}

static void semiaxes(void** state) {
  (void)state;
  const double size[3] = {1, 2, 3};
  double axes[3], theirs[3];
  mju_geomSemiAxes(axes, size, mjGEOM_CAPSULE);
  assert_true(axes[0] == 1 && axes[1] == 1 && axes[2] == 3);
  mju_geomSemiAxes(axes, size, mjGEOM_SPHERE);
  assert_true(axes[0] == 1 && axes[1] == 1 && axes[2] == 1);
  for (int type = mjGEOM_PLANE; type < mjNGEOMTYPES; type++) {
    mju_geomSemiAxes(axes, size, type);
    ORC(mju_geomSemiAxes)(theirs, size, type);
    orc_sameBytes(axes, theirs, sizeof(axes));
  }
}

static void boxes(void** state) {
  (void)state;
  const double zero[3] = {0, 0, 0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {1, 2, 3};
  const double edge[3] = {1, 0, 0}, inside[3] = {0.4, 0, 0}, outside[3] = {0, 4.1, 0};
  assert_int_equal(mju_outsideBox(edge, zero, eye, size, 2), 0);
  assert_int_equal(mju_outsideBox(edge, zero, eye, size, 1), -1);
  assert_int_equal(mju_outsideBox(inside, zero, eye, size, 2), -1);
  assert_int_equal(mju_outsideBox(outside, zero, eye, size, 2), 1);
  assert_string_equal(CATCH(mju_outsideBox(edge, zero, eye, size, 0.5)),
                      "mju_outsideBox: inflation coefficient must be >= 1");
  Rnd r = {5};
  int count[3] = {0};
  for (int k = 0; k < 3000; k++) {
    double point[3], pos[3], mat[9], quat[4], half[3];
    cmp_fill(&r, point, 3);
    cmp_fill(&r, pos, 3);
    cmp_unitQuat(&r, quat);
    mju_quat2Mat(mat, quat);
    for (int i = 0; i < 3; i++) half[i] = rnd_uniform(&r, 0.5, 2);
    const double inflate = k % 3 ? rnd_uniform(&r, 1, 2) : 1;
    const int where = mju_outsideBox(point, pos, mat, half, inflate);
    orc_sameInt(where, ORC(mju_outsideBox)(point, pos, mat, half, inflate));
    count[where + 1]++;
  }
  assert_true(count[0] > 100 && count[1] > 100 && count[2] > 100);
}

// the position x at the nodes is x in between, with gradient 1; and the gradient is that of differences
static void interpolation(void** state) {
  (void)state;
  Rnd r = {6};
  for (int k = 0; k < 200; k++) {
    const int order = 1 + k % 2, n = order + 1, num = n * n * n;
    double grid[81], dof[81], x[3];
    for (int i = 0; i < 3; i++) x[i] = rnd_uniform(&r, 0, 1);
    for (int i = 0; i < num; i++) {
      const int node[3] = {i / (n * n), i / n % n, i % n};
      for (int j = 0; j < 3; j++) grid[3 * i + j] = (double)node[j] / order;
    }
    double res[3] = {1, 2, 3}, grad[9], theirs[9];
    const double moved[3] = {1 + x[0], 2 + x[1], 3 + x[2]};
    mju_interpolate3D(res, x, grid, order);
    cmp_arrays("position", res, moved, 3, TOL);
    static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mju_defGradient(grad, x, grid, order);
    cmp_arrays("identity", grad, eye, 9, TOL);

    cmp_fill(&r, dof, 3 * num);
    mju_defGradient(grad, x, dof, order);
    for (int j = 0; j < 3; j++) {
      double low[3] = {0}, high[3] = {0}, at[3] = {x[0], x[1], x[2]};
      at[j] = x[j] - 1e-5;
      mju_interpolate3D(low, at, dof, order);
      at[j] = x[j] + 1e-5;
      mju_interpolate3D(high, at, dof, order);
      for (int i = 0; i < 3; i++) assert_true(fabs((high[i] - low[i]) / 2e-5 - grad[3 * i + j]) < 1e-7);
    }
    ORC(mju_defGradient)(theirs, x, dof, order);
    cmp_arrays("defGradient", grad, theirs, 9, 1e-13);
    for (int i = 0; i < num; i++) {
      assert_true(cmp_close(mju_evalBasis(x, i, order), ORC(mju_evalBasis)(x, i, order), 1, TOL));
    }
    double a[3] = {0}, b[3] = {0};
    mju_interpolate3D(a, x, dof, order);
    ORC(mju_interpolate3D)(b, x, dof, order);
    cmp_arrays("interpolate3D", a, b, 3, 1e-13);
  }
  const double x[3] = {0.5, 0.25, 0.75};
  double grad[9];
  assert_true(mju_evalBasis(x, 7, 1) == 0.5 * 0.25 * 0.75);
  assert_true(mju_evalBasis(x, 0, 3) == -1);
  assert_non_null(strstr(CATCH(mju_defGradient(grad, x, grad, 3)), "order must be 1 or 2"));
}

static const char SCENE[] =
    "<mujoco>"
    "  <worldbody>"
    "    <geom type='plane' size='0 0 1'/>"
    "    <geom type='box' size='.1 .2 .3' pos='1 0 1' euler='10 20 30' group='2'/>"
    "    <body pos='0 1 1'><freejoint/><geom size='.3'/><geom type='capsule' size='.1 .4' pos='.5 .5 0'/></body>"
    "    <body pos='-1 0 2'><freejoint/><geom type='box' size='.5 .5 .5' rgba='1 1 1 0'/><geom size='.1'/></body>"
    "    <body pos='5 0 2'><freejoint/><geom type='cylinder' size='.5 .5'/></body>"
    "  </worldbody>"
    "</mujoco>";

enum { NGEOM = 7 };

// from inside a box all directions count; others are narrowed, and geoms out of reach are not met
static void rays(void** state) {
  (void)state;
  TstScene scene = tst_openScene(SCENE);
  const mjModel* m = scene.m;
  mjData* d = scene.d;
  mj_forward(m, d);
  assert_int_equal(m->ngeom, NGEOM);
  double ba[4 * NGEOM];
  int out[NGEOM];
  const double inside[3] = {0, 1, 1};
  mju_multiRayPrepare(m, d, inside, NULL, NULL, 1, -1, mjMAXVAL, ba, out);
  assert_int_equal(out[2], 0);
  assert_true(ba[8] == -mjPI && ba[9] == 0 && ba[10] == mjPI && ba[11] == mjPI);
  assert_int_equal(out[4], 1);
  mju_multiRayPrepare(m, d, inside, NULL, NULL, 0, -1, 1, ba, out);
  assert_true(out[0] && out[1] && !out[2] && !out[3] && out[6]);
  assert_non_null(CATCH(mju_multiRayPrepare(m, d, inside, ba, NULL, 0, -1, 1, ba, out)));

  // the reference reads the same model and data
  Rnd r = {7};
  for (int k = 0; k < 500; k++) {
    double pnt[3], theirs[4 * NGEOM];
    int refout[NGEOM];
    for (int i = 0; i < 3; i++) pnt[i] = rnd_uniform(&r, -2, 2);
    mjtByte group[mjNGROUP];
    for (int i = 0; i < mjNGROUP; i++) group[i] = (mjtByte)rnd_below(&r, 2);
    const mjtByte* mask = k % 2 ? group : NULL;
    const mjtByte withStatic = (mjtByte)rnd_below(&r, 2);
    const int body = rnd_below(&r, 5) - 1;
    const double cutoff = k % 3 ? mjMAXVAL : rnd_uniform(&r, 0, 4);
    for (int i = 0; i < 4 * NGEOM; i++) ba[i] = theirs[i] = 100 + i;
    mju_multiRayPrepare(m, d, pnt, NULL, mask, withStatic, body, cutoff, ba, out);
    ORC(mju_multiRayPrepare)(m, d, pnt, NULL, mask, withStatic, body, cutoff, theirs, refout);
    orc_sameBytes(out, refout, sizeof(out));
    for (int i = 0; i < 4 * NGEOM; i++) assert_true(cmp_close(ba[i], theirs[i], mjPI, TOL));
  }
  tst_closeScene(&scene);
}

static void threads(void** state) {
  (void)state;
  const size_t size = mju_getDestructiveInterferenceSize();
  assert_true(size >= 64 && size % 64 == 0);
  orc_sameInt(size, ORC(mju_getDestructiveInterferenceSize)());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sensorSizes), cmocka_unit_test(encoding),      cmocka_unit_test(validity),
      cmocka_unit_test(histories),   cmocka_unit_test(muscles),       cmocka_unit_test(semiaxes),
      cmocka_unit_test(boxes),       cmocka_unit_test(interpolation), cmocka_unit_test(rays),
      cmocka_unit_test(threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
