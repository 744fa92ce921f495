// What a document consists of, for the files that make one.
#pragma once

#include "xml/tree.h"

enum {
  XML_DEPTH = 1000,                // deeper nesting is refused: later stages recurse over the tree
  XML_ATTRIBUTES = 1000,           // more in one element are refused: each is compared with those before
  XML_BLOCK = 64 * 1024,           // bytes the arena asks for at a time
  XML_BYTES = 1024 * 1024 * 1024,  // larger texts are refused
};

typedef struct XmlBlock {
  struct XmlBlock* next;
  size_t used, size;
} XmlBlock;

struct XmlDocument {
  XmlBlock* blocks;
  XmlNode* root;
  const char* comment;
  XmlDocument* spliced;  // documents whose nodes hang in this tree
  XmlDocument* next;
};

// ---- tree.c; all return NULL when there is no memory

XmlDocument* xml_newDocument(void);
void* xml_take(XmlDocument* document, size_t bytes);
char* xml_copyText(XmlDocument* document, const char* text, size_t length);
// a new last child of a node, NULL: the root; the name is copied
XmlNode* xml_addNode(XmlDocument* document, XmlNode* parent, const char* name);
// one more attribute, whose texts live in the document; 0 when there is no memory
int xml_appendAttribute(XmlDocument* document, XmlNode* node, XmlAttribute attribute);
