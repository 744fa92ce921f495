// Every public function with every argument wrong in turn: NULL for a pointer, numbers below and above what there is.
// Each call runs in a child of its own, under an error handler that jumps and under one that returns, and afterwards
// the library must still load, make and step. What the reference does with the same arguments is in walk.txt (one
// letter for each call, written by `test_abi_walk --record` with the reference): where it answers, this library
// answers.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mujoco/mujoco.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTIONS "walk.inc"
#include "abi/functions.h"
#include "support/model.h"

enum { MOST = 12 };  // arguments of a function

// -------------------------------------------------------------------------------------------- good arguments

// two of everything, so that 1 is an index that exists
static const char MODEL[] =
    "<mujoco><asset><mesh name='mesh' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><mesh name='b' vertex='0 0 0 1 0 0 0 1 0 0 0 "
    "1'/>"
    "<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/><hfield name='b' nrow='2' ncol='2' size='1 1 1 1'/>"
    "<texture name='t' type='2d' builtin='flat' width='2' height='2'/><texture name='b' type='2d' builtin='flat' "
    "width='2' height='2'/></asset><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='b' pos='0 0 "
    ".1'>"
    "<freejoint name='b'/><geom name='b' size='.1'/><geom type='mesh' mesh='mesh'/><site name='s'/><site name='b'/>"
    "<camera/><camera/><light/><light/></body><body name='c' pos='1 0 1'><joint name='j'/><geom size='.1'/></body>"
    "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' dim='2' pos='3 0 3'/>"
    "<flexcomp name='g' type='grid' count='2 2 1' spacing='.1 .1 .1' dim='2' pos='4 0 3'/></worldbody>"
    "<tendon><fixed name='b'><joint joint='j' coef='1'/></fixed><fixed name='c'><joint joint='j' "
    "coef='1'/></fixed></tendon>"
    "<actuator><motor joint='j' delay='.01' nsample='3'/><motor joint='j' delay='.01' nsample='3'/></actuator>"
    "<sensor><clock/><jointpos joint='j' delay='.01' nsample='3'/></sensor>"
    "<keyframe><key/><key/></keyframe></mujoco>";

enum { NUMBERS = 4096 };
static struct {
  mjModel* m;
  mjData* d;
  mjSpec* spec;
  mjsElement* body;
  mjVFS vfs;
  mjvScene scene;
  mjrContext con;
  double number[MOST][NUMBERS];
} w;

static void start(void) {
  char error[500] = "";
  w.spec = LIB(mj_parseXMLString)(MODEL, NULL, error, sizeof(error));
  w.m = w.spec ? LIB(mj_compile)(w.spec, NULL) : NULL;
  w.d = w.m ? LIB(mj_makeData)(w.m) : NULL;
  if (!w.d) fail_msg("%s", error);
  LIB(mj_step)(w.m, w.d);
  w.body = LIB(mjs_findElement)(w.spec, mjOBJ_BODY, "b");
  LIB(mj_defaultVFS)(&w.vfs);
  LIB(mjv_defaultScene)(&w.scene);
  LIB(mjv_makeScene)(w.m, &w.scene, 100);
  mjvOption option;
  mjvCamera cam;
  LIB(mjv_defaultOption)(&option);
  LIB(mjv_defaultCamera)(&cam);
  LIB(mjv_updateScene)(w.m, w.d, &option, NULL, &cam, mjCAT_ALL, &w.scene);
  // an OpenGL that draws nothing
  if (!reference) {
    if (!dlopen(FAKE_OSMESA, RTLD_NOW | RTLD_LOCAL)) fail_msg("no OpenGL");
    mjr_defaultContext(&w.con);
    mjr_makeContext(w.m, &w.con, mjFONTSCALE_100);
  }
  for (int i = 0; i < MOST * NUMBERS; i++) w.number[i / NUMBERS][i % NUMBERS] = 0.25 + i % 3;
}

// an element of a spec, and what lies in one
static void* element(const char* kind) {
#define MAKE(type, call) \
  if (!strcmp(kind, #type "*")) return LIB(call)
  mjsBody* const body = LIB(mjs_asBody)(w.body);
  MAKE(mjsBody, mjs_addBody)(body, NULL);
  MAKE(mjsJoint, mjs_addJoint)(body, NULL);
  MAKE(mjsGeom, mjs_addGeom)(body, NULL);
  MAKE(mjsSite, mjs_addSite)(body, NULL);
  MAKE(mjsCamera, mjs_addCamera)(body, NULL);
  MAKE(mjsLight, mjs_addLight)(body, NULL);
  MAKE(mjsFrame, mjs_addFrame)(body, NULL);
  MAKE(mjsFlex, mjs_addFlex)(w.spec);
  MAKE(mjsMesh, mjs_addMesh)(w.spec, NULL);
  MAKE(mjsHField, mjs_addHField)(w.spec);
  MAKE(mjsSkin, mjs_addSkin)(w.spec);
  MAKE(mjsTexture, mjs_addTexture)(w.spec);
  MAKE(mjsMaterial, mjs_addMaterial)(w.spec, NULL);
  MAKE(mjsPair, mjs_addPair)(w.spec, NULL);
  MAKE(mjsEquality, mjs_addEquality)(w.spec, NULL);
  MAKE(mjsTendon, mjs_addTendon)(w.spec, NULL);
  MAKE(mjsActuator, mjs_addActuator)(w.spec, NULL);
  MAKE(mjsSensor, mjs_addSensor)(w.spec);
  MAKE(mjsNumeric, mjs_addNumeric)(w.spec);
  MAKE(mjsText, mjs_addText)(w.spec);
  MAKE(mjsTuple, mjs_addTuple)(w.spec);
  MAKE(mjsKey, mjs_addKey)(w.spec);
  MAKE(mjsPlugin, mjs_addPlugin)(w.spec);
  MAKE(mjsDefault, mjs_getSpecDefault)(w.spec);
  MAKE(mjsWrap, mjs_wrapSite)(LIB(mjs_addTendon)(w.spec, NULL), "b");
#undef MAKE
#define PART(type, owner, made, member) \
  if (!strcmp(kind, #type "*")) return ((owner*)element(#owner "*"))->member
  PART(mjString, mjsBody, mjs_addBody, childclass);
  PART(mjStringVec, mjsTexture, mjs_addTexture, cubefiles);
  PART(mjByteVec, mjsTexture, mjs_addTexture, data);
  PART(mjIntVec, mjsTuple, mjs_addTuple, objtype);
  PART(mjIntVecVec, mjsSkin, mjs_addSkin, vertid);
  PART(mjFloatVec, mjsMesh, mjs_addMesh, uservert);
  PART(mjFloatVecVec, mjsSkin, mjs_addSkin, vertweight);
  PART(mjDoubleVec, mjsBody, mjs_addBody, userdata);
#undef PART
  return NULL;
}

// what a function of this kind of argument can work with; kinds that are not named are zeroed memory
static Argument good(const char* kind, int k) {
  static mjLROpt range = {.timestep = 0.01, .timeconst = 1, .inttotal = 1, .interval = 1};
  static mjvCamera cam = {.distance = 1, .fixedcamid = -1, .trackbodyid = -1};
  static char text[MOST][NUMBERS];
  static void* pointers[MOST][8];
  static unsigned char zeroed[MOST][1 << 20];
  static mjvOption option;
  static const int one = 1;
  const struct {
    const char* kind;
    Argument value;
  } table[] = {
      {"mjModel*",      {.p = w.m}               },
      {"mjData*",       {.p = w.d}               },
      {"mjSpec*",       {.p = w.spec}            },
      {"mjsElement*",   {.p = w.body}            },
      {"mjVFS*",        {.p = &w.vfs}            },
      {"mjvScene*",     {.p = &w.scene}          },
      {"mjrContext*",   {.p = &w.con}            },
      {"mjLROpt*",      {.p = &range}            },
      {"mjvCamera*",    {.p = &cam}              },
      {"mjvOption*",    {.p = &option}           },
      {"mjCache*",      {.p = LIB(mj_getCache)()}},
      {"mjtNum*",       {.p = w.number[k]}       },
      {"double*",       {.p = w.number[k]}       },
      {"char*",         {.p = text[k]}           },
      {"mjtNum",        {.d = 0.5}               },
      {"double",        {.d = 0.5}               },
      {"float",         {.d = 0.5}               },
      {"size_t",        {.z = 1}                 },
      {"mjrRect",       {.r = {0, 0, 8, 8}}      },
      {"mjThreadPool*", {.p = NULL}              },
      {"function*",     {.p = NULL}              },
      {"void*",         {.p = w.number[k]}       },
  };
  LIB(mjv_defaultOption)(&option);
  snprintf(text[k], sizeof(text[k]), "b");
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (!strcmp(kind, table[i].kind)) return table[i].value;
  }
  if (!strncmp(kind, "mjs", 3) || strstr(kind, "Vec*") || !strcmp(kind, "mjString*")) {
    void* const made = element(kind);
    if (made) return (Argument){.p = made};
  }
  if (strstr(kind, "**")) {
    for (int i = 0; i < 8; i++) pointers[k][i] = !strcmp(kind, "mjsBody**") ? element("mjsBody*") : (void*)w.number[i];
    return (Argument){.p = pointers[k]};
  }
  if (!strcmp(kind, "int*") || !strcmp(kind, "mjtByte*")) {
    for (int i = 0; i < 1000; i++) memcpy(zeroed[k] + i * (kind[0] == 'i' ? 4 : 1), &one, kind[0] == 'i' ? 4 : 1);
    return (Argument){.p = zeroed[k]};
  }
  if (strchr(kind, '*')) return (Argument){.p = zeroed[k]};
  return (Argument){.i = 1};
}

// -------------------------------------------------------------------------------------------- calls

// words of a list
static int split(const char* kinds, char word[MOST][64]) {
  int n = 0;
  for (const char* at = kinds; *at; n++) {
    const size_t length = strcspn(at, " ");
    snprintf(word[n], 64, "%.*s", (int)length, at);
    at += length + (at[length] == ' ');
  }
  return n;
}

// the wrong values of a kind: how many there are, and one of them
static int wrong(const char* kind, int which, Argument* value) {
  static const int numbers[] = {-1, 1 << 30};
  if (strchr(kind, '*')) {
    if (which == 0) *value = (Argument){.p = NULL};
    return 1;
  }
  if (!strcmp(kind, "size_t")) {
    if (which == 0) *value = (Argument){.z = SIZE_MAX / 2};
    return 1;
  }
  if (!strcmp(kind, "mjrRect")) {
    if (which < 2)
      *value = (Argument){
          .r = which ? (mjrRect){-1,  -1, -8, -8}
              : (mjrRect){0}
      };
    return 2;
  }
  if (!strcmp(kind, "mjtNum") || !strcmp(kind, "double") || !strcmp(kind, "float")) {
    if (which < 2) *value = (Argument){.d = which ? (double)NAN : -1e30};
    return 2;
  }
  if (which < 2) *value = (Argument){.i = numbers[which]};
  return 2;
}

static jmp_buf back;
static int raised;
static char folder[] = "/tmp/sinew_walk_XXXXXX";  // for what functions write

static void jump(const char* message) {
  (void)message;
  raised = 1;
  longjmp(back, 1);
}
static void comeBack(const char* message) {
  (void)message;
  raised = 1;
}
static void ignore(const char* message) {
  (void)message;
}

static void setHandler(void (*handler)(const char*)) {
  *(void (**)(const char*))(reference ? orc_symbol("mju_user_error") : (void*)&mju_user_error) = handler;
  *(void (**)(const char*))(reference ? orc_symbol("mju_user_warning") : (void*)&mju_user_warning) = ignore;
}

static const char SMALL[] = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>";

enum { CHILD_RETURNED = 40, CHILD_RAISED, CHILD_BROKEN };

// in a child: the call, and then whether the library goes on
static void callAndLeave(int f, int position, int which, int jumps) {
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  if (chdir(folder)) _exit(1);
  alarm(5);
  const struct rlimit none = {0, 0}, memory = {(rlim_t)4 << 30, (rlim_t)4 << 30};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_AS, &memory);
  for (int signal_ = 1; signal_ < 32; signal_++) signal(signal_, SIG_DFL);

  char kind[MOST][64];
  Argument a[MOST];
  const int n = split(functions[f].kinds, kind);
  for (int i = 0; i < n; i++) a[i] = good(kind[i], i);
  if (position >= 0) wrong(kind[position], which, &a[position]);
  setHandler(jumps ? jump : comeBack);
  const void* const address = reference ? orc_symbol(functions[f].name) : functions[f].ours;
  if (!setjmp(back)) functions[f].call(address, a);

  // errors from here on are the library's that is broken
  const int result = raised ? CHILD_RAISED : CHILD_RETURNED;
  setHandler(jump);
  if (setjmp(back)) _exit(CHILD_BROKEN);
  mjSpec* const spec = LIB(mj_parseXMLString)(SMALL, NULL, NULL, 0);
  mjModel* const m = spec ? LIB(mj_compile)(spec, NULL) : NULL;
  mjData* const d = m ? LIB(mj_makeData)(m) : NULL;
  if (!d) _exit(CHILD_BROKEN);
  LIB(mj_step)(m, d);
  _exit(result);
}

// '.' returned, 'e' raised, 'x' crashed, 'h' hung, 'q' ended the process, 'b' left a library that does not work
static char outcome(int f, int position, int which, int jumps) {
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) callAndLeave(f, position, which, jumps);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? 'h' : 'x';
  const int code = WEXITSTATUS(status);
  return code == CHILD_RETURNED ? '.' : code == CHILD_RAISED ? 'e' : code == CHILD_BROKEN ? 'b' : 'q';
}

// Runs all calls of a function, writes a letter for each: all good, then each argument wrong in turn. What is known to
// be endless is not called.
static void walk(int f, int jumps, const char* known, char letters[200]) {
  char kind[MOST][64];
  const int n = split(functions[f].kinds, kind), nknown = (int)strlen(known);
  int count = 0;
  for (int i = -1; i < n; i++) {
    Argument value;
    for (int k = 0; k < (i < 0 ? 1 : wrong(kind[i], k, &value)); k++, count++) {
      letters[count] = count < nknown && known[count] == 'h' ? 'h' : outcome(f, i, k, jumps);
    }
  }
  letters[count] = 0;
}

// -------------------------------------------------------------------------------------------- tests

static int record(void) {
  reference = 1;
  if (!orc_available()) return 1;
  start();
  FILE* const file = fopen("test/abi/walk.txt", "w");
  if (file) fputs("# what the reference does: . returns, e raises, x crashes, h hangs\n", file);
  for (int f = 0; file && f < NFUNCTION; f++) {
    char letters[200];
    walk(f, 1, "", letters);
    fprintf(file, "%s %s\n", functions[f].name, letters);
  }
  return !file || fclose(file);
}

// the reference's letters for a function
static void recorded(const char* text, const char* name, char letters[200]) {
  char key[100];
  snprintf(key, sizeof(key), "\n%s ", name);
  const char* const line = strstr(text, key);
  letters[0] = 0;
  if (line) snprintf(letters, 200, "%.*s", (int)strcspn(line + strlen(key), "\n"), line + strlen(key));
}

static int isAnswer(char letter) {
  return letter == '.' || letter == 'e';
}

static void whereTheReferenceAnswersSoDoesThisLibrary(void** state) {
  (void)state;
  int size = 0, bad = 0, answers = 0, calls = 0;
  char* const text = (char*)tst_readFile("test/abi/walk.txt", &size);
  assert_non_null(text);
  text[size - 1] = 0;
  for (int jumps = 0; jumps < 2; jumps++) {
    for (int f = 0; f < NFUNCTION; f++) {
      char expected[200], letters[200];
      recorded(text, functions[f].name, expected);
      walk(f, jumps, expected, letters);
      calls += (int)strlen(letters);
      if (strlen(expected) != strlen(letters)) {
        print_error("%s: not in walk.txt with these arguments; write it with --record\n", functions[f].name);
        bad++;
        continue;
      }
      int worse = 0;
      for (int i = 0; letters[i]; i++) {
        answers += isAnswer(letters[i]);
        worse += isAnswer(expected[i]) && !isAnswer(letters[i]);
      }
      if (worse)
        print_error("%-26s %s (%s)\n%-26s %s\n", functions[f].name, letters, jumps ? "jumps" : "returns", "", expected);
      bad += worse > 0;
    }
  }
  print_message("%d calls, %d answered\n", calls, answers);
  free(text);
  assert_int_equal(bad, 0);
}

int main(int argc, char** argv) {
  if (!mkdtemp(folder)) return 1;
  int failed;
  if (argc > 1 && !strcmp(argv[1], "--record")) {
    failed = record();
  } else {
    start();
    const struct CMUnitTest tests[] = {cmocka_unit_test(whereTheReferenceAnswersSoDoesThisLibrary)};
    failed = cmocka_run_group_tests(tests, NULL, NULL);
  }
  char command[100];
  snprintf(command, sizeof(command), "rm -r %s", folder);
  return system(command) || failed;
}
