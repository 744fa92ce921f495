// Geoms that users and plugins add to a scene: sizes by shape, defaults, connectors between two points.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/oracle.h"

// an untouched byte stays as it was
static mjvGeom blank(void) {
  mjvGeom geom;
  memset(&geom, 0x5A, sizeof(geom));
  return geom;
}

static void sizesFollowTheShape(void** state) {
  (void)state;
  static const struct {
    int type;
    float size[3];
  } cases[] = {
      {mjGEOM_SPHERE,   {2, 2, 2}},
      {mjGEOM_CAPSULE,  {2, 2, 3}},
      {mjGEOM_CYLINDER, {2, 2, 3}},
      {mjGEOM_BOX,      {2, 3, 5}},
      {mjGEOM_ARROW,    {2, 3, 5}},
  };
  const mjtNum size[3] = {2, 3, 5};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjvGeom geom = blank();
    mjv_initGeom(&geom, cases[i].type, size, NULL, NULL, NULL);
    assert_int_equal(geom.type, cases[i].type);
    assert_memory_equal(geom.size, cases[i].size, sizeof(geom.size));
    assert_int_equal(geom.dataid, -1);
    assert_int_equal(geom.objid, 0x5A5A5A5A);
  }
}

static void connectorsReach(void** state) {
  (void)state;
  const mjtNum from[3] = {1, 2, 3}, to[3] = {1, 6, 0};
  static const int types[] = {mjGEOM_CAPSULE, mjGEOM_CYLINDER, mjGEOM_ARROW, mjGEOM_ARROW1, mjGEOM_ARROW2, mjGEOM_LINE};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    mjvGeom geom = blank();
    mjv_connector(&geom, types[i], 0.25, from, to);

    // its ends lie on its z axis, about its middle or from its start
    const float start = i < 2 ? -geom.size[2] : 0;
    for (int k = 0; k < 3; k++) {
      assert_true(fabs(geom.pos[k] + start * geom.mat[3 * k + 2] - from[k]) < 1e-6);
      assert_true(fabs(geom.pos[k] + geom.size[2] * geom.mat[3 * k + 2] - to[k]) < 1e-6);
    }
    assert_true(geom.size[0] == 0.25f && geom.size[1] == 0.25f);
  }
  mjvGeom geom = blank();
  assert_string_equal(CATCH(mjv_connector(&geom, mjGEOM_BOX, 1, from, to)),
                      "mjv_connector: invalid geom type 6 for connector");
}

static void agreesWithReference(void** state) {
  (void)state;
  const mjtNum size[3] = {1, 2, 3}, pos[3] = {4, 5, 6}, mat[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const float rgba[4] = {0.1f, 0.2f, 0.3f, 0.4f};
  for (int type = 0; type <= mjGEOM_TRIANGLE; type++) {
    for (int given = 0; given < 2; given++) {
      mjvGeom ours = blank(), theirs = blank();
      const mjtNum *s = given ? size : NULL, *p = given ? pos : NULL, *r = given ? mat : NULL;
      mjv_initGeom(&ours, type, s, p, r, given ? rgba : NULL);
      ORC(mjv_initGeom)(&theirs, type, s, p, r, given ? rgba : NULL);
      assert_memory_equal(&ours, &theirs, sizeof(ours));
    }
  }
  for (int type = mjGEOM_ARROW; type <= mjGEOM_LINE; type++) {
    mjvGeom ours = blank(), theirs = blank();
    mjv_connector(&ours, type, 0.5, size, pos);
    ORC(mjv_connector)(&theirs, type, 0.5, size, pos);
    for (int i = 0; i < 9; i++) assert_true(fabsf(ours.mat[i] - theirs.mat[i]) < 1e-6f);
    memcpy(ours.mat, theirs.mat, sizeof(ours.mat));
    assert_memory_equal(&ours, &theirs, sizeof(ours));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizesFollowTheShape),
      cmocka_unit_test(connectorsReach),
      cmocka_unit_test(agreesWithReference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
