// Writing MJCF: mjSpec → element tree → text. The pieces that the writer's files share.
//
// Every value is written that differs from what the element would have without it, in digits that read back exactly; so
// what is loaded again compiles to the same model.
#pragma once

#include "spec/schema.h"

typedef struct {
  const SpcModel* model;
  XmlDocument* document;
  int defaults;  // 1: inside a default class
} SpcWriter;

// attributes of the rows whose values differ from those at base
void spc_writeRows(SpcWriter* w, XmlNode* node, const SpcAttributeRow* rows, const void* value, const void* base);
void spc_writeDoubles(SpcWriter* w, XmlNode* node, const char* name, const double* value, int count);
void spc_writeFloats(SpcWriter* w, XmlNode* node, const char* name, const float* value, int count);
void spc_writeInts(SpcWriter* w, XmlNode* node, const char* name, const int* value, int count);
// text that is not empty
void spc_writeText(SpcWriter* w, XmlNode* node, const char* name, const SpcString* text);
void spc_writeOrientation(SpcWriter* w, XmlNode* node, const mjsOrientation* alt, const mjsOrientation* base);

// the values an element starts from: its class's template, or the built-in ones in scratch (of the kind's mjs size)
const void* spc_writeBase(const SpcElement* e, void* scratch);

// ---- write_list.c
void spc_writeActuator(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeSensor(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeEquality(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeTendon(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writeSkin(SpcWriter* w, XmlNode* section, const SpcElement* e);
void spc_writePlugin(SpcWriter* w, XmlNode* node, const mjsPlugin* plugin);
// class="…" when it is not the inherited one
void spc_writeClass(SpcWriter* w, XmlNode* node, const SpcElement* e, const SpcDefault* inherited);

// ---- write.c

// the model as MJCF text; free with mju_free. NULL: error says why.
char* spc_writeModel(const SpcModel* model, char* error, int nerror);

// the element name of a sensor type, NULL when there is none (read_sensor.c holds the table)
const char* spc_sensorName(mjtSensor type);
