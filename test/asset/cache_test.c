// The cache of meshes: a second compilation gives the same mesh, other parameters or contents do not, and the size
// stays below the capacity.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "asset/asset.h"

static const char TETRA[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static AstMeshSource sourceOf(const mjVFS* vfs, const char* file) {
  return (AstMeshSource){
      .name = "m",
      .directory = "",
      .file = file,
      .content_type = "",
      .vfs = vfs,
      .refquat = {1, 0, 0, 0},
      .scale = {1, 1,  1 },
      .inertia = mjMESH_INERTIA_LEGACY,
      .needhull = 1,
      .maxhullvert = -1
  };
}

static double volumeOf(const AstMeshSource* source) {
  AstMesh mesh;
  assert_true(ast_compileMesh(&mesh, source));
  assert_non_null(mesh.graph);
  const double volume = mesh.volume;
  ast_freeMesh(&mesh);
  return volume;
}

static void secondTimeIsFromTheCache(void** state) {
  (void)state;
  mjCache* const cache = mj_getCache();
  mj_clearCache(cache);
  assert_int_equal(mj_getCacheSize(cache), 0);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "t.obj", TETRA, (int)strlen(TETRA)), 0);
  AstMeshSource source = sourceOf(&vfs, "t.obj");
  const double volume = volumeOf(&source);
  const size_t size = mj_getCacheSize(cache);
  assert_true(size > 0);
  assert_true(volumeOf(&source) == volume);
  assert_int_equal(mj_getCacheSize(cache), size);

  // another scale is another mesh
  source.scale[0] = 2;
  assert_true(volumeOf(&source) > 1.9 * volume);
  assert_true(mj_getCacheSize(cache) > size);
  mj_deleteVFS(&vfs);
}

static void newContentsReplaceTheOld(void** state) {
  (void)state;
  mjCache* const cache = mj_getCache();
  mj_clearCache(cache);
  size_t size = 0;
  for (int k = 1; k <= 3; k++) {
    char text[200];
    const int n =
        snprintf(text, sizeof(text), "v 0 0 0\nv %d 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", k);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    assert_int_equal(mj_addBufferVFS(&vfs, "changing.obj", text, n), 0);
    const AstMeshSource source = sourceOf(&vfs, "changing.obj");
    const double volume = volumeOf(&source);
    assert_true(volume > 0.99 * k / 6 && volume < 1.01 * k / 6);
    if (k > 1) assert_int_equal(mj_getCacheSize(cache), size);
    size = mj_getCacheSize(cache);
    mj_deleteVFS(&vfs);
  }
}

static void capacityIsKept(void** state) {
  (void)state;
  mjCache* const cache = mj_getCache();
  mj_clearCache(cache);
  assert_int_equal(mj_getCacheCapacity(cache), (size_t)500 << 20);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "t.obj", TETRA, (int)strlen(TETRA)), 0);
  AstMeshSource source = sourceOf(&vfs, "t.obj");
  volumeOf(&source);
  const size_t one = mj_getCacheSize(cache);
  assert_int_equal(mj_setCacheCapacity(cache, 3 * one + one / 2), 3 * one + one / 2);
  for (int k = 2; k < 10; k++) {
    source.scale[0] = k;
    volumeOf(&source);
    assert_true(mj_getCacheSize(cache) <= mj_getCacheCapacity(cache));
  }
  assert_int_equal(mj_getCacheSize(cache), 3 * one);

  // nothing fits
  mj_setCacheCapacity(cache, 0);
  assert_int_equal(mj_getCacheSize(cache), 0);
  volumeOf(&source);
  assert_int_equal(mj_getCacheSize(cache), 0);
  mj_setCacheCapacity(cache, (size_t)500 << 20);
  mj_deleteVFS(&vfs);
}

// a provider that raises when it is asked whether a file has changed
static int openTetra(mjResource* resource) {
  strcpy(resource->timestamp, "first");
  return 1;
}
static int readTetra(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = TETRA;
  return (int)strlen(TETRA);
}
static void closeTetra(mjResource* resource) {
  (void)resource;
}
static int raising;
static int raiseModified(const mjResource* resource, const char* timestamp) {
  (void)resource;
  if (raising) mju_error("modified raises");
  return strcmp(timestamp, "first");
}

static void providersMayRaise(void** state) {
  (void)state;
  mj_clearCache(mj_getCache());
  mjpResourceProvider provider = {
      .prefix = "raising", .open = openTetra, .read = readTetra, .close = closeTetra, .modified = raiseModified};
  assert_true(mjp_registerResourceProvider(&provider) > 0);
  const AstMeshSource source = sourceOf(NULL, "raising:t.obj");
  const double volume = volumeOf(&source);

  // the error is the mesh's, nobody waits for a lock, nothing is left open
  raising = 1;
  for (int i = 0; i < 2; i++) {
    AstMesh mesh;
    assert_false(ast_compileMesh(&mesh, &source));
    assert_non_null(strstr(mesh.error, "modified raises"));
    ast_freeMesh(&mesh);
  }
  raising = 0;
  alarm(10);
  assert_true(volumeOf(&source) == volume);
  assert_true(mj_getCacheSize(mj_getCache()) > 0);
  alarm(0);
}

// what a model becomes does not depend on those that were loaded from the same files before
#define LOADED(mesh, geom)                              \
  "<mujoco><asset><mesh name='m' file='dent.obj' " mesh \
  "/></asset><worldbody><body><geom type='mesh' "       \
  "mesh='m' " geom "/><geom size='.1'/></body></worldbody></mujoco>"
static const char DENT[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .2 .2 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";

// the binary of a compiled text; free() it
static void* binaryOf(const char* xml, int* size) {
  mjVFS vfs;
  char error[500] = "";
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mj_addBufferVFS(&vfs, "dent.obj", DENT, (int)strlen(DENT));
  mjModel* const m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  *size = (int)mj_sizeModel(m);
  void* const bytes = calloc(1, (size_t)*size);
  mj_saveModel(m, NULL, bytes, *size);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  return bytes;
}

static void modelsForgetOthers(void** state) {
  (void)state;
  static const char* const ways[] = {
      LOADED("", ""),
      LOADED("", "contype='0' conaffinity='0'"),
      LOADED("refpos='.1 .2 .3'", ""),
      LOADED("refquat='.6 .8 0 0'", ""),
      LOADED("smoothnormal='true'", ""),
      LOADED("inertia='shell'", ""),
      LOADED("inertia='exact'", "contype='0' conaffinity='0'"),
      LOADED("scale='1 -1 2'", ""),
  };
  enum { N = sizeof(ways) / sizeof(ways[0]) };
  int different = 0;
  for (int i = 0; i < N; i++) {
    int size, other;
    mj_clearCache(mj_getCache());
    void* const alone = binaryOf(ways[i], &size);
    for (int k = 0; k < N; k++) {
      mj_clearCache(mj_getCache());
      void *const first = binaryOf(ways[k], &other), *const second = binaryOf(ways[i], &other);
      assert_int_equal(other, size);
      if (memcmp(second, alone, (size_t)size) != 0) fail_msg("%s after %s is another", ways[i], ways[k]);
      free(first);
      free(second);
    }

    // they are different models
    if (i) {
      void* const plain = binaryOf(ways[0], &other);
      different += other != size || memcmp(plain, alone, (size_t)size) != 0;
      free(plain);
    }
    free(alone);
  }
  assert_int_equal(different, N - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(providersMayRaise),        cmocka_unit_test(modelsForgetOthers),
      cmocka_unit_test(secondTimeIsFromTheCache), cmocka_unit_test(newContentsReplaceTheOld),
      cmocka_unit_test(capacityIsKept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
