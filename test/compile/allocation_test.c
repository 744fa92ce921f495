// Every allocation fails once: loading, compiling, making and copying data, stepping, saving, scenes and render
// contexts. Whatever fails gives NULL or a status with a message, or raises where that is its way; nothing is lost, and
// the library goes on.
//
// The program has its own malloc, which counts, can fail, and knows what was not freed. Run it with a number to try
// every allocation instead of a sample, and with the name of a case to try only that: test_compile_allocation 1 load
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

// -------------------------------------------------------------------------------------------- malloc

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

enum { TABLE = 1 << 18, FRAMES = 14 };

// blocks of the trial that runs, by address
static struct {
  void* block;
  void* frame[FRAMES];
  int nframe;
} table[TABLE];

static struct {
  pthread_mutex_t lock;
  int on;       // allocations are counted and remembered
  long count;   // allocations of this trial
  long fail;    // the one that fails, 0: none
  long live;    // blocks of this trial that were not freed
  int failed;   // 1: it did
  int verbose;  // remember who asked
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int inside;

static size_t slotOf(const void* block) {
  size_t i = (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 40) % TABLE;
  while (table[i].block && table[i].block != block) i = (i + 1) % TABLE;
  return i;
}

static void forget(const void* block) {
  size_t gap = slotOf(block);
  if (!table[gap].block) return;
  heap.live--;
  table[gap].block = NULL;

  // what lies behind may belong into the gap
  for (size_t i = (gap + 1) % TABLE; table[i].block; i = (i + 1) % TABLE) {
    void* const moved = table[i].block;
    table[i].block = NULL;
    const size_t to = slotOf(moved);
    table[to] = table[i];
    table[to].block = moved;
  }
}

// 1: this allocation is to fail
static int mustFail(void) {
  if (!heap.on || inside) return 0;
  pthread_mutex_lock(&heap.lock);
  const int fails = ++heap.count == heap.fail;
  heap.failed |= fails;
  pthread_mutex_unlock(&heap.lock);
  if (fails) errno = ENOMEM;
  return fails;
}

static void* remember(void* block) {
  if (!block || !heap.on || inside) return block;
  inside = 1;
  pthread_mutex_lock(&heap.lock);
  const size_t i = slotOf(block);
  heap.live += !table[i].block;
  table[i].block = block;
  table[i].nframe = heap.verbose ? backtrace(table[i].frame, FRAMES) : 0;
  pthread_mutex_unlock(&heap.lock);
  inside = 0;
  return block;
}

void* malloc(size_t size) {
  return mustFail() ? NULL : remember(__libc_malloc(size));
}
void* calloc(size_t n, size_t size) {
  return mustFail() ? NULL : remember(__libc_calloc(n, size));
}
void* aligned_alloc(size_t alignment, size_t size) {
  return mustFail() ? NULL : remember(__libc_memalign(alignment, size));
}
void free(void* block) {
  if (!block) return;
  pthread_mutex_lock(&heap.lock);
  forget(block);
  pthread_mutex_unlock(&heap.lock);
  __libc_free(block);
}
void* realloc(void* block, size_t size) {
  if (mustFail()) return NULL;
  void* const moved = __libc_realloc(block, size);
  if (!moved) return NULL;
  pthread_mutex_lock(&heap.lock);
  if (block) forget(block);
  pthread_mutex_unlock(&heap.lock);
  return remember(moved);
}

// -------------------------------------------------------------------------------------------- work

// what the cases make; freed after each trial
static struct {
  mjVFS vfs;
  mjSpec *spec, *other;
  mjModel *m, *copy;
  mjData *d, *twin;
  mjvScene scene;
  mjrContext con;
  mjThreadPool* pool;
  char* text;
  char error[500];
  int raised;
} w;

static const char* const MAIN =
    "<mujoco model='a model with a name that is long enough for the heap'>"
    "<compiler meshdir='meshes'/><include file='part.xml'/><size nuserdata='3'/>"
    "<custom><numeric name='n' data='1 2 3'/><text name='t' data='a text that is too long for a short string'/>"
    "<tuple name='u'><element objtype='body' objname='arm of a robot with a long name' prm='2'/></tuple></custom>"
    "<asset><mesh name='m' file='tetra.obj'/><mesh name='b' builtin='sphere' params='1'/>"
    "<texture name='c' type='2d' builtin='checker' width='8' height='8'/><material name='k' texture='c'/>"
    "<hfield name='h' nrow='3' ncol='3' size='1 1 .5 .1' elevation='0 1 0 1 2 1 0 1 0'/></asset>"
    "<worldbody><geom type='plane' size='2 2 .1' material='k'/><geom type='hfield' hfield='h' pos='5 0 0'/><light/>"
    "<camera name='eye'/><site name='s0' pos='0 0 1'/>"
    "<body name='arm of a robot with a long name' pos='0 0 1'><joint name='j' range='-1 1' limited='true'/>"
    "<geom type='mesh' mesh='m'/><geom type='mesh' mesh='b' pos='0 1 0'/><site name='s1'/>"
    "<body name='hand' pos='.5 0 0'><joint name='k' type='ball'/><geom size='.1'/></body></body>"
    "<replicate count='2' offset='0 0 .3'><body name='r' pos='2 0 1'><freejoint/><geom size='.1'/></body></replicate>"
    "<flexcomp name='cloth' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' pos='0 3 1' mass='1'>"
    "<pin id='0'/><edge equality='true'/></flexcomp>"
    "<composite type='cable' prefix='c' curve='s' count='4 1 1' size='1' offset='0 -3 1'>"
    "<geom type='capsule' size='.05'/><joint kind='main' damping='.1'/></composite></worldbody>"
    "<contact><exclude body1='hand' body2='world'/></contact>"
    "<equality><joint joint1='j'/></equality>"
    "<tendon><spatial name='x'><site site='s0'/><site site='s1'/></spatial><fixed><joint joint='j' coef='1'/></fixed>"
    "</tendon><actuator><motor joint='j'/><muscle name='y' tendon='x' lengthrange='0 1'/></actuator>"
    "<sensor><jointpos joint='j'/><framepos objtype='body' objname='hand'/></sensor>"
    "<keyframe><key name='rest' time='1'/></keyframe></mujoco>";
static const char* const PART =
    "<mujoco><default><geom rgba='1 0 0 1'/><default class='a class that is included by name'><joint damping='1'/>"
    "</default></default></mujoco>";
static const char* const OBJ = "v 0 0 0\nv .3 0 0\nv 0 .3 0\nv 0 0 .3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char* const MESHES =
    "<mujoco><asset><mesh name='a' file='t.msh'/><mesh name='b' file='t.stl'/></asset><worldbody>"
    "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/></worldbody></mujoco>";
static char folder[] = "/tmp/sinew-allocation-XXXXXX";  // of compiled models
static const char* const SMALL =
    "<mujoco><worldbody><geom type='plane' size='2 2 .1'/><body name='a body with a long name' pos='0 0 .1'>"
    "<freejoint/><geom size='.1'/><site name='s'/></body></worldbody></mujoco>";
static const char* const ROBOT =
    "<robot name='r'><link name='base'><visual><geometry><box size='1 1 1'/></geometry></visual></link>"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><sphere radius='.1'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";

static void fillVfs(void) {
  mj_defaultVFS(&w.vfs);
  mj_addBufferVFS(&w.vfs, "main.xml", MAIN, (int)strlen(MAIN));
  mj_addBufferVFS(&w.vfs, "part.xml", PART, (int)strlen(PART));
  mj_addBufferVFS(&w.vfs, "tetra.obj", OBJ, (int)strlen(OBJ));
}

// a tetrahedron in the binary formats: numbers of the kinds of values and those in turn; triangles one by one
static void fillMeshes(void) {
  static const float vert[12] = {0, 0, 0, .3f, 0, 0, 0, .3f, 0, 0, 0, .3f};
  static const int face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, sizes[4] = {4, 0, 0, 4}, triangles = 4;
  unsigned char msh[16 + 48 + 48], stl[84 + 4 * 50] = {0};
  memcpy(msh, sizes, 16);
  memcpy(msh + 16, vert, 48);
  memcpy(msh + 64, face, 48);
  memcpy(stl + 80, &triangles, 4);
  for (int i = 0; i < 12; i++) memcpy(stl + 84 + i / 3 * 50 + 12 + i % 3 * 12, vert + 3 * (size_t)face[i], 12);
  mj_defaultVFS(&w.vfs);
  mj_addBufferVFS(&w.vfs, "main.xml", MESHES, (int)strlen(MESHES));
  mj_addBufferVFS(&w.vfs, "t.msh", msh, sizeof(msh));
  mj_addBufferVFS(&w.vfs, "t.stl", stl, sizeof(stl));
}

// what a case needs is made before its allocations are counted
static void needNothing(void) {}
static void needFiles(void) {
  fillVfs();
}
static void needMeshes(void) {
  fillMeshes();
}
static void needModel(void) {
  fillVfs();
  w.m = mj_loadXML("main.xml", &w.vfs, w.error, sizeof(w.error));
}
static void needData(void) {
  needModel();
  w.d = mj_makeData(w.m);
}
static void needSpec(void) {
  fillVfs();
  w.spec = mj_parseXML("main.xml", &w.vfs, w.error, sizeof(w.error));
  w.m = mj_compile(w.spec, &w.vfs);
  w.other = mj_parseXMLString(SMALL, NULL, w.error, sizeof(w.error));
}

// 1: the case did what it is there for
static int doVfs(void) {
  mj_defaultVFS(&w.vfs);
  if (!w.vfs.impl_) return 0;
  return mj_addBufferVFS(&w.vfs, "a.xml", SMALL, (int)strlen(SMALL)) == 0;
}
static int doLoad(void) {
  w.m = mj_loadXML("main.xml", &w.vfs, w.error, sizeof(w.error));
  return w.m != NULL;
}
// the second time the model is found compiled, the third time it replaces one that was
static int doCached(void) {
  int good = sn_cacheModels(folder, w.error, sizeof(w.error)) == SN_OK;
  for (int i = 0; i < 3 && good; i++) {
    mj_deleteModel(w.m);
    w.m = mj_loadXML("test/models/pendulum.xml", NULL, w.error, sizeof(w.error));
    good = w.m != NULL;
  }
  return good;
}
static int doString(void) {
  w.spec = mj_parseXMLString(SMALL, NULL, w.error, sizeof(w.error));
  return w.spec != NULL;
}
static int doRobot(void) {
  w.spec = mj_parseXMLString(ROBOT, NULL, w.error, sizeof(w.error));
  return w.spec != NULL;
}
static int doCompile(void) {
  mjModel* const again = mj_compile(w.spec, &w.vfs);
  snprintf(w.error, sizeof(w.error), "%s", mjs_getError(w.spec));
  w.copy = again;
  return again != NULL;
}
static int doRecompile(void) {
  mjsBody* const body = mjs_addBody(mjs_findBody(w.spec, "world"), NULL);
  mjs_addGeom(body, NULL)->size[0] = 1;
  const int status = mj_recompile(w.spec, &w.vfs, w.m, w.d);
  snprintf(w.error, sizeof(w.error), "%s", mjs_getError(w.spec));
  if (status) w.m = NULL, w.d = NULL;
  return status == 0;
}
static int doBinary(void) {
  const int size = (int)mj_sizeModel(w.m);
  w.text = malloc((size_t)size);
  if (!w.text) return 0;
  mj_saveModel(w.m, NULL, w.text, size);
  w.copy = mj_loadModelBuffer(w.text, size);
  if (!w.copy) return 0;

  // one that is refused when its numbers are looked at
  mjModel* const broken = mj_copyModel(NULL, w.m);
  if (!broken) return 0;
  broken->geom_bodyid[0] = 1000;
  mj_saveModel(broken, NULL, w.text, size);
  mj_deleteModel(broken);
  return mj_loadModelBuffer(w.text, size) == NULL;
}
static int doData(void) {
  w.d = mj_makeData(w.m);
  return w.d != NULL;
}
static int doStep(void) {
  for (int i = 0; i < 3; i++) mj_step(w.m, w.d);
  mj_resetData(w.m, w.d);
  mj_inverse(w.m, w.d);
  return 1;
}
static int doCopy(void) {
  w.copy = mj_copyModel(NULL, w.m);
  if (!w.copy) return 0;
  w.twin = mj_copyData(NULL, w.m, w.d);
  return w.twin != NULL;
}
static int doCopySpec(void) {
  mj_deleteSpec(w.other);
  w.other = NULL;
  w.other = mj_copySpec(w.spec);
  return w.other != NULL;
}
static int doAttach(void) {
  mjsFrame* const frame = mjs_addFrame(mjs_findBody(w.spec, "world"), NULL);
  const mjsBody* const body = mjs_findBody(w.other, "a body with a long name");
  return mjs_attach(frame->element, body->element, "a prefix that is long enough for the heap", "") != NULL;
}
static int doEdit(void) {
  mjsBody* const body = mjs_addBody(mjs_findBody(w.spec, "world"), NULL);
  mjs_setName(body->element, "a new body with quite a long name");
  mjs_addSite(body, NULL);
  mjsTendon* const tendon = mjs_addTendon(w.spec, NULL);
  mjs_wrapSite(tendon, "a site with a name that is long enough");
  mjs_addDefault(w.spec, "a new class with quite a long name", NULL);
  const double data[3] = {1, 2, 3};
  mjsNumeric* const numeric = mjs_addNumeric(w.spec);
  mjs_setDouble(numeric->data, data, 3);
  mjsTexture* const texture = mjs_addTexture(w.spec);
  mjs_setInStringVec(texture->cubefiles, 2, "a file with a name that is long enough");
  return mjs_delete(w.spec, body->element) == 0;
}
// what the second call takes is given back at its end
static int doCopyBack(void) {
  if (!mj_copyBack(w.spec, w.m)) return 0;
  const long live = heap.live;
  const int good = mj_copyBack(w.spec, w.m);
  if (heap.live != live) snprintf(w.error, sizeof(w.error), "blocks stay behind");
  return good && heap.live == live;
}
static int doSave(void) {
  enum { ROOM = 1 << 17 };
  w.text = malloc(ROOM);
  const long live = heap.live;
  const int good = w.text && mj_saveXMLString(w.spec, w.text, ROOM, w.error, sizeof(w.error)) == 0;
  if (good && heap.live != live) snprintf(w.error, sizeof(w.error), "blocks stay behind");
  return good && heap.live == live;
}
static int doSaveLast(void) {
  return mj_saveLastXML("/dev/null", w.m, w.error, sizeof(w.error));
}
static int doScene(void) {
  mjvOption option;
  mjvCamera camera;
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_defaultScene(&w.scene);
  mjv_makeScene(w.m, &w.scene, 1000);
  mjv_updateScene(w.m, w.d, &option, NULL, &camera, mjCAT_ALL, &w.scene);
  return w.scene.ngeom > 0;
}
static int doContext(void) {
  mjr_defaultContext(&w.con);
  mjr_makeContext(w.m, &w.con, mjFONTSCALE_100);
  return w.con.glInitialized;
}
static int doPool(void) {
  w.pool = mju_threadPoolCreate(2);
  if (!w.pool) return 0;
  mju_bindThreadPool(w.d, w.pool);
  mj_step(w.m, w.d);
  return 1;
}

static int doDepend(void) {
  mjStringVec* const files = mjs_addTexture(w.other)->cubefiles;
  mju_getXMLDependencies("test/spec/include/main.xml", files);
  return 1;
}

static void freeAll(void) {
  if (w.con.glInitialized) mjr_freeContext(&w.con);
  mjv_freeScene(&w.scene);
  mj_deleteData(w.d);
  mj_deleteData(w.twin);
  if (w.pool) mju_threadPoolDestroy(w.pool);
  mj_deleteModel(w.m);
  mj_deleteModel(w.copy);
  mj_deleteSpec(w.spec);
  mj_deleteSpec(w.other);
  mj_freeLastXML();
  sn_cacheModels(NULL, NULL, 0);
  mj_deleteVFS(&w.vfs);
  mj_clearCache(mj_getCache());
  free(w.text);
  memset(&w, 0, sizeof(w));
}

// may: what a failure may do: say why in w.error, return without a word, raise
enum { SAY = 1, SILENT = 2, RAISE = 4 };

static const struct {
  const char* name;
  void (*need)(void);
  int (*run)(void);
  int may;
} cases[] = {
    {"vfs",       needNothing, doVfs,       SILENT | RAISE},
    {"load",      needFiles,   doLoad,      SAY           },
    {"meshes",    needMeshes,  doLoad,      SAY           },
    {"cached",    needNothing, doCached,    SAY           },
    {"string",    needNothing, doString,    SAY           },
    {"robot",     needNothing, doRobot,     SAY           },
    {"compile",   needSpec,    doCompile,   SAY           },
    {"recompile", needSpec,    doRecompile, SAY | RAISE   },
    {"binary",    needModel,   doBinary,    SILENT | RAISE},
    {"data",      needModel,   doData,      RAISE         },
    {"step",      needData,    doStep,      0             },
    {"copy",      needData,    doCopy,      RAISE         },
    {"copyspec",  needSpec,    doCopySpec,  RAISE         },
    {"attach",    needSpec,    doAttach,    RAISE         },
    {"edit",      needSpec,    doEdit,      RAISE         },
    {"copyback",  needSpec,    doCopyBack,  RAISE         },
    {"save",      needSpec,    doSave,      SAY | SILENT  },
    {"savelast",  needModel,   doSaveLast,  SAY           },
    {"scene",     needData,    doScene,     RAISE         },
    {"context",   needData,    doContext,   RAISE         },
    {"pool",      needData,    doPool,      RAISE         },
    {"depend",    needSpec,    doDepend,    RAISE         },
};
enum { NCASE = sizeof(cases) / sizeof(cases[0]) };

// -------------------------------------------------------------------------------------------- trials

static jmp_buf back;
static int warned;

static void jump(const char* message) {
  snprintf(w.error, sizeof(w.error), "%s", message);
  w.raised = 1;
  longjmp(back, 1);
}

static void ignore(const char* message) {
  (void)message;
  warned = 1;
}

// one run of a case with allocation fail failing; 1: it came to its end
static int attempt(int id, long fail) {
  volatile int done = 0;
  mju_user_error = jump;
  mju_user_warning = ignore;
  heap.on = 0;
  heap.count = heap.live = heap.fail = heap.failed = 0;
  heap.on = 1;
  cases[id].need();
  heap.count = 0;
  heap.fail = fail;
  if (!setjmp(back)) done = cases[id].run();
  heap.fail = 0;
  return done;
}

static void printLeaks(void) {
  heap.on = 0;
  for (int i = 0; i < TABLE; i++) {
    if (!table[i].block) continue;
    print_error("lost %p\n", table[i].block);
    backtrace_symbols_fd(table[i].frame, table[i].nframe, STDERR_FILENO);
  }
}

static long lost(void) {
  freeAll();
  const long live = heap.live;
  if (live && heap.verbose) printLeaks();
  heap.on = 0;
  memset(table, 0, sizeof(table[0]) * (live ? TABLE : 0));
  heap.live = 0;
  return live;
}

// what went wrong when allocation fail failed; NULL: nothing
static const char* trial(int id, long fail) {
  const int done = attempt(id, fail);
  const int may = cases[id].may;
  const int failed = heap.failed;
  const char* wrong = NULL;
  if (!failed) wrong = "allocation was never made";
  if (!done && w.raised && !(may & RAISE)) wrong = "raised";
  if (!done && !w.raised && !w.error[0] && !(may & SILENT)) wrong = "no message";
  if (wrong) print_error("%s, allocation %ld: %s (%s)\n", cases[id].name, fail, wrong, w.error);
  const long leaks = lost();
  if (leaks) {
    print_error("%s, allocation %ld: %ld blocks lost\n", cases[id].name, fail, leaks);
    wrong = "lost";
  }
  return wrong;
}

static long total, bad;

// every stride-th allocation of a case fails once; afterwards it works as before
static void runCase(int id, long stride) {
  // what is made once per process is there after a first run
  if (!attempt(id, 0)) fail_msg("%s: %s", cases[id].name, w.error);
  lost();
  assert_true(attempt(id, 0));
  const long n = heap.count;
  assert_int_equal(lost(), 0);

  long failures = 0, tried = 0;
  for (long k = 1; k <= n; k += k < 40 ? 1 : stride, tried++) failures += trial(id, k) != NULL;
  assert_true(attempt(id, 0));
  assert_int_equal(lost(), 0);
  print_message("%-10s %6ld allocations, %6ld failed once, %ld badly\n", cases[id].name, n, tried, failures);
  total += tried;
  bad += failures;
}

static long chosenStride = 23;
static const char* chosenCase;

static void everyAllocationMayFail(void** state) {
  (void)state;
  // an OpenGL that draws nothing, current at all times
  assert_non_null(dlopen(FAKE_OSMESA, RTLD_NOW | RTLD_LOCAL));
  assert_non_null(mkdtemp(folder));
  for (int id = 0; id < NCASE; id++) {
    if (!chosenCase || !strcmp(chosenCase, cases[id].name)) runCase(id, chosenStride);
  }
  char command[100];
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  print_message("%ld trials\n", total);
  assert_int_equal(bad, 0);
}

int main(int argc, char** argv) {
  if (argc > 1) chosenStride = strtol(argv[1], NULL, 10);
  if (argc > 2) chosenCase = argv[2];
  heap.verbose = argc > 2;
  void* frame[4];
  backtrace(frame, 4);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyAllocationMayFail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
