// Models made to break things: indices outside of files, sizes that overflow, files without end. Each ends in an error
// that says what is wrong, soon and without taking much memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "compile/same.h"
#include "support/catch.h"

// the error of a model whose files are in a VFS, "" when it loads
static const char* errorWith(const char* xml, const char* name, const char* content) {
  static char error[1000];
  error[0] = 0;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, name, content, (int)strlen(content));
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* const m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  if (m) error[0] = 0;
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  return error;
}

// -------------------------------------------------------------------------------------------- indices

// faces of an OBJ file name vertices that it does not have
static void facesWithoutVertices(void** state) {
  (void)state;
  static const char* const faces[] = {"f 1 2 99999999", "f 1 2 -9", "f 1 2 5", "f 1 2 2147483647",
                                      "f 1 2 3 4 -2147483648"};
  static const char* const flexes[] = {
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='2' mass='1'/></worldbody></mujoco>",
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj' dim='3' mass='1' origin='.1 .1 .1'/></worldbody>"
      "</mujoco>"};
  const char* const mesh =
      "<mujoco><asset><mesh name='m' file='a.obj'/></asset><worldbody><geom type='mesh' "
      "mesh='m'/></worldbody></mujoco>";
  for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); i++) {
    char obj[200];
    snprintf(obj, sizeof(obj), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n%s\n", faces[i]);
    for (int k = 0; k < 2; k++) {
      const char* const error = errorWith(flexes[k], "a.obj", obj);
      assert_true(strstr(error, "has point id") || strstr(error, "could not parse OBJ"));
    }
    const char* const error = errorWith(mesh, "a.obj", obj);
    assert_true(strstr(error, "does not exist") || strstr(error, "could not parse OBJ"));
  }
  const char* const error = errorWith(flexes[0], "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 5\n");
  assert_non_null(strstr(error, "element 5 has point id 4, number of points is 4"));
}

// -------------------------------------------------------------------------------------------- sizes

// a model is refused with a message, and with at most 100 MB of memory
static void refusedSoon(const char* xml, const char* message) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  assert_non_null(strstr(errorOf(xml), message));
#else
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {1 << 29, 1 << 29};
    if (setrlimit(RLIMIT_AS, &limit)) _exit(1);
    if (!strstr(errorOf(xml), message)) _exit(2);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    _exit(usage.ru_maxrss < 100 << 10 ? 0 : 3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
#endif
}

static void sizesThatOverflow(void** state) {
  (void)state;
  refusedSoon("<mujoco><size nkey='2147483647'/></mujoco>", "keyframes");
#define CAMERA(size, sensors) \
  "<mujoco><worldbody><camera name='c' resolution='" size "'/></worldbody><sensor>" sensors "</sensor></mujoco>"
  refusedSoon(CAMERA("65536 65536", "<rangefinder camera='c'/>"), "too many");
  refusedSoon(CAMERA("65536 32768", "<rangefinder camera='c'/>"), "too many");
  refusedSoon(CAMERA("46341 46341", "<rangefinder camera='c'/>"), "too many");
  refusedSoon(CAMERA("30000 30000", "<rangefinder camera='c'/><rangefinder camera='c'/><rangefinder camera='c'/>"),
              "too many");

  // the same asked of the spec
  char error[100];
  mjSpec* const spec =
      mj_parseXMLString(CAMERA("65536 65536", "<rangefinder camera='c'/>"), NULL, error, sizeof(error));
  const mjsSensor* const sensor = mjs_asSensor(mjs_firstElement(spec, mjOBJ_SENSOR));
  assert_int_equal(mjs_sensorDim(sensor), INT32_MAX);
  mj_deleteSpec(spec);

  // a keyframe more than there are stays possible
  mjModel* const m = compileText("<mujoco><size nkey='3'/><keyframe><key time='2'/></keyframe></mujoco>");
  assert_int_equal(m->nkey, 3);
  mj_deleteModel(m);
}

// -------------------------------------------------------------------------------------------- files

static void filesWithoutEnd(void** state) {
  (void)state;
  refusedSoon("<mujoco><include file='/dev/zero'/></mujoco>", "/dev/zero");
  refusedSoon("<mujoco><asset><mesh name='m' file='/dev/zero' content_type='model/obj'/></asset></mujoco>",
              "/dev/zero");
  refusedSoon("<mujoco><asset><texture name='t' type='2d' file='/dev/zero' content_type='image/png'/></asset></mujoco>",
              "/dev/zero");
}

// -------------------------------------------------------------------------------------------- arguments

static void geomsThatDoNotExist(void** state) {
  (void)state;
  mjModel* const m = compileText("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  mjData* const d = mj_makeData(m);
  mj_forward(m, d);
  mjtNum fromto[6];
  static const int bad[][2] = {
      {-1, 0 },
      {0,  1 },
      {0,  -5},
      {99, 0 }
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    assert_non_null(strstr(CATCH(mj_geomDistance(m, d, bad[i][0], bad[i][1], 1, fromto)), "invalid geom"));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// tuples that a program left with fewer types and numbers than names are written as far as they go
static void tuplesThatAreShort(void** state) {
  (void)state;
  static char text[1 << 16];
  char error[500] = "";
  mjSpec* const spec = mj_parseXMLString(
      "<mujoco><worldbody><body name='b'/></worldbody><custom><tuple name='t'>"
      "<element objtype='body' objname='b' prm='2'/></tuple></custom></mujoco>",
      NULL, error, sizeof(error));
  mj_deleteModel(mj_compile(spec, NULL));
  mjsTuple* const tuple = mjs_asTuple(mjs_firstElement(spec, mjOBJ_TUPLE));
  for (int i = 0; i < 200; i++) mjs_appendString(tuple->objname, "b");
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  const char* const first = strstr(text, "prm=");
  assert_non_null(first);
  assert_null(strstr(first + 1, "prm="));
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facesWithoutVertices), cmocka_unit_test(sizesThatOverflow),  cmocka_unit_test(filesWithoutEnd),
      cmocka_unit_test(geomsThatDoNotExist),  cmocka_unit_test(tuplesThatAreShort),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
