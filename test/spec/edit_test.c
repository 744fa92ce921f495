// Editing: copies of models, attaching, deleting, bodies that become frames, keyframes that survive all of it, plugin
// attributes, and facts about models that need no compilation.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <math.h>
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

static mjModel* compile(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("%s", mjs_getError(s));
  return m;
}

// the spec compiles to what the text compiles to
static void compilesLike(mjSpec* s, const char* xml) {
  mjModel *m = compile(s), *expected = compileText(xml);
  assert_non_null(expected);
  assert_int_equal(differences(m, expected), 0);
  mj_deleteModel(m);
  mj_deleteModel(expected);
}

// -------------------------------------------------------------------------------------------- names

// a class can have the empty name, once; who names no class for its children does not mean it
static void classWithoutName(void** state) {
  (void)state;
  mjSpec* s = parse(
      "<mujoco><worldbody><body name='b'><frame name='f'><geom name='g' "
      "size='1'/></frame></body></worldbody></mujoco>");
  assert_null(mjs_findDefault(s, ""));
  mjsDefault* class = mjs_addDefault(s, "", NULL);
  assert_non_null(class);
  class->geom->rgba[0] = 0.125F;
  assert_ptr_equal(mjs_findDefault(s, ""), class);
  assert_null(mjs_addDefault(s, "", NULL));
  assert_null(mjs_addDefault(s, "main", NULL));
  mjSpec* copy = mj_copySpec(s);
  assert_non_null(mjs_findDefault(copy, ""));
  assert_null(mjs_addDefault(copy, "", NULL));
  mj_deleteSpec(copy);
  mj_deleteModel(compile(s));
  char xml[5000], error[300] = "";
  assert_int_equal(mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error)), 0);
  assert_null(strstr(xml, "childclass"));
  assert_null(strstr(strstr(xml, "<worldbody>"), "rgba"));
  mj_deleteSpec(s);
}

// many names, taken and given back in an order that leaves gaps; names that a program writes by itself
static void namesAreFound(void** state) {
  (void)state;
  enum { N = 500 };
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom* geom[N];
  char name[20];
  for (int i = 0; i < N; i++) {
    geom[i] = mjs_addGeom(world, NULL);
    snprintf(name, sizeof(name), "g%d", i);
    assert_int_equal(mjs_setName(geom[i]->element, name), 0);
  }
  for (int i = 0; i < N; i += 3) assert_int_equal(mjs_delete(s, geom[i]->element), 0);
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof(name), "g%d", i);
    assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, name), i % 3 ? geom[i]->element : NULL);
    assert_null(mjs_findElement(s, mjOBJ_SITE, name));
  }
  mjs_setName(geom[1]->element, "again");
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "g1"));
  mjs_setString(mjs_getName(geom[2]->element), "by hand");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, "by hand"), geom[2]->element);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "g2"));
  assert_int_equal(mjs_delete(s, geom[2]->element), 0);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "by hand"));
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- copies

// a copy compiles to the same bytes, also after the original is gone
static void copiesCompileTheSame(void** state) {
  (void)state;
  static const char* names[] = {"actuators", "assets", "equality", "joints", "sensor_zoo", "tendons", "wraps"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    char path[100], error[500] = "";
    snprintf(path, sizeof(path), "test/models/%s.xml", names[i]);
    mjSpec* s = mj_parseXML(path, NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    mjSpec* copy = mj_copySpec(s);
    mjModel* m = compile(s);
    mj_deleteSpec(s);
    mjModel* other = compile(copy);
    mj_deleteSpec(copy);
    assert_int_equal(differences(m, other), 0);
    mj_deleteModel(m);
    mj_deleteModel(other);
  }
}

#define CHILD                                                                                                         \
  "<mujoco model='child'><default><default class='cyl'><geom type='cylinder' size='.1 1'/></default></default>"       \
  "<asset><material name='m' rgba='1 0 0 1'/></asset><worldbody><frame name='f' pos='1 0 0'><body name='b'>"          \
  "<joint name='j'/><geom class='cyl' material='m'/><site name='s'/></body></frame>"                                  \
  "<body name='o'><joint name='oj' type='slide'/><geom size='.1'/></body></worldbody>"                                \
  "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>"                                              \
  "<actuator><position name='a' joint='j' timeconst='.1'/><motor name='at' tendon='t'/></actuator>"                   \
  "<sensor><framepos name='sb' objtype='body' objname='b'/><framepos name='so' objtype='body' objname='o'/></sensor>" \
  "<keyframe><key name='k' time='2' qpos='2 22' act='5' ctrl='1 2'/></keyframe></mujoco>"

// what an attached body becomes, with prefix p-
#define ATTACHED(before, after)                                                                                   \
  "<mujoco><default><default class='p-main'><default class='p-cyl'><geom type='cylinder' size='.1 1'/></default>" \
  "</default></default><asset><material name='p-m' rgba='1 0 0 1'/></asset><worldbody>" before                    \
  "<body name='p-b'><joint name='p-j'/><geom class='p-cyl' material='p-m'/><site name='p-s'/></body>" after       \
  "</worldbody><tendon><fixed name='p-t'><joint joint='p-j' coef='2'/></fixed></tendon>"                          \
  "<actuator><position name='p-a' joint='p-j' timeconst='.1'/><motor name='p-at' tendon='p-t'/></actuator>"       \
  "<sensor><framepos name='p-sb' objtype='body' objname='p-b'/></sensor>"                                         \
  "<keyframe><key name='p-k' time='2' qpos='2' act='5' ctrl='1 2'/></keyframe></mujoco>"

static void attachTo(int deepcopy) {
  mjSpec *parent = parse("<mujoco><worldbody><frame name='here' pos='0 0 1'/></worldbody></mujoco>"),
         *child = parse(CHILD);
  mjs_setDeepCopy(parent, deepcopy);
  mjsBody* body = mjs_findBody(child, "b");
  mjsElement* made = mjs_attach(mjs_findFrame(parent, "here")->element, body->element, "p-", "");
  assert_non_null(made);
  assert_ptr_equal(made, mjs_findElement(parent, mjOBJ_BODY, "p-b"));
  assert_ptr_equal(mjs_findSpec(parent, "child"), child);

  // moved or copied: the child's own body is the one in the parent, or another one
  assert_int_equal(made == body->element, !deepcopy);
  mjModel* m = mj_compile(child, NULL);
  assert_int_equal(m != NULL, deepcopy);
  if (!m) assert_non_null(strstr(mjs_getError(child), "attached by reference to a parent"));
  mj_deleteModel(m);
  mj_deleteSpec(child);
  compilesLike(parent, ATTACHED("<frame name='here' pos='0 0 1'>", "</frame>"));
  mj_deleteSpec(parent);
}

static void attachedBodies(void** state) {
  (void)state;
  attachTo(0);
  attachTo(1);
}

static void attachedFramesAndSites(void** state) {
  (void)state;
  // a frame comes with its content and its name; a site gives a frame at its place
  mjSpec *parent = parse("<mujoco><worldbody><site name='s' pos='0 0 1'/></worldbody></mujoco>"), *child = parse(CHILD);
  mjsElement* site = mjs_findElement(parent, mjOBJ_SITE, "s");
  mjsElement* made = mjs_attach(site, mjs_findFrame(child, "f")->element, "p-", "");
  assert_ptr_equal(made, mjs_findElement(parent, mjOBJ_FRAME, "p-f"));
  compilesLike(parent, ATTACHED("<site name='s' pos='0 0 1'/><frame pos='0 0 1'><frame name='p-f' pos='1 0 0'>",
                                "</frame></frame>"));
  mj_deleteSpec(parent);
  mj_deleteSpec(child);

  // a world becomes a body
  parent = parse("<mujoco><worldbody><frame name='here'/></worldbody></mujoco>");
  child = parse("<mujoco><worldbody><body name='x'><geom size='1'/></body><camera/></worldbody></mujoco>");
  made = mjs_attach(mjs_findFrame(parent, "here")->element, mjs_findBody(child, "world")->element, "a-", "-1");
  assert_ptr_equal(made, mjs_findElement(parent, mjOBJ_BODY, "a-world-1"));
  mjsBody* world = mjs_asBody(made);
  assert_non_null(mjs_bodyToFrame(&world));
  assert_null(world);
  compilesLike(parent,
               "<mujoco><default><default class='a-main-1'/></default><worldbody><frame><frame>"
               "<body name='a-x-1'><geom size='1'/></body><camera/></frame></frame></worldbody></mujoco>");

  // what cannot be attached
  mjsBody* body = mjs_findBody(parent, "a-x-1");
  assert_null(mjs_attach(mjs_findBody(parent, "world")->element, body->element, "", ""));
  assert_string_equal(mjs_getError(parent), "Error: child element is not a frame");
  mj_deleteSpec(parent);
  mj_deleteSpec(child);

  // an actuator would get a name that is taken
  parent = parse(
      "<mujoco><worldbody><body><joint name='j'/><geom size='1'/><frame name='here'/></body></worldbody>"
      "<actuator><motor name='p-a' joint='j'/></actuator></mujoco>");
  child = parse(CHILD);
  assert_null(mjs_attach(mjs_findFrame(parent, "here")->element, mjs_findBody(child, "b")->element, "p-", ""));
  assert_string_equal(mjs_getError(parent), "Error: repeated name 'p-a' in actuator");
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// settings of attached models survive the models, in copies as well
static void settingsStayAlive(void** state) {
  (void)state;
  mjSpec* leaf = parse(
      "<mujoco><compiler angle='degree'/><worldbody><body name='b' euler='-90 0 0'>"
      "<joint name='j' range='-180 180'/><geom size='1'/></body></worldbody></mujoco>");
  mjSpec* middle = parse(
      "<mujoco><compiler angle='radian'/><worldbody><body name='b' euler='1.5707963267948966 0 0'>"
      "<geom size='1'/><frame name='f'/></body></worldbody></mujoco>");
  mjSpec* top = parse("<mujoco><worldbody><frame name='f'/></worldbody></mujoco>");
  assert_non_null(mjs_attach(mjs_findFrame(middle, "f")->element, mjs_findBody(leaf, "b")->element, "l", ""));
  assert_non_null(mjs_attach(mjs_findFrame(top, "f")->element, mjs_findBody(middle, "b")->element, "m", ""));
  mjSpec* copy = mj_copySpec(top);
  mj_deleteSpec(leaf);
  mj_deleteSpec(middle);
  mj_deleteSpec(top);
  mjModel* m = compile(copy);
  assert_true(fabs(m->jnt_range[1] - mjPI) < 1e-12);
  mjtNum quat[4];
  mju_mulQuat(quat, m->body_quat + 4, m->body_quat + 8);
  assert_true(fabs(quat[0] - 1) < 1e-9);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
}

// -------------------------------------------------------------------------------------------- delete

#define LINKED                                                                                                  \
  "<mujoco><worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/>"                \
  "<body name='c'><joint name='k'/><geom name='h' size='1'/></body></body>"                                     \
  "<body name='o'><joint name='oj'/><geom name='og' size='1'/></body></worldbody>"                              \
  "<tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='1'/></fixed></tendon>"             \
  "<actuator><motor name='aj' joint='j'/><motor name='at' tendon='t'/><motor name='ao' joint='oj'/></actuator>" \
  "<sensor><actuatorfrc name='sa' actuator='at'/><jointpos name='so' joint='oj'/></sensor>"                     \
  "<contact><pair name='p' geom1='g' geom2='og'/><exclude name='e' body1='b' body2='c'/></contact>"             \
  "<equality><joint name='q' joint1='k' joint2='oj'/></equality>"                                               \
  "<keyframe><key name='x' qpos='1 2 3' ctrl='4 5 6'/></keyframe></mujoco>"

// a body takes with it what refers to it, and what refers to that; keyframes keep what is left
static void deletedBodies(void** state) {
  (void)state;
  for (int how = 0; how < 4; how++) {
    const int compiled = how & 1;
    mjSpec* s = parse(LINKED);
    if (compiled) mj_deleteModel(compile(s));
    assert_int_equal(mjs_delete(s, mjs_findBody(s, "b")->element), 0);
    char text[100], error[200] = "";
    assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), -1);
    assert_non_null(strstr(error, compiled ? "Model has pending keyframes" : "Only compiled model"));

    // a copy knows what is left, too
    if (how & 2) {
      mjSpec* const copy = mj_copySpec(s);
      mj_deleteSpec(s);
      s = copy;
    }
    compilesLike(s,
                 "<mujoco><worldbody><body name='o'><joint name='oj'/><geom name='og' size='1'/></body></worldbody>"
                 "<actuator><motor name='ao' joint='oj'/></actuator><sensor><jointpos name='so' joint='oj'/></sensor>"
                 "<keyframe><key name='x' qpos='3' ctrl='6'/></keyframe></mujoco>");
    mj_deleteSpec(s);
  }
}

// a copy of a model that another was attached to has the keyframes of both
static void copiedKeyframes(void** state) {
  (void)state;
  mjSpec* const s = parse(LINKED);
  mjSpec* const child = parse(
      "<mujoco><worldbody><body name='n'><joint name='nj'/><geom size='1'/></body></worldbody>"
      "<keyframe><key name='y' qpos='7'/></keyframe></mujoco>");
  mjsFrame* const frame = mjs_addFrame(mjs_findBody(s, "b"), NULL);
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "n")->element, "n_", ""));
  mjSpec* const copy = mj_copySpec(s);
  mjModel *const m = compile(s), *const other = compile(copy);
  assert_int_equal(m->nq, 4);
  assert_int_equal(m->nkey, 2);
  assert_int_equal(other->nkey, 2);
  assert_memory_equal(other->key_qpos, m->key_qpos, sizeof(mjtNum) * 8);
  const int key = mj_name2id(m, mjOBJ_KEY, "n_y"), joint = mj_name2id(m, mjOBJ_JOINT, "n_nj");
  assert_true(m->key_qpos[4 * key + m->jnt_qposadr[joint]] == 7);
  mj_deleteModel(other);
  mj_deleteModel(m);
  mj_deleteSpec(copy);
  mj_deleteSpec(child);
  mj_deleteSpec(s);
}

static void deletedLeaves(void** state) {
  (void)state;
  mjSpec* s = parse(LINKED);
  assert_int_equal(mjs_delete(s, NULL), -1);
  assert_string_equal(mjs_getError(s), "Error: Element is null.");
  assert_int_equal(mjs_delete(s, mjs_getSpecDefault(s)->element), -1);
  assert_non_null(strstr(mjs_getError(s), "cannot remove the global default ('main')"));

  // what belongs to another model stays there
  mjSpec* other = parse(LINKED);
  assert_int_equal(mjs_delete(s, mjs_findElement(other, mjOBJ_JOINT, "oj")), -1);
  assert_string_equal(mjs_getError(s), "Error: element is not in this model");
  assert_non_null(mjs_findElement(other, mjOBJ_JOINT, "oj"));
  mj_deleteSpec(other);

  // what refers to a deleted joint stays, and is an error
  assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_JOINT, "oj")), 0);
  assert_null(mj_compile(s, NULL));
  assert_non_null(strstr(mjs_getError(s), "'oj'"));
  mj_deleteSpec(s);

  // a class goes with those below it; elements keep their values
  s = parse(
      "<mujoco><default><default class='a'><geom size='2'/><default class='b'><geom rgba='1 0 0 1'/></default>"
      "</default></default><worldbody><geom class='b'/></worldbody></mujoco>");
  assert_int_equal(mjs_delete(s, mjs_findDefault(s, "a")->element), 0);
  assert_null(mjs_findDefault(s, "a"));
  assert_null(mjs_findDefault(s, "b"));
  compilesLike(s, "<mujoco><worldbody><geom size='2' rgba='1 0 0 1'/></worldbody></mujoco>");
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- body → frame

static void bodiesBecomeFrames(void** state) {
  (void)state;
  mjSpec* s = parse(
      "<mujoco><worldbody><body name='p'><inertial mass='1' pos='1 0 0' diaginertia='1 1 1'/><joint/>"
      "<body name='q' pos='0 1 0' axisangle='1 0 0 90'><inertial mass='2' pos='0 0 1' diaginertia='1 2 2.5'/>"
      "<geom name='g' size='1'/></body></body></worldbody></mujoco>");
  mjsBody *parent = mjs_findBody(s, "p"), *child = mjs_findBody(s, "q");
  mjsFrame* frame = mjs_bodyToFrame(&child);
  assert_null(child);
  mjsElement* geom = mjs_findElement(s, mjOBJ_GEOM, "g");
  assert_ptr_equal(mjs_getFrame(geom), frame);
  assert_ptr_equal(mjs_getParent(geom), parent);

  // masses and inertias about the common centre, as of two bodies fixed to each other
  compilesLike(s,
               "<mujoco><worldbody><body name='p'><inertial mass='3' pos='0.33333333333333331 0 0' "
               "fullinertia='2 4.166666666666667 3.6666666666666665 0 0 0'/><joint/>"
               "<frame pos='0 1 0' axisangle='1 0 0 90'><geom name='g' size='1'/></frame></body></worldbody></mujoco>");
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- keyframes of copies

// every copy brings its keyframe; sizes are those of the model as it was read so far
static void replicatedKeyframes(void** state) {
  (void)state;
#define REPLICATE(count, keys)                                                                                    \
  "<mujoco><worldbody><body><joint name='o' type='slide'/><geom size='1'/></body><replicate count='" count        \
  "' offset='9 0 0'><body name='b'><joint name='j' type='slide'/><geom size='1'/></body></replicate></worldbody>" \
  "<keyframe>" keys "</keyframe></mujoco>"
  assert_int_equal(differencesOf(REPLICATE("2", "<key name='k' time='3' qpos='1 2'/>")), 0);
  assert_int_equal(differencesOf(REPLICATE("1", "<key name='k' qvel='1 2'/>")), 0);
  mjModel* m = compileText(REPLICATE("2", "<key name='k' time='3' qpos='1 2'/>"));
  assert_non_null(m);
  const char* names[] = {"k0", "k1", "k"};
  const double qpos[3][3] = {
      {1, 2, 0},
      {1, 0, 2},
      {1, 0, 0}
  };
  assert_int_equal(m->nkey, 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(mj_id2name(m, mjOBJ_KEY, i), names[i]);
    assert_memory_equal(m->key_qpos + 3 * i, qpos[i], sizeof(qpos[i]));
    assert_true(m->key_time[i] == 3);
  }
  mj_deleteModel(m);
  const char* error = errorOf(REPLICATE("2", "<key name='k' qpos='1 2 3'/>"));
  assert_non_null(strstr(error, "Keyframe 'k' has invalid qpos size, got 3, should be 2"));
  error = errorOf(REPLICATE("2", "<key name='k' qpos='1'/>"));
  assert_non_null(strstr(error, "Keyframe 'k' has invalid qpos size, got 1, should be 2"));
}

// keyframes of a child that still wait for compilation come along under their names
static int warned;
static void countWarning(const char* message) {
  warned += strstr(message, "model has pending keyframes") != NULL;
}

static void pendingKeyframes(void** state) {
  (void)state;
#define BODY(inside) "<body name='b'><joint name='j' type='slide'/><geom size='1'/>" inside "</body>"
  mjSpec* leaf =
      parse("<mujoco><worldbody>" BODY("") "</worldbody><keyframe><key name='l' qpos='1'/></keyframe></mujoco>");
  mjSpec* middle = parse("<mujoco><worldbody>" BODY(
      "<frame name='f'/>") "</worldbody><keyframe><key name='m' qpos='2'/></keyframe></mujoco>");
  mjSpec* top = parse("<mujoco><worldbody>" BODY("") "<frame name='f'/></worldbody></mujoco>");
  warned = 0;
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = countWarning;
  mjs_attach(mjs_findFrame(middle, "f")->element, mjs_findBody(leaf, "b")->element, "l-", "");
  assert_int_equal(warned, 0);
  mjs_attach(mjs_findFrame(top, "f")->element, mjs_findBody(middle, "b")->element, "m-", "");
  assert_int_equal(warned, 1);
  mju_user_warning = before;
  mjModel* m = compile(top);
  assert_int_equal(m->nkey, 2);
  assert_string_equal(mj_id2name(m, mjOBJ_KEY, 0), "m-m");
  assert_string_equal(mj_id2name(m, mjOBJ_KEY, 1), "l-l");
  const double qpos[2][3] = {
      {0, 2, 0},
      {0, 0, 1}
  };
  assert_memory_equal(m->key_qpos, qpos, sizeof(qpos));
  mj_deleteModel(m);
  mj_deleteSpec(leaf);
  mj_deleteSpec(middle);
  mj_deleteSpec(top);
}

// -------------------------------------------------------------------------------------------- signature

// a compiled model belongs to its spec until elements come or go
// a light inside a turned frame goes back into the frame's axes and comes out the same
static void lightsInFramesComeBack(void** state) {
  (void)state;
  mjSpec* s = parse(
      "<mujoco><worldbody><frame pos='1 2 3' euler='30 40 50'><light name='l' pos='.1 .2 .3' dir='.6 0 -.8'/></frame>"
      "</worldbody></mujoco>");
  mjModel* m = compile(s);
  const mjtNum edited[3] = {0, 0.28, -0.96};
  mju_copy3(m->light_dir, edited);
  assert_true(mj_copyBack(s, m));
  mjModel* again = compile(s);
  for (int k = 0; k < 3; k++) {
    assert_true(fabs(again->light_dir[k] - edited[k]) < 1e-12);
    assert_true(fabs(again->light_pos[k] - m->light_pos[k]) < 1e-12);
  }
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void signatures(void** state) {
  (void)state;
  mjSpec* s = parse("<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>");
  mjModel *m = compile(s), *again = compile(s);
  assert_true(m->signature == again->signature && s->element->signature == m->signature);
  mjs_addSite(mjs_findBody(s, "b"), NULL);
  assert_true(s->element->signature != m->signature);
  assert_int_equal(mj_copyBack(s, m), 0);
  assert_non_null(strstr(mjs_getError(s), "incompatible signatures"));
  mj_deleteModel(again);
  again = compile(s);
  assert_true(s->element->signature == again->signature && again->signature != m->signature);
  assert_int_equal(mj_copyBack(s, again), 1);
  assert_int_equal(mjs_delete(s, mjs_findBody(s, "b")->element), 0);
  assert_true(s->element->signature != again->signature);
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- plugins

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void noWork(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

static void registerIdle(void) {
  mjpPlugin idle;
  mjp_defaultPlugin(&idle);
  idle.name = "sinew.test.idle";
  idle.capabilityflags = mjPLUGIN_PASSIVE;
  idle.nstate = noState;
  idle.compute = noWork;
  mjp_registerPlugin(&idle);
}

// a program may name the plugin at the element alone
static void pluginsNamedByTheirElement(void** state) {
  (void)state;
  registerIdle();
  mjSpec* s = mj_makeSpec();
  assert_int_equal(mjs_activatePlugin(s, "sinew.test.idle"), 0);
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_setString(body->plugin.plugin_name, "sinew.test.idle");
  body->plugin.element = mjs_addPlugin(s)->element;
  body->plugin.active = 1;
  mjModel* m = compile(s);
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->body_plugin[1], 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// of the named instances of an attached model only those come along that are used, behind those without a name
static void unusedPluginsStayBehind(void** state) {
  (void)state;
  registerIdle();
  mjSpec* child = parse(
      "<mujoco><extension><plugin plugin='sinew.test.idle'><instance name='one'/><instance name='two'/></plugin>"
      "</extension><worldbody><body name='plain'/>"
      "<body name='with'><plugin instance='two'/><body><plugin plugin='sinew.test.idle'/></body></body></worldbody>"
      "</mujoco>");
  static const struct {
    const char* body;
    int nplugin;
  } cases[] = {
      {"plain", 0},
      {"with",  2}
  };
  for (int i = 0; i < 2; i++) {
    mjSpec* parent = mj_makeSpec();
    mjs_setDeepCopy(parent, 1);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
    assert_non_null(mjs_attach(frame->element, mjs_findBody(child, cases[i].body)->element, "c-", ""));
    int id = 0;
    for (mjsElement* e = mjs_firstElement(parent, mjOBJ_PLUGIN); e; e = mjs_nextElement(parent, e)) {
      assert_int_equal(mjs_getId(e), id++);
    }
    mjModel* m = compile(parent);
    assert_int_equal(m->nplugin, cases[i].nplugin);
    if (m->nplugin) {
      assert_string_equal(mj_id2name(m, mjOBJ_PLUGIN, 1), "c-two");
      assert_int_equal(m->body_plugin[1], 1);
      assert_int_equal(m->body_plugin[2], 0);
    }
    mj_deleteModel(m);
    mj_deleteSpec(parent);
  }
  mj_deleteSpec(child);
}

// attributes beside a reference to a named instance do not count: the instance has its own
static void namedPluginsKeepTheirAttributes(void** state) {
  (void)state;
  static const char* const attributes[] = {"size"};
  mjpPlugin sized;
  mjp_defaultPlugin(&sized);
  sized.name = "sinew.test.sized";
  sized.capabilityflags = mjPLUGIN_PASSIVE;
  sized.nattribute = 1;
  sized.attributes = attributes;
  sized.nstate = noState;
  sized.compute = noWork;
  mjp_registerPlugin(&sized);
  mjSpec* s = parse(
      "<mujoco><extension><plugin plugin='sinew.test.sized'><instance name='one'><config key='size' value='2'/>"
      "</instance></plugin></extension><worldbody><body><plugin instance='one'><config key='size' value='4'/>"
      "<config key='unknown' value='5'/></plugin></body></worldbody></mujoco>");
  mjModel* m = compile(s);
  assert_int_equal(m->nplugin, 1);
  assert_int_equal(m->body_plugin[1], 0);
  assert_string_equal(mj_getPluginConfig(m, 0, "size"), "2");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- plugin attributes

// libc++'s std::map<std::string, std::string>
typedef struct MapNode {
  struct MapNode *left, *right, *parent;
  uintptr_t black;
  SpcString key, value;
} MapNode;

typedef struct {
  MapNode *first, *root;
  size_t count;
} Map;

static MapNode* nextNode(MapNode* node) {
  if (node->right) {
    for (node = node->right; node->left; node = node->left) {
    }
    return node;
  }
  while (node->parent->left != node) node = node->parent;
  return node->parent;
}

static void pluginAttributes(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsPlugin* plugin = mjs_addPlugin(s);
  SpcPlugin* instance = (SpcPlugin*)spc_head(plugin->element);

  // every size of tree is walked in order, as a program would
  for (int n = 0; n < 20; n++) {
    const Map* map = mjs_getPluginAttributes(plugin);
    assert_int_equal(map->count, n);
    MapNode* node = map->first;
    for (int i = 0; i < n; i++, node = nextNode(node)) {
      char key[10];
      snprintf(key, sizeof(key), "%c", 'a' + i);
      assert_string_equal(spc_text(&node->key), key);
      assert_string_equal(spc_text(&node->value), "value");
    }
    assert_ptr_equal(node, &map->root);
    spc_setAttribute(instance, (char[]){(char)('a' + n), 0}, "value");
  }

  // a tree of a program's own
  MapNode left = {0}, root = {.left = &left};
  left.parent = &root;
  Map given = {&left, &root, 2};
  root.parent = (MapNode*)(void*)&given.root;
  spc_textSet(&left.key, "bend");
  spc_textSet(&left.value, "1");
  spc_textSet(&root.key, "twist");
  spc_textSet(&root.value, "a value that does not fit into the short form of a string");
  mjs_setPluginAttributes(plugin, &given);
  assert_string_equal(spc_attribute(instance, "bend"), "1");
  assert_string_equal(spc_attribute(instance, "twist"), spc_text(&root.value));
  assert_null(spc_attribute(instance, "a"));
  spc_textFree(&root.value);
  mj_deleteSpec(s);
}

// a program may copy whole structs, pointers and all: what an element owns is freed once
static void copiedStructs(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsPlugin* plugin = mjs_addPlugin(s);
  mjs_setString(plugin->name, "an instance whose name is long enough for the heap");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_PLUGIN, mjs_getString(plugin->name)), plugin->element);
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  body->plugin = *plugin;
  assert_ptr_equal(mjs_getString(body->plugin.name), mjs_getString(plugin->name));
  mj_deleteSpec(s);
}

// -------------------------------------------------------------------------------------------- facts

static void sensorDimensions(void** state) {
  (void)state;
  mjModel* m = tst_model("sensor_zoo");
  char error[500] = "";
  mjSpec* s = mj_parseXML("test/models/sensor_zoo.xml", NULL, error, sizeof(error));
  assert_non_null(s);
  int i = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_SENSOR); e; e = mjs_nextElement(s, e), i++) {
    assert_int_equal(mjs_sensorDim(mjs_asSensor(e)), m->sensor_dim[i]);
  }
  assert_int_equal(i, m->nsensor);
  mj_deleteSpec(s);
  mj_deleteModel(m);

  // three values for every vertex of what touches
  s = mj_parseXMLString(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><body><geom name='g' "
      "type='mesh' mesh='m'/></body></worldbody><sensor><tactile geom='g' mesh='m'/></sensor></mujoco>",
      NULL, error, sizeof(error));
  assert_non_null(s);
  assert_int_equal(mjs_sensorDim(mjs_asSensor(mjs_firstElement(s, mjOBJ_SENSOR))), 12);
  mj_deleteSpec(s);
}

// the printed schema is the reference's; without it, it names every section
static void printedSchema(void** state) {
  (void)state;
  enum { ROOM = 100000 };
  char *ours = malloc(ROOM), *theirs = malloc(ROOM);
  assert_true(ours && theirs);
  for (int html = 0; html < 2; html++) {
    for (int pad = 0; pad < 2; pad++) {
      const int length = mj_printSchema(NULL, ours, ROOM, html, pad);
      assert_int_equal(length, (int)strlen(ours));
      assert_non_null(strstr(ours, "(world)body"));
      assert_non_null(strstr(ours, "flexcomp"));
      orc_sameInt(ORC(mj_printSchema)(NULL, theirs, ROOM, html, pad), length);
      orc_sameText(ours, theirs);
    }
  }
  assert_int_equal(mj_printSchema(NULL, ours, 10, 0, 0), mj_printSchema(NULL, NULL, 0, 0, 0));
  assert_int_equal(strlen(ours), 9);
  free(ours);
  free(theirs);
}

static void dependencies(void** state) {
  (void)state;
  SpcVec files = {0};
  mju_getXMLDependencies("test/spec/include/main.xml", &files);
  static const char* expected[] = {"test/spec/include/main.xml",         "test/spec/include/part.xml",
                                   "test/spec/include/deeper/leaf.xml",  "test/spec/include/meshes/cube.obj",
                                   "test/spec/include/pictures/sky.png", "test/spec/include/child.xml",
                                   "test/spec/include/own.stl"};
  assert_int_equal(spc_textsCount(&files), sizeof(expected) / sizeof(expected[0]));
  for (size_t i = 0; i < spc_textsCount(&files); i++) {
    int found = 0;
    for (size_t k = 0; k < sizeof(expected) / sizeof(expected[0]); k++) {
      found |= spc_textIs(spc_textsAt(&files, i), expected[k]);
    }
    if (!found) fail_msg("%s", spc_text(spc_textsAt(&files, i)));
  }
  spc_textsFree(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesAreFound),
      cmocka_unit_test(classWithoutName),
      cmocka_unit_test(copiesCompileTheSame),
      cmocka_unit_test(attachedBodies),
      cmocka_unit_test(attachedFramesAndSites),
      cmocka_unit_test(settingsStayAlive),
      cmocka_unit_test(deletedBodies),
      cmocka_unit_test(deletedLeaves),
      cmocka_unit_test(bodiesBecomeFrames),
      cmocka_unit_test(replicatedKeyframes),
      cmocka_unit_test(pendingKeyframes),
      cmocka_unit_test(pluginAttributes),
      cmocka_unit_test(copiedStructs),
      cmocka_unit_test(copiedKeyframes),
      cmocka_unit_test(sensorDimensions),
      cmocka_unit_test(printedSchema),
      cmocka_unit_test(dependencies),
      cmocka_unit_test(pluginsNamedByTheirElement),
      cmocka_unit_test(unusedPluginsStayBehind),
      cmocka_unit_test(namedPluginsKeepTheirAttributes),
      cmocka_unit_test(signatures),
      cmocka_unit_test(lightsInFramesComeBack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
