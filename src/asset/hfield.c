// Height fields: from PNG, custom binary files or given values, scaled to [0, 1].
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/asset.h"
#include "asset/image.h"

#define FAIL(hfield, ...) (snprintf((hfield)->error, AST_MESSAGE, __VA_ARGS__), 0)

static int allocate(AstHfield* hfield, int nrow, int ncol) {
  hfield->nrow = nrow;
  hfield->ncol = ncol;
  if ((size_t)nrow * (size_t)ncol > INT_MAX / sizeof(float)) return FAIL(hfield, "height field is too large");
  hfield->data = calloc((size_t)nrow * (size_t)ncol, sizeof(float));
  return hfield->data ? 1 : FAIL(hfield, "out of memory");
}

// brightness is height; rows of a picture run from the top, rows of the field from the bottom
static int readPicture(AstHfield* hfield, const AstBytes* file, const char* name) {
  AstImage image;
  char reason[200] = "";
  if (!ast_readPng(&image, file, 1, reason, sizeof(reason))) {
    return FAIL(hfield, "error decoding PNG file '%s': %s", name, reason);
  }
  const int good = allocate(hfield, image.height, image.width);
  for (int r = 0; good && r < hfield->nrow; r++) {
    const unsigned char* row = image.data + (size_t)(hfield->nrow - 1 - r) * (size_t)hfield->ncol;
    for (int c = 0; c < hfield->ncol; c++) hfield->data[(size_t)r * (size_t)hfield->ncol + (size_t)c] = row[c];
  }
  free(image.data);
  return good;
}

// two ints, rows and columns, then the heights
static int readCustom(AstHfield* hfield, const AstBytes* file, const char* name) {
  int size[2] = {0, 0};
  if (file->size < sizeof(size)) return FAIL(hfield, "hfield missing header '%s'", name);
  memcpy(size, file->bytes, sizeof(size));
  if (size[0] < 1 || size[1] < 1) return FAIL(hfield, "non-positive hfield dimensions in file '%s'", name);
  const size_t bytes = sizeof(float) * (size_t)size[0] * (size_t)size[1];
  if (file->size != sizeof(size) + bytes) return FAIL(hfield, "unexpected file size in file '%s'", name);
  if (!allocate(hfield, size[0], size[1])) return 0;
  memcpy(hfield->data, file->bytes + sizeof(size), bytes);
  return 1;
}

static int decodeFile(AstHfield* hfield, const AstBytes* file, const AstHfieldSource* source) {
  const char* const name = file->resource->name;
  if (ast_isFormat(name, source->content_type, ".png", "image/png")) return readPicture(hfield, file, name);
  return readCustom(hfield, file, name);
}

static int readFile(AstHfield* hfield, const AstHfieldSource* source) {
  // a type that no decoder has is said even where the file is missing
  char type[AST_TYPE];
  ast_contentType(source->content_type, type, sizeof(type));
  if (*type && strcmp(type, "image/png") && strcmp(type, "image/vnd.mujoco.hfield")) {
    return FAIL(hfield, "unsupported content type: '%s'", type);
  }
  AstBytes file;
  if (!ast_open(&file, source->directory, source->file, source->vfs, hfield->error, AST_MESSAGE)) {
    return file.empty ? FAIL(hfield, "could not read hfield file '%s'", source->file) : 0;
  }
  const int good = decodeFile(hfield, &file, source);
  ast_close(&file);
  return good;
}

int ast_compileHfield(AstHfield* hfield, const AstHfieldSource* source) {
  *hfield = (AstHfield){0};
  if (*source->file) {
    if (source->nrow || source->ncol || source->data) return FAIL(hfield, "hfield specified from file and manually");
    if (!readFile(hfield, source)) return 0;
  } else {
    if (source->nrow < 1 || source->ncol < 1) return FAIL(hfield, "hfield not specified");
    if (!allocate(hfield, source->nrow, source->ncol)) return 0;

    // a size without heights is a flat field that the user fills at run time
    const size_t count = (size_t)source->nrow * (size_t)source->ncol;
    if (source->data && (size_t)source->ndata != count)
      return FAIL(hfield, "elevation data length must match nrow*ncol");
    if (source->data) memcpy(hfield->data, source->data, sizeof(float) * count);
  }

  // scale to [0, 1]
  const size_t count = (size_t)hfield->nrow * (size_t)hfield->ncol;
  float low = 1e10f, high = -1e10f;
  for (size_t i = 0; i < count; i++) {
    low = hfield->data[i] < low ? hfield->data[i] : low;
    high = hfield->data[i] > high ? hfield->data[i] : high;
  }
  if (low > high) return FAIL(hfield, "invalid data range in hfield '%s'", source->file);
  for (size_t i = 0; i < count; i++) {
    hfield->data[i] -= low;
    if ((double)(high - low) > mjMINVAL) hfield->data[i] /= high - low;
  }
  return 1;
}

void ast_freeHfield(AstHfield* hfield) {
  free(hfield->data);
  hfield->data = NULL;
}
