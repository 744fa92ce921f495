// MSH files: all four arrays arrive.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>

static void coordinatesOfTexturesArrive(void** state) {
  (void)state;
  static const int SIZES[4] = {4, 4, 4, 4}, FACES[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  static const float VERTICES[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                     NORMALS[12] = {0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                     COORDINATES[8] = {0.125f, 0.25f, 0.5f, 0.75f, 1, 0, 0.375f, 0.625f};
  unsigned char file[sizeof(SIZES) + sizeof(VERTICES) + sizeof(NORMALS) + sizeof(COORDINATES) + sizeof(FACES)],
      *at = file;
  const struct {
    const void* from;
    size_t size;
  } parts[] = {
      {SIZES,       sizeof(SIZES)      },
      {VERTICES,    sizeof(VERTICES)   },
      {NORMALS,     sizeof(NORMALS)    },
      {COORDINATES, sizeof(COORDINATES)},
      {FACES,       sizeof(FACES)      }
  };
  for (int i = 0; i < 5; i++) {
    memcpy(at, parts[i].from, parts[i].size);
    at += parts[i].size;
  }
  static const char XML[] =
      "<mujoco><asset><mesh name='m' file='m.msh'/></asset><worldbody><geom type='mesh' "
      "mesh='m'/></worldbody></mujoco>";
  mjVFS vfs;
  char error[500] = "";
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.msh", file, (int)sizeof(file));
  mj_addBufferVFS(&vfs, "m.xml", XML, (int)sizeof(XML) - 1);
  mjModel* const m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  assert_int_equal(m->nmeshtexcoord, 4);
  assert_int_equal(m->mesh_texcoordnum[0], 4);
  for (int i = 0; i < 8; i++) assert_true(m->mesh_texcoord[i] == COORDINATES[i]);
  assert_memory_equal(m->mesh_facetexcoord, FACES, sizeof(FACES));
  assert_int_equal(m->mesh_normalnum[0], 4);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coordinatesOfTexturesArrive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
