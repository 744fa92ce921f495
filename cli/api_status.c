// `sinew api-status`: which functions of the public headers a library has.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "support/api.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"

typedef struct {
  const char* library;
  int json, missing, strict;
} Options;

enum { MAX_FAMILIES = 32 };

typedef struct {
  char name[16];  // "mju_"
  int done, all;
} Family;

typedef struct {
  Family family[MAX_FAMILIES];
  int nfamily;
  Family total;
  void* library;  // NULL: what this program was built from
} Status;

static int has(const Status* s, const CliApi* api) {
  return s->library ? dlsym(s->library, api->name) != NULL : api->function != NULL;
}

static void count(Status* s) {
  for (const CliApi* api = cli_api; api->name; api++) {
    // functions come in the order of their names, so those of a family are together
    const int length = (int)strcspn(api->name, "_") + 1;
    Family* family = s->nfamily ? &s->family[s->nfamily - 1] : NULL;
    if (!family || strncmp(family->name, api->name, (size_t)length) != 0) {
      if (s->nfamily == MAX_FAMILIES) return;
      family = &s->family[s->nfamily++];
      snprintf(family->name, sizeof(family->name), "%.*s", length, api->name);
    }
    family->all++;
    family->done += has(s, api);
    s->total.all++;
    s->total.done += has(s, api);
  }
}

static void printText(const Status* s, int onlyMissing) {
  if (!onlyMissing) {
    printf("%d of %d functions\n\n", s->total.done, s->total.all);
    CliTable table = {.ncolumn = 3};
    cli_cell(&table, "family");
    cli_cell(&table, "done");
    cli_cell(&table, "of");
    for (int i = 0; i < s->nfamily; i++) {
      cli_cell(&table, "%s", s->family[i].name);
      cli_cell(&table, "%d", s->family[i].done);
      cli_cell(&table, "%d", s->family[i].all);
    }
    cli_printTable(&table, stdout, 1, 2);
    cli_freeTable(&table);
    if (s->total.done < s->total.all) printf("\nmissing:\n");
  }
  for (const CliApi* api = cli_api; api->name; api++) {
    if (!has(s, api)) printf("%s%s\n", onlyMissing ? "" : "  ", api->name);
  }
}

static void printJson(const Status* s) {
  CliJson json = {.file = stdout};
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonCount(&json, "done", s->total.done);
  cli_jsonCount(&json, "all", s->total.all);
  cli_jsonOpen(&json, "families", '{');
  for (int i = 0; i < s->nfamily; i++) {
    cli_jsonOpen(&json, s->family[i].name, '{');
    cli_jsonCount(&json, "done", s->family[i].done);
    cli_jsonCount(&json, "all", s->family[i].all);
    cli_jsonClose(&json, '}');
  }
  cli_jsonClose(&json, '}');
  cli_jsonOpen(&json, "missing", '[');
  for (const CliApi* api = cli_api; api->name; api++) {
    if (!has(s, api)) cli_jsonText(&json, NULL, api->name);
  }
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}

static int apiMain(int argc, char** argv) {
  Options o = {0};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_apiStatus, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  Status s = {.nfamily = 0};
  code = words.n ? cli_fail(CLI_USAGE, "api-status takes no arguments; --library names another library") : CLI_OK;
  if (code == CLI_OK && o.json && o.missing) {
    code = cli_fail(CLI_USAGE, "--json and --missing contradict each other: JSON lists the missing anyway");
  }
  if (code == CLI_OK && o.library) {
    s.library = dlopen(o.library, RTLD_NOW | RTLD_LOCAL);
    if (!s.library) code = cli_fail(CLI_INPUT, "cannot open the library: %s", dlerror());
  }
  if (code == CLI_OK) {
    count(&s);
    if (o.json) {
      printJson(&s);
    } else {
      printText(&s, o.missing);
    }
    if (o.strict && s.total.done < s.total.all) code = CLI_NO;
  }
  if (s.library) dlclose(s.library);
  cli_freeOptions(&cmd_apiStatus, &o, &words);
  return code;
}

static const CliOption options[] = {
    {"library", 0, CLI_TEXT,   offsetof(Options, library), "FILE", "look into this shared library instead of our own"},
    {"missing", 0, CLI_SWITCH, offsetof(Options, missing), NULL,   "list only the missing functions"                 },
    {"strict",  0, CLI_SWITCH, offsetof(Options, strict),  NULL,   "exit code 1 when a function is missing"          },
    {"json",    0, CLI_SWITCH, offsetof(Options, json),    NULL,   "print as JSON"                                   },
};

const CliCommand cmd_apiStatus = {
    .name = "api-status",
    .arguments = "[OPTIONS]",
    .summary = "list which functions of the public headers the library has",
    .description =
        "Compares the functions that <mujoco/mujoco.h> and <sinew/sinew.h> declare with those that the library\n"
        "defines. A function that is not implemented is not defined.",
    .examples =
        "sinew api-status                     # counts by family, then the missing ones\n"
        "sinew api-status --missing | wc -l\n"
        "sinew api-status --library /usr/lib/libmujoco.so.3.5.0",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = apiMain,
};
