// Names of the columns of a file of numbers: fields ("qpos") of one or more columns, each with a label ("knee").
#pragma once

#include <stddef.h>

typedef struct {
  char* name;
  int width;     // columns
  char** label;  // one per column, NULL where columns have only an index
} CliField;

typedef struct {
  CliField* at;
  int n;
  int width;  // columns of all fields
} CliFields;

enum { CLI_COLUMN_SIZE = 160 };

// Adds a field of width columns; empty ones are left out. Returns it to be labelled with cli_setLabel, or NULL.
CliField* cli_addField(CliFields* fields, const char* name, int width);
void cli_setLabel(CliField* field, int column, const char* format, ...) __attribute__((format(printf, 3, 4)));

// "time", "qpos.knee" or "qpos.3" of a column counted over all fields
const char* cli_columnName(const CliFields* fields, int column, char text[CLI_COLUMN_SIZE]);

// index of a field and of its first column; -1: there is none of that name
int cli_findField(const CliFields* fields, const char* name, int* column);

void cli_freeFields(CliFields* fields);
