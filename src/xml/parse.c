// XML text to a tree of elements; see tree.h.
//
// Written by hand because models are: they were read for years by a parser that forgives a lot, and what it makes of a
// text decides what a model is. Accepted as there: anything before the root, blanks behind "<", attributes without
// space between them and in closing tags, "<" and "&" in values, line breaks that stay in values, "--" in comments,
// whatever follows a closing tag that has no opening one, further roots, which are read and dropped. Refused as there:
// a declaration that is not the first thing, attributes that stand twice, text behind everything, what is never closed.
// Bytes are passed on as they are; entities are the five of XML and numbers of characters, so nothing expands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "xml/document.h"

typedef struct {
  XmlDocument* document;
  const char* file;
  const char* at;       // next character of the text, which ends with 0
  const char* counted;  // up to here lines were counted
  int line;
  const char* lineStart;
  XmlNode* open;  // innermost element, NULL: outside all roots
  int depth;
  int begun;            // 1: something other than declarations was read
  const char* problem;  // NULL: none so far
} Parse;

static int fail(Parse* parse, const char* problem) {
  if (!parse->problem) parse->problem = problem;
  return 0;
}

static int isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int startsName(char c) {
  return (unsigned char)c >= 128 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':' || c == '_';
}

static int inName(char c) {
  return startsName(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

static void skipSpace(Parse* parse) {
  while (isSpace(*parse->at)) parse->at++;
}

static int startsWith(const Parse* parse, const char* mark) {
  return !strncmp(parse->at, mark, strlen(mark));
}

// goes behind the mark; 0: there is none
static int skipTo(Parse* parse, const char* mark, const char* problem) {
  const char* found = strstr(parse->at, mark);
  if (!found) return fail(parse, problem);
  parse->at = found + strlen(mark);
  return 1;
}

// brings the line number up to the current character
static void countLines(Parse* parse) {
  for (; parse->counted < parse->at; parse->counted++) {
    if (*parse->counted != '\n') continue;
    parse->line++;
    parse->lineStart = parse->counted + 1;
  }
}

// -------------------------------------------------------------------------------------------- names, values

// NULL: there is no name here
static const char* readName(Parse* parse) {
  const char* start = parse->at;
  if (!startsName(*start)) return NULL;
  while (inName(*parse->at)) parse->at++;
  const char* name = xml_copyText(parse->document, start, (size_t)(parse->at - start));
  if (!name) fail(parse, "out of memory");
  return name;
}

static char* putUtf8(char* out, unsigned long code) {
  if (code < 0x80) {
    *out++ = (char)code;
    return out;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char lead[4] = {0, 0xC0, 0xE0, 0xF0};
  *out++ = (char)(lead[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; i--) *out++ = (char)(0x80 | ((code >> (6 * i)) & 0x3F));
  return out;
}

// the character that "&#" stands for; NULL: that is no reference, else what follows it
static const char* readReference(const char* in, unsigned long* code) {
  const char* c = in + 2;
  const int hex = *c == 'x';
  *code = 0;
  for (c += hex; *c && *c != ';'; c++) {
    const int digit = *c >= '0' && *c <= '9'          ? *c - '0'
                      : hex && *c >= 'a' && *c <= 'f' ? *c - 'a' + 10
                      : hex && *c >= 'A' && *c <= 'F' ? *c - 'A' + 10
                                                      : -1;
    if (digit < 0) return NULL;
    *code = *code * (hex ? 16 : 10) + (unsigned long)digit;
    if (*code > 0x10FFFF) return NULL;
  }
  return *c ? c + 1 : NULL;
}

// one entity at "&", written to out; returns what follows it
static const char* decodeEntity(const char* in, char** out) {
  static const struct {
    const char* text;
    char character;
  } known[] = {
      {"&quot;", '"' },
      {"&amp;",  '&' },
      {"&apos;", '\''},
      {"&lt;",   '<' },
      {"&gt;",   '>' }
  };
  if (in[1] == '#') {
    // with nothing behind it the "&" is lost; what stands for character 0 ends the text
    unsigned long code = 0;
    if (!in[2]) return in + 1;
    const char* behind = readReference(in, &code);
    if (behind) *out = putUtf8(*out, code);
    if (behind) return behind;
  }
  for (size_t i = 0; in[1] != '#' && i < sizeof(known) / sizeof(known[0]); i++) {
    if (strncmp(in, known[i].text, strlen(known[i].text))) continue;
    *(*out)++ = known[i].character;
    return in + strlen(known[i].text);
  }
  *(*out)++ = '&';
  return in + 1;
}

// entities and line breaks, in place: nothing becomes longer
static void decode(char* value) {
  char* out = value;
  for (const char* in = value; *in;) {
    if (*in == '&') {
      in = decodeEntity(in, &out);
    } else if (*in == '\r' || *in == '\n') {
      const char pair = *in == '\r' ? '\n' : '\r';
      in += in[1] == pair ? 2 : 1;
      *out++ = '\n';
    } else {
      *out++ = *in++;
    }
  }
  *out = 0;
}

// from the quote on
static const char* readValue(Parse* parse) {
  const char quote = *parse->at;
  if (quote != '"' && quote != '\'') return fail(parse, "a value in quotes is expected"), NULL;
  const char* start = ++parse->at;
  const char* end = strchr(start, quote);
  if (!end) return fail(parse, "a value has no closing quote"), NULL;
  parse->at = end + 1;
  char* value = xml_copyText(parse->document, start, (size_t)(end - start));
  if (!value) return fail(parse, "out of memory"), NULL;
  decode(value);
  return value;
}

// -------------------------------------------------------------------------------------------- tags

static int readAttribute(Parse* parse, XmlNode* node) {
  const char* const start = parse->at;
  const char* name = readName(parse);
  if (!name) return 0;
  skipSpace(parse);
  if (*parse->at != '=') return fail(parse, "an attribute has no value");
  parse->at++;
  skipSpace(parse);
  const char* value = readValue(parse);
  if (!value) return 0;
  if (node->nattribute >= XML_ATTRIBUTES) return fail(parse, "an element has too many attributes");
  if (xml_attribute(node, name)) {
    parse->at = start;
    return fail(parse, "duplicate attribute");
  }
  return xml_appendAttribute(parse->document, node, (XmlAttribute){name, value}) || fail(parse, "out of memory");
}

// attributes up to the end of the tag; closed: it ended with "/>"
static int readAttributes(Parse* parse, XmlNode* node, int* closed) {
  *closed = 0;
  for (;;) {
    skipSpace(parse);
    if (startsName(*parse->at)) {
      if (!readAttribute(parse, node)) return 0;
    } else if (*parse->at == '>') {
      parse->at++;
      return 1;
    } else if (startsWith(parse, "/>")) {
      parse->at += 2;
      *closed = 1;
      return 1;
    } else {
      return fail(parse, *parse->at ? "a tag holds something that is no attribute" : "a tag has no end");
    }
  }
}

static int openElement(Parse* parse, const char* name, const char* tag) {
  if (parse->depth >= XML_DEPTH) return fail(parse, "elements are nested too deeply");

  // further roots are read like the first one and belong to nobody
  XmlNode* first = parse->document->root;
  XmlNode* node = xml_addNode(parse->document, parse->open, name);
  if (!node) return fail(parse, "out of memory");
  if (!parse->open && first) parse->document->root = first;
  node->file = parse->file;
  countLines(parse);
  node->line = parse->line;
  node->column = tag >= parse->lineStart ? (int)(tag - parse->lineStart) + 1 : 1;
  int closed;
  if (!readAttributes(parse, node, &closed)) return 0;
  if (closed) return 1;
  parse->open = node;
  parse->depth++;
  return 1;
}

// 0: an error, or the end: what follows a closing tag without an opening one is not looked at
static int closeElement(Parse* parse, const char* name) {
  const char* const start = parse->at - strlen(name);
  XmlNode scratch = {0};
  int closed;
  if (!readAttributes(parse, &scratch, &closed)) return 0;
  if (!parse->open) return 0;
  if (strcmp(parse->open->name, name)) {
    parse->at = start;
    return fail(parse, "mismatched tag");
  }
  parse->open = parse->open->parent;
  parse->depth--;
  return 1;
}

static int readTag(Parse* parse) {
  const char* tag = parse->at++;
  skipSpace(parse);
  const int closing = *parse->at == '/';
  parse->at += closing;
  const char* name = readName(parse);
  if (!name) return fail(parse, "a tag has no name");
  return closing ? closeElement(parse, name) : openElement(parse, name, tag);
}

// -------------------------------------------------------------------------------------------- other markup

// the first comment inside the root, before any element, is kept: it describes the model
static int readComment(Parse* parse) {
  const char* start = parse->at += strlen("<!--");
  if (!skipTo(parse, "-->", "a comment has no end")) return 0;
  XmlDocument* document = parse->document;
  const size_t length = (size_t)(parse->at - start) - strlen("-->");
  const int atTop = document->root && parse->open == document->root && !document->root->first;
  if (atTop && !document->comment) document->comment = xml_copyText(document, start, length);
  return 1;
}

static int readText(Parse* parse) {
  const char* end = strchr(parse->at, '<');
  if (!end) return fail(parse, "text stands behind all elements");
  parse->at = end;
  return 1;
}

// one piece of the text; 0: an error or the end
static int readPiece(Parse* parse) {
  skipSpace(parse);
  if (!*parse->at) return 0;
  if (startsWith(parse, "<?")) {
    if (parse->begun) return fail(parse, "a declaration must come first");
    return skipTo(parse, "?>", "a declaration has no end");
  }
  parse->begun = 1;
  if (startsWith(parse, "<!--")) return readComment(parse);
  if (startsWith(parse, "<![CDATA[")) return skipTo(parse, "]]>", "a CDATA section has no end");
  if (startsWith(parse, "<!")) return skipTo(parse, ">", "a declaration has no end");
  return *parse->at == '<' ? readTag(parse) : readText(parse);
}

// -------------------------------------------------------------------------------------------- documents

XmlDocument* xml_parse(const char* file, const char* text, size_t size, char* error, size_t nerror) {
  XmlDocument* document = xml_newDocument();
  size = strnlen(text, size);  // buffers often come with the terminator of the string that they were made from
  if (!document || size > XML_BYTES) {
    snprintf(error, nerror, "%s: %s", file, document ? "file is too large" : "out of memory");
    xml_free(document);
    return NULL;
  }

  // the text need not be terminated; names and values are copied from it
  const char* kept = xml_copyText(document, file, strlen(file));
  char* source = malloc(size + 1);
  if (!kept || !source) {
    snprintf(error, nerror, "%s: out of memory", file);
    free(source);
    xml_free(document);
    return NULL;
  }
  memcpy(source, text, size);
  source[size] = 0;
  const char* start = source + (strncmp(source, "\xEF\xBB\xBF", 3) ? 0 : 3);
  Parse parse = {.document = document, .file = kept, .at = start, .counted = start, .line = 1, .lineStart = start};
  while (readPiece(&parse)) {
  }
  if (parse.open) fail(&parse, "an element is not closed");
  if (!document->root) fail(&parse, "no element found");
  if (parse.problem) {
    countLines(&parse);
    snprintf(error, nerror, "XML parse error in '%s', line %d, column %d: %s", file, parse.line,
             (int)(parse.at - parse.lineStart) + 1, parse.problem);
    xml_free(document);
    document = NULL;
  }
  free(source);
  if (document) BAS_CHECK(xml_assertTree(document->root));
  return document;
}
