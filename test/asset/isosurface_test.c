// Surfaces of sampled fields: closed for every pattern of signs, on the sphere for a sphere; meshes of SDF plugins
// through the whole compiler, against the shape's own measures and the reference's model.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/isosurface.h"
#include "support/oracle.h"
#include "support/random.h"

// -------------------------------------------------------------------------------------------- fields

enum { N = 24 };

// every directed side of a face is walked once, and once the other way round by a neighbour
static void assertClosed(const AstIsosurface* s) {
  const int n = 3 * s->nface;
  int* const count = calloc((size_t)s->nvert * 64, sizeof(int));
  int* const used = calloc((size_t)s->nvert, sizeof(int));
  for (int i = 0; i < n; i++) {
    const int a = s->face[i], b = s->face[i % 3 == 2 ? i - 2 : i + 1];
    assert_in_range(a, 0, s->nvert - 1);
    assert_int_not_equal(a, b);
    assert_true(used[a] < 64);
    count[64 * a + used[a]++] = b;
  }
  for (int a = 0; a < s->nvert; a++) {
    assert_true(used[a] >= 3);
    for (int k = 0; k < used[a]; k++) {
      const int b = count[64 * a + k];
      int same = 0, back = 0;
      for (int j = 0; j < used[a]; j++) same += count[64 * a + j] == b;
      for (int j = 0; j < used[b]; j++) back += count[64 * b + j] == a;
      assert_int_equal(same, 1);
      assert_int_equal(back, 1);
    }
  }
  free(count);
  free(used);
}

// volume inside, by tetrahedra from the origin
static double volumeOf(const AstIsosurface* s) {
  double volume = 0;
  for (int i = 0; i < s->nface; i++) {
    const float *a = s->vert + 3 * s->face[3 * i], *b = s->vert + 3 * s->face[3 * i + 1],
                *c = s->vert + 3 * s->face[3 * i + 2];
    volume += a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) + a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
              a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
  }
  return volume / 6;
}

static void randomFieldsGiveClosedSurfaces(void** state) {
  (void)state;
  // random signs meet every one of the 256 patterns; the border is outside
  Rnd r = {7};
  float value[N * N * N];
  int met[256] = {0}, nmet = 0;
  for (int i = 0; i < N * N * N; i++) {
    const int x = i % N, y = i / N % N, z = i / (N * N);
    const int border = !x || !y || !z || x == N - 1 || y == N - 1 || z == N - 1;
    value[i] = border ? 1 : (float)rnd_uniform(&r, -1, 1);
  }
  for (int i = 0; i < N * N * (N - 1) - N; i++) {
    if (i % N == N - 1 || i / N % N == N - 1) continue;
    int code = 0;
    for (int c = 0; c < 8; c++) code |= (value[i + (c & 1) + N * (c >> 1 & 1) + N * N * (c >> 2)] < 0) << c;
    nmet += !met[code]++;
  }
  assert_int_equal(nmet, 256);
  AstIsosurface surface;
  assert_true(ast_makeIsosurface(&surface, &(AstGrid){
                                               .n = {N, N, N},
                                                 .value = value
  }));
  assertClosed(&surface);
  assert_true(volumeOf(&surface) > 0);
  ast_freeIsosurface(&surface);
}

static void sphereIsASphere(void** state) {
  (void)state;
  const double radius = 8, middle[3] = {11.3, 11.6, 11.1}, pi = 3.14159265358979;
  float value[N * N * N];
  for (int i = 0; i < N * N * N; i++) {
    const double d[3] = {i % N - middle[0], i / N % N - middle[1], i / (N * N) - middle[2]};
    value[i] = (float)(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - radius);
  }
  AstIsosurface s;
  assert_true(ast_makeIsosurface(&s, &(AstGrid){
                                         .n = {N, N, N},
                                           .value = value
  }));
  assertClosed(&s);
  assert_int_equal(s.nvert - s.nface / 2, 2);  // Euler: V - E + F = 2 with E = 3 F / 2
  for (int i = 0; i < s.nvert; i++) {
    double d[3], square = 0, along = 0;
    for (int k = 0; k < 3; k++) {
      d[k] = s.vert[3 * i + k] - middle[k];
      square += d[k] * d[k];
      along += d[k] * s.normal[3 * i + k];
    }
    assert_true(fabs(sqrt(square) - radius) < 0.02);  // curvature within a cell: 1 / (8 radius)
    assert_true(along > 0.97 * radius);               // normals point outwards
  }
  const double exact = 4.0 / 3.0 * pi * radius * radius * radius;
  assert_true(fabs(volumeOf(&s) - exact) < 0.02 * exact);
  ast_freeIsosurface(&s);
}

static void noSurfaceIsEmpty(void** state) {
  (void)state;
  const float value[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  AstIsosurface s;
  assert_true(ast_makeIsosurface(&s, &(AstGrid){
                                         .n = {2, 2, 2},
                                           .value = value
  }));
  assert_int_equal(s.nvert, 0);
  assert_int_equal(s.nface, 0);
  ast_freeIsosurface(&s);
}

// -------------------------------------------------------------------------------------------- plugin

// a torus with ripples around z, off centre in its box
static const char* attributeNames[] = {"major", "minor", "ripple"};

static mjtNum staticDistance(const mjtNum p[3], const mjtNum* a) {
  const mjtNum q = sqrt(p[0] * p[0] + p[1] * p[1]) - a[0];
  return sqrt(q * q + p[2] * p[2]) - a[1] + a[2] * sin(40 * p[0]) * sin(50 * p[1]) * sin(35 * p[2]);
}

static void readAttribute(mjtNum attribute[], const char* name[], const char* value[]) {
  const mjtNum standard[3] = {0.35, 0.15, 0};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(name[i], attributeNames[i]);
    attribute[i] = value[i][0] ? strtod(value[i], NULL) : standard[i];
  }
}

static void boxOf(mjtNum aabb[6], const mjtNum* a) {
  aabb[0] = aabb[1] = 0;
  aabb[2] = 0.02;
  aabb[3] = a[0] + a[1] + 0.1;
  aabb[4] = a[0] + a[1] + 0.05;
  aabb[5] = a[1] + 0.07;
}

static int noState(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static mjtNum distance(const mjtNum p[3], const mjData* d, int instance) {
  (void)d;
  (void)instance;
  return staticDistance(p, (const mjtNum[3]){0.35, 0.15, 0});
}

static void gradient(mjtNum g[3], const mjtNum p[3], const mjData* d, int instance) {
  for (int k = 0; k < 3; k++) {
    mjtNum q[3] = {p[0], p[1], p[2]};
    q[k] += 1e-6;
    g[k] = (distance(q, d, instance) - distance(p, d, instance)) / 1e-6;
  }
}

static const mjpPlugin torus = {
    .name = "sinew.test.torus",
    .nattribute = 3,
    .attributes = attributeNames,
    .capabilityflags = mjPLUGIN_SDF,
    .nstate = noState,
    .sdf_distance = distance,
    .sdf_gradient = gradient,
    .sdf_staticdistance = staticDistance,
    .sdf_attribute = readAttribute,
    .sdf_aabb = boxOf,
};

static const char MODEL[] =
    "<mujoco><extension><plugin plugin='sinew.test.torus'><instance name='rippled'>"
    "<config key='ripple' value='0.02'/><config key='major' value='0.3'/></instance></plugin></extension>"
    "<asset><mesh name='plain' inertia='exact'><plugin plugin='sinew.test.torus'/></mesh>"
    "<mesh name='rippled' refpos='0.1 0 0'><plugin instance='rippled'/></mesh></asset>"
    "<worldbody><body><freejoint/><geom type='sdf' mesh='plain'><plugin plugin='sinew.test.torus'/></geom></body>"
    "<body pos='1 0 0'><freejoint/><geom type='mesh' mesh='rippled'/></body></worldbody></mujoco>";

static mjModel* compile(const char* xml) {
  char error[1000] = "";
  mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  mjModel* const m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

static void pluginShapesAreMeshed(void** state) {
  (void)state;
  mjp_registerPlugin(&torus);
  mjModel* const m = compile(MODEL);
  const double pi = 3.14159265358979, volume = 2 * pi * pi * 0.35 * 0.15 * 0.15;
  assert_true(fabs(m->body_mass[1] - 1000 * volume) < 0.005 * 1000 * volume);

  // the mesh stays in the field's frame, and its vertices lie on the surface
  for (int k = 0; k < 3; k++) assert_true(m->mesh_pos[k] == 0 && m->mesh_quat[k + 1] == 0);
  for (int i = 0; i < m->mesh_vertnum[0]; i++) {
    const float* const v = m->mesh_vert + 3 * i;
    assert_true(fabs(distance((const mjtNum[3]){v[0], v[1], v[2]}, NULL, 0)) < 1e-3);
  }
  assert_int_equal(m->mesh_vertnum[0], m->mesh_facenum[0] / 2);  // Euler characteristic 0

  ORC(mjp_registerPlugin)(&torus);
  mjModel* const ref = orc_compile(MODEL);
  assert_int_equal(m->nmeshvert, ref->nmeshvert);
  assert_int_equal(m->nmeshface, ref->nmeshface);
  assert_memory_equal(m->mesh_vert, ref->mesh_vert, sizeof(float) * 3 * (size_t)m->nmeshvert);
  assert_memory_equal(m->mesh_normal, ref->mesh_normal, sizeof(float) * 3 * (size_t)m->nmeshnormal);
  assert_memory_equal(m->mesh_face, ref->mesh_face, sizeof(int) * 3 * (size_t)m->nmeshface);
  ORC(mj_deleteModel)(ref);
  mj_deleteModel(m);
}

static void wrongPluginMeshesAreRejected(void** state) {
  (void)state;
  mjp_registerPlugin(&torus);
  static const char* const wrong[][2] = {
      {"scale='2 1 1'><plugin plugin='sinew.test.torus'/>",                               "attribute scale is not compatible with SDFs in mesh 'm'"},
      {"><plugin/>",                                                                      "neither 'plugin' nor 'instance' is specified"           },
      {"><plugin plugin='sinew.test.torus'><config key='minor' value='-1'/></plugin>",    "is not positive"                                        },
      {"><plugin plugin='sinew.test.torus'><config key='minor' value='-0.04'/></plugin>",
       "at least 4 vertices required"                                                                                                              },
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    char xml[500], error[1000] = "";
    snprintf(xml, sizeof(xml),
             "<mujoco><extension><plugin plugin='sinew.test.torus'/></extension><asset><mesh name='m' %s</mesh>"
             "</asset></mujoco>",
             wrong[i][0]);
    mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
    assert_non_null(spec);
    assert_null(mj_compile(spec, NULL));
    if (!strstr(mjs_getError(spec), wrong[i][1])) fail_msg("%s", mjs_getError(spec));
    mj_deleteSpec(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(randomFieldsGiveClosedSurfaces),
      cmocka_unit_test(sphereIsASphere),
      cmocka_unit_test(noSurfaceIsEmpty),
      cmocka_unit_test(pluginShapesAreMeshed),
      cmocka_unit_test(wrongPluginMeshesAreRejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
