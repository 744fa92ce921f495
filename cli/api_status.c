// `sinew api-status`: which functions and variables of the public headers a library has.
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
  int json, missing, strict, markdown;
} Options;

enum { MAX_FAMILIES = 32 };

typedef struct {
  char name[16];  // "mju_"
  int done, all;
} Family;

typedef struct {
  Family family[MAX_FAMILIES];
  int nfamily;
  Family functions, variables;  // sums
  void* library;                // NULL: what this program was built from
} Status;

static int has(const Status* s, const CliApi* api) {
  return s->library ? dlsym(s->library, api->name) != NULL : api->address != NULL;
}

static void addTo(Family* family, int done) {
  family->all++;
  family->done += done;
}

static void count(Status* s) {
  for (const CliApi* api = cli_api; api->name; api++) {
    const int done = has(s, api);
    if (api->variable) {
      addTo(&s->variables, done);
      continue;
    }
    // families are met in the order of names, but variables may stand between their functions
    char name[sizeof(s->family[0].name)];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(api->name, "_") + 1, api->name);
    int i = 0;
    while (i < s->nfamily && strcmp(s->family[i].name, name) != 0) i++;
    if (i == MAX_FAMILIES) continue;
    if (i == s->nfamily) memcpy(s->family[s->nfamily++].name, name, sizeof(name));
    addTo(&s->family[i], done);
    addTo(&s->functions, done);
  }
}

static int isComplete(const Status* s) {
  return s->functions.done == s->functions.all && s->variables.done == s->variables.all;
}

static void printMissing(const Status* s, const char* before, const char* after) {
  for (const CliApi* api = cli_api; api->name; api++) {
    if (!has(s, api)) printf("%s%s%s\n", before, api->name, after);
  }
}

static void printText(const Status* s) {
  printf("%d of %d functions, %d of %d variables\n\n", s->functions.done, s->functions.all, s->variables.done,
         s->variables.all);
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
  if (!isComplete(s)) printf("\nmissing:\n");
  printMissing(s, "  ", "");
}

// the page docs/API.md
static void printMarkdown(const Status* s) {
  printf("# API status\n\nWritten by `make api-status`; a function that is not implemented is not exported.\n\n");
  printf("Functions: %d of %d. Variables: %d of %d.\n\n", s->functions.done, s->functions.all, s->variables.done,
         s->variables.all);
  printf("| family | done | of |\n| --- | --- | --- |\n");
  for (int i = 0; i < s->nfamily; i++) {
    printf("| %s | %d | %d |\n", s->family[i].name, s->family[i].done, s->family[i].all);
  }
  if (!isComplete(s)) printf("\n## Missing\n\n");
  printMissing(s, "- `", "`");
}

static void printJson(const Status* s) {
  CliJson json = {.file = stdout};
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonCount(&json, "done", s->functions.done + s->variables.done);
  cli_jsonCount(&json, "all", s->functions.all + s->variables.all);
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
  if (code == CLI_OK && o.json + o.missing + o.markdown > 1) {
    code = cli_fail(CLI_USAGE, "--json, --missing and --markdown contradict each other: give one");
  }
  if (code == CLI_OK && o.library) {
    s.library = dlopen(o.library, RTLD_NOW | RTLD_LOCAL);
    if (!s.library) code = cli_fail(CLI_INPUT, "cannot open the library: %s", dlerror());
  }
  if (code == CLI_OK) {
    count(&s);
    if (o.json) {
      printJson(&s);
    } else if (o.missing) {
      printMissing(&s, "", "");
    } else if (o.markdown) {
      printMarkdown(&s);
    } else {
      printText(&s);
    }
    if (o.strict && !isComplete(&s)) code = CLI_NO;
  }
  if (s.library) dlclose(s.library);
  cli_freeOptions(&cmd_apiStatus, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"library",  0, CLI_TEXT,   AT(library),  "FILE", "look into this shared library instead of our own"},
    {"missing",  0, CLI_SWITCH, AT(missing),  NULL,   "list only what is missing"                       },
    {"strict",   0, CLI_SWITCH, AT(strict),   NULL,   "exit code 1 when something is missing"           },
    {"markdown", 0, CLI_SWITCH, AT(markdown), NULL,   "print as the page docs/API.md"                   },
    {"json",     0, CLI_SWITCH, AT(json),     NULL,   "print as JSON"                                   },
};
#undef AT

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
