// What is right in a stored model is accepted when it is read: rare kinds of it. What is wrong is called by its name.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "support/model.h"

// writes a model and reads it again
static void comesBack(const mjModel* m) {
  const int size = (int)mj_sizeModel(m);
  void* const bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "m.mjb", bytes, size), 0);
  mjModel* const back = mj_loadModel("m.mjb", &vfs);
  assert_non_null(back);
  assert_int_equal(back->nbuffer, m->nbuffer);
  mj_deleteModel(back);
  mj_deleteVFS(&vfs);
  free(bytes);
}

static void texturesOfOneChannelComeBack(void** state) {
  (void)state;
  mjModel* const m =
      tst_string("<mujoco><asset><texture name='t' type='2d' builtin='flat' width='4' height='4'/></asset></mujoco>");
  for (int channels = 1; channels <= 3; channels++) {
    m->tex_nchannel[0] = channels;
    comesBack(m);
  }
  mj_deleteModel(m);
}

// a sensor of the user may be attached to anything; a contact sensor to any pair
static void sensorsOfAnythingComeBack(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><worldbody><site name='s'/><body name='b'><freejoint/><geom name='g' size='.1'/></body></worldbody>"
      "<sensor><user objtype='body' objname='b' dim='2'/><user objtype='site' objname='s' dim='1'/><user dim='3'/>"
      "<contact geom1='g'/><contact body1='b'/><contact site='s'/><clock/></sensor></mujoco>");
  comesBack(m);
  mj_deleteModel(m);
}

// a sensor of no object does not look at what it says about one
static void sensorsOfNothingComeBack(void** state) {
  (void)state;
  mjModel* const m = tst_string("<mujoco><sensor><clock/><e_potential/><e_kinetic/></sensor></mujoco>");
  for (int i = 0; i < m->nsensor; i++) {
    m->sensor_objtype[i] = mjOBJ_BODY;
    m->sensor_objid[i] = 0;
  }
  comesBack(m);
  mj_deleteModel(m);
}

// what the library says to a model that it does not take
static char said[1000];

static void hear(const char* text) {
  snprintf(said, sizeof(said), "%s", text);
}

static const struct {
  const char* name;
  size_t array;
} SPANS[] = {
#define SPAN(name) \
  { #name, offsetof(mjModel, name) }
    SPAN(body_jntadr),  SPAN(body_dofadr),      SPAN(body_geomadr),    SPAN(body_bvhadr),  SPAN(tree_bodyadr),
    SPAN(tree_dofadr),  SPAN(mesh_vertadr),     SPAN(mesh_normaladr),  SPAN(mesh_faceadr), SPAN(mesh_bvhadr),
    SPAN(mesh_polyadr), SPAN(mesh_polyvertadr), SPAN(mesh_polymapadr), SPAN(skin_vertadr), SPAN(skin_faceadr),
    SPAN(skin_boneadr), SPAN(skin_bonevertadr), SPAN(numeric_adr),     SPAN(text_adr),     SPAN(tuple_adr),
    SPAN(sensor_adr),
#undef SPAN
};

// an address outside is reported under the name of its array, whatever follows from it elsewhere
static void spansAreNamed(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
      "<skin name='k' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' "
      "vertid='0 1 2' vertweight='1 1 1'/></skin></asset><worldbody><body name='b'><freejoint/>"
      "<geom type='mesh' mesh='m'/></body></worldbody><custom><numeric name='n' data='1 2'/><text name='t' data='x'/>"
      "<tuple name='u'><element objtype='body' objname='b'/></tuple></custom><sensor><clock/></sensor></mujoco>");
  void (*const before)(const char*) = mju_user_warning;
  mju_user_warning = hear;
  for (size_t i = 0; i < sizeof(SPANS) / sizeof(SPANS[0]); i++) {
    int* const value = *(int**)(void*)((char*)m + SPANS[i].array);
    const int good = *value;
    *value = 1 << 20;
    const int size = (int)mj_sizeModel(m);
    void* const bytes = malloc((size_t)size);
    mj_saveModel(m, NULL, bytes, size);
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    assert_int_equal(mj_addBufferVFS(&vfs, "m.mjb", bytes, size), 0);
    said[0] = 0;
    assert_null(mj_loadModel("m.mjb", &vfs));
    char expected[100];
    snprintf(expected, sizeof(expected), "%s[0] is 1048576", SPANS[i].name);
    if (!strstr(said, expected)) fail_msg("%s: %s", SPANS[i].name, said);
    mj_deleteVFS(&vfs);
    free(bytes);
    *value = good;
  }
  mju_user_warning = before;
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texturesOfOneChannelComeBack),
                                     cmocka_unit_test(sensorsOfAnythingComeBack),
                                     cmocka_unit_test(sensorsOfNothingComeBack), cmocka_unit_test(spansAreNamed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
