// The element tree against the schema, before anything is read: unknown elements and attributes, elements that may
// stand only once. The nearest valid name is suggested.
#include <string.h>

#include "base/nearest.h"
#include "spec/read.h"

// -------------------------------------------------------------------------------------------- checks

// attributes that belong to extensions; the geoms and joints of a tendon are only named there
static int isForeign(const XmlNode* node, const char* name) {
  const int path = node->parent && (!strcmp(node->parent->name, "spatial") || !strcmp(node->parent->name, "fixed"));
  return (!strncmp(name, "sinew:", 6) && !path && spc_takesSettings(node->name)) || !strcmp(name, "xmlns:sinew");
}

static int allowed(const SpcAttributeRow* row, int defaults) {
  return !defaults || !(row->flags & SPC_NODEFAULT);
}

static void failAttribute(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, const char* name,
                          int defaults) {
  BasNearest nearest = {name, NULL, 99};
  for (const SpcAttributeRow* row = rows; row->type != SPC_A_END; row++) {
    if (allowed(row, defaults)) bas_consider(&nearest, row->name);
  }
  char text[80];
  spc_readFail(r, node, "Schema violation: unrecognized attribute: '%s'%s", name,
               bas_suggestion(&nearest, text, sizeof(text)));
}

static void checkAttributes(SpcReader* r, const XmlNode* node, const SpcAttributeRow* rows, int defaults) {
  for (int i = 0; i < node->nattribute; i++) {
    const char* name = node->attribute[i].name;
    if (isForeign(node, name)) continue;
    const SpcAttributeRow* row = rows;
    while (row->type != SPC_A_END && (strcmp(row->name, name) || !allowed(row, defaults))) row++;
    if (row->type == SPC_A_END) failAttribute(r, node, rows, name, defaults);
  }
}

static const SpcRule* findRule(SpcReader* r, const XmlNode* node, const SpcRule* rules) {
  for (const SpcRule* rule = rules; rule && rule->name; rule++) {
    if (!strcmp(rule->name, node->name)) return rule;
  }
  BasNearest nearest = {node->name, NULL, 99};
  for (const SpcRule* rule = rules; rule && rule->name; rule++) bas_consider(&nearest, rule->name);
  char text[80];
  spc_readFail(r, node, "Schema violation: unrecognized element%s", bas_suggestion(&nearest, text, sizeof(text)));
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
