// The editable model as a whole: making and deleting it, adding elements, walking and searching it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/element.h"
#include "spec/names.h"
#include "spec/signature.h"

// -------------------------------------------------------------------------------------------- make, delete

SpcDefault* spc_addClass(SpcModel* model, const char* name, SpcDefault* parent) {
  if (spc_findDefault(model, name)) return NULL;
  SpcDefault* class = (SpcDefault*)spc_make(model, SPC_DEFAULT, NULL);
  class->parent = parent;
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    if (spc_kinds[kind].template <0) continue;
    SpcElement* template = spc_make(model, kind, parent);
    template->class = class;
    *(void**)((char*)&class->spec + spc_kinds[kind].template) = template->spec;
    spc_settle(template);
  }
  spc_rename(&class->head, name);
  if (parent) spc_listAdd(&parent->child, &class->head);
  spc_listAdd(&model->list[SPC_DEFAULT], &class->head);
  return class;
}

// the name, the main class and the world are always there
static void fillSpec(void* arg) {
  SpcModel* model = arg;
  spc_textSet(model->spec.modelname, "MuJoCo Model");
  SpcDefault* main = spc_addClass(model, "main", NULL);
  model->world = (SpcBody*)spc_make(model, SPC_BODY, main);
  spc_settle(&model->world->head);
  model->world->head.id = 0;
  spc_rename(&model->world->head, "world");
}

mjSpec* mj_makeSpec(void) {
  SpcModel* model = calloc(1, sizeof(*model));
  if (!model) {
    mju_error("out of memory: model specification");
    return NULL;
  }
  mjs_defaultSpec(&model->spec);
  model->references = 1;
  model->head.base.elemtype = mjOBJ_MODEL;
  model->head.kind = SPC_MODEL;
  model->head.id = -1;
  model->head.model = model;
  model->head.spec = &model->spec;
  model->spec.element = &model->head.base;
  model->head.own = model->own;
  spc_linkMembers(&model->head);

  // what is there of it goes when there is no memory for the rest
  char error[BAS_MESSAGE];
  if (bas_attempt(fillSpec, model, error)) return &model->spec;
  mj_deleteSpec(&model->spec);
  mju_error("%s", error);
  return NULL;
}

void mj_deleteSpec(mjSpec* s) {
  if (!s) return;
  SpcModel* model = spc_model(s);
  if (--model->references > 0) return;
  spc_namesFree(&model->names);
  if (model->world) spc_free(&model->world->head);
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    SpcList* list = &model->list[kind];
    if (kind == SPC_DEFAULT) {
      // the main class frees those below it
      if (list->count) spc_free(list->at[0]);
    } else {
      for (int i = 0; i < list->count; i++) spc_free(list->at[i]);
    }
    spc_listFree(list);
  }
  for (int i = 0; i < model->pending.count; i++) spc_free(model->pending.at[i]);
  spc_listFree(&model->pending);
  while (model->loose) spc_free(model->loose);
  while (model->blocks) {
    SpcBlock* block = model->blocks;
    model->blocks = block->next;
    free(block);
  }
  for (int i = 0; i < model->models.count; i++) mj_deleteSpec(model->models.at[i]->spec);
  spc_listFree(&model->models);
  for (SpcOrigin* origin = model->origins; origin;) {
    SpcOrigin* next = origin->next;
    spc_textFree(&origin->meshdir);
    spc_textFree(&origin->texturedir);
    spc_textFree(&origin->directory);
    free(origin);
    origin = next;
  }
  spc_textsFree(&model->plugins);
  spc_vecFree(&model->springs);
  spc_vecFree(&model->ranges);
  for (char** file = (void*)model->files.begin; (char*)file < model->files.end; file++) free(*file);
  spc_vecFree(&model->files);
  spc_free(&model->head);
  free(model);
}

// -------------------------------------------------------------------------------------------- add

static SpcDefault* classOf(const mjsDefault* def) {
  return def ? (SpcDefault*)spc_head(def->element) : NULL;
}

// Values may come from a class of another model, which is not held: the element then belongs to the main class.
static SpcElement* makeFrom(SpcModel* model, SpcKindId kind, SpcDefault* class) {
  SpcElement* e = spc_make(model, kind, class);
  if (class && class->head.model != model) e->class = spc_mainClass(model);
  return e;
}

// a new element below a body, from the given class or else from the body's own
static void* addToBody(mjsBody* parent, SpcKindId kind, const mjsDefault* def) {
  SpcBody* body = (SpcBody*)spc_head(parent->element);
  SpcElement* e = makeFrom(body->head.model, kind, def ? classOf(def) : body->head.class);
  e->body = body;
  spc_listAdd(&body->child[kind], e);
  spc_changed(e->model);
  return e->spec;
}

static void* addToModel(mjSpec* s, SpcKindId kind, const mjsDefault* def) {
  SpcModel* model = spc_model(s);
  SpcElement* e = makeFrom(model, kind, def ? classOf(def) : spc_mainClass(model));
  e->id = model->list[kind].count;
  spc_listAdd(&model->list[kind], e);
  spc_changed(model);
  return e->spec;
}

// clang-format off
mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_BODY, def); }
mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_SITE, def); }
mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_JOINT, def); }
mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_GEOM, def); }
mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_CAMERA, def); }
mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def) { return addToBody(body, SPC_LIGHT, def); }

mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_ACTUATOR, def); }
mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_PAIR, def); }
mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_EQUALITY, def); }
mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_TENDON, def); }
mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_MESH, def); }
mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def) { return addToModel(s, SPC_MATERIAL, def); }
mjsSensor* mjs_addSensor(mjSpec* s) { return addToModel(s, SPC_SENSOR, NULL); }
mjsFlex* mjs_addFlex(mjSpec* s) { return addToModel(s, SPC_FLEX, NULL); }
mjsExclude* mjs_addExclude(mjSpec* s) { return addToModel(s, SPC_EXCLUDE, NULL); }
mjsNumeric* mjs_addNumeric(mjSpec* s) { return addToModel(s, SPC_NUMERIC, NULL); }
mjsText* mjs_addText(mjSpec* s) { return addToModel(s, SPC_TEXT, NULL); }
mjsTuple* mjs_addTuple(mjSpec* s) { return addToModel(s, SPC_TUPLE, NULL); }
mjsKey* mjs_addKey(mjSpec* s) { return addToModel(s, SPC_KEY, NULL); }
mjsPlugin* mjs_addPlugin(mjSpec* s) { return addToModel(s, SPC_PLUGIN, NULL); }
mjsHField* mjs_addHField(mjSpec* s) { return addToModel(s, SPC_HFIELD, NULL); }
mjsSkin* mjs_addSkin(mjSpec* s) { return addToModel(s, SPC_SKIN, NULL); }
mjsTexture* mjs_addTexture(mjSpec* s) { return addToModel(s, SPC_TEXTURE, NULL); }
// clang-format on

mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  // a free joint takes no defaults: springs, damping and armature of a class are meant for other joints
  SpcBody* parent = (SpcBody*)spc_head(body->element);
  SpcElement* e = spc_make(parent->head.model, SPC_JOINT, NULL);
  e->class = parent->head.class;
  e->body = parent;
  spc_listAdd(&parent->child[SPC_JOINT], e);
  ((mjsJoint*)e->spec)->type = mjJNT_FREE;
  spc_changed(e->model);
  return e->spec;
}

mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  mjsFrame* frame = addToBody(body, SPC_FRAME, NULL);
  spc_head(frame->element)->frame = parentframe ? (SpcFrame*)spc_head(parentframe->element) : NULL;
  return frame;
}

mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  SpcModel* model = spc_model(s);
  SpcDefault* above = parent ? classOf(parent) : spc_mainClass(model);
  if (above->head.model != model) {
    spc_fail(model, "Error: default class '%s' belongs to another model", spc_text(&above->head.name));
    return NULL;
  }
  SpcDefault* made = spc_addClass(model, classname, above);
  return made ? &made->spec : NULL;
}

static mjsWrap* addWrap(mjsTendon* tendon, mjtWrap type, const char* target) {
  SpcTendon* owner = (SpcTendon*)spc_head(tendon->element);
  SpcWrap* wrap = (SpcWrap*)spc_make(owner->head.model, SPC_WRAP, NULL);
  wrap->spec.type = type;
  spc_textSet(&wrap->target, target);
  spc_listAdd(&owner->path, &wrap->head);
  return &wrap->spec;
}

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) {
  return addWrap(tendon, mjWRAP_SITE, name);
}

mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  // sphere or cylinder: the compiler knows once it has found the geom
  mjsWrap* wrap = addWrap(tendon, mjWRAP_SPHERE, name);
  spc_textSet(&((SpcWrap*)spc_head(wrap->element))->sidesite, sidesite);
  return wrap;
}

mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  mjsWrap* wrap = addWrap(tendon, mjWRAP_JOINT, name);
  ((SpcWrap*)spc_head(wrap->element))->prm = coef;
  return wrap;
}

mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  mjsWrap* wrap = addWrap(tendon, mjWRAP_PULLEY, "");
  ((SpcWrap*)spc_head(wrap->element))->prm = divisor;
  return wrap;
}

// -------------------------------------------------------------------------------------------- walk, search

// Elements that were moved away are still listed where they came from, together with what is inside of them by now. One
// that is inside of another such element, or was moved on from there, is left out: nothing is met twice.
static int isMet(const SpcElement* e, const SpcBody* body, const SpcModel* model) {
  if (!spc_isLent(e, body)) return 1;
  if (body->head.model != model) return 0;
  for (const SpcBody* up = e->body; up; up = up->head.body) {
    if (up->head.lender && up->head.lender->head.model == model) return 0;
  }
  return 1;
}

// bodies in depth-first order; other kinds body by body in that order
static void collect(const SpcModel* model, const SpcBody* body, SpcKindId kind, int recurse, SpcList* list) {
  for (int i = 0; kind != SPC_BODY && i < body->child[kind].count; i++) {
    if (isMet(body->child[kind].at[i], body, model)) spc_listAdd(list, body->child[kind].at[i]);
  }
  for (int i = 0; i < body->child[SPC_BODY].count; i++) {
    SpcBody* child = (SpcBody*)body->child[SPC_BODY].at[i];
    if (!isMet(&child->head, body, model)) continue;
    if (kind == SPC_BODY) spc_listAdd(list, &child->head);
    if (recurse) collect(model, child, kind, 1, list);
  }
}

void spc_collectBelow(const SpcBody* body, SpcKindId kind, int recurse, SpcList* list) {
  collect(body->head.model, body, kind, recurse, list);
}

void spc_collect(const SpcModel* model, SpcKindId kind, SpcList* list) {
  if (kind <= SPC_LIGHT) {
    if (kind == SPC_BODY) spc_listAdd(list, &model->world->head);
    spc_collectBelow(model->world, kind, 1, list);
    return;
  }
  for (int i = 0; i < model->list[kind].count; i++) spc_listAdd(list, model->list[kind].at[i]);
}

// the same without the table of names
static SpcElement* search(const SpcModel* model, SpcKindId kind, const char* name) {
  SpcElement* found = NULL;
  SpcList list = SPC_TEMPORARY;
  spc_collect(model, kind, &list);
  for (int i = 0; i < list.count && !found; i++) {
    if (spc_textIs(&list.at[i]->name, name)) found = list.at[i];
  }
  spc_listFree(&list);
  return found;
}

SpcElement* spc_find(const SpcModel* model, SpcKindId kind, const char* name) {
  SpcElement* found = spc_namesFind(&model->names, kind, name);
  if (found || !*name) return found;

  // programs write the names of plugin instances through their mjs structs
  return model->names.loose || kind == SPC_PLUGIN ? search(model, kind, name) : NULL;
}

// a class may have the empty name, which the table of names leaves out
SpcDefault* spc_findDefault(const SpcModel* model, const char* name) {
  return (SpcDefault*)(*name ? spc_find(model, SPC_DEFAULT, name) : search(model, SPC_DEFAULT, name));
}

SpcKindId spc_kindOf(mjtObj type) {
  if (type == mjOBJ_XBODY) return SPC_BODY;
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    if (spc_kinds[kind].type == type && kind != SPC_WRAP) return kind;
  }
  return SPC_KINDS;
}

const char* spc_internFile(SpcModel* model, const char* file) {
  for (char** known = (void*)model->files.begin; (char*)known < model->files.end; known++) {
    if (!strcmp(*known, file)) return *known;
  }
  char** const copy = spc_vecAppend(&model->files, NULL, 1, sizeof(char*));
  *copy = strdup(file);
  if (!*copy) {
    model->files.end -= sizeof(char*);
    bas_outOfMemory("file name");
  }
  return *copy;
}

int spc_fail(SpcModel* model, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(model->error, sizeof(model->error), format, args);
  va_end(args);
  model->warning = 0;
  return -1;
}
