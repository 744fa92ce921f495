// Load, save, load: the saved text compiles to the same model, byte for byte.
#include <glob.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sinew/sinew.h>

#include <mujoco/mujoco.h>

#include "support/model.h"
#include "support/plugin.h"

enum { ROOM = 1 << 20 };

// the binary form of a compiled spec; free() it
static unsigned char* compiled(mjSpec* s, int* size) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  *size = (int)mj_sizeModel(m);
  unsigned char* bytes = malloc((size_t)*size);
  mj_saveModel(m, NULL, bytes, *size);
  mj_deleteModel(m);
  return bytes;
}

static void checkRoundTrip(const char* name, mjSpec* first) {
  char* text = malloc(ROOM);
  char error[1000] = "";
  int size1, size2;
  unsigned char* before = compiled(first, &size1);
  if (mj_saveXMLString(first, text, ROOM, error, sizeof(error))) fail_msg("%s: %s", name, error);
  mjSpec* second = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!second) fail_msg("%s: saved text does not load: %s\n%s", name, error, text);
  unsigned char* after = compiled(second, &size2);
  if (size1 != size2 || memcmp(before, after, (size_t)size1)) fail_msg("%s: the saved model differs\n%s", name, text);

  // saving is idempotent
  char* again = malloc(ROOM);
  assert_int_equal(mj_saveXMLString(second, again, ROOM, error, sizeof(error)), 0);
  assert_string_equal(text, again);
  free(again);
  free(after);
  free(before);
  free(text);
  mj_deleteSpec(second);
  mj_deleteSpec(first);
}

static void testModels(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    char path[200], error[1000] = "";
    snprintf(path, sizeof(path), "test/models/%s.xml", tst_models[i]);
    mjSpec* s = mj_parseXML(path, NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    checkRoundTrip(tst_models[i], s);
  }
}

// models that are dense in features
static void testDenseModels(void** state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("test/models/golden/*.xml", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char error[1000] = "";
    mjSpec* s = mj_parseXML(found.gl_pathv[i], NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    checkRoundTrip(found.gl_pathv[i], s);
  }
  globfree(&found);
}

// frames, nested classes, replicated and attached bodies, free joints with and without class values
static void structures(void** state) {
  (void)state;
  static const char* models[] = {
      "<mujoco><compiler angle='radian' eulerseq='zyx'/><default><geom rgba='1 0 0 1'/><default class='c'><joint "
      "armature='.1' range='-1 1'/>"
      "<default class='d'><joint damping='.2'/></default></default></default><worldbody><frame pos='1 0 0' euler='.1 "
      ".2 .3'>"
      "<body name='a' childclass='c'><joint class='d'/><geom size='.1'/><frame quat='0 1 0 0'><geom "
      "size='.2'/></frame><geom size='.3'/>"
      "</body></frame><geom size='1' pos='0 0 9'/><body name='b' pos='0 3 0'><joint type='free' armature='.5'/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>",
      "<mujoco><worldbody><replicate count='3' offset='1 0 0' euler='0 0 10'><body name='r' pos='0 1 0'><joint "
      "name='j'/><geom size='.1'/>"
      "<site name='s'/></body></replicate></worldbody><actuator><motor name='m' joint='j'/></actuator><sensor><gyro "
      "name='g' site='s'/>"
      "</sensor></mujoco>",
      "<mujoco><option timestep='.003' gravity='0 0 -1'><flag contact='disable' energy='enable'/></option><size "
      "nkey='2'/><visual><map "
      "znear='.1'/></visual><statistic extent='3'/><worldbody><body name='x' mocap='true' pos='0 0 1'><geom size='.1' "
      "mass='0'/></body><body "
      "name='y' gravcomp='.5'><freejoint align='true'/><inertial pos='0 0 .1' mass='2' fullinertia='1 2 2.5 .1 0 "
      "0'/><geom size='.1'/></body>"
      "</worldbody><equality><weld body1='x' body2='y' relpose='0 0 0 1 0 0 0'/></equality><keyframe><key name='k' "
      "time='1' qpos='1 2 3 1 0 0 "
      "0'/></keyframe><custom><numeric name='n' data='1 2 3'/><text name='t' data='a &lt; b'/></custom></mujoco>",
      "<mujoco><default><default class='c'><position kp='3' inheritrange='1'/></default></default><worldbody><body>"
      "<joint name='j' type='slide' range='1 2'/><geom size='.1'/></body></worldbody>"
      "<actuator><position class='c' joint='j'/></actuator></mujoco>",
  };
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    char error[1000] = "", name[20];
    snprintf(name, sizeof(name), "structure %zu", i);
    mjSpec* s = mj_parseXMLString(models[i], NULL, error, sizeof(error));
    if (!s) fail_msg("%s: %s", name, error);
    checkRoundTrip(name, s);
  }
}

// the text itself: radians, poses in the body, frames for their names alone, only what differs from the class
static void plainTerms(void** state) {
  (void)state;
  static const char model[] =
      "<mujoco><compiler eulerseq='zyx'/><default><joint damping='1'/><default class='c'><geom friction='.5' "
      "rgba='1 0 0 1'/></default></default><worldbody><body name='a' pos='0 0 1' euler='0 0 90'><joint name='j' "
      "range='-90 180'/><geom class='c' fromto='0 0 0 0 0 2' size='.1' type='capsule'/><frame name='f' pos='1 0 0'>"
      "<site name='s' pos='0 1 0' user='1 2'/></frame></body></worldbody><actuator><position joint='j' kp='3'/>"
      "</actuator></mujoco>";
  static const char expected[] =
      "<mujoco model=\"MuJoCo Model\">\n"
      "  <compiler angle=\"radian\"/>\n\n"
      "  <size nuser_site=\"2\"/>\n\n"
      "  <default>\n"
      "    <joint damping=\"1\"/>\n"
      "    <default class=\"c\">\n"
      "      <geom friction=\"0.5\" rgba=\"1 0 0 1\"/>\n"
      "    </default>\n"
      "  </default>\n\n"
      "  <worldbody>\n"
      "    <body name=\"a\" pos=\"0 0 1\" quat=\"0.7071067811865476 0.7071067811865475 0 0\">\n"
      "      <joint name=\"j\" pos=\"0 0 0\" axis=\"0 0 1\" range=\"-1.5707963267948966 3.141592653589793\"/>\n"
      "      <geom class=\"c\" size=\"0.1 1\" pos=\"0 0 1\" quat=\"6.123233995736766e-17 1 0 0\" type=\"capsule\"/>\n"
      "      <frame name=\"f\">\n"
      "        <site name=\"s\" pos=\"1 1 0\" user=\"1 2\"/>\n"
      "      </frame>\n"
      "    </body>\n"
      "  </worldbody>\n\n"
      "  <actuator>\n"
      "    <general joint=\"j\" biastype=\"affine\" gainprm=\"3\" biasprm=\"0 -3\"/>\n"
      "  </actuator>\n"
      "</mujoco>\n";
  char text[4000], error[1000] = "";
  mjSpec* s = mj_parseXMLString(model, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mj_deleteModel(mj_compile(s, NULL));
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  assert_string_equal(text, expected);
  mj_deleteSpec(s);
}

// a sensor whose reference is of no known type has none, here as in the reference
static void unknownReference(void** state) {
  (void)state;
  static const char model[] =
      "<mujoco><worldbody><body name='a'><joint/><geom name='g' size='.1'/></body></worldbody><sensor><framepos "
      "objtype='geom' objname='g' reftype='budy' refname='a'/></sensor></mujoco>";
  char text[2000], error[1000] = "";
  mjSpec* s = mj_parseXMLString(model, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mj_deleteModel(mj_compile(s, NULL));
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "<framepos objtype=\"geom\" objname=\"g\"/>"));
  mj_deleteSpec(s);
}

// only what was compiled is written; a buffer that is too short is told how much is needed
static void shortBuffer(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  char text[10], error[200] = "";
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), -1);
  assert_non_null(strstr(error, "Only compiled model can be written"));
  mj_deleteModel(mj_compile(s, NULL));
  assert_true(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)) > (int)sizeof(text));
  assert_non_null(strstr(error, "too short"));
  mj_deleteSpec(s);
}

// a list of textures that is longer than there are roles
static void tooManyTextures(void** state) {
  (void)state;
  char text[2000], error[500] = "";
  mjSpec* s = mj_makeSpec();
  mjsTexture* const texture = mjs_addTexture(s);
  mjs_setName(texture->element, "t");
  texture->builtin = mjBUILTIN_FLAT;
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 2;
  mjsMaterial* const material = mjs_addMaterial(s, NULL);
  mjs_setName(material->element, "m");
  while (!mjs_setInStringVec(material->textures, 2 * mjNTEXROLE, "t")) mjs_appendString(material->textures, "");
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "t");
  mjModel* const m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  mj_deleteModel(m);
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "<material name=\"m\" texture=\"t\"/>"));
  mj_deleteSpec(s);
}

// the text of a compiled model
static void saveText(const char* model, char text[ROOM]) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(model, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  if (mj_saveXMLString(s, text, ROOM, error, sizeof(error))) fail_msg("%s", error);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// all digits that it takes to read a number back; with six, as the reference's, whole numbers stay in full
static void digits(void** state) {
  (void)state;
  static const char model[] =
      "<mujoco><worldbody><body><joint damping='10' stiffness='123456.789' armature='1e-5' frictionloss='1234567'/>"
      "<geom size='500 .1' type='capsule' rgba='.1 .2 .3 .123456789'/></body></worldbody></mujoco>";
  static char text[ROOM];
  saveText(model, text);
  assert_non_null(strstr(text, "stiffness=\"123456.789\" armature=\"1e-05\" damping=\"10\""));
  assert_non_null(strstr(text, "rgba=\"0.1 0.2 0.3 0.12345679\""));
  assert_int_equal(sn_saveDigits(6), 17);
  saveText(model, text);
  assert_non_null(strstr(text, "stiffness=\"123457\" armature=\"1e-05\" damping=\"10\" frictionloss=\"1234567\""));
  assert_non_null(strstr(text, "size=\"500 0.1\""));
  assert_non_null(strstr(text, "rgba=\"0.1 0.2 0.3 0.123457\""));
  assert_int_equal(sn_saveDigits(17), 6);
}

// what is said once is not said again, and what a model wants to be saved is
static void whatIsWritten(void** state) {
  (void)state;
  static const char model[] = "<!-- of the file --><mujoco>%s<worldbody><body name='b'>%s</body></worldbody></mujoco>";
  static const char box[] = "<geom type='box' size='.1 .1 .1' density='250'/>";
  static const char slide[] = "<joint name='j' type='slide' range='1 2'/><geom size='1'/>";
  static const char heavy[] = "<inertial pos='0 0 1' mass='5'/>";
  static const char both[] = "<inertial pos='0 0 1' mass='5'/><geom size='1'/>";
  static const struct {
    const char *before, *inside, *there, *absent;
  } cases[] = {
      {"",                                               "<geom size='1' mass='3' density='7'/>", "mass=\"3\"",        "density"     },
      {"<compiler saveinertial='true'/>",                box,                                     "<inertial",         "fullinertia" },
      {"<compiler inertiafromgeom='true'/>",             both,                                    "<geom",             "<inertial"   },
      {"<compiler inertiafromgeom='true'/>",             heavy,                                   "<inertial",         "<geom"       },
      {"<size memory=' 1023 '/>",                        box,                                     "memory=\"1023\"",   "memory=\" "  },
      {"<default><joint springdamper='2 1'/></default>", slide,                                   " stiffness=",       "springdamper"},
      {"<!-- of the model -->",                          box,                                     "<!-- of the model", "of the file" },
      {"<actuator><position joint='j' inheritrange='2'/>"
       "</actuator>",                             slide,                                   "\"0.5 2.5\"",       "inheritrange"},
      {"<default><default class='c'><position kp='3' "
       "inheritrange='1'/></default></default>",  slide,                                   "gainprm=\"3\"",     "inheritrange"},
  };
  static char text[ROOM];
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), model, cases[i].before, cases[i].inside);
    saveText(xml, text);
    if (!strstr(text, cases[i].there)) fail_msg("no %s in\n%s", cases[i].there, text);
    if (strstr(text, cases[i].absent)) fail_msg("%s in\n%s", cases[i].absent, text);
  }

  // a comment behind the first element is nobody's
  saveText("<mujoco><worldbody/><!-- late --></mujoco>", text);
  assert_null(strstr(text, "late"));
}

// the layout of a texture's grid has a letter a cell, so that the saved model can be read
static void gridLayouts(void** state) {
  (void)state;
  static const struct {
    int rows, columns;
    const char *layout, *written;
  } cases[] = {
      {1, 2, ".U..........", "gridlayout=\".U\""          },
      {3, 4, ".U..LFRB.D..", "gridlayout=\".U..LFRB.D..\""},
      {1, 1, "U...........", "gridlayout=\"U\""           },
  };
  static const int pixel[3] = {1, 1, 0x7f7f7f};
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "t.texture", pixel, 11), 0);
  static char text[ROOM];
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* s = mj_makeSpec();
    mjsTexture* texture = mjs_addTexture(s);
    mjs_setName(texture->element, "t");
    texture->type = mjTEXTURE_2D;
    mjs_setString(texture->content_type, "image/vnd.mujoco.texture");
    mjs_setString(texture->file, "t.texture");
    texture->gridsize[0] = cases[i].rows;
    texture->gridsize[1] = cases[i].columns;
    memcpy(texture->gridlayout, cases[i].layout, sizeof(texture->gridlayout));
    mjModel* m = mj_compile(s, &vfs);
    if (!m) fail_msg("%s", mjs_getError(s));
    char error[500] = "";
    if (mj_saveXMLString(s, text, ROOM, error, sizeof(error))) fail_msg("%s", error);
    if (!strstr(text, cases[i].written)) fail_msg("no %s in\n%s", cases[i].written, text);
    mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (!again) fail_msg("%s", error);
    mj_deleteSpec(again);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  mj_deleteVFS(&vfs);
}

// frames keep their elements together, but never at the price of their numbers
static void framesStayTogether(void** state) {
  (void)state;
  static char text[ROOM];
  saveText(
      "<mujoco><default><default class='c'/></default><worldbody><body name='b'><frame name='f' childclass='c'>"
      "<site name='s'/><frame name='g'><camera name='v'/></frame></frame><light name='l'/></body></worldbody></mujoco>",
      text);
  assert_non_null(strstr(text,
                         "      <light name=\"l\" pos=\"0 0 0\" dir=\"0 0 -1\"/>\n"
                         "      <frame name=\"f\" childclass=\"c\">\n"
                         "        <site name=\"s\" pos=\"0 0 0\"/>\n"
                         "        <frame name=\"g\" childclass=\"c\">\n"
                         "          <camera name=\"v\" pos=\"0 0 0\"/>\n"
                         "        </frame>\n"
                         "      </frame>\n"));

  // a site behind those of the frame: inside it would be numbered before them
  saveText(
      "<mujoco><worldbody><frame name='f'><site name='1'/></frame><site name='2'/><frame name='g'><site name='3'/>"
      "</frame></worldbody></mujoco>",
      text);
  const char *first = strstr(text, "\"1\""), *second = strstr(text, "\"2\""), *third = strstr(text, "\"3\"");
  assert_true(first && second && third && first < second && second < third);
}

// no spec, no file name: an error and the standard output
static void nothingNamed(void** state) {
  (void)state;
  char text[100], error[100] = "";
  assert_int_equal(mj_saveXMLString(NULL, text, sizeof(text), error, sizeof(error)), -1);
  assert_string_equal(error, "Cannot write empty model");
  assert_int_equal(mj_saveXML(NULL, "/nowhere", error, sizeof(error)), -1);
  mj_freeLastXML();
  assert_int_equal(mj_saveLastXML(NULL, NULL, error, sizeof(error)), 0);
  mjModel* m = mj_loadXML("test/models/joints.xml", NULL, error, sizeof(error));
  assert_non_null(m);
  assert_int_equal(mj_saveLastXML(NULL, m, error, sizeof(error)), 1);
  mj_deleteModel(m);
  mj_freeLastXML();
}

// elevations edited in the model are saved with it
static void editedElevation(void** state) {
  (void)state;
  char error[500] = "", text[2000];
  mjSpec* s = mj_parseXMLString(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 1 1 0'/></asset></mujoco>", NULL,
      error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mjModel* m = mj_compile(s, NULL);
  m->hfield_data[0] = 0.25f;
  assert_int_equal(mj_copyBack(s, m), 1);
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "elevation=\"0 1 0.25 0\""));
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// the configuration of a plugin is written in the order in which the plugin declares it
static void pluginConfiguration(void** state) {
  (void)state;
  static const char* const attributes[] = {"stiff", "anchor", "middle"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.ordered";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nattribute = 3;
  plugin.attributes = attributes;
  plugin.nstate = plg_noState;
  plugin.compute = plg_noForce;
  mjp_registerPlugin(&plugin);
  char error[1000] = "", *text = malloc(ROOM);
  mjSpec* s = mj_parseXMLString(
      "<mujoco><extension><plugin plugin='sinew.test.ordered'><instance name='i'><config key='middle' value='1'/>"
      "<config key='stiff' value='2'/></instance></plugin></extension><worldbody><body>"
      "<plugin plugin='sinew.test.ordered'><config key='anchor' value='3'/><config key='stiff' value='4'/></plugin>"
      "</body></worldbody></mujoco>",
      NULL, error, sizeof(error));
  assert_non_null(s);
  int size;
  free(compiled(s, &size));
  assert_int_equal(mj_saveXMLString(s, text, ROOM, error, sizeof(error)), 0);
  static const char* const order[] = {"stiff\" value=\"2", "middle\" value=\"1", "stiff\" value=\"4",
                                      "anchor\" value=\"3"};
  const char* from = text;
  for (int i = 0; i < 4; i++) {
    if (!(from = strstr(from, order[i]))) fail_msg("%s is not in its place\n%s", order[i], text);
  }
  free(text);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testModels),         cmocka_unit_test(testDenseModels),
      cmocka_unit_test(structures),         cmocka_unit_test(plainTerms),
      cmocka_unit_test(unknownReference),   cmocka_unit_test(shortBuffer),
      cmocka_unit_test(tooManyTextures),    cmocka_unit_test(digits),
      cmocka_unit_test(whatIsWritten),      cmocka_unit_test(gridLayouts),
      cmocka_unit_test(framesStayTogether), cmocka_unit_test(editedElevation),
      cmocka_unit_test(nothingNamed),       cmocka_unit_test(pluginConfiguration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
