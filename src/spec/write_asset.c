// Assets, contact pairs, custom fields and keyframes as MJCF.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "spec/write.h"

// attributes in the order of the reference's files
static const char orderBuiltin[] = "builtin! mark rgb1 rgb2 markrgb random width! height! nchannel";
static const char orderMesh[] =
    "vertex normal texcoord face inertia refpos refquat scale smoothnormal maxhullvert material";
static const char orderMaterial[] =
    "texuniform texrepeat emission specular shininess reflectance metallic roughness rgba";
static const char orderPair[] = "condim margin gap solref~ solreffriction~ solimp~ friction";
static const char orderKey[] = "time qpos qvel act mpos mquat ctrl";

//---------------------------------- files ----------------------------------

// the file of an asset; that of an attached model's asset as seen from our own model file
static void writeFile(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcString* file) {
  if (spc_textEmpty(file)) return;
  if (!e->origin) {
    spc_writeText(w, node, "file", file);
    return;
  }
  const mjsCompiler* from = spc_compiler(e);
  const SpcString* folder = e->kind == SPC_TEXTURE ? from->texturedir : from->meshdir;
  const char* inside = xml_own(w->document, bas_pathJoin(spc_text(folder), spc_text(file)));
  const int same = !strcmp(spc_directory(e), spc_text(w->model->spec.modelfiledir));
  const char* whole = same ? inside : xml_own(w->document, bas_pathJoin(spc_directory(e), inside));
  xml_setAttribute(w->document, node, "file", whole);
}

// an asset without a name has that of its file
static void writeAssetName(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcString* file) {
  const char* base = bas_pathFile(spc_text(file));
  if (!spc_textEmpty(&e->name) || !*base) {
    spc_writeText(w, node, "name", &e->name);
    return;
  }
  char name[256];
  const size_t length = strlen(base) - strlen(bas_pathExtension(base));
  snprintf(name, sizeof(name), "%.*s", (int)length, base);
  if (length < sizeof(name)) xml_setAttribute(w->document, node, "name", name);
}

//---------------------------------- assets ----------------------------------

static void writeTexture(SpcWriter* w, XmlNode* node, const SpcElement* e, const void* base) {
  static const char* faces[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  const mjsTexture* s = e->spec;
  spc_writeRows(w, node, spc_rowsTexture, "type! colorspace!", s, base);
  writeAssetName(w, node, e, s->file);
  if (s->builtin != mjBUILTIN_NONE) {
    spc_writeRows(w, node, spc_rowsTexture, orderBuiltin, s, base);
    return;
  }
  spc_writeText(w, node, "content_type", s->content_type);
  writeFile(w, node, e, s->file);
  for (size_t i = 0; i < spc_textsCount(s->cubefiles) && i < 6; i++) {
    spc_writeText(w, node, faces[i], spc_textsAt(s->cubefiles, i));
  }
  spc_writeRows(w, node, spc_rowsTexture, "hflip vflip gridsize gridlayout rgb1 nchannel", s, base);

  // the layout as long as the grid
  char layout[sizeof(s->gridlayout) + 1] = "";
  const int cells = s->gridsize[0] * s->gridsize[1];
  if (xml_attribute(node, "gridlayout") && cells > 0 && cells < (int)sizeof(s->gridlayout)) {
    memcpy(layout, s->gridlayout, (size_t)cells);
    xml_setAttribute(w->document, node, "gridlayout", xml_own(w->document, strdup(layout)));
  }
}

static void writeMesh(SpcWriter* w, XmlNode* node, const SpcElement* e, const void* base) {
  const mjsMesh* s = e->spec;
  if (!w->defaults) {
    spc_writeText(w, node, "content_type", s->content_type);
    writeFile(w, node, e, s->file);
  }
  // texture coordinates of corners have no attribute; without them, each vertex must have its own
  mjsMesh written = *s;
  SpcVec none = {0};
  const size_t ntexcoord = spc_vecCount(s->usertexcoord, sizeof(float)) / 2;
  const int ofcorners = spc_vecCount(s->userfacetexcoord, sizeof(int)) && !*spc_text(s->file);
  if (ofcorners && ntexcoord != spc_vecCount(s->uservert, sizeof(float)) / 3) written.usertexcoord = &none;
  spc_writeRows(w, node, spc_rowsMesh, orderMesh, &written, base);
  spc_writeSettings(w, node, e);
  spc_writePlugin(w, node, &s->plugin);
}

static void writeMaterial(SpcWriter* w, XmlNode* node, const SpcElement* e, const void* base) {
  const mjsMaterial* s = e->spec;
  const mjsMaterial* other = base;

  // the plain attribute suffices when only the colour has a texture
  int count = 0;
  // a list that was made longer than there are roles has nothing to say beyond them
  const size_t given = spc_textsCount(s->textures), nrole = given < mjNTEXROLE ? given : mjNTEXROLE;
  for (size_t i = 0; i < nrole; i++) count += !spc_textEmpty(spc_textsAt(s->textures, i));
  for (size_t i = 0; i < nrole; i++) {
    const SpcString* name = spc_textsAt(s->textures, i);
    const SpcVec* inherited = other->textures;
    const int same =
        inherited && i < spc_textsCount(inherited) && spc_textIs(name, spc_text(spc_textsAt(inherited, i)));
    if (spc_textEmpty(name) || same) continue;
    if (count == 1 && i == mjTEXROLE_RGB) {
      xml_setAttribute(w->document, node, "texture", spc_text(name));
      continue;
    }
    XmlNode* layer = xml_addChild(w->document, node, "layer");
    xml_setAttribute(w->document, layer, "texture", spc_text(name));
    xml_setAttribute(w->document, layer, "role", spc_wordName(spc_wordsTexrole, (int)i));
  }
  spc_writeRows(w, node, spc_rowsMaterial, orderMaterial, s, base);
}

// rows in memory run from the bottom, in the file from the top
static void writeElevation(SpcWriter* w, XmlNode* node, const mjsHField* s) {
  const SpcVec* data = s->userdata;
  const size_t count = spc_vecCount(data, sizeof(float)), row = (size_t)s->ncol;
  if (!count || !row || count % row) return;
  float* turned = xml_scratch(w->document, count * sizeof(float));
  const float* value = (const float*)(const void*)data->begin;
  for (size_t i = 0; i < count / row; i++)
    memcpy(turned + i * row, value + (count / row - 1 - i) * row, row * sizeof(float));
  spc_writeFloats(w, node, "elevation", turned, (int)count);
}

static void writeHfield(SpcWriter* w, XmlNode* node, const SpcElement* e, const void* base) {
  const mjsHField* s = e->spec;
  spc_writeRows(w, node, spc_rowsHfield, "size! content_type", s, base);
  writeFile(w, node, e, s->file);
  if (!spc_textEmpty(s->file)) return;
  spc_writeRows(w, node, spc_rowsHfield, "nrow! ncol!", s, base);
  writeElevation(w, node, s);
}

//---------------------------------- custom ----------------------------------

// numbers that were not given are zero
static void writeNumeric(SpcWriter* w, XmlNode* node, const mjsNumeric* s) {
  const int given = (int)spc_vecCount(s->data, sizeof(double));
  const int size = s->size > given ? s->size : given;
  spc_writeInts(w, node, "size", &size, 1);
  double* data = xml_scratch(w->document, ((size_t)size + 1) * sizeof(double));
  memset(data, 0, ((size_t)size + 1) * sizeof(double));
  if (given) memcpy(data, ((const SpcVec*)s->data)->begin, (size_t)given * sizeof(double));
  spc_writeDoubles(w, node, "data", data, size);
}

void spc_writeTuple(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const mjsTuple* tuple = e->spec;
  XmlNode* node = xml_addChild(w->document, section, "tuple");
  spc_writeText(w, node, "name", &e->name);
  const int* type = (const int*)(const void*)((const SpcVec*)tuple->objtype)->begin;
  const double* prm = (const double*)(const void*)((const SpcVec*)tuple->objprm)->begin;
  const size_t ntype = spc_vecCount(tuple->objtype, sizeof(int)), nprm = spc_vecCount(tuple->objprm, sizeof(double));
  for (size_t i = 0; i < spc_textsCount(tuple->objname); i++) {
    XmlNode* element = xml_addChild(w->document, node, "element");
    if (i < ntype) xml_setAttribute(w->document, element, "objtype", mju_type2Str(type[i]));
    xml_setAttribute(w->document, element, "objname", spc_text(spc_textsAt(tuple->objname, i)));
    if (i < nprm && prm[i] != 0) spc_writeDoubles(w, element, "prm", prm + i, 1);
  }
}

//---------------------------------- all ----------------------------------

void spc_writeAsset(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  SpcAny builtin;
  const void* base = spc_writeBase(e, &builtin);
  XmlNode* node = xml_addChild(w->document, section, spc_kinds[e->kind].name);

  // textures and pairs have their names further back
  if (!w->defaults) {
    if (e->kind == SPC_MESH || e->kind == SPC_HFIELD) {
      writeAssetName(w, node, e,
                     e->kind == SPC_MESH ? ((const mjsMesh*)e->spec)->file : ((const mjsHField*)e->spec)->file);
    } else if (e->kind != SPC_TEXTURE && e->kind != SPC_PAIR) {
      spc_writeText(w, node, "name", &e->name);
    }
    if (spc_kinds[e->kind].template >= 0) spc_writeClass(w, node, e, NULL);
  }
  switch (e->kind) {
    case SPC_TEXTURE:
      writeTexture(w, node, e, base);
      break;
    case SPC_MATERIAL:
      writeMaterial(w, node, e, base);
      break;
    case SPC_MESH:
      writeMesh(w, node, e, base);
      break;
    case SPC_HFIELD:
      writeHfield(w, node, e, base);
      break;
    case SPC_PAIR:
      spc_writeRows(w, node, spc_rowsPair, "geom1 geom2", e->spec, base);
      if (!w->defaults) spc_writeText(w, node, "name", &e->name);
      spc_writeRows(w, node, spc_rowsPair, orderPair, e->spec, base);
      spc_writeSettings(w, node, e);
      break;
    case SPC_EXCLUDE:
      spc_writeRows(w, node, spc_rowsExclude, "body1 body2", e->spec, base);
      break;
    case SPC_NUMERIC:
      writeNumeric(w, node, e->spec);
      break;
    case SPC_TEXT:
      spc_writeRows(w, node, spc_rowsTextElement, "data", e->spec, base);
      break;
    default:
      spc_writeRows(w, node, spc_rowsKey, orderKey, e->spec, base);
      spc_writeSettings(w, node, e);
  }
}
