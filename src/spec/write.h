// Writing MJCF: mjSpec → element tree → text. The pieces that the writer's files share.
//
// Values are written in plain terms (plain.c), in the order of the reference's files, when they differ from what the
// element would have without them, and in digits that read back exactly; so what is loaded again compiles to the same
// model.
#pragma once

#include "spec/schema.h"

typedef struct {
  const SpcModel* model;
  XmlDocument* document;
  int defaults;  // 1: inside a default class
} SpcWriter;

// room for any mjs struct that is written
typedef union {
  mjsBody body;
  mjsJoint joint;
  mjsGeom geom;
  mjsSite site;
  mjsCamera camera;
  mjsLight light;
  mjsMesh mesh;
  mjsTexture texture;
  mjsMaterial material;
  mjsHField hfield;
  mjsSkin skin;
  mjsFlex flex;
  mjsPair pair;
  mjsExclude exclude;
  mjsEquality equality;
  mjsTendon tendon;
  mjsActuator actuator;
  mjsSensor sensor;
  mjsNumeric numeric;
  mjsText text;
  mjsKey key;
} SpcAny;

// ---- plain.c

// the values at spec, of e's kind and under e's settings and frames, in plain terms; in scratch
const void* spc_plain(const SpcElement* e, const void* spec, SpcAny* scratch);

// ---- write_values.c

// Attributes in the order of the words, each when its value differs from that at base. A mark after a word:
//   !  always          .  unless it and its base are zero      |  unless it and its base are 1 0 0 …
//   ~  without the values at the end that equal the base's
// Marks other than ~ do not count inside a default class.
void spc_writeRows(SpcWriter* w, XmlNode* node, const SpcAttributeRow* rows, const char* order, const void* value,
                   const void* base);
void spc_writeDoubles(SpcWriter* w, XmlNode* node, const char* name, const double* value, int count);
void spc_writeFloats(SpcWriter* w, XmlNode* node, const char* name, const float* value, int count);
void spc_writeInts(SpcWriter* w, XmlNode* node, const char* name, const int* value, int count);
// text that is not empty
void spc_writeText(SpcWriter* w, XmlNode* node, const char* name, const SpcString* text);
// sizes of a shape: as many as it has
void spc_writeSize(SpcWriter* w, XmlNode* node, mjtGeom type, const double size[3], const double base[3]);
// takes a node back that has nothing to say
void spc_dropEmpty(XmlNode* node);

// the values an element starts from when it is read again: its class's template, or the built-in ones in scratch
const void* spc_writeBase(const SpcElement* e, SpcAny* scratch);
// class="…" when it is not the inherited one (NULL: main)
void spc_writeClass(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcDefault* inherited);

// ---- settings.c

// attributes of the sinew: namespace that differ from those of the class
void spc_writeSettings(SpcWriter* w, XmlNode* node, const SpcElement* e);

// ---- write_tree.c

// what stands in a body; class: the one that its elements inherit
void spc_writeChildren(SpcWriter* w, XmlNode* node, const SpcBody* body, const SpcDefault* class);
// a joint, geom, site, camera or light; in a default class: a template against that of class
void spc_writeLeaf(SpcWriter* w, XmlNode* parent, const SpcElement* e, const SpcDefault* class);

// ---- write_list.c: elements outside the tree
void spc_writeEquality(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeTendon(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeActuator(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeSensor(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeFlex(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeSkin(SpcWriter* w, XmlNode* section, const SpcElement* e);
// a plugin's own element, or its attributes and configuration on a given node
void spc_writePlugin(SpcWriter* w, XmlNode* parent, const mjsPlugin* plugin);
void spc_writePluginOn(SpcWriter* w, XmlNode* node, const mjsPlugin* plugin);

// config elements of a plugin instance
void spc_writeConfig(SpcWriter* w, XmlNode* node, const SpcPlugin* instance);

// ---- write_asset.c: assets, contact pairs, custom fields, keyframes
void spc_writeAsset(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeTuple(SpcWriter* w, XmlNode* section, const SpcElement* e);

// ---- write.c

// the model as MJCF text; free with mju_free. NULL: error says why.
char* spc_writeModel(const SpcModel* model, char* error, int nerror);

// the element name of a sensor type, NULL when there is none (read_sensor.c holds the table)
const char* spc_sensorName(mjtSensor type);
