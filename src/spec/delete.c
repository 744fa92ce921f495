// mjs_delete, and bodies that become frames.
#include "spec/attach.h"

#include <math.h>
#include <string.h>

#include "spec/graft.h"
#include "spec/signature.h"

// -------------------------------------------------------------------------------------------- references

// kinds outside the tree whose elements go with what they refer to; later ones may refer to earlier ones. Skins stay:
// one without its bones is an error when the model is compiled.
static const SpcKindId dependents[] = {SPC_FLEX,     SPC_PAIR,     SPC_EXCLUDE, SPC_TENDON,
                                       SPC_EQUALITY, SPC_ACTUATOR, SPC_SENSOR};
enum { DEPENDENTS = sizeof(dependents) / sizeof(dependents[0]) };

static void renumber(SpcList* list) {
  for (int i = 0; i < list->count; i++) list->at[i]->id = i;
}

// before elements go: those that refer to something which is not there anyway are left alone
static SpcList resolvedDependents(const SpcModel* model) {
  SpcList list = SPC_TEMPORARY;
  for (int k = 0; k < DEPENDENTS; k++) {
    const SpcList* all = &model->list[dependents[k]];
    for (int i = 0; i < all->count; i++) {
      if (spc_resolves(all->at[i])) spc_listAdd(&list, all->at[i]);
    }
  }
  return list;
}

static void freeWithPlugin(SpcElement* e);

// after that: the ones of them that have lost what they refer to
static void removeDangling(SpcModel* model, SpcList* resolved) {
  for (int i = 0; i < resolved->count; i++) {
    SpcElement* e = resolved->at[i];
    if (spc_resolves(e)) continue;
    spc_listRemove(&model->list[e->kind], e);
    freeWithPlugin(e);
  }
  for (int k = 0; k < DEPENDENTS; k++) renumber(&model->list[dependents[k]]);
  spc_listFree(resolved);
}

// -------------------------------------------------------------------------------------------- elements

// an element together with a plugin instance that has no name: nothing else can use it
static void freeWithPlugin(SpcElement* e) {
  const mjsPlugin* plugin = spc_plugin(e);
  SpcElement* instance = plugin && plugin->active && plugin->element ? spc_head(plugin->element) : NULL;
  if (instance && instance->kind == SPC_PLUGIN && spc_textEmpty(&instance->name)) {
    SpcModel* model = e->model;
    if (spc_listRemove(&model->list[SPC_PLUGIN], instance)) spc_free(instance);
    renumber(&model->list[SPC_PLUGIN]);
  }
  spc_free(e);
}

// 1: an element uses the plugin instance, by name or as its own
static int usesInstance(const SpcElement* e, const SpcElement* instance) {
  const mjsPlugin* plugin = spc_plugin(e);
  if (!plugin || !plugin->active) return 0;
  if (plugin->element == &instance->base) return 1;
  return !spc_textEmpty(&instance->name) && spc_textIs(plugin->name, spc_text(&instance->name));
}

// the instances that no element uses go, as they do when bodies are detached
static void dropUnusedPlugins(SpcModel* model) {
  static const SpcKindId users[] = {SPC_BODY, SPC_GEOM, SPC_MESH, SPC_ACTUATOR, SPC_SENSOR};
  SpcList* instances = &model->list[SPC_PLUGIN];
  if (!instances->count) return;
  SpcList all = {0};
  for (size_t k = 0; k < sizeof(users) / sizeof(users[0]); k++) spc_collect(model, users[k], &all);
  for (int i = instances->count - 1; i >= 0; i--) {
    SpcElement* instance = instances->at[i];
    int used = 0;
    for (int k = 0; k < all.count && !used; k++) used = usesInstance(all.at[k], instance);
    if (used) continue;
    spc_listRemove(instances, instance);
    spc_free(instance);
  }
  spc_listFree(&all);
  renumber(instances);
}

static void removeBody(SpcElement* body) {
  spc_listRemove(&body->body->child[SPC_BODY], body);
  spc_free(body);
}

// what stands in a frame stands in the one around it from now on
static void dissolveFrame(SpcFrame* frame) {
  SpcBody* body = frame->head.body;
  for (int kind = 0; kind <= SPC_LIGHT; kind++) {
    for (int i = 0; i < body->child[kind].count; i++) {
      SpcElement* e = body->child[kind].at[i];
      if (e->frame == frame) e->frame = frame->head.frame;
    }
  }
  spc_listRemove(&body->child[SPC_FRAME], &frame->head);
  spc_free(&frame->head);
}

static int isInside(const SpcElement* e, const SpcFrame* frame) {
  const SpcFrame* up = e->frame;
  while (up && up != frame) up = up->head.frame;
  return up == frame || &frame->head == e;
}

void spc_removeFrame(SpcModel* model, SpcFrame* frame) {
  SpcList resolved = resolvedDependents(model);
  SpcBody* body = frame->head.body;

  // all are found before the first is freed: the way out of a nested element leads through its frames
  SpcList gone = SPC_TEMPORARY;
  for (int kind = SPC_LIGHT; kind >= 0; kind--) {
    SpcList* list = &body->child[kind];
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
      SpcElement* e = list->at[i];
      if (isInside(e, frame)) {
        spc_listAdd(&gone, e);
      } else {
        list->at[kept++] = e;
      }
    }
    list->count = kept;
  }
  for (int i = 0; i < gone.count; i++) spc_free(gone.at[i]);
  spc_listFree(&gone);
  removeDangling(model, &resolved);
}

// -------------------------------------------------------------------------------------------- classes

static void removeClass(SpcModel* model, SpcDefault* class) {
  while (class->child.count) removeClass(model, (SpcDefault*)class->child.at[class->child.count - 1]);
  spc_listRemove(&class->parent->child, &class->head);
  spc_listRemove(&model->list[SPC_DEFAULT], &class->head);
  spc_free(&class->head);
}

// elements of a class that goes belong to the nearest one that stays: their values are their own
static void leaveClass(SpcModel* model, const SpcDefault* gone) {
  for (int kind = 0; kind < SPC_DEFAULT; kind++) {
    SpcList list = SPC_TEMPORARY;
    spc_collect(model, kind, &list);
    for (int i = 0; i < list.count; i++) {
      for (const SpcDefault* up = list.at[i]->class; up; up = up->parent) {
        if (up == gone) list.at[i]->class = gone->parent;
      }
    }
    spc_listFree(&list);
  }
}

// -------------------------------------------------------------------------------------------- public

// -1: the error says why it cannot go
static int removeElement(SpcModel* model, SpcElement* e) {
  switch (e->kind) {
    case SPC_MODEL:
      return spc_fail(model, "Error: a model cannot be deleted from itself");
    case SPC_DEFAULT:
      if (!((SpcDefault*)e)->parent) return spc_fail(model, "Error: cannot remove the global default ('main')");
      leaveClass(model, (SpcDefault*)e);
      removeClass(model, (SpcDefault*)e);
      return 0;
    case SPC_BODY: {
      if (!e->body) return spc_fail(model, "Error: the world body cannot be deleted");
      SpcList elements = spc_stateElements(model);
      const int status = spc_keysToOwnElements(model, &elements);
      spc_listFree(&elements);
      if (status) return status;
      SpcList resolved = resolvedDependents(model);
      removeBody(e);
      removeDangling(model, &resolved);
      dropUnusedPlugins(model);
      return 0;
    }
    case SPC_FRAME:
      dissolveFrame((SpcFrame*)e);
      return 0;
    default:
      break;
  }

  // leaves of the tree and everything outside it
  SpcList* list = e->body ? &e->body->child[e->kind] : &model->list[e->kind];
  if (!spc_listRemove(list, e)) return spc_fail(model, "Error: element is not part of the model");
  if (!e->body) renumber(list);
  if (e->kind == SPC_KEY) spc_keyForget(model, e);
  freeWithPlugin(e);
  return 0;
}

int mjs_delete(mjSpec* s, mjsElement* element) {
  SpcModel* model = spc_model(s);
  if (!element) return spc_fail(model, "Error: Element is null.");
  SpcElement* e = spc_head(element);
  if (e->model != model) return spc_fail(model, "Error: element is not in this model");
  const int status = removeElement(model, e);
  spc_changed(model);
  return status;
}

// -------------------------------------------------------------------------------------------- body → frame

// mass, mass times centre, and inertia about the origin: xx yy zz xy xz yz
typedef struct {
  double mass, first[3], about[6];
} Inertia;

static const int rowOf[6] = {0, 1, 2, 0, 0, 1}, columnOf[6] = {0, 1, 2, 1, 2, 2};

// entry of mass (|c|² 1 - c c'): what inertia gains from the centre to the origin
static double offset(double mass, const double c[3], int k) {
  const int i = rowOf[k], j = columnOf[k];
  return mass * ((i == j) * mju_dot3(c, c) - c[i] * c[j]);
}

static void orientation(double quat[4], const double plain[4], const mjsOrientation* alt, const mjsCompiler* compiler) {
  memcpy(quat, plain, 4 * sizeof(double));
  if (alt->type != mjORIENTATION_QUAT) mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, alt);
  mju_normalize4(quat);
}

// adds the inertia that a body was given, in a frame at pos and quat
static void addInertia(Inertia* sum, const SpcBody* body, const double pos[3], const double quat[4]) {
  const mjsBody* s = &body->spec;
  double centre[3], own[4], whole[4], mat[9], product[9], turned[9];
  mju_rotVecQuat(centre, s->ipos, quat);
  mju_addTo3(centre, pos);
  orientation(own, s->iquat, &s->ialt, spc_compiler(&body->head));
  mju_mulQuat(whole, quat, own);

  // a full inertia is given in the body's own axes
  const double* f = s->fullinertia;
  const int full = !isnan(f[0]);
  const double diagonal[9] = {s->inertia[0], 0, 0, 0, s->inertia[1], 0, 0, 0, s->inertia[2]};
  const double packed[9] = {f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]};
  mju_quat2Mat(mat, full ? quat : whole);
  mju_mulMatMat(product, mat, full ? packed : diagonal, 3, 3, 3);
  mju_mulMatMatT(turned, product, mat, 3, 3, 3);

  sum->mass += s->mass;
  mju_addToScl3(sum->first, centre, s->mass);
  for (int k = 0; k < 6; k++) sum->about[k] += turned[3 * rowOf[k] + columnOf[k]] + offset(s->mass, centre, k);
}

// the inertia that a body was given goes to its parent
static void giveInertia(const SpcBody* body) {
  if (!body->spec.explicitinertial) return;
  static const double zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
  SpcBody* above = body->head.body;
  mjsBody* parent = &above->spec;
  double quat[4];
  orientation(quat, body->spec.quat, &body->spec.alt, spc_compiler(&body->head));
  Inertia sum = {0};
  addInertia(&sum, body, body->spec.pos, quat);
  if (parent->explicitinertial) addInertia(&sum, above, zero, identity);
  if (sum.mass <= 0) return;

  parent->explicitinertial = 1;
  parent->mass = sum.mass;
  mju_scl3(parent->ipos, sum.first, 1 / sum.mass);
  for (int k = 0; k < 6; k++) parent->fullinertia[k] = sum.about[k] - offset(sum.mass, parent->ipos, k);
  memset(parent->inertia, 0, sizeof(parent->inertia));
  memcpy(parent->iquat, identity, sizeof(identity));
  mjs_defaultOrientation(&parent->ialt);
}

mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  SpcBody* gone = (SpcBody*)spc_head((*body)->element);
  SpcBody* parent = gone->head.body;
  if (!parent) {
    mju_error("mjs_bodyToFrame: the world body has no parent");
    return NULL;
  }
  SpcModel* model = gone->head.model;
  giveInertia(gone);
  mjsFrame* frame = mjs_addFrame(&parent->spec, gone->head.frame ? &gone->head.frame->spec : NULL);
  memcpy(frame->pos, gone->spec.pos, sizeof(frame->pos));
  memcpy(frame->quat, gone->spec.quat, sizeof(frame->quat));
  frame->alt = gone->spec.alt;
  spc_head(frame->element)->origin = gone->head.origin;

  // children move up, into the new frame
  for (int kind = 0; kind <= SPC_LIGHT; kind++) {
    for (int i = 0; i < gone->child[kind].count; i++) {
      SpcElement* e = gone->child[kind].at[i];
      if (spc_isLent(e, gone)) {
        e->lender = NULL;
        continue;
      }
      e->body = parent;
      if (!e->frame) e->frame = (SpcFrame*)spc_head(frame->element);
      spc_listAdd(&parent->child[kind], e);
    }
    gone->child[kind].count = 0;
  }
  removeBody(&gone->head);
  spc_changed(model);
  *body = NULL;
  return frame;
}
