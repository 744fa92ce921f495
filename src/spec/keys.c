// Keyframes while the tree changes: see graft.h.
#include <string.h>

#include "spec/graft.h"
#include "spec/names.h"

enum { PARTS = SPC_MQUAT + 1 };
static const char* partNames[PARTS] = {"qpos", "qvel", "act", "ctrl", "mpos", "mquat"};

// how many values of each part an element has
static void sizesOf(const SpcElement* e, int size[PARTS]) {
  memset(size, 0, PARTS * sizeof(int));
  if (e->kind == SPC_JOINT) {
    const mjtJoint type = ((const mjsJoint*)e->spec)->type;
    size[SPC_QPOS] = type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
    size[SPC_QVEL] = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
  } else if (e->kind == SPC_ACTUATOR) {
    const mjsActuator* actuator = e->spec;
    size[SPC_CTRL] = 1;
    size[SPC_ACT] = actuator->actdim >= 0 ? actuator->actdim : actuator->dyntype != mjDYN_NONE;
  } else if (((const mjsBody*)e->spec)->mocap) {
    size[SPC_MPOS] = 3;
    size[SPC_MQUAT] = 4;
  }
}

SpcList spc_stateElements(const SpcModel* model) {
  SpcList list = SPC_TEMPORARY;
  spc_collect(model, SPC_JOINT, &list);
  spc_collect(model, SPC_ACTUATOR, &list);
  spc_collect(model, SPC_BODY, &list);
  return list;
}

static void addValue(SpcElement* e, SpcElement* key, SpcKeyPart part, const double* value, int count) {
  SpcKeyValue made = {.key = key, .part = part, .count = count};
  if (count < 1 || count > (int)(sizeof(made.value) / sizeof(made.value[0]))) return;
  memcpy(made.value, value, sizeof(double) * (size_t)count);
  spc_vecAppend(&e->keyed, &made, 1, sizeof(made));
}

// 0: every part is empty or has a value for every element
static int checkSizes(SpcModel* to, const SpcElement* key, SpcVec* const parts[PARTS], const SpcList* elements) {
  int total[PARTS] = {0};
  for (int i = 0; i < elements->count; i++) {
    int size[PARTS];
    sizesOf(elements->at[i], size);
    for (int p = 0; p < PARTS; p++) total[p] += size[p];
  }
  for (int p = 0; p < PARTS; p++) {
    const int count = (int)spc_vecCount(parts[p], sizeof(double));
    if (!count || count == total[p]) continue;
    const char* quote = p == SPC_QPOS ? "'" : "";
    return spc_fail(to, "Error: Keyframe %s%s%s has invalid %s size, got %d, should be %d", quote, spc_text(&key->name),
                    quote, partNames[p], count, total[p]);
  }
  return 0;
}

// what an element says about one keyframe, said about another as well
static void repeatValues(SpcElement* e, const SpcElement* source, SpcElement* key) {
  const size_t count = spc_vecCount(&e->keyed, sizeof(SpcKeyValue));
  for (size_t i = 0; i < count; i++) {
    SpcKeyValue value = ((const SpcKeyValue*)(const void*)e->keyed.begin)[i];
    if (value.key != source) continue;
    value.key = key;
    spc_vecAppend(&e->keyed, &value, 1, sizeof(value));
  }
}

// gives the values of one keyframe to the elements, under the name of another
static int putDown(const SpcElement* source, SpcElement* key, const SpcList* elements) {
  if (source->recorded) {
    for (int i = 0; i < elements->count && source != key; i++) repeatValues(elements->at[i], source, key);
    return 0;
  }
  const mjsKey* s = source->spec;
  SpcVec* const parts[PARTS] = {s->qpos, s->qvel, s->act, s->ctrl, s->mpos, s->mquat};
  if (checkSizes(key->model, source, parts, elements)) return -1;
  int used[PARTS] = {0};
  for (int i = 0; i < elements->count; i++) {
    int size[PARTS];
    sizesOf(elements->at[i], size);
    for (int p = 0; p < PARTS; p++) {
      if (!parts[p]->begin || !size[p]) continue;
      const double* value = (const double*)(const void*)parts[p]->begin;
      addValue(elements->at[i], key, p, value + used[p], size[p]);
      used[p] += size[p];
    }
  }
  return 0;
}

// what an element adds to a keyframe that does not reach it: where joints and mocap bodies are as they were written
// (balls and free joints: zeros), no velocities, activations and controls
static void startOf(const SpcElement* e, SpcKeyPart part, double value[7]) {
  memset(value, 0, 7 * sizeof(double));
  if (part == SPC_QPOS) {
    const mjsJoint* joint = e->spec;
    if (joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE) value[0] = joint->ref;
  } else if (part == SPC_MPOS) {
    memcpy(value, ((const mjsBody*)e->spec)->pos, 3 * sizeof(double));
  } else if (part == SPC_MQUAT) {
    memcpy(value, ((const mjsBody*)e->spec)->quat, 4 * sizeof(double));
  }
}

// makes one array as long as the elements ask for, from its last number on
static void growPart(SpcVec* values, SpcKeyPart part, const SpcList* elements) {
  size_t count = spc_vecCount(values, sizeof(double)), end = 0;
  for (int i = 0; i < elements->count && count; i++) {
    int size[PARTS];
    double start[7];
    sizesOf(elements->at[i], size);
    end += (size_t)size[part];
    if (!size[part] || end <= count) continue;
    startOf(elements->at[i], part, start);
    const size_t missing = end - count < (size_t)size[part] ? end - count : (size_t)size[part];
    spc_vecAppend(values, start + size[part] - missing, missing, sizeof(double));
    count = end;
  }
}

void spc_keysGrow(SpcModel* model) {
  const SpcList* keys = &model->list[SPC_KEY];
  if (!keys->count) return;
  SpcList elements = spc_stateElements(model);
  for (int i = 0; i < keys->count; i++) {
    const mjsKey* s = keys->at[i]->spec;
    SpcVec* const parts[PARTS] = {s->qpos, s->qvel, s->act, s->ctrl, s->mpos, s->mquat};
    for (int p = 0; p < PARTS; p++) growPart(parts[p], p, &elements);
  }
  spc_listFree(&elements);
}

int spc_keysToElements(SpcModel* from, SpcModel* to, const SpcKeyNames* names, const SpcList* elements) {
  const SpcList* keys = &from->list[SPC_KEY];
  int status = 0;
  for (int i = 0; i < keys->count && !status; i++) {
    SpcElement* key = spc_make(to, SPC_KEY, NULL);
    ((mjsKey*)key->spec)->time = ((const mjsKey*)keys->at[i]->spec)->time;
    spc_renameWith(key, names->prefix, spc_text(&keys->at[i]->name), names->suffix);
    spc_listAdd(&to->pending, key);
    status = putDown(keys->at[i], key, elements);
  }
  return status;
}

int spc_keysToOwnElements(SpcModel* model, const SpcList* elements) {
  SpcList* keys = &model->list[SPC_KEY];
  for (int i = 0; i < keys->count; i++) {
    if (putDown(keys->at[i], keys->at[i], elements)) return -1;
  }

  // the arrays have no meaning until the keyframes are put together again
  for (int i = 0; i < keys->count; i++) {
    const mjsKey* key = keys->at[i]->spec;
    SpcVec* const parts[PARTS] = {key->qpos, key->qvel, key->act, key->ctrl, key->mpos, key->mquat};
    for (int p = 0; p < PARTS; p++) spc_vecFree(parts[p]);
    keys->at[i]->recorded = 1;
    spc_listAdd(&model->pending, keys->at[i]);
  }
  keys->count = 0;
  return 0;
}

int spc_keysRestore(SpcModel* model) {
  SpcList* keys = &model->list[SPC_KEY];
  const int before = keys->count;
  for (int i = 0; i < model->pending.count; i++) spc_listAdd(keys, model->pending.at[i]);
  model->pending.count = 0;
  for (int i = 0; i < keys->count; i++) keys->at[i]->id = i;
  return before;
}

void spc_keysForget(const SpcModel* model) {
  SpcList elements = spc_stateElements(model);
  for (int i = 0; i < elements.count; i++) {
    if (elements.at[i]->model == model) spc_vecFree(&elements.at[i]->keyed);
  }
  for (int i = 0; i < model->list[SPC_KEY].count; i++) model->list[SPC_KEY].at[i]->recorded = 0;
  spc_listFree(&elements);
}

void spc_keyForget(const SpcModel* model, const SpcElement* key) {
  SpcList elements = spc_stateElements(model);
  for (int i = 0; i < elements.count; i++) {
    SpcVec* keyed = &elements.at[i]->keyed;
    for (size_t k = spc_vecCount(keyed, sizeof(SpcKeyValue)); k-- > 0;) {
      if (((const SpcKeyValue*)(const void*)keyed->begin)[k].key == key) spc_vecRemove(keyed, k, sizeof(SpcKeyValue));
    }
  }
  spc_listFree(&elements);
}
