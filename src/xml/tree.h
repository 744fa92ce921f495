// XML text as a tree of elements, each with its file and line, so that every later message can name the place.
//
// One arena holds a document: nodes, names, values. Deleting the document frees all of it. Depth, size and the number
// of elements are bounded; entity declarations are refused, so expansion is bounded by the text itself.
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
  size_t offset;         // of the opening tag in the text
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
// value of an attribute, NULL when it is not there
const char* xml_attribute(const XmlNode* node, const char* name);
// Same, with the line breaks and tabs that it has in the text; parsers must replace them by spaces, which is right for
// all but texts. Lives as long as the document.
const char* xml_written(XmlDocument* document, const XmlNode* node, const char* name);

// Replaces node, in its parent's list, by the children of another document's root; the other document stays alive
// as long as this one. This is what <include> does.
void xml_splice(XmlDocument* document, XmlNode* node, XmlDocument* other);

// new nodes, for the writer and for elements that stand for others (<replicate>)
XmlDocument* xml_make(const char* rootName);
XmlNode* xml_addChild(XmlDocument* document, XmlNode* parent, const char* name);
// sets or replaces an attribute; name and value are copied, NULL for either means that there is nothing to set
void xml_setAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value);

// the document as indented text; free with mju_free
char* xml_write(const XmlDocument* document, const char* comment);
