// Text of models and files on its way to people: nothing in it may mean anything to a terminal or another program.
#pragma once

#include <stdarg.h>
#include <stdio.h>

// Replaces by '?', in place, whatever a terminal might act on: control characters (also those beyond ASCII),
// characters that turn the direction of writing, and bytes that are not UTF-8. Line breaks and tabs stay where lines
// is set. Returns text.
char* cli_plain(char* text, int lines);

// Prints a formatted text made plain, line breaks and tabs kept.
void cli_putPlain(FILE* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
void cli_putPlainV(FILE* out, const char* format, va_list args) __attribute__((format(printf, 2, 0)));
