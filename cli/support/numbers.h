// Files of numbers read whole: CSV with or without names in the first line, NPY with plain or named numbers.
#pragma once

#include "support/fields.h"

typedef struct {
  CliFields fields;
  int named;   // the file names its columns
  int nrow;    // rows of fields.width numbers
  double* at;  // row by row
} CliNumbers;

// CLI_OK, or CLI_INPUT after a message.
int cli_readNumbers(const char* path, CliNumbers* numbers);
void cli_freeNumbers(CliNumbers* numbers);

// 1: the name ends as those of files of numbers do
int cli_isNumbersPath(const char* path);

// The two formats; text is the whole file and ends with 0.
int cli_readCsv(const char* path, char* text, CliNumbers* numbers);
int cli_readNpy(const char* path, const char* bytes, size_t size, CliNumbers* numbers);

// The whole file with a 0 after its end; NULL after a message.
char* cli_readFile(const char* path, size_t* size);
