// The bytes behind an asset's file name.
#pragma once

#include <mujoco/mujoco.h>

// an open file; bytes stay valid until it is closed
typedef struct {
  mjResource* resource;
  const unsigned char* bytes;
  size_t size;
  int empty;  // 1: it could not be read because there is nothing in it
} AstBytes;

// finds a file without reading it, then reads it; 0: error (of nerror bytes) says why
int ast_find(AstBytes* file, const char* directory, const char* name, const mjVFS* vfs, char* error, size_t nerror);
int ast_read(AstBytes* file, char* error, size_t nerror);
// both; closed after a failure
int ast_open(AstBytes* file, const char* directory, const char* name, const mjVFS* vfs, char* error, size_t nerror);
void ast_close(AstBytes* file);

enum { AST_TYPE = 100 };  // bytes of a content type

// type/subtype of a content type without its parameters; "": it is not one, and the file's name tells. Returns type.
const char* ast_contentType(const char* content_type, char* type, size_t size);

// 1: the content type, or the name's extension when there is none, is the given one (".png", "image/png")
int ast_isFormat(const char* name, const char* content_type, const char* extension, const char* type);
