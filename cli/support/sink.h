// Rows of numbers to a file as they are made: CSV, or NPY with one named field per group of columns.
#pragma once

#include <stdio.h>

#include "support/fields.h"

typedef struct {
  const char* path;         // "-" is standard output
  const CliFields* fields;  // the caller's, who keeps it until the sink is closed
  FILE* file;
  int npy;
  long nrow;
  long header;  // bytes of the NPY header
  int error;    // errno of the first failure
} CliSink;

// Each returns CLI_OK, or CLI_OUTPUT after a message (CLI_PIPE without one when the reader of standard output is gone).
int cli_openSink(CliSink* sink, const char* path, const CliFields* fields);
int cli_writeRow(CliSink* sink, const double* row);
int cli_closeSink(CliSink* sink);
