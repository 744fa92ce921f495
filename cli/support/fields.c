// Names of columns.
#include "support/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/plain.h"

// columns are named by models and by files
static char* copyOf(const char* text) {
  return cli_plain(strcpy(cli_zeroed(strlen(text) + 1, 1), text), 0);
}

CliField* cli_addField(CliFields* fields, const char* name, int width) {
  if (width <= 0) return NULL;
  fields->at = cli_resize(fields->at, (size_t)fields->n + 1, sizeof(*fields->at));
  CliField* const field = &fields->at[fields->n++];
  *field = (CliField){.name = copyOf(name), .width = width};
  fields->width += width;
  return field;
}

void cli_setLabel(CliField* field, int column, const char* format, ...) {
  if (!field->label) field->label = cli_zeroed((size_t)field->width, sizeof(*field->label));
  char text[CLI_COLUMN_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  free(field->label[column]);
  field->label[column] = copyOf(text);
}

const char* cli_columnName(const CliFields* fields, int column, char text[CLI_COLUMN_SIZE]) {
  const CliField* field = fields->at;
  while (column >= field->width) column -= (field++)->width;
  const char* const label = field->label ? field->label[column] : NULL;
  if (label) {
    snprintf(text, CLI_COLUMN_SIZE, "%s.%s", field->name, label);
  } else if (field->width > 1) {
    snprintf(text, CLI_COLUMN_SIZE, "%s.%d", field->name, column);
  } else {
    snprintf(text, CLI_COLUMN_SIZE, "%s", field->name);
  }
  return text;
}

int cli_findField(const CliFields* fields, const char* name, int* column) {
  *column = 0;
  for (int i = 0; i < fields->n; i++) {
    if (strcmp(fields->at[i].name, name) == 0) return i;
    *column += fields->at[i].width;
  }
  return -1;
}

void cli_freeFields(CliFields* fields) {
  for (int i = 0; i < fields->n; i++) {
    CliField* const field = &fields->at[i];
    for (int j = 0; field->label && j < field->width; j++) free(field->label[j]);
    free(field->label);
    free(field->name);
  }
  free(fields->at);
  *fields = (CliFields){NULL, 0, 0};
}
