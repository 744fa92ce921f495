// mj_printSchema: the MJCF schema as text or as an HTML table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "spec/schema.h"

static void addText(BasText* out, const char* text) {
  bas_textAdd(out, text, strlen(text));
}

static int byName(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

enum { MOST = 80 };  // attributes of one element

// names of the attributes in alphabetical order; returns how many
static int sortedNames(const SpcRule* rule, int defaults, const char* names[MOST]) {
  int count = 0;
  for (const SpcAttributeRow* row = rule->attributes; row->type != SPC_A_END && count < MOST; row++) {
    if (!defaults || !(row->flags & SPC_NODEFAULT)) names[count++] = row->name;
  }
  qsort(names, (size_t)count, sizeof(names[0]), byName);
  return count;
}

// 1: the element may stand in itself, which is printed once
static int isRecursive(const SpcRule* rule) {
  for (const SpcRule* child = rule->children; child && child->name; child++) {
    if (child->children == rule->children) return 1;
  }
  return 0;
}

static char occursOf(const SpcRule* rule) {
  return isRecursive(rule) ? 'R' : rule->occurs;
}

static const char* titleOf(const SpcRule* rule) {
  return strcmp(rule->name, "worldbody") ? rule->name : "(world)body";
}

// a line of text: name, how often, and the attributes in a column of their own
static void putText(BasText* out, const SpcRule* rule, int defaults, int level) {
  enum { COLUMN = 30, WIDTH = 60 };
  char head[100];
  const char* names[MOST];
  const int count = sortedNames(rule, defaults, names);
  snprintf(head, sizeof(head), "%*s%s (%c)", 3 * level, "", titleOf(rule), occursOf(rule));
  addText(out, head);
  if (strlen(head) < COLUMN) snprintf(head, sizeof(head), "%*s", COLUMN - (int)strlen(head), "");
  addText(out, head);
  int width = COLUMN;
  for (int i = 0; i < count; i++) {
    addText(out, names[i]);
    addText(out, " ");
    width += (int)strlen(names[i]) + 1;
    if (width <= WIDTH || i == count - 1) continue;
    snprintf(head, sizeof(head), "\n%*s", COLUMN, "");
    addText(out, head);
    width = COLUMN;
  }
  addText(out, "\n");
}

// a row of the table; depth by padding or by spaces
static void putRow(BasText* out, const SpcRule* rule, int defaults, int level, int pad) {
  const char* names[MOST];
  const int count = sortedNames(rule, defaults, names);
  char text[60];
  addText(out, "<tr>\n\t<td ");
  snprintf(text, sizeof(text), "style=\"padding-left:%d\" ", 5 + 15 * level);
  if (pad) addText(out, text);
  addText(out, "bgcolor=\"#EEEEEE\" class=\"el\">");
  for (int i = 0; i < 4 * level && !pad; i++) addText(out, "&nbsp;");
  addText(out, titleOf(rule));
  snprintf(text, sizeof(text), "</td>\n\t<td class=\"ty\">%c</td>\n\t<td class=\"at\">", occursOf(rule));
  addText(out, text);
  if (!count) addText(out, "<span style=\"color:black\"><i>no attributes</i></span>");
  for (int i = 0; i < count; i++) {
    addText(out, names[i]);
    addText(out, " ");
  }
  addText(out, "</td>\n</tr>\n");
}

typedef struct {
  int html, pad;
} Style;

static void putRule(BasText* out, const SpcRule* rule, int defaults, int level, Style style) {
  if (style.html) {
    putRow(out, rule, defaults, level, style.pad);
  } else {
    putText(out, rule, defaults, level);
  }
  const int isDefault = !strcmp(rule->name, "default");
  for (const SpcRule* child = rule->children; child && child->name; child++) {
    if (child->children == rule->children) continue;
    putRule(out, child, defaults || isDefault, level + 1, style);
  }
}

int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  BasText out = {0};
  if (flg_html) addText(&out, "<table border=\"1\">\n");
  putRule(&out, &spc_root, 0, 0, (Style){flg_html, flg_pad});
  if (flg_html) addText(&out, "</table>\n");
  if (buffer && buffer_sz > 0) snprintf(buffer, (size_t)buffer_sz, "%s", out.text);
  FILE* file = filename ? fopen(filename, "w") : NULL;
  if (file) {
    fwrite(out.text, 1, out.used, file);
    fclose(file);
  }
  mju_free(out.text);
  return (int)out.used;
}
