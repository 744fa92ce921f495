// Elements outside the body tree as MJCF: equalities, tendons, actuators, sensors, skins, plugins.
#include <stdio.h>
#include <string.h>

#include "spec/write.h"

// attributes in the order of the reference's files
static const char orderTendon[] =
    "group solreflimit~ solimplimit~ solreffriction~ solimpfriction~ limited actuatorfrclimited range actuatorfrcrange "
    "margin stiffness damping armature frictionloss";
static const char orderActuator[] =
    "group nsample interp delay ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange gear "
    "cranklength actearly actdim dyntype dynprm gaintype biastype gainprm~ biasprm~";
static const char orderSensor[] = "cutoff noise nsample interp delay interval user";

// a new element with its name and, when it is not main, its class
static XmlNode* addNode(SpcWriter* w, XmlNode* section, const char* name, const SpcElement* e) {
  XmlNode* node = xml_addChild(w->document, section, name);
  if (w->defaults) return node;
  spc_writeText(w, node, "name", &e->name);
  if (spc_kinds[e->kind].template >= 0) spc_writeClass(w, node, e, NULL);
  return node;
}

static void addConfig(SpcWriter* w, XmlNode* node, const char* key, const char* value) {
  XmlNode* config = xml_addChild(w->document, node, "config");
  xml_setAttribute(w->document, config, "key", key);
  xml_setAttribute(w->document, config, "value", value);
}

void spc_writeConfig(SpcWriter* w, XmlNode* node, const SpcPlugin* instance) {
  // in the order in which the plugin declares its attributes
  const mjpPlugin* const plugin = mjp_getPlugin(spc_text(instance->spec.plugin_name), NULL);
  for (int i = 0; plugin && i < plugin->nattribute; i++) {
    const char* const value = spc_attribute(instance, plugin->attributes[i]);
    if (value) addConfig(w, node, plugin->attributes[i], value);
  }

  // one that is not loaded cannot say: by name
  const SpcAttribute* a = (const void*)instance->attributes.begin;
  for (; !plugin && (const char*)a < instance->attributes.end; a++) {
    addConfig(w, node, spc_text(&a->key), spc_text(&a->value));
  }
}

void spc_writePluginOn(SpcWriter* w, XmlNode* node, const mjsPlugin* plugin) {
  if (!spc_textEmpty(plugin->name)) {
    spc_writeText(w, node, "instance", plugin->name);
    return;
  }
  spc_writeText(w, node, "plugin", plugin->plugin_name);
  if (plugin->element) spc_writeConfig(w, node, (const SpcPlugin*)spc_head(plugin->element));
}

void spc_writePlugin(SpcWriter* w, XmlNode* parent, const mjsPlugin* plugin) {
  if (plugin->active) spc_writePluginOn(w, xml_addChild(w->document, parent, "plugin"), plugin);
}

//---------------------------------- equality ----------------------------------

static void writeJoined(SpcWriter* w, XmlNode* node, const mjsEquality* s) {
  const int sites = s->objtype == mjOBJ_SITE;
  switch (s->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      spc_writeText(w, node, sites ? "site1" : "body1", s->name1);
      spc_writeText(w, node, sites ? "site2" : "body2", s->name2);
      if (!sites) spc_writeDoubles(w, node, "anchor", s->data, 3);
      if (s->type == mjEQ_CONNECT) break;
      if (!sites) spc_writeDoubles(w, node, "relpose", s->data + 3, 7);
      spc_writeDoubles(w, node, "torquescale", s->data + 10, 1);
      break;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
      spc_writeText(w, node, s->type == mjEQ_JOINT ? "joint1" : "tendon1", s->name1);
      spc_writeText(w, node, s->type == mjEQ_JOINT ? "joint2" : "tendon2", s->name2);
      spc_writeDoubles(w, node, "polycoef", s->data, 5);
      break;
    default:
      spc_writeText(w, node, "flex", s->name1);
  }
}

void spc_writeEquality(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const mjsEquality* s = e->spec;
  SpcAny builtin;
  XmlNode* node = addNode(w, section, w->defaults ? "equality" : spc_wordName(spc_wordsEquality, (int)s->type), e);
  if (!w->defaults) writeJoined(w, node, s);
  spc_writeRows(w, node, spc_rowsConnect, "active solref~ solimp~", s, spc_writeBase(e, &builtin));
}

//---------------------------------- tendon ----------------------------------

static void writePath(SpcWriter* w, XmlNode* node, const SpcTendon* tendon) {
  for (int i = 0; i < tendon->path.count; i++) {
    const SpcWrap* wrap = (const SpcWrap*)tendon->path.at[i];
    XmlNode* child;
    switch (wrap->spec.type) {
      case mjWRAP_SITE:
        child = xml_addChild(w->document, node, "site");
        spc_writeText(w, child, "site", &wrap->target);
        break;
      case mjWRAP_PULLEY:
        child = xml_addChild(w->document, node, "pulley");
        spc_writeDoubles(w, child, "divisor", &wrap->prm, 1);
        break;
      case mjWRAP_JOINT:
        child = xml_addChild(w->document, node, "joint");
        spc_writeText(w, child, "joint", &wrap->target);
        spc_writeDoubles(w, child, "coef", &wrap->prm, 1);
        break;
      default:
        child = xml_addChild(w->document, node, "geom");
        spc_writeText(w, child, "geom", &wrap->target);
        spc_writeText(w, child, "sidesite", &wrap->sidesite);
    }
  }
}

void spc_writeTendon(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const SpcTendon* tendon = (const SpcTendon*)e;
  SpcAny builtin;
  const mjsTendon *s = &tendon->spec, *base = spc_writeBase(e, &builtin);
  const int fixed =
      !w->defaults && tendon->path.count && ((const SpcWrap*)tendon->path.at[0])->spec.type == mjWRAP_JOINT;
  XmlNode* node = addNode(w, section, w->defaults ? "tendon" : fixed ? "fixed" : "spatial", e);
  spc_writeRows(w, node, spc_rowsSpatial, orderTendon, s, base);

  // one length, or the two ends of a range
  if (memcmp(s->springlength, base->springlength, sizeof(s->springlength))) {
    spc_writeDoubles(w, node, "springlength", s->springlength, s->springlength[0] == s->springlength[1] ? 1 : 2);
  }
  spc_writeRows(w, node, spc_rowsSpatial, fixed ? "user" : "material width rgba user", s, base);
  if (!w->defaults) writePath(w, node, tendon);
}

//---------------------------------- actuator ----------------------------------

static void writeTarget(SpcWriter* w, XmlNode* node, const mjsActuator* actuator) {
  static const char* names[] = {"joint", "jointinparent", "cranksite", "tendon", "site", "body"};
  if ((int)actuator->trntype > mjTRN_BODY) return;
  spc_writeText(w, node, names[actuator->trntype], actuator->target);
  spc_writeText(w, node, "slidersite", actuator->slidersite);
  spc_writeText(w, node, "refsite", actuator->refsite);
}

// a range that is still to be inherited is known only to the position shortcuts; classes leave it to the elements
static void writeInheriting(SpcWriter* w, XmlNode* node, const mjsActuator* s) {
  spc_writeDoubles(w, node, "inheritrange", &s->inheritrange, 1);
  spc_writeDoubles(w, node, "kp", s->gainprm, 1);
  const double damping = s->biasprm[2] > 0 ? s->biasprm[2] : -s->biasprm[2];
  if (damping != 0) spc_writeDoubles(w, node, s->biasprm[2] > 0 ? "dampratio" : "kv", &damping, 1);
  if (s->dyntype == mjDYN_FILTEREXACT) spc_writeDoubles(w, node, "timeconst", s->dynprm, 1);
}

// 1: a range taken over from the target is replaced by what it came to in the compiled model
static int settleRange(const SpcModel* model, const SpcElement* e, mjsActuator* s) {
  if (e->id < 0 || (size_t)e->id >= spc_vecCount(&model->ranges, 4 * sizeof(double))) return 0;
  const double* range = (const double*)(const void*)model->ranges.begin + 4 * e->id;
  memcpy(s->ctrlrange, range, sizeof(s->ctrlrange));
  memcpy(s->actrange, range + 2, sizeof(s->actrange));
  return 1;
}

void spc_writeActuator(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  mjsActuator settled = *(const mjsActuator*)e->spec;
  const mjsActuator* s = &settled;
  SpcAny builtin;
  const mjsActuator* base = spc_writeBase(e, &builtin);
  const int plugin = s->plugin.active;
  const int inherits = s->inheritrange > 0 && !w->defaults && !settleRange(w->model, e, &settled);
  const char* name = plugin                           ? "plugin"
                     : !inherits                      ? "general"
                     : s->dyntype == mjDYN_INTEGRATOR ? "intvelocity"
                                                      : "position";
  XmlNode* node = addNode(w, section, name, e);
  if (!w->defaults) writeTarget(w, node, s);
  const SpcAttributeRow* rows = plugin                           ? spc_rowsActPlugin
                                : !inherits                      ? spc_rowsGeneral
                                : s->dyntype == mjDYN_INTEGRATOR ? spc_rowsIntvelocity
                                                                 : spc_rowsPosition;
  spc_writeRows(w, node, rows, orderActuator, s, base);
  if (inherits) writeInheriting(w, node, s);
  if (plugin && !w->defaults) spc_writePluginOn(w, node, &s->plugin);
  spc_writeRows(w, node, rows, "user", s, base);
  spc_writeSettings(w, node, e);
}

//---------------------------------- sensor ----------------------------------

#define SENSOR(name, type, max, words) \
  { #name, type, 1, max, 0, offsetof(mjsSensor, name), words }
static const SpcAttributeRow sensorRows[] = {
    SENSOR(cutoff, SPC_A_DOUBLE, 1, NULL),
    SENSOR(noise, SPC_A_DOUBLE, 1, NULL),
    SENSOR(nsample, SPC_A_INT, 1, NULL),
    SENSOR(interp, SPC_A_WORD, 1, spc_wordsInterp),
    SENSOR(delay, SPC_A_DOUBLE, 1, NULL),
    SENSOR(interval, SPC_A_DOUBLE, 2, NULL),
    {"user", SPC_A_DOUBLES, 0, 0,              0,   offsetof(mjsSensor, userdata), NULL},
    {NULL,      SPC_A_END,                0,   0, 0, 0,                  NULL                         },
};

// fields of a data attribute, in their order
static void writeFields(SpcWriter* w, XmlNode* node, const SpcWord* words, int bits) {
  char text[200] = "";
  for (const SpcWord* word = words; word->word; word++) {
    if (!(bits & 1 << word->value)) continue;
    if (*text) strcat(text, " ");
    strcat(text, word->word);
  }
  xml_setAttribute(w->document, node, "data", text);
}

// attribute names that say kind and side at once: geom1, body2, subtree1
static void writeSide(SpcWriter* w, XmlNode* node, mjtObj type, const SpcString* name, int side) {
  if (spc_textEmpty(name)) return;
  char attribute[16];
  const char* kind = type == mjOBJ_GEOM ? "geom" : type == mjOBJ_XBODY ? "subtree" : "body";
  snprintf(attribute, sizeof(attribute), "%s%d", kind, side);
  xml_setAttribute(w->document, node, type == mjOBJ_SITE ? "site" : attribute, spc_text(name));
}

// objects named by objtype and objname; a reference of unknown type is none
static void writeObjects(SpcWriter* w, XmlNode* node, const mjsSensor* sensor, int reference) {
  const char *objtype = mju_type2Str(sensor->objtype), *reftype = mju_type2Str(sensor->reftype);
  if (spc_textEmpty(sensor->objname) || !objtype) return;
  xml_setAttribute(w->document, node, "objtype", objtype);
  spc_writeText(w, node, "objname", sensor->objname);
  if (!reference || spc_textEmpty(sensor->refname) || !reftype) return;
  xml_setAttribute(w->document, node, "reftype", reftype);
  spc_writeText(w, node, "refname", sensor->refname);
}

static void writeContact(SpcWriter* w, XmlNode* node, const mjsSensor* sensor) {
  writeSide(w, node, sensor->objtype, sensor->objname, 1);
  writeSide(w, node, sensor->reftype, sensor->refname, 2);
  if (sensor->intprm[2] != 1) spc_writeInts(w, node, "num", &sensor->intprm[2], 1);
  writeFields(w, node, spc_wordsConData, sensor->intprm[0]);
  if (sensor->intprm[1])
    xml_setAttribute(w->document, node, "reduce", spc_wordName(spc_wordsReduce, sensor->intprm[1]));
}

static void writeReferences(SpcWriter* w, XmlNode* node, const mjsSensor* sensor) {
  switch (sensor->type) {
    case mjSENS_CAMPROJECTION:
      spc_writeText(w, node, "site", sensor->objname);
      spc_writeText(w, node, "camera", sensor->refname);
      break;
    case mjSENS_RANGEFINDER:
      spc_writeText(w, node, sensor->objtype == mjOBJ_CAMERA ? "camera" : "site", sensor->objname);
      writeFields(w, node, spc_wordsRayData, sensor->intprm[0]);
      break;
    case mjSENS_INSIDESITE:
      writeObjects(w, node, sensor, 0);
      spc_writeText(w, node, "site", sensor->refname);
      break;
    case mjSENS_TACTILE:
      spc_writeText(w, node, "geom", sensor->refname);
      spc_writeText(w, node, "mesh", sensor->objname);
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      writeSide(w, node, sensor->objtype, sensor->objname, 1);
      writeSide(w, node, sensor->reftype, sensor->refname, 2);
      break;
    case mjSENS_CONTACT:
      writeContact(w, node, sensor);
      break;
    case mjSENS_USER:
      writeObjects(w, node, sensor, 0);
      spc_writeInts(w, node, "dim", &sensor->dim, 1);
      xml_setAttribute(w->document, node, "needstage", spc_wordName(spc_wordsStage, (int)sensor->needstage));
      xml_setAttribute(w->document, node, "datatype", spc_wordName(spc_wordsDataType, (int)sensor->datatype));
      break;
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEQUAT:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
    case mjSENS_PLUGIN:
      writeObjects(w, node, sensor, 1);
      break;
    default:
      // the object's kind is the attribute's name
      if (!spc_textEmpty(sensor->objname)) {
        xml_setAttribute(w->document, node, mju_type2Str(sensor->objtype), spc_text(sensor->objname));
      }
  }
}

void spc_writeSensor(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const mjsSensor* sensor = e->spec;
  SpcAny builtin;
  XmlNode* node = xml_addChild(w->document, section, spc_sensorName(sensor->type));
  writeReferences(w, node, sensor);
  if (sensor->type == mjSENS_PLUGIN) spc_writePluginOn(w, node, &sensor->plugin);
  spc_writeText(w, node, "name", &e->name);
  spc_writeRows(w, node, sensorRows, orderSensor, sensor, spc_writeBase(e, &builtin));
}

//---------------------------------- skin ----------------------------------

void spc_writeSkin(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  const mjsSkin* skin = e->spec;
  SpcAny builtin;
  XmlNode* node = addNode(w, section, "skin", e);
  spc_writeRows(w, node, spc_rowsSkin, "file material group rgba inflate vertex texcoord face", skin,
                spc_writeBase(e, &builtin));
  const float* bindpos = (const float*)(const void*)((const SpcVec*)skin->bindpos)->begin;
  const float* bindquat = (const float*)(const void*)((const SpcVec*)skin->bindquat)->begin;
  for (size_t i = 0; i < spc_textsCount(skin->bodyname); i++) {
    const SpcVec* id = (const SpcVec*)(const void*)((const SpcVec*)skin->vertid)->begin + i;
    const SpcVec* weight = (const SpcVec*)(const void*)((const SpcVec*)skin->vertweight)->begin + i;
    XmlNode* bone = xml_addChild(w->document, node, "bone");
    xml_setAttribute(w->document, bone, "body", spc_text(spc_textsAt(skin->bodyname, i)));
    spc_writeFloats(w, bone, "bindpos", bindpos + 3 * i, 3);
    spc_writeFloats(w, bone, "bindquat", bindquat + 4 * i, 4);
    spc_writeInts(w, bone, "vertid", (const int*)(const void*)id->begin, (int)spc_vecCount(id, sizeof(int)));
    spc_writeFloats(w, bone, "vertweight", (const float*)(const void*)weight->begin,
                    (int)spc_vecCount(weight, sizeof(float)));
  }
}

//---------------------------------- flex ----------------------------------

void spc_writeFlex(SpcWriter* w, XmlNode* section, const SpcElement* e) {
  static const struct {
    const char* name;
    const SpcAttributeRow* rows;
    const char* order;
  } parts[] = {
      {"contact",    spc_rowsFlexContact,
       "contype conaffinity condim priority friction solmix solref solimp margin gap "
       "internal selfcollide activelayers vertcollide passive"                       },
      {"elasticity", spc_rowsElasticity,  "young poisson thickness damping elastic2d"},
      {"edge",       spc_rowsFlexEdge,    "stiffness damping"                        },
  };
  const mjsFlex* flex = e->spec;
  SpcAny builtin;
  const void* base = spc_writeBase(&(SpcElement){.kind = SPC_FLEX}, &builtin);
  XmlNode* node = xml_addChild(w->document, section, "flex");
  spc_writeText(w, node, "name", &e->name);
  spc_writeRows(w, node, spc_rowsFlex,
                "radius material rgba flatskin dim group body vertex element texcoord elemtexcoord node", flex, base);
  spc_writeSettings(w, node, e);
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    XmlNode* child = xml_addChild(w->document, node, parts[i].name);
    spc_writeRows(w, child, parts[i].rows, parts[i].order, flex, base);
    spc_dropEmpty(child);
  }
}
