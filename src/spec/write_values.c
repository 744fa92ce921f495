// Attributes of MJCF elements as text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/number.h"
#include "spec/write.h"

// words are separated by spaces
static void append(BasText* t, const char* word) {
  if (t->used) bas_textAdd(t, " ", 1);
  bas_textAdd(t, word, strlen(word));
}

static void finish(SpcWriter* w, XmlNode* node, const char* name, BasText* t) {
  if (t->failed) bas_outOfMemory("model as text");
  const int good = xml_trySetAttribute(w->document, node, name, t->text ? t->text : "");
  mju_free(t->text);
  if (!good) bas_outOfMemory("model as text");
}

void spc_writeDoubles(SpcWriter* w, XmlNode* node, const char* name, const double* value, int count) {
  BasText t = {0};
  for (int i = 0; i < count; i++) {
    char word[32];
    bas_writeDouble(value[i], word);
    append(&t, word);
  }
  finish(w, node, name, &t);
}

void spc_writeFloats(SpcWriter* w, XmlNode* node, const char* name, const float* value, int count) {
  BasText t = {0};
  for (int i = 0; i < count; i++) {
    char word[32];
    bas_writeFloat(value[i], word);
    append(&t, word);
  }
  finish(w, node, name, &t);
}

void spc_writeInts(SpcWriter* w, XmlNode* node, const char* name, const int* value, int count) {
  BasText t = {0};
  for (int i = 0; i < count; i++) {
    char word[16];
    snprintf(word, sizeof(word), "%d", value[i]);
    append(&t, word);
  }
  finish(w, node, name, &t);
}

void spc_writeText(SpcWriter* w, XmlNode* node, const char* name, const SpcString* text) {
  if (!spc_textEmpty(text)) xml_setAttribute(w->document, node, name, spc_text(text));
}

static void writeWord(SpcWriter* w, XmlNode* node, const SpcAttributeRow* row, int value) {
  const char* word = spc_wordName(row->words, value);
  if (word) xml_setAttribute(w->document, node, row->name, word);
}

static void writeBits(SpcWriter* w, XmlNode* node, const SpcAttributeRow* row, int bits) {
  BasText t = {0};
  for (const SpcWord* word = row->words; word->word; word++) {
    if (bits & word->value) append(&t, word->word);
  }
  finish(w, node, row->name, &t);
}

static void writeTexts(SpcWriter* w, XmlNode* node, const char* name, const SpcVec* texts) {
  BasText t = {0};
  for (size_t i = 0; i < spc_textsCount(texts); i++) append(&t, spc_text(spc_textsAt(texts, i)));
  finish(w, node, name, &t);
}

// strings and vectors: written when they are not empty and not the base's
static void writeOwned(SpcWriter* w, XmlNode* node, const SpcAttributeRow* row, const void* value, const void* base) {
  const SpcVec* v = value;
  const SpcVec* b = base;
  if (row->type == SPC_A_TEXT) {
    if (!base || !spc_textIs(value, spc_text(base))) spc_writeText(w, node, row->name, value);
    return;
  }
  const size_t bytes = (size_t)(v->end - v->begin);
  const int same = b && bytes == (size_t)(b->end - b->begin) && (!bytes || !memcmp(v->begin, b->begin, bytes));
  if (!bytes || (same && row->type != SPC_A_TEXTS)) return;
  switch (row->type) {
    case SPC_A_TEXTS:
      writeTexts(w, node, row->name, v);
      break;
    case SPC_A_DOUBLES:
      spc_writeDoubles(w, node, row->name, (const double*)(const void*)v->begin, (int)(bytes / sizeof(double)));
      break;
    case SPC_A_FLOATS:
      spc_writeFloats(w, node, row->name, (const float*)(const void*)v->begin, (int)(bytes / sizeof(float)));
      break;
    default:
      spc_writeInts(w, node, row->name, (const int*)(const void*)v->begin, (int)(bytes / sizeof(int)));
  }
}

//---------------------------------- rows ----------------------------------

static const SpcAttributeRow* findRow(const SpcAttributeRow* rows, const char* name, size_t length) {
  for (; rows->type != SPC_A_END; rows++) {
    if (!strncmp(rows->name, name, length) && !rows->name[length]) return rows;
  }
  return NULL;
}

// 1: the first value is "first", the others are zero
static int isUnit(const double* value, int count, double first) {
  if (value[0] != first) return 0;
  for (int i = 1; i < count; i++) {
    if (value[i] != 0) return 0;
  }
  return 1;
}

// how many of the numbers have to be written, 0: none
static int countNumbers(const SpcAttributeRow* row, char mark, const char* at, const char* base) {
  const size_t size = row->type == SPC_A_DOUBLE  ? sizeof(double)
                      : row->type == SPC_A_FLOAT ? sizeof(float)
                                                 : sizeof(int);
  const double *value = (const void*)at, *other = (const void*)base;

  // NaN in front means that nothing was given
  if (row->type == SPC_A_DOUBLE && isnan(value[0])) return 0;
  if (mark == '!') return row->max;
  if (mark == '.' || mark == '|') {
    const double first = mark == '|';
    return isUnit(value, row->max, first) && isUnit(other, row->max, first) ? 0 : row->max;
  }
  if (!memcmp(at, base, row->max * size)) return 0;
  int count = row->max;
  if (mark == '~') {
    while (!memcmp(at + (size_t)(count - 1) * size, base + (size_t)(count - 1) * size, size)) count--;
  }
  return count;
}

static void writeRow(SpcWriter* w, XmlNode* node, const SpcAttributeRow* row, char mark, const char* at,
                     const char* base) {
  const void* value = at;
  int count = 1;
  switch (row->type) {
    case SPC_A_DOUBLE:
    case SPC_A_FLOAT:
    case SPC_A_INT:
      count = countNumbers(row, mark, at, base);
      if (!count) return;
      if (row->type == SPC_A_DOUBLE) spc_writeDoubles(w, node, row->name, value, count);
      if (row->type == SPC_A_FLOAT) spc_writeFloats(w, node, row->name, value, count);
      if (row->type == SPC_A_INT) spc_writeInts(w, node, row->name, value, count);
      break;
    case SPC_A_WORD:
      if (mark == '!' || memcmp(at, base, sizeof(int))) writeWord(w, node, row, *(const int*)value);
      break;
    case SPC_A_WORDBYTE:
      if (*at != *base) writeWord(w, node, row, *(const mjtByte*)value);
      break;
    case SPC_A_WORDNUM:
      if (memcmp(at, base, sizeof(mjtNum))) writeWord(w, node, row, (int)*(const mjtNum*)value);
      break;
    case SPC_A_BITS:
      if (memcmp(at, base, sizeof(int))) writeBits(w, node, row, *(const int*)value);
      break;
    case SPC_A_CHARS: {
      char text[32] = "";
      memcpy(text, at, row->max);
      if (memcmp(at, base, row->max)) xml_setAttribute(w->document, node, row->name, text);
      break;
    }
    default:
      writeOwned(w, node, row, *(void* const*)value, *(void* const*)(const void*)base);
  }
}

void spc_writeRows(SpcWriter* w, XmlNode* node, const SpcAttributeRow* rows, const char* order, const void* value,
                   const void* base) {
  for (const char* word = order; *word;) {
    const size_t length = strcspn(word, " "), named = strcspn(word, " !.|~");
    const SpcAttributeRow* row = findRow(rows, word, named);
    const char mark = named < length ? word[named] : 0;
    word += length;
    word += *word == ' ';
    if (!row || (w->defaults && (row->flags & SPC_NODEFAULT))) continue;
    writeRow(w, node, row, w->defaults && mark != '~' ? 0 : mark, (const char*)value + row->offset,
             (const char*)base + row->offset);
  }
}

// how many sizes each shape has
static const int nsize[mjNGEOMTYPES] = {
    [mjGEOM_PLANE] = 3,     [mjGEOM_SPHERE] = 1,   [mjGEOM_CAPSULE] = 2,
    [mjGEOM_ELLIPSOID] = 3, [mjGEOM_CYLINDER] = 2, [mjGEOM_BOX] = 3,
};

void spc_writeSize(SpcWriter* w, XmlNode* node, mjtGeom type, const double size[3], const double base[3]) {
  // sizes that the shape does not have are kept as well when they were given
  int count = 3;
  while (count > nsize[type] && size[count - 1] == base[count - 1]) count--;
  if (w->defaults) count = 3;
  if (memcmp(size, base, (size_t)count * sizeof(double))) spc_writeDoubles(w, node, "size", size, count);
}

void spc_dropEmpty(XmlNode* node) {
  XmlNode* parent = node->parent;
  if (node->nattribute || node->first || !parent) return;
  XmlNode** link = &parent->first;
  XmlNode* before = NULL;
  while (*link != node) {
    before = *link;
    link = &before->next;
  }
  *link = node->next;
  if (parent->last == node) parent->last = before;
}

//---------------------------------- classes ----------------------------------

const void* spc_writeBase(const SpcElement* e, SpcAny* scratch) {
  const SpcKind* kind = &spc_kinds[e->kind];
  if (e->class && kind->template >= 0) return *(void* const*)((const char*)&e->class->spec + kind->template);
  memset(scratch, 0, kind->size);
  if (kind->fill) kind->fill(scratch);
  return scratch;
}

void spc_writeClass(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcDefault* inherited) {
  const SpcDefault* main = (const SpcDefault*)w->model->list[SPC_DEFAULT].at[0];
  if (e->class && e->class != (inherited ? inherited : main)) {
    xml_setAttribute(w->document, node, "class", spc_text(&e->class->head.name));
  }
}
