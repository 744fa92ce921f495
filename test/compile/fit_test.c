// Primitives fitted to a mesh: sizes and centre by the bounding box or by the box with the mesh's inertia.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include <mujoco/mujoco.h>

#include "support/model.h"

// a box of half sizes 0.5, 1 and 1.5 around (1, 2, 3) as a mesh; x is the axis of largest inertia, z of the smallest
static mjModel* fit(int aabb, const char* type, double scale) {
  char xml[800];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler fitaabb='%s'/><asset><mesh name='m' vertex='.5 1 1.5 1.5 1 1.5 .5 3 1.5 1.5 3 1.5 "
           ".5 1 4.5 1.5 1 4.5 .5 3 4.5 1.5 3 4.5'/></asset><worldbody><geom type='%s' mesh='m' fitscale='%g'/>"
           "</worldbody></mujoco>",
           aabb ? "true" : "false", type, scale);
  return tst_string(xml);
}

static void sizesFollowTheBox(void** state) {
  (void)state;
  static const struct {
    const char* type;
    int aabb;
    double size[3];
  } expected[] = {
      {"box",       1, {0.5, 1, 1.5}   },
      {"ellipsoid", 1, {0.5, 1, 1.5}   },
      {"sphere",    1, {1.5, 0, 0}     },
      {"cylinder",  1, {1, 1.5, 0}     },
      {"capsule",   1, {1, 0.5, 0}     },
      {"box",       0, {0.5, 1, 1.5}   },
      {"sphere",    0, {1, 0, 0}       },
      {"cylinder",  0, {0.75, 1.5, 0}  },
      {"capsule",   0, {0.75, 1.125, 0}},
  };
  for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
    for (int scale = 1; scale < 3; scale++) {
      mjModel* const m = fit(expected[i].aabb, expected[i].type, scale);
      for (int k = 0; k < 3; k++) {
        assert_true(fabs(m->geom_size[k] - scale * expected[i].size[k]) < 1e-6);
        assert_true(fabs(m->geom_pos[k] - (k + 1)) < 1e-6);
      }
      mj_deleteModel(m);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizesFollowTheBox)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
