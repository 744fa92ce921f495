// The element tree as indented text.
#include <mujoco/mujoco.h>
#include <string.h>

#include "base/grow.h"
#include "xml/tree.h"

static void putText(BasText* out, const char* text) {
  bas_textAdd(out, text, strlen(text));
}

// a value between quotes, with the five characters that XML reserves written as references
static void putValue(BasText* out, const char* value) {
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
        bas_textAdd(out, p, 1);
    }
  }
}

// comment: stands before the children, NULL: none
static void putNode(BasText* out, const XmlNode* node, int depth, const char* comment) {
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
  BasText out = {0};
  putNode(&out, xml_root(document), 0, comment && *comment ? comment : NULL);
  return out.text;
}
