// Keyframes: sizes are checked and what is missing is filled with the initial state. A keyframe that is too short is
// completed as well: the model may have grown since it was written.
#include <string.h>

#include "compile/compile.h"

// one array of a keyframe
typedef struct {
  const char* name;
  const SpcVec* given;
  int size;        // values that the model needs
  int width;       // values that belong together
  double* result;  // initial values, then the keyframe's
} Part;

static void fill(Cmp* c, const CmpKey* key, const Part* part) {
  const int n = (int)spc_vecCount(part->given, sizeof(double));
  if (n > part->size || n % part->width) {
    cmp_fail(c, key->head.e, "keyframe '%s': invalid %s size, expected %d, got %d", key->head.name, part->name,
             part->size, n);
  }
  if (n) memcpy(part->result, part->given->begin, (size_t)n * sizeof(double));
}

void cmp_compileKeys(Cmp* c, const mjModel* m) {
  for (int i = 0; i < cmp_count(c, SPC_KEY); i++) {
    CmpKey* const key = CMP_AT(c, SPC_KEY, CmpKey, i);
    key->qpos = cmp_alloc(c, (size_t)m->nq + 1, sizeof(double));
    key->qvel = cmp_alloc(c, (size_t)m->nv + 1, sizeof(double));
    key->act = cmp_alloc(c, (size_t)m->na + 1, sizeof(double));
    key->mpos = cmp_alloc(c, 3 * (size_t)m->nmocap + 1, sizeof(double));
    key->mquat = cmp_alloc(c, 4 * (size_t)m->nmocap + 1, sizeof(double));
    key->ctrl = cmp_alloc(c, (size_t)m->nu + 1, sizeof(double));

    // initial state
    if (m->nq) memcpy(key->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int b = 0; b < m->nbody; b++) {
      const int id = m->body_mocapid[b];
      if (id < 0) continue;
      memcpy(key->mpos + 3 * id, m->body_pos + 3 * b, 3 * sizeof(double));
      memcpy(key->mquat + 4 * id, m->body_quat + 4 * b, 4 * sizeof(double));
    }

    const Part parts[] = {
        {"qpos",  key->s.qpos,  (int)m->nq,         1, key->qpos },
        {"qvel",  key->s.qvel,  (int)m->nv,         1, key->qvel },
        {"act",   key->s.act,   (int)m->na,         1, key->act  },
        {"ctrl",  key->s.ctrl,  (int)m->nu,         1, key->ctrl },
        {"mpos",  key->s.mpos,  3 * (int)m->nmocap, 3, key->mpos },
        {"mquat", key->s.mquat, 4 * (int)m->nmocap, 4, key->mquat},
    };
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) fill(c, key, &parts[k]);
  }
}
