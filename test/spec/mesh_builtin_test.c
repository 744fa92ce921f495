// Built-in meshes: closed surfaces of known size, and parameters out of range.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "spec/element.h"

static const float* vertices(const mjsMesh* mesh, int* n) {
  *n = (int)spc_vecCount(mesh->uservert, sizeof(float)) / 3;
  return (const float*)(const void*)((const SpcVec*)mesh->uservert)->begin;
}

static const int* faces(const mjsMesh* mesh, int* n) {
  *n = (int)spc_vecCount(mesh->userface, sizeof(int)) / 3;
  return (const int*)(const void*)((const SpcVec*)mesh->userface)->begin;
}

// volume by the divergence theorem; every edge must be walked once in each direction
static double closedVolume(const mjsMesh* mesh) {
  int nvert = 0, nface = 0;
  const float* const v = vertices(mesh, &nvert);
  const int* const f = faces(mesh, &nface);
  double volume = 0;
  int partners = 0;
  for (int i = 0; i < nface; i++) {
    const float *a = v + 3 * f[3 * i], *b = v + 3 * f[3 * i + 1], *c = v + 3 * f[3 * i + 2];
    volume +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    for (int k = 0; k < 3; k++) {
      const int from = f[3 * i + k], to = f[3 * i + (k + 1) % 3];
      for (int j = 0; j < 3 * nface; j++) partners += f[j] == to && f[j / 3 * 3 + (j + 1) % 3] == from;
    }
  }
  assert_int_equal(partners, 3 * nface);
  return volume / 6;
}

static void shapesAreClosed(void** state) {
  (void)state;
  static const struct {
    mjtMeshBuiltin shape;
    int n;
    double params[4], volume, tolerance;
    int nvert, nface;
  } expected[] = {
      {mjMESH_BUILTIN_SPHERE,      1, {0},             2.536,                  0.001, 12,   20  },
      {mjMESH_BUILTIN_SPHERE,      1, {3},             4.0 / 3 * mjPI,         0.1,   642,  1280},
      {mjMESH_BUILTIN_HEMISPHERE,  1, {0},             2.0 / 3,                1e-6,  6,    8   },
      {mjMESH_BUILTIN_HEMISPHERE,  1, {9},             2.0 / 3 * mjPI,         0.1,   222,  440 },
      {mjMESH_BUILTIN_SUPERSPHERE, 3, {40, 1, 1},      4.0 / 3 * mjPI,         0.1,   1562, 3120},
      {mjMESH_BUILTIN_SUPERTORUS,  4, {40, 0.5, 1, 1}, 2 * mjPI * mjPI * 0.25, 0.1,   1600, 3200},
  };
  for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
    mjSpec* const spec = mj_makeSpec();
    mjsMesh* const mesh = mjs_addMesh(spec, NULL);
    double params[4];
    memcpy(params, expected[i].params, sizeof(params));
    assert_int_equal(mjs_makeMesh(mesh, expected[i].shape, params, expected[i].n), 0);
    int nvert = 0, nface = 0;
    vertices(mesh, &nvert);
    faces(mesh, &nface);
    assert_int_equal(nvert, expected[i].nvert);
    assert_int_equal(nface, expected[i].nface);
    const double volume = closedVolume(mesh);
    if (!(fabs(volume - expected[i].volume) < expected[i].tolerance)) fail_msg("shape %d: volume %g", (int)i, volume);
    mj_deleteSpec(spec);
  }
}

// open surfaces and clouds: only their vertices are known
static void openShapesHaveTheirVertices(void** state) {
  (void)state;
  mjSpec* const spec = mj_makeSpec();
  int n = 0;
  mjsMesh* mesh = mjs_addMesh(spec, NULL);
  assert_int_equal(mjs_makeMesh(mesh, mjMESH_BUILTIN_CONE, (double[]){5, 0}, 2), 0);
  vertices(mesh, &n);
  assert_int_equal(n, 6);
  mesh = mjs_addMesh(spec, NULL);
  assert_int_equal(mjs_makeMesh(mesh, mjMESH_BUILTIN_CONE, (double[]){5, 0.5}, 2), 0);
  vertices(mesh, &n);
  assert_int_equal(n, 10);
  mesh = mjs_addMesh(spec, NULL);
  assert_int_equal(mjs_makeMesh(mesh, mjMESH_BUILTIN_PLATE, (double[]){3, 4}, 2), 0);
  vertices(mesh, &n);
  assert_int_equal(n, 12);
  assert_int_equal(mesh->inertia, mjMESH_INERTIA_SHELL);
  mesh = mjs_addMesh(spec, NULL);
  assert_int_equal(mjs_makeMesh(mesh, mjMESH_BUILTIN_WEDGE, (double[]){3, 4, 60, 30, 0.5}, 5), 0);
  const float* const v = vertices(mesh, &n);
  assert_int_equal(n, 12);
  for (int i = 0; i < n; i++) {
    const float* const p = v + 3 * i;
    assert_true(fabsf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - 1) < 1e-6f);
  }
  mj_deleteSpec(spec);
}

static void wrongParametersAreRejected(void** state) {
  (void)state;
  static const struct {
    int shape, n;
    double params[5];
    const char* message;
  } wrong[] = {
      {mjMESH_BUILTIN_SPHERE,      2, {0},                "requires 1 parameter"      },
      {mjMESH_BUILTIN_SPHERE,      1, {-1},               "cannot be negative"        },
      {mjMESH_BUILTIN_SPHERE,      1, {5},                "cannot be greater than 4"  },
      {mjMESH_BUILTIN_HEMISPHERE,  1, {11},               "cannot be greater than 10" },
      {mjMESH_BUILTIN_SUPERSPHERE, 3, {2, 1, 1},          "greater than 2"            },
      {mjMESH_BUILTIN_SUPERSPHERE, 3, {3, -1, 1},         "'e' cannot be negative"    },
      {mjMESH_BUILTIN_SUPERTORUS,  4, {5, 2, 1, 1},       "radius must be in (0, 1]"  },
      {mjMESH_BUILTIN_SUPERTORUS,  4, {5, 0.5, 0, 1},     "'s' must be greater than 0"},
      {mjMESH_BUILTIN_WEDGE,       5, {1, 1, 181, 90, 0}, "fov[0]"                    },
      {mjMESH_BUILTIN_WEDGE,       5, {1, 1, 90, 91, 0},  "fov[1]"                    },
      {mjMESH_BUILTIN_WEDGE,       5, {1, 1, 90, 90, 2},  "gamma"                     },
      {mjMESH_BUILTIN_PLATE,       2, {0, 1},             "must be positive"          },
      {mjMESH_BUILTIN_PLATE,       2, {1e9, 1e9},         "too large"                 },
      {mjMESH_BUILTIN_SUPERSPHERE, 3, {1e9, 1, 1},        "too large"                 },
      {mjMESH_BUILTIN_CONE,        1, {4},                "requires 2 parameters"     },
      {mjMESH_BUILTIN_NONE,        0, {0},                "Unsupported mesh type"     },
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjSpec* const spec = mj_makeSpec();
    double params[5];
    memcpy(params, wrong[i].params, sizeof(params));
    assert_true(mjs_makeMesh(mjs_addMesh(spec, NULL), (mjtMeshBuiltin)wrong[i].shape, params, wrong[i].n) != 0);
    if (!strstr(mjs_getError(spec), wrong[i].message))
      fail_msg("expected '%s', got '%s'", wrong[i].message, mjs_getError(spec));
    mj_deleteSpec(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapesAreClosed),
      cmocka_unit_test(openShapesHaveTheirVertices),
      cmocka_unit_test(wrongParametersAreRejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
