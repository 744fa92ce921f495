// `sinew check`: errors with their place, and each kind of advice.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "cli/program.h"

// writes a model whose world holds this, and checks it
static int check(const char* before, const char* world) {
  FILE* const file = fopen("model.xml", "wb");
  assert_non_null(file);
  fprintf(file, "<mujoco>\n%s<worldbody>\n%s\n</worldbody>\n</mujoco>\n", before, world);
  fclose(file);
  return RUN("check", "model.xml");
}

// -------------------------------------------------------------------------------------------- errors

static void caretUnderTheAttribute(void** state) {
  (void)state;
  assert_int_equal(check("", "  <geom name=\"a\"\n        sise=\"1\"/>"), 1);
  assert_out("model.xml:3: error:");
  assert_out("did you mean 'size'?");
  assert_out("     4 |         sise=\"1\"/>\n       |         ^^^^\n");
}

static void caretUnderTheElement(void** state) {
  (void)state;
  assert_int_equal(check("", "  <body name=\"arm\">\n    <joint/>\n  </body>"), 1);
  assert_out("model.xml:3: error: mass and inertia");
  assert_out("     3 |   <body name=\"arm\">\n       |               ^^^\n");
  assert_out("help: a body with joints needs mass");
}

static void caretAtTheColumn(void** state) {
  (void)state;
  assert_int_equal(check("", "  <body>\n"), 1);
  assert_out("mismatched tag");
  assert_out("     5 | </worldbody>\n       |   ^\n");
}

static void caretUnderAMissingFile(void** state) {
  (void)state;
  assert_int_equal(check("<asset><mesh name=\"m\" file=\"none.obj\"/></asset>", "<geom type=\"mesh\" mesh=\"m\"/>"), 1);
  assert_out("<mesh name=\"m\" file=\"none.obj\"/>");
  assert_out("                             ^^^^^^^^\n");
}

static void errorsInIncludedFiles(void** state) {
  (void)state;
  writeText("part.xml", "<mujoco>\n<worldbody>\n  <geom size=\"1\" colour=\"red\"/>\n</worldbody>\n</mujoco>\n");
  assert_int_equal(check("<include file=\"part.xml\"/>", ""), 1);
  assert_out("part.xml:3: error:");
  assert_out("^^^^^^");
}

static void jsonSaysWhere(void** state) {
  (void)state;
  check("", "  <geom sise=\"1\"/>");
  assert_int_equal(RUN("check", "model.xml", source("test/models/boxes.xml"), "--json"), 1);
  assert_true(jsonIsValid(programOut));
  assert_out("\"valid\": false");
  assert_out("\"valid\": true");
  assert_true(jsonNumber(programOut, "line") == 3);
}

static void unreadableFilesAreNotModelErrors(void** state) {
  (void)state;
  assert_int_equal(RUN("check", "missing.xml"), 3);
  assert_out("No such file or directory");
  assert_int_equal(RUN("check"), 2);
}

// -------------------------------------------------------------------------------------------- advice

static void goodModelsGetNone(void** state) {
  (void)state;
  assert_int_equal(RUN("check", source("test/models/pendulum.xml"), "--strict"), 0);
  assert_out("no errors, 0 pieces of advice");
}

static void unusedAssets(void** state) {
  (void)state;
  const char* const assets =
      "<asset>\n<material name=\"used\"/>\n<material name=\"idle\"/>\n"
      "<texture name=\"sky\" type=\"skybox\" builtin=\"flat\" width=\"8\" height=\"8\"/>\n</asset>\n";
  const char* const world = "<geom size=\"1\" material=\"used\"/>";
  assert_int_equal(check(assets, world), 0);
  assert_out("model.xml:4: advice: material 'idle' is not used [unused]");
  assert_out("1 piece of advice");
  assert_int_equal(RUN("check", "model.xml", "--strict"), 1);
}

static void stiffConstraints(void** state) {
  (void)state;
  assert_int_equal(check("",
                         "<geom name=\"soft\" size=\"1\"/><geom name=\"hard\" size=\"1\" solref=\"0.003 1\"/>"
                         "<geom name=\"direct\" size=\"1\" solref=\"-1e6 -10\"/>"),
                   0);
  assert_out("geom 'hard': solref 0.003");
  assert_out("geom 'direct': stiffness 1e+06");
  assert_null(strstr(programOut, "'soft'"));
}

static void hullsOfHollowMeshes(void** state) {
  (void)state;
  // an L: 3 of the 4 cells of a square, whose hull has 3.5
  const char* const ell =
      "<asset><mesh name=\"ell\" vertex=\"0 0 0  2 0 0  2 1 0  1 1 0  1 2 0  0 2 0  0 0 1  2 0 1  2 1 1  1 1 1  1 2 1  "
      "0 2 1\" "
      "face=\"0 2 1 0 3 2 0 4 3 0 5 4  6 7 8 6 8 9 6 9 10 6 10 11  0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 "
      "4 5 11 4 11 10 5 0 6 5 6 11\"/></asset>\n";
  assert_int_equal(check(ell, "<geom type=\"mesh\" mesh=\"ell\"/>"), 0);
  assert_out("mesh 'ell' is not convex");
  assert_out("1.2 times as large");
  assert_int_equal(check(ell, "<geom type=\"mesh\" mesh=\"ell\" contype=\"0\" conaffinity=\"0\"/>"), 0);
  assert_null(strstr(programOut, "not convex"));
}

static void massCountedTwice(void** state) {
  (void)state;
  assert_int_equal(
      check(
          "",
          "<body name=\"link\"><joint/><geom size=\".1\"/><geom size=\".1\" contype=\"0\" conaffinity=\"0\"/></body>"),
      0);
  assert_out("body 'link' has no <inertial> and gets mass from 1 geoms that collide and 1 that do not");
  assert_int_equal(
      check(
          "",
          "<body><joint/><geom size=\".1\"/><geom size=\".1\" contype=\"0\" conaffinity=\"0\" density=\"0\"/></body>"),
      0);
  assert_null(strstr(programOut, "inertial"));
}

static void tinyInertia(void** state) {
  (void)state;
  assert_int_equal(check("",
                         "<body name=\"speck\"><joint/><inertial pos=\"0 0 0\" mass=\"1e-6\" diaginertia=\"1e-12 1e-12 "
                         "1e-12\"/></body>"),
                   0);
  assert_out("body 'speck' has a very small inertia");
}

static void rangesWithoutEffect(void** state) {
  (void)state;
  assert_int_equal(
      check("", "<body><joint name=\"free_range\" range=\"-1 1\" limited=\"false\"/><geom size=\".1\"/></body>"), 0);
  assert_out("joint 'free_range' has a range but is not limited");
}

static void keyframesOutOfRange(void** state) {
  (void)state;
  assert_int_equal(check("<keyframe><key name=\"far\" qpos=\"3\"/></keyframe>\n",
                         "<body><joint name=\"j\" range=\"-1 1\" limited=\"true\"/><geom size=\".1\"/></body>"),
                   0);
  assert_out("keyframe 'far' has joint 'j' at 3");
}

static void overlapsAtTheStart(void** state) {
  (void)state;
  assert_int_equal(check("",
                         "<geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"
                         "<body pos=\"0 0 .05\"><freejoint/><geom name=\"sunk\" size=\".1\"/></body>"),
                   0);
  assert_out("geoms 'floor' and 'sunk' begin 0.05 m inside each other");
}

static void explosions(void** state) {
  (void)state;
  assert_int_equal(
      check("",
            "<body><joint name=\"fuse\" axis=\"1 0 0\" stiffness=\"-1e7\"/><geom size=\".1\" pos=\"0 .1 0\"/></body>"),
      0);
  assert_out("becomes unstable after");
  assert_out("joint 'fuse'");
}

// a timestep that is too long, in text and in a binary file; entries that choose nothing; xpbd without margins
static void choicesOfPhysics(void** state) {
  (void)state;
  const char* const jelly =
      "<body name=\"base\"><flexcomp name=\"jelly\" type=\"grid\" dim=\"3\" count=\"3 3 3\" spacing=\".1 .1 .1\" "
      "radius=\".001\" mass=\".1\" sinew:elasticity=\"neo_hookean\"><contact selfcollide=\"none\"/>"
      "<elasticity young=\"1e6\"/></flexcomp></body>";
  assert_int_equal(check("", jelly), 0);
  assert_out("elasticity model 'neo_hookean' of flex 'jelly', line 3, is too stiff for a timestep of 0.002");
  assert_out("[compiler]");
  assert_int_equal(RUN("convert", "model.xml", "model.mjb"), 0);
  assert_int_equal(RUN("check", "model.mjb"), 0);
  assert_out(
      "elasticity model 'neo_hookean' of 'jelly' is too stiff for a timestep of 0.002: the largest stable one is");
  assert_out("[physics]");
  assert_int_equal(check("<option integrator=\"implicitfast\"/>", jelly), 0);
  assert_out("0 pieces of advice");

  const char* const box = "<body><freejoint/><geom size=\".1\"/></body>";
  assert_int_equal(check("<option sinew:contact=\"xpbd\"/>", box), 0);
  assert_out("no geom has one: give those that rest on others a margin");
  assert_int_equal(check("<option sinew:contact=\"xpbd\"/><default><geom margin=\".002\"/></default>", box), 0);
  assert_out("0 pieces of advice");
  assert_int_equal(check("<custom>\n<text name=\"sinew:bending:cloth\" data=\"bridson\"/>\n"
                         "<numeric name=\"sinew:contact\" data=\"1 2 3\"/>\n<text name=\"other\" data=\"x\"/></custom>",
                         box),
                   0);
  assert_out("model.xml:3: advice: the custom text 'sinew:bending:cloth' is reserved");
  assert_out("model.xml:4: advice: the custom numeric 'sinew:contact' has parameters, but no custom text");
  assert_out("2 pieces of advice");
}

// what the compiler keeps of choices of contact is no advice
static void choicesOfContact(void** state) {
  (void)state;
  assert_int_equal(
      check("<default><pair sinew:stick=\"2\"/></default><asset><mesh name=\"m\" sinew:shape=\"exact\" "
            "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 2 1 0 1 3 0 3 2 1 2 3\"/></asset>",
            "<geom name=\"a\" type=\"mesh\" mesh=\"m\" sinew:stick=\"1\" sinew:contacts=\"5\"/>"
            "<body pos=\"0 0 3\" sinew:continuous=\"true\"><freejoint/><geom name=\"b\" size=\"1\"/></body></worldbody>"
            "<contact><pair geom1=\"a\" geom2=\"b\"/></contact><worldbody>"),
      0);
  assert_out("0 pieces of advice");
}

static void manyOfAKindAreCut(void** state) {
  (void)state;
  char world[4096] = "";
  for (int i = 0; i < 20; i++) strcat(world, "<geom size=\"1\" solref=\"0.001 1\"/>");
  assert_int_equal(check("", world), 0);
  assert_out("20 pieces of advice, 17 not shown");
  assert_int_equal(RUN("check", "model.xml", "--all"), 0);
  assert_null(strstr(programOut, "not shown"));
  assert_int_equal(RUN("check", "model.xml", "--quiet"), 0);
  assert_null(strstr(programOut, "solref"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(caretUnderTheAttribute),
      cmocka_unit_test(caretUnderTheElement),
      cmocka_unit_test(caretAtTheColumn),
      cmocka_unit_test(caretUnderAMissingFile),
      cmocka_unit_test(errorsInIncludedFiles),
      cmocka_unit_test(jsonSaysWhere),
      cmocka_unit_test(unreadableFilesAreNotModelErrors),
      cmocka_unit_test(goodModelsGetNone),
      cmocka_unit_test(unusedAssets),
      cmocka_unit_test(stiffConstraints),
      cmocka_unit_test(hullsOfHollowMeshes),
      cmocka_unit_test(massCountedTwice),
      cmocka_unit_test(tinyInertia),
      cmocka_unit_test(rangesWithoutEffect),
      cmocka_unit_test(keyframesOutOfRange),
      cmocka_unit_test(overlapsAtTheStart),
      cmocka_unit_test(explosions),
      cmocka_unit_test(choicesOfPhysics),
      cmocka_unit_test(choicesOfContact),
      cmocka_unit_test(manyOfAKindAreCut),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
