// Reserved entries of mjModel: found, set, and the model's arrays made anew where an entry is new or grows.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/fields.h"
#include "model/make.h"
#include "model/names.h"
#include "physics/physics.h"
#include "physics/stick.h"

enum { MAX_NAME = 1200 };  // of an entry; names of elements are as long as users make them

const char* phy_fail(const char* format, ...) {
  // what is to be written may quote the last message
  static _Thread_local char message[500];
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  memcpy(message, text, sizeof(message));
  return message;
}

//---------------------------------- finding ----------------------------------

mjtObj phy_object(snKind kind) {
  return kind == SN_ACTUATION ? mjOBJ_ACTUATOR : kind == SN_CONTACT ? mjOBJ_UNKNOWN : mjOBJ_FLEX;
}

int phy_elementCount(const mjModel* m, snKind kind) {
  const mjtObj type = phy_object(kind);
  return type == mjOBJ_FLEX ? (int)m->nflex : type == mjOBJ_ACTUATOR ? (int)m->nu : 1;
}

void phy_entryName(const mjModel* m, const char* kind, mjtObj type, int id, char* name, size_t size) {
  const char* element = type == mjOBJ_UNKNOWN ? NULL : mj_id2name(m, type, id);
  if (type == mjOBJ_UNKNOWN) {
    snprintf(name, size, PHY_PREFIX "%s", kind);
  } else if (element) {
    snprintf(name, size, PHY_PREFIX "%s:%s", kind, element);
  } else {
    snprintf(name, size, PHY_PREFIX "%s:#%d", kind, id);
  }
}

int phy_entry(const mjModel* m, mjtObj entries, const char* kind, mjtObj type, int id) {
  char name[MAX_NAME];
  phy_entryName(m, kind, type, id, name, sizeof(name));
  const int found = mj_name2id(m, entries, name);
  if (found >= 0 || type == mjOBJ_UNKNOWN || !mj_id2name(m, type, id)) return found;

  // an element with a name may be meant by its number
  snprintf(name, sizeof(name), PHY_PREFIX "%s:#%d", kind, id);
  return mj_name2id(m, entries, name);
}

//---------------------------------- setting ----------------------------------

// what happens to the texts or the numerics: one entry gets new content, or there is one more
typedef struct {
  int id;     // of the entry, the old count for one that is new
  int count;  // its new size, 0: no such entry is set
  int old;    // its size so far
} Change;

static Change changeOf(const mjModel* m, mjtObj type, const char* name, int count) {
  const int text = type == mjOBJ_TEXT, found = mj_name2id(m, type, name);
  const int entries = (int)(text ? m->ntext : m->nnumeric);
  const int* size = text ? m->text_size : m->numeric_size;
  return (Change){found < 0 ? entries : found, count, found < 0 ? 0 : size[found]};
}

// sizes, addresses and content of a list of entries, with one changed
static void copyEntries(const Change* c, int n, const int* size, const int* adr, int* newSize, int* newAdr,
                        const char* data, char* newData, size_t bytes) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    const int changed = c->count && i == c->id;
    newAdr[i] = at;
    newSize[i] = changed ? c->count : size[i];
    if (!changed) memcpy(newData + bytes * (size_t)at, data + bytes * (size_t)adr[i], bytes * (size_t)size[i]);
    at += newSize[i];
  }
}

// memory for a model, where a lack of it is no error to raise
typedef struct {
  const mjModel* sizes;
  mjModel* made;
} Making;

static void makeModel(void* arg) {
  Making* const make = arg;
  make->made = mdl_make(NULL, make->sizes);
}

// copies the model with room for the changes; NULL: memory is missing
static mjModel* rebuild(const mjModel* m, const char* name, const Change* text, const Change* numeric) {
  const int newText = text->count && text->id == m->ntext, newNumeric = numeric->count && numeric->id == m->nnumeric;
  mjModel sizes = *m;
  sizes.ntext += newText;
  sizes.nnumeric += newNumeric;
  if (text->count) sizes.ntextdata += text->count - text->old;
  if (numeric->count) sizes.nnumericdata += numeric->count - numeric->old;
  sizes.nnames += (newText + newNumeric) * ((mjtSize)strlen(name) + 1);
  Making make = {&sizes, NULL};
  char message[BAS_MESSAGE];
  if (!bas_attempt(makeModel, &make, message) || !make.made) return NULL;
  mjModel* const made = make.made;
  made->opt = m->opt;
  made->vis = m->vis;
  made->stat = m->stat;
  made->signature = m->signature;

  // everything else as it is; entries and names that are new come last
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const MdlField* f = mdl_modelFields + i;
    const size_t bytes = mdl_bytes(f, m, NULL), room = mdl_bytes(f, made, NULL);
    if (bytes) memcpy(*mdl_pointer(f, made), *mdl_pointer(f, m), bytes < room ? bytes : room);
  }
  copyEntries(text, (int)made->ntext, m->text_size, m->text_adr, made->text_size, made->text_adr, m->text_data,
              made->text_data, 1);
  copyEntries(numeric, (int)made->nnumeric, m->numeric_size, m->numeric_adr, made->numeric_size, made->numeric_adr,
              (const char*)m->numeric_data, (char*)made->numeric_data, sizeof(mjtNum));
  int adr = (int)m->nnames;
  int* const slots[2] = {newText ? made->name_textadr + text->id : NULL,
                         newNumeric ? made->name_numericadr + numeric->id : NULL};
  for (int k = 0; k < 2; k++) {
    if (!slots[k]) continue;
    *slots[k] = adr;
    memcpy(made->names + adr, name, strlen(name) + 1);
    adr += (int)strlen(name) + 1;
  }
  mdl_hashNames(made);
  return made;
}

int phy_setEntry(mjModel* m, const PhyEntry* entry) {
  const Change text = changeOf(m, mjOBJ_TEXT, entry->name, entry->text ? (int)strlen(entry->text) + 1 : 0);
  const Change numeric = changeOf(m, mjOBJ_NUMERIC, entry->name, entry->count);

  // a new arrangement, unless everything has its place
  if (text.count != text.old || numeric.count != numeric.old) {
    mjModel* made = rebuild(m, entry->name, &text, &numeric);
    if (!made) return 0;
    mju_free(m->buffer);
    *m = *made;
    mju_free(made);
  }
  if (text.count && entry->text) memcpy(m->text_data + m->text_adr[text.id], entry->text, (size_t)text.count);
  if (numeric.count && entry->number) {
    memcpy(m->numeric_data + m->numeric_adr[numeric.id], entry->number, (size_t)numeric.count * sizeof(mjtNum));
  }
  return 1;
}

//---------------------------------- choices ----------------------------------

// NULL, or why the model is not for the shape of the flex
static const char* wrongShape(const mjModel* m, snKind kind, int id, const snInfo* info) {
  if (info == sn_modelAt(kind, 0) || phy_object(kind) != mjOBJ_FLEX) return NULL;
  const int dim = m->flex_dim[id];
  if (m->flex_interp[id]) return phy_fail("flex %d is interpolated and has the models of the reference only", id);
  if (kind == SN_BENDING && dim != 2) return phy_fail("flex %d has dim %d, bending is for dim 2", id, dim);
  if (kind == SN_ELASTICITY && !(((const snElasticity*)info)->dims & 1 << dim)) {
    return phy_fail("flex %d has dim %d, which elasticity model '%s' does not have", id, dim, info->name);
  }
  const int flat = phy_flatElement(m, id);
  if (flat >= 0) {
    return phy_fail("element %d of flex %d has no %s at rest, which %s model '%s' needs", flat, id,
                    dim == 2 ? "area" : "volume", sn_kindName(kind), info->name);
  }
  return NULL;
}

// NULL, or why the model cannot be that of the element
const char* phy_misfit(const mjModel* m, snKind kind, int id, const snInfo* info, const mjtNum* param) {
  const char* wrong = wrongShape(m, kind, id, info);
  if (!wrong) wrong = phy_wrongParam(kind, info, param);
  if (wrong || info == sn_modelAt(kind, 0)) return wrong;
  if (kind == SN_CONTACT) {
    const snContact* contact = (const snContact*)info;
    const char* why = phy_hasStick(m)  ? "has no friction with memory (sinew:stick)"
                      : contact->check ? contact->check(m, param)
                                       : NULL;
    return why ? phy_fail("contact model '%s': %s", info->name, why) : NULL;
  }
  if (kind == SN_ACTUATION) {
    const snActuation* actuation = (const snActuation*)info;
    const int states = actuation->states ? actuation->states(param) : 0;
    if (states != m->actuator_actnum[id]) {
      return phy_fail("actuation model '%s' has %d states, actuator %d has %d activations", info->name, states, id,
                      m->actuator_actnum[id]);
    }
    if (m->actuator_plugin[id] >= 0) return phy_fail("actuator %d is a plugin and has no other model", id);
    return NULL;
  }
  return NULL;
}

const char* phy_choose(mjModel* m, snKind kind, int id, const char* name, const mjtNum* param) {
  if (!m) return phy_fail("m is NULL");
  const mjtObj type = phy_object(kind);
  if (id < 0 || id >= phy_elementCount(m, kind)) return phy_fail("there is no %s %d", mju_type2Str(type), id);
  char text[100];
  const snInfo* info = sn_findModel(kind, name ? name : "");
  if (!info) {
    return phy_fail("unknown %s model '%.60s'%s", sn_kindName(kind), name ? name : "",
                    phy_suggest(kind, name ? name : "", text, sizeof(text)));
  }

  // parameters: given, or defaults with the material of the flex
  mjtNum value[SN_MAXPARAM] = {0};
  if (param) memcpy(value, param, (size_t)info->nparam * sizeof(mjtNum));
  PhyMaterial material;
  const int known = !param && type == mjOBJ_FLEX && phy_material(m, id, &material);
  if (!param) phy_fillParams(info, known ? &material : NULL, value);
  const char* why = phy_misfit(m, kind, id, info, value);
  if (why) return why;

  // the default without an entry is said by having none
  const int found = phy_entry(m, mjOBJ_TEXT, sn_kindName(kind), type, id);
  if (found < 0 && info == sn_modelAt(kind, 0)) return NULL;
  char entry[MAX_NAME];
  if (found >= 0) {
    snprintf(entry, sizeof(entry), "%s", mj_id2name(m, mjOBJ_TEXT, found));
  } else {
    phy_entryName(m, sn_kindName(kind), type, id, entry, sizeof(entry));
  }
  return phy_setEntry(m, &(PhyEntry){entry, info->name, value, info->nparam}) ? NULL : "out of memory";
}

const char* sn_setBending(mjModel* m, int flex, const char* name, const mjtNum* param) {
  return phy_choose(m, SN_BENDING, flex, name, param);
}

const char* sn_setElasticity(mjModel* m, int flex, const char* name, const mjtNum* param) {
  return phy_choose(m, SN_ELASTICITY, flex, name, param);
}

const char* sn_setActuation(mjModel* m, int actuator, const char* name, const mjtNum* param) {
  return phy_choose(m, SN_ACTUATION, actuator, name, param);
}

const char* sn_setContact(mjModel* m, const char* name, const mjtNum* param) {
  return phy_choose(m, SN_CONTACT, 0, name, param);
}

//---------------------------------- keyframes ----------------------------------

const mjtNum* sn_keyUserdata(const mjModel* m, int key) {
  if (!m || key < 0 || key >= m->nkey) return NULL;
  const int found = phy_entry(m, mjOBJ_NUMERIC, "userdata", mjOBJ_KEY, key);
  return found >= 0 && m->numeric_size[found] == m->nuserdata ? m->numeric_data + m->numeric_adr[found] : NULL;
}

const char* sn_setKeyUserdata(mjModel* m, int key, const mjtNum* userdata) {
  if (!m || !userdata) return phy_fail("%s is NULL", m ? "userdata" : "m");
  if (key < 0 || key >= m->nkey) return phy_fail("there is no key %d", key);
  if (!m->nuserdata) return phy_fail("the model has no user data");
  char name[MAX_NAME];
  phy_entryName(m, "userdata", mjOBJ_KEY, key, name, sizeof(name));
  return phy_setEntry(m, &(PhyEntry){name, NULL, userdata, (int)m->nuserdata}) ? NULL : "out of memory";
}

void sn_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  mj_resetDataKeyframe(m, d, key);
  const mjtNum* userdata = sn_keyUserdata(m, key);
  if (userdata) memcpy(d->userdata, userdata, (size_t)m->nuserdata * sizeof(mjtNum));
}
