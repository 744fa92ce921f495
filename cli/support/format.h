// Numbers as text, for people and for machines, and aligned tables.
#pragma once

#include <stdio.h>

enum { CLI_NUMBER_SIZE = 40 };

// The shortest of 15 or 17 digits that reads back as the same number.
const char* cli_exact(double value, char text[CLI_NUMBER_SIZE]);

// Three or four digits with k, M, G (or m, u, n below one) before the unit: "31.9 k", "24.3 u".
const char* cli_metric(double value, char text[CLI_NUMBER_SIZE]);

// Bytes as B, KiB, MiB or GiB.
const char* cli_bytes(double bytes, char text[CLI_NUMBER_SIZE]);

// A table of texts: cells are added row by row, printed in columns as wide as their widest cell. Columns that hold
// only numbers are aligned to the right.
typedef struct {
  int ncolumn;
  int ncell;
  char** cell;
} CliTable;

void cli_cell(CliTable* table, const char* format, ...) __attribute__((format(printf, 2, 3)));
void cli_printTable(const CliTable* table, FILE* file, int header, int indent);
void cli_freeTable(CliTable* table);
