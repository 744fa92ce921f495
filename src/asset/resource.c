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
    file->empty = size == 0;
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
  const int empty = file->empty;
  ast_close(file);
  file->empty = empty;
  return 0;
}

void ast_close(AstBytes* file) {
  if (file->resource) mju_closeResource(file->resource);
  *file = (AstBytes){0};
}

const char* ast_contentType(const char* content_type, char* type, size_t size) {
  const size_t n = content_type ? strcspn(content_type, "; ") : 0;
  const int named = n && n < size && memchr(content_type, '/', n);
  if (named) memcpy(type, content_type, n);
  type[named ? n : 0] = 0;
  return type;
}

int ast_isFormat(const char* name, const char* content_type, const char* extension, const char* type) {
  char given[AST_TYPE];
  if (*ast_contentType(content_type, given, sizeof(given))) return !strcmp(given, type);
  return !strcasecmp(bas_pathExtension(name), extension);
}
