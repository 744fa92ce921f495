// Copies of subtrees: attaching one model to another, replicating part of a model, copying a whole model.
//
// A copy renames every element (prefix + name + suffix) and every reference that leads to a renamed one. Elements
// outside the tree come along when all that they refer to exists under the new names.
#include "spec/attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/names.h"

// one act of copying
typedef struct {
  SpcModel* to;
  const SpcModel* from;
  const char* prefix;
  const char* suffix;
  SpcVec frames;            // of SpcFrame* pairs: original, copy
  const SpcOrigin* origin;  // settings of another model, NULL within one model
  SpcVec states;            // of State: where the other model's keyframes keep an element
  SpcVec keys;              // of SpcElement* pairs: keyframe of the other model, copy
  int keepKeyed;            // 1: copies take over what attached keyframes say about their originals
} Graft;

// addresses of an element inside a keyframe of its own model
typedef struct {
  const SpcElement* element;
  int address[SPC_MQUAT + 1], count[SPC_MQUAT + 1];
} State;

// -------------------------------------------------------------------------------------------- names

static void setRenamed(const Graft* g, SpcString* name, const char* old) {
  const size_t np = strlen(g->prefix), no = strlen(old), ns = strlen(g->suffix);
  char* text = malloc(np + no + ns + 1);
  if (!text) mju_error("out of memory: name of an attached element");
  memcpy(text, g->prefix, np);
  memcpy(text + np, old, no);
  memcpy(text + np + no, g->suffix, ns + 1);
  spc_textSet(name, text);
  free(text);
}

static void nameCopy(const Graft* g, SpcElement* copy, const SpcElement* original) {
  if (spc_textEmpty(&original->name)) return;
  SpcString name = {0};
  setRenamed(g, &name, spc_text(&original->name));
  spc_rename(copy, spc_text(&name));
  spc_textFree(&name);
}

// A reference follows its target's new name. Within one model only what was copied has one: other targets stay as they
// are, as does "world".
typedef struct {
  const Graft* graft;
  int dry;      // 1: only count
  int renamed;  // references with new names
} Renaming;

static void renameReference(const SpcReference* reference, void* context) {
  Renaming* r = context;
  const Graft* g = r->graft;
  if (reference->kind == SPC_BODY && spc_textIs(reference->name, "world")) return;
  SpcString made = {0};
  setRenamed(g, &made, spc_text(reference->name));
  const int follow = g->to != g->from || (!reference->asset && spc_find(g->to, reference->kind, spc_text(&made)));
  if (follow && !r->dry) spc_textSet(reference->name, spc_text(&made));
  spc_textFree(&made);
  r->renamed += follow;
}

static void renameReferences(const Graft* g, SpcElement* e) {
  Renaming r = {.graft = g};
  spc_references(e, renameReference, &r);
}

// 1: an element refers to something that was copied, so that a copy of it is due
static int followsCopies(const Graft* g, SpcElement* e) {
  Renaming r = {.graft = g, .dry = 1};
  spc_references(e, renameReference, &r);
  return r.renamed > 0;
}

typedef struct {
  const SpcModel* model;
  int missing;
  int found;
} Resolution;

static void resolveReference(const SpcReference* reference, void* context) {
  Resolution* r = context;
  if (spc_find(r->model, reference->kind, spc_text(reference->name))) {
    r->found++;
  } else {
    r->missing++;
  }
}

// -------------------------------------------------------------------------------------------- classes

static SpcDefault* mapClass(const Graft* g, const SpcDefault* class) {
  if (!class || g->to == g->from) return (SpcDefault*)(uintptr_t) class;
  SpcString name = {0};
  setRenamed(g, &name, spc_text(&class->head.name));
  SpcDefault* found = spc_findDefault(g->to, spc_text(&name));
  spc_textFree(&name);
  return found;
}

// the child's classes below our main one, its own main class at their top
static int copyClasses(const Graft* g, const SpcDefault* class, SpcDefault* parent) {
  SpcString name = {0};
  setRenamed(g, &name, spc_text(&class->head.name));
  mjsDefault* made = mjs_addDefault(&g->to->spec, spc_text(&name), &parent->spec);
  if (!made) spc_fail(g->to, "repeated default class name '%s'", spc_text(&name));
  spc_textFree(&name);
  if (!made) return -1;
  SpcDefault* copy = (SpcDefault*)spc_head(made->element);
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    const int at = spc_kinds[kind].template;
    if (at < 0) continue;
    SpcElement* to = spc_head(**(mjsElement***)((char*)&copy->spec + at));
    spc_copySpec(to, spc_head(**(mjsElement***)((char*)(uintptr_t) & class->spec + at)));
    to->origin = g->origin;
    renameReferences(g, to);
  }
  for (int i = 0; i < class->child.count; i++) {
    if (copyClasses(g, (const SpcDefault*)class->child.at[i], copy)) return -1;
  }
  return 0;
}

// -------------------------------------------------------------------------------------------- tree

static SpcFrame* mapFrame(const Graft* g, const SpcFrame* frame) {
  SpcFrame** pair = (void*)g->frames.begin;
  for (; (char*)pair < g->frames.end; pair += 2) {
    if (pair[0] == frame) return pair[1];
  }
  return NULL;
}

// the class that a body or frame gives to what is inside it
static void renameChildclass(const Graft* g, SpcElement* copy) {
  SpcString* name = NULL;
  if (copy->kind == SPC_BODY) name = ((mjsBody*)copy->spec)->childclass;
  if (copy->kind == SPC_FRAME) name = ((mjsFrame*)copy->spec)->childclass;
  if (name && !spc_textEmpty(name)) setRenamed(g, name, spc_text(name));
}

static void addKeyValue(SpcElement* copy, SpcElement* key, SpcKeyPart part, const double* value, int count) {
  SpcKeyValue made = {.key = key, .part = part, .count = count};
  if (count < 1 || count > (int)(sizeof(made.value) / sizeof(made.value[0]))) return;
  memcpy(made.value, value, sizeof(double) * (size_t)count);
  spc_vecAppend(&copy->keyed, &made, 1, sizeof(made));
}

// what keyframes say about the original: those of the other model, or earlier attached ones
static void copyKeyed(const Graft* g, SpcElement* copy, const SpcElement* original) {
  if (g->keepKeyed)
    spc_vecSet(&copy->keyed, original->keyed.begin, (size_t)(original->keyed.end - original->keyed.begin), 1);
  const State* state = (const void*)g->states.begin;
  for (; (const char*)state < g->states.end && state->element != original; state++) {
  }
  if ((const char*)state >= g->states.end) return;
  SpcElement** pair = (void*)g->keys.begin;
  for (; (char*)pair < g->keys.end; pair += 2) {
    const mjsKey* key = pair[0]->spec;
    const SpcVec* part[] = {key->qpos, key->qvel, key->act, key->ctrl, key->mpos, key->mquat};
    for (int p = 0; p <= SPC_MQUAT; p++) {
      const int total = (int)spc_vecCount(part[p], sizeof(double));
      if (state->address[p] + state->count[p] > total) continue;
      addKeyValue(copy, pair[1], p, (const double*)(const void*)part[p]->begin + state->address[p], state->count[p]);
    }
  }
}

static SpcElement* copyElement(Graft* g, const SpcElement* original) {
  SpcElement* copy = spc_make(g->to, original->kind, NULL);
  copy->class = mapClass(g, original->class);
  spc_copySpec(copy, original);
  spc_copyExtras(copy, original);
  nameCopy(g, copy, original);
  if (g->to != g->from) renameChildclass(g, copy);
  copy->origin = original->origin ? original->origin : g->origin;
  copyKeyed(g, copy, original);
  copy->file = original->file ? spc_internFile(g->to, original->file) : NULL;
  copy->line = original->line;
  return copy;
}

// copies the children of a body that stand in a frame (NULL: all) to another body, bodies with all below them
static void copyChildren(Graft* g, const SpcBody* from, const SpcFrame* only, SpcBody* to) {
  static const SpcKindId order[] = {SPC_FRAME, SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT, SPC_BODY};
  for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
    const SpcList* list = &from->child[order[k]];
    const int count = list->count;  // copies may be appended to this very list
    for (int i = 0; i < count; i++) {
      const SpcElement* original = list->at[i];
      if (only && !mapFrame(g, original->frame)) continue;
      SpcElement* copy = copyElement(g, original);
      copy->body = to;
      copy->frame = original->frame || only ? mapFrame(g, original->frame) : NULL;
      spc_listAdd(&to->child[order[k]], copy);
      if (order[k] == SPC_FRAME) {
        SpcFrame* pair[2] = {(SpcFrame*)(uintptr_t)original, (SpcFrame*)copy};
        spc_vecAppend(&g->frames, pair, 2, sizeof(pair[0]));
      }
      if (order[k] == SPC_BODY) copyChildren(g, (const SpcBody*)original, NULL, (SpcBody*)copy);
    }
  }
}

// references inside a copied subtree, once all of it is there
static void renameBelow(const Graft* g, SpcBody* body) {
  renameReferences(g, &body->head);
  for (int kind = SPC_JOINT; kind <= SPC_LIGHT; kind++) {
    for (int i = 0; i < body->child[kind].count; i++) renameReferences(g, body->child[kind].at[i]);
  }
  for (int i = 0; i < body->child[SPC_BODY].count; i++) renameBelow(g, (SpcBody*)body->child[SPC_BODY].at[i]);
}

// the same for those children of a body that were copied into frames of this graft
static void renameInFrames(const Graft* g, const SpcBody* body) {
  for (int kind = 0; kind <= SPC_LIGHT; kind++) {
    if (kind == SPC_FRAME) continue;
    for (int i = 0; i < body->child[kind].count; i++) {
      SpcElement* e = body->child[kind].at[i];
      SpcFrame** pair = (void*)g->frames.begin;
      int copied = 0;
      for (; (char*)pair < g->frames.end; pair += 2) copied |= pair[1] == e->frame;
      if (!copied) continue;
      if (kind == SPC_BODY) {
        renameBelow(g, (SpcBody*)e);
      } else {
        renameReferences(g, e);
      }
    }
  }
}

// -------------------------------------------------------------------------------------------- keyframes

static int positionSize(const mjsJoint* joint) {
  return joint->type == mjJNT_FREE ? 7 : joint->type == mjJNT_BALL ? 4 : 1;
}

static int velocitySize(const mjsJoint* joint) {
  return joint->type == mjJNT_FREE ? 6 : joint->type == mjJNT_BALL ? 3 : 1;
}

// where a model's keyframes keep its joints, actuators and mocap bodies
static void findStates(const SpcModel* model, SpcVec* states) {
  SpcList list = {0};
  int used[SPC_MQUAT + 1] = {0};
  spc_collect(model, SPC_JOINT, &list);
  spc_collect(model, SPC_ACTUATOR, &list);
  spc_collect(model, SPC_BODY, &list);
  for (int i = 0; i < list.count; i++) {
    const SpcElement* e = list.at[i];
    State state = {.element = e};
    if (e->kind == SPC_JOINT) {
      state.count[SPC_QPOS] = positionSize(e->spec);
      state.count[SPC_QVEL] = velocitySize(e->spec);
    } else if (e->kind == SPC_ACTUATOR) {
      const mjsActuator* actuator = e->spec;
      state.count[SPC_CTRL] = 1;
      state.count[SPC_ACT] = actuator->actdim >= 0 ? actuator->actdim : actuator->dyntype != mjDYN_NONE;
    } else if (((const mjsBody*)e->spec)->mocap) {
      state.count[SPC_MPOS] = 3;
      state.count[SPC_MQUAT] = 4;
    }
    for (int p = 0; p <= SPC_MQUAT; p++) {
      state.address[p] = used[p];
      used[p] += state.count[p];
    }
    spc_vecAppend(states, &state, 1, sizeof(state));
  }
  spc_listFree(&list);
}

// copies of the other model's keyframes, empty: the values go to the copied elements
static void copyKeys(Graft* g) {
  const SpcList* list = &g->from->list[SPC_KEY];
  if (!list->count) return;
  findStates(g->from, &g->states);
  for (int i = 0; i < list->count; i++) {
    mjsKey* key = mjs_addKey(&g->to->spec);
    SpcElement* pair[2] = {list->at[i], spc_head(key->element)};
    nameCopy(g, pair[1], pair[0]);
    key->time = ((const mjsKey*)pair[0]->spec)->time;
    spc_vecAppend(&g->keys, pair, 2, sizeof(pair[0]));
  }
}

// the settings of the model that is being attached
static const SpcOrigin* keepOrigin(SpcModel* to, const SpcModel* from) {
  SpcOrigin* origin = calloc(1, sizeof(*origin));
  if (!origin) mju_error("out of memory: settings of an attached model");
  origin->compiler = from->spec.compiler;
  spc_textSet(&origin->meshdir, spc_text(from->spec.compiler.meshdir));
  spc_textSet(&origin->texturedir, spc_text(from->spec.compiler.texturedir));
  spc_textSet(&origin->directory, spc_text(from->spec.modelfiledir));
  origin->compiler.meshdir = &origin->meshdir;
  origin->compiler.texturedir = &origin->texturedir;
  origin->next = to->origins;
  to->origins = origin;
  return origin;
}

static void closeGraft(Graft* g) {
  spc_vecFree(&g->frames);
  spc_vecFree(&g->states);
  spc_vecFree(&g->keys);
}

// -------------------------------------------------------------------------------------------- lists

// copies one list: assets all, others when what they refer to exists under the new names
static void copyList(Graft* g, SpcKindId kind, int always) {
  const SpcList* list = &g->from->list[kind];
  const int count = list->count;
  for (int i = 0; i < count; i++) {
    if (!always && !followsCopies(g, list->at[i])) continue;
    SpcElement* copy = copyElement(g, list->at[i]);
    renameReferences(g, copy);
    Resolution resolution = {g->to, 0, 0};
    spc_references(copy, resolveReference, &resolution);
    if (!always && resolution.missing) {
      spc_free(copy);
      continue;
    }
    copy->id = g->to->list[kind].count;
    spc_listAdd(&g->to->list[kind], copy);
  }
}

static void copyLists(Graft* g) {
  static const SpcKindId assets[] = {SPC_PLUGIN, SPC_TEXTURE, SPC_MATERIAL, SPC_MESH,
                                     SPC_HFIELD, SPC_NUMERIC, SPC_TEXT};
  static const SpcKindId others[] = {SPC_SKIN,     SPC_FLEX,     SPC_PAIR,   SPC_EXCLUDE, SPC_TENDON,
                                     SPC_EQUALITY, SPC_ACTUATOR, SPC_SENSOR, SPC_TUPLE};
  if (g->to != g->from) {
    for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) copyList(g, assets[i], 1);
  }
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) copyList(g, others[i], 0);
}

// -------------------------------------------------------------------------------------------- replicate

// removes the elements of a body that stand in a frame or in one inside it
static void removeInside(SpcBody* body, const SpcFrame* frame) {
  for (int kind = 0; kind <= SPC_LIGHT; kind++) {
    SpcList* list = &body->child[kind];
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
      SpcElement* e = list->at[i];
      int inside = &frame->head == e;
      for (const SpcFrame* up = e->frame; up && !inside; up = up->head.frame) inside = up == frame;
      // frames are freed last: the walk above passes through them
      if (inside && kind != SPC_FRAME) {
        spc_free(e);
      } else {
        list->at[kept++] = e;
      }
    }
    list->count = kept;
  }
}

static void removeFrames(SpcBody* body, SpcFrame* frame) {
  SpcList gone = {0};
  SpcList* list = &body->child[SPC_FRAME];
  for (int i = 0; i < list->count; i++) {
    for (const SpcFrame* up = (SpcFrame*)list->at[i]; up; up = up->head.frame) {
      if (up == frame) {
        spc_listAdd(&gone, list->at[i]);
        break;
      }
    }
  }
  for (int i = 0; i < gone.count; i++) spc_listRemove(list, gone.at[i]);
  for (int i = 0; i < gone.count; i++) spc_free(gone.at[i]);
  spc_listFree(&gone);
}

// removes list elements that lost what they referred to, of those that existed before the copies were made
static void removeDangling(SpcModel* model, const int* before) {
  for (int kind = SPC_FLEX; kind < SPC_PLUGIN; kind++) {
    SpcList* list = &model->list[kind];
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
      SpcElement* e = list->at[i];
      Resolution now = {model, 0, 0};
      spc_references(e, resolveReference, &now);
      if (i < before[kind] && e->id == -2 && now.missing) {
        spc_free(e);
      } else {
        e->id = kept;
        list->at[kept++] = e;
      }
    }
    list->count = kept;
  }
}

int spc_replicate(SpcModel* model, const SpcReplicate* plan) {
  SpcBody* body = plan->original->head.body;
  int digits = 1;
  for (int n = plan->count; n >= 10 && digits < 10; n /= 10) digits++;

  // mark the list elements that resolve now: those that do not after the original is gone were replaced by copies
  int before[SPC_KINDS];
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    before[kind] = model->list[kind].count;
    if (kind < SPC_FLEX || kind >= SPC_PLUGIN) continue;
    for (int i = 0; i < before[kind]; i++) {
      Resolution now = {model, 0, 0};
      spc_references(model->list[kind].at[i], resolveReference, &now);
      if (!now.missing && now.found) model->list[kind].at[i]->id = -2;
    }
  }

  double pos[3] = {0}, quat[4] = {1, 0, 0, 0};
  for (int i = 0; i < plan->count; i++) {
    // a frame for the copy; the angles are multiplied, not the rotations, so that errors do not add up
    mjsFrame* frame = mjs_addFrame(&body->spec, plan->original->head.frame ? &plan->original->head.frame->spec : NULL);
    mjsOrientation alt = {.type = mjORIENTATION_EULER};
    for (int j = 0; j < 3; j++) alt.euler[j] = i * plan->euler[j];
    const mjsCompiler* compiler = &model->spec.compiler;
    const char* error = mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, &alt);
    if (error) return spc_fail(model, "%s", error);
    memcpy(frame->pos, pos, sizeof(pos));
    memcpy(frame->quat, quat, sizeof(quat));
    double step[3];
    mju_rotVecQuat(step, plan->offset, quat);
    mju_addTo3(pos, step);

    char number[16], suffix[64];
    snprintf(number, sizeof(number), "%010d", i);
    snprintf(suffix, sizeof(suffix), "%.40s%s", plan->separator, number + 10 - digits);
    Graft g = {.to = model, .from = model, .prefix = "", .suffix = suffix, .keepKeyed = i == 0};
    SpcFrame* pair[2] = {plan->original, (SpcFrame*)spc_head(frame->element)};
    spc_vecAppend(&g.frames, pair, 2, sizeof(pair[0]));
    copyChildren(&g, body, plan->original, body);
    renameInFrames(&g, body);
    copyLists(&g);
    closeGraft(&g);
  }
  removeInside(body, plan->original);
  removeFrames(body, plan->original);
  removeDangling(model, before);
  return 0;
}

// -------------------------------------------------------------------------------------------- attach

// the frame in which the child is put, with its body; a site gives a frame of its own at the site
static SpcFrame* parentFrame(SpcElement* parent) {
  if (parent->kind == SPC_FRAME) return (SpcFrame*)parent;
  SpcBody* body = parent->kind == SPC_BODY ? (SpcBody*)parent : parent->body;
  mjsFrame* frame = mjs_addFrame(&body->spec, parent->frame && parent->kind == SPC_SITE ? &parent->frame->spec : NULL);
  if (parent->kind == SPC_SITE) {
    const mjsSite* site = parent->spec;
    memcpy(frame->pos, site->pos, sizeof(frame->pos));
    memcpy(frame->quat, site->quat, sizeof(frame->quat));
    frame->alt = site->alt;
  }
  return (SpcFrame*)spc_head(frame->element);
}

mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix) {
  if (!parent || !child) {
    mju_error("mjs_attach: %s element is null", parent ? "child" : "parent");
    return NULL;
  }
  SpcElement* target = spc_head(parent);
  const SpcElement* source = spc_head(child);
  Graft g = {
      .to = target->model, .from = source->model, .prefix = prefix ? prefix : "", .suffix = suffix ? suffix : ""};
  const int parentOk = target->kind == SPC_BODY || target->kind == SPC_FRAME || target->kind == SPC_SITE;
  const int childOk = source->kind == SPC_BODY || source->kind == SPC_FRAME || source->kind == SPC_MODEL;
  if (!parentOk || !childOk) {
    spc_fail(target->model, "%s element is not a %s", parentOk ? "child" : "parent",
             parentOk ? "body, frame or model" : "body, frame or site");
    return NULL;
  }

  // another model brings its settings, classes and keyframes
  if (g.to != g.from) {
    const SpcDefault* theirs = (const SpcDefault*)g.from->list[SPC_DEFAULT].at[0];
    g.origin = keepOrigin(g.to, g.from);
    if (copyClasses(&g, theirs, (SpcDefault*)g.to->list[SPC_DEFAULT].at[0])) return NULL;
    copyKeys(&g);
  }

  // a body is copied into the frame; a frame or a whole world brings its content
  SpcFrame* frame = parentFrame(target);
  SpcBody* body = frame->head.body;
  mjsElement* result = &frame->head.base;
  if (source->kind == SPC_BODY && source->body) {
    SpcElement* copy = copyElement(&g, source);
    copy->body = body;
    copy->frame = frame;
    spc_listAdd(&body->child[SPC_BODY], copy);
    copyChildren(&g, (const SpcBody*)source, NULL, (SpcBody*)copy);
    renameBelow(&g, (SpcBody*)copy);
    result = &copy->base;
  } else {
    // elements without a frame in the child stand in the parent's frame
    const SpcBody* from = source->kind == SPC_MODEL  ? g.from->world
                          : source->kind == SPC_BODY ? (const SpcBody*)source
                                                     : source->body;
    SpcFrame* pair[2] = {source->kind == SPC_FRAME ? (SpcFrame*)(uintptr_t)source : NULL, frame};
    spc_vecAppend(&g.frames, pair, 2, sizeof(pair[0]));
    copyChildren(&g, from, frame, body);
    renameInFrames(&g, body);
  }
  copyLists(&g);
  for (size_t i = 0; i < spc_textsCount(&g.from->plugins); i++) {
    mjs_activatePlugin(&g.to->spec, spc_text(spc_textsAt(&g.from->plugins, i)));
  }
  closeGraft(&g);
  return result;
}
