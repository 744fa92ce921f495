// Strings and vectors inside the mjs* structs.
//
// The public header says void*; bindings of the reference's binary packages reach inside, where they expect libc++'s
// std::string and std::vector. So these types have the same layout, and their memory comes from malloc, which is
// what operator new uses there:
//   string, short:  [size*2]        [up to 22 characters, 0]
//   string, long:   [capacity | 1]  [size]  [data]
//   vector:         [begin] [end] [end of capacity]
// None of them points into itself, so all may be moved by memcpy. All zero is the empty value.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef union {
  struct {
    unsigned char twice;  // twice the length; the lowest bit is clear
    char text[3 * sizeof(size_t) - 1];
  } small;
  struct {
    size_t capacity;  // bytes at data, lowest bit set as the mark of the long form
    size_t length;
    char* data;
  } large;
} SpcString;

typedef struct {
  char* begin;
  char* end;
  char* limit;
} SpcVec;

_Static_assert(sizeof(SpcString) == 3 * sizeof(void*) && sizeof(SpcVec) == 3 * sizeof(void*), "layout of libc++");

// ---- strings

// the characters, always terminated; never NULL
const char* spc_text(const SpcString* s);
size_t spc_textLength(const SpcString* s);
// 1: no characters
int spc_textEmpty(const SpcString* s);
// replaces the content; NULL counts as ""
void spc_textSet(SpcString* s, const char* text);
void spc_textSetN(SpcString* s, const char* text, size_t length);
void spc_textFree(SpcString* s);
// the three parts one after the other
void spc_textJoin(SpcString* s, const char* a, const char* b, const char* c);
// 1: equal to the C string
int spc_textIs(const SpcString* s, const char* text);

// ---- vectors of plain numbers

// elements of the given size in v
size_t spc_vecCount(const SpcVec* v, size_t size);
// replaces the content by count elements; source NULL gives zeros
void spc_vecSet(SpcVec* v, const void* source, size_t count, size_t size);
// appends count elements, returns the first of them; source NULL gives zeros
void* spc_vecAppend(SpcVec* v, const void* source, size_t count, size_t size);
// removes one element and closes the gap
void spc_vecRemove(SpcVec* v, size_t index, size_t size);
void spc_vecFree(SpcVec* v);

// ---- vectors of strings and of vectors: the elements own memory of their own

void spc_textsSet(SpcVec* v, const SpcVec* source);
void spc_textsAppend(SpcVec* v, const char* text);
void spc_textsFree(SpcVec* v);
static inline size_t spc_textsCount(const SpcVec* v) {
  return spc_vecCount(v, sizeof(SpcString));
}
static inline SpcString* spc_textsAt(const SpcVec* v, size_t i) {
  return (SpcString*)(void*)v->begin + i;
}

void spc_vecsSet(SpcVec* v, const SpcVec* source, size_t size);
void spc_vecsAppend(SpcVec* v, const void* source, size_t count, size_t size);
void spc_vecsFree(SpcVec* v);
