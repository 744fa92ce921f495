// The sections of an MJCF file, and the way from a file to an mjSpec.
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/path.h"
#include "spec/read.h"
#include "spec/signature.h"

#define EACH(section, root, title)                                               \
  for (const XmlNode* section = (root)->first; section; section = section->next) \
    if (!strcmp(section->name, title))

// -------------------------------------------------------------------------------------------- options

void spc_readCompiler(SpcReader* r, const XmlNode* node) {
  mjSpec* s = &r->model->spec;
  const char* coordinate = xml_attribute(node, "coordinate");
  if (coordinate && !strcmp(coordinate, "global")) {
    spc_readFail(r, node,
                 "global coordinates no longer supported. To convert existing models, load and save them in "
                 "MuJoCo 2.3.3 or older");
  }
  if (coordinate && strcmp(coordinate, "local")) spc_readFail(r, node, "invalid keyword: '%s'", coordinate);
  spc_readRows(r, node, spc_rowsCompiler, s, NULL);

  const char* eulerseq = xml_attribute(node, "eulerseq");
  if (eulerseq) {
    if (strlen(eulerseq) != 3) spc_readFail(r, node, "euler format must have length 3");
    memcpy(s->compiler.eulerseq, eulerseq, 3);
  }

  // one directory for all assets, unless a kind has its own
  const char* assetdir = xml_attribute(node, "assetdir");
  if (assetdir && !xml_attribute(node, "meshdir")) spc_textSet(s->compiler.meshdir, assetdir);
  if (assetdir && !xml_attribute(node, "texturedir")) spc_textSet(s->compiler.texturedir, assetdir);
  EACH(child, node, "lengthrange") spc_readRows(r, child, spc_rowsLengthrange, s, NULL);
}

static void readFlags(SpcReader* r, const XmlNode* node) {
  for (const SpcAttributeRow* row = spc_rowsFlag; row->type != SPC_A_END; row++) {
    int enabled;
    if (!spc_readWord(r, node, row->name, row->words, &enabled)) continue;

    // min says whether the bit disables (1) or enables (0)
    int* flags = (int*)(void*)((char*)&r->model->spec + row->offset);
    const int bit = 1 << row->max;
    *flags = enabled == row->min ? *flags & ~bit : *flags | bit;
  }
}

void spc_readOption(SpcReader* r, const XmlNode* node) {
  mjSpec* s = &r->model->spec;
  spc_readRows(r, node, spc_rowsOption, s, NULL);
  spc_setPlace(r, node, &r->model->head);
  spc_readSettings(r, node, &r->model->head);

  // groups of actuators that are switched off, as bits
  int groups[31];
  const int count = spc_readInts(r, node, "actuatorgroupdisable", groups, 1, 31);
  if (count) s->option.disableactuator = 0;
  for (int i = 0; i < count; i++) {
    if (groups[i] < 0) spc_readFail(r, node, "disabled actuator group value must be non-negative");
    if (groups[i] > 30) spc_readFail(r, node, "disabled actuator group value cannot exceed 30");
    s->option.disableactuator |= 1 << groups[i];
  }
  EACH(child, node, "flag") readFlags(r, child);
}

// a number of bytes with an optional suffix
static mjtSize readBytes(SpcReader* r, const XmlNode* node, const char* name) {
  const char* text = xml_attribute(node, name);
  if (!text || !strcmp(text, "-1")) return -1;
  text += strspn(text, " \t\r\n");
  char* end;
  unsigned long long value = strtoull(text, &end, 10);
  int bad = end == text || *text == '-' || *text == '+';
  static const char* suffixes = "KMGTPE";
  const char* suffix = isalpha((unsigned char)*end) ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
  if (suffix) {
    const int shift = 10 * (int)(suffix - suffixes + 1);
    bad |= value > ((unsigned long long)LLONG_MAX >> shift);
    value <<= shift;
    end++;
  }
  bad |= end[strspn(end, " \t\r\n")] != 0 || value > (unsigned long long)LLONG_MAX;
  if (bad) {
    spc_readFail(r, node,
                 "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in attribute '%s' (or the "
                 "size specified is too big)",
                 name);
  }
  return (mjtSize)value;
}

void spc_readSize(SpcReader* r, const XmlNode* node) {
  mjSpec* s = &r->model->spec;
  spc_readRows(r, node, spc_rowsSize, s, NULL);
  if (xml_attribute(node, "memory")) {
    s->memory = readBytes(r, node, "memory");
    if (s->memory < 0 && s->memory != -1) spc_readFail(r, node, "memory must be non-negative");
  }

  // legacy sizes exclude the memory attribute
  if (xml_attribute(node, "nstack")) {
    int nstack;
    spc_readInts(r, node, "nstack", &nstack, 1, 1);
    s->nstack = nstack;
    if (s->memory != -1 && nstack != -1)
      spc_readFail(r, node, "either 'memory' and 'nstack' attribute can be specified, not both");
  }
  if (s->memory != -1 && s->njmax != -1 && xml_attribute(node, "njmax"))
    spc_readFail(r, node, "either 'memory' and 'njmax' attribute can be specified, not both");

  // sizes where -1 means as many as needed
  static const struct {
    const char* name;
    size_t offset;
  } users[] = {
      {"njmax",          offsetof(mjSpec, njmax)         },
      {"nconmax",        offsetof(mjSpec, nconmax)       },
      {"nuser_body",     offsetof(mjSpec, nuser_body)    },
      {"nuser_jnt",      offsetof(mjSpec, nuser_jnt)     },
      {"nuser_geom",     offsetof(mjSpec, nuser_geom)    },
      {"nuser_site",     offsetof(mjSpec, nuser_site)    },
      {"nuser_cam",      offsetof(mjSpec, nuser_cam)     },
      {"nuser_tendon",   offsetof(mjSpec, nuser_tendon)  },
      {"nuser_actuator", offsetof(mjSpec, nuser_actuator)},
      {"nuser_sensor",   offsetof(mjSpec, nuser_sensor)  }
  };
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
    const int value = *(int*)(void*)((char*)s + users[i].offset);
    if (value < -1) spc_readFail(r, node, "%s must be >= -1", users[i].name);
  }
  if (s->nuserdata < 0) spc_readFail(r, node, "nuserdata must be non-negative");
  if (s->nkey < 0) spc_readFail(r, node, "nkey must be non-negative");
}

static void readVisual(SpcReader* r, const XmlNode* section) {
  static const struct {
    const char* name;
    const SpcAttributeRow* rows;
  } groups[] = {
      {"global",    spc_rowsVisualGlobal   },
      {"quality",   spc_rowsVisualQuality  },
      {"headlight", spc_rowsVisualHeadlight},
      {"map",       spc_rowsVisualMap      },
      {"scale",     spc_rowsVisualScale    },
      {"rgba",      spc_rowsVisualRgba     }
  };
  for (const XmlNode* node = section->first; node; node = node->next) {
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
      if (!strcmp(groups[i].name, node->name)) spc_readRows(r, node, groups[i].rows, &r->model->spec, NULL);
    }
    if (xml_attribute(node, "znear") && !(r->model->spec.visual.map.znear > 0)) {
      spc_readFail(r, node, "znear must be strictly positive");
    }
    if (xml_attribute(node, "realtime") && !(r->model->spec.visual.global.realtime > 0)) {
      spc_readFail(r, node, "realtime must be greater than 0");
    }
  }
}

// -------------------------------------------------------------------------------------------- defaults

static void readDefaultElement(SpcReader* r, const XmlNode* node, mjsDefault* def) {
  const char* name = node->name;
  if (!strcmp(name, "mesh")) {
    spc_readMesh(r, node, def->mesh);
  } else if (!strcmp(name, "material")) {
    spc_readMaterial(r, node, def->material);
  } else if (!strcmp(name, "joint")) {
    spc_readJoint(r, node, def->joint);
  } else if (!strcmp(name, "geom")) {
    spc_readGeom(r, node, def->geom);
  } else if (!strcmp(name, "site")) {
    spc_readSite(r, node, def->site);
  } else if (!strcmp(name, "camera")) {
    // numbers of the user do not come down to cameras
    spc_readCamera(r, node, def->camera);
    spc_vecFree(def->camera->userdata);
  } else if (!strcmp(name, "light")) {
    spc_readLight(r, node, def->light);
  } else if (!strcmp(name, "pair")) {
    spc_readPair(r, node, def->pair);
  } else if (!strcmp(name, "equality")) {
    spc_readEquality(r, node, def->equality);
  } else if (!strcmp(name, "tendon")) {
    spc_readTendon(r, node, def->tendon);
  } else {
    spc_readActuator(r, node, def->actuator);
  }
}

static void readDefault(SpcReader* r, const XmlNode* section, SpcDefault* parent) {
  const char* name = xml_attribute(section, "class");
  SpcDefault* class = (SpcDefault*)r->model->list[SPC_DEFAULT].at[0];
  if (parent) {
    if (!name || !*name) spc_readFail(r, section, "empty class name");
    mjsDefault* made = mjs_addDefault(&r->model->spec, name, &parent->spec);
    if (!made) spc_readFail(r, section, "repeated default class name");
    class = (SpcDefault*)spc_head(made->element);
  } else if (name && *name && strcmp(name, "main")) {
    spc_readFail(r, section, "top-level default class 'main' cannot be renamed");
  }
  if (!class) spc_readFail(r, section, "the model has no default class");

  // elements first, so that nested classes inherit them wherever they stand
  r->defaults = 1;
  for (const XmlNode* node = section->first; node; node = node->next) {
    if (strcmp(node->name, "default")) readDefaultElement(r, node, &class->spec);
  }
  r->defaults = 0;
  EACH(nested, section, "default") readDefault(r, nested, class);
}

// -------------------------------------------------------------------------------------------- lists

static void readExtension(SpcReader* r, const XmlNode* section) {
  mjSpec* s = &r->model->spec;
  for (const XmlNode* node = section->first; node; node = node->next) {
    const char* plugin = spc_readRequired(r, node, "plugin");
    if (mjs_activatePlugin(s, plugin)) spc_readFail(r, node, "plugin %s not found", plugin);
    for (const XmlNode* instance = node->first; instance; instance = instance->next) {
      mjsPlugin* made = mjs_addPlugin(s);
      SpcPlugin* e = (SpcPlugin*)spc_head(made->element);
      const char* name = spc_readRequired(r, instance, "name");
      if (!*name) spc_readFail(r, instance, "plugin instance must have a name");
      if (mjs_setName(made->element, name)) spc_readFail(r, instance, "%s", r->model->error);
      spc_textSet(made->plugin_name, plugin);
      spc_setPlace(r, instance, &e->head);
      for (const XmlNode* config = instance->first; config; config = config->next) {
        const char* key = spc_readRequired(r, config, "key");
        if (spc_attribute(e, key)) spc_readFail(r, config, "duplicate config key: %s", key);
        spc_setAttribute(e, key, spc_readRequired(r, config, "value"));
      }
    }
  }
}

static void readTuple(SpcReader* r, const XmlNode* node) {
  mjsTuple* tuple = mjs_addTuple(&r->model->spec);
  spc_readRows(r, node, spc_rowsTuple, tuple, spc_head(tuple->element));
  for (const XmlNode* element = node->first; element; element = element->next) {
    const char* text = spc_readRequired(r, element, "objtype");
    const int type = mju_str2Type(text);
    if (type == mjOBJ_UNKNOWN) spc_readFail(r, element, "unknown object type '%s'", text);
    double prm = 0;
    spc_readDoubles(r, element, "prm", &prm, 1, 1);
    spc_vecAppend(tuple->objtype, &type, 1, sizeof(int));
    spc_textsAppend(tuple->objname, spc_readRequired(r, element, "objname"));
    spc_vecAppend(tuple->objprm, &prm, 1, sizeof(double));
  }
}

static void readNumeric(SpcReader* r, const XmlNode* node) {
  mjsNumeric* numeric = mjs_addNumeric(&r->model->spec);
  spc_readRows(r, node, spc_rowsNumeric, numeric, spc_head(numeric->element));
  const int count = (int)spc_vecCount(numeric->data, sizeof(double));
  if (!xml_attribute(node, "size")) numeric->size = count;
  if (!xml_attribute(node, "size") && !count) spc_readFail(r, node, "custom field size must be between 1 and 500");
  if (numeric->size < 1 || numeric->size > 500) spc_readFail(r, node, "custom field size must be between 1 and 500");
  if (count > numeric->size) spc_readFail(r, node, "attribute 'data' has too much data");
}

static void readCustom(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    spc_readRequired(r, node, "name");
    if (!strcmp(node->name, "numeric")) {
      readNumeric(r, node);
    } else if (!strcmp(node->name, "text")) {
      mjsText* text = mjs_addText(&r->model->spec);
      spc_readRows(r, node, spc_rowsTextElement, text, spc_head(text->element));
      spc_textSet(text->data, xml_attribute(node, "data"));
      if (spc_textEmpty(text->data)) spc_readFail(r, node, "text field cannot be empty");
    } else {
      readTuple(r, node);
    }
  }
}

static void readContacts(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    if (!strcmp(node->name, "pair")) {
      spc_readPair(r, node, mjs_addPair(&r->model->spec, &spc_readClass(r, node, NULL)->spec));
    } else {
      mjsExclude* exclude = mjs_addExclude(&r->model->spec);
      spc_readRows(r, node, spc_rowsExclude, exclude, spc_head(exclude->element));
    }
  }
}

// a number that must be there; blank is not
static double readNumber(SpcReader* r, const XmlNode* node, const char* name) {
  double number = 0;
  if (!spc_readDoubles(r, node, name, &number, 1, 1)) spc_readFail(r, node, "required attribute missing: '%s'", name);
  return number;
}

static void readPath(SpcReader* r, const XmlNode* node, mjsTendon* tendon) {
  for (const XmlNode* child = node->first; child; child = child->next) {
    mjsWrap* wrap = NULL;
    if (!strcmp(child->name, "site")) {
      wrap = mjs_wrapSite(tendon, spc_readRequired(r, child, "site"));
    } else if (!strcmp(child->name, "geom")) {
      const char* side = xml_attribute(child, "sidesite");
      wrap = mjs_wrapGeom(tendon, spc_readRequired(r, child, "geom"), side ? side : "");
    } else if (!strcmp(child->name, "pulley")) {
      wrap = mjs_wrapPulley(tendon, readNumber(r, child, "divisor"));
    } else {
      const double coef = readNumber(r, child, "coef");
      wrap = mjs_wrapJoint(tendon, spc_readRequired(r, child, "joint"), coef);
    }
    spc_setPlace(r, child, spc_head(wrap->element));
  }
}

static void readTendons(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    mjsTendon* tendon = mjs_addTendon(&r->model->spec, &spc_readClass(r, node, NULL)->spec);
    spc_readTendon(r, node, tendon);
    readPath(r, node, tendon);
  }
}

static void readKeyframes(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    mjsKey* key = mjs_addKey(&r->model->spec);
    spc_readRows(r, node, spc_rowsKey, key, spc_head(key->element));
  }
}

static void readWorld(SpcReader* r, const XmlNode* section) {
  if (section->nattribute) spc_readFail(r, section, "World body cannot have attributes");
  spc_readBody(r, section, r->model->world, NULL, NULL);
}

// -------------------------------------------------------------------------------------------- the whole file

// options come first, then defaults: what follows depends on them, wherever they stand in the file
static void readSections(SpcReader* r, const XmlNode* root) {
  mjSpec* s = &r->model->spec;
  const char* name = xml_attribute(root, "model");
  if (name) spc_textSet(s->modelname, name);
  spc_textSet(s->comment, xml_comment(r->document));

  EACH(section, root, "compiler") spc_readCompiler(r, section);
  spc_locateFiles(r, xml_root(r->document));
  EACH(section, root, "option") spc_readOption(r, section);
  EACH(section, root, "size") spc_readSize(r, section);
  EACH(section, root, "default") readDefault(r, section, NULL);
  EACH(section, root, "extension") readExtension(r, section);
  EACH(section, root, "custom") readCustom(r, section);
  EACH(section, root, "visual") readVisual(r, section);
  EACH(section, root, "statistic") {
    spc_readRows(r, section, spc_rowsStatistic, s, NULL);
    if (s->stat.extent <= 0) spc_readFail(r, section, "extent must be strictly positive");
  }
  EACH(section, root, "asset") spc_readAssets(r, section);
  EACH(section, root, "contact") readContacts(r, section);
  EACH(section, root, "equality") {
    for (const XmlNode* node = section->first; node; node = node->next) {
      spc_readEquality(r, node, mjs_addEquality(s, &spc_readClass(r, node, NULL)->spec));
    }
  }
  EACH(section, root, "deformable") {
    for (const XmlNode* node = section->first; node; node = node->next) {
      if (!strcmp(node->name, "flex")) {
        spc_readFlex(r, node, spc_rowsFlex, mjs_addFlex(s));
      } else {
        spc_readSkin(r, node);
      }
    }
  }
  EACH(section, root, "tendon") readTendons(r, section);
  EACH(section, root, "actuator") {
    for (const XmlNode* node = section->first; node; node = node->next) {
      spc_readActuator(r, node, mjs_addActuator(s, &spc_readClass(r, node, NULL)->spec));
    }
  }
  EACH(section, root, "sensor") spc_readSensors(r, section);
  EACH(section, root, "keyframe") readKeyframes(r, section);

  // bodies last: a replicated body brings copies of what refers to it
  EACH(section, root, "worldbody") readWorld(r, section);
}

static void freeVectors(SpcReader* r) {
  SpcVec* vectors[] = {&r->scratch, &r->numbers, &r->links, &r->linkNames, &r->materials};
  for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) spc_vecFree(vectors[i]);
}

static void readAll(void* arg) {
  SpcReader* const r = arg;
  spc_textSet(r->model->spec.modelfiledir, r->directory);

  // a failure anywhere below comes back here
  if (setjmp(r->escape)) return;
  const XmlNode* root = xml_root(r->document);
  if (!strcasecmp(root->name, "robot")) {
    spc_readRobot(r, root);
  } else {
    spc_checkTree(r, root);
    readSections(r, root);
  }
  spc_sign(r->model);
  r->done = 1;
}

mjSpec* spc_readModel(XmlDocument* document, const SpcReading* reading) {
  SpcReader* const r = xml_scratch(document, sizeof(*r));
  *r = (SpcReader){.model = spc_model(mj_makeSpec()),
                   .vfs = reading->vfs,
                   .file = reading->file,
                   .document = document,
                   .directory = reading->directory};

  // engine and plugins may raise, and memory may end
  char raised[BAS_MESSAGE];
  const char* const why = bas_attempt(readAll, r, raised) ? r->error : raised;
  freeVectors(r);
  if (r->done) return &r->model->spec;
  if (reading->error && reading->nerror > 0) snprintf(reading->error, (size_t)reading->nerror, "%s", why);
  mj_deleteSpec(&r->model->spec);
  return NULL;
}
