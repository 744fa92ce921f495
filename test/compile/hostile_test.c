// Models made to break things: indices outside of files, sizes that overflow, files without end. Each ends in an error
// that says what is wrong, soon and without taking much memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <cmocka.h>

#include "compile/same.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facesWithoutVertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
