// Rays and every kind of geom, flexes and skins; one ray and many.
#include "collision/scenes.h"
#include "support/model.h"

static const char* scene =
    "<mujoco><asset>"
    "<hfield name='h' nrow='6' ncol='8' size='1 .8 .4 .2' elevation='"
    "0 .1 .2 .3 .2 .1 0 .5  .3 .3 .1 .8 .9 .1 0 0  0 0 .2 .4 .6 .8 1 .2  "
    ".1 0 .1 .2 0 0 .4 .3  .7 .5 .3 .1 0 .2 .5 .7  0 0 0 0 .5 .5 .5 .5'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.3 .2 .25'/>"
    "<mesh name='torus' builtin='supertorus' params='12 .5 1 1' scale='.5 .5 .5'/>"
    "<material name='clear' rgba='1 1 1 0'/>"
    "</asset><worldbody>"
    "<geom type='plane' size='3 2 1' pos='0 0 -2'/>"
    "<geom type='hfield' hfield='h' pos='2 0 -1' euler='10 20 30'/>"
    "<body pos='0 0 1'><freejoint/><geom type='sphere' size='.3'/><geom type='capsule' size='.1 .4' pos='.6 0 "
    "0'/></body>"
    "<body pos='1 1 0'><freejoint/><geom type='ellipsoid' size='.2 .3 .5' euler='30 0 0' group='1'/></body>"
    "<body pos='-1 1 0'><freejoint/><geom type='cylinder' size='.3 .2' euler='0 50 0' group='2'/></body>"
    "<body pos='-1 -1 0'><freejoint/><geom type='box' size='.3 .2 .4' euler='10 50 0'/>"
    "  <body pos='0 0 .5'><geom type='sphere' size='.2' rgba='1 0 0 0'/><geom type='box' size='.1 .1 .1' "
    "material='clear'/></body></body>"
    "<body pos='1 -1 0'><freejoint/><geom type='mesh' mesh='ball'/></body>"
    "<body pos='0 -1 .5' euler='60 0 0'><freejoint/><geom type='mesh' mesh='torus'/></body>"
    "</worldbody></mujoco>";

static void randomRay(Rnd* r, mjtNum pnt[3], mjtNum vec[3]) {
  for (int i = 0; i < 3; i++) {
    pnt[i] = rnd_uniform(r, -3, 3);
    vec[i] = rnd_uniform(r, -1.5, 1.5) - pnt[i];
  }
  // rays along an axis happen too
  if (rnd_below(r, 5) == 0) vec[rnd_below(r, 3)] = 0;
}

static double apart(mjtNum a, mjtNum b, const mjtNum n1[3], const mjtNum n2[3]) {
  orc_result(&b, 1);
  orc_result(n2, 3);
  double off = fabs(a - b);
  for (int i = 0; i < 3; i++) off = fmax(off, fabs(n1[i] - n2[i]));
  return off;
}

static mjData* poseScene(const mjModel* m) {
  mjData* ref = ORC(mj_makeData)(m);
  ORC(mj_forward)(m, ref);
  mjData* d = mj_makeData(m);
  orc_mirror(m, d, ref);
  ORC(mj_deleteData)(ref);
  return d;
}

// every geom alone
static void eachGeom(void** state) {
  (void)state;
  mjModel* m = orc_compile(scene);
  mjData* d = poseScene(m);
  Rnd r = {.state = 1};
  for (int g = 0; g < m->ngeom; g++) {
    int hits = 0, bad = 0;
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
      mjtNum pnt[3], vec[3], n1[3] = {9, 9, 9}, n2[3] = {9, 9, 9};
      randomRay(&r, pnt, vec);
      for (int k = 0; k < 3; k++)
        vec[k] = rnd_uniform(&r, -1, 1) * m->geom_rbound[g] + d->geom_xpos[3 * g + k] - pnt[k];
      mjtNum x1, x2;
      const int type = m->geom_type[g];
      if (type == mjGEOM_MESH) {
        x1 = mj_rayMesh(m, d, g, pnt, vec, n1);
        x2 = ORC(mj_rayMesh)(m, d, g, pnt, vec, n2);
      } else if (type == mjGEOM_HFIELD) {
        x1 = mj_rayHfield(m, d, g, pnt, vec, n1);
        x2 = ORC(mj_rayHfield)(m, d, g, pnt, vec, n2);
      } else {
        x1 = mju_rayGeom(d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g, pnt, vec, type, n1);
        x2 = ORC(mju_rayGeom)(d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g, pnt, vec, type, n2);
      }
      hits += x2 >= 0;
      const double off = apart(x1, x2, n1, n2);
      worst = fmax(worst, off);
      bad += !(off < 1e-10);
    }
    print_message("geom %d type %d: %d hits, %d differ, worst %.1e\n", g, m->geom_type[g], hits, bad, worst);
    assert_true(hits > 100);
    assert_int_equal(bad, 0);
  }
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

// the whole scene, with all filters
static void wholeScene(void** state) {
  (void)state;
  mjModel* m = orc_compile(scene);
  mjData* d = poseScene(m);
  Rnd r = {.state = 2};
  const mjtByte group[mjNGROUP] = {1, 0, 1, 0, 0, 0};
  int hits = 0;
  for (int i = 0; i < 5000; i++) {
    mjtNum pnt[3], vec[3], n1[3], n2[3];
    int g1 = 5, g2 = 5;
    randomRay(&r, pnt, vec);
    const mjtByte* use = i % 3 ? NULL : group;
    const mjtByte still = (mjtByte)rnd_below(&r, 2);
    const int exclude = rnd_below(&r, 9) - 1;
    const mjtNum x1 = mj_ray(m, d, pnt, vec, use, still, exclude, &g1, n1);
    const mjtNum x2 = ORC(mj_ray)(m, d, pnt, vec, use, still, exclude, &g2, n2);
    assert_int_equal(g1, g2);
    assert_true(apart(x1, x2, n1, n2) < 1e-10);
    assert_true(mj_ray(m, d, pnt, vec, use, still, exclude, NULL, NULL) == x1);
    hits += g1 >= 0;
  }
  assert_true(hits > 1000);
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

static void manyRays(void** state) {
  (void)state;
  mjModel* m = orc_compile(scene);
  mjData* d = poseScene(m);
  mjData* ref = ORC(mj_makeData)(m);
  ORC(mj_forward)(m, ref);
  Rnd r = {.state = 3};
  enum { N = 200 };
  int hits = 0, bad = 0;
  for (int i = 0; i < 50; i++) {
    mjtNum pnt[3], vec[3 * N], x1[N], x2[N], n1[3 * N], n2[3 * N];
    int g1[N], g2[N];
    memset(n1, 0, sizeof(n1));
    memset(n2, 0, sizeof(n2));
    memset(g1, 0, sizeof(g1));
    memset(g2, 0, sizeof(g2));
    for (int k = 0; k < N; k++) randomRay(&r, pnt, vec + 3 * k);
    if (i % 4 == 0) memset(vec + 30, 0, 3 * sizeof(mjtNum));
    const mjtNum cutoff = i % 2 ? mjMAXVAL : 2;
    mj_multiRay(m, d, pnt, vec, NULL, 1, -1, g1, x1, n1, N, cutoff);
    ORC(mj_multiRay)(m, ref, pnt, vec, NULL, 1, -1, g2, x2, n2, N, cutoff);
    for (int k = 0; k < N; k++) {
      hits += g2[k] >= 0;
      bad += g1[k] != g2[k] || !(apart(x1[k], x2[k], n1 + 3 * k, n2 + 3 * k) < 1e-10);
    }
  }
  print_message("%d hits, %d differ\n", hits, bad);
  assert_true(hits > 1000);
  assert_int_equal(bad, 0);
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
}

static const char* soft =
    "<mujoco><worldbody>"
    "<flexcomp name='cloth' type='grid' count='5 4 1' spacing='.2 .2 .2' dim='2' radius='.02' mass='1'/>"
    "<flexcomp name='rope' type='grid' count='6 1 1' spacing='.2 .2 .2' pos='0 1 0' dim='1' radius='.05' mass='1'/>"
    "<flexcomp name='solid' type='grid' count='4 4 4' spacing='.2 .2 .2' pos='0 -1 0' dim='3' radius='.02' mass='1'/>"
    "</worldbody></mujoco>";

static void flexes(void** state) {
  (void)state;
  mjModel* m = orc_compile(soft);
  mjData* d = poseScene(m);
  Rnd r = {.state = 4};
  for (int i = 0; i < 3 * m->nflexvert; i++) d->flexvert_xpos[i] += rnd_uniform(&r, -.05, .05);
  for (int f = 0; f < m->nflex; f++) {
    int hits = 0;
    for (int i = 0; i < 3000; i++) {
      mjtNum pnt[3], vec[3], n1[3], n2[3];
      int v1 = -1, v2 = -1;
      randomRay(&r, pnt, vec);
      const mjtNum* at = d->flexvert_xpos + 3 * (m->flex_vertadr[f] + rnd_below(&r, m->flex_vertnum[f]));
      for (int k = 0; k < 3; k++) vec[k] = at[k] + rnd_uniform(&r, -.1, .1) - pnt[k];
      const int flag = rnd_below(&r, 16), layer = rnd_below(&r, 3);
      const mjtNum x1 =
          mj_rayFlex(m, d, layer, flag & 1, flag >> 1 & 1, flag >> 2 & 1, flag >> 3 & 1, f, pnt, vec, &v1, n1);
      const mjtNum x2 =
          ORC(mj_rayFlex)(m, d, layer, flag & 1, flag >> 1 & 1, flag >> 2 & 1, flag >> 3 & 1, f, pnt, vec, &v2, n2);
      assert_int_equal(v1, v2);
      assert_true(apart(x1, x2, n1, n2) < 1e-9);
      hits += x2 >= 0;
    }
    print_message("flex %d: %d hits\n", f, hits);
    assert_true(hits > 300);
  }
  mj_deleteData(d);
  ORC(mj_deleteModel)(m);
}

// the corner of a triangle that alone reaches far, whichever vertex it is
static void farCorners(void** state) {
  (void)state;
  static const char* const vertices[3] = {"1 0 0 0 .1 0 0 -.1 0", "0 -.1 0 1 0 0 0 .1 0", "0 .1 0 0 -.1 0 1 0 0"};
  for (int k = 0; k < 3; k++) {
    char xml[600];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><body name='b'><freejoint/><geom size='.01' pos='0 0 "
             "-1'/></body></worldbody><deformable><flex "
             "name='f' dim='2' radius='.01' body='b' vertex='%s' element='0 1 2'/></deformable></mujoco>",
             vertices[k]);
    mjModel* const m = tst_string(xml);
    mjData* const d = mj_makeData(m);
    mj_forward(m, d);
    const mjtNum pnt[3] = {1, 0, 1}, vec[3] = {0, 0, -1};
    int vertex = -1;
    assert_true(fabs(mj_rayFlex(m, d, 0, 1, 0, 0, 0, 0, pnt, vec, &vertex, NULL) - .99) < 1e-9);
    assert_int_equal(vertex, k);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void skins(void** state) {
  (void)state;
  mjModel* m = orc_compile(scene);
  const int mesh = 1;
  Rnd r = {.state = 5};
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  int hits = 0;
  for (int i = 0; i < 2000; i++) {
    mjtNum pnt[3], vec[3];
    int v1 = -1, v2 = -1;
    for (int k = 0; k < 3; k++) {
      pnt[k] = rnd_uniform(&r, -1, 1);
      vec[k] = rnd_uniform(&r, -.3, .3) - pnt[k];
    }
    const mjtNum x1 = mju_raySkin(m->mesh_facenum[mesh], m->mesh_vertnum[mesh], face, vert, pnt, vec, &v1);
    const mjtNum x2 = ORC(mju_raySkin)(m->mesh_facenum[mesh], m->mesh_vertnum[mesh], face, vert, pnt, vec, &v2);
    assert_int_equal(v1, v2);
    assert_true(fabs(x1 - x2) < 1e-10);
    hits += x1 >= 0;
  }
  assert_true(hits > 100);
  ORC(mj_deleteModel)(m);
}

// a ray function for one kind of geom refuses another kind, and says which function it was
static int nrefused;
static void refused(const char* message) {
  nrefused += !strcmp(message, "mj_rayMesh: geom with mesh type expected") ||
              !strcmp(message, "mj_rayHfield: geom with hfield type expected");
}

static void otherKinds(void** state) {
  (void)state;
  TstScene s = tst_openScene("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  mj_kinematics(s.m, s.d);
  const mjtNum pnt[3] = {0, 0, 3}, vec[3] = {0, 0, -1};
  nrefused = 0;
  mju_user_error = refused;
  assert_true(mj_rayMesh(s.m, s.d, 0, pnt, vec, NULL) == -1);
  assert_true(mj_rayHfield(s.m, s.d, 0, pnt, vec, NULL) == -1);
  mju_user_error = NULL;
  assert_int_equal(nrefused, 2);
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eachGeom),   cmocka_unit_test(wholeScene), cmocka_unit_test(manyRays),
      cmocka_unit_test(flexes),     cmocka_unit_test(farCorners), cmocka_unit_test(skins),
      cmocka_unit_test(otherKinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
