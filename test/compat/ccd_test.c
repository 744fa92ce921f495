// Convex collision detection through the reference's structs. Their layout is proved by use: both libraries fill and
// read the same objects. Tolerance of distances and points: 1e-6, the tolerance of the searches; polytopes end exactly.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compat/ccd.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

// one geom of each kind, each on a body of its own, and two flexes
static const char SHAPES[] =
    "<mujoco><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1' scale='.1 "
    ".2 "
    ".15'/><mesh name='ball' builtin='sphere' params='2' scale='.2 .15 .1'/></asset><worldbody>"
    "<body><freejoint/><geom type='sphere' size='.15'/></body>"
    "<body><freejoint/><geom type='capsule' size='.1 .15'/></body>"
    "<body><freejoint/><geom type='ellipsoid' size='.1 .15 .2'/></body>"
    "<body><freejoint/><geom type='cylinder' size='.1 .15'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .15 .2'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='cube'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='ball'/></body>"
    "<body><freejoint/><geom type='box' size='.12 .12 .12'/></body>"
    "<flexcomp name='a' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='1' radius='.02'/>"
    "<flexcomp name='b' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1' radius='.01'/>"
    "<geom name='floor' type='plane' size='1 1 1'/></worldbody></mujoco>";
enum { NSHAPE = 8 };

static int floorOf(const mjModel* m) {
  return mj_name2id(m, mjOBJ_GEOM, "floor");
}

static int shape(const mjModel* m, int i) {
  return m->body_geomadr[1 + i];
}

// random poses near each other
static void place(TstScene* t, Rnd* rnd) {
  mj_resetData(t->m, t->d);
  for (int i = 0; i < NSHAPE; i++) {
    mjtNum* q = t->d->qpos + 7 * i;
    for (int k = 0; k < 3; k++) q[k] = rnd_uniform(rnd, -0.2, 0.2);
    for (int k = 3; k < 7; k++) q[k] = rnd_uniform(rnd, -1, 1);
    mju_normalize4(q + 3);
  }
  for (int i = 7 * NSHAPE; i < t->m->nq; i++) t->d->qpos[i] = rnd_uniform(rnd, -0.05, 0.05);
  mj_fwdPosition(t->m, t->d);
}

//---------------------------------- objects ----------------------------------

static void objects(void** state) {
  (void)state;
  TstScene t = tst_openScene(SHAPES);
  Rnd rnd = {1};
  place(&t, &rnd);
  for (int i = -1; i < NSHAPE; i++) {
    const int g = i < 0 ? -1 : shape(t.m, i);
    mjCCDObj our, ref;
    memset(&our, 0, sizeof(our));
    memset(&ref, 0, sizeof(ref));
    mjc_initCCDObj(&our, t.m, t.d, g, 0.01);
    assert_int_equal(our.geom, g);
    assert_true(our.margin == 0.01);
    ORC(mjc_initCCDObj)(&ref, t.m, t.d, g, 0.01);
    assert_non_null(ref.center);
    orc_sameBytes(&our, &ref, offsetof(mjCCDObj, center));
  }

  // planes have no farthest point
  mjCCDObj plane;
  assert_non_null(CATCH(mjc_initCCDObj(&plane, t.m, t.d, floorOf(t.m), 0)));
  tst_closeScene(&t);
}

// an element or vertex of a flex
static void flexObject(mjCCDObj* obj, int flex, int elem, int vert) {
  obj->flex = flex;
  obj->elem = elem;
  obj->vert = vert;
}

static void comparePoints(Stage* s, mjCCDObj* our, mjCCDObj* ref, const mjtNum dir[3]) {
  mjtNum a[3], b[3];
  our->center(a, our);
  ref->center(b, ref);
  stg_near(s, "center", b, a, 3, 0);
  ORC(mjc_center)(b, ref);
  stg_near(s, "mjc_center", b, a, 3, 0);
  our->support(a, our, dir);
  ref->support(b, ref, dir);
  stg_near(s, "support", b, a, 3, 1e-14);

  // libccd's way
  ccd_vec3_t x, y,
      d = {
          {dir[0], dir[1], dir[2]}
  };
  mjccd_center(our, &x);
  ORC(mjccd_center)(ref, &y);
  stg_near(s, "mjccd_center", y.v, x.v, 3, 0);
  mjccd_support(our, &d, &x);
  ORC(mjccd_support)(ref, &d, &y);
  stg_near(s, "mjccd_support", y.v, x.v, 3, 1e-14);
}

static void farthestPoints(void** state) {
  (void)state;
  TstScene t = tst_openScene(SHAPES);
  Stage s = {.name = "points"};
  Rnd rnd = {2};
  place(&t, &rnd);
  const mjtNum axis[3] = {0, 0, 1};

  // a sphere: centre and radius, with half the margin for libccd
  mjCCDObj our, ref;
  mjtNum p[3];
  const mjtNum* pos = t.d->geom_xpos + 3 * shape(t.m, 0);
  mjc_initCCDObj(&our, t.m, t.d, shape(t.m, 0), 0.1);
  mjc_center(p, &our);
  orc_sameBytes(p, pos, sizeof(p));
  our.support(p, &our, axis);
  assert_near(p[2], pos[2] + 0.15, 1e-15);
  ccd_vec3_t x, d = {
                    {0, 0, 1}
  };
  mjccd_support(&our, &d, &x);
  assert_near(x.v[2], pos[2] + 0.2, 1e-15);
  mjccd_center(&our, &x);
  orc_sameBytes(x.v, pos, sizeof(p));

  for (int trial = 0; trial < 100; trial++) {
    mjtNum dir[3];
    for (int k = 0; k < 3; k++) dir[k] = rnd_uniform(&rnd, -1, 1);
    mju_normalize3(dir);
    const mjtNum margin = trial % 2 ? 0.02 : 0;
    for (int i = -3; i < NSHAPE; i++) {
      const int g = i < 0 ? -1 : shape(t.m, i);
      mjc_initCCDObj(&our, t.m, t.d, g, margin);
      ORC(mjc_initCCDObj)(&ref, t.m, t.d, g, margin);
      if (i < 0) {
        flexObject(&our, i == -1, i == -3 ? -1 : trial % 8, i == -3 ? trial % 27 : -1);
        flexObject(&ref, i == -1, i == -3 ? -1 : trial % 8, i == -3 ? trial % 27 : -1);
      }
      comparePoints(&s, &our, &ref, dir);
    }
  }
  assert_int_equal(s.errors, 0);
  tst_closeScene(&t);
}

//---------------------------------- queries ----------------------------------

static void* take(void* context, size_t nbytes) {
  (void)context;
  return malloc(nbytes);
}

static void give(void* context, void* buffer) {
  (void)context;
  free(buffer);
}

static mjCCDConfig configOf(int maxcon, mjtNum cutoff) {
  return (mjCCDConfig){.max_iterations = 200,
                       .tolerance = 1e-6,
                       .max_contacts = maxcon,
                       .dist_cutoff = cutoff,
                       .alloc = take,
                       .free = give};
}

// known distances of two spheres and two boxes
static void knownDistances(void** state) {
  (void)state;
  TstScene t = tst_openScene(
      "<mujoco><worldbody><geom type='sphere' pos='-1.5 0 0' size='1'/><geom type='sphere' pos='1.5 0 0' size='1'/>"
      "<geom type='box' pos='0 0 1.9' size='1 1 1'/><geom type='box' size='10 10 1'/></worldbody></mujoco>");
  mj_forward(t.m, t.d);
  mjCCDObj a, b;
  mjCCDStatus status;
  mjCCDConfig config = configOf(0, DBL_MAX);
  mjc_initCCDObj(&a, t.m, t.d, 0, 0);
  mjc_initCCDObj(&b, t.m, t.d, 1, 0);
  assert_true(mjc_ccd(&config, &status, &a, &b) == 1);
  assert_int_equal(status.nx, 1);
  assert_true(status.x1[0] == -0.5 && status.x2[0] == 0.5);
  assert_int_equal(status.epa_status, -1);
  config.dist_cutoff = 0.999999;
  assert_true(mjc_ccd(&config, &status, &a, &b) == DBL_MAX);

  // a patch of four points
  config = configOf(1000, 0);
  mjc_initCCDObj(&a, t.m, t.d, 2, 0);
  mjc_initCCDObj(&b, t.m, t.d, 3, 0);
  assert_near(mjc_ccd(&config, &status, &a, &b), -0.1, 1e-6);
  assert_int_equal(status.nx, 4);
  assert_int_equal(status.epa_status, 0);
  tst_closeScene(&t);
}

static void compareQuery(Stage* s, const mjCCDConfig* config, mjCCDObj obj[2][2]) {
  mjCCDStatus our, ref;
  memset(&our, 0, sizeof(our));
  memset(&ref, 0, sizeof(ref));
  const mjtNum dist = ORC(mjc_ccd)(config, &ref, &obj[0][0], &obj[0][1]);
  const mjtNum mine = mjc_ccd(config, &our, &obj[1][0], &obj[1][1]);
  const int far[2] = {dist == DBL_MAX, mine == DBL_MAX};
  stg_same(s, "too far", far, far + 1, 1);
  if (!far[0]) stg_near(s, "dist", &dist, &mine, 1, 1e-6);
  stg_near(s, "returned", &our.dist, &mine, 1, 0);
  stg_same(s, "nx", &ref.nx, &our.nx, 1);
  stg_same(s, "epa_status", &ref.epa_status, &our.epa_status, 1);
  stg_same(s, "max_contacts", &ref.max_contacts, &our.max_contacts, 1);
  stg_same(s, "max_iterations", &ref.max_iterations, &our.max_iterations, 1);
  stg_same(s, "gjk_iterations", &ref.gjk_iterations, &our.gjk_iterations, 1);
  stg_same(s, "epa_iterations", &ref.epa_iterations, &our.epa_iterations, 1);
  stg_near(s, "x1", ref.x1, our.x1, 3 * ref.nx, 1e-6);
  stg_near(s, "x2", ref.x2, our.x2, 3 * ref.nx, 1e-6);
}

static void queriesMatchReference(void** state) {
  (void)state;
  TstScene t = tst_openScene(SHAPES);
  Rnd rnd = {3};
  const mjCCDConfig configs[] = {configOf(0, DBL_MAX), configOf(0, 0.05), configOf(1, 0), configOf(50, 0),
                                 configOf(1, DBL_MAX)};
  int errors = 0;
  for (int trial = 0; trial < 40; trial++) {
    place(&t, &rnd);
    for (int i = 0; i < NSHAPE; i++) {
      for (int j = 0; j < NSHAPE; j++) {
        if (i == j) continue;
        char name[50];
        snprintf(name, sizeof(name), "geoms %d and %d, trial %d", i, j, trial);
        Stage s = {.name = name};
        mjCCDObj obj[2][2];
        const mjtNum margin = trial % 4 == 3 ? 0.01 : 0;
        for (int k = 0; k < 2; k++) {
          ORC(mjc_initCCDObj)(&obj[0][k], t.m, t.d, shape(t.m, k ? j : i), margin);
          mjc_initCCDObj(&obj[1][k], t.m, t.d, shape(t.m, k ? j : i), margin);
        }
        compareQuery(&s, configs + trial % 5, obj);
        errors += s.errors;
      }
    }
  }
  assert_int_equal(errors, 0);
  tst_closeScene(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects),
      cmocka_unit_test(farthestPoints),
      cmocka_unit_test(knownDistances),
      cmocka_unit_test(queriesMatchReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
