// Memory and failure of one compilation: everything is allocated here and freed at once.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

enum { CHUNK = 1 << 16 };  // bytes; larger requests get a chunk of their own

struct CmpChunk {
  CmpChunk* next;
  size_t used, size;
  _Alignas(16) unsigned char data[];
};

// NULL: no memory
static void* tryAlloc(Cmp* c, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  CmpChunk* chunk = c->memory;
  if (!chunk || chunk->size - chunk->used < bytes) {
    const size_t room = bytes > CHUNK ? bytes : CHUNK;
    chunk = calloc(1, sizeof(CmpChunk) + room);
    if (!chunk) return NULL;
    chunk->size = room;
    chunk->next = c->memory;
    c->memory = chunk;
  }
  void* const result = chunk->data + chunk->used;
  chunk->used += bytes;
  return result;
}

void* cmp_alloc(Cmp* c, size_t count, size_t size) {
  void* const memory = size && count > SIZE_MAX / 2 / size ? NULL : tryAlloc(c, count * size);
  if (!memory) cmp_fail(c, NULL, "out of memory");
  return memory;
}

char* cmp_text(Cmp* c, const char* text, size_t length) {
  char* const copy = cmp_alloc(c, length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

char* cmp_own(Cmp* c, char* text) {
  if (!text) cmp_fail(c, NULL, "out of memory");
  char* const copy = tryAlloc(c, strlen(text) + 1);
  if (copy) strcpy(copy, text);
  free(text);
  if (!copy) cmp_fail(c, NULL, "out of memory");
  return copy;
}

void cmp_add(Cmp* c, CmpList* list, void* item) {
  if (list->n == list->room) {
    const int room = list->room ? 2 * list->room : 4;
    void** const at = cmp_alloc(c, (size_t)room, sizeof(void*));
    if (list->n) memcpy(at, list->at, (size_t)list->n * sizeof(void*));
    list->at = at;
    list->room = room;
  }
  list->at[list->n++] = item;
}

void cmp_freeMemory(Cmp* c) {
  for (CmpChunk* chunk = c->memory; chunk;) {
    CmpChunk* const next = chunk->next;
    free(chunk);
    chunk = next;
  }
  c->memory = NULL;
}

void cmp_fail(Cmp* c, const SpcElement* e, const char* format, ...) {
  char message[700];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);

  // where: name and id, then what the element says of itself, and the file that it was read from
  char where[280] = "";
  if (e) {
    int n = snprintf(where, sizeof(where), "\nElement name '%.100s', id %d", spc_text(&e->name), e->id);
    const char* const info = spc_info(e);
    if (*info) n += snprintf(where + n, sizeof(where) - (size_t)n, ", %.60s", info);
    if (!*info && e->line > 0) n += snprintf(where + n, sizeof(where) - (size_t)n, ", line %d", e->line);
    if (e->line > 0 && e->file) snprintf(where + n, sizeof(where) - (size_t)n, ", file '%.120s'", e->file);
  }
  snprintf(c->error, sizeof(c->error), "Error: %s%s", message, where);
  longjmp(c->escape, 1);
}
