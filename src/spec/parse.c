// From a file, a VFS entry or a string to an mjSpec: opens resources, follows <include>, hands the tree to the reader.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/path.h"
#include "spec/read.h"

// what one parse carries along
typedef struct {
  const mjVFS* vfs;
  mjResource* resource;   // the one that is open
  XmlDocument* document;  // of the main file; those of included ones hang on it
  const char* directory;  // of the main file
  SpcVec included;        // of SpcString: files seen so far, the main one first
  char error[1000];
} Source;

static mjSpec* reject(char* error, int nerror, const char* text) {
  if (error && nerror > 0) snprintf(error, (size_t)nerror, "%s", text);
  return NULL;
}

static void closeResource(Source* source) {
  if (source->resource) mju_closeResource(source->resource);
  source->resource = NULL;
}

// the folder of a file, for as long as the document lives
static const char* copyDirectory(XmlDocument* document, const char* name) {
  const size_t length = bas_pathDirLength(name);
  char* const copy = xml_scratch(document, length + 1);
  memcpy(copy, name, length);
  copy[length] = 0;
  return copy;
}

// -------------------------------------------------------------------------------------------- include

// reads and parses one resource; NULL: source->error says why
static XmlDocument* parseResource(Source* source, mjResource* resource, const char* name) {
  const void* bytes = NULL;
  const int size = mju_readResource(resource, &bytes);
  if (size <= 0) {
    snprintf(source->error, sizeof(source->error), size ? "Error reading file '%s'" : "empty file '%s'", name);
    return NULL;
  }
  return xml_parse(name, bytes, (size_t)size, source->error, sizeof(source->error));
}

// opens an included file, first beside the main file, then beside the file that includes it
static mjResource* openIncluded(Source* source, const char* file, const char* directory) {
  mjResource* resource =
      mju_openResource(source->directory, file, source->vfs, source->error, (int)sizeof(source->error));
  if (!resource && strcmp(directory, source->directory)) {
    resource = mju_openResource(directory, file, source->vfs, source->error, (int)sizeof(source->error));
  }
  return resource;
}

static int failAt(Source* source, const XmlNode* node, const char* text) {
  char message[900];
  snprintf(message, sizeof(message), "XML Error: %.500s\nElement '%s', line %d\nfile %.200s\n", text, node->name,
           node->line, node->file ? node->file : "");
  memcpy(source->error, message, sizeof(message));
  return -1;
}

static int isIncluded(const Source* source, const char* path) {
  for (size_t i = 0; i < spc_textsCount(&source->included); i++) {
    if (spc_textIs(spc_textsAt(&source->included, i), path)) return 1;
  }
  return 0;
}

static int includeBelow(Source* source, XmlDocument* document, XmlNode* node, const char* directory);

// puts the content of the named file in the place of an <include>
static int includeOne(Source* source, XmlDocument* document, XmlNode* node, const char* directory) {
  if (node->first) return failAt(source, node, "Include element cannot have children");
  const char* file = xml_attribute(node, "file");
  if (!file) return failAt(source, node, "required attribute missing: 'file'");

  mjResource* resource = openIncluded(source, file, directory);
  if (!resource) {
    char reason[500];
    snprintf(reason, sizeof(reason), "%.480s", source->error);
    return failAt(source, node, reason);
  }
  char reason[500] = "";
  XmlDocument* other = NULL;
  source->resource = resource;
  const char* below = copyDirectory(document, resource->name);
  if (isIncluded(source, resource->name)) {
    snprintf(reason, sizeof(reason), "File '%.400s' already included", file);
  } else if (!(other = parseResource(source, resource, resource->name))) {
    snprintf(reason, sizeof(reason), "Include error: '%.450s'", source->error);
  } else if (!xml_root(other)->first) {
    snprintf(reason, sizeof(reason), "Empty include file '%.400s'", file);
  }
  if (other) xml_adopt(document, other);
  spc_textsAppend(&source->included, resource->name);
  closeResource(source);
  if (*reason) return failAt(source, node, reason);

  // the included tree may include further files
  const int status = includeBelow(source, other, xml_root(other), below);
  if (!status) xml_splice(node, other);
  return status;
}

static int includeBelow(Source* source, XmlDocument* document, XmlNode* node, const char* directory) {
  for (XmlNode* child = node->first; child;) {
    XmlNode* next = child->next;
    const int status = strcasecmp(child->name, "include") ? includeBelow(source, document, child, directory)
                                                          : includeOne(source, document, child, directory);
    if (status) return status;
    child = next;
  }
  return 0;
}

// -------------------------------------------------------------------------------------------- documents

// a parsed main document to a model
static mjSpec* readDocument(Source* source, const SpcReading* reading) {
  XmlDocument* const document = source->document;
  const char* root = xml_root(document)->name;
  const int isRobot = !strcasecmp(root, "robot");
  if (strcasecmp(root, "mujoco") && !isRobot) {
    char text[300];
    snprintf(text, sizeof(text), "Unrecognized XML model type: '%.200s'", root);
    failAt(source, xml_root(document), text);
    return reject(reading->error, reading->nerror, source->error);
  }
  if (!isRobot && includeBelow(source, document, xml_root(document), source->directory)) {
    return reject(reading->error, reading->nerror, source->error);
  }
  return spc_readModel(document, reading);
}

// a parse as a whole: from a file, or from a string where there is one
typedef struct {
  Source source;
  const char *filename, *xml;
  SpcReading reading;
  mjSpec* spec;
} Parsing;

static void parseFile(void* arg) {
  Parsing* const p = arg;
  Source* const source = &p->source;
  char text[1100];
  source->resource = mju_openResource("", p->filename, source->vfs, source->error, (int)sizeof(source->error));
  if (!source->resource) {
    snprintf(text, sizeof(text), "ParseXML: %s", source->error);
    reject(p->reading.error, p->reading.nerror, text);
    return;
  }
  source->document = parseResource(source, source->resource, p->filename);
  if (!source->document) {
    const int isParse = !strncmp(source->error, "XML", 3);
    snprintf(text, sizeof(text), "%s%s", isParse ? "" : "ParseXML: ", source->error);
    reject(p->reading.error, p->reading.nerror, text);
    return;
  }
  spc_textsAppend(&source->included, source->resource->name);
  closeResource(source);
  p->reading.directory = source->directory = copyDirectory(source->document, p->filename);
  p->spec = readDocument(source, &p->reading);
}

static void parseString(void* arg) {
  Parsing* const p = arg;
  Source* const source = &p->source;
  p->reading.directory = source->directory = "";
  source->document = xml_parse("(string)", p->xml, strlen(p->xml), source->error, sizeof(source->error));
  if (!source->document) {
    reject(p->reading.error, p->reading.nerror, source->error);
  } else {
    p->spec = readDocument(source, &p->reading);
  }
}

// everything that a parse holds is freed here, whether it came to its end or raised
static mjSpec* parse(Parsing* p) {
  char raised[BAS_MESSAGE];
  if (p->reading.error && p->reading.nerror > 0) p->reading.error[0] = 0;
  if (!bas_attempt(p->xml ? parseString : parseFile, p, raised)) reject(p->reading.error, p->reading.nerror, raised);
  closeResource(&p->source);
  xml_free(p->source.document);
  spc_textsFree(&p->source.included);
  return p->spec;
}

static int isOpen(const SpcOpenFile* file, const char* name) {
  while (file && strcmp(file->name, name)) file = file->above;
  return file != NULL;
}

// the file of a model, which may be attached to others that are being read
static mjSpec* parseAttached(const char* filename, const SpcReading* outer) {
  if (!filename) return reject(outer->error, outer->nerror, "mj_parseXML: filename argument required");
  if (isOpen(outer->file, filename)) {
    char text[1100];
    snprintf(text, sizeof(text), "ParseXML: model file '%s' is attached to itself", filename);
    return reject(outer->error, outer->nerror, text);
  }
  const SpcOpenFile file = {filename, outer->file};
  Parsing p = {.source = {.vfs = outer->vfs}, .filename = filename, .reading = *outer};
  p.reading.file = &file;
  return parse(&p);
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  const SpcReading reading = {.vfs = vfs, .error = error, .nerror = error_sz};
  return parseAttached(filename, &reading);
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  if (!xml || !*xml) return reject(error, error_sz, "ParseXML: empty string");
  Parsing p = {
      .source = {.vfs = vfs         },
        .xml = xml, .reading = { .vfs = vfs, .error = error, .nerror = error_sz}
  };
  return parse(&p);
}

// what cannot be opened is still a name, and there are decoders that need no more than that
static mjSpec* decodeName(const char* filename, const char* content_type, const mjVFS* vfs) {
  if (!content_type && !bas_pathExtension(filename)[0]) return NULL;
  mjResource named = {.name = strdup(filename)};
  const mjpDecoder* decoder = named.name ? mjp_findDecoder(&named, content_type) : NULL;
  mjSpec* spec = decoder ? decoder->decode(&named, vfs) : NULL;
  free(named.name);
  return spec;
}

mjSpec* spc_parseAttached(const char* filename, const char* content_type, const SpcReading* reading) {
  char* const error = reading->error;
  const int nerror = reading->nerror;
  const mjVFS* const vfs = reading->vfs;
  const char* extension = filename ? bas_pathExtension(filename) : "";
  const int isXml =
      !strcmp(extension, ".xml") || !strcmp(extension, ".urdf") || (content_type && !strcmp(content_type, "text/xml"));
  if (!filename || isXml) return parseAttached(filename, reading);

  mjResource* resource = mju_openResource("", filename, vfs, error, nerror);
  mjSpec* spec = resource ? mju_decodeResource(resource, content_type, vfs) : decodeName(filename, content_type, vfs);
  if (resource) mju_closeResource(resource);
  if (!spec && resource) reject(error, nerror, "could not decode content");
  if (spec && error && nerror > 0) error[0] = 0;
  return spec;
}

mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error, int error_sz) {
  const SpcReading reading = {.vfs = vfs, .error = error, .nerror = error_sz};
  return spc_parseAttached(filename, content_type, &reading);
}
