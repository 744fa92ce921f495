// Elements from one model to another: see graft.h.
#include "spec/graft.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "spec/names.h"

static void mark(SpcGraft* g, SpcElement* original, SpcElement* copy) {
  original->copy = copy;
  spc_listAdd(&g->touched, original);
}

static int isForeign(const SpcGraft* g) {
  return g->to != g->from;
}

// -------------------------------------------------------------------------------------------- references

// A reference follows its target's new name. Within one model it stays as it is where there is no target of the new
// name, unless it is a strict one; names alone decide, so a copy of what refers to a1 may come to refer to an old a10.
// "world" is kept where it has no new name: it has one when the world itself was attached.
typedef struct {
  const SpcGraft* graft;
  int dry;      // 1: only count
  int total;    // references, without those to shared assets
  int renamed;  // references with new names
  int missing;  // references that lead nowhere in the model that they come to
} Renaming;

// the new name of a target; 1: there is one
static int newName(const SpcGraft* g, SpcString* made, SpcKindId kind, const SpcString* name) {
  spc_textJoin(made, g->prefix, spc_text(name), g->suffix);
  return spc_find(g->to, kind, spc_text(made)) != NULL;
}

static int isStrict(const SpcGraft* g, const SpcReference* reference) {
  if (reference->strict || (isForeign(g) && reference->asset)) return 1;
  if (!reference->with || spc_textEmpty(reference->with)) return 0;
  SpcString made = {0};
  const int found = newName(g, &made, SPC_SITE, reference->with);
  spc_textFree(&made);
  return found;
}

static void renameReference(const SpcReference* reference, void* context) {
  Renaming* r = context;
  const SpcGraft* g = r->graft;
  const int strict = isStrict(g, reference);
  r->total += strict || !reference->asset;
  SpcString made = {0};
  const int found = newName(g, &made, reference->kind, reference->name);
  const int world = reference->kind == SPC_BODY && spc_textIs(reference->name, "world");
  if (world && !found && (isForeign(g) || !strict)) {
    spc_textFree(&made);
    return;
  }
  const int follow = strict || (!reference->asset && !reference->with && found);
  if (!(follow ? found : spc_find(g->to, reference->kind, spc_text(reference->name)) != NULL)) r->missing++;
  if (follow && !r->dry) {
    spc_textFree(reference->name);
    *reference->name = made;
  } else {
    spc_textFree(&made);
  }
  r->renamed += follow;
}

static void renameReferences(const SpcGraft* g, SpcElement* e) {
  Renaming r = {.graft = g};
  spc_references(e, renameReference, &r);
}

// 1: element number i of a list outside the tree comes along: it refers to something of this graft and to nothing that
// stays behind, or to nothing at all
static int isDue(const SpcGraft* g, SpcElement* e, int i) {
  Renaming r = {.graft = g, .dry = 1};
  spc_references(e, renameReference, &r);
  const int copied = g->round && i >= g->round->known[e->kind];
  if (g->round && !r.total) g->round->free[e->kind] = 1;
  return !r.missing && (!r.total || (r.renamed && !copied));
}

void spc_graftReferences(const SpcGraft* g) {
  for (int i = 0; i < g->touched.count; i++) {
    SpcElement* made = g->touched.at[i]->copy;
    if (made->kind <= SPC_LIGHT) renameReferences(g, made);
  }
}

// -------------------------------------------------------------------------------------------- settings, classes

static SpcOrigin* addOrigin(SpcModel* to, const mjsCompiler* compiler, const char* directory) {
  SpcOrigin* origin = calloc(1, sizeof(*origin));
  if (!origin) bas_outOfMemory("settings of an attached model");
  origin->next = to->origins;
  to->origins = origin;
  origin->compiler = *compiler;
  spc_textSet(&origin->meshdir, spc_text(compiler->meshdir));
  spc_textSet(&origin->texturedir, spc_text(compiler->texturedir));
  spc_textSet(&origin->directory, directory);
  origin->compiler.meshdir = &origin->meshdir;
  origin->compiler.texturedir = &origin->texturedir;
  return origin;
}

static void copyTemplates(const SpcGraft* g, SpcDefault* to, const SpcDefault* from) {
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    if (spc_kinds[kind].template <0) continue;
    SpcElement* made = spc_template(to, kind);
    spc_copySpec(made, spc_template(from, kind));
    made->origin = g->origin;
    renameReferences(g, made);
  }
}

// the other model's classes below one of ours; a class that we have already stands for one of the same name
static void copyClass(SpcGraft* g, SpcDefault* class, SpcDefault* parent) {
  spc_textJoin(&g->name, g->prefix, spc_text(&class->head.name), g->suffix);
  SpcDefault* made = spc_addClass(g->to, spc_text(&g->name), parent);
  if (made) {
    copyTemplates(g, made, class);
  } else {
    made = spc_findDefault(g->to, spc_text(&g->name));
  }
  mark(g, &class->head, &made->head);
  for (int i = 0; i < class->child.count; i++) copyClass(g, (SpcDefault*)class->child.at[i], made);
}

// -------------------------------------------------------------------------------------------- elements

// plugin instances without a name belong to the element that uses them and follow it
static void followPlugin(SpcGraft* g, SpcElement* e) {
  mjsPlugin* plugin = spc_plugin(e);
  if (!plugin || !plugin->element || !isForeign(g)) return;
  SpcElement* instance = spc_head(plugin->element);
  if (instance->kind != SPC_PLUGIN) return;
  if (!instance->copy) {
    const int move = g->move;
    g->move = 0;
    SpcElement* made = spc_graftElement(g, instance);
    g->move = move;
    made->id = g->to->list[SPC_PLUGIN].count;
    spc_listAdd(&g->to->list[SPC_PLUGIN], made);
  }
  plugin->element = &instance->copy->base;
}

// the class that a body or frame gives to what is inside it
static void renameChildclass(const SpcGraft* g, SpcElement* e) {
  SpcString* name = NULL;
  if (e->kind == SPC_BODY) name = ((mjsBody*)e->spec)->childclass;
  if (e->kind == SPC_FRAME) name = ((mjsFrame*)e->spec)->childclass;
  if (name && !spc_textEmpty(name)) spc_textJoin(name, g->prefix, spc_text(name), g->suffix);
}

static void nameGrafted(const SpcGraft* g, SpcElement* made, const char* name) {
  if (*name) {
    spc_renameWith(made, g->prefix, name, g->suffix);
  } else if (*spc_fileName(made) && (*g->prefix || *g->suffix)) {
    // an asset without a name is found by that of its file
    const char* base = spc_fileName(made);
    const char* extension = bas_pathExtension(base);
    SpcString stem = {0};
    spc_textSetN(&stem, base, *extension ? (size_t)(extension - base) : strlen(base));
    spc_renameWith(made, g->prefix, spc_text(&stem), g->suffix);
    spc_textFree(&stem);
  }
}

// the element itself, as one of the other model
static SpcElement* moveElement(const SpcGraft* g, SpcElement* e) {
  spc_namesRemove(&e->model->names, e);
  e->model->names.loose = 1;  // what still lists it finds it under the new name
  e->model = g->to;
  if (e->kind == SPC_TENDON) {
    SpcTendon* tendon = (SpcTendon*)e;
    for (int i = 0; i < tendon->path.count; i++) tendon->path.at[i]->model = g->to;
  }

  // back where it once was: nobody lends it there
  if (e->lender && e->lender->head.model == g->to) {
    spc_listRemove(&e->lender->child[e->kind], e);
    e->lender = NULL;
  }
  nameGrafted(g, e, spc_text(&e->name));
  return e;
}

static SpcElement* copyElement(const SpcGraft* g, SpcElement* original) {
  SpcElement* copy = spc_make(g->to, original->kind, NULL);
  spc_copySpec(copy, original);
  spc_copyExtras(copy, original);
  nameGrafted(g, copy, spc_text(&original->name));
  copy->line = original->line;
  copy->recorded = original->recorded;
  return copy;
}

// what keyframes of the model say goes to the new element alone; what others say stays with the original
static void takeKeyed(const SpcGraft* g, SpcElement* made, SpcElement* original) {
  const size_t count = spc_vecCount(&original->keyed, sizeof(SpcKeyValue));
  SpcVec ours = {0}, others = {0};
  for (size_t i = 0; i < count; i++) {
    const SpcKeyValue* value = (const SpcKeyValue*)(const void*)original->keyed.begin + i;
    spc_vecAppend(value->key->model == g->to ? &ours : &others, value, 1, sizeof(*value));
  }
  spc_vecFree(&original->keyed);
  original->keyed = others;
  spc_vecFree(&made->keyed);
  made->keyed = ours;
}

SpcElement* spc_graftElement(SpcGraft* g, SpcElement* original) {
  SpcElement* made = g->move ? moveElement(g, original) : copyElement(g, original);
  if (original->keyed.begin) takeKeyed(g, made, original);
  made->file = original->file ? spc_internFile(g->to, original->file) : NULL;
  made->class = original->class;
  made->origin = original->origin;
  if (isForeign(g)) {
    if (original->class) made->class = (SpcDefault*)original->class->head.copy;
    made->origin = original->origin ? original->origin->copy : g->origin;
    renameChildclass(g, made);
  }
  followPlugin(g, made);
  mark(g, original, made);
  return made;
}

// -------------------------------------------------------------------------------------------- tree

static const SpcKindId treeOrder[] = {SPC_FRAME, SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT, SPC_BODY};
enum { TREE_KINDS = sizeof(treeOrder) / sizeof(treeOrder[0]) };

// What a body has lent does not follow it to another model: that may be where the lent element is, with this body
// inside of it.
static void forgetLent(SpcBody* body, SpcList* list) {
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (spc_isLent(list->at[i], body)) {
      list->at[i]->lender = NULL;
    } else {
      list->at[kept++] = list->at[i];
    }
  }
  list->count = kept;
}

// everything below a body that is moved: it stays in the body's lists
static void moveBelow(SpcGraft* g, SpcBody* body) {
  for (int k = 0; k < TREE_KINDS; k++) {
    SpcList* list = &body->child[treeOrder[k]];
    forgetLent(body, list);
    for (int i = 0; i < list->count; i++) {
      spc_graftElement(g, list->at[i]);
      if (treeOrder[k] == SPC_BODY) moveBelow(g, (SpcBody*)list->at[i]);
    }
  }
}

SpcBody* spc_graftBody(SpcGraft* g, SpcBody* original) {
  SpcBody* made = (SpcBody*)spc_graftElement(g, &original->head);
  if (g->move) {
    moveBelow(g, made);
  } else {
    spc_graftInside(g, original, NULL, (SpcPlace){made, NULL});
  }
  return made;
}

// 1: the element stands in the frame or in one inside it (NULL: anywhere)
static int isInside(const SpcElement* e, const SpcFrame* frame) {
  const SpcFrame* up = e->frame;
  while (up && up != frame) up = up->head.frame;
  return up == frame || !frame;
}

static SpcFrame* mapFrame(const SpcFrame* frame, SpcFrame* outside) {
  return frame ? (SpcFrame*)frame->head.copy : outside;
}

void spc_graftLend(const SpcGraft* g, SpcElement* e, SpcBody* lender) {
  if (!g->move) return;
  if (e->lender) spc_listRemove(&e->lender->child[e->kind], e);
  e->lender = lender;
}

static void graftInto(SpcGraft* g, SpcElement* original, SpcPlace place) {
  const SpcFrame* frame = original->frame;
  SpcBody* before = original->body;
  SpcElement* made =
      original->kind == SPC_BODY ? &spc_graftBody(g, (SpcBody*)original)->head : spc_graftElement(g, original);
  made->body = place.body;
  if (made->kind != SPC_FRAME) made->frame = mapFrame(frame, place.frame);
  spc_listAdd(&place.body->child[made->kind], made);
  spc_graftLend(g, made, before);
}

SpcList spc_inside(const SpcBody* body, const SpcFrame* frame) {
  SpcList inside = SPC_TEMPORARY;
  for (int k = 0; k < TREE_KINDS; k++) {
    const SpcList* list = &body->child[treeOrder[k]];
    for (int i = 0; i < list->count; i++) {
      if (!spc_isLent(list->at[i], body) && isInside(list->at[i], frame)) spc_listAdd(&inside, list->at[i]);
    }
  }
  return inside;
}

void spc_graftTree(SpcGraft* g, const SpcList* elements, SpcPlace place) {
  // frames come first, but may stand in frames that come later
  int i = 0;
  for (; i < elements->count && elements->at[i]->kind == SPC_FRAME; i++) graftInto(g, elements->at[i], place);
  for (int k = 0; k < i; k++) {
    SpcElement* frame = elements->at[k];
    frame->copy->frame = mapFrame(frame->frame, place.frame);
  }
  for (; i < elements->count; i++) graftInto(g, elements->at[i], place);
}

void spc_graftInside(SpcGraft* g, const SpcBody* body, const SpcFrame* frame, SpcPlace place) {
  SpcList inside = spc_inside(body, frame);
  spc_graftTree(g, &inside, place);
  spc_listFree(&inside);
}

// -------------------------------------------------------------------------------------------- lists

static void addToList(SpcGraft* g, SpcElement* made) {
  SpcList* list = &g->to->list[made->kind];
  made->id = list->count;
  spc_listAdd(list, made);
}

// every element of a kind, as a copy
static void copyAll(SpcGraft* g, SpcKindId kind) {
  const int move = g->move;
  g->move = 0;
  for (int i = 0; i < g->from->list[kind].count; i++) {
    SpcElement* original = g->from->list[kind].at[i];
    if (original->copy) continue;
    SpcElement* made = spc_graftElement(g, original);
    renameReferences(g, made);
    addToList(g, made);
  }
  g->move = move;
}

static const SpcKindId assetKinds[] = {SPC_TEXTURE, SPC_MATERIAL, SPC_MESH, SPC_HFIELD, SPC_NUMERIC, SPC_TEXT};
// skins first
static const SpcKindId otherKinds[] = {SPC_SKIN,     SPC_FLEX,     SPC_PAIR,   SPC_EXCLUDE, SPC_TENDON,
                                       SPC_EQUALITY, SPC_ACTUATOR, SPC_SENSOR, SPC_TUPLE};
enum { OTHER_KINDS = sizeof(otherKinds) / sizeof(otherKinds[0]) };

// -1: the name is taken
static int graftListed(SpcGraft* g, SpcElement* e) {
  if (g->move) spc_listRemove(&g->from->list[e->kind], e);
  SpcElement* made = spc_graftElement(g, e);
  renameReferences(g, made);
  addToList(g, made);
  const char* const name = spc_text(&made->name);
  const SpcElement* const first = spc_find(g->to, made->kind, name);
  if (!first || first == made) return 0;
  return spc_fail(g->to, "Error: repeated name '%s' in %s", name, spc_kinds[made->kind].name);
}

// elements of a list that come along
static SpcList dueOf(const SpcGraft* g, const SpcList* list) {
  SpcList due = SPC_TEMPORARY;
  for (int i = 0; i < list->count; i++) {
    SpcElement* const e = list->at[i];
    if (g->round && i >= g->round->known[e->kind] && !g->round->free[e->kind]) break;
    if (isDue(g, e, i)) spc_listAdd(&due, e);
  }
  return due;
}

int spc_graftLists(SpcGraft* g) {
  for (size_t i = 0; isForeign(g) && i < sizeof(assetKinds) / sizeof(assetKinds[0]); i++) copyAll(g, assetKinds[i]);

  // kind by kind: sensors follow actuators, which follow tendons; skins are not copied within one model
  int status = 0;
  for (int k = isForeign(g) ? 0 : 1; k < OTHER_KINDS; k++) {
    const SpcList* list = &g->from->list[otherKinds[k]];
    SpcList due = dueOf(g, list);
    for (int i = 0; i < due.count; i++) status |= graftListed(g, due.at[i]);
    for (int i = 0; g->move && i < list->count; i++) list->at[i]->id = i;
    spc_listFree(&due);
  }
  return status;
}

// -1: two elements of a kind have the same name
static int checkNames(SpcModel* model, SpcKindId kind) {
  const SpcList* const list = &model->list[kind];
  for (int i = 0; i < list->count; i++) {
    const char* const name = spc_text(&list->at[i]->name);
    if (!*name || spc_find(model, kind, name) == list->at[i]) continue;
    return spc_fail(model, "Error: repeated name '%s' in %s", name, spc_kinds[kind].name);
  }
  return 0;
}

int spc_graftNames(SpcGraft* g) {
  g->to->repeats |= g->from->repeats;
  for (size_t i = 0; g->to->repeats && i < sizeof(assetKinds) / sizeof(assetKinds[0]); i++) {
    if (checkNames(g->to, assetKinds[i])) return -1;
  }
  for (int k = 0; g->to->repeats && k < OTHER_KINDS; k++) {
    if (checkNames(g->to, otherKinds[k])) return -1;
  }
  return 0;
}

// -------------------------------------------------------------------------------------------- begin and end

// keyframes that wait for the other model to be compiled wait here from now on, under their names
static void takePending(const SpcGraft* g) {
  SpcList* pending = &g->from->pending;
  if (!pending->count) return;
  mju_warning("child model has pending keyframes: compile it before it is attached to have them renamed");
  for (int i = 0; i < pending->count; i++) {
    SpcElement* key = pending->at[i];
    SpcGraft plain = {.to = g->to, .from = g->from, .prefix = "", .suffix = ""};
    moveElement(&plain, key);
    key->class = NULL;
    spc_listAdd(&g->to->pending, key);
  }
  pending->count = 0;
}

static int graftKeys(const SpcGraft* g) {
  SpcList elements = spc_stateElements(g->from);
  const SpcKeyNames names = {.prefix = g->prefix, .suffix = g->suffix};
  const int status = spc_keysToElements(g->from, g->to, &names, &elements);
  spc_listFree(&elements);
  return status;
}

int spc_graftOpen(SpcGraft* g) {
  if (!isForeign(g)) return graftKeys(g);
  SpcModel *to = g->to, *from = g->from;
  for (SpcOrigin* o = from->origins; o; o = o->next) o->copy = addOrigin(to, &o->compiler, spc_text(&o->directory));
  for (size_t i = 0; i < spc_textsCount(&from->plugins); i++) {
    mjs_activatePlugin(&to->spec, spc_text(spc_textsAt(&from->plugins, i)));
  }
  if (g->whole) {
    // classes one to one; keyframes before the elements that know about them
    copyTemplates(g, spc_mainClass(to), spc_mainClass(from));
    mark(g, &spc_mainClass(from)->head, &spc_mainClass(to)->head);
    const SpcList* below = &spc_mainClass(from)->child;
    for (int i = 0; i < below->count; i++) copyClass(g, (SpcDefault*)below->at[i], spc_mainClass(to));
    return 0;
  }
  g->origin = addOrigin(to, &from->spec.compiler, spc_text(from->spec.modelfiledir));
  copyClass(g, spc_mainClass(from), spc_mainClass(to));
  if (graftKeys(g)) return -1;
  takePending(g);

  // named plugin instances are assets
  const int move = g->move;
  g->move = 0;
  for (int i = 0; i < from->list[SPC_PLUGIN].count; i++) {
    SpcElement* instance = from->list[SPC_PLUGIN].at[i];
    if (!spc_textEmpty(&instance->name)) addToList(g, spc_graftElement(g, instance));
  }
  g->move = move;
  return 0;
}

void spc_graftMark(SpcGraft* g, SpcElement* original, SpcElement* copy) {
  mark(g, original, copy);
}

// 1: something that was grafted uses the plugin instance
static int isUsed(const SpcGraft* g, const SpcElement* instance) {
  for (int i = 0; i < g->touched.count; i++) {
    const mjsPlugin* plugin = spc_plugin(g->touched.at[i]->copy);
    if (plugin && plugin->active && spc_textIs(plugin->name, spc_text(&instance->name))) return 1;
  }
  return 0;
}

// plugin instances came along by name: those that nothing asked for go again
static void dropUnused(SpcGraft* g) {
  SpcList* list = &g->to->list[SPC_PLUGIN];
  for (int i = 0; i < g->touched.count; i++) {
    SpcElement* instance = g->touched.at[i]->copy;
    if (instance->kind != SPC_PLUGIN || spc_textEmpty(&instance->name) || isUsed(g, instance)) continue;
    g->touched.at[i]->copy = NULL;
    g->touched.at[i] = g->touched.at[--g->touched.count];
    i--;
    spc_listRemove(list, instance);
    spc_free(instance);
  }

  // the others stand behind those without a name, which came with their elements
  for (int i = 0; i < g->from->list[SPC_PLUGIN].count; i++) {
    SpcElement* instance = g->from->list[SPC_PLUGIN].at[i]->copy;
    if (!instance || spc_textEmpty(&instance->name)) continue;
    spc_listRemove(list, instance);
    spc_listAdd(list, instance);
  }
  for (int i = 0; i < list->count; i++) list->at[i]->id = i;
}

void spc_graftClose(SpcGraft* g) {
  if (isForeign(g) && !g->whole) dropUnused(g);
  spc_graftDrop(g);
}

void spc_graftDrop(SpcGraft* g) {
  for (int i = 0; i < g->touched.count; i++) g->touched.at[i]->copy = NULL;
  spc_listFree(&g->touched);
  spc_textFree(&g->name);
}

// -------------------------------------------------------------------------------------------- whole models

// what keyframes of the copied model say, with the copies of those keyframes
static void copyKeyed(const SpcGraft* g) {
  for (int i = 0; i < g->touched.count; i++) {
    const SpcVec* keyed = &g->touched.at[i]->keyed;
    for (const SpcKeyValue* v = (const void*)keyed->begin; (const char*)v < keyed->end; v++) {
      SpcKeyValue value = *v;
      value.key = v->key->copy;
      if (value.key) spc_vecAppend(&g->touched.at[i]->copy->keyed, &value, 1, sizeof(value));
    }
  }
}

static void copyWhole(void* arg) {
  SpcGraft* const g = arg;
  SpcModel *const to = g->to, *const from = g->from;
  spc_copySpec(&to->head, &from->head);
  to->head.base.signature = from->head.base.signature;
  to->deepcopy = from->deepcopy;
  spc_graftOpen(g);

  // the world takes the other's values and content
  spc_copySpec(&to->world->head, &from->world->head);
  mark(g, &from->world->head, &to->world->head);
  for (int kind = SPC_FLEX; kind < SPC_DEFAULT; kind++) copyAll(g, kind);
  spc_graftInside(g, from->world, NULL, (SpcPlace){to->world, NULL});
  for (int i = 0; i < from->pending.count; i++) spc_listAdd(&to->pending, spc_graftElement(g, from->pending.at[i]));
  copyKeyed(g);

  // attached models are shared
  for (int i = 0; i < from->models.count; i++) {
    spc_listAdd(&to->models, from->models.at[i]);
    from->models.at[i]->model->references++;
  }
}

mjSpec* mj_copySpec(const mjSpec* s) {
  mjSpec* const made = mj_makeSpec();
  if (!made) return NULL;
  SpcGraft g = {
      .to = spc_model(made), .from = spc_model(s), .prefix = "", .suffix = "", .whole = 1, .touched = SPC_TEMPORARY};
  char error[BAS_MESSAGE];
  const int good = bas_attempt(copyWhole, &g, error);
  spc_graftDrop(&g);
  if (good) return made;
  mj_deleteSpec(made);
  mju_error("mj_copySpec: %.900s", error);
  return NULL;
}
