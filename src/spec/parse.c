// From a file, a VFS entry or a string to an mjSpec: opens resources, follows <include>, hands the tree to the reader.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "spec/read.h"

// what one parse carries along
typedef struct {
  const mjVFS* vfs;
  char* directory;  // of the main file
  SpcVec included;  // of SpcString: files seen so far, the main one first
  char error[1000];
} Source;

static mjSpec* reject(char* error, int nerror, const char* text) {
  if (error && nerror > 0) snprintf(error, (size_t)nerror, "%s", text);
  return NULL;
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
  if (isIncluded(source, resource->name)) {
    snprintf(reason, sizeof(reason), "File '%.400s' already included", file);
  } else if (!(other = parseResource(source, resource, resource->name))) {
    snprintf(reason, sizeof(reason), "Include error: '%.450s'", source->error);
  } else if (!xml_root(other)->first) {
    snprintf(reason, sizeof(reason), "Empty include file '%.400s'", file);
  }
  spc_textsAppend(&source->included, resource->name);
  char* below = strndup(resource->name, bas_pathDirLength(resource->name));
  mju_closeResource(resource);

  // the included tree may include further files
  int status = *reason ? failAt(source, node, reason) : 0;
  if (!status) status = includeBelow(source, other, xml_root(other), below);
  if (!status) {
    xml_adopt(document, other);
    xml_splice(node, other);
  } else {
    xml_free(other);
  }
  free(below);
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

// a parsed main document to a model; frees the document
static mjSpec* readDocument(Source* source, XmlDocument* document, const SpcReading* reading) {
  mjSpec* spec = NULL;
  const char* root = xml_root(document)->name;
  const int isRobot = !strcasecmp(root, "robot");
  if (strcasecmp(root, "mujoco") && !isRobot) {
    char text[300];
    snprintf(text, sizeof(text), "XML Error: Unrecognized XML model type: '%.200s'", root);
    reject(reading->error, reading->nerror, text);
  } else if (!isRobot && includeBelow(source, document, xml_root(document), source->directory)) {
    reject(reading->error, reading->nerror, source->error);
  } else {
    spec = spc_readModel(document, reading);
  }
  xml_free(document);
  return spec;
}

static mjSpec* finish(Source* source, mjSpec* spec) {
  spc_textsFree(&source->included);
  free(source->directory);
  return spec;
}

static int isOpen(const SpcOpenFile* file, const char* name) {
  while (file && strcmp(file->name, name)) file = file->above;
  return file != NULL;
}

// the file of a model, which may be attached to others that are being read
static mjSpec* parseFile(const char* filename, const SpcReading* outer) {
  char* const error = outer->error;
  const int nerror = outer->nerror;
  if (!filename) return reject(error, nerror, "mj_parseXML: filename argument required");
  if (error && nerror > 0) error[0] = 0;
  char text[1100];
  if (isOpen(outer->file, filename)) {
    snprintf(text, sizeof(text), "ParseXML: model file '%s' is attached to itself", filename);
    return reject(error, nerror, text);
  }
  Source source = {.vfs = outer->vfs};
  mjResource* resource = mju_openResource("", filename, outer->vfs, source.error, (int)sizeof(source.error));
  if (!resource) {
    snprintf(text, sizeof(text), "ParseXML: %s", source.error);
    return reject(error, nerror, text);
  }
  XmlDocument* document = parseResource(&source, resource, filename);
  spc_textsAppend(&source.included, resource->name);
  source.directory = strndup(filename, bas_pathDirLength(filename));
  mju_closeResource(resource);
  if (!document) {
    const int isParse = !strncmp(source.error, "XML", 3);
    snprintf(text, sizeof(text), "%s%s", isParse ? "" : "ParseXML: ", source.error);
    reject(error, nerror, text);
    return finish(&source, NULL);
  }
  const SpcOpenFile file = {filename, outer->file};
  SpcReading reading = *outer;
  reading.directory = source.directory;
  reading.file = &file;
  return finish(&source, readDocument(&source, document, &reading));
}

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  const SpcReading reading = {.vfs = vfs, .error = error, .nerror = error_sz};
  return parseFile(filename, &reading);
}

mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  if (error && error_sz > 0) error[0] = 0;
  if (!xml || !*xml) return reject(error, error_sz, "ParseXML: empty string");
  Source source = {.vfs = vfs, .directory = strdup("")};
  XmlDocument* document = xml_parse("(string)", xml, strlen(xml), source.error, sizeof(source.error));
  if (!document) {
    reject(error, error_sz, source.error);
    return finish(&source, NULL);
  }
  const SpcReading reading = {source.directory, vfs, NULL, error, error_sz};
  return finish(&source, readDocument(&source, document, &reading));
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
  if (!filename || isXml) return parseFile(filename, reading);

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
