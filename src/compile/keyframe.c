// Keyframes: sizes are checked and what is missing is filled with the initial state. A keyframe that is too short is
// completed as well: the model may have grown since it was written.
#include <string.h>

#include "compile/compile.h"
#include "spec/graft.h"

// one array of a keyframe
typedef struct {
  const char* name;
  const SpcVec* given;
  int size;        // values that the model needs
  int width;       // values that belong together
  double* result;  // initial values, then the keyframe's
  int byNumber;    // messages give the number of the keyframe, not its name
} Part;

static void fill(Cmp* c, const CmpKey* key, const Part* part) {
  const int n = (int)spc_vecCount(part->given, sizeof(double));
  if (n > part->size || n % part->width) {
    if (part->byNumber) {
      cmp_fail(c, key->head.e, "keyframe %d: invalid %s size, expected length %d", key->head.id, part->name,
               part->size);
    }
    cmp_fail(c, key->head.e, "keyframe '%s': invalid %s size, expected %d, got %d", key->head.name, part->name,
             part->size, n);
  }
  if (n) memcpy(part->result, part->given->begin, (size_t)n * sizeof(double));
}

// -------------------------------------------------------------------------------------------- attached models

// where a part of a keyframe keeps the values of an element
static double* placeOf(const CmpKey* key, SpcKeyPart part, const CmpHead* head) {
  switch (part) {
    case SPC_QPOS:
      return key->qpos + ((const CmpJoint*)head)->qposadr;
    case SPC_QVEL:
      return key->qvel + ((const CmpJoint*)head)->dofadr;
    case SPC_ACT:
      return key->act + ((const CmpActuator*)head)->actadr;
    case SPC_CTRL:
      return key->ctrl + head->id;
    case SPC_MPOS:
      return key->mpos + 3 * ((const CmpBody*)head)->mocapid;
    default:
      return key->mquat + 4 * ((const CmpBody*)head)->mocapid;
  }
}

// number of values of that part; what was attached may have changed since
static int sizeOf(SpcKeyPart part, const CmpHead* head) {
  switch (part) {
    case SPC_QPOS:
      return cmp_nq((const CmpJoint*)head);
    case SPC_QVEL:
      return cmp_nv((const CmpJoint*)head);
    case SPC_ACT:
      return ((const CmpActuator*)head)->s.actdim;
    case SPC_CTRL:
      return 1;
    case SPC_MPOS:
      return ((const CmpBody*)head)->mocapid < 0 ? 0 : 3;
    default:
      return ((const CmpBody*)head)->mocapid < 0 ? 0 : 4;
  }
}

// keyframes of attached models are kept with the elements that they set
static void applyKeyed(const Cmp* c, SpcKindId kind) {
  for (int i = 0; i < cmp_count(c, kind); i++) {
    const CmpHead* const head = c->list[kind].at[i];
    const SpcVec* const keyed = &head->e->keyed;
    const size_t n = spc_vecCount(keyed, sizeof(SpcKeyValue));
    for (size_t k = 0; k < n; k++) {
      const SpcKeyValue* const value = (const SpcKeyValue*)(const void*)keyed->begin + k;
      const int id = value->key->id;
      if (id < 0 || id >= cmp_count(c, SPC_KEY) || value->count > sizeOf(value->part, head)) continue;
      CmpKey* const key = CMP_AT(c, SPC_KEY, CmpKey, id);
      key->attached = 1;
      double* const place = placeOf(key, value->part, head);
      memcpy(place, value->value, (size_t)value->count * sizeof(double));
    }
  }
}

// -------------------------------------------------------------------------------------------- keyframes

// What a keyframe's positions start from: the initial ones; free joints that a short keyframe leaves out stand at the
// origin instead.
static void startPositions(const CmpKey* key, const mjModel* m) {
  const size_t given = spc_vecCount(key->s.qpos, sizeof(double));
  if (m->nq) memcpy(key->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
  if (!given || given >= (size_t)m->nq) return;
  static const double identity[7] = {0, 0, 0, 1, 0, 0, 0};
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) memcpy(key->qpos + m->jnt_qposadr[j], identity, sizeof(identity));
  }
}

void cmp_compileKeys(Cmp* c, const mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  for (int i = 0; i < cmp_count(c, SPC_KEY); i++) {
    CmpKey* const key = CMP_AT(c, SPC_KEY, CmpKey, i);
    key->qpos = cmp_alloc(c, (size_t)m->nq + 1, sizeof(double));
    key->qvel = cmp_alloc(c, (size_t)m->nv + 1, sizeof(double));
    key->act = cmp_alloc(c, (size_t)m->na + 1, sizeof(double));
    key->mpos = cmp_alloc(c, 3 * (size_t)m->nmocap + 1, sizeof(double));
    key->mquat = cmp_alloc(c, 4 * (size_t)m->nmocap + 1, sizeof(double));
    key->ctrl = cmp_alloc(c, (size_t)m->nu + 1, sizeof(double));

    // initial state
    startPositions(key, m);
    for (int b = 0; b < m->nbody; b++) {
      const int id = m->body_mocapid[b];
      if (id < 0) continue;
      memcpy(key->mpos + 3 * id, m->body_pos + 3 * b, 3 * sizeof(double));
      memcpy(key->mquat + 4 * id, m->body_quat + 4 * b, 4 * sizeof(double));
    }

    const Part parts[] = {
        {"qpos",  key->s.qpos,  (int)m->nq,         1, key->qpos,  0},
        {"qvel",  key->s.qvel,  (int)m->nv,         1, key->qvel,  0},
        {"act",   key->s.act,   (int)m->na,         1, key->act,   0},
        {"ctrl",  key->s.ctrl,  (int)m->nu,         1, key->ctrl,  1},
        {"mpos",  key->s.mpos,  3 * (int)m->nmocap, 3, key->mpos,  1},
        {"mquat", key->s.mquat, 4 * (int)m->nmocap, 4, key->mquat, 1},
    };
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) fill(c, key, &parts[k]);
  }
  applyKeyed(c, SPC_JOINT);
  applyKeyed(c, SPC_ACTUATOR);
  applyKeyed(c, SPC_BODY);
}

void cmp_storeKeys(const Cmp* c) {
  BAS_ASSERT(c->stage == CMP_DONE);
  spc_keysForget(c->spec);
  const mjModel* const m = c->m;
  for (int i = 0; i < cmp_count(c, SPC_KEY); i++) {
    const CmpKey* const key = CMP_AT(c, SPC_KEY, CmpKey, i);
    if (!key->attached) continue;
    mjsKey* const s = key->head.e->spec;
    mjs_setDouble(s->qpos, key->qpos, (int)m->nq);
    mjs_setDouble(s->qvel, key->qvel, (int)m->nv);
    mjs_setDouble(s->act, key->act, (int)m->na);
    mjs_setDouble(s->ctrl, key->ctrl, (int)m->nu);
    mjs_setDouble(s->mpos, key->mpos, 3 * (int)m->nmocap);
    mjs_setDouble(s->mquat, key->mquat, 4 * (int)m->nmocap);
  }
}
