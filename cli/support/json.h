// Writing JSON to a stream, indented, with commas where they belong.
#pragma once

#include <stdio.h>

typedef struct {
  FILE* file;
  int depth;
  int comma;  // something was written at this level
} CliJson;

// Names are NULL for elements of an array and for the outermost value.
void cli_jsonOpen(CliJson* json, const char* name, char bracket);  // '{' or '['
void cli_jsonClose(CliJson* json, char bracket);                   // '}' or ']'
void cli_jsonText(CliJson* json, const char* name, const char* value);
void cli_jsonNumber(CliJson* json, const char* name, double value);  // null where it is not finite
void cli_jsonCount(CliJson* json, const char* name, long long value);
void cli_jsonBool(CliJson* json, const char* name, int value);
void cli_jsonNumbers(CliJson* json, const char* name, const double* value, int n);
