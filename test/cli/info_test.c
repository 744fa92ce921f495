// `sinew info`: sizes, mass, tree and what is unusual.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>

#include "cli/program.h"

static void jsonAgreesWithTheLibrary(void** state) {
  (void)state;
  const char* const path = source("test/models/sensors.xml");
  char error[500];
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  assert_non_null(m);
  assert_int_equal(RUN("info", path, "--json"), 0);
  assert_true(jsonIsValid(programOut));
  assert_true(jsonNumber(programOut, "bodies") == (double)m->nbody);
  assert_true(jsonNumber(programOut, "sensors") == (double)m->nsensor);
  assert_true(jsonNumber(programOut, "degrees of freedom") == (double)m->nv);
  assert_true(jsonNumber(programOut, "mass") == mj_getTotalmass(m));
  assert_true(jsonNumber(programOut, "model_bytes") == (double)mj_sizeModel(m));
  mj_deleteModel(m);
}

static void treeIsDrawn(void** state) {
  (void)state;
  setenv("LC_ALL", "C", 1);
  assert_int_equal(RUN("info", source("test/models/sensors.xml")), 0);
  unsetenv("LC_ALL");
  // the arm hangs on the torso, the finger on the arm; the target is the last child of the world
  assert_out("\n  world");
  assert_out("\n  |- torso  free root");
  assert_out("\n  |  `- arm  ball ball");
  assert_out("\n  |     `- finger  hinge hinge -30..30 deg");
  assert_out("\n  `- target  free");
  assert_out("energy is on");
}

static void unusualThingsAreNamed(void** state) {
  (void)state;
  writeText("odd.xml",
            "<mujoco><option integrator='RK4' gravity='0 0 -1.6' timestep='0.01' density='1.2'>"
            "<flag limit='disable'/></option><worldbody>"
            "<body name='whale'><freejoint/><geom size='1' contype='0' conaffinity='0'/></body>"
            "<body name='krill'><freejoint/><geom size='.01' contype='0' conaffinity='0'/></body>"
            "</worldbody></mujoco>");
  assert_int_equal(RUN("info", "odd.xml"), 0);
  static const char* const notes[] = {"integrator RK4",      "gravity 0 0 -1.6",  "limit is off",
                                      "a long timestep",     "moves in a medium", "no geom collides",
                                      "'whale' 4.19e+03 kg", "'krill' 0.00419 kg"};
  for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) assert_out(notes[i]);
  assert_int_equal(RUN("info", source("test/models/boxes.xml")), 0);
}

// models of physics that are not the defaults
static void chosenPhysicsIsNamed(void** state) {
  (void)state;
  assert_int_equal(RUN("info", source("scenes/physics/spring_leg.xml")), 0);
  assert_out("actuation of 'knee': series_elastic (k 60, damping 0.3, gear 1)");
  assert_int_equal(RUN("info", source("scenes/physics/grasp.xml")), 0);
  assert_out("contact: xpbd (iterations 50, substeps 2, compliance 1)");
}

static void largeTreesAreCut(void** state) {
  (void)state;
  FILE* const file = fopen("many.xml", "wb");
  assert_non_null(file);
  fputs("<mujoco><worldbody>", file);
  for (int i = 0; i < 200; i++) fprintf(file, "<body name='b%d'><geom size='.1'/></body>", i);
  fputs("</worldbody></mujoco>", file);
  fclose(file);
  assert_int_equal(RUN("info", "many.xml"), 0);
  assert_out("121 more bodies");
  assert_null(strstr(programOut, "b199"));
  assert_int_equal(RUN("info", "many.xml", "--all"), 0);
  assert_out("b199");
}

static void withoutModelTheSceneInside(void** state) {
  (void)state;
  assert_int_equal(RUN("info"), 0);
  assert_out("humanoid.xml");
  assert_int_equal(RUN("info", "a.xml", "b.xml"), 2);
  assert_int_equal(RUN("info", "nope.xml"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jsonAgreesWithTheLibrary), cmocka_unit_test(treeIsDrawn),
      cmocka_unit_test(unusualThingsAreNamed),    cmocka_unit_test(chosenPhysicsIsNamed),
      cmocka_unit_test(largeTreesAreCut),         cmocka_unit_test(withoutModelTheSceneInside),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
