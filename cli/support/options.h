// Options of a subcommand as one table, which parsing, help and suggestions share.
#pragma once

#include <stddef.h>

typedef enum {
  CLI_SWITCH,  // int, 1 when given
  CLI_TEXT,    // const char*
  CLI_NUMBER,  // double
  CLI_COUNT,   // int, not negative
  CLI_LIST     // CliList: may be given several times
} CliKind;

typedef struct {
  const char** at;
  int n;
} CliList;

typedef struct {
  const char* name;  // without dashes
  char letter;       // short form, or 0
  CliKind kind;
  size_t offset;        // of the value in the command's own struct
  const char* metavar;  // how help calls the value
  const char* help;     // may have several lines
} CliOption;

typedef struct {
  const char* name;
  const char* arguments;    // after the name in the usage line
  const char* summary;      // one line, for the list of commands
  const char* description;  // paragraphs, for --help
  const char* examples;     // lines "command  # what it does"
  const CliOption* options;
  int noption;
  int (*main)(int argc, char** argv);
} CliCommand;

// Reads argv[1..] into values (a struct described by the options) and words. Returns CLI_PROCEED, or the exit code
// where there is nothing more to do: help was printed, or an error was. Lists and words are freed by cli_freeOptions.
enum { CLI_PROCEED = -1 };
int cli_parse(const CliCommand* command, int argc, char** argv, void* values, CliList* words);
void cli_freeOptions(const CliCommand* command, void* values, CliList* words);

void cli_append(CliList* list, const char* text);

// Tells an unknown word from a list of known ones: error with what was meant. Returns CLI_USAGE.
int cli_unknown(const char* what, const char* word, const char* const* known);

// A number that is the whole text; 0: it is not.
int cli_number(const char* text, double* value);

// "640x480" in pixels. CLI_OK, or CLI_USAGE after a message.
int cli_readSize(const char* text, int* width, int* height);
