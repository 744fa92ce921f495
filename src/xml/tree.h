// XML text as a tree of elements, each with its file and line, so that every later message can name the place.
//
// One arena holds a document: nodes, names, values. Deleting the document frees all of it. Depth and size are bounded;
// entities cannot be declared, so nothing becomes longer than the text itself. What counts as XML is said in parse.c.
#pragma once

#include <stddef.h>

typedef struct XmlAttribute {
  const char* name;
  const char* value;
} XmlAttribute;

typedef struct XmlNode {
  const char* name;
  const char* file;  // as given to xml_parse
  int line;          // of the opening tag
  int column;
  int nattribute;
  XmlAttribute* attribute;  // in the order of the text
  struct XmlNode* parent;   // NULL for the root
  struct XmlNode* first;    // child
  struct XmlNode* last;
  struct XmlNode* next;  // sibling
} XmlNode;

typedef struct XmlDocument XmlDocument;

// Parses size bytes; the text is copied. Returns NULL and writes a message with file, line and column to error.
XmlDocument* xml_parse(const char* file, const char* text, size_t size, char* error, size_t nerror);
void xml_free(XmlDocument* document);

// invariants of the tree: links between parents, children and siblings agree (base/assert.h)
void xml_assertTree(const XmlNode* root);

XmlNode* xml_root(const XmlDocument* document);
// the first comment before the root's first child, "" when there is none
const char* xml_comment(const XmlDocument* document);

// the first child of that name, NULL when there is none
const XmlNode* xml_child(const XmlNode* node, const char* name);
// value of an attribute, NULL when it is not there; line breaks and tabs in it stay
const char* xml_attribute(const XmlNode* node, const char* name);
// Another document lives from now on as long as this one.
void xml_adopt(XmlDocument* document, XmlDocument* other);
// Replaces node, in its parent's list, by the children of the root of a document that was adopted. This is what
// <include> does.
void xml_splice(XmlNode* node, XmlDocument* other);

// new nodes, for the writer and for elements that stand for others (<replicate>)
XmlDocument* xml_make(const char* rootName);
XmlNode* xml_addChild(XmlDocument* document, XmlNode* parent, const char* name);
// sets or replaces an attribute; name and value are copied, NULL for either means that there is nothing to set
void xml_setAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value);
// the same without raising: 0 when there is no memory
int xml_trySetAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value);

// a copy of a text from malloc, which is freed, that lives as long as the document; raises when there is no memory
const char* xml_own(XmlDocument* document, char* text);

// memory that lives as long as the document, for work on it that may end by an error; raises when there is none
void* xml_scratch(XmlDocument* document, size_t bytes);

// the document as indented text; free with mju_free; NULL when there is no memory
char* xml_write(const XmlDocument* document, const char* comment);
