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
  char* directory;   // of the file
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
static int addFile(const Search* s, const char* folder, const char* file) {
  char* inside = bas_pathJoin(folder ? folder : "", file);
  char* path = inside ? bas_pathJoin(s->directory, inside) : NULL;
  if (!path) bas_outOfMemory("names of files");
  const int isNew = !isKnown(s->files, path);
  if (isNew) spc_textsAppend(s->files, path);
  free(inside);
  free(path);
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
  XmlDocument* document = readDocument(path);
  spc_vecAppend(&s->documents, &document, 1, sizeof(document));
  findIncludes(s, xml_root(document));
}

static void findModel(SpcVec* files, const char* path);

static void findAssets(Search* s, const XmlNode* node) {
  static const char* attributes[] = {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  for (const XmlNode* child = node->first; child; child = child->next) {
    const int include = !strcasecmp(child->name, "include"), model = !strcmp(child->name, "model");
    const char* folder = include || model ? NULL : !strcmp(child->name, "texture") ? s->texture : s->mesh;
    for (size_t i = 0; !include && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
      const char* file = xml_attribute(child, attributes[i]);
      if (!file || !*file || !addFile(s, folder, file) || !model) continue;
      char* path = strdup(spc_text((SpcString*)(void*)s->files->end - 1));
      findModel(s->files, path);
      free(path);
    }
    findAssets(s, child);
  }
}

static void findModel(SpcVec* files, const char* path) {
  Search s = {.files = files, .directory = strndup(path, bas_pathDirLength(path))};
  openDocument(&s, path);
  const size_t count = spc_vecCount(&s.documents, sizeof(XmlDocument*));
  for (size_t i = 0; i < count; i++) findAssets(&s, xml_root(((XmlDocument**)(void*)s.documents.begin)[i]));
  for (size_t i = 0; i < count; i++) xml_free(((XmlDocument**)(void*)s.documents.begin)[i]);
  spc_vecFree(&s.documents);
  free(s.directory);
}

void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  spc_textsFree(dependencies);
  spc_textsAppend(dependencies, filename);
  findModel(dependencies, filename);
}
