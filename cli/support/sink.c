// Writers of CSV, NPY and HDF5. An NPY header states the number of rows, which is known at the end: it is written with
// room for it and completed when the sink is closed.
#include "support/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "modules/modules.h"
#include "support/cli.h"
#include "support/format.h"

// notes the first failure; 1 when there was one
static int failed(CliSink* sink, int bad) {
  if (bad && !sink->error) sink->error = errno ? errno : EIO;
  return sink->error != 0;
}

static int report(const CliSink* sink) {
  if (!sink->error) return CLI_OK;
  if (sink->error == EPIPE) return CLI_PIPE;
  return cli_fail(CLI_OUTPUT, "cannot write '%s': %s", sink->path, strerror(sink->error));
}

// -------------------------------------------------------------------------------------------- NPY

// a Python string literal
static void appendLiteral(FILE* text, const char* name) {
  fputc('\'', text);
  for (; *name; name++) {
    if (*name == '\'' || *name == '\\') fputc('\\', text);
    fputc(*name, text);
  }
  fputc('\'', text);
}

static int isAscii(const char* text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if ((unsigned char)text[i] >= 0x80) return 0;
  }
  return 1;
}

// the dictionary of the header: {'descr': [('time', '<f8'), ('qpos', '<f8', (7,))], ..., 'shape': (rows,), }
static char* dictionary(const CliSink* sink, size_t* size) {
  char* text = NULL;
  FILE* const out = open_memstream(&text, size);
  if (!out) return NULL;
  fputs("{'descr': [", out);
  for (int i = 0; i < sink->fields->n; i++) {
    const CliField* const field = &sink->fields->at[i];
    fputs(i ? ", (" : "(", out);
    appendLiteral(out, field->name);
    fputs(", '<f8'", out);
    if (field->width > 1) fprintf(out, ", (%d,)", field->width);
    fputc(')', out);
  }
  fprintf(out, "], 'fortran_order': False, 'shape': (%ld,), }", sink->nrow);
  return fclose(out) ? NULL : text;
}

// magic, version, length and dictionary, padded so that data begin at a multiple of 64 bytes
static int writeHeader(CliSink* sink) {
  size_t size = 0;
  char* const text = dictionary(sink, &size);
  if (!text) return failed(sink, 1);

  // versions 2 and 3 (UTF-8) have a length of four bytes; room for twenty digits of the number of rows
  const long lead = 12;
  if (!sink->header) sink->header = (lead + (long)size + 20 + 63) / 64 * 64;
  const size_t length = (size_t)(sink->header - lead);
  const unsigned char magic[12] = {0x93,
                                   'N',
                                   'U',
                                   'M',
                                   'P',
                                   'Y',
                                   isAscii(text, size) ? 2 : 3,
                                   0,
                                   (unsigned char)length,
                                   (unsigned char)(length >> 8),
                                   (unsigned char)(length >> 16),
                                   (unsigned char)(length >> 24)};
  errno = 0;
  const int bad = fwrite(magic, 1, sizeof(magic), sink->file) != sizeof(magic) ||
                  fprintf(sink->file, "%-*s\n", (int)length - 1, text) < 0;
  free(text);
  return failed(sink, bad);
}

// -------------------------------------------------------------------------------------------- CSV

// Quotes a name that would break the line apart. Where a table program might take what follows for a formula, at the
// beginning of a cell or after what it might take for the end of one, an apostrophe makes it text.
static void writeName(FILE* file, const char* name) {
  const char* const quote = strpbrk(name, ",\"") ? "\"" : "";
  fputs(quote, file);
  for (int open = 1; *name; name++) {
    if (open && strchr("=+-@|%", *name)) fputc('\'', file);
    if (*name == '"') fputc('"', file);
    fputc(*name, file);
    open = strchr(",;:|\"\' ", *name) != NULL;
  }
  fputs(quote, file);
}

static int writeNames(CliSink* sink) {
  errno = 0;
  char name[CLI_COLUMN_SIZE];
  for (int i = 0; i < sink->fields->width; i++) {
    if (i) fputc(',', sink->file);
    writeName(sink->file, cli_columnName(sink->fields, i, name));
  }
  return failed(sink, fputc('\n', sink->file) < 0);
}

// -------------------------------------------------------------------------------------------- HDF5

enum { HDF5_ROWS = 256 };  // written together

static const ModHdf5* hdf5Module(void) {
  return mod_load("sinew_hdf5", "sinew_hdf5");
}

static int isHdf5(const char* path) {
  return cli_hasSuffix(path, ".h5") || cli_hasSuffix(path, ".hdf5");
}

static int openHdf5(CliSink* sink) {
  const CliFields* const fields = sink->fields;
  const char* const path = sink->path;
  const ModHdf5* const module = hdf5Module();
  const char** const name = cli_zeroed((size_t)fields->n, sizeof(*name));
  int* const width = cli_zeroed((size_t)fields->n, sizeof(*width));
  for (int i = 0; i < fields->n; i++) {
    name[i] = fields->at[i].name;
    width[i] = fields->at[i].width;
  }
  char error[MOD_ERROR_SIZE] = "";
  if (module) sink->hdf5 = module->openStream(path, name, width, fields->n, error);
  free(name);
  free(width);
  if (!sink->hdf5) {
    sink->path = NULL;
    return cli_fail(CLI_OUTPUT, "'%s': %s", path, module ? error : mod_reason("sinew_hdf5"));
  }
  sink->rows = cli_zeroed((size_t)HDF5_ROWS * (size_t)fields->width, sizeof(double));
  return CLI_OK;
}

static int flushHdf5(CliSink* sink) {
  char error[MOD_ERROR_SIZE];
  errno = 0;
  const int bad = sink->nwaiting && !hdf5Module()->writeStream(sink->hdf5, sink->rows, sink->nwaiting, error);
  sink->nwaiting = 0;
  return failed(sink, bad);
}

static int writeHdf5(CliSink* sink, const double* row) {
  const size_t width = (size_t)sink->fields->width;
  memcpy(sink->rows + (size_t)sink->nwaiting++ * width, row, width * sizeof(double));
  sink->nrow++;
  return sink->nwaiting == HDF5_ROWS && flushHdf5(sink) ? CLI_OUTPUT : CLI_OK;
}

static int closeHdf5(CliSink* sink) {
  char error[MOD_ERROR_SIZE];
  flushHdf5(sink);
  errno = 0;
  failed(sink, !hdf5Module()->closeStream(sink->hdf5, error));
  free(sink->rows);
  sink->hdf5 = NULL;
  sink->rows = NULL;
  return report(sink);
}

// -------------------------------------------------------------------------------------------- sinks

int cli_isOpen(const CliSink* sink) {
  return sink->file || sink->hdf5;
}

int cli_openSink(CliSink* sink, const char* path, const CliFields* fields) {
  *sink = (CliSink){.path = path, .fields = fields, .npy = cli_hasSuffix(path, ".npy")};
  if (cli_hasSuffix(path, ".svg") || cli_hasSuffix(path, ".png")) {
    return cli_fail(CLI_USAGE, "'%s' is the name of a chart: numbers go to .csv, .npy or .h5, charts to --plot", path);
  }
  if (isHdf5(path)) return openHdf5(sink);
  sink->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!sink->file) {
    sink->path = NULL;
    return cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
  }
  if (sink->npy) {
    writeHeader(sink);
  } else {
    writeNames(sink);
  }
  return CLI_OK;
}

int cli_writeRow(CliSink* sink, const double* row) {
  if (sink->error) return CLI_OUTPUT;
  if (sink->hdf5) return writeHdf5(sink, row);
  const int width = sink->fields->width;
  errno = 0;
  if (sink->npy) {
    // the library is for little-endian machines, as are its binary models
    if (failed(sink, fwrite(row, sizeof(double), (size_t)width, sink->file) != (size_t)width)) return CLI_OUTPUT;
  } else {
    char text[CLI_NUMBER_SIZE];
    for (int i = 0; i < width; i++) {
      if (i) fputc(',', sink->file);
      fputs(cli_exact(row[i], text), sink->file);
    }
    if (failed(sink, fputc('\n', sink->file) < 0 || ferror(sink->file))) return CLI_OUTPUT;
  }
  sink->nrow++;
  return CLI_OK;
}

int cli_closeSink(CliSink* sink) {
  if (sink->hdf5) return closeHdf5(sink);
  if (!sink->file) return report(sink);
  errno = 0;
  failed(sink, fflush(sink->file) != 0);
  if (sink->npy && !sink->error) {
    if (!failed(sink, fseek(sink->file, 0, SEEK_SET) != 0)) writeHeader(sink);
  }
  errno = 0;
  if (sink->file != stdout) failed(sink, fclose(sink->file) != 0);
  sink->file = NULL;
  return report(sink);
}
