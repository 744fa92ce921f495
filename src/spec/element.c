// Making, copying and freeing elements of any kind; driven by the table in kind.c.
#include "spec/element.h"

#include <stdlib.h>
#include <string.h>

#include "spec/names.h"

// -------------------------------------------------------------------------------------------- strings and vectors

// strings and vectors are separate allocations, as the public structs hold pointers to them
static const size_t valueSize = sizeof(SpcVec);
_Static_assert(sizeof(SpcString) == sizeof(SpcVec), "one size for all members");

static void* allocate(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (!memory) mju_error("out of memory: %zu bytes for a model specification", bytes);
  return memory;
}

static void** member(void* spec, const SpcField* field) {
  return (void**)((char*)spec + field->offset);
}

static void makeMembers(void* spec, const SpcField* field) {
  for (; field->type != 0xff; field++) *member(spec, field) = allocate(valueSize);
}

static void freeMember(void* value, int type) {
  if (!value) return;
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
  free(value);
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

SpcElement* spc_make(SpcModel* model, SpcKindId kind, SpcDefault* class) {
  const SpcKind* k = &spc_kinds[kind];
  SpcElement* e = allocate(k->head == sizeof(SpcPlain) ? k->head + k->size : k->head);
  e->base.elemtype = k->type;
  e->kind = kind;
  e->id = -1;
  e->model = model;
  e->class = class;
  e->spec = specOf(e);

  // built-in values first, then the class's template over them
  if (k->fill) k->fill(e->spec);
  makeMembers(e->spec, k->fields);
  *(mjsElement**)e->spec = &e->base;
  if (class && k->template >= 0) {
    void* template = *(void**)((char*)&class->spec + k->template);
    if (template) spc_copySpec(e, spc_head(*(mjsElement**)template));
  }
  return e;
}

void spc_copySpec(SpcElement* e, const SpcElement* source) {
  const SpcKind* k = &spc_kinds[e->kind];

  // keep our own members while the plain values are copied over
  enum { MOST = 16 };
  void* own[MOST];
  int count = 0;
  for (const SpcField* f = k->fields; f->type != 0xff; f++) own[count++] = *member(e->spec, f);
  memcpy(e->spec, source->spec, k->size);
  *(mjsElement**)e->spec = &e->base;

  // then copy what strings and vectors hold
  count = 0;
  for (const SpcField* f = k->fields; f->type != 0xff; f++) {
    *member(e->spec, f) = own[count++];
    copyMember(*member(e->spec, f), *member(source->spec, f), f->type);
  }
}

static void freeAttributes(SpcPlugin* plugin) {
  for (SpcAttribute* a = (void*)plugin->attributes.begin; (char*)a < plugin->attributes.end; a++) {
    spc_textFree(&a->key);
    spc_textFree(&a->value);
  }
  spc_vecFree(&plugin->attributes);
}

static void freePath(SpcTendon* tendon) {
  for (int i = 0; i < tendon->path.count; i++) {
    SpcWrap* wrap = (SpcWrap*)tendon->path.at[i];
    spc_textFree(&wrap->target);
    spc_textFree(&wrap->sidesite);
    spc_free(&wrap->head);
  }
  spc_listFree(&tendon->path);
}

void spc_copyExtras(SpcElement* e, const SpcElement* source) {
  if (e->kind == SPC_PLUGIN) {
    freeAttributes((SpcPlugin*)e);
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

// frees the elements below a body, or the templates and classes below a class
static void freeChildren(SpcElement* e) {
  if (e->kind == SPC_BODY) {
    SpcBody* body = (SpcBody*)e;
    for (int kind = 0; kind <= SPC_LIGHT; kind++) {
      for (int i = 0; i < body->child[kind].count; i++) spc_free(body->child[kind].at[i]);
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
  freeChildren(e);
  if (e->kind == SPC_PLUGIN) freeAttributes((SpcPlugin*)e);
  if (e->kind == SPC_TENDON) freePath((SpcTendon*)e);

  // values of programs, with the clean-up they asked for
  for (SpcUserValue* v = (void*)e->values.begin; (char*)v < e->values.end; v++) {
    if (v->cleanup) v->cleanup(v->value);
    spc_textFree(&v->key);
  }
  spc_vecFree(&e->values);
  spc_vecFree(&e->keyed);

  const SpcField* fields = spc_kinds[e->kind].fields;
  for (const SpcField* f = fields; f->type != 0xff; f++) freeMember(*member(e->spec, f), f->type);
  if (!spc_textEmpty(&e->name)) spc_namesRemove(&e->model->names, e);
  spc_textFree(&e->name);

  // the model's own head lies inside the model
  if (e->kind != SPC_MODEL) free(e);
}

// -------------------------------------------------------------------------------------------- lists, attributes

void spc_listAdd(SpcList* list, SpcElement* e) {
  if (list->count == list->room) {
    const int room = list->room ? 2 * list->room : 8;
    SpcElement** moved = realloc(list->at, (size_t)room * sizeof(*moved));
    if (!moved) mju_error("out of memory: list of %d model elements", room);
    list->at = moved;
    list->room = room;
  }
  list->at[list->count++] = e;
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
  free(list->at);
  *list = (SpcList){0};
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
