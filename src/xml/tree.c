// XML text to a tree of elements through expat; see tree.h.
#include "xml/tree.h"

#include <expat.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/repair.h"
#include "base/assert.h"

enum {
  XML_DEPTH = 1000,                // deeper nesting is refused: later stages recurse over the tree
  XML_BLOCK = 64 * 1024,           // bytes the arena asks for at a time
  XML_BYTES = 1024 * 1024 * 1024,  // larger texts are refused
};

typedef struct Block {
  struct Block* next;
  size_t used, size;
} Block;

struct XmlDocument {
  Block* blocks;
  XmlNode* root;
  const char* comment;
  const char* source;
  XmlDocument* spliced;  // documents whose nodes hang in this tree
  XmlDocument* next;
};

// -------------------------------------------------------------------------------------------- arena

static void* take(XmlDocument* document, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  Block* block = document->blocks;
  if (!block || block->size - block->used < bytes) {
    const size_t size = bytes > XML_BLOCK ? bytes : XML_BLOCK;
    block = malloc(sizeof(Block) + 16 + size);
    if (!block) return NULL;
    *block = (Block){document->blocks, 0, size};
    document->blocks = block;
  }
  BAS_ASSERT(block->used + bytes <= block->size && block->used % 16 == 0);
  char* memory = (char*)(((uintptr_t)(block + 1) + 15) & ~(uintptr_t)15) + block->used;
  block->used += bytes;
  return memory;
}

static char* copyText(XmlDocument* document, const char* text, size_t length) {
  char* copy = take(document, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static XmlNode* addNode(XmlDocument* document, XmlNode* parent, const char* name) {
  XmlNode* node = take(document, sizeof(*node));
  if (!node) return NULL;
  *node = (XmlNode){.parent = parent, .name = copyText(document, name, strlen(name))};
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

// -------------------------------------------------------------------------------------------- parsing

typedef struct {
  XML_Parser parser;
  XmlDocument* document;
  XmlNode* open;  // innermost element
  const char* file;
  const char* problem;  // why parsing was stopped by us
  int depth;
} Parse;

static void stop(Parse* parse, const char* problem) {
  if (!parse->problem) parse->problem = problem;
  XML_StopParser(parse->parser, XML_FALSE);
}

static void XMLCALL onStart(void* user, const char* name, const char** pairs) {
  Parse* parse = user;
  if (parse->problem) return;
  if (++parse->depth > XML_DEPTH) {
    stop(parse, "elements are nested too deeply");
    return;
  }
  XmlNode* node = addNode(parse->document, parse->open, name);
  int count = 0;
  while (pairs[2 * count]) count++;
  XmlAttribute* attribute = node ? take(parse->document, sizeof(*attribute) * (size_t)(count + 1)) : NULL;
  if (!attribute) {
    stop(parse, "out of memory");
    return;
  }
  for (int i = 0; i < count; i++) {
    attribute[i].name = copyText(parse->document, pairs[2 * i], strlen(pairs[2 * i]));
    attribute[i].value = copyText(parse->document, pairs[2 * i + 1], strlen(pairs[2 * i + 1]));
    if (!attribute[i].name || !attribute[i].value) {
      stop(parse, "out of memory");
      return;
    }
  }
  node->nattribute = count;
  node->attribute = attribute;
  node->file = parse->file;
  node->line = (int)XML_GetCurrentLineNumber(parse->parser);
  node->column = (int)XML_GetCurrentColumnNumber(parse->parser) + 1;
  node->offset = (size_t)XML_GetCurrentByteIndex(parse->parser);
  parse->open = node;
}

static void XMLCALL onEnd(void* user, const char* name) {
  (void)name;
  Parse* parse = user;
  if (parse->problem) return;
  BAS_ASSERT(parse->open && parse->depth > 0);
  parse->open = parse->open->parent;
  parse->depth--;
}

// a comment that comes first inside the root is kept: it describes the model
static void XMLCALL onComment(void* user, const char* text) {
  Parse* parse = user;
  XmlDocument* document = parse->document;
  const int atTop = document->root && parse->open == document->root && !document->root->first;
  if (!parse->problem && !document->comment && atTop) document->comment = copyText(document, text, strlen(text));
}

static void XMLCALL onEntity(void* user, const char* name, int isParameter, const char* value, int length,
                             const char* base, const char* systemId, const char* publicId, const char* notation) {
  (void)name, (void)isParameter, (void)value, (void)length, (void)base, (void)systemId, (void)publicId, (void)notation;
  stop(user, "entity declarations are not supported");
}

// runs expat over the text once; NULL encoding trusts the declaration
static int runParser(Parse* parse, const char* text, size_t size, const char* encoding) {
  // nothing stays of an attempt before
  if (parse->parser) XML_ParserFree(parse->parser);
  parse->document->root = parse->open = NULL;
  parse->document->comment = NULL;
  parse->depth = 0;

  parse->parser = XML_ParserCreate(encoding);
  if (!parse->parser) {
    parse->problem = "out of memory";
    return 0;
  }
  XML_SetUserData(parse->parser, parse);
  XML_SetElementHandler(parse->parser, onStart, onEnd);
  XML_SetCommentHandler(parse->parser, onComment);
  XML_SetEntityDeclHandler(parse->parser, onEntity);
  if (XML_Parse(parse->parser, text, (int)size, 1) == XML_STATUS_OK) return !parse->problem;

  // elements behind the root are nobody's
  const XML_Index where = XML_GetCurrentByteIndex(parse->parser);
  return XML_GetErrorCode(parse->parser) == XML_ERROR_JUNK_AFTER_DOC_ELEMENT && text[where] == '<';
}

// as it says it is encoded; if that fails on bytes that are not UTF-8, mostly accents in comments, as Latin-1
static int parseText(Parse* parse, const char* text, size_t size) {
  if (runParser(parse, text, size, NULL)) return 1;
  if (parse->problem || XML_GetErrorCode(parse->parser) != XML_ERROR_INVALID_TOKEN) return 0;
  return runParser(parse, text, size, "ISO-8859-1");
}

// once more after repairs; lines stay, so only columns may be those of the repaired text
static int parseRepaired(Parse* parse, const char* text, size_t size) {
  BasText repaired = xml_repair(text, size);
  const int fits = repaired.used > 0 && repaired.used <= XML_BYTES;
  const char* source = fits ? copyText(parse->document, repaired.text, repaired.used) : NULL;
  mju_free(repaired.text);
  if (!source) return 0;
  parse->document->source = source;
  return parseText(parse, source, repaired.used);
}

static XmlDocument* newDocument(void) {
  return calloc(1, sizeof(XmlDocument));
}

XmlDocument* xml_parse(const char* file, const char* text, size_t size, char* error, size_t nerror) {
  XmlDocument* document = newDocument();
  size = strnlen(text, size);  // buffers often come with the terminator of the string that they were made from
  if (!document || size > XML_BYTES) {
    snprintf(error, nerror, "%s: %s", file, document ? "file is too large" : "out of memory");
    xml_free(document);
    return NULL;
  }
  const char* kept = copyText(document, file, strlen(file));
  document->source = copyText(document, text, size);
  Parse parse = {.document = document, .file = kept ? kept : ""};
  int good = kept && document->source && parseText(&parse, text, size);
  if (!good && parse.parser && !parse.problem) good = parseRepaired(&parse, text, size);
  if (!good && parse.parser) {
    const char* reason = parse.problem ? parse.problem : XML_ErrorString(XML_GetErrorCode(parse.parser));
    snprintf(error, nerror, "XML parse error in '%s', line %lu, column %lu: %s", file,
             (unsigned long)XML_GetCurrentLineNumber(parse.parser),
             (unsigned long)XML_GetCurrentColumnNumber(parse.parser) + 1, reason);
  } else if (!good) {
    snprintf(error, nerror, "%s: out of memory", file);
  }
  if (parse.parser) XML_ParserFree(parse.parser);
  if (good) {
    BAS_CHECK(xml_assertTree(document->root));
    return document;
  }
  xml_free(document);
  return NULL;
}

void xml_free(XmlDocument* document) {
  if (!document) return;
  for (XmlDocument* other = document->spliced; other;) {
    XmlDocument* next = other->next;
    xml_free(other);
    other = next;
  }
  for (Block* block = document->blocks; block;) {
    Block* next = block->next;
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

// the document whose text a node was read from
static const XmlDocument* originOf(const XmlDocument* document, const XmlNode* node) {
  if (document->root && document->root->file == node->file) return document;
  for (const XmlDocument* other = document->spliced; other; other = other->next) {
    const XmlDocument* found = originOf(other, node);
    if (found) return found;
  }
  return NULL;
}

// where the value of an attribute starts in the text, behind its quote; NULL: not found
static const char* findValue(const char* tag, const char* name) {
  const size_t length = strlen(name);
  char quote = 0;
  for (const char* p = tag + 1; *p; p++) {
    if (quote) {
      if (*p == quote) quote = 0;
    } else if (*p == '"' || *p == '\'') {
      quote = *p;
    } else if (*p == '>') {
      break;
    } else if (!strncmp(p, name, length) && strchr(" \t\r\n", p[-1]) && strchr(" \t\r\n=", p[length])) {
      // outside quotes, a word followed by '=' is an attribute
      const char* value = strpbrk(p + length, "\"'");
      return value ? value + 1 : NULL;
    }
  }
  return NULL;
}

// one character further
static char* following(char* c) {
  do c++;
  while ((*c & 0xC0) == 0x80);
  return c;
}

const char* xml_written(XmlDocument* document, const XmlNode* node, const char* name) {
  const char* value = xml_attribute(node, name);
  const XmlDocument* origin = originOf(document, node);
  const char* raw = value && origin && origin->source ? findValue(origin->source + node->offset, name) : NULL;
  char* restored = raw ? copyText(document, value, strlen(value)) : NULL;
  if (!restored) return value;

  // both in step, as long as what is a break in one is a space in the other
  const char quote = raw[-1];
  for (char* c = restored; *c && *raw && *raw != quote; raw++) {
    if (*raw == '\r' && raw[1] == '\n') continue;
    if (*raw == '\n' || *raw == '\t' || *raw == '\r') {
      if (*c != ' ') break;
      *c = *raw == '\t' ? '\t' : '\n';
    }
    const int entity = *raw == '&';
    while (entity && *raw && *raw != ';') raw++;
    if (!*raw) break;
    if (entity) {
      c = following(c);
    } else {
      c++;
    }
  }
  return restored;
}

void xml_splice(XmlDocument* document, XmlNode* node, XmlDocument* other) {
  BAS_ASSERT(node->parent && other->root && document != other);
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
  other->next = document->spliced;
  document->spliced = other;
  BAS_CHECK(xml_assertTree(parent));
}

void xml_assertTree(const XmlNode* root) {
  BAS_ASSERT(root && root->name);
  BAS_ASSERT((root->first == NULL) == (root->last == NULL));
  BAS_ASSERT(root->nattribute == 0 || root->attribute != NULL);
  for (int i = 0; i < root->nattribute; i++) BAS_ASSERT(root->attribute[i].name && root->attribute[i].value);
  for (const XmlNode* child = root->first; child; child = child->next) {
    BAS_ASSERT(child->parent == root);
    BAS_ASSERT((child->next == NULL) == (child == root->last));
    xml_assertTree(child);
  }
}

// -------------------------------------------------------------------------------------------- making

XmlDocument* xml_make(const char* rootName) {
  XmlDocument* document = newDocument();
  if (!document || !addNode(document, NULL, rootName)) mju_error("out of memory: XML document");
  return document;
}

XmlNode* xml_addChild(XmlDocument* document, XmlNode* parent, const char* name) {
  XmlNode* node = addNode(document, parent, name);
  if (!node) mju_error("out of memory: XML document");
  node->file = parent->file;
  node->line = parent->line;
  return node;
}

void xml_setAttribute(XmlDocument* document, XmlNode* node, const char* name, const char* value) {
  if (!name || !value) return;
  const char* copy = copyText(document, value, strlen(value));
  for (int i = 0; i < node->nattribute; i++) {
    if (!strcmp(node->attribute[i].name, name)) {
      node->attribute[i].value = copy;
      return;
    }
  }

  // room doubles: counts that are powers of two are full
  const int count = node->nattribute;
  if (!(count & (count - 1))) {
    XmlAttribute* moved = take(document, sizeof(*moved) * (size_t)(count ? 2 * count : 1));
    if (!moved) mju_error("out of memory: XML document");
    if (count) memcpy(moved, node->attribute, sizeof(*moved) * (size_t)count);
    node->attribute = moved;
  }
  node->attribute[node->nattribute++] = (XmlAttribute){copyText(document, name, strlen(name)), copy};
}
