// Attaching one model to another, and replicating part of a model.
#include "spec/attach.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "spec/graft.h"
#include "spec/signature.h"

// -------------------------------------------------------------------------------------------- attach

// Where the child goes: a body, a frame, or a frame of its own at a site.
static SpcPlace placeIn(SpcElement* parent) {
  if (parent->kind == SPC_BODY) return (SpcPlace){(SpcBody*)parent, NULL};
  if (parent->kind == SPC_FRAME) return (SpcPlace){parent->body, (SpcFrame*)parent};
  const mjsSite* site = parent->spec;
  mjsFrame* frame = mjs_addFrame(&parent->body->spec, parent->frame ? &parent->frame->spec : NULL);
  memcpy(frame->pos, site->pos, sizeof(frame->pos));
  memcpy(frame->quat, site->quat, sizeof(frame->quat));
  frame->alt = site->alt;
  return (SpcPlace){parent->body, (SpcFrame*)spc_head(frame->element)};
}

// a body goes over with what is below it; a world stays and becomes an ordinary body of the other model
static SpcElement* attachBody(SpcGraft* g, SpcBody* source, SpcPlace place) {
  SpcBody* made;
  if (source->head.body) {
    SpcBody* before = source->head.body;
    made = spc_graftBody(g, source);
    spc_graftLend(g, &made->head, before);
  } else {
    const int move = g->move;
    g->move = 0;
    made = (SpcBody*)spc_graftElement(g, &source->head);
    g->move = move;
    spc_graftInside(g, source, NULL, (SpcPlace){made, NULL});
  }
  made->head.body = place.body;
  made->head.frame = place.frame;
  spc_listAdd(&place.body->child[SPC_BODY], &made->head);
  return &made->head;
}

static SpcElement* attachFrame(SpcGraft* g, SpcFrame* source, SpcPlace place) {
  SpcBody* from = source->head.body;
  SpcElement* made = spc_graftElement(g, &source->head);
  made->body = place.body;
  made->frame = place.frame;
  spc_listAdd(&place.body->child[SPC_FRAME], made);
  spc_graftLend(g, made, from);
  spc_graftInside(g, from, source, place);
  return made;
}

// everything in a model's world, in a frame
static SpcElement* attachModel(SpcGraft* g, SpcPlace place) {
  mjsFrame* frame = mjs_addFrame(&place.body->spec, place.frame ? &place.frame->spec : NULL);
  SpcElement* made = spc_head(frame->element);
  spc_graftInside(g, g->from->world, NULL, (SpcPlace){place.body, (SpcFrame*)made});
  return made;
}

// NULL: these two can be put together
static const char* checkKinds(const SpcElement* parent, const SpcElement* child) {
  if (parent->kind != SPC_BODY && parent->kind != SPC_FRAME && parent->kind != SPC_SITE) {
    return "parent element is not a frame, body or site";
  }
  if (child->kind == SPC_FRAME || child->kind == SPC_MODEL) return NULL;
  if (parent->kind == SPC_BODY) return "child element is not a frame";
  return child->kind == SPC_BODY ? NULL : "child element is not a body or frame";
}

// 1: a model keeps another one, or keeps one that does
static int keeps(const SpcModel* model, const SpcModel* other) {
  for (int i = 0; i < model->models.count; i++) {
    const SpcModel* below = model->models.at[i]->model;
    if (below == other || keeps(below, other)) return 1;
  }
  return 0;
}

// The other model is kept: its elements, or what they were copied from, belong to this one now. Of two models that are
// attached to each other the first keeps the second: in a ring none would ever be freed.
static void keepModel(SpcModel* to, SpcModel* from) {
  if (keeps(from, to)) return;
  for (int i = 0; i < to->models.count; i++) {
    if (to->models.at[i] == &from->head) return;
  }
  spc_listAdd(&to->models, &from->head);
  from->references++;
}

typedef struct {
  SpcGraft graft;
  SpcElement *target, *source, *made;
} Attachment;

static void attach(void* arg) {
  Attachment* const a = arg;
  SpcGraft* const g = &a->graft;
  SpcElement* const source = a->source;
  const int foreign = g->to != g->from;
  if (!spc_graftOpen(g)) {
    const SpcPlace place = placeIn(a->target);
    a->made = source->kind == SPC_BODY    ? attachBody(g, (SpcBody*)source, place)
              : source->kind == SPC_FRAME ? attachFrame(g, (SpcFrame*)source, place)
                                          : attachModel(g, place);
    spc_graftReferences(g);
    if (spc_graftLists(g) || spc_graftNames(g)) a->made = NULL;
    if (foreign) {
      keepModel(g->to, g->from);
      spc_keysGrow(g->to);
      g->from->attached |= g->move;
    }
  }
  if (foreign) spc_keysForget(g->from);
  spc_graftClose(g);
  spc_changed(g->to);
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix) {
  if (!parent || !child) {
    mju_error("%s element is null", parent ? "child" : "parent");
    return NULL;
  }
  SpcElement* target = spc_head(parent);
  SpcElement* source = spc_head(child);
  Attachment a = {
      .graft = {.to = target->model,
                .from = source->model,
                .prefix = prefix ? prefix : "",
                .suffix = suffix ? suffix : "",
                .touched = SPC_TEMPORARY},
      .target = target,
      .source = source
  };
  const char* problem = checkKinds(target, source);
  if (problem) {
    spc_fail(a.graft.to, "Error: %s", problem);
    return NULL;
  }
  a.graft.move = target->model != source->model && !target->model->deepcopy;

  // an error leaves no marks behind
  char error[BAS_MESSAGE];
  if (bas_attempt(attach, &a, error)) return a.made ? &a.made->base : NULL;
  spc_graftDrop(&a.graft);
  mju_error("%s", error);
  return NULL;
}

// -------------------------------------------------------------------------------------------- replicate

// what all copies have in common
typedef struct {
  SpcModel* model;
  const SpcReplicate* plan;
  SpcList tree;      // elements to copy
  SpcList elements;  // those that keyframes set
  SpcRound round;
} Copies;

// one copy, in a frame of its own
static int addCopy(Copies* c, SpcFrame* frame, const char* suffix) {
  SpcFrame* original = c->plan->original;
  SpcGraft g = {
      .to = c->model, .from = c->model, .prefix = "", .suffix = suffix, .round = &c->round, .touched = SPC_TEMPORARY};
  spc_graftMark(&g, &original->head, &frame->head);
  spc_graftTree(&g, &c->tree, (SpcPlace){original->head.body, frame});
  spc_graftReferences(&g);
  const int status = spc_graftLists(&g);
  spc_graftClose(&g);
  return status;
}

static int addCopies(Copies* c) {
  const SpcReplicate* plan = c->plan;
  SpcModel* model = c->model;
  int digits = 1;
  for (int n = plan->count; n >= 10 && digits < 10; n /= 10) digits++;
  double pos[3] = {0}, quat[4] = {1, 0, 0, 0};
  for (int i = 0; i < plan->count; i++) {
    if (model->made > SPC_MOST_ELEMENTS) {
      return spc_fail(model, "Error: replicate makes more than %d elements", SPC_MOST_ELEMENTS);
    }

    // the angles are multiplied, not the rotations, so that errors do not add up
    mjsFrame* outer = plan->original->head.frame ? &plan->original->head.frame->spec : NULL;
    mjsFrame* frame = mjs_addFrame(&plan->original->head.body->spec, outer);
    mjsOrientation alt = {.type = mjORIENTATION_EULER};
    for (int j = 0; j < 3; j++) alt.euler[j] = i * plan->euler[j];
    const mjsCompiler* compiler = &model->spec.compiler;
    const char* error = mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, &alt);
    if (error) return spc_fail(model, "Error: %s", error);
    memcpy(frame->pos, pos, sizeof(pos));
    memcpy(frame->quat, quat, sizeof(quat));
    double step[3];
    mju_rotVecQuat(step, plan->offset, quat);
    mju_addTo3(pos, step);

    char number[16], suffix[64];
    snprintf(number, sizeof(number), "%010d", i);
    snprintf(suffix, sizeof(suffix), "%.40s%s", plan->separator, number + 10 - digits);
    const SpcKeyNames names = {.prefix = "", .suffix = suffix};
    if (spc_keysToElements(model, model, &names, &c->elements)) return -1;
    if (addCopy(c, (SpcFrame*)spc_head(frame->element), suffix)) return -1;
  }
  return 0;
}

// the keyframes of copies set no actuators but those whose targets have not been read yet
static void forgetControls(const SpcModel* model) {
  const SpcList* const actuators = &model->list[SPC_ACTUATOR];
  for (int i = 0; i < actuators->count; i++) {
    if (spc_resolves(actuators->at[i])) spc_vecFree(&actuators->at[i]->keyed);
  }
}

int spc_replicate(SpcModel* model, const SpcReplicate* plan) {
  Copies c = {.model = model, .plan = plan};
  c.tree = spc_inside(plan->original->head.body, plan->original);
  c.elements = spc_stateElements(model);
  for (int kind = 0; kind < SPC_KINDS; kind++) c.round.known[kind] = model->list[kind].count;
  int status = addCopies(&c);
  forgetControls(model);
  if (!status) status = spc_keysToOwnElements(model, &c.elements);
  spc_listFree(&c.tree);
  spc_listFree(&c.elements);
  if (!status) spc_removeFrame(model, plan->original);
  return status;
}
