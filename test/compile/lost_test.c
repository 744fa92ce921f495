// Nothing is lost and nothing is written outside: every model of scenes/ and test/models, and a few with files of their
// own, is loaded, stepped, copied, drawn into a scene, saved and decompiled; then everything is given back.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#include "heap/heap.h"

// blocks beside what the library keeps of what it has loaded
static long countBlocks(void) {
  mj_freeLastXML();
  mj_clearCache(mj_getCache());
  return heap_blocks();
}

static void ignore(const char* message) {
  (void)message;
}

// everything that one model is good for; 0: it does not load
static int use(const char* path, const mjVFS* vfs) {
  static char text[1 << 20];
  char error[1000] = "";
  mjModel* const m = mj_loadXML(path, vfs, error, sizeof(error));
  if (!m) {
    print_error("%s: %s\n", path, error);
    return 0;
  }
  mjData* const d = mj_makeData(m);
  for (int i = 0; i < 2; i++) mj_step(m, d);
  mj_inverse(m, d);
  mjModel* const copy = mj_copyModel(NULL, m);
  mjData* const twin = mj_copyData(NULL, m, d);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_makeScene(m, &scene, 500);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  mj_saveLastXML("/dev/null", m, error, sizeof(error));

  // what was compiled becomes a text again, where that is possible
  mjSpec* const spec = sn_decompile(m, error, sizeof(error));
  if (spec) mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error));

  mj_deleteSpec(spec);
  mjv_freeScene(&scene);
  mj_deleteData(twin);
  mj_deleteData(d);
  mj_deleteModel(copy);
  mj_deleteModel(m);
  return 1;
}

// what the system or a plugin makes once is there after the first time
static void check(const char* path, const mjVFS* vfs) {
  for (int time = 0; time < 2; time++) {
    const long blocks = countBlocks();
    assert_true(use(path, vfs));
    const long lost = countBlocks() - blocks;
    if (!lost) return;
    if (time) fail_msg("%ld blocks are left of %s", lost, path);
  }
}

static int checkFolder(const char* folder) {
  DIR* const dir = opendir(folder);
  assert_non_null(dir);
  int count = 0;
  for (struct dirent* entry = readdir(dir); entry; entry = readdir(dir)) {
    const char* const end = strrchr(entry->d_name, '.');
    if (!end || (strcmp(end, ".xml") != 0 && strcmp(end, ".urdf") != 0)) continue;
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    check(path, NULL);
    count++;
  }
  closedir(dir);
  return count;
}

static void everyModel(void** state) {
  (void)state;
  mju_user_warning = ignore;
  static const char* const folders[] = {"scenes", "scenes/physics", "scenes/contact", "test/models",
                                        "test/models/golden"};
  int count = 0;
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) count += checkFolder(folders[i]);
  mju_user_warning = NULL;
  assert_true(count > 70);
}

#define OBJ                                                                                                            \
  "v 0 0 0\nv .3 0 0\nv 0 .3 0\nv 0 0 .3\nvt 0 0\nvt 1 0\nvt 0 1\nvn 1 0 0\nvn 0 1 0\nvn 0 0 1\nf 1/1/1 3/2/2 2/3/3\n" \
  "f 1/1/1 2/2/2 4/3/3\nf 1/1/1 4/2/2 3/3/3\nf 2/1/1 3/2/2 4/3/3\n"
#define HULL "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .2 .2 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n"

static void everyKindOfFile(void** state) {
  (void)state;
  static const char* const texts[] = {
      // deformables of a file, as surface and as part of a soft body
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='2' mass='1'/></worldbody></mujoco>",
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='2' mass='1' "
      "dof='trilinear'><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",

      // meshes by file, several times, with hull, octree and parts
      "<mujoco><asset><mesh name='a' file='a.obj'/><mesh name='b' file='a.obj' scale='1 1 -2'/>"
      "<mesh name='c' file='b.obj' inertia='shell'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='a'/>"
      "<geom type='mesh' mesh='b'/><geom type='mesh' mesh='c'/><geom type='box' mesh='a'/></body></worldbody></mujoco>",
      "<mujoco xmlns:sinew='urn:sinew'><asset><mesh name='c' file='b.obj' sinew:shape='decomposed'/></asset>"
      "<worldbody><body><freejoint/><geom type='mesh' mesh='c'/></body></worldbody></mujoco>",

      // a skin, a height field, textures of every kind
      "<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='1 1 .5 .1' elevation='0 1 0 1 2 1 0 1 0'/>"
      "<texture name='t' type='cube' builtin='gradient' rgb1='1 0 0' rgb2='0 1 0' width='4' height='4' mark='random'/>"
      "<texture name='s' type='skybox' builtin='checker' width='4' height='24' mark='cross'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/><body name='b'><freejoint/><geom size='.1'/></body></worldbody>"
      "<deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' "
      "vertid='0 1 2' vertweight='1 1 1'/></skin></deformable></mujoco>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "main.xml", texts[i], (int)strlen(texts[i]));
    mj_addBufferVFS(&vfs, "a.obj", OBJ, (int)strlen(OBJ));
    mj_addBufferVFS(&vfs, "b.obj", HULL, (int)strlen(HULL));
    check("main.xml", &vfs);
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
  // what the system allocates when it dates a message for the first time
  tzset();
  const struct CMUnitTest tests[] = {cmocka_unit_test(everyModel), cmocka_unit_test(everyKindOfFile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
