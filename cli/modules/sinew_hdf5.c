// HDF5 files: tables whose layout is fixed when they are made, and streams of rows.
#include <hdf5.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modules/modules.h"

// All that is called here is the same in every version since 1.10: the one that is found need not be the one of the
// headers.
#undef H5CHECK
#define H5CHECK

__attribute__((format(printf, 2, 3))) static int fail(char* error, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error, MOD_ERROR_SIZE, format, args);
  va_end(args);
  return 0;
}

// messages are ours to print
static void silence(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

//---------------------------------- tables ----------------------------------

// type of a column in the file, to be closed
static hid_t columnType(const ModColumn* c) {
  if (c->kind == 'd') return H5Tcopy(H5T_IEEE_F64LE);
  if (c->kind == 'b') return H5Tcopy(H5T_STD_U8LE);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, (size_t)c->width);
  H5Tset_cset(text, H5T_CSET_UTF8);
  return text;
}

static int writeText(hid_t file, const char* name, const char* text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

// a dataset in one piece, there from the start, without times of day
static int makeColumn(hid_t file, int64_t nrow, ModColumn* c) {
  const hsize_t size = (hsize_t)nrow;
  const hid_t type = columnType(c), space = H5Screate_simple(1, &size, NULL);
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE), link = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_layout(create, H5D_CONTIGUOUS);
  H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
  H5Pset_obj_track_times(create, 0);
  H5Pset_create_intermediate_group(link, 1);
  const hid_t set = H5Dcreate2(file, c->name, type, space, link, create, H5P_DEFAULT);
  int good = set >= 0;
  if (good && c->values) good = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->values) >= 0;
  if (good) c->offset = (int64_t)H5Dget_offset(set);
  H5Dclose(set);
  H5Pclose(link);
  H5Pclose(create);
  H5Sclose(space);
  H5Tclose(type);
  return good && c->offset > 0;
}

static int create(const char* path, const char* settings, int64_t nrow, ModColumn* column, int n, char* error) {
  silence();
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return fail(error, "cannot write '%s'", path);
  int good = writeText(file, "settings", settings);
  for (int i = 0; i < n && good; i++) good = makeColumn(file, nrow, column + i);
  good &= H5Fclose(file) >= 0;
  return good ? 1 : fail(error, "cannot write '%s': HDF5 refuses", path);
}

static char* readText(hid_t file, const char* name) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  if (attribute < 0) return NULL;
  const hid_t type = H5Aget_type(attribute);
  char* const text = calloc(H5Tget_size(type) + 1, 1);
  if (text) H5Aread(attribute, type, text);
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}

static int openTable(const char* path, char** settings, ModColumn* column, int n, char* error) {
  silence();
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return fail(error, "'%s' is not a file of HDF5", path);
  *settings = readText(file, "settings");
  int good = *settings != NULL;
  for (int i = 0; i < n && good; i++) {
    const hid_t set = H5Dopen2(file, column[i].name, H5P_DEFAULT);
    good = set >= 0;
    if (good) column[i].offset = (int64_t)H5Dget_offset(set);
    H5Dclose(set);
  }
  H5Fclose(file);
  return good ? 1 : fail(error, "'%s' was not written by sinew sweep with these parameters and measures", path);
}

//---------------------------------- streams ----------------------------------

enum { CHUNK = 256 };  // rows that are stored together

typedef struct {
  hid_t file;
  int n;
  int total;  // doubles in a row of all datasets
  hsize_t nrow;
  hid_t* set;
  int* width;
} Stream;

static hid_t makeStreamSet(hid_t file, const char* name, int width) {
  const hsize_t size[2] = {0, (hsize_t)width}, most[2] = {H5S_UNLIMITED, (hsize_t)width};
  const hsize_t chunk[2] = {CHUNK, (hsize_t)width};
  const int ndim = width == 1 ? 1 : 2;
  const hid_t space = H5Screate_simple(ndim, size, most), create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, ndim, chunk);
  H5Pset_obj_track_times(create, 0);
  const hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  H5Pclose(create);
  H5Sclose(space);
  return set;
}

static void freeStream(Stream* s) {
  free(s->set);
  free(s->width);
  free(s);
}

static void* openStream(const char* path, const char* const* name, const int* width, int n, char* error) {
  silence();
  Stream* const s = calloc(1, sizeof(*s));
  if (!s) return fail(error, "no memory"), NULL;
  s->set = calloc((size_t)n, sizeof(hid_t));
  s->width = calloc((size_t)n, sizeof(int));
  s->n = n;
  s->file = s->set && s->width ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) : -1;
  int good = s->file >= 0;
  for (int i = 0; i < n && good; i++) {
    s->width[i] = width[i];
    s->total += width[i];
    s->set[i] = makeStreamSet(s->file, name[i], width[i]);
    good = s->set[i] >= 0;
  }
  if (good) return s;
  if (s->file >= 0) H5Fclose(s->file);
  freeStream(s);
  fail(error, "cannot write '%s'", path);
  return NULL;
}

// one dataset's part of the rows
static int appendRows(const Stream* s, int i, int first, const double* rows, int nrow) {
  const int width = s->width[i], ndim = width == 1 ? 1 : 2;
  const hsize_t size[2] = {s->nrow + (hsize_t)nrow, (hsize_t)width};
  const hsize_t start[2] = {s->nrow, 0}, count[2] = {(hsize_t)nrow, (hsize_t)width};
  if (H5Dset_extent(s->set[i], size) < 0) return 0;

  // columns [first, first + width) of the rows in memory
  const hsize_t all[2] = {(hsize_t)nrow, (hsize_t)s->total}, from[2] = {0, (hsize_t)first};
  const hid_t memory = H5Screate_simple(2, all, NULL), file = H5Dget_space(s->set[i]);
  H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, (const hsize_t[2]){(hsize_t)nrow, (hsize_t)width}, NULL);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
  const int good = ndim && H5Dwrite(s->set[i], H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, rows) >= 0;
  H5Sclose(memory);
  H5Sclose(file);
  return good;
}

static int writeStream(void* stream, const double* rows, int nrow, char* error) {
  Stream* const s = stream;
  int first = 0;
  for (int i = 0; i < s->n; first += s->width[i++]) {
    if (!appendRows(s, i, first, rows, nrow)) return fail(error, "HDF5 cannot write");
  }
  s->nrow += (hsize_t)nrow;
  return 1;
}

static int closeStream(void* stream, char* error) {
  Stream* const s = stream;
  int good = 1;
  for (int i = 0; i < s->n; i++) good &= H5Dclose(s->set[i]) >= 0;
  good &= H5Fclose(s->file) >= 0;
  freeStream(s);
  return good ? 1 : fail(error, "HDF5 cannot write");
}

// the table that the program looks for
__attribute__((visibility("default"))) extern const ModHdf5 sinew_hdf5;
const ModHdf5 sinew_hdf5 = {create, openTable, openStream, writeStream, closeStream};
