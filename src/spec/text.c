// Strings and vectors inside the mjs* structs; the layout is explained in text.h.
#include "spec/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void* allocate(size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) bas_outOfMemory("model specification");
  return memory;
}

// -------------------------------------------------------------------------------------------- strings

static int isLarge(const SpcString* s) {
  return s->small.twice & 1;
}

const char* spc_text(const SpcString* s) {
  return isLarge(s) ? s->large.data : s->small.text;
}

size_t spc_textLength(const SpcString* s) {
  return isLarge(s) ? s->large.length : s->small.twice / 2u;
}

int spc_textEmpty(const SpcString* s) {
  return spc_textLength(s) == 0;
}

void spc_textSet(SpcString* s, const char* text) {
  spc_textSetN(s, text ? text : "", text ? strlen(text) : 0);
}

// a string of a length, and where its characters go
static char* makeText(SpcString* made, size_t length) {
  *made = (SpcString){0};
  if (length < sizeof(made->small.text)) {
    made->small.twice = (unsigned char)(2 * length);
    return made->small.text;
  }
  // capacities are even, so that the mark fits into the lowest bit
  const size_t capacity = (length + 16) & ~(size_t)15;
  made->large.data = allocate(capacity);
  made->large.capacity = capacity | 1;
  made->large.length = length;
  made->large.data[length] = 0;
  return made->large.data;
}

void spc_textSetN(SpcString* s, const char* text, size_t length) {
  SpcString made;
  memcpy(makeText(&made, length), text, length);

  // text may lie inside s: free the old content last
  spc_textFree(s);
  *s = made;
}

void spc_textFree(SpcString* s) {
  if (isLarge(s)) free(s->large.data);
  *s = (SpcString){0};
}

void spc_textJoin(SpcString* s, const char* a, const char* b, const char* c) {
  const size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
  SpcString made;
  char* text = makeText(&made, na + nb + nc);
  memcpy(text, a, na);
  memcpy(text + na, b, nb);
  memcpy(text + na + nb, c, nc);
  spc_textFree(s);
  *s = made;
}

int spc_textIs(const SpcString* s, const char* text) {
  return strcmp(spc_text(s), text) == 0;
}

// -------------------------------------------------------------------------------------------- vectors of numbers

size_t spc_vecCount(const SpcVec* v, size_t size) {
  return (size_t)(v->end - v->begin) / size;
}

void spc_vecSet(SpcVec* v, const void* source, size_t count, size_t size) {
  SpcVec made = {0};
  spc_vecAppend(&made, source, count, size);
  spc_vecFree(v);
  *v = made;
}

void* spc_vecAppend(SpcVec* v, const void* source, size_t count, size_t size) {
  if (!count) return v->end;
  const size_t used = (size_t)(v->end - v->begin);
  const size_t added = count * size;

  // grow by half, so that appending one by one stays linear
  if ((size_t)(v->limit - v->end) < added) {
    const size_t room = used + (used / 2 > added ? used / 2 / size * size : added);
    char* moved = allocate(room);
    if (used) memcpy(moved, v->begin, used);
    free(v->begin);
    *v = (SpcVec){moved, moved + used, moved + room};
  }

  char* first = v->end;
  if (source) {
    memcpy(first, source, added);
  } else {
    memset(first, 0, added);
  }
  v->end += added;
  return first;
}

void spc_vecRemove(SpcVec* v, size_t index, size_t size) {
  char* gone = v->begin + index * size;
  memmove(gone, gone + size, (size_t)(v->end - gone) - size);
  v->end -= size;
}

void spc_vecFree(SpcVec* v) {
  free(v->begin);
  *v = (SpcVec){0};
}

// -------------------------------------------------------------------------------------------- vectors of owners

void spc_textsSet(SpcVec* v, const SpcVec* source) {
  if (v == source) return;
  spc_textsFree(v);
  for (size_t i = 0; i < spc_textsCount(source); i++) spc_textsAppend(v, spc_text(spc_textsAt(source, i)));
}

void spc_textsAppend(SpcVec* v, const char* text) {
  // its place first: a string without a place would be lost when there is no memory for one
  const size_t inside = v->begin && text >= v->begin && text < v->end ? (size_t)(text - v->begin) + 1 : 0;
  SpcString* const made = spc_vecAppend(v, NULL, 1, sizeof(*made));
  spc_textSet(made, inside ? v->begin + inside - 1 : text);
}

void spc_textsFree(SpcVec* v) {
  for (size_t i = 0; i < spc_textsCount(v); i++) spc_textFree(spc_textsAt(v, i));
  spc_vecFree(v);
}

void spc_vecsSet(SpcVec* v, const SpcVec* source, size_t size) {
  if (v == source) return;
  spc_vecsFree(v);
  for (const SpcVec* s = (const void*)source->begin; (const char*)s < source->end; s++) {
    spc_vecsAppend(v, s->begin, spc_vecCount(s, size), size);
  }
}

void spc_vecsAppend(SpcVec* v, const void* source, size_t count, size_t size) {
  SpcVec* const made = spc_vecAppend(v, NULL, 1, sizeof(*made));
  spc_vecAppend(made, source, count, size);
}

void spc_vecsFree(SpcVec* v) {
  for (SpcVec* s = (void*)v->begin; (char*)s < v->end; s++) spc_vecFree(s);
  spc_vecFree(v);
}
