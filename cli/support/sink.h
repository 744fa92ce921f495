// Rows of numbers to a file as they are made: CSV, NPY with one named field per group of columns, or HDF5 with a
// dataset for each.
#pragma once

#include <stdio.h>

#include "support/fields.h"

typedef struct {
  const char* path;         // "-" is standard output
  const CliFields* fields;  // the caller's, who keeps it until the sink is closed
  FILE* file;
  int npy;
  long nrow;
  long header;   // bytes of the NPY header
  int error;     // errno of the first failure
  void* hdf5;    // stream of an HDF5 file, then file is NULL
  double* rows;  // that wait to be written to it
  int nwaiting;
} CliSink;

// 1: between open and close
int cli_isOpen(const CliSink* sink);

// Each returns CLI_OK, or CLI_OUTPUT after a message (CLI_PIPE without one when the reader of standard output is gone).
int cli_openSink(CliSink* sink, const char* path, const CliFields* fields);
int cli_writeRow(CliSink* sink, const double* row);
int cli_closeSink(CliSink* sink);
