// State of a simulation as one vector of numbers, selected by the bits of mjtState in their order, and keyframes.
#include <string.h>

#include "model/anchor.h"
#include "model/fields.h"

//---------------------------------- components --------------------------------------------------------------------

// where a component is: an array of mjData with rows x columns numbers
typedef struct {
  uint32_t pointer;  // offset of the array's address in mjData
  uint32_t rows;     // offset of the count in mjModel, 0 for time
  int columns;
} Component;

#define PART(name, count, width) \
  { offsetof(mjData, name), offsetof(mjModel, count), width }

// in the order of the bits; nq is the first member of mjModel, so time is told apart by its width of 0
static const Component COMPONENTS[mjNSTATE] = {
    {0, 0, 0},
    PART(qpos, nq, 1),
    PART(qvel, nv, 1),
    PART(act, na, 1),
    PART(history, nhistory, 1),
    PART(qacc_warmstart, nv, 1),
    PART(ctrl, nu, 1),
    PART(qfrc_applied, nv, 1),
    PART(xfrc_applied, nbody, 6),
    PART(eq_active, neq, 1),
    PART(mocap_pos, nmocap, 3),
    PART(mocap_quat, nmocap, 4),
    PART(userdata, nuserdata, 1),
    PART(plugin_state, npluginstate, 1),
};

#define EQ_ACTIVE 9  // the one component that is kept as bytes
_Static_assert(mjSTATE_EQ_ACTIVE == 1 << EQ_ACTIVE, "components follow the bits of mjtState");

static size_t countOf(const mjModel* m, int i) {
  const Component* c = COMPONENTS + i;
  return c->columns ? (size_t)(c->columns * *(const mjtSize*)((const char*)m + c->rows)) : 1;
}

static mjtNum* numbersOf(const mjData* d, int i) {
  if (!COMPONENTS[i].columns) return (mjtNum*)&d->time;
  return *(mjtNum**)((char*)d + COMPONENTS[i].pointer);
}

// 1: only bits that exist
static int validSignature(const char* caller, const char* noun, int sig) {
  if (sig < 0) {
    mju_error("%s: invalid %s %d < 0", caller, noun, sig);
    return 0;
  }
  if (sig >= 1 << mjNSTATE) {
    mju_error("%s: invalid %s %d >= 2^mjNSTATE", caller, noun, sig);
    return 0;
  }
  return 1;
}

static int valid(const char* caller, const mjModel* m, const void* argument, int sig) {
  if (!m || !argument) {
    mju_error("%s: %s is NULL", caller, m ? "an argument" : "m");
    return 0;
  }
  return validSignature(caller, "state signature", sig);
}

//---------------------------------- vectors -----------------------------------------------------------------------

int mj_stateSize(const mjModel* m, int sig) {
  if (!valid("mj_stateSize", m, m, sig)) return 0;
  size_t n = 0;
  for (int i = 0; i < mjNSTATE; i++) n += sig & (1 << i) ? countOf(m, i) : 0;
  return (int)n;
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  if (!valid("mj_getState", m, d, sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    const size_t n = countOf(m, i);
    if (!(sig & (1 << i)) || !n) continue;
    if (i == EQ_ACTIVE) {
      for (size_t k = 0; k < n; k++) state[k] = d->eq_active[k];
    } else {
      memcpy(state, numbersOf(d, i), n * sizeof(mjtNum));
    }
    state += n;
  }
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  if (!valid("mj_setState", m, d, sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    const size_t n = countOf(m, i);
    if (!(sig & (1 << i)) || !n) continue;
    if (i == EQ_ACTIVE) {
      for (size_t k = 0; k < n; k++) d->eq_active[k] = (mjtByte)state[k];
    } else {
      memcpy(numbersOf(d, i), state, n * sizeof(mjtNum));
    }
    state += n;
  }

  // what contacts remember belongs to other positions
  if (sig & mjSTATE_QPOS) mdl_clearAnchors(d);
}

void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  if (!m) {
    mju_error("mj_extractState: m is NULL");
    return;
  }
  if (!validSignature("mj_extractState", "srcsig", srcsig)) return;
  if (dstsig & ~srcsig) {
    mju_error("mj_extractState: dstsig is not a subset of srcsig");
    return;
  }
  for (int i = 0; i < mjNSTATE; i++) {
    if (!(srcsig & (1 << i))) continue;
    const size_t n = countOf(m, i);
    if (dstsig & (1 << i)) {
      if (n) memcpy(dst, src, n * sizeof(mjtNum));
      dst += n;
    }
    src += n;
  }
}

void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  if (!valid("mj_copyState", m, src && dst ? m : NULL, sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    const size_t n = countOf(m, i);
    if (!(sig & (1 << i)) || !n || src == dst) continue;
    if (i == EQ_ACTIVE) {
      memcpy(dst->eq_active, src->eq_active, n);
    } else {
      memcpy(numbersOf(dst, i), numbersOf(src, i), n * sizeof(mjtNum));
    }
  }
  if ((sig & mjSTATE_QPOS) && src != dst) {
    MdlAnchors* const anchors = mdl_section(src, MDL_ANCHORS);
    mdl_setAnchors(dst, mdl_anchor(anchors), anchors->count);
  }
}

//---------------------------------- keyframes ---------------------------------------------------------------------

void mj_setKeyframe(mjModel* m, const mjData* d, int key) {
  if (!m || !d) {
    mju_error("mj_setKeyframe: %s is NULL", m ? "d" : "m");
    return;
  }
  if (key >= m->nkey) {
    mju_error("mj_setKeyframe: index must be smaller than %lld (keyframes allocated in model)", (long long)m->nkey);
    return;
  }
  if (key < 0) {
    mju_error("mj_setKeyframe: keyframe index cannot be negative");
    return;
  }
  m->key_time[key] = d->time;

  // one row of each table
  const struct {
    mjtNum* table;
    const mjtNum* row;
    mjtSize n;
  } copy[] = {
      {m->key_qpos,  d->qpos,       m->nq        },
      {m->key_qvel,  d->qvel,       m->nv        },
      {m->key_act,   d->act,        m->na        },
      {m->key_mpos,  d->mocap_pos,  3 * m->nmocap},
      {m->key_mquat, d->mocap_quat, 4 * m->nmocap},
      {m->key_ctrl,  d->ctrl,       m->nu        },
  };
  for (size_t i = 0; i < sizeof(copy) / sizeof(copy[0]); i++) {
    if (copy[i].n) memcpy(copy[i].table + key * copy[i].n, copy[i].row, sizeof(mjtNum) * (size_t)copy[i].n);
  }
}
