// Public functions with bad arguments, as far as a contract speaks of them, under an error handler that jumps and under
// one that returns: what they say, by the policy of docs/errors.md. walk_test.c walks all functions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include "support/model.h"

// -------------------------------------------------------------------------------------------- what calls work on

static struct {
  mjModel* m;
  mjData* d;
  mjSpec* spec;
  mjsBody* body;
  mjvScene scene;
  mjvPerturb pert;
  mjvCamera cam;
  mjrContext con;
  mjtNum num[4096];
  char text[64], error[200];
  int i;
} w;

static const char* const MODEL =
    "<mujoco><asset><mesh name='mesh' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom name='floor' "
    "type='plane' size='1 1 1'/><body name='b' pos='0 0 .1'><freejoint/><geom size='.1'/><geom type='mesh' "
    "mesh='mesh'/>"
    "<site name='s'/></body></worldbody><sensor><clock/></sensor></mujoco>";
static const mjLROpt LENGTHRANGE = {.timestep = 0.01, .timeconst = 1, .inttotal = 1, .interval = 1};

// Each line: function, what it says ("" nothing), call. Calls with ids on both sides of what there is, with enums and
// masks that mean nothing, with rooms that are too small.
#define CALLS(_)                                                                                           \
  /* files */                                                                                              \
  _(mj_addBufferVFS, "mjVFS is null", mj_addBufferVFS(NULL, "a", "b", 1))                                  \
  _(mj_addFileVFS, "mjVFS is null", mj_addFileVFS(NULL, "", "a"))                                          \
  _(mj_deleteFileVFS, "mjVFS is null", mj_deleteFileVFS(NULL, "a"))                                        \
  _(mj_mountVFS, "mjVFS is null", mj_mountVFS(NULL, "a", NULL))                                            \
  _(mj_unmountVFS, "mjVFS is null", mj_unmountVFS(NULL, "a"))                                              \
  _(mj_defaultVFS, "mjVFS is null", mj_defaultVFS(NULL))                                                   \
  _(mj_loadXML, "", mj_loadXML("/nowhere/a.xml", NULL, w.error, 4))                                        \
  _(mj_parseXML, "", mj_parseXML(NULL, NULL, w.error, 4))                                                  \
  _(mj_parseXMLString, "", mj_parseXMLString("<mujoco", NULL, w.error, 1))                                 \
  _(mj_parse, "", mj_parse("/nowhere/a.xml", NULL, NULL, w.error, 1))                                      \
  _(mj_saveLastXML, "", mj_saveLastXML("/nowhere/a.xml", NULL, w.error, 4))                                \
  _(mj_saveXML, "", mj_saveXML(w.spec, "/nowhere/a.xml", w.error, 4))                                      \
  _(mj_saveXMLString, "", mj_saveXMLString(w.spec, w.text, 1, w.error, 4))                                 \
  _(mj_saveModel, "the model needs", mj_saveModel(w.m, NULL, w.text, 3))                                   \
  _(mj_loadModel, "filename is NULL", mj_loadModel(NULL, NULL))                                            \
  _(mj_loadModelBuffer, "buffer is NULL", mj_loadModelBuffer(NULL, 0))                                     \
  _(mj_printSchema, "", mj_printSchema(NULL, w.text, 8, 0, 0))                                             \
  /* data */                                                                                               \
  _(mj_makeData, "m is NULL", mj_makeData(NULL))                                                           \
  _(mj_copyData, "m is NULL", mj_copyData(NULL, NULL, NULL))                                               \
  _(mjv_copyData, "m is NULL", mjv_copyData(NULL, NULL, NULL))                                             \
  _(mj_copyModel, "src is NULL", mj_copyModel(NULL, NULL))                                                 \
  _(mjv_copyModel, "dest is NULL", mjv_copyModel(NULL, w.m))                                               \
  _(mj_resetDataKeyframe, "", mj_resetDataKeyframe(w.m, w.d, 7))                                           \
  _(mj_setKeyframe, "index must be smaller", mj_setKeyframe(w.m, w.d, 7))                                  \
  _(mj_stackAllocByte, "", mj_stackAllocByte(w.d, 8, 3))                                                   \
  _(mj_stackAllocNum, "stack overflow", mj_stackAllocNum(w.d, (size_t)1 << 50))                            \
  _(mj_stackAllocInt, "stack overflow", mj_stackAllocInt(w.d, (size_t)1 << 50))                            \
  _(mj_stateSize, "invalid state", mj_stateSize(w.m, 1 << mjNSTATE))                                       \
  _(mj_getState, "invalid state", mj_getState(w.m, w.d, w.num, 1 << mjNSTATE))                             \
  _(mj_setState, "invalid state", mj_setState(w.m, w.d, w.num, -1))                                        \
  _(mj_copyState, "invalid state", mj_copyState(w.m, w.d, w.d, 1 << mjNSTATE))                             \
  _(mj_extractState, "not a subset", mj_extractState(w.m, w.num, mjSTATE_QPOS, w.num + 100, mjSTATE_QVEL)) \
  _(mj_readCtrl, "invalid actuator id 5", mj_readCtrl(w.m, w.d, 5, 0, 0))                                  \
  _(mj_readSensor, "invalid sensor id -1", mj_readSensor(w.m, w.d, -1, 0, w.num, 0))                       \
  _(mj_initCtrlHistory, "invalid actuator id 3", mj_initCtrlHistory(w.m, w.d, 3, NULL, w.num))             \
  _(mj_initSensorHistory, "no history buffer", mj_initSensorHistory(w.m, w.d, 0, NULL, w.num, 0))          \
  _(mj_setLengthRange, "invalid actuator index", mj_setLengthRange(w.m, w.d, 9, &LENGTHRANGE, w.error, 4)) \
  /* names and objects */                                                                                  \
  _(mj_name2id, "", mj_name2id(w.m, 99, "b"))                                                              \
  _(mj_id2name, "", mj_id2name(w.m, mjOBJ_BODY, 99))                                                       \
  _(mj_objectVelocity, "invalid object type 99", mj_objectVelocity(w.m, w.d, 99, 0, w.num, 0))             \
  _(mj_objectAcceleration, "invalid object type 99", mj_objectAcceleration(w.m, w.d, 99, 0, w.num, 0))     \
  _(mj_geomDistance, "invalid geom", mj_geomDistance(w.m, w.d, -1, 0, 1, NULL))                            \
  _(mj_contactForce, "", mj_contactForce(w.m, w.d, -1, w.num))                                             \
  _(mj_getPluginConfig, "", mj_getPluginConfig(w.m, -1, "a"))                                              \
  _(mj_rayMesh, "mesh type expected", mj_rayMesh(w.m, w.d, 0, w.num, w.num + 3, NULL))                     \
  _(mj_rayHfield, "hfield type expected", mj_rayHfield(w.m, w.d, 0, w.num, w.num + 3, NULL))               \
  _(mj_warning, "", mj_warning(w.d, mjWARN_INERTIA, 1 << 30))                                              \
  _(mju_type2Str, "", mju_type2Str(999))                                                                   \
  _(mju_str2Type, "", mju_str2Type("nothing"))                                                             \
  _(mju_warningText, "", mju_warningText(99, 0))                                                           \
  _(mjp_getPluginAtSlot, "", mjp_getPluginAtSlot(-1))                                                      \
  _(mjp_getResourceProviderAtSlot, "", mjp_getResourceProviderAtSlot(-1))                                  \
  /* drawing */                                                                                            \
  _(mjv_moveCamera, "unexpected action 99", mjv_moveCamera(w.m, 99, 0.1, 0.1, &w.scene, &w.cam))           \
  _(mjv_movePerturb, "frustum_near too small", mjv_movePerturb(w.m, w.d, 99, 0.1, 0.1, &w.scene, &w.pert)) \
  _(mjv_initGeom, "", mjv_initGeom(&(mjvGeom){0}, 12345, NULL, NULL, NULL, NULL))                          \
  _(mjv_connector, "invalid geom type 6", mjv_connector(&(mjvGeom){0}, mjGEOM_BOX, 1, w.num, w.num + 3))   \
  _(mjr_findRect, "", mjr_findRect(-5, -5, 0, NULL))                                                       \
  _(mjui_themeSpacing, "", mjui_themeSpacing(99))                                                          \
  _(mjui_themeColor, "", mjui_themeColor(-1))                                                              \
  /* specs */                                                                                              \
  _(mjs_attach, "element is null", mjs_attach(NULL, NULL, "", ""))                                         \
  _(mjs_findElement, "", mjs_findElement(w.spec, 99, "b"))                                                 \
  _(mjs_firstElement, "", mjs_firstElement(w.spec, 99))                                                    \
  _(mjs_firstChild, "", mjs_firstChild(w.body, 99, 1))                                                     \
  _(mjs_setInStringVec, "", mjs_setInStringVec(mjs_addTexture(w.spec)->cubefiles, 99, "a"))                \
  _(mjs_makeMesh, "", mjs_makeMesh(mjs_addMesh(w.spec, NULL), 99, NULL, 0))                                \
  _(mjs_setName, "", mjs_setName(mjs_addBody(w.body, NULL)->element, "b"))                                 \
  _(mjs_getWrap, "outside a path", mjs_getWrap(mjs_addTendon(w.spec, NULL), 3))                            \
  /* drawing with a context, resources, threads */                                                         \
  _(mj_loadPluginLibrary, "/nowhere/a.so", mj_loadPluginLibrary("/nowhere/a.so"))                          \
  _(mju_bindThreadPool, "thread_pool is NULL", mju_bindThreadPool(w.d, NULL))                              \
  _(mju_openResource, "", mju_openResource("", NULL, NULL, w.error, 4))                                    \
  _(mju_readResource, "", mju_readResource(NULL, NULL))                                                    \
  _(mju_closeResource, "", mju_closeResource(NULL))                                                        \
  _(mjr_makeContext, "", mjr_makeContext(w.m, &w.con, 7))                                                  \
  _(mjr_changeFont, "Invalid fontscale 7", mjr_changeFont(7, &w.con))                                      \
  _(mjr_addAux, "Invalid aux buffer index", mjr_addAux(99, 8, 8, 1, &w.con))                               \
  _(mjr_setAux, "Invalid aux buffer index", mjr_setAux(-1, &w.con))                                        \
  _(mjr_blitAux, "Invalid aux buffer index", mjr_blitAux(99, (mjrRect){0}, 0, 0, &w.con))                  \
  _(mjr_setBuffer, "", mjr_setBuffer(99, &w.con))                                                          \
  _(mjr_resizeOffscreen, "negative size", mjr_resizeOffscreen(-4, 8, &w.con))                              \
  _(mjr_uploadTexture, "Invalid texture index 99", mjr_uploadTexture(w.m, &w.con, 99))                     \
  _(mjr_uploadMesh, "Invalid mesh index -1", mjr_uploadMesh(w.m, &w.con, -1))                              \
  _(mjr_uploadHField, "Invalid height field index 99", mjr_uploadHField(w.m, &w.con, 99))                  \
  _(mjr_text, "", mjr_text(99, "a", &w.con, 0, 0, 1, 1, 1))                                                \
  _(mjr_overlay, "invalid grid position 99", mjr_overlay(99, 99, (mjrRect){0, 0, 8, 8}, "a", "b", &w.con)) \
  _(mjv_makeScene, "", mjv_makeScene(w.m, &w.scene, -3))                                                   \
  /* numbers */                                                                                            \
  _(mju_malloc, "Could not allocate memory", mju_malloc(SIZE_MAX))                                         \
  _(mju_error, "text", mju_error("text"))                                                                  \
  _(mju_error_i, "text 3", mju_error_i("text %d", 3))                                                      \
  _(mju_error_s, "text a", mju_error_s("text %s", "a"))

#define FUNCTION(name, message, call) \
  static void call_##name(void) {     \
    (void)(call);                     \
  }
CALLS(FUNCTION)

#define ROW(name, message, call) {#name, message, call_##name},
static const struct {
  const char *name, *message;
  void (*call)(void);
} calls[] = {CALLS(ROW)};
enum { NCALL = sizeof(calls) / sizeof(calls[0]) };

// -------------------------------------------------------------------------------------------- handlers

static jmp_buf back;
static char raised[1000];

static void jump(const char* message) {
  snprintf(raised, sizeof(raised), "%s", message);
  longjmp(back, 1);
}
static void comeBack(const char* message) {
  if (!*raised) snprintf(raised, sizeof(raised), "%s", message);
}
static void ignore(const char* message) {
  (void)message;
}

// the call has said what it must, and everything works as before
static int check(int i, const char* handler) {
  const char* const expected = calls[i].message;
  int good = *expected ? strstr(raised, expected) != NULL : !*raised;
  if (!good) print_error("%s (%s): '%s', expected '%s'\n", calls[i].name, handler, raised, expected);
  mju_user_error = jump;
  raised[0] = 0;
  w.d->pstack = w.d->pbase = 0;
  if (!setjmp(back)) {
    mj_resetData(w.m, w.d);
    mj_step(w.m, w.d);
  } else {
    print_error("%s (%s): the next step says '%s'\n", calls[i].name, handler, raised);
    good = 0;
  }
  return good;
}

static void badArgumentsAreBorne(void** state) {
  (void)state;
  int bad = 0;
  mju_user_warning = ignore;
  for (int i = 0; i < NCALL; i++) {
    raised[0] = 0;
    mju_user_error = jump;
    if (!setjmp(back)) calls[i].call();
    bad += !check(i, "a handler that jumps");
    raised[0] = 0;
    mju_user_error = comeBack;
    calls[i].call();
    bad += !check(i, "a handler that returns");
  }
  mju_clearHandlers();
  assert_int_equal(bad, 0);
}

static int setUp(void** state) {
  (void)state;
  w.m = tst_string(MODEL);
  w.d = mj_makeData(w.m);
  mj_step(w.m, w.d);
  w.spec = mj_parseXMLString(MODEL, NULL, w.error, sizeof(w.error));
  w.body = mjs_findBody(w.spec, "b");
  mjv_defaultScene(&w.scene);
  mjv_defaultCamera(&w.cam);
  mjv_defaultPerturb(&w.pert);
  mjv_makeScene(w.m, &w.scene, 10);

  // an OpenGL that draws nothing
  if (!dlopen(FAKE_OSMESA, RTLD_NOW | RTLD_LOCAL)) return -1;
  mjr_defaultContext(&w.con);
  mjr_makeContext(w.m, &w.con, mjFONTSCALE_100);
  return !w.m || !w.d || !w.spec;
}

static int tearDown(void** state) {
  (void)state;
  mjr_freeContext(&w.con);
  mjv_freeScene(&w.scene);
  mj_deleteData(w.d);
  mj_deleteModel(w.m);
  mj_deleteSpec(w.spec);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(badArgumentsAreBorne),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
