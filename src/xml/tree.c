// The tree of a document: its memory, looking at it, making and joining nodes; see tree.h.
#include "xml/tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "xml/document.h"

// -------------------------------------------------------------------------------------------- arena

void* xml_take(XmlDocument* document, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  XmlBlock* block = document->blocks;
  if (!block || block->size - block->used < bytes) {
    const size_t size = bytes > XML_BLOCK ? bytes : XML_BLOCK;
    block = malloc(sizeof(XmlBlock) + 16 + size);
    if (!block) return NULL;
    *block = (XmlBlock){document->blocks, 0, size};
    document->blocks = block;
  }
  char* memory = (char*)(((uintptr_t)(block + 1) + 15) & ~(uintptr_t)15) + block->used;
  block->used += bytes;
  return memory;
}

char* xml_copyText(XmlDocument* document, const char* text, size_t length) {
  char* copy = xml_take(document, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

XmlNode* xml_addNode(XmlDocument* document, XmlNode* parent, const char* name) {
  XmlNode* node = xml_take(document, sizeof(*node));
  if (!node) return NULL;
  *node = (XmlNode){.parent = parent, .name = xml_copyText(document, name, strlen(name))};
  if (!node->name) return NULL;
  if (!parent) {
    document->root = node;
  } else if (parent->last) {
    parent->last->next = node;
  } else {
    parent->first = node;
  }
  if (parent) parent->last = node;
  return node;
}

// -------------------------------------------------------------------------------------------- documents

XmlDocument* xml_newDocument(void) {
  return calloc(1, sizeof(XmlDocument));
}

void xml_free(XmlDocument* document) {
  if (!document) return;
  for (XmlDocument* other = document->spliced; other;) {
    XmlDocument* next = other->next;
    xml_free(other);
    other = next;
  }
  for (XmlBlock* block = document->blocks; block;) {
    XmlBlock* next = block->next;
    free(block);
    block = next;
  }
  free(document);
}

// -------------------------------------------------------------------------------------------- reading

XmlNode* xml_root(const XmlDocument* document) {
  return document->root;
}

const char* xml_comment(const XmlDocument* document) {
  return document->comment ? document->comment : "";
}

const XmlNode* xml_child(const XmlNode* node, const char* name) {
  const XmlNode* child = node->first;
  while (child && strcmp(child->name, name)) child = child->next;
  return child;
}

const char* xml_attribute(const XmlNode* node, const char* name) {
  for (int i = 0; i < node->nattribute; i++) {
    if (!strcmp(node->attribute[i].name, name)) return node->attribute[i].value;
  }
  return NULL;
}

void xml_adopt(XmlDocument* document, XmlDocument* other) {
  other->next = document->spliced;
  document->spliced = other;
}

void xml_splice(XmlNode* node, XmlDocument* other) {
  XmlNode* parent = node->parent;
  XmlNode* first = other->root->first;

  // find what stands before the node
  XmlNode* before = NULL;
  for (XmlNode* child = parent->first; child != node; child = child->next) before = child;

  // children take the node's place, or nothing does when there are none
  XmlNode* replacement = first ? first : node->next;
  if (before) {
    before->next = replacement;
  } else {
    parent->first = replacement;
  }
  if (first) other->root->last->next = node->next;
  if (parent->last == node) parent->last = first ? other->root->last : before;
  for (XmlNode* child = first; child && child != node->next; child = child->next) child->parent = parent;

  other->root->first = other->root->last = NULL;
}

// -------------------------------------------------------------------------------------------- making

XmlDocument* xml_make(const char* rootName) {
  XmlDocument* document = xml_newDocument();
  if (document && xml_addNode(document, NULL, rootName)) return document;
  xml_free(document);
  bas_outOfMemory("XML document");
}

XmlNode* xml_addChild(XmlDocument* document, XmlNode* parent, const char* name) {
  XmlNode* node = xml_addNode(document, parent, name);
  if (!node) bas_outOfMemory("XML document");
  node->file = parent->file;
  node->line = parent->line;
  return node;
}

int xml_appendAttribute(XmlDocument* document, XmlNode* node, XmlAttribute attribute) {
  // room doubles: counts that are powers of two are full
  const int count = node->nattribute;
  if (!(count & (count - 1))) {
    XmlAttribute* moved = xml_take(document, sizeof(*moved) * (size_t)(count ? 2 * count : 1));
    if (!moved) return 0;
    if (count) memcpy(moved, node->attribute, sizeof(*moved) * (size_t)count);
    node->attribute = moved;
  }
  node->attribute[node->nattribute++] = attribute;
  return 1;
}

int xml_trySetAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value) {
  if (!name || !value) return 1;
  const char* copy = xml_copyText(document, value, strlen(value));
  if (!copy) return 0;
  for (int i = 0; i < node->nattribute; i++) {
    if (!strcmp(node->attribute[i].name, name)) {
      node->attribute[i].value = copy;
      return 1;
    }
  }

  const char* key = xml_copyText(document, name, strlen(name));
  return key && xml_appendAttribute(document, node, (XmlAttribute){key, copy});
}

void xml_setAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value) {
  if (!xml_trySetAttribute(document, node, name, value)) bas_outOfMemory("XML document");
}

const char* xml_own(XmlDocument* document, char* text) {
  const char* const copy = text ? xml_copyText(document, text, strlen(text)) : NULL;
  free(text);
  if (!copy) bas_outOfMemory("XML document");
  return copy;
}

void* xml_scratch(XmlDocument* document, size_t bytes) {
  void* const memory = xml_take(document, bytes);
  if (!memory) bas_outOfMemory("XML document");
  return memory;
}
