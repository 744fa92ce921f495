// Skins from SKN files: what the file holds arrives in the model, weights sum to one, a damaged file leads to a
// message; the same as the reference makes of it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/oracle.h"
#include "support/random.h"

enum { NVERT = 6, NFACE = 4, NBONE = 2 };

static const char MODEL[] =
    "<mujoco><asset><skin name='s' file='s.skn' inflate='0.1'/></asset><worldbody>"
    "<body name='one'><freejoint/><geom size='.1'/></body><body name='two'><freejoint/><geom size='.1'/></body>"
    "</worldbody></mujoco>";

typedef struct {
  unsigned char bytes[2000];
  int n;
} File;

static void addInt(File* f, int x) {
  memcpy(f->bytes + f->n, &x, 4);
  f->n += 4;
}

static void addFloats(File* f, Rnd* r, int n) {
  for (int i = 0; i < n; i++) {
    const float x = (float)rnd_uniform(r, 0.1, 1);
    memcpy(f->bytes + f->n, &x, 4);
    f->n += 4;
  }
}

// every bone holds every vertex
static void makeFile(File* f) {
  Rnd r = {9};
  f->n = 0;
  const int size[4] = {NVERT, NVERT, NFACE, NBONE};
  for (int i = 0; i < 4; i++) addInt(f, size[i]);
  addFloats(f, &r, 3 * NVERT + 2 * NVERT);
  for (int i = 0; i < 3 * NFACE; i++) addInt(f, (5 * i) % NVERT);
  for (int b = 0; b < NBONE; b++) {
    memset(f->bytes + f->n, 0, 40);
    memcpy(f->bytes + f->n, b ? "two" : "one", 3);
    f->n += 40;
    addFloats(f, &r, 7);
    addInt(f, NVERT);
    for (int i = 0; i < NVERT; i++) addInt(f, i);
    addFloats(f, &r, NVERT);
  }
}

// the model with this file; NULL: error says why
static mjModel* load(const File* f, char* error, int nerror) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "s.skn", f->bytes, f->n), 0);
  mjSpec* const spec = mj_parseXMLString(MODEL, &vfs, error, nerror);
  mjModel* const m = spec ? mj_compile(spec, &vfs) : NULL;
  if (spec && !m) snprintf(error, (size_t)nerror, "%s", mjs_getError(spec));
  if (spec) mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return m;
}

static mjModel* loadReference(const File* f) {
  mjVFS vfs;
  char error[500] = "";
  ORC(mj_defaultVFS)(&vfs);
  ORC(mj_addBufferVFS)(&vfs, "s.skn", f->bytes, f->n);
  mjSpec* const spec = ORC(mj_parseXMLString)(MODEL, &vfs, error, sizeof(error));
  mjModel* const m = ORC(mj_compile)(spec, &vfs);
  assert_non_null(m);
  ORC(mj_deleteSpec)(spec);
  ORC(mj_deleteVFS)(&vfs);
  return m;
}

static void fileIsLoaded(void** state) {
  (void)state;
  File f;
  makeFile(&f);
  char error[1000] = "";
  mjModel* const m = load(&f, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  assert_int_equal(m->nskinvert, NVERT);
  assert_int_equal(m->nskintexvert, NVERT);
  assert_int_equal(m->nskinface, NFACE);
  assert_int_equal(m->nskinbone, NBONE);
  assert_memory_equal(m->skin_vert, f.bytes + 16, 12 * NVERT);
  assert_memory_equal(m->skin_face, f.bytes + 16 + 20 * NVERT, 12 * NFACE);
  assert_true(m->skin_inflate[0] == 0.1f);
  for (int b = 0; b < NBONE; b++) {
    const float* const q = m->skin_bonebindquat + 4 * b;
    assert_int_equal(m->skin_bonebodyid[b], 1 + b);
    assert_true(fabsf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6f);
  }
  for (int i = 0; i < NVERT; i++) {
    assert_true(fabsf(m->skin_bonevertweight[i] + m->skin_bonevertweight[NVERT + i] - 1) < 1e-6f);
  }
  mjModel* const ref = loadReference(&f);
  orc_sameBytes(m->skin_bonevertweight, ref->skin_bonevertweight, sizeof(float) * NBONE * NVERT);
  orc_sameBytes(m->skin_bonebindquat, ref->skin_bonebindquat, sizeof(float) * 4 * NBONE);
  orc_sameBytes(m->skin_bonebindpos, ref->skin_bonebindpos, sizeof(float) * 3 * NBONE);
  orc_sameBytes(m->skin_texcoord, ref->skin_texcoord, sizeof(float) * 2 * NVERT);
  ORC(mj_deleteModel)(ref);
  mj_deleteModel(m);
}

static void expect(const File* f, const char* message) {
  char error[1000] = "";
  mjModel* const m = load(f, error, sizeof(error));
  assert_null(m);
  if (!strstr(error, message)) fail_msg("%s instead of %s", error, message);
}

static void damagedFilesAreRejected(void** state) {
  (void)state;
  enum { FACES = 16 + 20 * NVERT, BONES = FACES + 12 * NFACE };
  static const struct {
    int at, value;
    const char* message;
  } change[] = {
      {0,          -1,      "negative size in header of SKN file"      },
      {0,          1 << 30, "insufficient data in SKN file"            },
      {4,          3,       "SKN file"                                 },
      {12,         0,       "unexpected buffer size in SKN file"       },
      {FACES,      77,      "face vertex 77 out of range in skin"      },
      {BONES,      'x',     "unknown body 'x' in skin"                 },
      {BONES + 68, 0,       "vertex count must be positive in SKN file"},
      {BONES + 68, 10000,   "insufficient vertex data in SKN file"     },
      {BONES + 72, 77,      "vertid 77 out of range in skin"           },
  };
  for (size_t i = 0; i < sizeof(change) / sizeof(change[0]); i++) {
    File f;
    makeFile(&f);
    memcpy(f.bytes + change[i].at, &change[i].value, 4);
    expect(&f, change[i].message);
  }

  // a file that ends anywhere, or has too much
  File f;
  makeFile(&f);
  for (int n = f.n - 1; n > 0; n -= 7) {
    File cut = f;
    cut.n = n;
    expect(&cut, "SKN file");
  }
  addInt(&f, 0);
  expect(&f, "unexpected buffer size in SKN file");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fileIsLoaded), cmocka_unit_test(damagedFilesAreRejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
