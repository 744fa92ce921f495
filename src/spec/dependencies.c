// mju_getXMLDependencies: the files that a model needs, found without building it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/path.h"
#include "spec/text.h"
#include "xml/tree.h"

#include <mujoco/mujoco.h>

// one model file with what it includes
typedef struct {
  SpcVec* files;     // of SpcString: the result, each file once
  SpcVec documents;  // of XmlDocument*: the file and those that it includes
  char* path;        // of the file
  char* directory;   // of the file
  char* found;       // the path of the last file that was named
  const char* mesh;  // folders of the compiler section, NULL: not given
  const char* texture;
} Search;

static int isKnown(const SpcVec* files, const char* path) {
  for (size_t i = 0; i < spc_textsCount(files); i++) {
    if (spc_textIs(spc_textsAt(files, i), path)) return 1;
  }
  return 0;
}

// 1: the file is new
static int addFile(Search* s, const char* folder, const char* file) {
  free(s->found);
  char* const inside = bas_pathJoin(folder ? folder : "", file);
  s->found = inside ? bas_pathJoin(s->directory, inside) : NULL;
  free(inside);
  if (!s->found) bas_outOfMemory("names of files");
  const int isNew = !isKnown(s->files, s->found);
  if (isNew) spc_textsAppend(s->files, s->found);
  return isNew;
}

static XmlDocument* readDocument(const char* path) {
  char error[500] = "";
  mjResource* resource = mju_openResource("", path, NULL, error, sizeof(error));
  const void* bytes = NULL;
  const int size = resource ? mju_readResource(resource, &bytes) : 0;
  XmlDocument* document = size > 0 ? xml_parse(path, bytes, (size_t)size, error, sizeof(error)) : NULL;
  if (resource) mju_closeResource(resource);
  if (!document) mju_error("Problem reading XML file '%s': %s", path, error);
  return document;
}

// includes and the compiler's folders, wherever they stand
static void openDocument(Search* s, const char* path);

static void findIncludes(Search* s, const XmlNode* node) {
  for (const XmlNode* child = node->first; child; child = child->next) {
    const char* file = xml_attribute(child, "file");
    if (!strcasecmp(child->name, "include") && file) {
      if (addFile(s, NULL, file)) openDocument(s, spc_text((SpcString*)(void*)s->files->end - 1));
    } else if (!strcmp(child->name, "compiler")) {
      const char* all = xml_attribute(child, "assetdir");
      const char* mesh = xml_attribute(child, "meshdir");
      const char* texture = xml_attribute(child, "texturedir");
      if (mesh || all) s->mesh = mesh ? mesh : all;
      if (texture || all) s->texture = texture ? texture : all;
    }
    findIncludes(s, child);
  }
}

static void openDocument(Search* s, const char* path) {
  // its place first: a document without one would be lost when there is no memory for it
  XmlDocument** const place = spc_vecAppend(&s->documents, NULL, 1, sizeof(*place));
  *place = readDocument(path);
  findIncludes(s, xml_root(*place));
}

static void findModel(SpcVec* files, const char* path);

static void findAssets(Search* s, const XmlNode* node) {
  static const char* attributes[] = {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  for (const XmlNode* child = node->first; child; child = child->next) {
    const int include = !strcasecmp(child->name, "include"), model = !strcmp(child->name, "model");
    const char* folder = include || model ? NULL : !strcmp(child->name, "texture") ? s->texture : s->mesh;
    for (size_t i = 0; !include && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
      const char* file = xml_attribute(child, attributes[i]);
      if (file && *file && addFile(s, folder, file) && model) findModel(s->files, s->found);
    }
    findAssets(s, child);
  }
}

// everything of one model file; errors leave by a jump
static void search(void* arg) {
  Search* const s = arg;
  if (!s->path || !s->directory) bas_outOfMemory("names of files");
  openDocument(s, s->path);
  const size_t count = spc_vecCount(&s->documents, sizeof(XmlDocument*));
  for (size_t i = 0; i < count; i++) findAssets(s, xml_root(((XmlDocument**)(void*)s->documents.begin)[i]));
}

static void findModel(SpcVec* files, const char* path) {
  Search s = {.files = files, .path = strdup(path), .directory = strndup(path, bas_pathDirLength(path))};
  char raised[BAS_MESSAGE];
  const int good = bas_attempt(search, &s, raised);

  // raised again when nothing is left that would be lost
  const size_t count = spc_vecCount(&s.documents, sizeof(XmlDocument*));
  for (size_t i = 0; i < count; i++) xml_free(((XmlDocument**)(void*)s.documents.begin)[i]);
  spc_vecFree(&s.documents);
  free(s.path);
  free(s.directory);
  free(s.found);
  if (!good) mju_error_raw(raised);
}

void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  if (!filename) {
    mju_error("Problem reading XML file '(null)': filename is NULL");
    return;
  }
  spc_textsFree(dependencies);
  spc_textsAppend(dependencies, filename);
  findModel(dependencies, filename);
}
