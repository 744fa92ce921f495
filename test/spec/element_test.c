// The editable model: built-in values against the reference, strings and vectors, classes, lists, user values.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "spec/element.h"
#include "support/oracle.h"

// every mjs_default function gives the reference's bytes
static void builtinValuesAgree(void** state) {
  (void)state;
#define SAME(Type, name)                                                     \
  do {                                                                       \
    Type ours, theirs;                                                       \
    memset(&ours, 0, sizeof(ours));                                          \
    memset(&theirs, 0, sizeof(theirs));                                      \
    name(&ours);                                                             \
    ORC(name)(&theirs);                                                      \
    orc_bytes(&theirs, sizeof(theirs));                                      \
    if (memcmp(&ours, &theirs, sizeof(ours))) fail_msg("%s differs", #name); \
  } while (0)
  SAME(mjSpec, mjs_defaultSpec);
  SAME(mjsOrientation, mjs_defaultOrientation);
  SAME(mjsBody, mjs_defaultBody);
  SAME(mjsFrame, mjs_defaultFrame);
  SAME(mjsJoint, mjs_defaultJoint);
  SAME(mjsGeom, mjs_defaultGeom);
  SAME(mjsSite, mjs_defaultSite);
  SAME(mjsCamera, mjs_defaultCamera);
  SAME(mjsLight, mjs_defaultLight);
  SAME(mjsFlex, mjs_defaultFlex);
  SAME(mjsMesh, mjs_defaultMesh);
  SAME(mjsHField, mjs_defaultHField);
  SAME(mjsSkin, mjs_defaultSkin);
  SAME(mjsTexture, mjs_defaultTexture);
  SAME(mjsMaterial, mjs_defaultMaterial);
  SAME(mjsPair, mjs_defaultPair);
  SAME(mjsEquality, mjs_defaultEquality);
  SAME(mjsTendon, mjs_defaultTendon);
  SAME(mjsActuator, mjs_defaultActuator);
  SAME(mjsSensor, mjs_defaultSensor);
  SAME(mjsNumeric, mjs_defaultNumeric);
  SAME(mjsText, mjs_defaultText);
  SAME(mjsTuple, mjs_defaultTuple);
  SAME(mjsKey, mjs_defaultKey);
  SAME(mjsPlugin, mjs_defaultPlugin);
#undef SAME
}

// the reference reads our strings and we read its own: the layout is shared
static void stringLayoutIsShared(void** state) {
  (void)state;
  const char* texts[] = {"", "a", "twenty-two characters.", "twenty-three characters",
                         "a text that is clearly too long for the short form of the string"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    SpcString s = {0};
    spc_textSet(&s, texts[i]);
    assert_string_equal(spc_text(&s), texts[i]);
    assert_int_equal(spc_textLength(&s), strlen(texts[i]));
    if (orc_available()) {
      assert_string_equal(ORC(mjs_getString)(&s), texts[i]);
      mjSpec* theirs = ORC(mj_makeSpec)();
      ORC(mjs_setString)(theirs->modelname, texts[i]);
      assert_string_equal(mjs_getString(theirs->modelname), texts[i]);
      ORC(mj_deleteSpec)(theirs);
    }
    spc_textFree(&s);
  }
}

static void vectorsGrowAndCopy(void** state) {
  (void)state;
  SpcVec v = {0};
  for (int i = 0; i < 1000; i++) spc_vecAppend(&v, &i, 1, sizeof(int));
  assert_int_equal(spc_vecCount(&v, sizeof(int)), 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal(((int*)(void*)v.begin)[i], i);
  spc_vecRemove(&v, 10, sizeof(int));
  assert_int_equal(((int*)(void*)v.begin)[10], 11);
  assert_int_equal(spc_vecCount(&v, sizeof(int)), 999);
  spc_vecFree(&v);

  SpcVec words = {0};
  mjs_setStringVec(&words, "  one two\tthree\n");
  assert_int_equal(spc_textsCount(&words), 3);
  assert_string_equal(spc_text(spc_textsAt(&words, 2)), "three");
  assert_true(mjs_setInStringVec(&words, 1, "zwei"));
  assert_false(mjs_setInStringVec(&words, 3, "vier"));
  assert_string_equal(spc_text(spc_textsAt(&words, 1)), "zwei");
  spc_textsFree(&words);
}

// an element starts as a copy of its class, and later classes do not change it
static void classesAreTemplates(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsDefault* red = mjs_addDefault(s, "red", NULL);
  assert_non_null(red);
  assert_null(mjs_addDefault(s, "red", NULL));
  red->geom->rgba[0] = 1;
  mjs_setString(red->geom->material, "paint");
  mjsDefault* deep = mjs_addDefault(s, "deep", red);
  assert_true(deep->geom->rgba[0] == 1);
  deep->geom->contype = 5;

  mjsGeom* plain = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  mjsGeom* made = mjs_addGeom(mjs_findBody(s, "world"), deep);
  assert_true(plain->rgba[0] == 0.5f);
  assert_int_equal(made->contype, 5);
  assert_string_equal(mjs_getString(made->material), "paint");
  deep->geom->contype = 7;
  mjs_setString(deep->geom->material, "other");
  assert_int_equal(made->contype, 5);
  assert_string_equal(mjs_getString(made->material), "paint");
  assert_ptr_equal(mjs_getDefault(made->element), deep);
  assert_ptr_equal(mjs_findDefault(s, "red"), red);
  mj_deleteSpec(s);
}

static void treeIsWalkedDepthFirst(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* a = mjs_addBody(world, NULL);
  mjsBody* b = mjs_addBody(world, NULL);
  mjsBody* c = mjs_addBody(a, NULL);
  assert_int_equal(mjs_setName(a->element, "a"), 0);
  assert_int_equal(mjs_setName(b->element, "b"), 0);
  assert_int_equal(mjs_setName(c->element, "c"), 0);
  assert_int_equal(mjs_setName(c->element, "a"), -1);
  assert_string_equal(mjs_getError(s), "Error: repeated name 'a' in body");
  assert_string_equal(mjs_getString(mjs_getName(c->element)), "a");
  assert_int_equal(mjs_setName(c->element, "c"), 0);

  const mjsElement* order[] = {world->element, a->element, c->element, b->element};
  mjsElement* e = mjs_firstElement(s, mjOBJ_BODY);
  for (int i = 0; i < 4; i++) {
    assert_ptr_equal(e, order[i]);
    e = mjs_nextElement(s, e);
  }
  assert_null(e);
  assert_ptr_equal(mjs_getParent(c->element), a);
  assert_ptr_equal(mjs_findChild(world, "c"), c);
  assert_ptr_equal(mjs_firstChild(world, mjOBJ_BODY, 0), a->element);
  assert_ptr_equal(mjs_nextChild(world, a->element, 0), b->element);
  assert_ptr_equal(mjs_nextChild(world, a->element, 1), c->element);

  // a frame cannot contain itself, nor reach across bodies
  mjsFrame* outer = mjs_addFrame(world, NULL);
  mjsFrame* inner = mjs_addFrame(world, outer);
  assert_int_equal(mjs_setFrame(outer->element, inner), -1);
  assert_int_equal(mjs_setFrame(c->element, inner), -1);
  assert_int_equal(mjs_setFrame(a->element, inner), 0);
  assert_ptr_equal(mjs_getFrame(a->element), inner);
  mj_deleteSpec(s);
}

static void tendonPath(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsSite* site = mjs_addSite(mjs_findBody(s, "world"), NULL);
  mjs_setName(site->element, "s");
  mjsTendon* t = mjs_addTendon(s, NULL);
  mjs_wrapSite(t, "s");
  mjs_wrapPulley(t, 2);
  mjs_wrapJoint(t, "j", 3);
  assert_int_equal(mjs_getWrapNum(t), 3);
  assert_ptr_equal(mjs_getWrapTarget(mjs_getWrap(t, 0)), site->element);
  assert_true(mjs_getWrapDivisor(mjs_getWrap(t, 1)) == 2);
  assert_true(mjs_getWrapCoef(mjs_getWrap(t, 2)) == 3);
  mj_deleteSpec(s);
}

static int cleaned;
static void countCleanup(const void* value) {
  (void)value;
  cleaned++;
}

static void userValues(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsElement* world = mjs_findBody(s, "world")->element;
  cleaned = 0;
  mjs_setUserValueWithCleanup(world, "k", "one", countCleanup);
  assert_string_equal(mjs_getUserValue(world, "k"), "one");
  mjs_setUserValueWithCleanup(world, "k", "two", countCleanup);
  assert_int_equal(cleaned, 1);
  mjs_setUserValue(world, "l", "three");
  mjs_deleteUserValue(world, "l");
  assert_null(mjs_getUserValue(world, "l"));
  mj_deleteSpec(s);
  assert_int_equal(cleaned, 2);
}

// a walk over n elements costs a few collections of them, not n; also one that deletes as it goes
static void walksAreLinear(void** state) {
  (void)state;
  enum { N = 10000 };
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* body = world;
  for (int i = 0; i < N; i++) {
    if (i % 100 == 0) body = mjs_addBody(i % 1000 ? body : world, NULL);
    mjs_addBody(body, NULL);
    mjs_addGeom(world, NULL);
    mjs_addNumeric(s);
  }
  const mjtObj kinds[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_NUMERIC};
  for (int k = 0; k < 3; k++) {
    SpcList list = SPC_TEMPORARY;
    clock_t start = clock();
    for (int i = 0; i < 200; i++) {
      spc_listFree(&list);
      spc_collect(spc_model(s), spc_kindOf(kinds[k]), &list);
    }
    const clock_t collected = clock() - start;

    start = clock();
    int n = 0;
    for (mjsElement* e = mjs_firstElement(s, kinds[k]); e; e = mjs_nextElement(s, e), n++) {
      assert_ptr_equal(e, &list.at[n]->base);
    }
    assert_int_equal(n, list.count);
    assert_true(clock() - start < collected);
    spc_listFree(&list);
  }

  // every other one goes, each after the walk has passed it
  mjsElement* e = mjs_firstElement(s, mjOBJ_NUMERIC);
  for (int i = 0; e; i++) {
    mjsElement* const gone = e;
    e = mjs_nextElement(s, e);
    if (i % 2) assert_int_equal(mjs_delete(s, gone), 0);
  }
  int n = 0;
  for (e = mjs_firstElement(s, mjOBJ_NUMERIC); e; e = mjs_nextElement(s, e)) n++;
  assert_int_equal(n, N / 2);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builtinValuesAgree),
      cmocka_unit_test(stringLayoutIsShared),
      cmocka_unit_test(vectorsGrowAndCopy),
      cmocka_unit_test(classesAreTemplates),
      cmocka_unit_test(treeIsWalkedDepthFirst),
      cmocka_unit_test(walksAreLinear),
      cmocka_unit_test(tendonPath),
      cmocka_unit_test(userValues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
