// `sinew check`: is a model right? Errors with the place in the source, then advice.
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "support/cli.h"
#include "support/excerpt.h"
#include "support/json.h"
#include "support/plain.h"

typedef struct {
  int json, strict, quiet, all;
} Options;

enum { SHOWN = 3 };  // pieces of advice of one kind, unless all are asked for

typedef struct {
  const char* path;
  CliModel model;
  AdviceList advice;
} Check;

// what helps with errors that many people meet
static const char* remedy(const char* error) {
  // aligned columns would be wider than the page
  // clang-format off
  static const struct {
    const char *part, *text;
  } known[] = {
      {"mass and inertia of moving bodies",
       "a body with joints needs mass: give it a geom, an <inertial>, or set boundmass and boundinertia in <compiler>"},
      {"Schema violation", "the name is not one of MJCF; see its XML reference for what belongs here"},
      {"unrecognized attribute", "the name is not one of MJCF; see its XML reference for what belongs here"},
      {"Error opening file",
       "asset names are relative to the model, and to meshdir and texturedir of <compiler>; in URDF their folders are "
       "dropped unless strippath is false"},
      {"repeated name", "names must differ among elements of one kind"},
      {"a tag ", "a tag or a quote before this place is not closed"},
      {"closing quote", "a quote at this place is not closed"},
      {"mismatched tag", "an element before this place is not closed"},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (strstr(error, known[i].part)) return known[i].text;
  }
  return NULL;
}

static void gatherAdvice(Check* check) {
  if (*check->model.warning) chk_add(&check->advice, "compiler", "", "", "%s", check->model.warning);
  chk_inertia(&check->advice, &check->model);
  chk_meshes(&check->advice, &check->model);
  chk_stiffness(&check->advice, &check->model);
  chk_ranges(&check->advice, &check->model);
  chk_physics(&check->advice, &check->model);
  chk_unused(&check->advice, &check->model);
  chk_start(&check->advice, &check->model);
}

// where the element stands that a piece of advice is about; line 0 when it has no name or is not found
static CliPlace placeOf(const Check* check, const Advice* advice) {
  CliPlace place = {.line = 0};
  snprintf(place.file, sizeof(place.file), "%s", check->path);
  if (*advice->element && check->model.spec) cli_findElement(check->path, advice->element, advice->name, &place);
  return place;
}

static void printAdvice(const Check* check, const Advice* advice) {
  const CliStyle* const style = cli_style(stdout);
  const CliPlace place = placeOf(check, advice);
  fputs(style->bold, stdout);
  cli_putPlain(stdout, "%s", place.file);
  if (place.line) printf(":%d", place.line);
  printf(":%s %sadvice:%s %s [%s]\n", style->reset, style->yellow, style->reset, advice->text, advice->kind);
  char marked[CLI_NAME_SIZE + 2];
  snprintf(marked, sizeof(marked), "'%s'", advice->name);
  if (place.line) cli_printExcerpt(stdout, &place, marked);
}

static void printText(const Check* check, const Options* o) {
  const CliStyle* const style = cli_style(stdout);
  if (!check->model.m) {
    cli_printError(stdout, check->path, check->model.error);
    const char* const help = remedy(check->model.error);
    if (help) printf("  help: %s\n", help);
    return;
  }

  // of one kind the first few; a default class easily gives a hundred
  const int most = o->quiet ? 0 : o->all ? check->advice.n : SHOWN;
  int hidden = 0;
  for (int i = 0; i < check->advice.n; i++) {
    const Advice* const advice = &check->advice.at[i];
    int same = 0;
    for (int j = 0; j < i; j++) same += strcmp(check->advice.at[j].kind, advice->kind) == 0;
    hidden += same >= most;
    if (same < most) printAdvice(check, advice);
  }
  fputs(style->bold, stdout);
  cli_putPlain(stdout, "%s:", check->path);
  printf("%s no errors, %d piece%s of advice", style->reset, check->advice.n, check->advice.n == 1 ? "" : "s");
  if (hidden && !o->quiet) printf(", %d not shown (--all shows them)", hidden);
  putchar('\n');
}

static void printJson(const Check* check, CliJson* json) {
  cli_jsonOpen(json, NULL, '{');
  cli_jsonText(json, "file", check->path);
  cli_jsonBool(json, "valid", check->model.m != NULL);
  if (!check->model.m) {
    const CliPlace place = cli_placeOf(check->path, check->model.error);
    cli_jsonOpen(json, "error", '{');
    cli_jsonText(json, "text", check->model.error);
    if (place.line) cli_jsonText(json, "file", place.file);
    if (place.line) cli_jsonCount(json, "line", place.line);
    if (remedy(check->model.error)) cli_jsonText(json, "help", remedy(check->model.error));
    cli_jsonClose(json, '}');
  }
  cli_jsonOpen(json, "advice", '[');
  for (int i = 0; i < check->advice.n; i++) {
    const Advice* const advice = &check->advice.at[i];
    const CliPlace place = placeOf(check, advice);
    cli_jsonOpen(json, NULL, '{');
    cli_jsonText(json, "kind", advice->kind);
    if (*advice->name) cli_jsonText(json, "name", advice->name);
    if (place.line) cli_jsonText(json, "file", place.file);
    if (place.line) cli_jsonCount(json, "line", place.line);
    cli_jsonText(json, "text", advice->text);
    cli_jsonClose(json, '}');
  }
  cli_jsonClose(json, ']');
  cli_jsonClose(json, '}');
}

// one model; its part of the exit code
static int checkModel(const char* path, const Options* o, CliJson* json) {
  Check check = {.path = path};
  cli_tryModel(path, &check.model);
  if (check.model.m) gatherAdvice(&check);
  if (json) {
    printJson(&check, json);
  } else {
    printText(&check, o);
  }
  int code = CLI_OK;
  if (!check.model.m) code = strncmp(check.model.error, "cannot read", 11) == 0 ? CLI_INPUT : CLI_NO;
  if (check.model.m && check.advice.n && o->strict) code = CLI_NO;
  free(check.advice.at);
  cli_freeModel(&check.model);
  return code;
}

static int checkMain(int argc, char** argv) {
  Options o = {0};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_check, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  if (!words.n) {
    code = cli_fail(CLI_USAGE, "give at least one model: sinew check MODEL...");
  } else {
    CliJson json = {.file = stdout};
    code = CLI_OK;
    if (o.json) cli_jsonOpen(&json, NULL, '[');
    for (int i = 0; i < words.n; i++) {
      const int status = checkModel(words.at[i], &o, o.json ? &json : NULL);
      code = status > code ? status : code;
    }
    if (o.json) cli_jsonClose(&json, ']');
  }
  cli_freeOptions(&cmd_check, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"strict", 's', CLI_SWITCH, AT(strict), NULL, "advice counts as an error"                          },
    {"all",    'a', CLI_SWITCH, AT(all),    NULL, "show all advice, not only the first three of a kind"},
    {"quiet",  'q', CLI_SWITCH, AT(quiet),  NULL, "show errors, only count advice"                     },
    {"json",   0,   CLI_SWITCH, AT(json),   NULL, "print as JSON: a list with one entry per model"     },
};
#undef AT

const CliCommand cmd_check = {
    .name = "check",
    .arguments = "MODEL... [OPTIONS]",
    .summary = "find errors in models, show where they are, give advice",
    .description =
        "Loads each MODEL. Errors are shown with the line of the source. A model that loads gets advice on what is\n"
        "allowed but seldom meant: moving bodies without inertia, meshes replaced by their hulls, constraints too\n"
        "stiff for the timestep, ranges without effect, unused assets, geoms that begin inside each other, states\n"
        "that explode in the first half second.\n"
        "Exit code 0: no errors, 1: errors (with --strict also advice), 3: a file cannot be read.",
    .examples =
        "sinew check robot.xml\n"
        "sinew check scenes/*.xml --quiet              # for continuous integration\n"
        "sinew check robot.xml --json | jq '.[0].advice'",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = checkMain,
};
