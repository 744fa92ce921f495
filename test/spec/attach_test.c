// Attaching in circles and back, models that attached ones are shared with, plugin instances that go with their owners,
// signatures of edited models, and facts about elements that are not complete.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compile/same.h"
#include "spec/element.h"
#include "support/model.h"

static mjSpec* parse(const char* xml) {
  char error[1000] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  return s;
}

static int count(mjSpec* s, mjtObj kind) {
  int n = 0;
  for (mjsElement* e = mjs_firstElement(s, kind); e && n < 100; e = mjs_nextElement(s, e)) n++;
  return n;
}

static const char LEFT[] =
    "<mujoco model='left'><default><default class='c'><geom size='2'/></default></default><worldbody>"
    "<body name='a'><geom name='ga' class='c'/><frame name='fa'/></body><frame name='F'/></worldbody></mujoco>";
static const char RIGHT[] =
    "<mujoco model='right'><worldbody><body name='b'><geom name='gb' size='1'/><body name='d'><geom size='1'/>"
    "<frame name='fd'/></body></body><frame name='F'/></worldbody></mujoco>";

static mjsElement* frameOf(mjSpec* s, const char* name) {
  return mjs_findFrame(s, name)->element;
}

static mjsElement* bodyOf(mjSpec* s, const char* name) {
  return mjs_findBody(s, name)->element;
}

// -------------------------------------------------------------------------------------------- circles

// two models that are attached to each other can be copied, searched and deleted
static void attachedToEachOther(void** state) {
  (void)state;
  for (int deep = 0; deep < 2; deep++) {
    mjSpec *a = parse(LEFT), *b = parse(RIGHT);
    mjs_setDeepCopy(a, deep);
    mjs_setDeepCopy(b, deep);
    assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, "b"), "b_", ""));
    assert_non_null(mjs_attach(frameOf(b, "F"), bodyOf(a, "a"), "a_", ""));
    assert_null(mjs_findSpec(a, "nobody"));
    mjSpec* copy = mj_copySpec(a);
    assert_non_null(copy);
    assert_int_equal(count(copy, mjOBJ_BODY), deep ? 4 : 3);
    mj_deleteSpec(b);
    mj_deleteSpec(a);
    mj_deleteSpec(copy);
  }
}

// a body that goes to another model and comes back is listed once, also when it comes back inside of something else
static void thereAndBack(void** state) {
  (void)state;
  mjSpec *a = parse(LEFT), *b = parse(RIGHT);
  assert_non_null(mjs_attach(frameOf(a, "fa"), bodyOf(b, "b"), "", ""));
  assert_int_equal(count(a, mjOBJ_BODY), 4);
  assert_int_equal(count(b, mjOBJ_BODY), 3);
  assert_ptr_equal(mjs_findBody(b, "b"), mjs_findBody(a, "b"));

  // what the other model lists is found there under its new name
  assert_non_null(mjs_attach(frameOf(b, "F"), bodyOf(a, "a"), "x_", ""));
  assert_int_equal(count(b, mjOBJ_BODY), 4);
  assert_int_equal(count(b, mjOBJ_GEOM), 3);
  assert_int_equal(count(a, mjOBJ_BODY), 4);
  assert_non_null(mjs_findBody(a, "x_a"));
  assert_null(mjs_findBody(a, "a"));
  mj_deleteSpec(a);
  mj_deleteSpec(b);
}

// a frame goes into a body that came from the same place, which still lists both
static void intoWhatWasLent(void** state) {
  (void)state;
  mjSpec *a = parse(LEFT), *b = parse(RIGHT);
  assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, "b"), "", ""));
  assert_non_null(mjs_attach(frameOf(a, "fd"), frameOf(b, "F"), "y_", ""));
  assert_int_equal(count(b, mjOBJ_FRAME), 2);
  assert_int_equal(count(a, mjOBJ_FRAME), 4);
  mjsBody* body = mjs_asBody(bodyOf(a, "d"));
  assert_non_null(mjs_bodyToFrame(&body));
  assert_int_equal(count(a, mjOBJ_FRAME), 5);
  mj_deleteSpec(b);
  mj_deleteSpec(a);
}

// a file that attaches itself, at once or by way of another one
static void filesThatAttachThemselves(void** state) {
  (void)state;
#define MODEL(file) "<mujoco><asset><model name='m' file='" file "'/></asset></mujoco>"
  static const char* const files[][2] = {
      {"self.xml",  MODEL("self.xml")                                                                      },
      {"one.xml",   MODEL("two.xml")                                                                       },
      {"two.xml",   MODEL("./one.xml")                                                                     },
      {"twice.xml",
       "<mujoco><asset><model name='m' file='leaf.xml'/><model name='n' file='leaf.xml'/></asset></mujoco>"},
      {"leaf.xml",  "<mujoco/>"                                                                            },
  };
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    assert_int_equal(mj_addBufferVFS(&vfs, files[i][0], files[i][1], (int)strlen(files[i][1])), 0);
  }
  for (int i = 0; i < 2; i++) {
    char error[1000] = "", expected[100];
    assert_null(mj_loadXML(files[i][0], &vfs, error, sizeof(error)));
    snprintf(expected, sizeof(expected), "model file '%s' is attached to itself", files[i][0]);
    if (!strstr(error, expected)) fail_msg("%s", error);
  }
  char error[1000] = "";
  mjModel* m = mj_loadXML("twice.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

// -------------------------------------------------------------------------------------------- copies

// a copy has the same attached models, not copies of them
static void copiesShareWhatIsAttached(void** state) {
  (void)state;
  mjSpec *a = parse(LEFT), *b = parse(RIGHT);
  assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, "b"), "b_", ""));
  mjSpec* copy = mj_copySpec(a);
  assert_ptr_equal(mjs_findSpec(copy, "right"), b);
  assert_ptr_equal(mjs_findSpec(a, "right"), b);
  mj_deleteSpec(b);
  mj_deleteSpec(a);
  assert_ptr_equal(mjs_findSpec(copy, "right"), b);
  mjModel* m = mj_compile(copy, NULL);
  assert_non_null(m);
  assert_int_equal(m->nbody, 4);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
}

// -------------------------------------------------------------------------------------------- plugins

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void noWork(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

// of two bodies with an instance each, one goes: the instance that nobody uses goes with it, whether it has a name or
// not
static void instancesGoWithTheirOwner(void** state) {
  (void)state;
  mjpPlugin idle;
  mjp_defaultPlugin(&idle);
  idle.name = "sinew.test.owned";
  idle.capabilityflags = mjPLUGIN_PASSIVE;
  idle.nstate = noState;
  idle.compute = noWork;
  mjp_registerPlugin(&idle);
  mjSpec* s = parse(
      "<mujoco><extension><plugin plugin='sinew.test.owned'><instance name='i'/><instance name='j'/></plugin>"
      "</extension><worldbody><body name='b'><geom size='1'/><body><plugin instance='i'/><geom size='1'/></body>"
      "<body><plugin plugin='sinew.test.owned'/><geom size='1'/></body></body>"
      "<body name='c'><plugin instance='j'/><geom size='1'/></body></worldbody></mujoco>");
  assert_int_equal(count(s, mjOBJ_PLUGIN), 3);
  assert_int_equal(mjs_delete(s, bodyOf(s, "b")), 0);
  assert_int_equal(count(s, mjOBJ_PLUGIN), 1);
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->body_plugin[1], 0);
  assert_string_equal(mj_id2name(m, mjOBJ_PLUGIN, 0), "j");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- signatures

// compiled models and edited specs of the same structure have the same signature, whatever is in them
static void signaturesOfAllModels(void** state) {
  (void)state;
  uint64_t all = 0;
  for (int i = 0; tst_models[i]; i++) {
    char path[100], error[500] = "";
    snprintf(path, sizeof(path), "test/models/%s.xml", tst_models[i]);
    mjSpec* const s = mj_parseXML(path, NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    mjModel* const m = mj_compile(s, NULL);
    assert_non_null(m);
    mjs_addText(s);
    if (s->element->signature != m->signature) fail_msg("%s", path);
    all = 31 * all + m->signature;
    if (orc_available()) {
      mjModel* const ref = ORC(mj_loadXML)(path, NULL, error, sizeof(error));
      assert_non_null(ref);
      assert_true(m->signature == ref->signature);
      ORC(mj_deleteModel)(ref);
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  // of the reference's numbers
  if (all != 2606462498212778427u) fail_msg("%lluu", (unsigned long long)all);
}

static const char BIND[] =
    "<mujoco model='test_bind_model'><worldbody><body name='body1'><joint type='ball'/><geom name='geom1' size='1'/>"
    "</body><body><joint type='slide'/><geom size='1'/></body><body><joint type='slide'/><geom size='1'/></body>"
    "<body mocap='true'/><body mocap='true'/></worldbody>"
    "<actuator><motor joint='j'/><motor joint='j'/><motor joint='j'/></actuator><sensor>"
    "<framepos objtype='body' objname='body1'/><framepos objtype='body' objname='body1'/>"
    "<framepos objtype='body' objname='body1'/></sensor></mujoco>";

// a parsed or compiled model has the signature of its structure after every edit: the numbers are the reference's
static void signaturesFollowEdits(void** state) {
  (void)state;
  mjSpec* s = parse(BIND);
  assert_true(s->element->signature == 2785811613804955188u);
  mjs_setName(mjs_findElement(s, mjOBJ_GEOM, "geom1"), "renamed");
  mjs_addFrame(mjs_findBody(s, "body1"), NULL);
  mjs_addText(s);
  mjs_addDefault(s, "more", NULL);
  assert_true(s->element->signature == 2785811613804955188u);
  mjsBody* added = mjs_addBody(mjs_findBody(s, "world"), NULL);
  assert_true(s->element->signature == 15297169659434471387u);
  assert_int_equal(mjs_delete(s, added->element), 0);
  assert_true(s->element->signature == 2785811613804955188u);
  mj_deleteSpec(s);

  // by program: once it is compiled
  s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->size[0] = 1;
  mjs_addJoint(body, NULL);
  mjModel* m = mj_compile(s, NULL);
  assert_true(m->signature == 9283327141022967996u && s->element->signature == m->signature);
  mjs_addSite(body, NULL);
  assert_true(s->element->signature == 7784575933495436368u);

  // the old structure with another element in it is not what was compiled
  assert_int_equal(mj_copyBack(s, m), 0);
  assert_non_null(strstr(mjs_getError(s), "incompatible signatures"));
  assert_int_equal(mjs_delete(s, mjs_firstElement(s, mjOBJ_SITE)), 0);
  assert_int_equal(mjs_delete(s, geom->element), 0);
  mjs_addGeom(body, NULL);
  assert_true(s->element->signature == m->signature);
  assert_int_equal(mj_copyBack(s, m), 0);
  assert_non_null(strstr(mjs_getError(s), "has not been compiled"));
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- incomplete elements

static void incompleteElements(void** state) {
  (void)state;
  mjSpec* s = parse(RIGHT);
  static const mjtObj kinds[] = {mjOBJ_UNKNOWN, mjOBJ_MESH, mjOBJ_XBODY, mjOBJ_GEOM};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    mjsSensor* sensor = mjs_addSensor(s);
    sensor->type = mjSENS_TACTILE;
    sensor->objtype = kinds[i];
    mjs_setString(sensor->objname, kinds[i] == mjOBJ_GEOM ? "gb" : "b");
    assert_int_equal(mjs_sensorDim(sensor), 0);
  }

  // fewer types than names
  mjsTuple* tuple = mjs_addTuple(s);
  for (int i = 0; i < 3; i++) mjs_appendString(tuple->objname, "b");
  mjs_setInt(tuple->objtype, (int[]){mjOBJ_BODY}, 1);
  mjSpec* copy = mj_copySpec(s);
  assert_int_equal(count(copy, mjOBJ_TUPLE), 1);
  mj_deleteSpec(copy);
  mj_deleteSpec(s);
}

// where something is attached, and what a keyframe of three positions is then
static const struct {
  const char *where, *child;
  int nq;
  double qpos[10], qvel[9];
} grown[] = {
    {"a",     "<joint name='n' type='slide' ref='.5'/>", 4,  {1, 2, 3, .25},                 {4, 5, 6, 0}               },
    {"o",     "<joint name='n' type='slide' ref='.5'/>", 4,  {1, 2, 3, .5},                  {4, 5, 6, 0}               },
    {"a",     "<joint name='n' type='ball'/>",           7,  {1, 2, 1, 0, 0, 0, .25},        {4, 5, 6, 0, 0, 0}         },
    {"world", "<freejoint/>",                            10, {1, 2, 3, 0, 0, 0, 1, 0, 0, 0}, {4, 5, 6, 0, 0, 0, 0, 0, 0}},
};

// A keyframe goes on where it ends when something is attached; its numbers keep their places. Values of 3.5.0.
static void keyframesGoOn(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(grown) / sizeof(*grown); i++) {
    mjSpec* s = parse(
        "<mujoco><worldbody><frame name='world'/><body name='A'><frame name='a'/><joint type='slide'/><geom size='1'/>"
        "<body><joint type='slide'/><geom size='1'/></body></body><body name='O'><frame name='o'/>"
        "<joint type='slide' ref='.25'/><geom size='1'/></body></worldbody>"
        "<keyframe><key name='k' qpos='1 2 3' qvel='4 5 6'/></keyframe></mujoco>");
    char text[400];
    snprintf(text, sizeof(text),
             "<mujoco><worldbody><body name='b' pos='7 8 9'>%s<geom size='1'/></body></worldbody></mujoco>",
             grown[i].child);
    mjSpec* child = parse(text);
    assert_non_null(mjs_attach(frameOf(s, grown[i].where), bodyOf(child, "b"), "b_", ""));
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    assert_int_equal(m->nq, grown[i].nq);
    for (int k = 0; k < m->nq; k++) assert_true(m->key_qpos[k] == grown[i].qpos[k]);
    for (int k = 0; k < m->nv; k++) assert_true(m->key_qvel[k] == grown[i].qvel[k]);
    mj_deleteModel(m);
    mj_deleteSpec(child);
    mj_deleteSpec(s);
  }
}

// likewise controls, activations and mocap bodies
static void keyframesGoOnInAllParts(void** state) {
  (void)state;
  mjSpec* s = parse(
      "<mujoco><worldbody><frame name='f'/><body mocap='true' pos='1 1 1'/><body><joint name='j' type='slide'/>"
      "<geom size='1'/></body></worldbody><actuator><motor joint='j'/><general joint='j' "
      "dyntype='integrator'/></actuator>"
      "<keyframe><key mpos='1 2 3' mquat='0 0 1 0' ctrl='5 6' act='4'/></keyframe></mujoco>");
  mjSpec* child = parse(
      "<mujoco><worldbody><frame name='F'><body mocap='true' pos='7 8 9' quat='0 1 0 0'><geom size='1'/></body>"
      "<body><joint name='n' type='slide'/><geom size='1'/></body></frame></worldbody>"
      "<actuator><general joint='n' dyntype='filter'/></actuator></mujoco>");
  assert_non_null(mjs_attach(frameOf(s, "f"), frameOf(child, "F"), "b_", ""));
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  static const double ctrl[] = {5, 6, 0}, act[] = {4, 0}, mpos[] = {1, 2, 3, 7, 8, 9},
                      mquat[] = {0, 0, 1, 0, 0, 1, 0, 0};
  assert_true(m->nu == 3 && m->na == 2 && m->nmocap == 2);
  assert_memory_equal(m->key_ctrl, ctrl, sizeof(ctrl));
  assert_memory_equal(m->key_act, act, sizeof(act));
  assert_memory_equal(m->key_mpos, mpos, sizeof(mpos));
  assert_memory_equal(m->key_mquat, mquat, sizeof(mquat));
  mj_deleteModel(m);
  mj_deleteSpec(child);
  mj_deleteSpec(s);
}

// keyframes that go leave nothing with the elements that they set
static void deletedKeyframes(void** state) {
  (void)state;
  mjSpec* a = parse(
      "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body><frame name='F'/></worldbody>"
      "<keyframe><key name='k' qpos='1'/></keyframe></mujoco>");
  mjSpec* b = parse(RIGHT);
  assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, "b"), "", ""));
  assert_int_equal(mjs_delete(a, mjs_findElement(a, mjOBJ_KEY, "k")), 0);
  mjModel* m = mj_compile(a, NULL);
  if (!m) fail_msg("%s", mjs_getError(a));
  assert_int_equal(m->nkey, 0);
  mj_deleteModel(m);
  mj_deleteSpec(b);
  mj_deleteSpec(a);
}

// a reference that has no target of the new name keeps its own where there is one
static void referencesToTheOtherModel(void** state) {
  (void)state;
  static const char pair[] =
      "<mujoco><worldbody><frame name='F'/><body name='u'><geom size='1'/><body name='l'><geom size='1'/></body></body>"
      "</worldbody><contact><exclude body1='u' body2='l'/></contact></mujoco>";
  mjSpec *a = parse(pair), *b = parse(pair);
  mjs_setDeepCopy(a, 1);
  assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, "l"), "y_", ""));
  assert_int_equal(count(a, mjOBJ_EXCLUDE), 2);
  const mjsExclude* exclude = mjs_asExclude(mjs_nextElement(a, mjs_firstElement(a, mjOBJ_EXCLUDE)));
  assert_string_equal(mjs_getString(exclude->bodyname1), "u");
  assert_string_equal(mjs_getString(exclude->bodyname2), "y_l");
  mj_deleteSpec(b);
  mj_deleteSpec(a);
}

// what refers to the world goes on to do so, unless the world itself was attached: then it follows its new name
static void referencesToTheWorld(void** state) {
  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    mjSpec *a = parse(LEFT), *b = parse(
                                 "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody>"
                                 "<equality><weld body1='b' body2='world'/></equality><sensor><framepos "
                                 "objtype='body' objname='b' reftype='body' refname='world'/></sensor></mujoco>");
    assert_non_null(mjs_attach(frameOf(a, "F"), bodyOf(b, whole ? "world" : "b"), "p_", ""));
    const char* const world = whole ? "p_world" : "world";
    const mjsEquality* const weld = mjs_asEquality(mjs_firstElement(a, mjOBJ_EQUALITY));
    const mjsSensor* const sensor = mjs_asSensor(mjs_firstElement(a, mjOBJ_SENSOR));
    assert_non_null(weld);
    assert_non_null(sensor);
    assert_string_equal(mjs_getString(weld->name1), "p_b");
    assert_string_equal(mjs_getString(weld->name2), world);
    assert_string_equal(mjs_getString(sensor->objname), "p_b");
    assert_string_equal(mjs_getString(sensor->refname), world);
    mj_deleteSpec(b);
    mj_deleteSpec(a);
  }
}

// A compilation that fails leaves a spec as it was: what it could not compile still comes along, and says the same.
static void failedCompilationsChangeNothing(void** state) {
  (void)state;
  for (int compiled = 0; compiled < 3; compiled++) {
    mjSpec *from = parse(
               "<mujoco><worldbody><frame name='F'><body name='b'><joint/><geom name='g' type='box' "
               "size='.1 .1 .1'/><site name='s'/></body></frame></worldbody></mujoco>"),
           *to = parse("<mujoco><worldbody><frame name='F'/></worldbody></mujoco>");
    mjsTendon* const rope = mjs_addTendon(from, NULL);
    mjs_wrapGeom(rope, "g", "s");
    char said[500] = "";
    for (int i = 0; i < compiled; i++) {
      assert_null(mj_compile(from, NULL));
      if (i) assert_string_equal(mjs_getError(from), said);
      snprintf(said, sizeof(said), "%s", mjs_getError(from));
    }
    assert_int_equal(mjs_getWrap(rope, 0)->type, mjWRAP_SPHERE);
    assert_non_null(mjs_attach(frameOf(to, "F"), frameOf(from, "F"), "p_", ""));
    assert_int_equal(count(to, mjOBJ_TENDON), 1);
    mj_deleteSpec(to);
    mj_deleteSpec(from);
  }
}

// names that are there twice outside the tree, here or there, stop every attachment; in the tree the compiler says it
static void repeatedNamesStopAttaching(void** state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    mjSpec *to = parse(LEFT), *from = parse(RIGHT);
    mjSpec* const where = k % 2 ? from : to;
    for (int i = 0; i < 2; i++) {
      mjsElement* const e = k / 2 == 0   ? mjs_addNumeric(where)->element
                            : k / 2 == 1 ? mjs_addMaterial(where, NULL)->element
                                         : mjs_addSite(mjs_findBody(where, "world"), NULL)->element;
      assert_int_equal(mjs_setName(e, "twice"), i ? -1 : 0);
    }
    mjsElement* const made = mjs_attach(frameOf(to, "F"), bodyOf(from, "b"), "p-", "");
    if (k / 2 == 2) {
      assert_non_null(made);
    } else {
      char message[100];
      snprintf(message, sizeof(message), "Error: repeated name '%stwice' in %s", k % 2 ? "p-" : "",
               k / 2 ? "material" : "numeric");
      assert_null(made);
      assert_string_equal(mjs_getError(to), message);
    }
    mj_deleteSpec(from);
    mj_deleteSpec(to);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attachedToEachOther),
      cmocka_unit_test(thereAndBack),
      cmocka_unit_test(intoWhatWasLent),
      cmocka_unit_test(filesThatAttachThemselves),
      cmocka_unit_test(copiesShareWhatIsAttached),
      cmocka_unit_test(instancesGoWithTheirOwner),
      cmocka_unit_test(signaturesOfAllModels),
      cmocka_unit_test(signaturesFollowEdits),
      cmocka_unit_test(incompleteElements),
      cmocka_unit_test(keyframesGoOn),
      cmocka_unit_test(keyframesGoOnInAllParts),
      cmocka_unit_test(deletedKeyframes),
      cmocka_unit_test(referencesToTheOtherModel),
      cmocka_unit_test(referencesToTheWorld),
      cmocka_unit_test(repeatedNamesStopAttaching),
      cmocka_unit_test(failedCompilationsChangeNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
