// Plugin instances: which element uses which, and their attributes in the order that the plugin declares.
#include <string.h>

#include "compile/compile.h"

// slot of an activated plugin, -1: it is not activated
static int slotOf(const Cmp* c, const char* name) {
  const SpcVec* const active = &c->spec->plugins;
  for (size_t i = 0; i < spc_textsCount(active); i++) {
    int slot = -1;
    if (spc_textIs(spc_textsAt(active, i), name) && mjp_getPlugin(name, &slot)) return slot;
  }
  return -1;
}

int cmp_plugin(Cmp* c, SpcElement* e, const mjsPlugin* plugin, int needed, const char* what) {
  if (!plugin->active) return -1;
  const char* name = spc_text(plugin->plugin_name);
  const char* const instancename = spc_text(plugin->name);
  if (!*name && !*instancename) {
    cmp_fail(c, e, "neither 'plugin' nor 'instance' is specified for %s '%s', (id = %d)", spc_kinds[e->kind].name,
             spc_text(&e->name), e->id);
  }

  // an instance of the element's own, or one that is shared by name
  CmpPluginInstance* instance = NULL;
  if (plugin->element && spc_head(plugin->element)->kind == SPC_PLUGIN && !*instancename) {
    instance = CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, spc_head(plugin->element)->id);
    instance->owner = e;
  } else {
    instance = cmp_find(c, SPC_PLUGIN, instancename);
    if (!instance) cmp_fail(c, e, "unrecognized name '%s' for plugin instance", instancename);
    if (*name && !spc_textIs(instance->s.plugin_name, name)) {
      cmp_fail(c, e, "'plugin' attribute does not match that of the instance");
    }
    if (!*name) name = spc_text(instance->s.plugin_name);
  }
  instance->slot = slotOf(c, name);
  if (instance->slot < 0) cmp_fail(c, e, "unrecognized plugin '%s'", name);
  const mjpPlugin* const found = mjp_getPluginAtSlot(instance->slot);
  if (!(found->capabilityflags & needed)) cmp_fail(c, e, "plugin '%s' does not support %s", found->name, what);
  return instance->head.id;
}

// one text: the value of every declared attribute, empty where it is not set
static void flatten(Cmp* c, CmpPluginInstance* instance) {
  const SpcPlugin* const source = (const SpcPlugin*)instance->head.e;
  const mjpPlugin* const plugin = mjp_getPluginAtSlot(instance->slot);
  size_t bytes = 1;
  for (int i = 0; i < plugin->nattribute; i++) {
    const char* const value = spc_attribute(source, plugin->attributes[i]);
    bytes += (value ? strlen(value) : 0) + 1;
  }
  instance->attributes = cmp_alloc(c, bytes, 1);
  for (int i = 0; i < plugin->nattribute; i++) {
    const char* const value = spc_attribute(source, plugin->attributes[i]);
    const size_t length = value ? strlen(value) : 0;
    if (value) memcpy(instance->attributes + instance->nattributes, value, length);
    instance->nattributes += (int)length + 1;
  }
  if (!plugin->nattribute) instance->nattributes = 1;

  // what the plugin does not know
  const size_t nset = spc_vecCount(&source->attributes, sizeof(SpcAttribute));
  for (size_t k = 0; k < nset; k++) {
    const char* const key = spc_text(&((const SpcAttribute*)(const void*)source->attributes.begin + k)->key);
    int known = 0;
    for (int i = 0; i < plugin->nattribute && !known; i++) known = !strcmp(key, plugin->attributes[i]);
    if (!known) {
      cmp_fail(c, instance->owner ? instance->owner : instance->head.e,
               "unrecognized attribute 'plugin:%s' for plugin %s'", key, plugin->name);
    }
  }
}

void cmp_compilePlugins(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_PLUGIN); i++) {
    CmpPluginInstance* const instance = CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, i);
    const char* const name = spc_text(instance->s.plugin_name);

    // an instance that a program made may leave the name to the element that uses it
    if (*name || !instance->owner) instance->slot = slotOf(c, name);
    if (instance->slot < 0) cmp_fail(c, instance->head.e, "unrecognized plugin '%s'", name);
    flatten(c, instance);
  }
}
