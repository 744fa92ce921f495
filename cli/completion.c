// Completion of words in bash (and in zsh, through bashcompinit), from the tables of commands, options and names.
#include <stdio.h>

#include "commands.h"
#include "picture.h"
#include "support/cli.h"
#include "support/model.h"

static void printWords(const char* const* words) {
  for (; *words; words++) printf("%s ", *words);
}

// the values of an option that has only a few
static void printValues(void) {
  printf("    --integrator) words=\"");
  printWords(cli_integrators);
  printf("\" ;;\n    --solver) words=\"");
  printWords(cli_solvers);
  printf("\" ;;\n    --flag|-f) words=\"");
  for (int i = 0; cli_flag(i); i++) printf("%s=on %s=off ", cli_flag(i), cli_flag(i));
  printf("\" ;;\n    --show) words=\"");
  for (int i = 0; pic_flag(i); i++) printf("%s=on %s=off ", pic_flag(i), pic_flag(i));
  printf("\" ;;\n");
}

int cli_printCompletion(void) {
  printf(
      "_sinew() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  COMPREPLY=()\n"
      "  case $previous in\n");
  printValues();
  printf(
      "    *)\n"
      "      if ((COMP_CWORD == 1)); then\n"
      "        words=\"");
  for (int i = 0; cli_commands[i]; i++) printf("%s ", cli_commands[i]->name);
  printf(
      "--help --version\"\n"
      "      elif [[ $current == -* ]]; then\n"
      "        case ${COMP_WORDS[1]} in\n");
  for (int i = 0; cli_commands[i]; i++) {
    printf("          %s) words=\"--help ", cli_commands[i]->name);
    for (int k = 0; k < cli_commands[i]->noption; k++) printf("--%s ", cli_commands[i]->options[k].name);
    printf("\" ;;\n");
  }
  printf(
      "        esac\n"
      "      fi ;;\n"
      "  esac\n"
      "  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "}\n"
      "complete -o default -F _sinew sinew\n");
  return CLI_OK;
}
