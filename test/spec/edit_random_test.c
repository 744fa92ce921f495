// Random sequences of editing calls. Whatever a program does to its specs, walking them ends, every element is listed
// once, copies and deletions work, and compiling says yes or why not. The calls that the reference survives are made on
// it as well, in a process of its own: the same ones succeed and leave the same number of elements of each kind.
//
// More sequences: SINEW_EDITS=100000 build/debug/test/test_spec_edit_random; one alone: SINEW_EDIT_SEED=123; with
// SINEW_EDIT_SHOW=1 what they say is printed.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <mujoco/mujoco.h>

#include "spec/element.h"
#include "support/oracle.h"
#include "support/random.h"

// -------------------------------------------------------------------------------------------- the library

// every function that is called, ours or the reference's
// clang-format off
#define FUNCTIONS(X) \
  X(mj_parseXMLString) X(mj_makeSpec) X(mj_copySpec) X(mj_deleteSpec) X(mj_compile) X(mj_recompile) \
  X(mj_deleteModel) X(mj_makeData) X(mj_deleteData) X(mj_saveXMLString) X(mjs_setDeepCopy) X(mjs_attach) \
  X(mjs_addBody) X(mjs_addSite) X(mjs_addJoint) X(mjs_addFreeJoint) X(mjs_addGeom) X(mjs_addCamera) \
  X(mjs_addLight) X(mjs_addFrame) X(mjs_delete) X(mjs_addActuator) X(mjs_addSensor) X(mjs_addFlex) \
  X(mjs_addPair) X(mjs_addExclude) X(mjs_addEquality) X(mjs_addTendon) X(mjs_wrapSite) X(mjs_wrapJoint) \
  X(mjs_wrapGeom) X(mjs_wrapPulley) X(mjs_addNumeric) X(mjs_addText) X(mjs_addTuple) X(mjs_addKey) \
  X(mjs_addDefault) X(mjs_addMesh) X(mjs_addHField) X(mjs_addSkin) X(mjs_addTexture) X(mjs_addMaterial) \
  X(mjs_findBody) X(mjs_findElement) X(mjs_findChild) X(mjs_getParent) X(mjs_getFrame) X(mjs_findFrame) \
  X(mjs_getDefault) X(mjs_findDefault) X(mjs_getSpecDefault) X(mjs_firstChild) X(mjs_nextChild) \
  X(mjs_firstElement) X(mjs_nextElement) X(mjs_setName) X(mjs_setString) X(mjs_setInt) X(mjs_setDouble) \
  X(mjs_appendString) X(mjs_setDefault) X(mjs_setFrame) X(mjs_bodyToFrame) X(mjs_asBody) X(mjs_asFrame) \
  X(mjs_asGeom) X(mjs_asTendon) X(mjs_asSensor) X(mjs_sensorDim) X(mjs_getError) X(mjs_getString) \
  X(mjs_getName) X(mjs_getId) X(mjs_findSpec) X(mjs_getSpec)
// clang-format on

typedef struct {
#define X(name) __typeof__(&(name)) name;
  FUNCTIONS(X)
#undef X
} Library;

static Library ours(void) {
#define X(name) &(name),
  return (Library){FUNCTIONS(X)};
#undef X
}

static Library theirs(void) {
#define X(name) ORC(name),
  return (Library){FUNCTIONS(X)};
#undef X
}

// -------------------------------------------------------------------------------------------- what is edited

static const char* const TEXTS[] = {
    "<mujoco model='arm'><default><default class='thin'><geom size='.02'/><joint damping='1'/></default></default>"
    "<asset><mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><material name='red' rgba='1 0 0 1'/></asset>"
    "<worldbody><frame name='root'><body name='upper'><joint name='shoulder'/><geom name='bone' size='.1' "
    "class='thin'/>"
    "<site name='tip'/><frame name='inner' pos='0 0 1'><body name='lower'><joint name='elbow' type='ball'/>"
    "<geom name='skin' type='mesh' mesh='wedge' material='red'/><site name='end'/></body></frame></body></frame>"
    "<camera name='eye' mode='targetbody' target='lower'/></worldbody>"
    "<contact><exclude body1='upper' body2='lower'/></contact>"
    "<tendon><fixed name='pull'><joint joint='shoulder' coef='1'/></fixed></tendon>"
    "<actuator><motor name='drive' joint='shoulder'/><motor name='winch' tendon='pull'/></actuator>"
    "<sensor><jointpos name='angle' joint='shoulder'/><framepos name='place' objtype='body' objname='lower'/></sensor>"
    "<keyframe><key name='bent' qpos='.5 1 0 0 0' ctrl='1 2'/></keyframe></mujoco>",

    "<mujoco model='cart'><default><default class='thin'><geom size='.5'/></default></default>"
    "<worldbody><body name='cart'><freejoint name='free'/><geom name='box' type='box' size='1 1 1' class='thin'/>"
    "<site name='top'/><body name='wheel'><joint name='axle'/><geom name='rim' type='cylinder' size='.2 .1'/>"
    "<light name='lamp'/></body></body><body name='hand' mocap='true'/><frame name='dock'/></worldbody>"
    "<contact><pair name='touch' geom1='box' geom2='rim'/></contact>"
    "<equality><weld name='hold' body1='cart' body2='hand'/></equality>"
    "<tendon><spatial name='rope'><site site='top'/><pulley divisor='2'/><site site='top'/></spatial></tendon>"
    "<custom><tuple name='set'><element objtype='body' objname='cart' prm='1'/></tuple><numeric name='n' data='1'/>"
    "</custom><actuator><position name='spin' joint='axle' kp='1'/></actuator>"
    "<keyframe><key name='start' mpos='1 2 3'/></keyframe></mujoco>",

    ("<mujoco model='small'><worldbody><body name='ball'><geom name='g' size='.3'/><frame name='f'/></body></worldbody>"
     "</mujoco>"),
};

static const char* const NAMES[] = {"",         "a",   "b",   "upper", "lower",  "cart",
                                    "shoulder", "tip", "box", "pull",  "x_upper"};
static const char* const PREFIXES[] = {"", "x_", "y_"};
#define PICK(r, list) ((list)[rnd_below(r, (int)(sizeof(list) / sizeof((list)[0])))])

static const mjtObj KINDS[] = {mjOBJ_BODY,     mjOBJ_FRAME,   mjOBJ_JOINT,    mjOBJ_GEOM,   mjOBJ_SITE,
                               mjOBJ_CAMERA,   mjOBJ_LIGHT,   mjOBJ_FLEX,     mjOBJ_MESH,   mjOBJ_SKIN,
                               mjOBJ_HFIELD,   mjOBJ_TEXTURE, mjOBJ_MATERIAL, mjOBJ_PAIR,   mjOBJ_EXCLUDE,
                               mjOBJ_EQUALITY, mjOBJ_TENDON,  mjOBJ_ACTUATOR, mjOBJ_SENSOR, mjOBJ_NUMERIC,
                               mjOBJ_TEXT,     mjOBJ_TUPLE,   mjOBJ_KEY,      mjOBJ_PLUGIN};
enum { NKIND = sizeof(KINDS) / sizeof(KINDS[0]), MOST = 2000, SPECS = 4 };

// one sequence: its library, its specs, and what it has to tell
typedef struct {
  Library lib;
  Rnd random;
  mjSpec* spec[SPECS];
  int own;      // 1: our library, whose lists can be looked at
  int gentle;   // 1: only what the reference survives
  int step;     // number of the edit
  int over;     // 1: an attach failed, which leaves a model in an unspecified state
  int endless;  // 1: a list had more elements than were ever made
  FILE* log;
} Run;

// -------------------------------------------------------------------------------------------- looking around

static int count(Run* run, mjSpec* s, mjtObj kind) {
  int n = 0;
  for (mjsElement* e = run->lib.mjs_firstElement(s, kind); e && n < MOST; e = run->lib.mjs_nextElement(s, e)) n++;
  run->endless |= n == MOST;
  return n;
}

static mjsElement* element(Run* run, mjSpec* s, mjtObj kind) {
  const int n = count(run, s, kind);
  if (!n) return NULL;
  mjsElement* e = run->lib.mjs_firstElement(s, kind);
  for (int k = rnd_below(&run->random, n); k > 0; k--) e = run->lib.mjs_nextElement(s, e);
  return e;
}

static mjsElement* anyElement(Run* run, mjSpec* s) {
  return element(run, s, PICK(&run->random, KINDS));
}

static mjSpec* anySpec(Run* run) {
  return run->spec[rnd_below(&run->random, SPECS)];
}

static mjsBody* anyBody(Run* run, mjSpec* s) {
  return run->lib.mjs_asBody(element(run, s, mjOBJ_BODY));
}

// A name of an element of the kind, or one that may not exist. What refers to nothing at all follows to another model
// here, not there.
static const char* anyName(Run* run, mjSpec* s, mjtObj kind) {
  mjsElement* e = rnd_below(&run->random, 4) ? element(run, s, kind) : NULL;
  const char* name = e ? run->lib.mjs_getString(run->lib.mjs_getName(e)) : PICK(&run->random, NAMES);
  return *name || !run->gentle ? name : "nowhere";
}

static void say(const Run* run, const char* what, int result) {
  fprintf(run->log, "%s %d\n", what, result);
  fflush(run->log);
}

static void sayCounts(Run* run) {
  for (int i = 0; i < SPECS; i++) {
    fprintf(run->log, "spec %d:", i);
    for (int k = 0; k < NKIND; k++) fprintf(run->log, " %d", count(run, run->spec[i], KINDS[k]));
    fprintf(run->log, "\n");
  }
  fflush(run->log);
}

// -------------------------------------------------------------------------------------------- edits

// Without keyframes where the reference is asked: after a compilation that failed the two disagree about them.
static mjSpec* newSpec(Run* run) {
  char error[500] = "", xml[2500];
  const char* text = PICK(&run->random, TEXTS);
  const char* keys = strstr(text, "<keyframe>");
  const size_t length = keys && run->gentle ? (size_t)(keys - text) : strlen(text);
  snprintf(xml, sizeof(xml), "%.*s%s", (int)length, text, keys && run->gentle ? "</mujoco>" : "");
  mjSpec* s = run->lib.mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (s && (run->gentle || rnd_below(&run->random, 2))) run->lib.mjs_setDeepCopy(s, 1);
  return s;
}

static void addToTree(Run* run, mjSpec* s) {
  const Library* lib = &run->lib;
  mjsBody* body = anyBody(run, s);
  const mjsDefault* def = rnd_below(&run->random, 2) ? lib->mjs_findDefault(s, "thin") : NULL;
  mjsElement* made = NULL;
  switch (rnd_below(&run->random, 8)) {
    case 0:
      made = lib->mjs_addBody(body, def)->element;
      break;
    case 1:
      made = lib->mjs_addSite(body, def)->element;
      break;
    case 2:
      made = lib->mjs_addJoint(body, def)->element;
      break;
    case 3:
      made = lib->mjs_addFreeJoint(body)->element;
      break;
    case 4: {
      mjsGeom* geom = lib->mjs_addGeom(body, def);
      geom->size[0] = 0.1;
      made = geom->element;
      break;
    }
    case 5:
      made = lib->mjs_addCamera(body, def)->element;
      break;
    case 6:
      made = lib->mjs_addLight(body, def)->element;
      break;
    default: {
      mjsElement* child = lib->mjs_firstChild(body, mjOBJ_FRAME, 0);
      made = lib->mjs_addFrame(body, rnd_below(&run->random, 2) ? lib->mjs_asFrame(child) : NULL)->element;
    }
  }
  lib->mjs_setName(made, PICK(&run->random, NAMES));
  say(run, "add", 0);
}

static void addTuple(Run* run, mjSpec* s) {
  // types, names and parameters of numbers of their own
  const int types[] = {mjOBJ_BODY, mjOBJ_GEOM, mjOBJ_SITE};
  mjsTuple* tuple = run->lib.mjs_addTuple(s);
  const int whole = run->gentle || rnd_below(&run->random, 2), n = 1 + rnd_below(&run->random, 3);
  for (int i = 0; i < n; i++) {
    // what refers to the world stays behind there
    const char* name = anyName(run, s, types[i]);
    run->lib.mjs_appendString(tuple->objname, run->gentle && !strcmp(name, "world") ? "nobody" : name);
  }
  run->lib.mjs_setInt(tuple->objtype, types, whole ? n : rnd_below(&run->random, 4));
  const double parameters[4] = {1, 2, 3, 4};
  run->lib.mjs_setDouble(tuple->objprm, parameters, whole ? n : rnd_below(&run->random, 5));
}

// A geom for a tendon. A compilation that fails because it is neither sphere nor cylinder leaves a path there that
// refers to less than it did (see failedCompilationsChangeNothing in attach_test.c).
static const char* wrappedName(Run* run, mjSpec* s) {
  const char* name = anyName(run, s, mjOBJ_GEOM);
  mjsElement* const e = run->gentle ? run->lib.mjs_findElement(s, mjOBJ_GEOM, name) : NULL;
  const mjsGeom* const geom = run->lib.mjs_asGeom(e);
  return geom && geom->type != mjGEOM_SPHERE && geom->type != mjGEOM_CYLINDER ? "nowhere" : name;
}

static void addTendon(Run* run, mjSpec* s) {
  mjsTendon* tendon = run->lib.mjs_addTendon(s, NULL);
  run->lib.mjs_setName(tendon->element, PICK(&run->random, NAMES));
  for (int i = run->gentle + rnd_below(&run->random, 4); i > 0; i--) {
    switch (run->gentle + rnd_below(&run->random, 4)) {
      case 0:
        run->lib.mjs_wrapPulley(tendon, 2);
        break;
      case 1:
        run->lib.mjs_wrapJoint(tendon, anyName(run, s, mjOBJ_JOINT), 1);
        break;
      case 2: {
        // one after the other: compilers differ about which argument comes first
        const char* geom = wrappedName(run, s);
        run->lib.mjs_wrapGeom(tendon, geom, anyName(run, s, mjOBJ_SITE));
        break;
      }
      default:
        run->lib.mjs_wrapSite(tendon, anyName(run, s, mjOBJ_SITE));
    }
  }
}

static void addSensor(Run* run, mjSpec* s) {
  static const struct {
    mjtSensor type;
    mjtObj object;
  } sensors[] = {
      {mjSENS_JOINTPOS,  mjOBJ_JOINT },
      {mjSENS_FRAMEPOS,  mjOBJ_BODY  },
      {mjSENS_TENDONPOS, mjOBJ_TENDON},
      {mjSENS_TOUCH,     mjOBJ_SITE  },
      {mjSENS_TACTILE,   mjOBJ_MESH  },
      {mjSENS_TACTILE,   mjOBJ_XBODY }
  };
  const int k = rnd_below(&run->random, run->gentle ? 4 : 6);
  mjsSensor* sensor = run->lib.mjs_addSensor(s);
  sensor->type = sensors[k].type;
  sensor->objtype = sensors[k].object;
  run->lib.mjs_setString(sensor->objname, anyName(run, s, sensors[k].object));
  if (!run->gentle) say(run, "dimension", run->lib.mjs_sensorDim(sensor));
}

static void addToLists(Run* run, mjSpec* s) {
  const Library* lib = &run->lib;
  switch (rnd_below(&run->random, 12)) {
    case 0: {
      mjsActuator* actuator = lib->mjs_addActuator(s, NULL);
      actuator->trntype = mjTRN_JOINT;
      lib->mjs_setString(actuator->target, anyName(run, s, mjOBJ_JOINT));
      break;
    }
    case 1: {
      mjsPair* pair = lib->mjs_addPair(s, NULL);
      lib->mjs_setString(pair->geomname1, anyName(run, s, mjOBJ_GEOM));
      lib->mjs_setString(pair->geomname2, anyName(run, s, mjOBJ_GEOM));
      break;
    }
    case 2: {
      mjsExclude* exclude = lib->mjs_addExclude(s);
      lib->mjs_setString(exclude->bodyname1, anyName(run, s, mjOBJ_BODY));
      lib->mjs_setString(exclude->bodyname2, anyName(run, s, mjOBJ_BODY));
      break;
    }
    case 3: {
      mjsEquality* equality = lib->mjs_addEquality(s, NULL);
      equality->type = mjEQ_CONNECT;
      equality->objtype = mjOBJ_BODY;
      lib->mjs_setString(equality->name1, anyName(run, s, mjOBJ_BODY));
      break;
    }
    case 4:
    case 5:
      addTendon(run, s);
      break;
    case 6:
    case 7:
      addSensor(run, s);
      break;
    case 8:
      addTuple(run, s);
      break;
    case 9:
      if (!run->gentle) lib->mjs_addKey(s);
      break;
    case 10:
      lib->mjs_setName(lib->mjs_addText(s)->element, PICK(&run->random, NAMES));
      break;
    default:
      lib->mjs_setName(lib->mjs_addMaterial(s, NULL)->element, PICK(&run->random, NAMES));
  }
  say(run, "list", 0);
}

static void attach(Run* run, mjSpec* s) {
  static const mjtObj places[] = {mjOBJ_FRAME, mjOBJ_SITE, mjOBJ_BODY}, things[] = {mjOBJ_BODY, mjOBJ_FRAME};
  mjSpec* from = anySpec(run);
  if (run->gentle && from == s) return;
  mjsElement* place = element(run, s, run->gentle ? mjOBJ_FRAME : PICK(&run->random, places));
  // the reference leaves a frame behind in a model that was attached as a whole
  const int whole = !run->gentle && !rnd_below(&run->random, 4);
  mjsElement* thing = whole ? from->element : element(run, from, PICK(&run->random, things));
  if (!place || !thing) return;
  // names that are taken are met sooner there
  char fresh[20];
  snprintf(fresh, sizeof(fresh), "p%d_", run->step);
  const char* prefix = run->gentle ? fresh : PICK(&run->random, PREFIXES);
  const int done = run->lib.mjs_attach(place, thing, prefix, "") != NULL;
  say(run, "attach", done);
  run->over = run->gentle && !done;
}

static void delete (Run* run, mjSpec* s) {
  mjsElement* e = anyElement(run, s);
  // the reference keeps its frames and does not like to lose the world
  if (!e || (run->gentle && (e->elemtype == mjOBJ_FRAME || e == run->lib.mjs_findBody(s, "world")->element))) return;
  say(run, "delete", run->lib.mjs_delete(s, e));
}

static void compile(Run* run, mjSpec* s) {
  mjModel* m = run->lib.mj_compile(s, NULL);
  say(run, "compile", m != NULL);
  if (!m || run->gentle) {
    run->lib.mj_deleteModel(m);
    return;
  }
  char xml[20000], error[300];
  say(run, "save", run->lib.mj_saveXMLString(s, xml, sizeof(xml), error, sizeof(error)));
  mjData* d = run->lib.mj_makeData(m);
  mjsBody* body = anyBody(run, s);
  run->lib.mjs_addGeom(body, NULL)->size[0] = 0.1;
  if (run->lib.mj_recompile(s, NULL, m, d)) return;
  run->lib.mj_deleteData(d);
  run->lib.mj_deleteModel(m);
}

static void rearrange(Run* run, mjSpec* s) {
  const Library* lib = &run->lib;
  switch (rnd_below(&run->random, run->gentle ? 2 : 5)) {
    case 0: {
      mjsElement* e = anyElement(run, s);
      if (e) lib->mjs_setName(e, PICK(&run->random, NAMES));
      break;
    }
    case 1:
      say(run, "class", lib->mjs_addDefault(s, PICK(&run->random, NAMES), NULL) != NULL);
      break;
    case 2: {
      mjsBody* body = anyBody(run, s);
      if (lib->mjs_getParent(body->element)) say(run, "frame", lib->mjs_bodyToFrame(&body) != NULL);
      break;
    }
    case 3: {
      mjsElement *e = anyElement(run, s), *frame = element(run, anySpec(run), mjOBJ_FRAME);
      if (e && frame) say(run, "inside", lib->mjs_setFrame(e, lib->mjs_asFrame(frame)));
      break;
    }
    default: {
      mjsElement* e = anyElement(run, s);
      if (e) lib->mjs_setDefault(e, lib->mjs_getSpecDefault(anySpec(run)));
    }
  }
}

static void replaceSpec(Run* run, int i) {
  mjSpec* source = anySpec(run);

  // the reference leaves out of a copy what refers to something that is not there
  int copied = rnd_below(&run->random, 2);
  mjModel* m = run->gentle && copied ? run->lib.mj_compile(source, NULL) : NULL;
  copied = copied && (m || !run->gentle);
  run->lib.mj_deleteModel(m);
  mjSpec* made = copied ? run->lib.mj_copySpec(source) : newSpec(run);
  say(run, "spec", made != NULL);
  if (!made) return;
  run->lib.mj_deleteSpec(run->spec[i]);
  run->spec[i] = made;
}

// a walk meets what the lists hold, in their order
static void checkWalk(SpcList* list, mjsElement* first, const mjSpec* s, const mjsBody* root, int recurse) {
  mjsElement* e = first;
  for (int i = 0; i < list->count; i++) {
    assert_ptr_equal(e, &list->at[i]->base);
    e = s ? mjs_nextElement((mjSpec*)(uintptr_t)s, e) : mjs_nextChild((mjsBody*)(uintptr_t)root, e, recurse);
  }
  assert_null(e);
  spc_listFree(list);
}

static void checkWalks(mjSpec* s) {
  for (int k = 0; k < NKIND; k++) {
    SpcList list = SPC_TEMPORARY;
    spc_collect(spc_model(s), spc_kindOf(KINDS[k]), &list);
    checkWalk(&list, mjs_firstElement(s, KINDS[k]), s, NULL, 0);
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_BODY); e; e = mjs_nextElement(s, e)) {
    mjsBody* const body = mjs_asBody(e);
    for (int k = 0; k < 2 * (SPC_LIGHT + 1); k++) {
      SpcList list = SPC_TEMPORARY;
      spc_collectBelow((SpcBody*)spc_head(e), k / 2, k % 2, &list);
      checkWalk(&list, mjs_firstChild(body, spc_kinds[k / 2].type, k % 2), NULL, body, k % 2);
    }
  }
}

static void play(Run* run, int seed, int length) {
  run->random = (Rnd){(uint64_t)seed};
  for (int i = 0; i < SPECS; i++) run->spec[i] = newSpec(run);
  for (run->step = 0; run->step < length; run->step++) {
    const int i = rnd_below(&run->random, SPECS);
    static void (*const edits[])(Run*, mjSpec*) = {addToTree, addToLists, attach, attach, delete, rearrange, compile};
    if (rnd_below(&run->random, 8)) {
      PICK(&run->random, edits)(run, run->spec[i]);
    } else {
      replaceSpec(run, i);
    }
    for (int k = 0; run->own && k < SPECS; k++) checkWalks(run->spec[k]);
    if (run->over) break;
    sayCounts(run);
  }
  for (int i = 0; i < SPECS; i++) run->lib.mj_deleteSpec(run->spec[i]);
}

// -------------------------------------------------------------------------------------------- tests

static int setting(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

// no kind has more elements than were ever made: a list that never ends has
static void nothingIsListedTwice(void** state) {
  (void)state;
  const int first = setting("SINEW_EDIT_SEED", 0), n = setting("SINEW_EDITS", first ? 1 : 1500);
  for (int seed = first; seed < first + n; seed++) {
    char* text = NULL;
    size_t size = 0;
    Run run = {.lib = ours(), .log = open_memstream(&text, &size), .own = 1};
    assert_non_null(run.log);
    play(&run, seed, 5 + seed % 20);
    fclose(run.log);
    if (getenv("SINEW_EDIT_SHOW")) fprintf(stderr, "%s\n", text);
    if (run.endless) fail_msg("seed %d: a list does not end", seed);
    free(text);
  }
}

// what a library says to a sequence; "": it did not survive
static char* listen(const Library* lib, int seed, int length) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    close(ends[0]);
    Run run = {.lib = *lib, .log = fdopen(ends[1], "w"), .gentle = 1};
    if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(1);
    play(&run, seed, length);
    fclose(run.log);
    _exit(0);
  }
  close(ends[1]);
  enum { ROOM = 1 << 16 };
  char* text = calloc(1, ROOM);
  assert_non_null(text);
  size_t used = 0;
  for (ssize_t got; (got = read(ends[0], text + used, ROOM - 1 - used)) > 0;) used += (size_t)got;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status) text[0] = 0;
  return text;
}

static void theReferenceAgrees(void** state) {
  (void)state;
  const Library own = ours(), reference = theirs();
  const int first = setting("SINEW_EDIT_SEED", 0), n = setting("SINEW_EDITS", first ? 1 : orc_trials(200));
  int compared = 0;
  for (int seed = first; seed < first + n; seed++) {
    char *a = listen(&own, seed, 5 + seed % 20), *b = listen(&reference, seed, 5 + seed % 20);
    if (!*a) fail_msg("seed %d: did not survive", seed);
    compared += *b != 0;
    if (!first) orc_bytes(b, strlen(b));
    if (getenv("SINEW_EDIT_SHOW")) printf("%s\n---\n%s\n", a, b);
    if (*b && strcmp(a, b)) {
      size_t i = 0;
      while (a[i] == b[i]) i++;
      while (i && a[i - 1] != '\n') i--;
      fail_msg("seed %d, character %zu:\n%.200s\nreference\n%.200s", seed, i, a + i, b + i);
    }
    free(a);
    free(b);
  }
  assert_true(first || compared > n / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothingIsListedTwice), cmocka_unit_test(theReferenceAgrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
