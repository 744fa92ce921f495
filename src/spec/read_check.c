// The element tree against the schema, before anything is read: unknown elements and attributes, elements that may
// stand only once. The nearest valid name is suggested.
#include <stdio.h>
#include <string.h>

#include "spec/read.h"

// -------------------------------------------------------------------------------------------- suggestions

// edit distance of two short words; two neighbours that changed places count as one edit
static int distance(const char* a, const char* b) {
  enum { MOST = 40 };
  const int n = (int)strlen(a), m = (int)strlen(b);
  if (n >= MOST || m >= MOST) return MOST;
  int rows[3][MOST + 1];  // of this letter of a and the two before
  for (int j = 0; j <= m; j++) rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int* row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      const int replace = above[j - 1] + (a[i - 1] != b[j - 1]), insert = row[j - 1] + 1, delete = above[j] + 1;
      row[j] = replace < insert ? replace : insert;
      if (delete < row[j]) row[j] = delete;
      const int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && higher[j - 2] + 1 < row[j]) row[j] = higher[j - 2] + 1;
    }
  }
  return rows[n % 3][m];
}

typedef struct {
  const char* word;
  const char* best;
  int least;
} Nearest;

static void consider(Nearest* nearest, const char* candidate) {
  const int d = distance(nearest->word, candidate);
  if (d < nearest->least) {
    nearest->least = d;
    nearest->best = candidate;
  }
}

// ", did you mean 'x'?" when a candidate is close enough to be a slip
static const char* suggestion(const Nearest* nearest, char* text, size_t size) {
  text[0] = 0;
  if (nearest->best && nearest->least <= 2 && nearest->least < (int)strlen(nearest->word)) {
    snprintf(text, size, ", did you mean '%s'?", nearest->best);
  }
  return text;
}

// -------------------------------------------------------------------------------------------- checks

// attributes that belong to extensions
static int isForeign(const char* name) {
  return !strncmp(name, "sinew:", 6) || !strcmp(name, "xmlns:sinew");
}

static int allowed(const SpcAttributeRow* row, int defaults) {
  return !defaults || !(row->flags & SPC_NODEFAULT);
}

static void failAttribute(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, const char* name,
                          int defaults) {
  Nearest nearest = {name, NULL, 99};
  for (const SpcAttributeRow* row = rows; row->type != SPC_A_END; row++) {
    if (allowed(row, defaults)) consider(&nearest, row->name);
  }
  char text[80];
  spc_readFail(r, node, "Schema violation: unrecognized attribute: '%s'%s", name,
               suggestion(&nearest, text, sizeof(text)));
}

static void checkAttributes(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, int defaults) {
  for (int i = 0; i < node->nattribute; i++) {
    const char* name = node->attribute[i].name;
    if (isForeign(name)) continue;
    const SpcAttributeRow* row = rows;
    while (row->type != SPC_A_END && (strcmp(row->name, name) || !allowed(row, defaults))) row++;
    if (row->type == SPC_A_END) failAttribute(r, node, rows, name, defaults);
  }
}

static const SpcRule* findRule(SpcReader* r, const XmlNode* node, const SpcRule* rules) {
  for (const SpcRule* rule = rules; rule && rule->name; rule++) {
    if (!strcmp(rule->name, node->name)) return rule;
  }
  Nearest nearest = {node->name, NULL, 99};
  for (const SpcRule* rule = rules; rule && rule->name; rule++) consider(&nearest, rule->name);
  char text[80];
  spc_readFail(r, node, "Schema violation: unrecognized element%s", suggestion(&nearest, text, sizeof(text)));
}

// In frames and replicates only the elements of bodies are checked: what they have that is not known is left alone
// there.
static void checkFramed(SpcReader* r, const XmlNode* node) {
  for (const XmlNode* child = node->first; child; child = child->next) {
    if (findRule(r, child, spc_bodyRules)->children == spc_bodyRules) checkFramed(r, child);
  }
}

// Files that others include often hold bodies alone. Loaded by themselves such bodies are in no world: they must be
// right, and are left out.
static int isOutsideWorld(const XmlNode* node) {
  return !node->parent->parent && (!strcmp(node->name, "body") || !strcmp(node->name, "frame"));
}

static void checkNode(SpcReader* r, const XmlNode* node, const SpcRule* rule, int defaults);

static void checkOutsideWorld(SpcReader* r, const XmlNode* node) {
  const int frame = !strcmp(node->name, "frame");
  if (frame) checkAttributes(r, node, spc_rowsFrame, 0);
  checkNode(r, node, findRule(r, node, spc_bodyRules), 0);
  mju_warning("<%s> outside <worldbody> is ignored (%s, line %d)", node->name, node->file ? node->file : "",
              node->line);
}

static void checkNode(SpcReader* r, const XmlNode* node, const SpcRule* rule, int defaults) {
  if (rule->children == spc_bodyRules && (!strcmp(rule->name, "frame") || !strcmp(rule->name, "replicate"))) {
    checkFramed(r, node);
    return;
  }
  checkAttributes(r, node, rule->attributes, defaults);
  const int below = defaults || !strcmp(rule->name, "default");
  for (const XmlNode* child = node->first; child; child = child->next) {
    if (isOutsideWorld(child)) {
      checkOutsideWorld(r, child);
      continue;
    }
    const SpcRule* found = findRule(r, child, rule->children);
    checkNode(r, child, found, below && strcmp(found->name, "default"));
  }

  // elements that may stand only once
  for (const SpcRule* unique = rule->children; unique && unique->name; unique++) {
    if (unique->occurs == '*') continue;
    int count = 0;
    for (const XmlNode* child = node->first; child; child = child->next) count += !strcmp(child->name, unique->name);
    if (count > 1) {
      spc_readFail(r, node, "Schema violation: unique element '%s' found %d times", unique->name, count);
    }
  }
}

void spc_checkTree(SpcReader* r, const XmlNode* root) {
  if (strcmp(root->name, spc_root.name)) spc_readFail(r, root, "Schema violation: unrecognized element");
  checkNode(r, root, &spc_root, 0);
}
