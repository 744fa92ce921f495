// What holds of an editable model between calls of the interface.
#include "base/assert.h"
#include "spec/element.h"

static void assertElement(const SpcModel* model, const SpcElement* e, int kind) {
  BAS_ASSERT(e != NULL);
  BAS_ASSERT((int)e->kind == kind);
  BAS_ASSERT(e->base.elemtype == spc_kinds[kind].type);
  BAS_ASSERT(e->model == model);
  BAS_ASSERT(e->id >= -1);
  BAS_ASSERT((const char*)e->spec >= (const char*)e + sizeof(SpcElement));
  BAS_ASSERT(*(mjsElement* const*)e->spec == &e->base);
  BAS_ASSERT(e->copy == NULL);
}

static void assertList(const SpcModel* model, const SpcList* list, int kind) {
  BAS_ASSERT(list->count >= 0 && list->count <= list->room);
  BAS_ASSERT(list->count == 0 || list->at != NULL);
  for (int i = 0; i < list->count; i++) assertElement(model, list->at[i], kind);
}

// what a body holds; elements that were moved to another model are still listed here and have another body
static void assertBody(const SpcModel* model, const SpcBody* body) {
  for (int kind = SPC_BODY; kind <= SPC_LIGHT; kind++) {
    const SpcList* list = &body->child[kind];
    BAS_ASSERT(list->count >= 0 && list->count <= list->room);
    for (int i = 0; i < list->count; i++) {
      const SpcElement* e = list->at[i];
      if (spc_isLent(e, body)) continue;
      assertElement(model, e, kind);
      BAS_ASSERT(e->frame == NULL || e->frame->head.body == body);
      if (kind == SPC_BODY) assertBody(model, (const SpcBody*)e);
    }
  }
}

void spc_assertModel(const SpcModel* model) {
  BAS_ASSERT(model->world != NULL && model->world->head.body == NULL);
  BAS_ASSERT(model->head.kind == SPC_MODEL && model->head.model == model);
  BAS_ASSERT(model->references > 0);
  BAS_ASSERT(model->list[SPC_DEFAULT].count > 0 && spc_mainClass(model)->parent == NULL);
  BAS_ASSERT(model->names.used <= model->names.room);
  BAS_ASSERT((model->names.room & (model->names.room - 1)) == 0);
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    BAS_ASSERT(kind > SPC_LIGHT || model->list[kind].count == 0);
    if (kind > SPC_LIGHT && !model->attached) assertList(model, &model->list[kind], kind);
  }
  assertBody(model, model->world);
}
