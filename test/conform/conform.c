// conform REFERENCE.so CANDIDATE.so [options] MODEL.xml…: the program. Exit status: 0 everything that was asked for
// agrees, 1 something does not, 2 it could not be compared.
#include "conform/conform.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: conform REFERENCE.so CANDIDATE.so [options] MODEL.xml...\n"
    "  --only=model,forward,steps  these parts; all of them otherwise\n"
    "  --states=4 --steps=100      states of forward, steps of steps\n"
    "  --speed=SECONDS             times both libraries for so long a model\n"
    "  --timeout=60                seconds that a model may take\n"
    "  -v                          every field that is off\n";

__attribute__((format(printf, 1, 2), noreturn)) static void giveUp(const char* format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "conform: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  exit(2);
}

// ---- arguments

typedef struct {
  CfmOptions options;
  char* library[2];
  char** model;
  int nlibrary, nmodel;
} Arguments;

// the text behind "--name=", NULL: another option
static const char* valueOf(const char* argument, const char* name) {
  const size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static void readOption(CfmOptions* o, const char* argument) {
  const char* value;
  if ((value = valueOf(argument, "--states="))) {
    o->states = atoi(value);
  } else if ((value = valueOf(argument, "--steps="))) {
    o->steps = atoi(value);
  } else if ((value = valueOf(argument, "--speed="))) {
    o->speed = strtod(value, NULL);
  } else if ((value = valueOf(argument, "--timeout="))) {
    o->timeout = atoi(value);
  } else if ((value = valueOf(argument, "--only="))) {
    o->only = value;
  } else if (!strcmp(argument, "-v")) {
    o->verbose = 1;
  } else {
    giveUp("unknown option %s\n%s", argument, USAGE);
  }
}

static Arguments readArguments(int argc, char** argv) {
  Arguments a = {
      .options = {.states = 4, .steps = 100, .timeout = 60},
        .model = calloc((size_t)argc, sizeof(char*))
  };
  if (!a.model) giveUp("out of memory");
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      readOption(&a.options, argv[i]);
      continue;
    }
    char* const path = realpath(argv[i], NULL);
    if (!path) giveUp("no file %s", argv[i]);
    if (a.nlibrary < 2) {
      a.library[a.nlibrary++] = path;
    } else {
      a.model[a.nmodel++] = path;
    }
  }
  if (a.nlibrary < 2 || !a.nmodel) giveUp("two libraries and a model are needed\n%s", USAGE);
  return a;
}

// ---- processes

static CfmLibrary openLibrary(const char* path) {
  CfmLibrary library;
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) giveUp("%s", dlerror());
#define FIND(result, name, arguments)            \
  *(void**)&library.name = dlsym(handle, #name); \
  if (!library.name) giveUp("%s has no %s", path, #name);
  CFM_API(FIND)
#undef FIND
  return library;
}

__attribute__((noreturn)) static void runChild(const Arguments* a, const char* model, CfmResult* result) {
  alarm((unsigned)a->options.timeout);
  if (!a->options.verbose && !freopen("/dev/null", "w", stderr)) _exit(3);
  // what the libraries print stays out of the report
  if (!freopen("/dev/null", "w", stdout)) _exit(3);
  // logs that a library writes land there
  if (chdir(P_tmpdir) < 0) _exit(3);
  const CfmPair pair = {openLibrary(a->library[0]), openLibrary(a->library[1])};
  // every mesh from its own attributes, not as another one of the same file was made before
  pair.reference.mj_setCacheCapacity(pair.reference.mj_getCache(), 0);
  pair.candidate.mj_setCacheCapacity(pair.candidate.mj_getCache(), 0);
  result->verbose = a->options.verbose;
  cfm_runModel(&pair, model, &a->options, result);
  result->done = 1;
  _exit(0);
}

static void compareOne(const Arguments* a, const char* model, CfmTotals* totals) {
  CfmResult* const result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (result == MAP_FAILED) giveUp("out of memory");
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) giveUp("no process");
  if (!child) runChild(a, model, result);
  int status = 0;
  waitpid(child, &status, 0);
  cfm_report(totals, model, result, status);
  munmap(result, sizeof(*result));
}

int main(int argc, char** argv) {
  Arguments a = readArguments(argc, argv);
  // what is missing is said once, before any model
  for (int i = 0; i < 2; i++) openLibrary(a.library[i]);
  CfmTotals totals = {0};
  for (int i = 0; i < a.nmodel; i++) compareOne(&a, a.model[i], &totals);
  for (int i = 0; i < a.nmodel; i++) free(a.model[i]);
  for (int i = 0; i < 2; i++) free(a.library[i]);
  free(a.model);
  return cfm_summary(&totals, &a.options);
}
