// The element tree as indented text.
#include <mujoco/mujoco.h>
#include <string.h>

#include "xml/tree.h"

typedef struct {
  char* text;
  size_t used, room;
} Output;

static void put(Output* out, const char* text, size_t length) {
  if (out->used + length + 1 > out->room) {
    const size_t room = 2 * (out->used + length) + 1024;
    char* moved = mju_malloc(room);
    if (out->used) memcpy(moved, out->text, out->used);
    mju_free(out->text);
    out->text = moved;
    out->room = room;
  }
  memcpy(out->text + out->used, text, length);
  out->used += length;
  out->text[out->used] = 0;
}

static void putText(Output* out, const char* text) {
  put(out, text, strlen(text));
}

// a value between quotes, with the five characters that XML reserves written as references
static void putValue(Output* out, const char* value) {
  for (const char* p = value; *p; p++) {
    switch (*p) {
      case '&':
        putText(out, "&amp;");
        break;
      case '<':
        putText(out, "&lt;");
        break;
      case '>':
        putText(out, "&gt;");
        break;
      case '"':
        putText(out, "&quot;");
        break;
      case '\n':
        putText(out, "&#10;");
        break;
      default:
        put(out, p, 1);
    }
  }
}

// comment: stands before the children, NULL: none
static void putNode(Output* out, const XmlNode* node, int depth, const char* comment) {
  for (int i = 0; i < depth; i++) putText(out, "  ");
  putText(out, "<");
  putText(out, node->name);
  for (int i = 0; i < node->nattribute; i++) {
    putText(out, " ");
    putText(out, node->attribute[i].name);
    putText(out, "=\"");
    putValue(out, node->attribute[i].value);
    putText(out, "\"");
  }
  if (!node->first && !comment) {
    putText(out, "/>\n");
    return;
  }
  putText(out, ">\n");
  if (comment) {
    putText(out, "  <!--");
    putText(out, comment);
    putText(out, "-->\n");
  }
  for (const XmlNode* child = node->first; child; child = child->next) {
    // a blank line between the sections of a model
    if (depth == 0 && child != node->first) putText(out, "\n");
    putNode(out, child, depth + 1, NULL);
  }
  for (int i = 0; i < depth; i++) putText(out, "  ");
  putText(out, "</");
  putText(out, node->name);
  putText(out, ">\n");
}

char* xml_write(const XmlDocument* document, const char* comment) {
  Output out = {0};
  putNode(&out, xml_root(document), 0, comment && *comment ? comment : NULL);
  return out.text;
}
