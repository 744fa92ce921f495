// From a compiled model to a spec: names, plugin instances, settings, and the order of the parts.
#include "decompile/decompile.h"

#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/element.h"

// -------------------------------------------------------------------------------------------- names

void dec_keep(Decompiler* c, mjtObj type, int id, mjsElement* element) {
  if (c->element[type]) c->element[type][id] = element;
  const char* const name = mj_id2name(c->m, type, id);
  if (name && *name) mjs_setName(element, name);
}

const char* dec_name(Decompiler* c, int type, int id) {
  if (id < 0) return "";
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  if (type == mjOBJ_BODY && id == 0) return "world";
  const char* const own = mj_id2name(c->m, type, id);
  if (own && *own) return own;
  mjsElement* const element = c->element[type] ? c->element[type][id] : NULL;
  if (!element) return "";

  // kind and number, and more of the kind where another object has that name
  int length = snprintf(c->name, sizeof(c->name), "%s_%d", mju_type2Str(type), id);
  while (mj_name2id(c->m, type, c->name) >= 0 && length + 2 < (int)sizeof(c->name)) {
    c->name[length++] = '_';
    c->name[length] = 0;
  }
  mjs_setName(element, c->name);
  return c->name;
}

// -------------------------------------------------------------------------------------------- plugins

// elements that use a plugin instance
static int countUsers(const mjModel* m, int id) {
  int n = 0;
  for (int i = 0; i < (int)m->nbody; i++) n += m->body_plugin[i] == id;
  for (int i = 0; i < (int)m->ngeom; i++) n += m->geom_plugin[i] == id ? 1 + (m->geom_dataid[i] >= 0) : 0;
  for (int i = 0; i < (int)m->nu; i++) n += m->actuator_plugin[i] == id;
  for (int i = 0; i < (int)m->nsensor; i++) n += m->sensor_plugin[i] == id;
  return n;
}

// instances with their attributes, which the model has in the order of the plugin's list. 0: a plugin is not registered
static int addPlugins(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nplugin; i++) {
    const mjpPlugin* const plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (!plugin) return 0;
    mjs_activatePlugin(c->spec, plugin->name);
    mjsPlugin* const instance = c->plugin[i] = mjs_addPlugin(c->spec);
    dec_keep(c, mjOBJ_PLUGIN, i, instance->element);
    mjs_setString(instance->plugin_name, plugin->name);
    const char* value = m->plugin_attr + m->plugin_attradr[i];
    for (int k = 0; k < plugin->nattribute; k++) {
      if (*value) spc_setAttribute((SpcPlugin*)spc_head(instance->element), plugin->attributes[k], value);
      value += strlen(value) + 1;
    }
    // several users find an instance by its name
    if (countUsers(m, i) != 1) dec_name(c, mjOBJ_PLUGIN, i);
  }
  return 1;
}

void dec_usePlugin(Decompiler* c, mjsPlugin* user, int id) {
  if (id < 0) return;
  const mjsPlugin* const instance = c->plugin[id];
  user->active = 1;
  user->element = instance->element;
  mjs_setString(user->plugin_name, mjs_getString(instance->plugin_name));
  mjs_setString(user->name, mjs_getString(mjs_getName(instance->element)));
}

// -------------------------------------------------------------------------------------------- model

static void setHeader(Decompiler* c) {
  const mjModel* const m = c->m;
  mjSpec* const s = c->spec;
  mjs_setString(s->modelname, m->names);
  s->option = m->opt;
  s->visual = m->vis;
  s->stat = m->stat;
  s->compiler.degree = 0;
  s->compiler.autolimits = 0;
  s->compiler.alignfree = 0;
  s->nuserdata = (int)m->nuserdata;
  s->nuser_body = (int)m->nuser_body;
  s->nuser_jnt = (int)m->nuser_jnt;
  s->nuser_geom = (int)m->nuser_geom;
  s->nuser_site = (int)m->nuser_site;
  s->nuser_cam = (int)m->nuser_cam;
  s->nuser_tendon = (int)m->nuser_tendon;
  s->nuser_actuator = (int)m->nuser_actuator;
  s->nuser_sensor = (int)m->nuser_sensor;
}

static int allocate(Decompiler* c) {
  const mjModel* const m = c->m;
  const struct {
    mjtObj type;
    mjtSize n;
  } kinds[] = {
      {mjOBJ_BODY,     m->nbody  },
      {mjOBJ_JOINT,    m->njnt   },
      {mjOBJ_GEOM,     m->ngeom  },
      {mjOBJ_SITE,     m->nsite  },
      {mjOBJ_CAMERA,   m->ncam   },
      {mjOBJ_MESH,     m->nmesh  },
      {mjOBJ_HFIELD,   m->nhfield},
      {mjOBJ_TEXTURE,  m->ntex   },
      {mjOBJ_MATERIAL, m->nmat   },
      {mjOBJ_FLEX,     m->nflex  },
      {mjOBJ_TENDON,   m->ntendon},
      {mjOBJ_ACTUATOR, m->nu     },
      {mjOBJ_SENSOR,   m->nsensor},
      {mjOBJ_EQUALITY, m->neq    },
      {mjOBJ_PLUGIN,   m->nplugin}
  };
  c->body = calloc((size_t)m->nbody, sizeof(*c->body));
  c->flex = calloc((size_t)m->nflex + 1, sizeof(*c->flex));
  c->plugin = calloc((size_t)m->nplugin + 1, sizeof(*c->plugin));
  int good = c->body && c->flex && c->plugin;
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    c->element[kinds[i].type] = calloc((size_t)kinds[i].n + 1, sizeof(mjsElement*));
    good &= c->element[kinds[i].type] != NULL;
  }
  return good;
}

static void makeParts(Decompiler* c) {
  setHeader(c);
  dec_assets(c);
  dec_tree(c);
  dec_skins(c);
  dec_flexes(c);
  dec_contacts(c);
  dec_equalities(c);
  dec_tendons(c);
  dec_actuators(c);
  dec_sensors(c);
  dec_custom(c);
}

// settings that show only when the model compiled again differs: its memory, hulls of few vertices. 1: there were any
static int adjustSettings(Decompiler* c, const mjModel* again) {
  const mjModel* const m = c->m;
  int changed = 0;
  if (again->narena != m->narena && c->spec->memory != m->narena) {
    c->spec->memory = m->narena;
    changed = 1;
  }
  for (int i = 0; i < (int)m->nmesh; i++) {
    const int before = m->mesh_graphadr[i], now = again->mesh_graphadr[i];
    if (before < 0 || now < 0 || m->mesh_graph[before] >= again->mesh_graph[now]) continue;
    mjsMesh* const mesh = mjs_asMesh(c->element[mjOBJ_MESH][i]);
    if (mesh->maxhullvert == m->mesh_graph[before]) continue;
    mesh->maxhullvert = m->mesh_graph[before];
    changed = 1;
  }
  return changed;
}

// compiles what was made until nothing is to be adjusted; NULL or what is wrong
static const char* compileAgain(Decompiler* c) {
  if (!dec_findModuli(c)) return mjs_getError(c->spec);
  for (int changed = 1; changed;) {
    mjModel* const again = mj_compile(c->spec, NULL);
    if (!again) return mjs_getError(c->spec);
    changed = adjustSettings(c, again);
    mj_deleteModel(again);
  }
  return NULL;
}

mjSpec* sn_decompile(const mjModel* m, char* error, int error_sz) {
  Decompiler c = {.m = m, .spec = mj_makeSpec()};
  const char* wrong = allocate(&c) ? NULL : "out of memory";
  if (!wrong && !addPlugins(&c)) wrong = "the model uses a plugin that is not registered";
  if (!wrong) {
    makeParts(&c);
    wrong = compileAgain(&c);
  }
  if (wrong) {
    if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", wrong);
    mj_deleteSpec(c.spec);
    c.spec = NULL;
  }
  for (int i = 0; i < mjNOBJECT; i++) free(c.element[i]);
  free(c.body);
  free(c.flex);
  free(c.plugin);
  return c.spec;
}
