// The asset section of MJCF, and where the files lie that included documents name.
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "spec/read.h"

// attributes that name a file: the faces of a cube in their order, then that of every other asset
static const char* const fileAttributes[] = {"fileright", "fileleft", "fileup", "filedown",
                                             "filefront", "fileback", "file"};
enum { FILE_ATTRIBUTES = sizeof(fileAttributes) / sizeof(fileAttributes[0]) };

// 1: the name leads to a file from the folder for its kind of asset
static int isInFolder(SpcReader* r, const XmlNode* node, const char* file) {
  const mjSpec* s = &r->model->spec;
  const int texture = !strcmp(node->name, "texture"), model = !strcmp(node->name, "model");
  const char* folder = model ? "" : spc_text(texture ? s->compiler.texturedir : s->compiler.meshdir);
  const char* directory = xml_own(r->document, bas_pathJoin(spc_text(s->modelfiledir), folder));
  mjResource* resource = mju_openResource(directory, file, r->vfs, NULL, 0);
  if (resource) mju_closeResource(resource);
  return resource != NULL;
}

// the name of a file beside the document of the node, as seen from the folder of the model
static void nameFromDocument(SpcReader* r, XmlNode* node, const char* attribute, const char* file) {
  const char* own = spc_text(r->model->spec.modelfiledir);
  const char* directory = xml_own(r->document, strndup(node->file, bas_pathDirLength(node->file)));
  const size_t shared = !bas_pathRoot(directory) && !strncmp(directory, own, strlen(own)) ? strlen(own) : 0;
  xml_setAttribute(r->document, node, attribute, xml_own(r->document, bas_pathJoin(directory + shared, file)));
}

void spc_locateFiles(SpcReader* r, XmlNode* node) {
  const int included = node->file != xml_root(r->document)->file;
  for (int i = 0; i < FILE_ATTRIBUTES; i++) {
    const char* file = xml_attribute(node, fileAttributes[i]);
    if (!file) continue;
    if (included && !bas_pathRoot(file) && !isInFolder(r, node, file)) {
      nameFromDocument(r, node, fileAttributes[i], file);
    } else {
      xml_setAttribute(r->document, node, fileAttributes[i], xml_own(r->document, bas_pathJoin("", file)));
    }
  }
  for (XmlNode* child = node->first; child; child = child->next) spc_locateFiles(r, child);
}

static void readHfield(SpcReader* r, const XmlNode* node) {
  mjsHField* hfield = mjs_addHField(&r->model->spec);
  spc_readRows(r, node, spc_rowsHfield, hfield, spc_head(hfield->element));

  // inline elevation: rows in the text run from the top of the picture, rows in memory from its bottom
  SpcVec* data = hfield->userdata;
  const int count = spc_readFloatVec(r, node, "elevation", data);
  if (!count) return;
  if (count != hfield->nrow * hfield->ncol) spc_readFail(r, node, "elevation data length must match nrow*ncol");
  float* value = (float*)(void*)data->begin;
  for (int i = 0; i < hfield->nrow / 2; i++) {
    for (int j = 0; j < hfield->ncol; j++) {
      float* top = value + i * hfield->ncol + j;
      float* bottom = value + (hfield->nrow - 1 - i) * hfield->ncol + j;
      const float kept = *top;
      *top = *bottom;
      *bottom = kept;
    }
  }
}

static void readTexture(SpcReader* r, const XmlNode* node) {
  mjsTexture* texture = mjs_addTexture(&r->model->spec);
  spc_readRows(r, node, spc_rowsTexture, texture, spc_head(texture->element));
  const char* layout = xml_attribute(node, "gridlayout");
  if (layout && strlen(layout) != (size_t)texture->gridsize[0] * (size_t)texture->gridsize[1]) {
    spc_readFail(r, node, "gridlayout length must match gridsize");
  }

  // six files of a cube, in the order of its faces
  SpcVec* files = texture->cubefiles;
  for (int i = 0; i < 6; i++) {
    const char* file = xml_attribute(node, fileAttributes[i]);
    if (file) mjs_setInStringVec(files, i, file);
  }
}

void spc_readSkin(SpcReader* r, const XmlNode* node) {
  mjsSkin* skin = mjs_addSkin(&r->model->spec);
  spc_readRows(r, node, spc_rowsSkin, skin, spc_head(skin->element));
  if (skin->group < 0 || skin->group >= mjNGROUP) spc_readFail(r, node, "skin group must be between 0 and 5");
  for (const XmlNode* bone = node->first; bone; bone = bone->next) {
    spc_textsAppend(skin->bodyname, spc_readRequired(r, bone, "body"));
    float bindpos[3], bindquat[4];
    spc_readRequired(r, bone, "bindpos");
    spc_readRequired(r, bone, "bindquat");
    spc_readFloats(r, bone, "bindpos", bindpos, 3, 3);
    spc_readFloats(r, bone, "bindquat", bindquat, 4, 4);
    spc_vecAppend(skin->bindpos, bindpos, 3, sizeof(float));
    spc_vecAppend(skin->bindquat, bindquat, 4, sizeof(float));

    // vertices and weights go straight into vectors of the skin's own
    spc_readRequired(r, bone, "vertid");
    spc_readRequired(r, bone, "vertweight");
    spc_vecsAppend(skin->vertid, NULL, 0, sizeof(int));
    spc_vecsAppend(skin->vertweight, NULL, 0, sizeof(float));
    spc_readIntVec(r, bone, "vertid", (SpcVec*)(void*)((SpcVec*)skin->vertid)->end - 1);
    spc_readFloatVec(r, bone, "vertweight", (SpcVec*)(void*)((SpcVec*)skin->vertweight)->end - 1);
  }
}

// a model to attach from: parsed now, kept by the model
static void readSubmodel(SpcReader* r, const XmlNode* node) {
  const char* file = spc_readRequired(r, node, "file");
  char error[500] = "";
  const char* path = xml_own(r->document, bas_pathJoin(spc_text(r->model->spec.modelfiledir), file));
  const SpcReading reading = {.vfs = r->vfs, .file = r->file, .error = error, .nerror = sizeof(error)};
  mjSpec* child = spc_parseAttached(path, xml_attribute(node, "content_type"), &reading);
  if (!child) spc_readFail(r, node, "could not parse model file with error: %s", error);
  const char* name = xml_attribute(node, "name");
  if (name) spc_textSet(child->modelname, name);
  spc_listAdd(&r->model->models, &spc_model(child)->head);
}

void spc_readAssets(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    if (!strcmp(node->name, "mesh")) {
      SpcDefault* class = spc_readClass(r, node, NULL);
      spc_readMesh(r, node, mjs_addMesh(&r->model->spec, &class->spec));
    } else if (!strcmp(node->name, "material")) {
      SpcDefault* class = spc_readClass(r, node, NULL);
      spc_readMaterial(r, node, mjs_addMaterial(&r->model->spec, &class->spec));
    } else if (!strcmp(node->name, "hfield")) {
      readHfield(r, node);
    } else if (!strcmp(node->name, "skin")) {
      spc_readSkin(r, node);
    } else if (!strcmp(node->name, "texture")) {
      readTexture(r, node);
    } else if (!strcmp(node->name, "model")) {
      readSubmodel(r, node);
    }
  }
}
