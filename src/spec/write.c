// The sections of an MJCF file from an mjSpec, and the public functions that save it.
#include "spec/write.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

// attributes in the order of the reference's files; from settotalmass on, it leaves them out, though models depend on
// them
static const char orderCompiler[] =
    "meshdir texturedir usethread boundmass boundinertia alignfree autolimits settotalmass balanceinertia strippath "
    "fitaabb discardvisual fusestatic inertiafromgeom inertiagrouprange saveinertial";

//---------------------------------- options ----------------------------------

// every row of a table, in its order
static void writeAll(SpcWriter* w, XmlNode* node, const SpcAttributeRow* rows, const mjSpec* base) {
  for (const SpcAttributeRow* row = rows; row->type != SPC_A_END; row++) {
    if (row->type != SPC_A_SPECIAL) spc_writeRows(w, node, rows, row->name, &w->model->spec, base);
  }
}

// a section of options: left out when all of them have their built-in values
static void writeOptions(SpcWriter* w, XmlNode* parent, const char* name, const SpcAttributeRow* rows,
                         const mjSpec* base) {
  XmlNode* node = xml_addChild(w->document, parent, name);
  writeAll(w, node, rows, base);
  spc_dropEmpty(node);
}

static void writeCompiler(SpcWriter* w, XmlNode* root, const mjSpec* base) {
  XmlNode* node = xml_addChild(w->document, root, "compiler");

  // angles are written in radians, whatever they were read in
  xml_setAttribute(w->document, node, "angle", "radian");
  spc_writeRows(w, node, spc_rowsCompiler, orderCompiler, &w->model->spec, base);
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
  writeAll(w, node, spc_rowsOption, base);
  spc_writeSettings(w, node, &w->model->head);
  int groups[31], count = 0;
  for (int i = 0; i < 31; i++) {
    if (option->disableactuator & 1 << i) groups[count++] = i;
  }
  if (count) spc_writeInts(w, node, "actuatorgroupdisable", groups, count);
  writeFlags(w, node, base);
  spc_dropEmpty(node);
}

// the number of user values per element of a kind: as said, or that of the element with most of them
static int userSize(const SpcModel* model, SpcKindId kind, int said) {
  if (said != -1) return said;
  SpcList list = SPC_TEMPORARY;
  spc_collect(model, kind, &list);
  int most = 0;
  for (const SpcField* field = spc_kinds[kind].fields; field->type != 0xff; field++) {
    if (field->type != SPC_DOUBLES) continue;
    for (int i = 0; i < list.count; i++) {
      const SpcVec* user = *(void* const*)(const void*)((const char*)list.at[i]->spec + field->offset);
      const int count = (int)spc_vecCount(user, sizeof(double));
      if (count > most) most = count;
    }
  }
  spc_listFree(&list);
  return most;
}

static void writeSize(SpcWriter* w, XmlNode* root, const mjSpec* base) {
  const mjSpec* s = &w->model->spec;
  XmlNode* node = xml_addChild(w->document, root, "size");
  if (s->memory != -1) xml_setAttribute(w->document, node, "memory", mju_writeNumBytes((size_t)s->memory));
  spc_writeRows(w, node, spc_rowsSize, "njmax nconmax", s, base);
  if (s->nstack != -1) {
    char text[32];
    snprintf(text, sizeof(text), "%lld", (long long)s->nstack);
    xml_setAttribute(w->document, node, "nstack", text);
  }
  spc_writeRows(w, node, spc_rowsSize, "nuserdata", s, base);
  const int nkey = s->nkey > w->model->list[SPC_KEY].count ? s->nkey : w->model->list[SPC_KEY].count;
  const struct {
    const char* name;
    int size;
  } sizes[] = {
      {"nkey",        nkey              },
      { "nuser_body",     userSize(w->model,         SPC_BODY, s->nuser_body)},
      { "nuser_jnt",      userSize(w->model,         SPC_JOINT, s->nuser_jnt)},
      { "nuser_geom",     userSize(w->model,         SPC_GEOM, s->nuser_geom)},
      { "nuser_site",     userSize(w->model,         SPC_SITE, s->nuser_site)},
      { "nuser_cam",      userSize(w->model,        SPC_CAMERA, s->nuser_cam)},
      { "nuser_tendon",   userSize(w->model,     SPC_TENDON, s->nuser_tendon)},
      { "nuser_actuator", userSize(w->model, SPC_ACTUATOR, s->nuser_actuator)},
      { "nuser_sensor",   userSize(w->model,     SPC_SENSOR, s->nuser_sensor)},
  };
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    if (sizes[i].size) spc_writeInts(w, node, sizes[i].name, &sizes[i].size, 1);
  }
  spc_dropEmpty(node);
}

//---------------------------------- lists ----------------------------------

// one section with the elements of the given kinds, left out when there are none
typedef struct {
  const char* section;
  SpcKindId kind;
  void (*write)(SpcWriter* w, XmlNode* section, const SpcElement* e);
} ListRule;

static const ListRule lists[] = {
    {"custom",     SPC_NUMERIC,  spc_writeAsset   },
    {"custom",     SPC_TEXT,     spc_writeAsset   },
    {"custom",     SPC_TUPLE,    spc_writeTuple   },
    {"asset",      SPC_TEXTURE,  spc_writeAsset   },
    {"asset",      SPC_MATERIAL, spc_writeAsset   },
    {"asset",      SPC_MESH,     spc_writeAsset   },
    {"asset",      SPC_HFIELD,   spc_writeAsset   },
    {"worldbody",  SPC_BODY,     NULL             },
    {"contact",    SPC_PAIR,     spc_writeAsset   },
    {"contact",    SPC_EXCLUDE,  spc_writeAsset   },
    {"deformable", SPC_FLEX,     spc_writeFlex    },
    {"deformable", SPC_SKIN,     spc_writeSkin    },
    {"equality",   SPC_EQUALITY, spc_writeEquality},
    {"tendon",     SPC_TENDON,   spc_writeTendon  },
    {"actuator",   SPC_ACTUATOR, spc_writeActuator},
    {"sensor",     SPC_SENSOR,   spc_writeSensor  },
    {"keyframe",   SPC_KEY,      spc_writeAsset   },
};

static void writeLists(SpcWriter* w, XmlNode* root) {
  XmlNode* section = NULL;
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    if (section && strcmp(section->name, lists[i].section)) section = NULL;
    if (lists[i].kind == SPC_BODY) {
      section = xml_addChild(w->document, root, "worldbody");
      spc_writeChildren(w, section, w->model->world, NULL);
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
      spc_writeConfig(w, child, instance);
    }
  }
}

//---------------------------------- defaults ----------------------------------

// a template against its parent's
static void writeTemplate(SpcWriter* w, XmlNode* node, SpcKindId kind, const SpcDefault* class) {
  const SpcElement* own =
      spc_head(**(mjsElement * * const*)(const void*)((const char*)&class->spec + spc_kinds[kind].template));
  SpcTendon tendon;
  SpcElement plain = *own;
  SpcElement* compared = &plain;
  if (kind == SPC_TENDON) {
    tendon = *(const SpcTendon*)own;
    compared = &tendon.head;
  }
  compared->class = class->parent;
  switch (kind) {
    case SPC_MESH:
    case SPC_MATERIAL:
    case SPC_PAIR:
      spc_writeAsset(w, node, compared);
      break;
    case SPC_EQUALITY:
      spc_writeEquality(w, node, compared);
      break;
    case SPC_TENDON:
      spc_writeTendon(w, node, compared);
      break;
    case SPC_ACTUATOR:
      spc_writeActuator(w, node, compared);
      break;
    default:
      spc_writeLeaf(w, node, compared, class->parent);
  }
  spc_dropEmpty(node->last);
}

// templates that differ from the parent class's, then the classes below
static void writeDefault(SpcWriter* w, XmlNode* parent, const SpcDefault* class) {
  static const SpcKindId order[] = {SPC_MESH,  SPC_MATERIAL, SPC_JOINT,    SPC_GEOM,   SPC_SITE,    SPC_CAMERA,
                                    SPC_LIGHT, SPC_PAIR,     SPC_EQUALITY, SPC_TENDON, SPC_ACTUATOR};
  XmlNode* node = xml_addChild(w->document, parent, "default");
  const int renamed = !spc_textIs(&class->head.name, "main");
  if (class->parent || renamed) spc_writeText(w, node, "class", &class->head.name);
  for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) writeTemplate(w, node, order[i], class);
  for (int i = 0; i < class->child.count; i++) writeDefault(w, node, (const SpcDefault*)class->child.at[i]);
  if (!class->parent) spc_dropEmpty(node);
}

//---------------------------------- the whole file ----------------------------------

// NULL: the model can be written
static const char* whyNot(const SpcModel* model) {
  if (!model) return "Cannot write empty model";
  if (!model->compiled) return "XML Write error: Only compiled model can be written";
  if (model->pending.count) {
    return "XML Error: Model has pending keyframes. It must be (re)compiled before writing XML.";
  }
  for (int i = 0; i < model->list[SPC_TEXTURE].count; i++) {
    const mjsTexture* texture = model->list[SPC_TEXTURE].at[i]->spec;
    // a pattern stands for the pixels where there is one
    const int pattern = texture->builtin != mjBUILTIN_NONE;
    if (spc_vecCount(texture->data, 1) && !pattern) return "XML Error: no support for buffer textures.";
  }
  return NULL;
}

static void writeModel(void* arg) {
  SpcWriter* const w = arg;
  const SpcModel* const model = w->model;
  w->document = xml_make("mujoco");
  XmlNode* root = xml_root(w->document);
  xml_setAttribute(w->document, root, "model", spc_text(model->spec.modelname));

  // options against the built-in ones; the strings of the base are absent, so set ones are written
  mjSpec base;
  mjs_defaultSpec(&base);
  writeCompiler(w, root, &base);
  writeOption(w, root, &base);
  writeSize(w, root, &base);
  XmlNode* visual = xml_addChild(w->document, root, "visual");
  writeOptions(w, visual, "global", spc_rowsVisualGlobal, &base);
  writeOptions(w, visual, "quality", spc_rowsVisualQuality, &base);
  writeOptions(w, visual, "headlight", spc_rowsVisualHeadlight, &base);
  writeOptions(w, visual, "map", spc_rowsVisualMap, &base);
  writeOptions(w, visual, "scale", spc_rowsVisualScale, &base);
  writeOptions(w, visual, "rgba", spc_rowsVisualRgba, &base);
  spc_dropEmpty(visual);
  writeOptions(w, root, "statistic", spc_rowsStatistic, &base);

  w->defaults = 1;
  writeDefault(w, root, (const SpcDefault*)model->list[SPC_DEFAULT].at[0]);
  w->defaults = 0;
  writeExtension(w, root);
  writeLists(w, root);
}

char* spc_writeModel(const SpcModel* model, char* error, int nerror) {
  char raised[BAS_MESSAGE] = "out of memory: model as text";
  const char* problem = whyNot(model);
  char* text = NULL;
  if (!problem && model) {
    SpcWriter w = {.model = model};
    if (bas_attempt(writeModel, &w, raised)) text = xml_write(w.document, spc_text(model->spec.comment));
    xml_free(w.document);
  }
  if (!text && error && nerror > 0) snprintf(error, (size_t)nerror, "%s", problem ? problem : raised);
  return text;
}

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  char* text = spc_writeModel(s ? spc_model(s) : NULL, error, error_sz);
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
  char* text = spc_writeModel(s ? spc_model(s) : NULL, error, error_sz);
  if (!text) return -1;

  // without a name to the standard output
  int good;
  if (filename && *filename) {
    FILE* file = fopen(filename, "w");
    good = file && fputs(text, file) >= 0;
    if (file && fclose(file)) good = 0;
  } else {
    good = fputs(text, stdout) >= 0 && !fflush(stdout);
  }
  if (!good && error && error_sz > 0)
    snprintf(error, (size_t)error_sz, "Could not write file '%s'", filename ? filename : "");
  mju_free(text);
  return good ? 0 : -1;
}
