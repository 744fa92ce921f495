// The `sinew` program: finds the subcommand and ends with its exit code.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "support/cli.h"
#include "support/suggest.h"

const CliCommand* const cli_commands[] = {&cmd_run,   &cmd_sweep,     &cmd_picture, &cmd_view,
                                          &cmd_info,  &cmd_check,     &cmd_convert, &cmd_compare,
                                          &cmd_bench, &cmd_apiStatus, NULL};
enum { NCOMMAND = sizeof(cli_commands) / sizeof(cli_commands[0]) - 1 };

static void printVersion(void) {
  printf("sinew %s, compatible with MuJoCo %s\n", SINEW_VERSION, mj_versionString());
}

static int printHelp(void) {
  const CliStyle* const style = cli_style(stdout);
  printf("%susage:%s sinew COMMAND [ARGUMENTS]\n\n", style->bold, style->reset);
  printf("Simulates MuJoCo models. 'sinew run' without a model shows what it can do.\n\n");
  printf("%scommands:%s\n", style->bold, style->reset);
  for (int i = 0; i < NCOMMAND; i++) printf("  %-11s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
  printf("\n  'sinew COMMAND --help' shows options and examples; all take --json for machine-readable output.\n");
  printf("\n%sexit codes:%s\n", style->bold, style->reset);
  static const struct {
    int code;
    const char* text;
  } codes[] = {
      {CLI_OK,          "done"                                                                      },
      {CLI_NO,          "the answer is no: models differ, a model has errors, functions are missing"},
      {CLI_USAGE,       "options or arguments that make no sense"                                   },
      {CLI_INPUT,       "a file cannot be read or is not what it should be"                         },
      {CLI_OUTPUT,      "a file, a chart, a picture or standard output could not be written"        },
      {CLI_FAILED,      "the simulation became unstable or the library raised an error"             },
      {CLI_INTERRUPTED, "interrupted by Ctrl-C; what was computed until then is written"            },
      {CLI_PIPE,        "the reader of standard output went away"                                   }
  };
  for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) printf("  %3d  %s\n", codes[i].code, codes[i].text);
  printf(
      "\n  -h, --help     show this text\n  -V, --version  show the version\n"
      "  --completion   print what bash needs to complete words: source <(sinew --completion)\n");
  return CLI_OK;
}

static int unknownCommand(const char* word) {
  const char* known[NCOMMAND + 1];
  for (int i = 0; i < NCOMMAND; i++) known[i] = cli_commands[i]->name;
  known[NCOMMAND] = NULL;
  const char* const meant = cli_nearest(word, known);
  cli_fail(CLI_USAGE, "'%s' is not a command", word);
  if (meant) cli_hint("did you mean 'sinew %s'?", meant);
  cli_hint("see 'sinew --help'");
  return CLI_USAGE;
}

static const CliCommand* findCommand(const char* name) {
  for (int i = 0; i < NCOMMAND; i++) {
    if (strcmp(name, cli_commands[i]->name) == 0) return cli_commands[i];
  }
  return NULL;
}

// `sinew help run` is `sinew run --help`
static int runHelp(int argc, char** argv) {
  if (argc < 3) return printHelp();
  const CliCommand* const command = findCommand(argv[2]);
  if (!command) return unknownCommand(argv[2]);
  char help[] = "--help";
  char* arguments[] = {argv[2], help, NULL};
  return command->main(2, arguments);
}

int main(int argc, char** argv) {
  cli_start();
  int code = CLI_OK;
  if (argc < 2) {
    printHelp();
    code = CLI_USAGE;
  } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    code = runHelp(argc, argv);
  } else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") || !strcmp(argv[1], "version")) {
    printVersion();
  } else if (!strcmp(argv[1], "--completion")) {
    code = cli_printCompletion();
  } else {
    const CliCommand* const command = findCommand(argv[1]);
    code = command ? command->main(argc - 1, argv + 1) : unknownCommand(argv[1]);
  }
  return cli_finish(code);
}
