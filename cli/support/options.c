// Parsing and help from the table of options.
#include "support/options.h"

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/plain.h"
#include "support/suggest.h"

enum { MAX_KNOWN = 64 };  // options of one command, for suggestions

void cli_append(CliList* list, const char* text) {
  list->at = cli_resize(list->at, (size_t)list->n + 1, sizeof(*list->at));
  list->at[list->n++] = text;
}

int cli_number(const char* text, double* value) {
  const char* end;
  *value = sn_readNumber(text, &end);
  return end != text && *end == 0 && isfinite(*value);
}

int cli_readSize(const char* text, int* width, int* height) {
  enum { LARGEST = 16384 };  // what graphics cards take
  int end = 0;
  const int n = sscanf(text, "%6d%*1[xX]%6d%n", width, height, &end);
  if (n != 2 || text[end]) return cli_fail(CLI_USAGE, "--size needs WIDTHxHEIGHT such as 640x480, not '%s'", text);
  if (*width < 1 || *height < 1 || *width > LARGEST || *height > LARGEST) {
    return cli_fail(CLI_USAGE, "--size %s: from 1x1 to %dx%d", text, LARGEST, LARGEST);
  }
  return CLI_OK;
}

int cli_unknown(const char* what, const char* word, const char* const* known) {
  const char* const meant = cli_nearest(word, known);
  cli_fail(CLI_USAGE, "unknown %s '%s'%s", what, word, meant || known[0] ? "" : " (there are none)");
  if (meant) {
    cli_hint("did you mean '%s'?", meant);
  } else if (known[0]) {
    fputs("  known are:", stderr);
    for (int i = 0; known[i]; i++) cli_putPlain(stderr, "%s %s", i ? "," : "", known[i]);
    fputc('\n', stderr);
  }
  return CLI_USAGE;
}

// -------------------------------------------------------------------------------------------- help

static void printOption(const CliOption* option) {
  char left[64];
  const char letter[] = {option->letter ? '-' : ' ', option->letter ? option->letter : ' ', option->letter ? ',' : ' ',
                         0};
  snprintf(left, sizeof(left), "%s --%s%s%s", letter, option->name, option->metavar ? " " : "",
           option->metavar ? option->metavar : "");
  printf("  %-25s ", left);
  if (strlen(left) > 25) printf("\n%28s", "");

  // further lines of the text are indented below the first
  for (const char* c = option->help; *c; c++) {
    putchar(*c);
    if (*c == '\n') printf("%28s", "");
  }
  putchar('\n');
}

static void printHelp(const CliCommand* command) {
  const CliStyle* const style = cli_style(stdout);
  printf("%susage:%s sinew %s %s\n\n%s\n", style->bold, style->reset, command->name, command->arguments,
         command->description);
  printf("\n%soptions:%s\n", style->bold, style->reset);
  for (int i = 0; i < command->noption; i++) printOption(&command->options[i]);
  printf("  -h, --help                show this text\n");
  printf("\n%sexamples:%s\n", style->bold, style->reset);
  for (const char* line = command->examples; *line;) {
    const char* const end = strchrnul(line, '\n');
    printf("  %.*s\n", (int)(end - line), line);
    line = *end ? end + 1 : end;
  }
}

// -------------------------------------------------------------------------------------------- parsing

static const CliOption* findOption(const CliCommand* command, const char* name, size_t length) {
  for (int i = 0; i < command->noption; i++) {
    const CliOption* const option = &command->options[i];
    if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
  }
  return NULL;
}

static const CliOption* findLetter(const CliCommand* command, char letter) {
  for (int i = 0; i < command->noption; i++) {
    if (command->options[i].letter == letter) return &command->options[i];
  }
  return NULL;
}

static int unknownOption(const CliCommand* command, const char* name, size_t length) {
  const char* known[MAX_KNOWN + 2];
  int n = 0;
  for (int i = 0; i < command->noption && i < MAX_KNOWN; i++) known[n++] = command->options[i].name;
  known[n++] = "help";
  known[n] = NULL;
  char word[64];
  snprintf(word, sizeof(word), "%.*s", (int)length, name);
  const char* const meant = cli_nearest(word, known);
  cli_fail(CLI_USAGE, "sinew %s has no option '--%s'", command->name, word);
  if (meant) cli_hint("did you mean '--%s'?", meant);
  cli_hint("see 'sinew %s --help'", command->name);
  return CLI_USAGE;
}

// writes one value where the option wants it
static int setValue(const CliOption* option, const char* text, void* values) {
  void* const at = (char*)values + option->offset;
  double number = 0;
  switch (option->kind) {
    case CLI_SWITCH:
      *(int*)at = 1;
      return CLI_PROCEED;
    case CLI_TEXT:
      *(const char**)at = text;
      return CLI_PROCEED;
    case CLI_LIST:
      cli_append(at, text);
      return CLI_PROCEED;
    case CLI_NUMBER:
      if (!cli_number(text, at)) return cli_fail(CLI_USAGE, "--%s needs a number, not '%s'", option->name, text);
      return CLI_PROCEED;
    default:
      if (!cli_number(text, &number) || number < 0 || number > 2e9 || number != floor(number)) {
        return cli_fail(CLI_USAGE, "--%s needs a whole number that is not negative, not '%s'", option->name, text);
      }
      *(int*)at = (int)number;
      return CLI_PROCEED;
  }
}

// one option at argv[*i]; its value may be the next word
static int parseOption(const CliCommand* command, int argc, char** argv, int* i, void* values) {
  const char* const word = argv[*i];
  const CliOption* option = NULL;
  const char* value = NULL;
  if (word[1] == '-') {
    const char* const name = word + 2;
    const char* const end = strchrnul(name, '=');
    value = *end ? end + 1 : NULL;
    option = findOption(command, name, (size_t)(end - name));
    if (!option) return unknownOption(command, name, (size_t)(end - name));
  } else {
    option = findLetter(command, word[1]);
    if (!option) return unknownOption(command, word + 1, 1);
    if (word[2]) value = word + 2;
  }

  if (option->kind == CLI_SWITCH) {
    if (value) return cli_fail(CLI_USAGE, "--%s takes no value", option->name);
  } else if (!value) {
    if (*i + 1 >= argc) return cli_fail(CLI_USAGE, "--%s needs a value: %s", option->name, option->metavar);
    value = argv[++*i];
  }
  return setValue(option, value, values);
}

int cli_parse(const CliCommand* command, int argc, char** argv, void* values, CliList* words) {
  int onlyWords = 0;
  for (int i = 1; i < argc; i++) {
    const char* const word = argv[i];
    if (onlyWords || word[0] != '-' || !word[1]) {
      cli_append(words, word);
    } else if (strcmp(word, "--") == 0) {
      onlyWords = 1;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      printHelp(command);
      cli_freeOptions(command, values, words);
      return CLI_OK;
    } else {
      const int status = parseOption(command, argc, argv, &i, values);
      if (status != CLI_PROCEED) {
        cli_freeOptions(command, values, words);
        return status;
      }
    }
  }
  return CLI_PROCEED;
}

void cli_freeOptions(const CliCommand* command, void* values, CliList* words) {
  for (int i = 0; i < command->noption; i++) {
    if (command->options[i].kind != CLI_LIST) continue;
    CliList* const list = (CliList*)((char*)values + command->options[i].offset);
    free(list->at);
    *list = (CliList){NULL, 0};
  }
  free(words->at);
  *words = (CliList){NULL, 0};
}
