// JSON writer.
#include "support/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/format.h"
#include "support/plain.h"

static void writeText(FILE* file, const char* text) {
  char* const plain = cli_plain(strcpy(cli_zeroed(strlen(text) + 1, 1), text), 1);
  fputc('"', file);
  for (const char* c = plain; *c; c++) {
    if (*c == '"' || *c == '\\') {
      fprintf(file, "\\%c", *c);
    } else if (*c == '\n' || *c == '\t') {
      fputs(*c == '\n' ? "\\n" : "\\t", file);
    } else {
      fputc(*c, file);
    }
  }
  fputc('"', file);
  free(plain);
}

static void writeNumber(FILE* file, double value) {
  char text[CLI_NUMBER_SIZE];
  fputs(isfinite(value) ? cli_exact(value, text) : "null", file);
}

// comma, line break, indentation and name before a value
static void begin(CliJson* json, const char* name) {
  if (json->comma) fputc(',', json->file);
  if (json->depth) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  if (name) {
    writeText(json->file, name);
    fputs(": ", json->file);
  }
  json->comma = 1;
}

void cli_jsonOpen(CliJson* json, const char* name, char bracket) {
  begin(json, name);
  fputc(bracket, json->file);
  json->depth++;
  json->comma = 0;
}

void cli_jsonClose(CliJson* json, char bracket) {
  json->depth--;
  if (json->comma) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  fputc(bracket, json->file);
  if (!json->depth) fputc('\n', json->file);
  json->comma = 1;
}

void cli_jsonText(CliJson* json, const char* name, const char* value) {
  begin(json, name);
  writeText(json->file, value);
}

void cli_jsonNumber(CliJson* json, const char* name, double value) {
  begin(json, name);
  writeNumber(json->file, value);
}

void cli_jsonCount(CliJson* json, const char* name, long long value) {
  begin(json, name);
  fprintf(json->file, "%lld", value);
}

void cli_jsonBool(CliJson* json, const char* name, int value) {
  begin(json, name);
  fputs(value ? "true" : "false", json->file);
}

void cli_jsonNumbers(CliJson* json, const char* name, const double* value, int n) {
  begin(json, name);
  fputc('[', json->file);
  for (int i = 0; i < n; i++) {
    if (i) fputs(", ", json->file);
    writeNumber(json->file, value[i]);
  }
  fputc(']', json->file);
}
