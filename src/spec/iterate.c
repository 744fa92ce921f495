// mjs_first*, mjs_next*: walking over the elements of a model or below a body.
//
// The order is that of spc_collect. A step goes on from where its element stands, so that a walk over n elements costs
// n, whatever comes and goes meanwhile: an element remembers where its list had it when it was met, which is a good
// guess. Where elements were lent to other models they are collected at each step.
#include "spec/element.h"

// where an element stands in its list, -1: nowhere; from the guess downwards first, as deleting moves elements down
static int placeIn(const SpcList* list, const SpcElement* e) {
  int place = e->place < list->count ? e->place : list->count - 1;
  while (place >= 0 && list->at[place] != e) place--;
  for (int i = e->place + 1; place < 0 && i < list->count; i++) {
    if (list->at[i] == e) place = i;
  }
  return place;
}

// the element at a place of a list, NULL: there is none
static SpcElement* elementAt(const SpcList* list, int place) {
  if (place >= list->count) return NULL;
  list->at[place]->place = place;
  return list->at[place];
}

// a walk below a body
typedef struct {
  const SpcBody* root;
  SpcKindId kind;
  int recurse;
  int lent;  // 1: met something that belongs to another body by now
} Walk;

// 1: two bodies of the walk's model may list the element
static int isLentHere(const Walk* w, const SpcElement* e) {
  return e->lender && e->lender->head.model == w->root->head.model;
}

// the child of a body at a place, as elementAt
static SpcElement* childAt(Walk* w, const SpcBody* body, SpcKindId kind, int place) {
  SpcElement* const e = elementAt(&body->child[kind], place);
  w->lent |= e && spc_isLent(e, body);
  return e;
}

// the first element in the bodies from a child of a body on, depth first, up to the end of the walk
static SpcElement* firstFrom(Walk* w, const SpcBody* body, int child) {
  while (!w->lent) {
    SpcElement* const next = childAt(w, body, SPC_BODY, child);
    if (next && w->kind == SPC_BODY) return next;
    if (next) {
      // its own elements, then its children
      body = (const SpcBody*)next;
      SpcElement* const e = childAt(w, body, w->kind, 0);
      if (e) return e;
      child = 0;
    } else {
      // back to where this body stands
      if (body == w->root) return NULL;
      SpcBody* const parent = body->head.body;
      if (!parent || isLentHere(w, &body->head)) break;
      child = placeIn(&parent->child[SPC_BODY], &body->head) + 1;
      if (child == 0) break;
      body = parent;
    }
  }
  w->lent = 1;
  return NULL;
}

// the first element of a walk
static SpcElement* begin(Walk* w) {
  SpcElement* const e = w->kind == SPC_BODY ? NULL : childAt(w, w->root, w->kind, 0);
  return e || (!w->recurse && w->kind != SPC_BODY) ? e : firstFrom(w, w->root, 0);
}

// the element after e, which stands below the root
static SpcElement* proceed(Walk* w, SpcElement* e) {
  if (w->kind == SPC_BODY && w->recurse) return firstFrom(w, (const SpcBody*)e, 0);
  const int place = placeIn(&e->body->child[w->kind], e);
  if (w->kind == SPC_BODY) return childAt(w, e->body, SPC_BODY, place + 1);
  SpcElement* const next = childAt(w, e->body, w->kind, place + 1);
  return next || !w->recurse ? next : firstFrom(w, e->body, 0);
}

// 1: the element stands below the root, and nothing from there up to the root is lent
static int isBelow(const Walk* w, const SpcElement* e) {
  if (isLentHere(w, e) || !e->body || placeIn(&e->body->child[e->kind], e) < 0) return 0;
  const SpcBody* body = e->body;
  while (w->recurse && body != w->root && body->head.body && !isLentHere(w, &body->head)) body = body->head.body;
  return body == w->root;
}

// the element after `last` in the list, or the first one when last is NULL; frees the list
static SpcElement* stepThrough(SpcList* list, const SpcElement* last) {
  SpcElement* next = NULL;
  for (int i = 0; i < list->count && !next; i++) {
    if (!last) {
      next = list->at[i];
    } else if (list->at[i] == last && i + 1 < list->count) {
      next = list->at[i + 1];
    }
  }
  spc_listFree(list);
  return next;
}

// the element after `last` below a body, or the first one
static mjsElement* stepBelow(const SpcBody* root, SpcKindId kind, int recurse, SpcElement* last) {
  Walk w = {root, kind, recurse, 0};
  SpcElement* e = NULL;
  if (!last) {
    e = begin(&w);
  } else if (isBelow(&w, last)) {
    e = proceed(&w, last);
  } else {
    w.lent = 1;
  }
  if (w.lent) {
    SpcList list = SPC_TEMPORARY;
    spc_collectBelow(root, kind, recurse, &list);
    e = stepThrough(&list, last);
  }
  return e ? &e->base : NULL;
}

mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  const SpcKindId kind = spc_kindOf(type);
  if (kind == SPC_KINDS || kind == SPC_MODEL || type == mjOBJ_XBODY) return NULL;
  const SpcModel* const model = spc_model(s);
  if (kind == SPC_BODY) return &model->world->head.base;
  if (kind <= SPC_LIGHT) return stepBelow(model->world, kind, 1, NULL);
  SpcElement* const e = elementAt(&model->list[kind], 0);
  return e ? &e->base : NULL;
}

mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) {
  const SpcModel* const model = spc_model(s);
  SpcElement* e = spc_head(element);
  if (e->kind <= SPC_LIGHT) return stepBelow(model->world, e->kind, 1, e == &model->world->head ? NULL : e);
  const int place = placeIn(&model->list[e->kind], e);
  e = place < 0 ? NULL : elementAt(&model->list[e->kind], place + 1);
  return e ? &e->base : NULL;
}

// stepBelow for kinds that bodies have
static mjsElement* stepChild(const mjsBody* body, SpcKindId kind, int recurse, SpcElement* last) {
  if (kind <= SPC_LIGHT) return stepBelow((const SpcBody*)spc_head(body->element), kind, recurse, last);
  spc_fail(spc_head(body->element)->model,
           "Error: Body.NextChild supports the types: body, frame, geom, site, light, camera");
  return NULL;
}

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  return stepChild(body, spc_kindOf(type), recurse, NULL);
}

mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  return stepChild(body, spc_head(child)->kind, recurse, spc_head(child));
}
