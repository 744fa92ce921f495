// Deformables that are made: coordinates of textures, bodies of points, triangles of polygons.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "support/model.h"

static void pointsOfBoxesHaveCoordinates(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><asset><texture name='t' type='2d' builtin='checker' width='4' height='4'/><material name='t' "
      "texture='t'/></asset><worldbody><flexcomp name='soft' type='box' dim='3' count='3 3 3' spacing='.1 .1 .1' "
      "mass='1' radius='.01' material='t'/></worldbody></mujoco>");
  assert_int_equal(m->nflexvert, 27);
  assert_int_equal(m->nflextexcoord, 27);
  assert_true(m->flex_texcoord[0] == 0 && m->flex_texcoord[1] == 0);
  // the first side begins after the centre, row by row
  const float side[8] = {0, 0, 0, 0.5f, 0, 1, 0.5f, 0};
  for (int i = 0; i < 8; i++) assert_true(m->flex_texcoord[2 + i] == side[i]);

  // all four corners of every element; the library may turn an element over, its coordinates stay where they were
  for (int e = 0; e < m->nflexelem; e++) {
    int points = 0, coordinates = 0;
    for (int k = 0; k < 4; k++) {
      points |= 1 << m->flex_elem[4 * e + k];
      coordinates |= 1 << m->flex_elemtexcoord[4 * e + k];
    }
    assert_int_equal(points, coordinates);
  }
  mj_deleteModel(m);
}

// every point that is not pinned has a body of its own; where all are, none of them moves
static void pinnedPointsHaveNoBody(void** state) {
  (void)state;
  static const char* const PINS[] = {"", "<pin id='2'/>", "<pin id='0 3'/>", "<pin id='0'/><pin id='1 3'/>",
                                     "<pin id='0 1 2 3'/>"};
  for (int k = 0; k <= 4; k++) {
    char xml[500];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='2 2 1' spacing='.1 .1 .1' mass='1'>%s"
             "</flexcomp></worldbody></mujoco>",
             PINS[k]);
    mjModel* const m = tst_string(xml);
    assert_int_equal(m->nbody, 1 + 4 - k);
    assert_int_equal(m->flex_rigid[0], k == 4);
    assert_int_equal(m->flex_centered[0], k == 0);
    mj_deleteModel(m);
  }
}

// Polygons of a file are cut in the plane of two axes; where two planes are as good, it is that of x and z. The
// triangles are the reference's.
static void polygonsBetweenPlanes(void** state) {
  (void)state;
  static const char* const FILES[] = {
      "v 3 2 1\nv 2 1 2\nv 0 2 1\nv 1 3 0\nv 2 2 1\nf 1 2 3 4 5\n",
      "v 0 2 1\nv 2 0 3\nv 3 2 1\nv 3 3 0\nv 2 3 0\nv 2 2 1\nf 1 2 3 4 5 6\n",
  };
  static const int NELEM[] =
      {
          3, 4
  },
                   ELEM[][12] = {
                       {1, 2, 3, 1, 3, 4, 0, 1, 4},
                       {1, 2, 3, 3, 4, 5, 5, 0, 1, 1, 3, 5},
                   };
  static const char XML[] =
      "<mujoco><worldbody><flexcomp name='f' type='mesh' file='p.obj' dim='2' mass='1'/></worldbody></mujoco>";
  for (int k = 0; k < 2; k++) {
    mjVFS vfs;
    char error[500] = "";
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "p.obj", FILES[k], (int)strlen(FILES[k]));
    mj_addBufferVFS(&vfs, "m.xml", XML, (int)strlen(XML));
    mjModel* const m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
    if (!m) fail_msg("%s", error);
    assert_int_equal(m->nflexelem, NELEM[k]);
    assert_memory_equal(m->flex_elem, ELEM[k], sizeof(int) * 3 * (size_t)NELEM[k]);
    mj_deleteModel(m);
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pointsOfBoxesHaveCoordinates),
                                     cmocka_unit_test(pinnedPointsHaveNoBody), cmocka_unit_test(polygonsBetweenPlanes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
