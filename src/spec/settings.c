// Attributes of the sinew: namespace: kept with their elements as they were written, checked when compiled.
#include <sinew/physics.h>
#include <stdio.h>
#include <string.h>

#include "spec/read.h"
#include "spec/signature.h"
#include "spec/write.h"

static const char PREFIX[] = "sinew:";

// the elements that have attributes of ours
static int takesSettings(const SpcElement* e) {
  return e->kind == SPC_FLEX || e->kind == SPC_ACTUATOR || e->kind == SPC_KEY || e->kind == SPC_MODEL ||
         e->kind == SPC_GEOM || e->kind == SPC_PAIR || e->kind == SPC_MESH || e->kind == SPC_BODY ||
         e->kind == SPC_JOINT;
}

static SpcAttribute* find(const SpcElement* e, const char* name) {
  for (SpcAttribute* a = (void*)e->settings.begin; (char*)a < e->settings.end; a++) {
    if (spc_textIs(&a->key, name)) return a;
  }
  return NULL;
}

const char* spc_setting(const SpcElement* e, const char* name) {
  const SpcAttribute* a = find(e, name);
  return a ? spc_text(&a->value) : NULL;
}

void spc_setSetting(SpcElement* e, const char* name, const char* value) {
  SpcAttribute* a = find(e, name);
  if (!a && value) {
    spc_vecAppend(&e->settings, NULL, 1, sizeof(SpcAttribute));
    a = (SpcAttribute*)(void*)e->settings.end - 1;
    *a = (SpcAttribute){0};
    spc_textSet(&a->key, name);
  }
  if (value) {
    spc_textSet(&a->value, value);
  } else if (a) {
    spc_textFree(&a->key);
    spc_textFree(&a->value);
    memmove(a, a + 1, (size_t)(e->settings.end - (char*)(a + 1)));
    e->settings.end -= sizeof(SpcAttribute);
  }
}

void spc_freeSettings(SpcElement* e) {
  for (SpcAttribute* a = (void*)e->settings.begin; (char*)a < e->settings.end; a++) {
    spc_textFree(&a->key);
    spc_textFree(&a->value);
  }
  spc_vecFree(&e->settings);
}

void spc_copySettings(SpcElement* e, const SpcElement* source) {
  if (e == source || (!spc_vecCount(&e->settings, 1) && !spc_vecCount(&source->settings, 1))) return;
  spc_freeSettings(e);
  for (const SpcAttribute* a = (const void*)source->settings.begin; (const char*)a < source->settings.end; a++) {
    spc_setSetting(e, spc_text(&a->key), spc_text(&a->value));
  }
}

int spc_takesSettings(const char* element) {
  static const char* const names[] = {"option",   "flex",   "flexcomp", "key",    "general",  "motor",  "position",
                                      "velocity", "damper", "cylinder", "muscle", "adhesion", "plugin", "intvelocity",
                                      "geom",     "pair",   "mesh",     "body",   "joint"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(names[i], element)) return 1;
  }
  return 0;
}

// 1: an actuator's model that is not the one its class has: the parameters of that one do not go with it
static int namesOther(const char* model, const SpcElement* class) {
  const char* inherited = spc_setting(class, "model");
  return model && inherited && strcmp(model, inherited) != 0;
}

void spc_readSettings(SpcReader* r, const XmlNode* node, SpcElement* e) {
  if (e->kind == SPC_ACTUATOR && namesOther(xml_attribute(node, "sinew:model"), e)) spc_freeSettings(e);
  for (int i = 0; i < node->nattribute; i++) {
    const char* name = node->attribute[i].name;
    if (strncmp(name, PREFIX, sizeof(PREFIX) - 1)) continue;
    if (!takesSettings(e)) spc_readFail(r, node, "Schema violation: unrecognized attribute: '%s'", name);
    spc_setSetting(e, name + sizeof(PREFIX) - 1, node->attribute[i].value);
  }
}

void spc_writeSettings(SpcWriter* w, XmlNode* node, const SpcElement* e) {
  // those of the class come with it
  const SpcElement* class = e->class && spc_kinds[e->kind].template >= 0 ? spc_template(e->class, e->kind) : NULL;
  if (class && namesOther(spc_setting(e, "model"), class)) class = NULL;
  for (const SpcAttribute* a = (const void*)e->settings.begin; (const char*)a < e->settings.end; a++) {
    const char* inherited = class ? spc_setting(class, spc_text(&a->key)) : NULL;
    if (inherited && spc_textIs(&a->value, inherited)) continue;
    char name[200];
    snprintf(name, sizeof(name), "%s%s", PREFIX, spc_text(&a->key));
    xml_setAttribute(w->document, node, name, spc_text(&a->value));
    xml_setAttribute(w->document, xml_root(w->document), "xmlns:sinew", "urn:sinew");
  }
}

const char* sn_setAttribute(mjsElement* element, const char* name, const char* value) {
  if (!element || !name) return element ? "name is NULL" : "element is NULL";
  SpcElement* e = spc_head(element);
  if (!takesSettings(e)) return "this kind of element has no attributes of the sinew: namespace";
  spc_setSetting(e, name, value);
  spc_changed(e->model);
  return NULL;
}
