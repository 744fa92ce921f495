// The bytes behind an asset's file name; see resource.h.
#include "asset/resource.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"

int ast_find(AstBytes* file, const char* directory, const char* name, const mjVFS* vfs, char* error, size_t nerror) {
  *file = (AstBytes){0};
  char reason[300] = "";
  file->resource = mju_openResource(directory, name, vfs, reason, sizeof(reason));
  if (!file->resource) snprintf(error, nerror, "%s", reason);
  return file->resource != NULL;
}

int ast_read(AstBytes* file, char* error, size_t nerror) {
  const void* bytes = NULL;
  const int size = mju_readResource(file->resource, &bytes);
  if (size <= 0) {
    snprintf(error, nerror, size ? "could not read file '%s'" : "file is empty: '%s'", file->resource->name);
    return 0;
  }
  file->bytes = bytes;
  file->size = (size_t)size;
  return 1;
}

int ast_open(AstBytes* file, const char* directory, const char* name, const mjVFS* vfs, char* error, size_t nerror) {
  if (!ast_find(file, directory, name, vfs, error, nerror)) return 0;
  if (ast_read(file, error, nerror)) return 1;
  ast_close(file);
  return 0;
}

void ast_close(AstBytes* file) {
  if (file->resource) mju_closeResource(file->resource);
  *file = (AstBytes){0};
}

int ast_isFormat(const char* name, const char* content_type, const char* extension, const char* type) {
  if (content_type && *content_type) return !strcasecmp(content_type, type);
  return !strcasecmp(bas_pathExtension(name), extension);
}
