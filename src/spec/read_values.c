// Attributes of MJCF elements: numbers, words, orientations, places.
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "spec/names.h"
#include "spec/read.h"

void spc_readFail(SpcReader* r, const XmlNode* node, const char* format, ...) {
  va_list args;
  va_start(args, format);
  char message[700];
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  if (node) {
    const char* name = xml_attribute(node, "name");
    snprintf(r->error, sizeof(r->error), "XML Error: %s\nElement '%s', line %d\n%s%.80s%sfile %s\n", message,
             node->name, node->line, name ? "name '" : "", name ? name : "", name ? "', " : "",
             node->file ? node->file : "(none)");
  } else {
    snprintf(r->error, sizeof(r->error), "XML Error: %s", message);
  }
  longjmp(r->escape, 1);
}

// -------------------------------------------------------------------------------------------- numbers

// checks a count against its bounds; negative: a word is no number, or no number of that type can hold it
static int checkCount(SpcReader* r, const XmlNode* node, const char* name, int count, int min, int max) {
  if (count == BAS_RANGE) spc_readFail(r, node, "number is too large in attribute '%s'", name);
  if (count < 0) spc_readFail(r, node, "bad format in attribute '%s'", name);
  if (count > max) spc_readFail(r, node, "attribute '%s' has too much data", name);
  if (count && count < min) spc_readFail(r, node, "attribute '%s' does not have enough data", name);
  return count;
}

// NaN is accepted with a warning
static void warnOfNan(int isNan) {
  if (isNan) mju_warning("XML contains a 'NaN'. Please check it carefully.");
}

enum { MOST = 64 };  // numbers of an attribute that is no vector

int spc_readDoubles(SpcReader* r, const XmlNode* node, const char* name, double* out, int min, int max) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  double value[MOST];
  const char* bad = NULL;
  const int count = checkCount(r, node, name, bas_readDoubles(text, value, MOST, &bad), min, max);
  for (int i = 0; i < count; i++) warnOfNan(isnan(value[i]));
  memcpy(out, value, (size_t)count * sizeof(double));
  return count;
}

int spc_readFloats(SpcReader* r, const XmlNode* node, const char* name, float* out, int min, int max) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  float value[MOST];
  const char* bad = NULL;
  const int count = checkCount(r, node, name, bas_readFloats(text, value, MOST, &bad), min, max);
  for (int i = 0; i < count; i++) warnOfNan(isnan(value[i]));
  memcpy(out, value, (size_t)count * sizeof(float));
  return count;
}

int spc_readInts(SpcReader* r, const XmlNode* node, const char* name, int* out, int min, int max) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  int value[64];
  const char* bad = NULL;
  const int count = bas_readInts(text, value, 64, &bad);
  if (count < 0 || (!count && max == 1)) spc_readFail(r, node, "problem reading attribute '%s'", name);
  checkCount(r, node, name, count, min, max);
  memcpy(out, value, (size_t)count * sizeof(int));
  return count;
}

int spc_readDoubleVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  const char* bad = NULL;
  const int count = checkCount(r, node, name, bas_readDoubles(text, NULL, 0, &bad), 0, INT_MAX);
  spc_vecSet(out, NULL, (size_t)count, sizeof(double));
  double* const value = (double*)(void*)out->begin;
  if (count) bas_readDoubles(text, value, count, &bad);
  for (int i = 0; i < count; i++) warnOfNan(isnan(value[i]));
  return count;
}

int spc_readFloatVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  const char* bad = NULL;
  const int count = checkCount(r, node, name, bas_readFloats(text, NULL, 0, &bad), 0, INT_MAX);
  spc_vecSet(out, NULL, (size_t)count, sizeof(float));
  float* const value = (float*)(void*)out->begin;
  if (count) bas_readFloats(text, value, count, &bad);
  for (int i = 0; i < count; i++) warnOfNan(isnan(value[i]));
  return count;
}

int spc_readIntVec(SpcReader* r, const XmlNode* node, const char* name, SpcVec* out) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  const char* bad = NULL;
  const int count = bas_readInts(text, NULL, 0, &bad);
  if (count < 0) {
    // a whole number that is too large, or something else
    const size_t digits = strspn(bad + strspn(bad, "+-"), "0123456789");
    const int whole =
        digits && (!bad[strspn(bad, "+-") + digits] || strchr(" \t\r\n", bad[strspn(bad, "+-") + digits]));
    spc_readFail(r, node, whole ? "number is too large in attribute '%s'" : "bad format in attribute '%s'", name);
  }
  spc_vecSet(out, NULL, (size_t)count, sizeof(int));
  if (count) bas_readInts(text, (int*)(void*)out->begin, count, &bad);
  return count;
}

// -------------------------------------------------------------------------------------------- words and text

const char* spc_readRequired(SpcReader* r, const XmlNode* node, const char* name) {
  const char* text = xml_attribute(node, name);
  if (!text) spc_readFail(r, node, "required attribute missing: '%s'", name);
  return text;
}

int spc_readWord(SpcReader* r, const XmlNode* node, const char* name, const SpcWord* words, int* out) {
  const char* text = xml_attribute(node, name);
  if (!text) return 0;
  for (const SpcWord* w = words; w->word; w++) {
    if (strcmp(w->word, text)) continue;
    *out = w->value;
    return 1;
  }
  spc_readFail(r, node, "invalid keyword: '%s'", text);
}

int spc_readWords(SpcReader* r, const XmlNode* node, const char* name, const SpcWord* words, int* out, int most) {
  const char* text = xml_attribute(node, name);
  int count = 0;
  for (const char* p = text ? text : ""; *(p += strspn(p, " \t\r\n"));) {
    const size_t length = strcspn(p, " \t\r\n");
    char word[32];
    snprintf(word, sizeof(word), "%.*s", (int)length, p);
    const int value = length < sizeof(word) ? spc_wordValue(words, word) : -1;
    if (value < 0) spc_readFail(r, node, "invalid keyword: '%s' in attribute '%s'", word, name);
    for (int i = 0; i < count; i++) {
      if (out[i] == value) spc_readFail(r, node, "duplicate keyword: '%s' in attribute '%s'", word, name);
    }
    if (count < most) out[count++] = value;
    p += length;
  }
  return count;
}

// several words of a list or'ed together
static void readBits(SpcReader* r, const XmlNode* node, const SpcAttributeRow* row, int* out) {
  if (!xml_attribute(node, row->name)) return;
  int bit[32], bits = 0;
  const int count = spc_readWords(r, node, row->name, row->words, bit, 32);
  for (int i = 0; i < count; i++) bits |= bit[i];
  *out = bits;
}

static void readName(SpcReader* r, const XmlNode* node, SpcElement* head) {
  const char* text = xml_attribute(node, "name");
  if (!text || !head) return;
  SpcElement* other = spc_find(r->model, head->kind, text);
  if (other && other != head) {
    spc_readFail(r, node, "Error: repeated name '%s' in %s", text, spc_kinds[head->kind].name);
  }
  spc_rename(head, text);
}

// -------------------------------------------------------------------------------------------- rows

static void readRow(SpcReader* r, const XmlNode* node, const SpcAttributeRow* row, char* at) {
  int value;
  const char* text;
  switch (row->type) {
    case SPC_A_DOUBLE:
      spc_readDoubles(r, node, row->name, (double*)(void*)at, row->min, row->max);
      break;
    case SPC_A_FLOAT:
      spc_readFloats(r, node, row->name, (float*)(void*)at, row->min, row->max);
      break;
    case SPC_A_INT:
      spc_readInts(r, node, row->name, (int*)(void*)at, row->min, row->max);
      break;
    case SPC_A_WORD:
      if (spc_readWord(r, node, row->name, row->words, &value)) *(int*)(void*)at = value;
      break;
    case SPC_A_WORDBYTE:
      if (spc_readWord(r, node, row->name, row->words, &value)) *(mjtByte*)at = (mjtByte)value;
      break;
    case SPC_A_WORDNUM:
      if (spc_readWord(r, node, row->name, row->words, &value)) *(mjtNum*)(void*)at = value;
      break;
    case SPC_A_BITS:
      readBits(r, node, row, (int*)(void*)at);
      break;
    case SPC_A_CHARS:
      text = xml_attribute(node, row->name);
      if (text && strlen(text) > row->max) {
        spc_readFail(r, node, "%s length cannot exceed %d characters", row->name, row->max);
      }
      if (text) memcpy(at, text, strlen(text));
      break;
    case SPC_A_TEXT:
      text = xml_attribute(node, row->name);
      if (text) spc_textSet(*(void**)(void*)at, text);
      break;
    case SPC_A_TEXTS:
      text = xml_attribute(node, row->name);
      if (text) mjs_setStringVec(*(void**)(void*)at, text);
      break;
    case SPC_A_DOUBLES:
      spc_readDoubleVec(r, node, row->name, *(void**)(void*)at);
      break;
    case SPC_A_FLOATS:
      spc_readFloatVec(r, node, row->name, *(void**)(void*)at);
      break;
    case SPC_A_INTS:
      spc_readIntVec(r, node, row->name, *(void**)(void*)at);
      break;
    default:
      break;
  }
}

void spc_readRows(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, void* target, SpcElement* head) {
  for (const SpcAttributeRow* row = rows; row->type != SPC_A_END; row++) {
    if (r->defaults && (row->flags & SPC_NODEFAULT)) continue;
    if ((row->flags & SPC_REQUIRED) && !r->defaults) spc_readRequired(r, node, row->name);
    if (row->type == SPC_A_NAME) {
      readName(r, node, head);
    } else {
      readRow(r, node, row, (char*)target + row->offset);
    }
  }
  if (!head) return;
  spc_setPlace(r, node, head);
  spc_readSettings(r, node, head);
}

// -------------------------------------------------------------------------------------------- orientation, place,
// class

void spc_readOrientation(SpcReader* r, const XmlNode* node, double quat[4], mjsOrientation* alt) {
  static const char* names[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  int given = 0;
  for (int i = 0; i < 5; i++) given += xml_attribute(node, names[i]) != NULL;
  if (given > 1) spc_readFail(r, node, "multiple orientation specifiers are not allowed");

  if (spc_readDoubles(r, node, "quat", quat, 4, 4)) {
    if (quat[0] == 0 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0) {
      spc_readFail(r, node, "zero quaternion is not allowed");
    }
  }
  if (spc_readDoubles(r, node, "axisangle", alt->axisangle, 4, 4)) alt->type = mjORIENTATION_AXISANGLE;
  if (spc_readDoubles(r, node, "xyaxes", alt->xyaxes, 6, 6)) alt->type = mjORIENTATION_XYAXES;
  if (spc_readDoubles(r, node, "zaxis", alt->zaxis, 3, 3)) alt->type = mjORIENTATION_ZAXIS;
  if (spc_readDoubles(r, node, "euler", alt->euler, 3, 3)) alt->type = mjORIENTATION_EULER;
}

void spc_setPlace(SpcReader* r, const XmlNode* node, SpcElement* e) {
  e->file = node->file ? spc_internFile(r->model, node->file) : NULL;
  e->line = node->line;

  // the public struct says it in words
  SpcString* const info = spc_infoOf(e);
  if (!info) return;
  char text[40];
  snprintf(text, sizeof(text), "line %d", node->line);
  spc_textSet(info, text);
}

SpcDefault* spc_readClass(SpcReader* r, const XmlNode* node, SpcDefault* inherited) {
  const char* name = xml_attribute(node, "class");
  if (!name) return inherited ? inherited : (SpcDefault*)r->model->list[SPC_DEFAULT].at[0];
  SpcDefault* class = spc_findDefault(r->model, name);
  if (!class) spc_readFail(r, node, "unknown default class name '%s'", name);
  return class;
}
