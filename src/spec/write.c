// The sections of an MJCF file from an mjSpec, and the public functions that save it.
#include "spec/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

typedef union {
  mjsBody body;
  mjsFrame frame;
  mjsJoint joint;
  mjsGeom geom;
  mjsSite site;
  mjsCamera camera;
  mjsLight light;
  mjsMesh mesh;
  mjsTexture texture;
  mjsMaterial material;
  mjsHField hfield;
  mjsPair pair;
  mjsKey key;
  mjsNumeric numeric;
  mjSpec model;
} AnySpec;

//---------------------------------- options ----------------------------------

// a section of options: left out when all of them have their built-in values
static void writeOptions(SpcWriter* w, XmlNode* parent, const char* name, const SpcAttributeRow* rows,
                         const mjSpec* base) {
  XmlNode* node = xml_addChild(w->document, parent, name);
  spc_writeRows(w, node, rows, &w->model->spec, base);
  if (node->nattribute) return;

  // nothing to say: take it back
  if (parent->first == node) {
    parent->first = parent->last = NULL;
    return;
  }
  XmlNode* before = parent->first;
  while (before->next != node) before = before->next;
  before->next = NULL;
  parent->last = before;
}

static void writeCompiler(SpcWriter* w, XmlNode* root, const mjSpec* base) {
  const mjSpec* s = &w->model->spec;
  XmlNode* node = xml_addChild(w->document, root, "compiler");

  // the angle unit is always said: who reads the file should not have to know the default
  spc_writeRows(w, node, spc_rowsCompiler, s, base);
  xml_setAttribute(w->document, node, "angle", s->compiler.degree ? "degree" : "radian");
  if (memcmp(s->compiler.eulerseq, base->compiler.eulerseq, 3)) {
    char sequence[4] = "";
    memcpy(sequence, s->compiler.eulerseq, 3);
    xml_setAttribute(w->document, node, "eulerseq", sequence);
  }
  writeOptions(w, node, "lengthrange", spc_rowsLengthrange, base);
}

static void writeFlags(SpcWriter* w, XmlNode* option, const mjSpec* base) {
  XmlNode* node = NULL;
  for (const SpcAttributeRow* row = spc_rowsFlag; row->type != SPC_A_END; row++) {
    const int bit = 1 << row->max;
    const int now = *(const int*)(const void*)((const char*)&w->model->spec + row->offset) & bit;
    const int was = *(const int*)(const void*)((const char*)base + row->offset) & bit;
    if (now == was) continue;
    if (!node) node = xml_addChild(w->document, option, "flag");

    // min 1: a set bit disables
    const int enabled = row->min ? !now : !!now;
    xml_setAttribute(w->document, node, row->name, enabled ? "enable" : "disable");
  }
}

static void writeOption(SpcWriter* w, XmlNode* root, const mjSpec* base) {
  const mjOption* option = &w->model->spec.option;
  XmlNode* node = xml_addChild(w->document, root, "option");
  spc_writeRows(w, node, spc_rowsOption, &w->model->spec, base);
  int groups[31], count = 0;
  for (int i = 0; i < 31; i++) {
    if (option->disableactuator & 1 << i) groups[count++] = i;
  }
  if (count) spc_writeInts(w, node, "actuatorgroupdisable", groups, count);
  writeFlags(w, node, base);
}

static void writeSize(SpcWriter* w, XmlNode* root, const mjSpec* base) {
  const mjSpec* s = &w->model->spec;
  XmlNode* node = xml_addChild(w->document, root, "size");
  spc_writeRows(w, node, spc_rowsSize, s, base);
  char text[32];
  if (s->memory != -1) {
    snprintf(text, sizeof(text), "%lld", (long long)s->memory);
    xml_setAttribute(w->document, node, "memory", text);
  }
  if (s->nstack != -1) {
    snprintf(text, sizeof(text), "%lld", (long long)s->nstack);
    xml_setAttribute(w->document, node, "nstack", text);
  }
}

//---------------------------------- attached elements ----------------------------------

static void turnOrientation(const mjsCompiler* from, const mjsCompiler* to, double quat[4], mjsOrientation* alt) {
  if (alt->type == mjORIENTATION_EULER && memcmp(from->eulerseq, to->eulerseq, 3)) {
    mjs_resolveOrientation(quat, from->degree, from->eulerseq, alt);
    mjs_defaultOrientation(alt);
    return;
  }
  const double scale = from->degree == to->degree ? 1 : from->degree ? mjPI / 180 : 180 / mjPI;
  alt->axisangle[3] *= scale;
  for (int k = 0; k < 3; k++) alt->euler[k] *= scale;
}

// An element of an attached model was read under that model's settings. This is what it says under ours; scratch holds
// the result when they differ.
static const void* inOurTerms(const SpcWriter* w, const SpcElement* e, const void* spec, AnySpec* scratch) {
  const mjsCompiler *from = spc_compiler(e), *to = &w->model->spec.compiler;
  if (!e->origin) return spec;
  memcpy(scratch, spec, spc_kinds[e->kind].size);
  switch (e->kind) {
    case SPC_JOINT: {
      mjsJoint* joint = &scratch->joint;
      if (from->degree == to->degree || (joint->type != mjJNT_HINGE && joint->type != mjJNT_BALL)) break;
      const double scale = from->degree ? mjPI / 180 : 180 / mjPI;
      joint->range[0] *= scale;
      joint->range[1] *= scale;
      joint->ref *= scale;
      joint->springref *= scale;
      break;
    }
    case SPC_BODY:
      turnOrientation(from, to, scratch->body.quat, &scratch->body.alt);
      turnOrientation(from, to, scratch->body.iquat, &scratch->body.ialt);
      break;
    case SPC_FRAME:
      turnOrientation(from, to, scratch->frame.quat, &scratch->frame.alt);
      break;
    case SPC_GEOM:
      turnOrientation(from, to, scratch->geom.quat, &scratch->geom.alt);
      break;
    case SPC_SITE:
      turnOrientation(from, to, scratch->site.quat, &scratch->site.alt);
      break;
    case SPC_CAMERA:
      turnOrientation(from, to, scratch->camera.quat, &scratch->camera.alt);
      break;
    default:
      break;
  }
  return scratch;
}

// the file of an attached asset, as seen from our own model file
static void writeFile(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcString* file) {
  const mjsCompiler* from = spc_compiler(e);
  if (!e->origin || spc_textEmpty(file)) return;
  const SpcString* folder = e->kind == SPC_TEXTURE ? from->texturedir : from->meshdir;
  char* inside = bas_pathJoin(spc_text(folder), spc_text(file));
  const char* own = spc_text(w->model->spec.modelfiledir);
  char* whole = strcmp(spc_directory(e), own) ? bas_pathJoin(spc_directory(e), inside) : strdup(inside);
  xml_setAttribute(w->document, node, "file", whole);
  free(inside);
  free(whole);
}

//---------------------------------- tree ----------------------------------

// 1: a free joint that has nothing from its class: name, group and alignment are all there is to say
static int isFreeJoint(const SpcElement* e) {
  const mjsJoint* joint = e->spec;
  if (e->kind != SPC_JOINT || joint->type != mjJNT_FREE || spc_vecCount(joint->userdata, sizeof(double))) return 0;
  mjsJoint plain;
  mjs_defaultJoint(&plain);
  plain.type = mjJNT_FREE;
  plain.group = joint->group;
  plain.align = joint->align;
  const size_t first = offsetof(mjsJoint, type), last = offsetof(mjsJoint, userdata);
  return !memcmp((const char*)joint + first, (const char*)&plain + first, last - first);
}

// an element of a body, with everything its kind has
static XmlNode* writeLeaf(SpcWriter* w, XmlNode* parent, const SpcElement* e, const SpcDefault* inherited) {
  AnySpec scratch, ours, oursBase;
  const void* base = inOurTerms(w, e, spc_writeBase(e, &scratch), &oursBase);
  const void* spec = inOurTerms(w, e, e->spec, &ours);
  static const SpcAttributeRow* rows[] = {[SPC_JOINT] = spc_rowsJoint,
                                          [SPC_GEOM] = spc_rowsGeom,
                                          [SPC_SITE] = spc_rowsSite,
                                          [SPC_CAMERA] = spc_rowsCamera,
                                          [SPC_LIGHT] = spc_rowsLight};

  const int isFree = !w->defaults && isFreeJoint(e);
  XmlNode* node = xml_addChild(w->document, parent, isFree ? "freejoint" : spc_kinds[e->kind].name);
  if (!w->defaults) {
    spc_writeText(w, node, "name", &e->name);
    if (!isFree) spc_writeClass(w, node, e, inherited);
  }
  if (isFree) {
    mjs_defaultJoint(&scratch.joint);
    spc_writeRows(w, node, spc_rowsFreejoint, e->spec, &scratch.joint);
    return node;
  }
  spc_writeRows(w, node, rows[e->kind], spec, base);
  if (e->kind == SPC_GEOM) {
    spc_writeOrientation(w, node, &((const mjsGeom*)spec)->alt, &((const mjsGeom*)base)->alt);
    spc_writePlugin(w, node, &((const mjsGeom*)spec)->plugin);
  } else if (e->kind == SPC_SITE) {
    spc_writeOrientation(w, node, &((const mjsSite*)spec)->alt, &((const mjsSite*)base)->alt);
  } else if (e->kind == SPC_CAMERA) {
    spc_writeOrientation(w, node, &((const mjsCamera*)spec)->alt, &((const mjsCamera*)base)->alt);
  }
  return node;
}

static void writeInertial(SpcWriter* w, XmlNode* node, const mjsBody* body) {
  if (!body->explicitinertial) return;
  mjsBody base;
  mjs_defaultBody(&base);
  XmlNode* inertial = xml_addChild(w->document, node, "inertial");
  spc_writeRows(w, inertial, spc_rowsInertial, body, &base);
  spc_writeDoubles(w, inertial, "pos", body->ipos, 3);
  spc_writeDoubles(w, inertial, "mass", &body->mass, 1);
  spc_writeOrientation(w, inertial, &body->ialt, &base.ialt);
}

// The frame that elements are being written into, with the way out of it. Elements are written kind by kind in the
// order of their numbers, and a frame is opened again whenever that order comes back to it.
typedef struct {
  XmlNode* body;            // node of the body
  XmlNode* node;            // node of the open frame, or of the body
  const SpcFrame* frame;    // NULL: none is open
  const SpcDefault* class;  // what elements of the body inherit
} Place;

static const SpcDefault* frameClass(const SpcWriter* w, const SpcFrame* frame, const SpcDefault* outside) {
  for (const SpcFrame* up = frame; up; up = up->head.frame) {
    const SpcDefault* own = spc_findDefault(w->model, spc_text(up->spec.childclass));
    if (own) return own;
  }
  return outside;
}

// opens a frame and those around it; a name is written only once
static XmlNode* openFrame(SpcWriter* w, XmlNode* body, const SpcFrame* frame, SpcList* named) {
  if (!frame) return body;
  mjsFrame base;
  mjs_defaultFrame(&base);
  XmlNode* node = xml_addChild(w->document, openFrame(w, body, frame->head.frame, named), "frame");
  int seen = 0;
  for (int i = 0; i < named->count; i++) seen |= named->at[i] == &frame->head;
  if (!seen) {
    spc_writeText(w, node, "name", &frame->head.name);
    spc_listAdd(named, (SpcElement*)(uintptr_t)&frame->head);
  }
  AnySpec ours;
  const mjsFrame* spec = inOurTerms(w, &frame->head, &frame->spec, &ours);
  spc_writeRows(w, node, spc_rowsFrame, spec, &base);
  spc_writeOrientation(w, node, &spec->alt, &base.alt);
  return node;
}

static void enterFrame(SpcWriter* w, Place* place, const SpcFrame* frame, SpcList* named) {
  if (place->frame == frame) return;
  place->node = openFrame(w, place->body, frame, named);
  place->frame = frame;
}

static void writeChildren(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class);

static void writeBody(SpcWriter* w, XmlNode* parent, const SpcBody* body, const SpcDefault* class) {
  mjsBody base;
  mjs_defaultBody(&base);
  XmlNode* node = xml_addChild(w->document, parent, "body");
  AnySpec ours;
  const mjsBody* spec = inOurTerms(w, &body->head, &body->spec, &ours);
  spc_writeText(w, node, "name", &body->head.name);
  spc_writeRows(w, node, spc_rowsBody, spec, &base);
  spc_writeOrientation(w, node, &spec->alt, &base.alt);
  writeInertial(w, node, spec);
  spc_writePlugin(w, node, &spec->plugin);
  const SpcDefault* own = spc_findDefault(w->model, spc_text(body->spec.childclass));
  writeChildren(w, node, body, own ? own : class);
}

static void writeChildren(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class) {
  static const SpcKindId order[] = {SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT, SPC_BODY};
  Place place = {node, node, NULL, class};
  SpcList named = {0};
  for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
    for (int i = 0; i < body->child[order[k]].count; i++) {
      const SpcElement* e = body->child[order[k]].at[i];
      enterFrame(w, &place, e->frame, &named);
      const SpcDefault* inherited = frameClass(w, e->frame, class);
      if (order[k] == SPC_BODY) {
        writeBody(w, place.node, (const SpcBody*)e, inherited);
      } else {
        writeLeaf(w, place.node, e, inherited);
      }
    }
  }
  spc_listFree(&named);
}

//---------------------------------- assets, lists ----------------------------------

static void writeTextures(SpcWriter* w, XmlNode* node, const mjsTexture* texture) {
  static const char* faces[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  for (size_t i = 0; i < spc_textsCount(texture->cubefiles) && i < 6; i++) {
    spc_writeText(w, node, faces[i], spc_textsAt(texture->cubefiles, i));
  }
}

static void writeLayers(SpcWriter* w, XmlNode* node, const mjsMaterial* material) {
  // the plain attribute suffices when only the colour has a texture
  const SpcVec* textures = material->textures;
  int count = 0;
  for (size_t i = 0; i < spc_textsCount(textures); i++) count += !spc_textEmpty(spc_textsAt(textures, i));
  for (size_t i = 0; i < spc_textsCount(textures); i++) {
    const SpcString* name = spc_textsAt(textures, i);
    if (spc_textEmpty(name)) continue;
    if (count == 1 && i == mjTEXROLE_RGB) {
      xml_setAttribute(w->document, node, "texture", spc_text(name));
      continue;
    }
    XmlNode* layer = xml_addChild(w->document, node, "layer");
    xml_setAttribute(w->document, layer, "texture", spc_text(name));
    xml_setAttribute(w->document, layer, "role", spc_wordName(spc_wordsTexrole, (int)i));
  }
}

// rows in memory run from the bottom, in the file from the top
static void writeElevation(SpcWriter* w, XmlNode* node, const mjsHField* hfield) {
  const SpcVec* data = hfield->userdata;
  const size_t count = spc_vecCount(data, sizeof(float)), row = (size_t)hfield->ncol;
  if (!count || !row || count % row) return;
  float* turned = malloc(count * sizeof(float));
  if (!turned) mju_error("out of memory: elevation data");
  const float* value = (const float*)(const void*)data->begin;
  for (size_t i = 0; i < count / row; i++)
    memcpy(turned + i * row, value + (count / row - 1 - i) * row, row * sizeof(float));
  spc_writeFloats(w, node, "elevation", turned, (int)count);
  free(turned);
}

static void writePlain(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  static const SpcAttributeRow* rows[SPC_KINDS] = {
      [SPC_MESH] = spc_rowsMesh,       [SPC_TEXTURE] = spc_rowsTexture,  [SPC_MATERIAL] = spc_rowsMaterial,
      [SPC_HFIELD] = spc_rowsHfield,   [SPC_PAIR] = spc_rowsPair,        [SPC_EXCLUDE] = spc_rowsExclude,
      [SPC_NUMERIC] = spc_rowsNumeric, [SPC_TEXT] = spc_rowsTextElement, [SPC_KEY] = spc_rowsKey};
  AnySpec scratch;
  XmlNode* node = xml_addChild(w->document, section, spc_kinds[e->kind].name);
  if (!w->defaults) {
    spc_writeText(w, node, "name", &e->name);
    if (spc_kinds[e->kind].template >= 0) spc_writeClass(w, node, e, NULL);
  }
  spc_writeRows(w, node, rows[e->kind], e->spec, spc_writeBase(e, &scratch));
  if (e->kind == SPC_MESH) writeFile(w, node, e, ((const mjsMesh*)e->spec)->file);
  if (e->kind == SPC_HFIELD) writeFile(w, node, e, ((const mjsHField*)e->spec)->file);
  if (e->kind == SPC_TEXTURE) writeFile(w, node, e, ((const mjsTexture*)e->spec)->file);
  if (e->kind == SPC_TEXTURE) writeTextures(w, node, e->spec);
  if (e->kind == SPC_MATERIAL) writeLayers(w, node, e->spec);
  if (e->kind == SPC_HFIELD) writeElevation(w, node, e->spec);
  if (e->kind == SPC_MESH) spc_writePlugin(w, node, &((const mjsMesh*)e->spec)->plugin);
}

static void writeTuple(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const mjsTuple* tuple = e->spec;
  XmlNode* node = xml_addChild(w->document, section, "tuple");
  spc_writeText(w, node, "name", &e->name);
  const int* type = (const int*)(const void*)((const SpcVec*)tuple->objtype)->begin;
  const double* prm = (const double*)(const void*)((const SpcVec*)tuple->objprm)->begin;
  for (size_t i = 0; i < spc_textsCount(tuple->objname); i++) {
    XmlNode* element = xml_addChild(w->document, node, "element");
    xml_setAttribute(w->document, element, "objtype", mju_type2Str(type[i]));
    xml_setAttribute(w->document, element, "objname", spc_text(spc_textsAt(tuple->objname, i)));
    spc_writeDoubles(w, element, "prm", prm + i, 1);
  }
}

// one section with the elements of the given kinds, left out when there are none
typedef struct {
  const char* section;
  SpcKindId kind;
  void (*write)(SpcWriter* w, XmlNode* section, const SpcElement* e);
} ListRule;

static const ListRule lists[] = {
    {"custom",     SPC_NUMERIC,  writePlain       },
    {"custom",     SPC_TEXT,     writePlain       },
    {"custom",     SPC_TUPLE,    writeTuple       },
    {"asset",      SPC_TEXTURE,  writePlain       },
    {"asset",      SPC_MATERIAL, writePlain       },
    {"asset",      SPC_MESH,     writePlain       },
    {"asset",      SPC_HFIELD,   writePlain       },
    {"worldbody",  SPC_BODY,     NULL             },
    {"deformable", SPC_SKIN,     spc_writeSkin    },
    {"contact",    SPC_PAIR,     writePlain       },
    {"contact",    SPC_EXCLUDE,  writePlain       },
    {"equality",   SPC_EQUALITY, spc_writeEquality},
    {"tendon",     SPC_TENDON,   spc_writeTendon  },
    {"actuator",   SPC_ACTUATOR, spc_writeActuator},
    {"sensor",     SPC_SENSOR,   spc_writeSensor  },
    {"keyframe",   SPC_KEY,      writePlain       },
};

static void writeLists(SpcWriter* w, XmlNode* root) {
  XmlNode* section = NULL;
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    if (section && strcmp(section->name, lists[i].section)) section = NULL;
    if (lists[i].kind == SPC_BODY) {
      section = xml_addChild(w->document, root, "worldbody");
      writeChildren(w, section, w->model->world, NULL);
      continue;
    }
    const SpcList* list = &w->model->list[lists[i].kind];
    if (list->count && !section) section = xml_addChild(w->document, root, lists[i].section);
    for (int j = 0; j < list->count; j++) lists[i].write(w, section, list->at[j]);
  }
}

static void writeExtension(SpcWriter* w, XmlNode* root) {
  const SpcModel* model = w->model;
  XmlNode* section = spc_textsCount(&model->plugins) ? xml_addChild(w->document, root, "extension") : NULL;
  for (size_t i = 0; section && i < spc_textsCount(&model->plugins); i++) {
    const char* plugin = spc_text(spc_textsAt(&model->plugins, i));
    XmlNode* node = xml_addChild(w->document, section, "plugin");
    xml_setAttribute(w->document, node, "plugin", plugin);
    for (int j = 0; j < model->list[SPC_PLUGIN].count; j++) {
      const SpcPlugin* instance = (const SpcPlugin*)model->list[SPC_PLUGIN].at[j];
      if (spc_textEmpty(&instance->head.name) || !spc_textIs(instance->spec.plugin_name, plugin)) continue;
      XmlNode* child = xml_addChild(w->document, node, "instance");
      spc_writeText(w, child, "name", &instance->head.name);
      for (const SpcAttribute* a = (const void*)instance->attributes.begin; (const char*)a < instance->attributes.end;
           a++) {
        XmlNode* config = xml_addChild(w->document, child, "config");
        xml_setAttribute(w->document, config, "key", spc_text(&a->key));
        xml_setAttribute(w->document, config, "value", spc_text(&a->value));
      }
    }
  }
}

//---------------------------------- defaults ----------------------------------

// templates that differ from the parent class's, then the classes below
static void writeDefault(SpcWriter* w, XmlNode* parent, const SpcDefault* class) {
  XmlNode* node = xml_addChild(w->document, parent, "default");
  if (class->parent) spc_writeText(w, node, "class", &class->head.name);
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    const int at = spc_kinds[kind].template;
    if (at < 0 || kind == SPC_FLEX) continue;

    // a template is written against its parent's
    SpcElement compared = *spc_head(**(mjsElement * * const*)(const void*)((const char*)&class->spec + at));
    compared.class = class->parent;
    XmlNode* last = node->last;
    if (kind >= SPC_JOINT && kind <= SPC_LIGHT) {
      writeLeaf(w, node, &compared, NULL);
    } else if (kind == SPC_TENDON) {
      SpcTendon tendon =
          *(const SpcTendon*)spc_head(**(mjsElement * * const*)(const void*)((const char*)&class->spec + at));
      tendon.head.class = class->parent;
      spc_writeTendon(w, node, &tendon.head);
    } else if (kind == SPC_ACTUATOR) {
      spc_writeActuator(w, node, &compared);
    } else if (kind == SPC_EQUALITY) {
      const mjsEquality* equality = compared.spec;
      mjsEquality base;
      mjs_defaultEquality(&base);
      XmlNode* child = xml_addChild(w->document, node, "equality");
      w->defaults = 1;
      spc_writeRows(w, child, spc_rowsConnect, equality, class->parent ? class->parent->spec.equality : &base);
    } else {
      writePlain(w, node, &compared);
    }

    // nothing differs: take it back
    if (!node->last->nattribute && !node->last->first) {
      if (last) {
        last->next = NULL;
      } else {
        node->first = NULL;
      }
      node->last = last;
    }
  }
  for (int i = 0; i < class->child.count; i++) writeDefault(w, node, (const SpcDefault*)class->child.at[i]);
}

//---------------------------------- the whole file ----------------------------------

char* spc_writeModel(const SpcModel* model, char* error, int nerror) {
  if (model->list[SPC_FLEX].count) {
    if (error && nerror > 0) snprintf(error, (size_t)nerror, "saving a model with flexes is not supported yet");
    return NULL;
  }
  SpcWriter w = {.model = model, .document = xml_make("mujoco")};
  XmlNode* root = xml_root(w.document);
  spc_writeText(&w, root, "model", model->spec.modelname);

  // options against the built-in ones; the strings of the base are absent, so set ones are written
  mjSpec base;
  mjs_defaultSpec(&base);
  writeCompiler(&w, root, &base);
  writeOption(&w, root, &base);
  writeSize(&w, root, &base);
  XmlNode* visual = xml_addChild(w.document, root, "visual");
  writeOptions(&w, visual, "global", spc_rowsVisualGlobal, &base);
  writeOptions(&w, visual, "quality", spc_rowsVisualQuality, &base);
  writeOptions(&w, visual, "headlight", spc_rowsVisualHeadlight, &base);
  writeOptions(&w, visual, "map", spc_rowsVisualMap, &base);
  writeOptions(&w, visual, "scale", spc_rowsVisualScale, &base);
  writeOptions(&w, visual, "rgba", spc_rowsVisualRgba, &base);
  writeOptions(&w, root, "statistic", spc_rowsStatistic, &base);

  w.defaults = 1;
  writeDefault(&w, root, (const SpcDefault*)model->list[SPC_DEFAULT].at[0]);
  w.defaults = 0;
  writeExtension(&w, root);
  writeLists(&w, root);
  char* text = xml_write(w.document, spc_text(model->spec.comment));
  xml_free(w.document);
  return text;
}

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  char* text = spc_writeModel(spc_model(s), error, error_sz);
  if (!text) return -1;
  const int length = (int)strlen(text);
  int status = 0;
  if (length >= xml_sz) {
    if (error && error_sz > 0) {
      snprintf(error, (size_t)error_sz, "Output string too short, should be at least %d", length + 1);
    }
    status = length;
  } else {
    memcpy(xml, text, (size_t)length + 1);
  }
  mju_free(text);
  return status;
}

int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  char* text = spc_writeModel(spc_model(s), error, error_sz);
  if (!text) return -1;
  FILE* file = fopen(filename, "w");
  int good = file && fputs(text, file) >= 0;
  if (file && fclose(file)) good = 0;
  if (!good && error && error_sz > 0) snprintf(error, (size_t)error_sz, "Could not write file '%s'", filename);
  mju_free(text);
  return good ? 0 : -1;
}
