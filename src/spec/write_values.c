// Attributes of MJCF elements as text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/write.h"
#include "xml/number.h"

// a growing text
typedef struct {
  char* text;
  size_t used, room;
} Text;

static void append(Text* t, const char* word) {
  const size_t length = strlen(word);
  if (t->used + length + 2 > t->room) {
    const size_t room = 2 * (t->used + length) + 256;
    char* moved = mju_malloc(room);
    if (t->used) memcpy(moved, t->text, t->used);
    mju_free(t->text);
    t->text = moved;
    t->room = room;
  }
  if (t->used) t->text[t->used++] = ' ';
  memcpy(t->text + t->used, word, length + 1);
  t->used += length;
}

static void finish(SpcWriter* w, XmlNode* node, const char* name, Text* t) {
  xml_setAttribute(w->document, node, name, t->text ? t->text : "");
  mju_free(t->text);
}

void spc_writeDoubles(SpcWriter* w, XmlNode* node, const char* name, const double* value, int count) {
  Text t = {0};
  for (int i = 0; i < count; i++) {
    char word[32];
    xml_writeDouble(value[i], word);
    append(&t, word);
  }
  finish(w, node, name, &t);
}

// floats read back as floats: the shortest text that does
static void floatWord(float value, char word[32]) {
  for (int digits = 1; digits <= 9; digits++) {
    snprintf(word, 32, "%.*g", digits, (double)value);
    double back;
    const char* bad;
    if (xml_readDoubles(word, &back, 1, &bad) == 1 && (float)back == value) return;
  }
}

void spc_writeFloats(SpcWriter* w, XmlNode* node, const char* name, const float* value, int count) {
  Text t = {0};
  for (int i = 0; i < count; i++) {
    char word[32] = "nan";
    if (!isnan(value[i])) floatWord(value[i], word);
    append(&t, word);
  }
  finish(w, node, name, &t);
}

void spc_writeInts(SpcWriter* w, XmlNode* node, const char* name, const int* value, int count) {
  Text t = {0};
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
  Text t = {0};
  for (const SpcWord* word = row->words; word->word; word++) {
    if (bits & word->value) append(&t, word->word);
  }
  finish(w, node, row->name, &t);
}

static void writeTexts(SpcWriter* w, XmlNode* node, const char* name, const SpcVec* texts) {
  Text t = {0};
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

static void writeRow(SpcWriter* w, XmlNode* node, const SpcAttributeRow* row, const char* at, const char* base) {
  const void* value = at;
  switch (row->type) {
    case SPC_A_DOUBLE:
      // NaN in front means that nothing was given
      if (isnan(*(const double*)value) || !memcmp(at, base, row->max * sizeof(double))) return;
      spc_writeDoubles(w, node, row->name, value, row->max);
      break;
    case SPC_A_FLOAT:
      if (memcmp(at, base, row->max * sizeof(float))) spc_writeFloats(w, node, row->name, value, row->max);
      break;
    case SPC_A_INT:
      if (memcmp(at, base, row->max * sizeof(int))) spc_writeInts(w, node, row->name, value, row->max);
      break;
    case SPC_A_WORD:
      if (memcmp(at, base, sizeof(int))) writeWord(w, node, row, *(const int*)value);
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

void spc_writeRows(SpcWriter* w, XmlNode* node, const SpcAttributeRow* rows, const void* value, const void* base) {
  for (const SpcAttributeRow* row = rows; row->type != SPC_A_END; row++) {
    if (row->type == SPC_A_SPECIAL || row->type == SPC_A_NAME) continue;
    if (w->defaults && (row->flags & SPC_NODEFAULT)) continue;
    writeRow(w, node, row, (const char*)value + row->offset, (const char*)base + row->offset);
  }
}

void spc_writeOrientation(SpcWriter* w, XmlNode* node, const mjsOrientation* alt, const mjsOrientation* base) {
  if (!memcmp(alt, base, sizeof(*alt))) return;
  switch (alt->type) {
    case mjORIENTATION_AXISANGLE:
      spc_writeDoubles(w, node, "axisangle", alt->axisangle, 4);
      break;
    case mjORIENTATION_XYAXES:
      spc_writeDoubles(w, node, "xyaxes", alt->xyaxes, 6);
      break;
    case mjORIENTATION_ZAXIS:
      spc_writeDoubles(w, node, "zaxis", alt->zaxis, 3);
      break;
    case mjORIENTATION_EULER:
      spc_writeDoubles(w, node, "euler", alt->euler, 3);
      break;
    default:
      break;
  }
}

const void* spc_writeBase(const SpcElement* e, void* scratch) {
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
