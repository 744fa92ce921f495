// `sinew bench`: steps per second and where they go, alone or against another library with the same interface. Rounds
// of both libraries alternate, so that a machine that slows down slows both.
#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"
#include "support/model.h"

typedef struct {
  const char *reference, *key;
  int steps, rounds, threads, profile, json;
} Options;

enum { MAX_ROUNDS = 101 };

// -------------------------------------------------------------------------------------------- engines

// The functions that a measurement needs, from our library or from another one.
typedef struct {
  mjModel* (*loadXML)(const char*, const mjVFS*, char*, int);
  mjModel* (*loadModel)(const char*, const mjVFS*);
  void (*deleteModel)(mjModel*);
  mjData* (*makeData)(const mjModel*);
  void (*deleteData)(mjData*);
  void (*resetData)(const mjModel*, mjData*);
  void (*resetDataKeyframe)(const mjModel*, mjData*, int);
  void (*step)(const mjModel*, mjData*);
  mjThreadPool* (*threadPoolCreate)(size_t);
  void (*bindThreadPool)(mjData*, void*);
  void (*threadPoolDestroy)(mjThreadPool*);
  mjfTime* clock;  // address of mjcb_time
  const char* (*version)(void);
} Engine;

static const Engine ours = {mj_loadXML,           mj_loadModel,       mj_deleteModel,        mj_makeData,
                            mj_deleteData,        mj_resetData,       mj_resetDataKeyframe,  mj_step,
                            mju_threadPoolCreate, mju_bindThreadPool, mju_threadPoolDestroy, &mjcb_time,
                            mj_versionString};

static void ignoreWarning(const char* message) {
  (void)message;
}

static void endWithError(const char* message) {
  exit(cli_fail(CLI_FAILED, "the reference: %s", message));
}

// the library must find its own functions and not those of a library that was loaded before; sanitizers insist on
// theirs
#if !defined(RTLD_DEEPBIND) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEARCH = RTLD_LOCAL };
#else
enum { SEARCH = RTLD_LOCAL | RTLD_DEEPBIND };
#endif

static int openReference(const char* path, Engine* engine, void** library) {
  *library = dlopen(path, RTLD_NOW | SEARCH);
  if (!*library) return cli_fail(CLI_INPUT, "cannot open the reference: %s", dlerror());
  static const char* const names[] = {
      "mj_loadXML",           "mj_loadModel",       "mj_deleteModel",        "mj_makeData",
      "mj_deleteData",        "mj_resetData",       "mj_resetDataKeyframe",  "mj_step",
      "mju_threadPoolCreate", "mju_bindThreadPool", "mju_threadPoolDestroy", "mjcb_time",
      "mj_versionString"};
  void* found[sizeof(names) / sizeof(names[0])];
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    found[i] = dlsym(*library, names[i]);
    if (!found[i]) return cli_fail(CLI_INPUT, "'%s' has no function %s", path, names[i]);
  }
  memcpy(engine, found, sizeof(*engine));
  void (** const warning)(const char*) = (void (**)(const char*))dlsym(*library, "mju_user_warning");
  void (** const error)(const char*) = (void (**)(const char*))dlsym(*library, "mju_user_error");
  if (warning) *warning = ignoreWarning;
  if (error) *error = endWithError;
  return CLI_OK;
}
_Static_assert(sizeof(Engine) == 13 * sizeof(void*), "one entry per name");

// -------------------------------------------------------------------------------------------- measurement

typedef struct {
  const Engine* engine;
  mjModel* m;
  mjData* d;
  mjThreadPool* pool;
  double round[MAX_ROUNDS];  // seconds per step
  double stage[mjNTIMER];    // seconds per step
} Subject;

static mjtNum readClock(void) {
  return cli_seconds();
}

static int startSubject(Subject* s, const char* path, const Options* o) {
  char error[CLI_ERROR_SIZE] = "";
  const char* const dot = strrchr(path, '.');
  // NOLINTBEGIN(clang-analyzer-core.CallAndMessage): a library that lacks a function is refused when it is opened
  s->m = dot && !strcmp(dot, ".mjb") ? s->engine->loadModel(path, NULL)
                                     : s->engine->loadXML(path, NULL, error, sizeof(error));
  // NOLINTEND(clang-analyzer-core.CallAndMessage)
  if (!s->m)
    return cli_fail(CLI_INPUT, "%s cannot load '%s': %s", s->engine == &ours ? "sinew" : "the reference", path, error);
  s->d = s->engine->makeData(s->m);
  if (!s->d) return cli_fail(CLI_FAILED, "no memory for the data of '%s'", path);
  if (o->threads > 1) {
    s->pool = s->engine->threadPoolCreate((size_t)o->threads);
    s->engine->bindThreadPool(s->d, s->pool);
  }
  return CLI_OK;
}

static void freeSubject(Subject* s) {
  if (s->d) s->engine->deleteData(s->d);
  if (s->pool) s->engine->threadPoolDestroy(s->pool);
  if (s->m) s->engine->deleteModel(s->m);
}

// seconds per step from the start state on
static double measure(Subject* s, int key, int steps) {
  if (key >= 0) {
    s->engine->resetDataKeyframe(s->m, s->d, key);
  } else {
    s->engine->resetData(s->m, s->d);
  }
  const double begin = cli_seconds();
  for (int i = 0; i < steps; i++) s->engine->step(s->m, s->d);
  return (cli_seconds() - begin) / steps;
}

// one more round with the clock of the timers running; it costs time, so it is not among the rounds that count
static void profile(Subject* s, int key, int steps) {
  *s->engine->clock = readClock;
  measure(s, key, steps);
  *s->engine->clock = NULL;
  for (int i = 0; i < mjNTIMER; i++) s->stage[i] = s->d->timer[i].duration / steps;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(Subject* s, int n) {
  qsort(s->round, (size_t)n, sizeof(double), ascending);
  return s->round[n / 2];
}

// steps that take about a fifth of a second, at least ten
static int chooseSteps(Subject* s, int key) {
  int steps = 10;
  while (steps < 1000000) {
    const double each = measure(s, key, steps);
    if (each * steps > 0.05) return (int)(0.2 / each) > 10 ? (int)(0.2 / each) : 10;
    steps *= 4;
  }
  return steps;
}

// -------------------------------------------------------------------------------------------- results

typedef struct {
  char name[256];
  int steps;
  double ours, theirs;  // seconds per step, theirs 0 without a reference
  double stage[2][mjNTIMER];
} Result;

static int benchModel(Result* result, const char* path, const Options* o, const Engine* reference) {
  Subject s[2] = {{.engine = &ours}, {.engine = reference}};
  const int n = reference ? 2 : 1;

  // our loader explains what is wrong with a model
  CliModel model;
  int code = cli_loadModel(path, &model);
  int key = -1;
  if (code == CLI_OK && o->key) {
    mjData* const d = mj_makeData(model.m);
    code = d ? cli_resetTo(model.m, d, o->key) : cli_fail(CLI_FAILED, "no memory");
    mj_deleteData(d);
    key = code == CLI_OK ? mj_name2id(model.m, mjOBJ_KEY, o->key) : -1;
    if (key < 0 && code == CLI_OK) key = atoi(o->key);
  }
  snprintf(result->name, sizeof(result->name), "%s", model.name);
  cli_freeModel(&model);
  for (int i = 0; i < n && code == CLI_OK; i++) code = startSubject(&s[i], path, o);
  if (code == CLI_OK) {
    result->steps = o->steps ? o->steps : chooseSteps(&s[0], key);
    for (int round = 0; round < o->rounds; round++) {
      for (int i = 0; i < n; i++) s[i].round[round] = measure(&s[i], key, result->steps);
    }
    result->ours = median(&s[0], o->rounds);
    if (n > 1) result->theirs = median(&s[1], o->rounds);
    for (int i = 0; i < n && o->profile; i++) {
      profile(&s[i], key, result->steps);
      memcpy(result->stage[i], s[i].stage, sizeof(s[i].stage));
    }
  }
  freeSubject(&s[0]);
  freeSubject(&s[1]);
  return code;
}

static void printResults(const Result* result, int n, int compared) {
  CliTable table = {.ncolumn = compared ? 6 : 4};
  static const char* const head[] = {"model", "steps", "steps/s", "us/step", "reference us/step", "ratio"};
  for (int i = 0; i < table.ncolumn; i++) cli_cell(&table, "%s", head[i]);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    cli_cell(&table, "%s", result[i].name);
    cli_cell(&table, "%d", result[i].steps);
    cli_cell(&table, "%.0f", 1 / result[i].ours);
    cli_cell(&table, "%.2f", 1e6 * result[i].ours);
    if (!compared) continue;
    cli_cell(&table, "%.2f", 1e6 * result[i].theirs);
    cli_cell(&table, "%.2fx", result[i].theirs / result[i].ours);
    sum += mju_log(result[i].theirs / result[i].ours);
  }
  cli_printTable(&table, stdout, 1, 0);
  cli_freeTable(&table);
  if (compared && n > 1) printf("geometric mean of the ratios: %.2fx\n", mju_exp(sum / n));
}

// timers as they contain each other
static const struct {
  mjtTimer timer;
  int depth;
} stages[] = {
    {mjTIMER_STEP,           0},
    {mjTIMER_FORWARD,        1},
    {mjTIMER_POSITION,       2},
    {mjTIMER_POS_KINEMATICS, 3},
    {mjTIMER_POS_INERTIA,    3},
    {mjTIMER_POS_COLLISION,  3},
    {mjTIMER_COL_BROAD,      4},
    {mjTIMER_COL_NARROW,     4},
    {mjTIMER_POS_MAKE,       3},
    {mjTIMER_POS_PROJECT,    3},
    {mjTIMER_VELOCITY,       2},
    {mjTIMER_ACTUATION,      2},
    {mjTIMER_CONSTRAINT,     2},
    {mjTIMER_ADVANCE,        1}
};

static void printProfile(const Result* result, int compared) {
  CliTable table = {.ncolumn = compared ? 5 : 3};
  static const char* const head[] = {"stage", "us/step", "share", "reference us/step", "ratio"};
  for (int i = 0; i < table.ncolumn; i++) cli_cell(&table, "%s", head[i]);
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    const mjtTimer k = stages[i].timer;
    if (result->stage[0][k] == 0) continue;
    cli_cell(&table, "%*s%s", 2 * stages[i].depth, "", mjTIMERSTRING[k]);
    cli_cell(&table, "%.2f", 1e6 * result->stage[0][k]);
    cli_cell(&table, "%.0f%%", 100 * result->stage[0][k] / result->stage[0][mjTIMER_STEP]);
    if (!compared) continue;
    cli_cell(&table, "%.2f", 1e6 * result->stage[1][k]);
    cli_cell(&table, "%.2fx", result->stage[1][k] / result->stage[0][k]);
  }
  printf("\n%s, with timers running\n", result->name);
  cli_printTable(&table, stdout, 1, 2);
  cli_freeTable(&table);
}

static void printJson(const Result* result, int n, const Options* o, const Engine* reference) {
  CliJson json = {.file = stdout};
  cli_jsonOpen(&json, NULL, '{');
  if (reference) cli_jsonText(&json, "reference", o->reference);
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): see startSubject
  if (reference) cli_jsonText(&json, "reference_version", reference->version());
  cli_jsonCount(&json, "rounds", o->rounds);
  cli_jsonOpen(&json, "models", '[');
  for (int i = 0; i < n; i++) {
    cli_jsonOpen(&json, NULL, '{');
    cli_jsonText(&json, "model", result[i].name);
    cli_jsonCount(&json, "steps", result[i].steps);
    cli_jsonNumber(&json, "steps_per_second", 1 / result[i].ours);
    cli_jsonNumber(&json, "seconds_per_step", result[i].ours);
    if (reference) cli_jsonNumber(&json, "reference_seconds_per_step", result[i].theirs);
    if (reference) cli_jsonNumber(&json, "ratio", result[i].theirs / result[i].ours);
    for (int side = 0; o->profile && side < (reference ? 2 : 1); side++) {
      cli_jsonOpen(&json, side ? "reference_profile" : "profile", '{');
      for (int k = 0; k < mjNTIMER; k++) cli_jsonNumber(&json, mjTIMERSTRING[k], result[i].stage[side][k]);
      cli_jsonClose(&json, '}');
    }
    cli_jsonClose(&json, '}');
  }
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}

static int benchAll(const CliList* models, const Options* o) {
  Engine other = {0};
  void* library = NULL;
  int code = o->reference ? openReference(o->reference, &other, &library) : CLI_OK;
  const Engine* const reference = o->reference ? &other : NULL;
  Result* const result = cli_zeroed((size_t)models->n, sizeof(*result));
  for (int i = 0; i < models->n && code == CLI_OK; i++) {
    code = benchModel(&result[i], models->at[i], o, reference);
  }
  if (code == CLI_OK && o->json) {
    printJson(result, models->n, o, reference);
  } else if (code == CLI_OK) {
    printResults(result, models->n, reference != NULL);
    for (int i = 0; i < models->n && o->profile; i++) printProfile(&result[i], reference != NULL);
  }
  free(result);
  // the library stays open: its threads and its exit functions may still need it
  return code;
}

static int benchMain(int argc, char** argv) {
  Options o = {.rounds = 5};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_bench, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  if (!words.n) {
    code = cli_fail(CLI_USAGE, "give at least one model: sinew bench MODEL...");
  } else if (o.rounds < 1 || o.rounds > MAX_ROUNDS) {
    code = cli_fail(CLI_USAGE, "--rounds must be from 1 to %d", MAX_ROUNDS);
  } else {
    code = benchAll(&words, &o);
  }
  cli_freeOptions(&cmd_bench, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"reference", 'r', CLI_TEXT,   AT(reference), "LIBRARY",
     "measure this library too (libmujoco.so.3.5.0), in the same process"                                    },
    {"steps",     'n', CLI_COUNT,  AT(steps),     "N",       "steps of a round (default: about 0.2 s)"       },
    {"rounds",    0,   CLI_COUNT,  AT(rounds),    "N",       "rounds, of which the median counts (default 5)"},
    {"key",       'k', CLI_TEXT,   AT(key),       "NAME|N",  "start from a keyframe"                         },
    {"threads",   0,   CLI_COUNT,  AT(threads),   "N",       "threads inside the step"                       },
    {"profile",   'p', CLI_SWITCH, AT(profile),   NULL,      "show the time of each stage"                   },
    {"json",      0,   CLI_SWITCH, AT(json),      NULL,      "print as JSON"                                 },
};
#undef AT

const CliCommand cmd_bench = {
    .name = "bench",
    .arguments = "MODEL... [OPTIONS]",
    .summary = "measure steps per second and the time of each stage",
    .description =
        "Measures each MODEL from its start state. With --reference the rounds of both libraries alternate and\n"
        "a ratio above one means that sinew is faster.",
    .examples =
        "sinew bench humanoid.xml --profile\n"
        "sinew bench scenes/*.xml --reference libmujoco.so.3.5.0\n"
        "sinew bench humanoid.xml --json | jq '.models[0].steps_per_second'",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = benchMain,
};
