// Error messages of the loader with the place in the source that they speak of.
#pragma once

#include <stdio.h>

typedef struct {
  char file[512];
  int line;    // 0: the message names no place
  int column;  // 0: not named
} CliPlace;

// Finds "line N", "column N" and "file NAME" in a message; the file is path where the message names none.
CliPlace cli_placeOf(const char* path, const char* message);

// Prints the message, then the line of the source with a caret under what the message speaks of.
void cli_printError(FILE* out, const char* path, const char* message);
void cli_printExcerpt(FILE* out, const CliPlace* place, const char* message);

// Finds the element of a kind that has name="..." in a file or in those it includes; 0: it is not there.
int cli_findElement(const char* path, const char* kind, const char* name, CliPlace* place);
