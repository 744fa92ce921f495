// Numbers as text, and tables.
#include "support/format.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/plain.h"

const char* cli_exact(double value, char text[CLI_NUMBER_SIZE]) {
  snprintf(text, CLI_NUMBER_SIZE, "%.15g", value);
  if (strtod(text, NULL) != value) snprintf(text, CLI_NUMBER_SIZE, "%.17g", value);
  return text;
}

const char* cli_metric(double value, char text[CLI_NUMBER_SIZE]) {
  static const struct {
    double scale;
    const char* prefix;
  } units[] = {
      {1e9,  "G"},
      {1e6,  "M"},
      {1e3,  "k"},
      {1,    "" },
      {1e-3, "m"},
      {1e-6, "u"},
      {1e-9, "n"}
  };
  const double size = fabs(value);
  for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
    if (size < units[i].scale * 0.9995) continue;
    snprintf(text, CLI_NUMBER_SIZE, "%.3g %s", value / units[i].scale, units[i].prefix);
    return text;
  }
  snprintf(text, CLI_NUMBER_SIZE, "%.3g ", value);
  return text;
}

const char* cli_bytes(double bytes, char text[CLI_NUMBER_SIZE]) {
  static const char* const unit[] = {"B", "KiB", "MiB", "GiB"};
  int i = 0;
  while (bytes >= 1024 && i < 3) {
    bytes /= 1024;
    i++;
  }
  snprintf(text, CLI_NUMBER_SIZE, i ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
  return text;
}

// -------------------------------------------------------------------------------------------- tables

void cli_cell(CliTable* table, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  table->cell = cli_resize(table->cell, (size_t)table->ncell + 1, sizeof(*table->cell));
  char* const copy = cli_zeroed(strlen(text) + 1, 1);
  table->cell[table->ncell++] = cli_plain(strcpy(copy, text), 0);
}

// characters, not bytes, of UTF-8 text
static int width(const char* text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static int isNumber(const char* text) {
  return isdigit((unsigned char)text[0]) || (text[0] == '-' && (text[1] == 0 || isdigit((unsigned char)text[1])));
}

static int rightAligned(const CliTable* table, int column, int header) {
  for (int i = (header ? table->ncolumn : 0) + column; i < table->ncell; i += table->ncolumn) {
    if (*table->cell[i] && !isNumber(table->cell[i])) return 0;
  }
  return 1;
}

static int columnWidth(const CliTable* table, int column) {
  int widest = 0;
  for (int i = column; i < table->ncell; i += table->ncolumn) {
    const int w = width(table->cell[i]);
    if (w > widest) widest = w;
  }
  return widest;
}

void cli_printTable(const CliTable* table, FILE* file, int header, int indent) {
  const CliStyle* const style = cli_style(file);
  for (int i = 0; i < table->ncell; i++) {
    const int column = i % table->ncolumn;
    const int bold = header && i < table->ncolumn;
    const int last = column == table->ncolumn - 1;
    const char* const text = table->cell[i];
    const int space = columnWidth(table, column) - width(text);
    const int right = rightAligned(table, column, header);
    if (column == 0) fprintf(file, "%*s", indent, "");
    fprintf(file, "%*s%s%s%s", right ? space : 0, "", bold ? style->bold : "", text, bold ? style->reset : "");
    if (last) {
      fputc('\n', file);
    } else {
      fprintf(file, "%*s", (right ? 0 : space) + 2, "");
    }
  }
}

void cli_freeTable(CliTable* table) {
  for (int i = 0; i < table->ncell; i++) free(table->cell[i]);
  free(table->cell);
  *table = (CliTable){.ncolumn = table->ncolumn};
}
