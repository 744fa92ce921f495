// What every part of the program shares: exit codes, messages, and how standard output ends.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Exit codes that scripts can rely on; `sinew --help` lists them.
typedef enum {
  CLI_OK = 0,
  CLI_NO = 1,             // the answer is no: models differ, the model has errors, functions are missing
  CLI_USAGE = 2,          // options or arguments that make no sense
  CLI_INPUT = 3,          // a file that cannot be read or is not what it should be
  CLI_OUTPUT = 4,         // a file, chart or standard output that could not be written
  CLI_FAILED = 5,         // the simulation became unstable or the library raised an error
  CLI_INTERRUPTED = 130,  // stopped by Ctrl-C; what was computed until then is written
  CLI_PIPE = 141          // the reader of standard output went away
} CliExit;

// Prints "sinew: error: ..." to standard error and returns code, so that callers can `return cli_fail(...)`.
int cli_fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Prints an indented line after an error that says what to do about it.
void cli_hint(const char* format, ...) __attribute__((format(printf, 1, 2)));

// realloc to n elements, and calloc, that end the program where there is no memory: it has nothing to save then.
void* cli_resize(void* memory, size_t n, size_t size);
void* cli_zeroed(size_t n, size_t size);

// 1: the name of a file ends so, in letters of either case
int cli_hasSuffix(const char* path, const char* suffix);

// Writes bytes to a file, '-' is standard output. CLI_OK, or CLI_OUTPUT after a message (CLI_PIPE without one when the
// reader of standard output is gone).
int cli_writeFile(const char* path, const void* bytes, size_t size);

// Trouble with files should not cost a simulation: can this one be written? CLI_OK, or CLI_OUTPUT after a message.
int cli_checkWritable(const char* path);

// Escape sequences for a stream, empty unless it is a terminal that wants colour (NO_COLOR is honoured).
typedef struct {
  const char *bold, *dim, *red, *yellow, *green, *reset;
} CliStyle;
const CliStyle* cli_style(FILE* stream);

// 1: the terminal shows UTF-8, so that trees and bars may be drawn with its line characters
int cli_utf8(void);

// Sets locale, signals and the handlers of the library: its warnings are collected, its errors end the program with
// a message and CLI_FAILED.
void cli_start(void);

// Flushes standard output; code, unless the output could not be written.
int cli_finish(int code);

// Warnings of the library since the start; each different text once.
int cli_nwarning(void);
const char* cli_warning(int i);
const char* cli_lastWarning(void);  // "" without one
void cli_clearWarnings(void);

// 1 after Ctrl-C or a polite kill. The second one ends the program at once.
int cli_interrupted(void);
void cli_catchInterrupt(void);

double cli_seconds(void);  // a steady clock
