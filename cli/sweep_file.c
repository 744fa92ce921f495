// The file of a study: HDF5 with /parameters/*, /measures/*, /state and /message. Its layout is fixed when it is made;
// afterwards only values are written, in place, so that a file is whole at every moment and the same bytes come out
// whoever computed which sample first.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cli.h"
#include "sweep.h"

// -------------------------------------------------------------------------------------------- make and open

static void describe(SwpFile* file, const SwpStudy* s) {
  file->ncolumn = s->nvary + s->nmeasure + 2;
  file->nvary = s->nvary;
  file->column = cli_zeroed((size_t)file->ncolumn, sizeof(ModColumn));
  ModColumn* c = file->column;
  for (int i = 0; i < s->nvary; i++, c++) {
    snprintf(c->name, sizeof(c->name), "parameters/%.150s", s->vary[i].label);
    c->kind = 'd';
  }
  for (int i = 0; i < s->nmeasure; i++, c++) {
    snprintf(c->name, sizeof(c->name), "measures/%.150s", s->measure[i].label);
    c->kind = 'd';
  }
  *c++ = (ModColumn){.name = "state", .kind = 'b'};
  *c = (ModColumn){.name = "message", .kind = 's', .width = SWP_TEXT};
}

// columns hold the parameters, and not-a-number for what is not known yet
static int make(SwpFile* file, const ModHdf5* hdf5, const char* path, const SwpStudy* s, const char* settings) {
  const size_t n = (size_t)s->nsample;
  double* const unknown = cli_zeroed(n, sizeof(double));
  double* const columns = cli_zeroed(n * (size_t)s->nvary + 1, sizeof(double));
  for (size_t i = 0; i < n; i++) {
    unknown[i] = NAN;
    for (size_t k = 0; k < (size_t)s->nvary; k++) columns[k * n + i] = s->value[i * (size_t)s->nvary + k];
  }
  for (int k = 0; k < s->nvary; k++) file->column[k].values = columns + (size_t)k * n;
  for (int k = 0; k < s->nmeasure; k++) file->column[s->nvary + k].values = unknown;

  // under another name until it is complete
  char partial[4200], error[MOD_ERROR_SIZE];
  snprintf(partial, sizeof(partial), "%s.new", path);
  int status = CLI_OK;
  if (!hdf5->create(partial, settings, s->nsample, file->column, file->ncolumn, error)) {
    status = cli_fail(CLI_OUTPUT, "%s", error);
  } else if (rename(partial, path)) {
    status = cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
  }
  for (int k = 0; k < file->ncolumn; k++) file->column[k].values = NULL;
  free(unknown);
  free(columns);
  return status;
}

// 1: path is a file of this study, 0: of another one after a message
static int isOurs(SwpFile* file, const ModHdf5* hdf5, const char* path, const char* settings) {
  char* found = NULL;
  char error[MOD_ERROR_SIZE] = "";
  const int opened = hdf5->open(path, &found, file->column, file->ncolumn, error);
  const int same = opened && !strcmp(found, settings);
  if (!opened) {
    cli_fail(CLI_USAGE, "%s", error);
  } else if (!same) {
    cli_fail(CLI_USAGE, "'%s' holds another study: model, parameters, measures, samples or seed differ", path);
  }
  if (!same) cli_hint("give another --out, or --force to begin anew");
  free(found);
  return same;
}

int swp_openFile(SwpFile* file, const char* path, const SwpStudy* study, const char* settings, int force) {
  *file = (SwpFile){.descriptor = -1};
  const ModHdf5* const hdf5 = mod_load("sinew_hdf5", "sinew_hdf5");
  if (!hdf5) return cli_fail(CLI_OUTPUT, "'%s': %s", path, mod_reason("sinew_hdf5"));
  describe(file, study);
  if (access(path, F_OK) == 0 && !force) {
    if (!isOurs(file, hdf5, path, settings)) return CLI_USAGE;
  } else {
    const int status = make(file, hdf5, path, study, settings);
    if (status != CLI_OK) return status;
  }
  file->descriptor = open(path, O_RDWR | O_CLOEXEC);
  file->state = cli_zeroed((size_t)study->nsample, 1);
  const ssize_t n = study->nsample;
  if (file->descriptor < 0 ||
      pread(file->descriptor, file->state, (size_t)n, file->column[file->ncolumn - 2].offset) != n) {
    return cli_fail(CLI_OUTPUT, "cannot open '%s': %s", path, strerror(errno));
  }
  return CLI_OK;
}

void swp_closeFile(SwpFile* file) {
  if (file->descriptor >= 0) {
    fsync(file->descriptor);
    close(file->descriptor);
  }
  free(file->column);
  free(file->state);
  *file = (SwpFile){.descriptor = -1};
}

// -------------------------------------------------------------------------------------------- values

// n values of a column from sample on
static int writeColumn(const SwpFile* file, const ModColumn* c, size_t width, int sample, const void* values, int n) {
  const size_t bytes = width * (size_t)n;
  return pwrite(file->descriptor, values, bytes, c->offset + (off_t)width * sample) == (ssize_t)bytes;
}

// samples [first, end) of a chunk, which follow each other in the file. Their states are written after all else of
// them: what they say is true
static int putRun(SwpFile* file, const SwpChunk* chunk, int first, int end, const double* measured, int nmeasure) {
  const ModColumn *const state = file->column + file->ncolumn - 2, *const message = state + 1;
  const int sample = chunk->sample[first], n = end - first;
  for (int k = 0; k < nmeasure; k++) {
    double values[SWP_CHUNK];
    for (int i = 0; i < n; i++) values[i] = measured[(first + i) * nmeasure + k];
    if (!writeColumn(file, file->column + file->nvary + k, sizeof(double), sample, values, n)) return 0;
  }
  for (int i = first; i < end; i++) {
    if (chunk->state[i] != SWP_FAILED) continue;
    if (!writeColumn(file, message, SWP_TEXT, chunk->sample[i], chunk->message[i], 1)) return 0;
  }
  if (!writeColumn(file, state, 1, sample, chunk->state + first, n)) return 0;
  memcpy(file->state + sample, chunk->state + first, (size_t)n);
  return 1;
}

int swp_writeChunk(SwpFile* file, const SwpChunk* chunk, const double* measured, int nmeasure) {
  for (int first = 0, end = 1; first < chunk->n; first = end++) {
    while (end < chunk->n && chunk->sample[end] == chunk->sample[end - 1] + 1) end++;
    if (putRun(file, chunk, first, end, measured, nmeasure)) continue;
    return cli_fail(CLI_OUTPUT, "the file cannot be written: %s", strerror(errno));
  }
  return CLI_OK;
}

int swp_readMeasured(const SwpFile* file, int measure, int nsample, double* values) {
  const size_t bytes = (size_t)nsample * sizeof(double);
  return pread(file->descriptor, values, bytes, file->column[file->nvary + measure].offset) == (ssize_t)bytes;
}
