// Reading NPY: the header is a Python dictionary of three entries, the data are little-endian numbers. Plain arrays
// of one or two dimensions and arrays of named fields ([('time', '<f8'), ('qpos', '<f8', (7,))]) are understood.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/numbers.h"

typedef struct {
  const char* at;  // next character of the dictionary
  char kind[16];   // '<f8' and so on, the same for all fields
  int fortran;
  long shape[2];
  int ndim;
} Header;

static void skip(Header* h) {
  while (*h->at == ' ' || *h->at == '\n') h->at++;
}

// 1 and past it, when the next character is c
static int accept(Header* h, char c) {
  skip(h);
  if (*h->at != c) return 0;
  h->at++;
  return 1;
}

static int readLiteral(Header* h, char* text, size_t size) {
  skip(h);
  const char quote = *h->at;
  if (quote != '\'' && quote != '"') return 0;
  size_t n = 0;
  for (h->at++; *h->at && *h->at != quote; h->at++) {
    if (*h->at == '\\' && h->at[1]) h->at++;
    if (n + 1 < size) text[n++] = *h->at;
  }
  text[n] = 0;
  return accept(h, quote);
}

// "(3, 4)" or "(3,)"; the number of entries, -1 when it is no tuple of up to two
static int readTuple(Header* h, long value[2]) {
  if (!accept(h, '(')) return -1;
  int n = 0;
  while (!accept(h, ')')) {
    char* end = NULL;
    skip(h);
    const long number = strtol(h->at, &end, 10);
    if (end == h->at || number < 0 || n == 2) return -1;
    h->at = end;
    value[n++] = number;
    accept(h, ',');
  }
  return n;
}

// one ('name', '<f8', (3,))
static int readField(Header* h, CliFields* fields) {
  char name[CLI_COLUMN_SIZE], kind[16];
  if (!accept(h, '(') || !readLiteral(h, name, sizeof(name))) return 0;
  if (!accept(h, ',') || !readLiteral(h, kind, sizeof(kind))) return 0;
  if (h->kind[0] && strcmp(h->kind, kind) != 0) return 0;
  memcpy(h->kind, kind, sizeof(kind));
  long width[2] = {1, 1};
  accept(h, ',');
  skip(h);
  if (*h->at == '(' && readTuple(h, width) != 1) return 0;
  if (width[0] < 1 || width[0] > INT32_MAX / 64) return 0;
  cli_addField(fields, name, (int)width[0]);
  return accept(h, ')');
}

static int readDescription(Header* h, CliNumbers* numbers) {
  numbers->named = accept(h, '[');
  if (!numbers->named) return readLiteral(h, h->kind, sizeof(h->kind));
  while (!accept(h, ']')) {
    if (!readField(h, &numbers->fields)) return 0;
    accept(h, ',');
  }
  return 1;
}

static int readDictionary(Header* h, CliNumbers* numbers) {
  if (!accept(h, '{')) return 0;
  while (!accept(h, '}')) {
    char key[32];
    if (!readLiteral(h, key, sizeof(key)) || !accept(h, ':')) return 0;
    if (strcmp(key, "descr") == 0) {
      if (!readDescription(h, numbers)) return 0;
    } else if (strcmp(key, "fortran_order") == 0) {
      skip(h);
      h->fortran = *h->at == 'T';
      h->at += strcspn(h->at, ",}");
    } else if (strcmp(key, "shape") == 0) {
      h->ndim = readTuple(h, h->shape);
      if (h->ndim < 1) return 0;
    }
    accept(h, ',');
  }
  return h->kind[0] && h->ndim > 0;
}

// bytes of a number of this kind, 0 when it is not understood
static size_t kindSize(const char* kind) {
  if (!strcmp(kind, "<f8") || !strcmp(kind, "<i8")) return 8;
  if (!strcmp(kind, "<f4") || !strcmp(kind, "<i4")) return 4;
  return 0;
}

static double readNumber(const char* kind, const char* bytes) {
  union {
    double f8;
    float f4;
    int64_t i8;
    int32_t i4;
  } value = {0};
  memcpy(&value, bytes, kindSize(kind));
  if (kind[1] == 'f') return kind[2] == '8' ? value.f8 : (double)value.f4;
  return kind[2] == '8' ? (double)value.i8 : (double)value.i4;
}

static int readData(const char* path, const Header* h, const char* data, size_t size, CliNumbers* numbers) {
  // plain arrays of one dimension are one column
  if (!numbers->named && h->ndim == 2 && h->shape[1] > INT32_MAX / 64) return CLI_INPUT;
  if (!numbers->named) cli_addField(&numbers->fields, "data", h->ndim == 2 ? (int)h->shape[1] : 1);
  const size_t width = (size_t)numbers->fields.width;
  const size_t bytes = kindSize(h->kind);
  if (!bytes || !width || h->shape[0] > INT32_MAX) {
    return cli_fail(CLI_INPUT, "'%s' holds numbers of kind %s; f8, f4, i8 and i4 can be read", path, h->kind);
  }
  if ((size_t)h->shape[0] > size / (width * bytes)) {
    return cli_fail(CLI_INPUT, "'%s' is cut off: %ld rows are promised", path, h->shape[0]);
  }
  numbers->nrow = (int)h->shape[0];
  numbers->at = cli_zeroed((size_t)numbers->nrow * width, sizeof(double));
  for (size_t i = 0; i < (size_t)numbers->nrow; i++) {
    for (size_t j = 0; j < width; j++) {
      const size_t from = h->fortran ? j * (size_t)numbers->nrow + i : i * width + j;
      numbers->at[i * width + j] = readNumber(h->kind, data + from * bytes);
    }
  }
  return CLI_OK;
}

int cli_readNpy(const char* path, const char* bytes, size_t size, CliNumbers* numbers) {
  // version 1 has a length of two bytes, later ones of four
  const unsigned char* const u = (const unsigned char*)bytes;
  const size_t lead = size > 12 && u[6] == 1 ? 10 : 12;
  size_t length = 0;
  for (size_t i = 8; size > 12 && i < lead; i++) length |= (size_t)u[i] << (8 * (i - 8));
  if (size <= 12 || length > size - lead) return cli_fail(CLI_INPUT, "'%s' is a damaged NPY file", path);

  char* const text = cli_zeroed(length + 1, 1);
  memcpy(text, bytes + lead, length);
  Header header = {.at = text};
  const int good = readDictionary(&header, numbers);
  free(text);
  if (!good) {
    return cli_fail(CLI_INPUT,
                    "'%s': this layout of NPY is not understood (one or two dimensions, or named fields of one kind)",
                    path);
  }
  return readData(path, &header, bytes + lead + length, size - lead - length, numbers);
}
