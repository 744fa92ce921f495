// Making, copying and freeing elements of any kind; driven by the table in kind.c.
#include "spec/element.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "spec/names.h"
#include "base/assert.h"

// -------------------------------------------------------------------------------------------- strings and vectors

// Strings and vectors lie behind the element, one after the other in the order of its field table; the public struct
// points to them. Programs copy whole structs, pointers and all, so what is ours is never found through those.
typedef SpcVec Member;
_Static_assert(sizeof(SpcString) == sizeof(Member), "one size for all members");

static void* allocate(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (!memory) bas_outOfMemory("model specification");
  return memory;
}

static void** member(void* spec, const SpcField* field) {
  return (void**)((char*)spec + field->offset);
}

void spc_linkMembers(SpcElement* e) {
  SpcVec* own = e->own;
  for (const SpcField* f = spc_kinds[e->kind].fields; f->type != 0xff; f++) *member(e->spec, f) = own++;

  // the name of a plugin instance is that of its element
  if (e->kind == SPC_PLUGIN) ((mjsPlugin*)e->spec)->name = (void*)&e->name;
}

SpcString* spc_infoOf(const SpcElement* e) {
  // the last row of every kind but classes and models
  if (e->kind == SPC_MODEL || e->kind == SPC_DEFAULT) return NULL;
  const SpcField* field = spc_kinds[e->kind].fields;
  while (field[1].type != 0xff) field++;
  return *member(e->spec, field);
}

const char* spc_info(const SpcElement* e) {
  const SpcString* const info = spc_infoOf(e);
  return info ? spc_text(info) : "";
}

static void freeMember(void* value, int type) {
  switch (type) {
    case SPC_STRING:
      spc_textFree(value);
      break;
    case SPC_STRINGS:
      spc_textsFree(value);
      break;
    case SPC_INTVECS:
    case SPC_FLOATVECS:
      spc_vecsFree(value);
      break;
    default:
      spc_vecFree(value);
  }
}

static void copyMember(void* to, const void* from, int type) {
  const SpcVec* source = from;
  switch (type) {
    case SPC_STRING:
      spc_textSetN(to, spc_text(from), spc_textLength(from));
      break;
    case SPC_STRINGS:
      spc_textsSet(to, source);
      break;
    case SPC_INTVECS:
      spc_vecsSet(to, source, sizeof(int));
      break;
    case SPC_FLOATVECS:
      spc_vecsSet(to, source, sizeof(float));
      break;
    default:
      spc_vecSet(to, source->begin, (size_t)(source->end - source->begin), 1);
  }
}

// -------------------------------------------------------------------------------------------- elements

// the mjs struct lies behind what the kind's head struct holds of its own
static void* specOf(SpcElement* e) {
  switch (e->kind) {
    case SPC_BODY:
      return &((SpcBody*)e)->spec;
    case SPC_FRAME:
      return &((SpcFrame*)e)->spec;
    case SPC_TENDON:
      return &((SpcTendon*)e)->spec;
    case SPC_WRAP:
      return &((SpcWrap*)e)->spec;
    case SPC_PLUGIN:
      return &((SpcPlugin*)e)->spec;
    case SPC_DEFAULT:
      return &((SpcDefault*)e)->spec;
    default:
      return (SpcPlain*)e + 1;
  }
}

// until it is in a list the model alone knows an element, so that nothing is lost when memory ends meanwhile
static void setLoose(SpcModel* model, SpcElement* e) {
  e->loose = model->loose;
  e->looseLink = &model->loose;
  if (e->loose) e->loose->looseLink = &e->loose;
  model->loose = e;
}

void spc_settle(SpcElement* e) {
  if (!e->looseLink) return;
  *e->looseLink = e->loose;
  if (e->loose) e->loose->looseLink = e->looseLink;
  e->looseLink = NULL;
}

SpcElement* spc_make(SpcModel* model, SpcKindId kind, SpcDefault* class) {
  const SpcKind* k = &spc_kinds[kind];
  const size_t plain = k->head == sizeof(SpcPlain) ? k->head + k->size : k->head;
  const size_t bytes = (plain + 15) & ~(size_t)15;
  size_t count = 0;
  while (k->fields[count].type != 0xff) count++;
  SpcElement* e = allocate(bytes + count * sizeof(Member));
  e->own = (Member*)(void*)((char*)e + bytes);
  e->base.elemtype = k->type;
  e->kind = kind;
  e->id = -1;
  model->made++;
  e->model = model;
  e->class = class;
  e->spec = specOf(e);
  setLoose(model, e);

  // built-in values first, then the class's template over them
  if (k->fill) k->fill(e->spec);
  spc_linkMembers(e);
  *(mjsElement**)e->spec = &e->base;

  // a texture per role, a file per face of a cube
  const int blanks = kind == SPC_MATERIAL ? mjNTEXROLE : kind == SPC_TEXTURE ? 6 : 0;
  void* const texts = kind == SPC_MATERIAL  ? ((mjsMaterial*)e->spec)->textures
                      : kind == SPC_TEXTURE ? ((mjsTexture*)e->spec)->cubefiles
                                            : NULL;
  for (int i = 0; i < blanks; i++) spc_textsAppend(texts, "");
  if (class && k->template >= 0) {
    void* template = *(void**)((char*)&class->spec + k->template);
    if (template) spc_copySpec(e, spc_head(*(mjsElement**)template));
  }
  return e;
}

void spc_copySpec(SpcElement* e, const SpcElement* source) {
  const SpcKind* k = &spc_kinds[e->kind];
  memcpy(e->spec, source->spec, k->size);
  *(mjsElement**)e->spec = &e->base;

  // the plain values are there; then what strings and vectors hold
  spc_linkMembers(e);
  SpcVec* own = e->own;
  for (const SpcField* f = k->fields; f->type != 0xff; f++, own++) {
    const void* from = *member(source->spec, f);
    if (from && *member(e->spec, f) == own) copyMember(own, from, f->type);
  }
  spc_copySettings(e, source);
}

void spc_clearAttributes(SpcPlugin* plugin) {
  for (SpcAttribute* a = (void*)plugin->attributes.begin; (char*)a < plugin->attributes.end; a++) {
    spc_textFree(&a->key);
    spc_textFree(&a->value);
  }
  spc_vecFree(&plugin->attributes);
}

static void freePath(SpcTendon* tendon) {
  for (int i = 0; i < tendon->path.count; i++) spc_free(tendon->path.at[i]);
  spc_listFree(&tendon->path);
}

void spc_copyExtras(SpcElement* e, const SpcElement* source) {
  if (e->kind == SPC_PLUGIN) {
    spc_clearAttributes((SpcPlugin*)e);
    const SpcVec* from = &((const SpcPlugin*)source)->attributes;
    for (const SpcAttribute* a = (const void*)from->begin; (const char*)a < from->end; a++) {
      spc_setAttribute((SpcPlugin*)e, spc_text(&a->key), spc_text(&a->value));
    }
  } else if (e->kind == SPC_TENDON) {
    SpcTendon* tendon = (SpcTendon*)e;
    const SpcTendon* from = (const SpcTendon*)source;
    freePath(tendon);
    for (int i = 0; i < from->path.count; i++) {
      const SpcWrap* old = (const SpcWrap*)from->path.at[i];
      SpcWrap* made = (SpcWrap*)spc_make(e->model, SPC_WRAP, NULL);
      spc_copySpec(&made->head, &old->head);
      spc_textSet(&made->target, spc_text(&old->target));
      spc_textSet(&made->sidesite, spc_text(&old->sidesite));
      made->prm = old->prm;
      spc_listAdd(&tendon->path, &made->head);
    }
  }
}

mjsPlugin* spc_plugin(const SpcElement* e) {
  switch (e->kind) {
    case SPC_BODY:
      return &((mjsBody*)e->spec)->plugin;
    case SPC_GEOM:
      return &((mjsGeom*)e->spec)->plugin;
    case SPC_MESH:
      return &((mjsMesh*)e->spec)->plugin;
    case SPC_ACTUATOR:
      return &((mjsActuator*)e->spec)->plugin;
    case SPC_SENSOR:
      return &((mjsSensor*)e->spec)->plugin;
    default:
      return NULL;
  }
}

const char* spc_fileName(const SpcElement* e) {
  switch (e->kind) {
    case SPC_MESH:
      return bas_pathFile(spc_text(((const mjsMesh*)e->spec)->file));
    case SPC_TEXTURE:
      return bas_pathFile(spc_text(((const mjsTexture*)e->spec)->file));
    case SPC_HFIELD:
      return bas_pathFile(spc_text(((const mjsHField*)e->spec)->file));
    default:
      return "";
  }
}

// frees the elements below a body, or the templates and classes below a class
static void freeChildren(SpcElement* e) {
  if (e->kind == SPC_BODY) {
    SpcBody* body = (SpcBody*)e;
    for (int kind = 0; kind <= SPC_LIGHT; kind++) {
      for (int i = 0; i < body->child[kind].count; i++) {
        SpcElement* child = body->child[kind].at[i];
        if (spc_isLent(child, body)) {
          child->lender = NULL;
        } else {
          spc_free(child);
        }
      }
      spc_listFree(&body->child[kind]);
    }
  } else if (e->kind == SPC_DEFAULT) {
    SpcDefault* class = (SpcDefault*)e;
    for (int kind = 0; kind < SPC_KINDS; kind++) {
      if (spc_kinds[kind].template <0) continue;
      void* template = *(void**)((char*)&class->spec + spc_kinds[kind].template);
      if (template) spc_free(spc_head(*(mjsElement**)template));
    }
    for (int i = 0; i < class->child.count; i++) spc_free(class->child.at[i]);
    spc_listFree(&class->child);
  }
}

void spc_free(SpcElement* e) {
  if (e->lender) spc_listRemove(&e->lender->child[e->kind], e);
  spc_settle(e);
  freeChildren(e);
  if (e->kind == SPC_PLUGIN) {
    spc_clearAttributes((SpcPlugin*)e);
    spc_freeAttributeMap((SpcPlugin*)e);
  }
  if (e->kind == SPC_TENDON) freePath((SpcTendon*)e);
  if (e->kind == SPC_WRAP) {
    spc_textFree(&((SpcWrap*)e)->target);
    spc_textFree(&((SpcWrap*)e)->sidesite);
  }

  // values of programs, with the clean-up they asked for
  for (SpcUserValue* v = (void*)e->values.begin; (char*)v < e->values.end; v++) {
    if (v->cleanup) v->cleanup(v->value);
    spc_textFree(&v->key);
  }
  spc_vecFree(&e->values);
  spc_vecFree(&e->keyed);
  spc_freeSettings(e);

  SpcVec* own = e->own;
  for (const SpcField* f = spc_kinds[e->kind].fields; f->type != 0xff; f++) freeMember(own++, f->type);
  if (!spc_textEmpty(&e->name)) spc_namesRemove(&e->model->names, e);
  spc_textFree(&e->name);

  // the model's own head lies inside the model
  if (e->kind != SPC_MODEL) free(e);
}

// -------------------------------------------------------------------------------------------- lists, attributes

static SpcBlock* blockOf(const SpcList* list) {
  return (SpcBlock*)(void*)list->at - 1;
}

static void unlinkBlock(SpcBlock* block) {
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
}

// room for the elements of a temporary list, known to the model of one of them; NULL: no memory
static SpcElement** growTemporary(SpcList* list, int room, SpcModel* model) {
  SpcBlock* const block = malloc(sizeof(*block) + (size_t)room * sizeof(SpcElement*));
  if (!block) return NULL;
  *block = (SpcBlock){model->blocks, &model->blocks};
  if (block->next) block->next->link = &block->next;
  model->blocks = block;
  SpcElement** const at = (SpcElement**)(void*)(block + 1);
  if (list->at) {
    memcpy(at, list->at, (size_t)list->count * sizeof(*at));
    unlinkBlock(blockOf(list));
    free(blockOf(list));
  }
  return at;
}

void spc_listAdd(SpcList* list, SpcElement* e) {
  BAS_ASSERT(e && list->count >= 0 && list->count <= list->room);
  if (list->count == list->room) {
    const int room = list->room ? 2 * list->room : 8;
    SpcElement** moved =
        list->temporary ? growTemporary(list, room, e->model) : realloc(list->at, (size_t)room * sizeof(SpcElement*));
    if (!moved) bas_outOfMemory("list of model elements");
    list->at = moved;
    list->room = room;
  }
  list->at[list->count++] = e;
  spc_settle(e);
}

int spc_listRemove(SpcList* list, const SpcElement* e) {
  for (int i = 0; i < list->count; i++) {
    if (list->at[i] != e) continue;
    list->count--;
    memmove(list->at + i, list->at + i + 1, (size_t)(list->count - i) * sizeof(*list->at));
    return 1;
  }
  return 0;
}

void spc_listFree(SpcList* list) {
  if (list->at && list->temporary) {
    unlinkBlock(blockOf(list));
    free(blockOf(list));
  } else {
    free(list->at);
  }
  *list = (SpcList){.temporary = list->temporary};
}

// first attribute whose key is not less than the given one
static SpcAttribute* lowerBound(const SpcPlugin* plugin, const char* key) {
  SpcAttribute* a = (void*)plugin->attributes.begin;
  while ((char*)a < plugin->attributes.end && strcmp(spc_text(&a->key), key) < 0) a++;
  return a;
}

const char* spc_attribute(const SpcPlugin* plugin, const char* key) {
  const SpcAttribute* a = lowerBound(plugin, key);
  return (const char*)a < plugin->attributes.end && spc_textIs(&a->key, key) ? spc_text(&a->value) : NULL;
}

void spc_setAttribute(SpcPlugin* plugin, const char* key, const char* value) {
  SpcAttribute* a = lowerBound(plugin, key);
  if ((char*)a == plugin->attributes.end || !spc_textIs(&a->key, key)) {
    // open a gap at its place
    const size_t place = (size_t)((char*)a - plugin->attributes.begin);
    spc_vecAppend(&plugin->attributes, NULL, 1, sizeof(SpcAttribute));
    a = (void*)(plugin->attributes.begin + place);
    memmove(a + 1, a, (size_t)(plugin->attributes.end - (char*)(a + 1)));
    *a = (SpcAttribute){0};
    spc_textSet(&a->key, key);
  }
  spc_textSet(&a->value, value);
}
