// Fields by name: what they are in mjData or mjModel, and their memory over simulations.
#include <mujoco/mjxmacro.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "batch/batch.h"
#include "batch/cuda.h"

//---------------------------------- tables ----------------------------------

// state in the order of mjtState; inputs are only changed by users, so they are copied back only where hooks may be
static const struct {
  const char* name;
  int input;
} STATE[mjNSTATE] = {
    {"time",           0},
    {"qpos",           0},
    {"qvel",           0},
    {"act",            0},
    {"history",        0},
    {"qacc_warmstart", 0},
    {"ctrl",           1},
    {"qfrc_applied",   1},
    {"xfrc_applied",   1},
    {"eq_active",      1},
    {"mocap_pos",      1},
    {"mocap_quat",     1},
    {"userdata",       1},
    {"plugin_state",   0},
};

// members of a struct that hold their values
typedef struct {
  const char* name;
  size_t offset;
  snType type;
  int n;  // 0: a scalar
} Member;

#define INT(name) \
  { #name, offsetof(mjData, name), SN_INT32, 0 }
#define NUMBERS(name, n) \
  { #name, offsetof(mjData, name), SN_FLOAT64, n }
static const Member DATA_MEMBERS[] = {
    {"time",         offsetof(mjData, time),         SN_FLOAT64, 0        },
    NUMBERS(energy, 2),
    NUMBERS(solver_fwdinv, 2),
    {"solver_niter", offsetof(mjData, solver_niter), SN_INT32,   mjNISLAND},
    {"solver_nnz",   offsetof(mjData, solver_nnz),   SN_INT32,   mjNISLAND},
    INT(ncon),
    INT(ne),
    INT(nf),
    INT(nl),
    INT(nefc),
    INT(nJ),
    INT(nA),
    INT(nisland),
    INT(nidof),
    INT(ntree_awake),
    INT(nbody_awake),
    INT(nv_awake),
};
#undef INT
#undef NUMBERS

// enableflags decides at the start whether a simulation needs an mjData of its own
static const Member MODEL_MEMBERS[] = {
#define X(type, name) {"opt." #name, offsetof(mjModel, opt.name), SN_FLOAT64, 0},
    MJOPTION_FLOATS
#undef X
#define X(type, name) {"opt." #name, offsetof(mjModel, opt.name), SN_INT32, 0},
        MJOPTION_INTS
#undef X
#define X(name, n) {"opt." #name, offsetof(mjModel, opt.name), SN_FLOAT64, n},
            MJOPTION_VECTORS
#undef X
#define X(type, name, n) {"stat." #name, offsetof(mjModel, stat.name), SN_FLOAT64, (n) == 1 ? 0 : (n)},
                MJSTATISTIC_FIELDS
#undef X
};

#define CONTACT(name, type, n) \
  { "contact." #name, offsetof(mjContact, name), type, n }
static const Member CONTACT_MEMBERS[] = {
    CONTACT(dist, SN_FLOAT64, 0),
    CONTACT(pos, SN_FLOAT64, 3),
    CONTACT(frame, SN_FLOAT64, 9),
    CONTACT(includemargin, SN_FLOAT64, 0),
    CONTACT(friction, SN_FLOAT64, 5),
    CONTACT(solref, SN_FLOAT64, mjNREF),
    CONTACT(solreffriction, SN_FLOAT64, mjNREF),
    CONTACT(solimp, SN_FLOAT64, mjNIMP),
    CONTACT(mu, SN_FLOAT64, 0),
    CONTACT(dim, SN_INT32, 0),
    CONTACT(geom, SN_INT32, 2),
    CONTACT(flex, SN_INT32, 2),
    CONTACT(elem, SN_INT32, 2),
    CONTACT(vert, SN_INT32, 2),
    CONTACT(exclude, SN_INT32, 0),
    CONTACT(efc_address, SN_INT32, 0),
};
#undef CONTACT

// integers of mjModel that are parameters: nothing is laid out or planned by them
static const char* const INTEGERS[] = {
    "geom_contype",          "geom_conaffinity",    "geom_condim",    "geom_priority",        "pair_dim",
    "jnt_limited",           "jnt_actfrclimited",   "tendon_limited", "tendon_actfrclimited", "actuator_ctrllimited",
    "actuator_forcelimited", "actuator_actlimited", "eq_active0",     "tree_sleep_policy",
};

// numbers that are assets: other data follows from them or they are shared by file
static const char* const ASSETS[] = {"mesh_", "skin_", "tex_", "mat_", "bvh_aabb", "oct_", "text", "names"};

// what mj_setConst writes
static const char* const CONSTANTS[] = {
    "body_subtreemass",  "body_invweight0",     "dof_M0",           "dof_invweight0", "dof_length",
    "tendon_length0",    "tendon_invweight0",   "actuator_length0", "actuator_acc0",  "actuator_biasprm",
    "flexedge_length0",  "flexedge_invweight0", "eq_data",          "cam_pos0",       "cam_poscom0",
    "cam_mat0",          "light_pos0",          "light_poscom0",    "light_dir0",     "tendon_lengthspring",
    "tree_sleep_policy", "stat.meaninertia",    "stat.meanmass",    "stat.meansize",  "stat.extent",
    "stat.center",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const Member* findMember(const Member* table, size_t n, const char* name) {
  for (size_t i = 0; i < n; i++) {
    if (!strcmp(table[i].name, name)) return table + i;
  }
  return NULL;
}

static const MdlField* findField(const MdlField* table, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (!strcmp(table[i].name, name)) return table + i;
  }
  return NULL;
}

//---------------------------------- descriptions ----------------------------------

static snType typeOf(const MdlField* f) {
  switch ((MdlType)f->type) {
    case MDL_NUM:
      return SN_FLOAT64;
    case MDL_FLOAT:
      return SN_FLOAT32;
    case MDL_INT:
      return SN_INT32;
    case MDL_SIZE:
      return SN_INT64;
    case MDL_WORD:
      return SN_INT64;
    case MDL_CONTACT:
      return SN_STRUCT;
    case MDL_BYTE:
    case MDL_CHAR:
      break;
  }
  return SN_UINT8;
}

static int itemSize(snType type) {
  static const int SIZES[] = {[SN_FLOAT64] = 8, [SN_FLOAT32] = 4, [SN_INT32] = 4, [SN_INT64] = 8, [SN_UINT8] = 1};
  return SIZES[type];
}

static void fromMember(const Member* member, BatArray* a) {
  const int size = itemSize(member->type);
  *a = (BatArray){.name = member->name,
                  .offset = member->offset,
                  .kind = BAT_MEMBER,
                  .type = member->type,
                  .itemsize = size,
                  .ndim = member->n > 0,
                  .shape = {member->n},
                  .bytes = (size_t)size * (size_t)(member->n ? member->n : 1)};
}

// rows x columns, the columns left out where there is one
static void fromField(const MdlField* f, const mjModel* m, mjtSize rows, BatArray* a) {
  const mjtSize columns = mdl_columns(f, m);
  *a = (BatArray){
      .name = f->name,
      .offset = f->pointer,
      .kind = BAT_POINTER,
      .type = typeOf(f),
      .itemsize = f->bytes,
      .ndim = columns == 1 ? 1 : 2,
      .shape = {rows, columns},
      .bytes = (size_t)rows * (size_t)columns * f->bytes,
      .f = f
  };
}

static int describeList(const mjModel* m, const char* name, int capacity, BatArray* a, char text[BAT_NMESSAGE]) {
  const Member* const member = findMember(CONTACT_MEMBERS, COUNT(CONTACT_MEMBERS), name);
  const MdlField* const f = findField(mdl_arenaFields, mdl_narenaFields, member ? "contact" : name);
  if (!f) {
    snprintf(text, BAT_NMESSAGE, "there is no list '%.100s': contacts, constraint rows and islands are lists", name);
    return 0;
  }
  fromField(f, m, capacity, a);
  a->kind = BAT_LIST;
  if (!member) return 1;

  // one member of each contact
  BatArray inside;
  fromMember(member, &inside);
  a->name = member->name;
  a->type = inside.type;
  a->itemsize = inside.itemsize;
  a->ndim = 1 + inside.ndim;
  a->shape[1] = inside.shape[0];
  a->inner = member->offset;
  a->bytes = (size_t)capacity * inside.bytes;
  return 1;
}

int bat_describe(const mjModel* m, const char* name, int capacity, BatArray* a, char text[BAT_NMESSAGE]) {
  if (capacity > 0) return describeList(m, name, capacity, a, text);
  const Member* const member = findMember(DATA_MEMBERS, COUNT(DATA_MEMBERS), name);
  const MdlField* const f = findField(mdl_dataFields, mdl_ndataFields, name);
  if (member) {
    fromMember(member, a);
  } else if (f && f->type != MDL_WORD) {
    fromField(f, m, mdl_rows(f, m, NULL), a);
  } else {
    const int list = findField(mdl_arenaFields, mdl_narenaFields, name) || !strncmp(name, "contact.", 8);
    snprintf(text, BAT_NMESSAGE,
             list ? "'%.100s' is a list: sn_batchList says how many rows it may have" : "mjData has no field '%.100s'",
             name);
    return 0;
  }
  a->lane = bat_laneOf(name);
  for (int i = 0; i < mjNSTATE; i++) {
    if (strcmp(STATE[i].name, name)) continue;
    a->writable = 1;
    a->given = STATE[i].input;
  }
  return 1;
}

int bat_late(const char* name) {
  static const struct {
    const char* name;
    int late;
  } LATE[] = {
      {"cacc",           BAT_RNE     },
      {"cfrc_int",       BAT_RNE     },
      {"cfrc_ext",       BAT_EXTERNAL},
      {"subtree_linvel", BAT_SUBTREE },
      {"subtree_angmom", BAT_SUBTREE },
  };
  for (size_t i = 0; i < COUNT(LATE); i++) {
    if (!strcmp(LATE[i].name, name)) return LATE[i].late;
  }
  return 0;
}

// 1: readings depend on the energy of the step before
static int readsEnergy(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_E_KINETIC) return 1;
  }
  return 0;
}

void bat_describeState(const mjModel* m, int part, BatArray* a) {
  char text[BAT_NMESSAGE];
  static const Member ENERGY = {"(energy)", offsetof(mjData, energy), SN_FLOAT64, 2};
  static const Member FLAG = {"(flag)", offsetof(mjData, flg_energyvel), SN_UINT8, 0};
  if (part < mjNSTATE) {
    bat_describe(m, STATE[part].name, 0, a, text);
    return;
  }
  fromMember(part == BAT_ENERGY ? &ENERGY : &FLAG, a);
  if (!readsEnergy(m)) a->bytes = 0;
}

// 1: it is a number, or one of the integers that are parameters
static int isParameter(const MdlField* f) {
  for (size_t i = 0; i < COUNT(INTEGERS); i++) {
    if (!strcmp(f->name, INTEGERS[i])) return 1;
  }
  if (f->type != MDL_NUM && f->type != MDL_FLOAT) return 0;
  for (size_t i = 0; i < COUNT(ASSETS); i++) {
    if (!strncmp(f->name, ASSETS[i], strlen(ASSETS[i]))) return 0;
  }
  return 1;
}

int bat_describeModel(const mjModel* m, const char* name, BatArray* a, char text[BAT_NMESSAGE]) {
  const Member* const member = findMember(MODEL_MEMBERS, COUNT(MODEL_MEMBERS), name);
  const MdlField* const f = findField(mdl_modelFields, mdl_nmodelFields, name);
  if (member && strcmp(name, "opt.enableflags")) {
    fromMember(member, a);
  } else if (f && isParameter(f)) {
    fromField(f, m, mdl_rows(f, m, NULL), a);
  } else {
    snprintf(text, BAT_NMESSAGE,
             f || member ? "'%.100s' cannot differ between simulations of one model: it is structure or an asset"
                         : "mjModel has no field '%.100s'",
             name);
    return 0;
  }
  a->writable = 1;
  return 1;
}

//---------------------------------- memory ----------------------------------

void* bat_zeroed(size_t bytes) {
  void* const block = mju_malloc(bytes ? bytes : 1);
  memset(block, 0, bytes);
  return block;
}

void bat_checkMemory(const char* what, double bytes) {
  const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), giga = 1e9;
  if (has > 0 && bytes > has) {
    mju_error("%s needs %.1f GB, and this machine has %.1f GB of memory", what, bytes / giga, has / giga);
  }
}

void bat_allocate(BatArray* a, int n) {
  bat_checkMemory(a->name, (double)a->bytes * n);
  a->data = bat_zeroed(a->bytes * (size_t)n);
}

void bat_show(const BatArray* a, int n, snField* field) {
  *field = (snField){.data = a->data,
                     .type = a->type,
                     .itemsize = a->itemsize,
                     .ndim = 1 + a->ndim,
                     .writable = a->writable,
                     .device = SN_CPU};
  field->shape[0] = n;
  field->stride[0] = (int64_t)a->bytes;
  int64_t stride = a->itemsize;
  for (int i = a->ndim; i > 0; i--) {
    field->shape[i] = a->shape[i - 1];
    field->stride[i] = stride;
    stride *= a->shape[i - 1];
  }
}

// rows of a list, or one member of each contact, and zeros behind
static int fetchList(const BatArray* a, const mjModel* m, const mjData* d, char* where) {
  const char* const from = *mdl_pointer(a->f, d);
  const mjtSize there = from ? mdl_rows(a->f, m, d) : 0;
  const size_t n = (size_t)(there < a->shape[0] ? there : a->shape[0]);
  const size_t width = a->bytes / (size_t)a->shape[0];
  const size_t pitch = (size_t)a->f->bytes * (size_t)mdl_columns(a->f, m);
  for (size_t i = 0; from && i < n; i++) memcpy(where + i * width, from + i * pitch + a->inner, width);
  memset(where + n * width, 0, a->bytes - n * width);
  return there <= a->shape[0];
}

int bat_fetch(const BatArray* a, const mjModel* m, const mjData* d, char* where) {
  if (a->kind == BAT_LIST) return fetchList(a, m, d, where);
  if (a->kind == BAT_RAYS) {
    bat_castRays(a->rays, m, d, (mjtNum*)where);
    return 1;
  }
  const char* const place = (const char*)d + a->offset;
  if (a->bytes) memcpy(where, a->kind == BAT_MEMBER ? place : *(const char* const*)place, a->bytes);
  return 1;
}

//---------------------------------- binding ----------------------------------

static BatArray* findArray(BatArray* list, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (!strcmp(list[i].name, name)) return list + i;
  }
  return NULL;
}

BatArray* bat_append(BatArray** list, int* n, BatArray* a, int nsim) {
  BatArray* const grown = mju_malloc(sizeof(BatArray) * (size_t)(*n + 1));
  if (*n) memcpy(grown, *list, sizeof(BatArray) * (size_t)*n);
  mju_free(*list);
  *list = grown;
  bat_allocate(a, nsim);
  grown[*n] = *a;
  return grown + (*n)++;
}

// fields that a reset reads
static int resetReads(const mjModel* m, const char* name) {
  return !strcmp(name, "qpos0") || !strcmp(name, "eq_active0") || !strncmp(name, "key_", 4) ||
         (m->nmocap && (!strcmp(name, "body_pos") || !strcmp(name, "body_quat"))) ||
         (m->nhistory && (!strcmp(name, "opt.timestep") || !strncmp(name, "sensor_interval", 15)));
}

// expands a field: every simulation starts with the model's values
static BatArray* expand(BatGroup* g, BatArray* described) {
  BatArray* const a = bat_append(&g->expanded, &g->nexpanded, described, g->n);
  const char* const place = (const char*)g->m + a->offset;
  const char* const values = a->kind == BAT_MEMBER ? place : *(const char* const*)place;
  for (int i = 0; i < g->n && a->bytes; i++) memcpy(a->data + (size_t)i * a->bytes, values, a->bytes);
  g->resets |= resetReads(g->m, a->name);
  a->lane = bat_laneParam(a->name);
  g->narrow |= a->lane < 0;
  return a;
}

void bat_expandConstants(BatGroup* g) {
  for (size_t i = 0; i < COUNT(CONSTANTS); i++) {
    char text[BAT_NMESSAGE];
    BatArray a;
    if (findArray(g->expanded, g->nexpanded, CONSTANTS[i])) continue;
    if (bat_describeModel(g->m, CONSTANTS[i], &a, text) && a.bytes) expand(g, &a);
  }
}

//---------------------------------- public ----------------------------------

// arrays over all simulations
static int showCommon(const snBatch* b, const char* name, snField* field) {
  const struct {
    const char* name;
    void* data;
    snType type;
    int columns;
  } common[] = {
      {"status",  b->status,  SN_INT32, 0         },
      {"done",    b->done,    SN_UINT8, 0         },
      {"episode", b->episode, SN_INT32, 0         },
      {"warning", b->warning, SN_INT32, mjNWARNING},
      {"model",   b->which,   SN_INT32, 0         },
      {"row",     b->row,     SN_INT32, 0         },
  };
  for (size_t i = 0; i < COUNT(common); i++) {
    if (strcmp(common[i].name, name)) continue;
    const int size = itemSize(common[i].type), columns = common[i].columns;
    const BatArray a = {.data = common[i].data,
                        .type = common[i].type,
                        .itemsize = size,
                        .ndim = columns > 0,
                        .shape = {columns},
                        .bytes = (size_t)size * (size_t)(columns ? columns : 1),
                        .writable = common[i].data == b->done && !b->options.done};
    bat_show(&a, b->n, field);
    return 1;
  }
  return 0;
}

// what a request for a field is about
typedef struct {
  snBatch* b;
  int model, capacity;
  const char* name;
  snField* field;
} Request;

// on a GPU fields lie there; which simulation is where is known here
static void bindCuda(const Request* r) {
  const int placed = r->model == -1 && (!strcmp(r->name, "model") || !strcmp(r->name, "row"));
  if (placed && showCommon(r->b, r->name, r->field)) return;
  if (r->model >= r->b->ngroup) mju_error("model %d is none of %d", r->model, r->b->ngroup);
  if (!bat_cudaField(r->b, r->model, r->name, r->capacity, r->field)) mju_error("%s", r->b->complaint);
}

static void bind(void* argument) {
  Request* const r = argument;
  if (r->b->cuda) {
    bindCuda(r);
    return;
  }
  if (r->model == -1 && !r->capacity) {
    if (!showCommon(r->b, r->name, r->field)) mju_error("there is no field '%.100s' over all simulations", r->name);
    return;
  }
  if (r->model < 0 || r->model >= r->b->ngroup) mju_error("model %d is none of %d", r->model, r->b->ngroup);
  BatGroup* const g = r->b->group + r->model;
  char text[BAT_NMESSAGE];
  BatArray described, *a = findArray(g->state, BAT_NSTATE, r->name);
  if (!a || r->capacity) {
    a = findArray(g->bound, g->nbound, r->name);
    if (!bat_describe(g->m, r->name, r->capacity, &described, text)) mju_error("%s", text);
    if (a && a->bytes != described.bytes) mju_error("'%s' is bound with another capacity", r->name);
  }
  if (!a) a = bat_append(&g->bound, &g->nbound, &described, g->n);
  g->late |= bat_late(r->name);
  bat_show(a, g->n, r->field);
}

static void expandByName(void* argument) {
  Request* const r = argument;
  if (r->model < 0 || r->model >= r->b->ngroup) mju_error("model %d is none of %d", r->model, r->b->ngroup);
  BatGroup* const g = r->b->group + r->model;
  char text[BAT_NMESSAGE];
  BatArray described, *a = findArray(g->expanded, g->nexpanded, r->name);
  if (!a && !bat_describeModel(g->m, r->name, &described, text)) mju_error("%s", text);
  if (r->b->cuda && !bat_cudaExpand(r->b, r->model, r->name, r->field)) mju_error("%s", r->b->complaint);
  if (!a) a = expand(g, &described);
  if (!r->b->cuda) bat_show(a, g->n, r->field);
}

static snStatus request(void (*work)(void*), Request r) {
  if (!r.b) return SN_ERROR;
  if (!r.name || !r.field) {
    snprintf(r.b->complaint, sizeof(r.b->complaint), "%s is NULL", r.name ? "field" : "name");
    return SN_ERROR;
  }
  if (atomic_exchange(&r.b->busy, 1)) return SN_ERROR;
  r.b->complaint[0] = 0;
  const int good = bat_guard(work, &r, r.b->complaint);
  atomic_store(&r.b->busy, 0);
  return good ? SN_OK : SN_ERROR;
}

snStatus sn_batchField(snBatch* b, int model, const char* name, snField* field) {
  return request(bind, (Request){.b = b, .model = model, .name = name, .field = field});
}

snStatus sn_batchList(snBatch* b, int model, const char* name, int capacity, snField* field) {
  // a capacity below one is one that no list can be described with
  if (b && capacity < 1) {
    snprintf(b->complaint, sizeof(b->complaint), "a list needs room for at least one row, not %d", capacity);
    return SN_ERROR;
  }
  return request(bind, (Request){.b = b, .model = model, .name = name, .capacity = capacity, .field = field});
}

snStatus sn_batchExpand(snBatch* b, int model, const char* name, snField* field) {
  return request(expandByName, (Request){.b = b, .model = model, .name = name, .field = field});
}

//---------------------------------- copies ----------------------------------

// all rows of a field to or from memory of the caller
static snStatus copyField(snBatch* b, const snField* field, void* host, int write) {
  if (!b || atomic_exchange(&b->busy, 1)) return SN_ERROR;
  const char* wrong = NULL;
  if (!field || !host) wrong = field ? "the memory to copy is NULL" : "field is NULL";
  if (field && field->device == SN_CPU && !field->data) wrong = "the field has no data: sn_batchField fills it";
  if (field && write && !field->writable) wrong = "the field is an output";
  snprintf(b->complaint, sizeof(b->complaint), "%s", wrong ? wrong : "");
  int good = !wrong;
  if (good && field->device == SN_CUDA) {
    good = b->cuda && bat_cudaCopy(b, field, host, write);
  } else if (good) {
    const size_t bytes = (size_t)(field->shape[0] * field->stride[0]);
    memcpy(write ? field->data : host, write ? host : field->data, bytes);
  }
  atomic_store(&b->busy, 0);
  return good ? SN_OK : SN_ERROR;
}

snStatus sn_batchRead(snBatch* b, const snField* field, void* to) {
  return copyField(b, field, to, 0);
}

snStatus sn_batchWrite(snBatch* b, const snField* field, const void* from) {
  return copyField(b, field, (void*)from, 1);
}

//---------------------------------- values of another model ----------------------------------

// Gives a simulation what a model has of one field. Fields are expanded once a value differs.
static void takeField(BatGroup* g, int row, const mjModel* m, BatArray* described) {
  const char* const place = (const char*)m + described->offset;
  const char* const own = (const char*)g->m + described->offset;
  const int member = described->kind == BAT_MEMBER;
  const char* const values = member ? place : *(const char* const*)place;
  BatArray* a = findArray(g->expanded, g->nexpanded, described->name);
  if (!described->bytes) return;
  if (!a && !memcmp(values, member ? own : *(const char* const*)own, described->bytes)) return;
  if (!a) a = expand(g, described);
  memcpy(a->data + (size_t)row * a->bytes, values, a->bytes);
}

// raises an error where two models are not made of the same parts; dropped: flags that the first has no more
static void compareStructure(const mjModel* a, int dropped, const mjModel* b) {
  for (int i = 0; i < mdl_nsizes; i++) {
    const mjtSize* const sizes[2] = {(const mjtSize*)((const char*)a + mdl_sizes[i].offset),
                                     (const mjtSize*)((const char*)b + mdl_sizes[i].offset)};
    if (*sizes[0] != *sizes[1]) mju_error("the models have different %s", mdl_sizes[i].name);
  }
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const MdlField* const f = mdl_modelFields + i;
    const size_t bytes = mdl_bytes(f, a, NULL);
    if (isParameter(f) || !bytes || !memcmp(*mdl_pointer(f, a), *mdl_pointer(f, b), bytes)) continue;
    mju_error("the models have different %s, which cannot differ between simulations", f->name);
  }
  if ((a->opt.enableflags | dropped) != b->opt.enableflags) mju_error("the models have different opt.enableflags");
}

typedef struct {
  snBatch* b;
  int sim;
  const mjModel* m;
} Change;

static void takeModel(void* argument) {
  const Change* const c = argument;
  if (c->sim < 0 || c->sim >= c->b->n) mju_error("simulation %d is none of %d", c->sim, c->b->n);
  if (!c->m) mju_error("the model is NULL");
  BatGroup* const g = c->b->group + c->b->which[c->sim];
  compareStructure(g->m, g->dropped, c->m);
  BatArray described;
  for (int i = 0; i < mdl_nmodelFields; i++) {
    if (!isParameter(mdl_modelFields + i)) continue;
    fromField(mdl_modelFields + i, g->m, mdl_rows(mdl_modelFields + i, g->m, NULL), &described);
    takeField(g, c->b->row[c->sim], c->m, &described);
  }
  for (size_t i = 0; i < COUNT(MODEL_MEMBERS); i++) {
    fromMember(MODEL_MEMBERS + i, &described);
    if (strcmp(described.name, "opt.enableflags")) takeField(g, c->b->row[c->sim], c->m, &described);
  }
}

snStatus sn_batchSetModel(snBatch* b, int sim, const mjModel* m) {
  if (!b || atomic_exchange(&b->busy, 1)) return SN_ERROR;
  b->complaint[0] = 0;
  Change change = {b, sim, m};
  int good = !b->cuda || bat_cudaParams(b, 0);
  good = good && bat_guard(takeModel, &change, b->complaint) && (!b->cuda || bat_cudaParams(b, 1));
  atomic_store(&b->busy, 0);
  return good ? SN_OK : SN_ERROR;
}

//---------------------------------- one model, one mjData ----------------------------------

// a field where it lies in one struct, shown as the row of one simulation; NULL: only what it is like
static void showOne(BatArray* a, char* from, snField* field) {
  char* const place = from ? from + a->offset : NULL;
  a->data = place && a->kind != BAT_MEMBER ? *(char**)place : place;
  bat_show(a, 1, field);
  field->ndim--;
  memmove(field->shape, field->shape + 1, sizeof(field->shape) - sizeof(field->shape[0]));
  memmove(field->stride, field->stride + 1, sizeof(field->stride) - sizeof(field->stride[0]));
}

snStatus sn_modelField(const mjModel* m, const char* name, snField* field) {
  if (!m || !name || !field) return SN_ERROR;
  BatArray a = {0};
  const Member* const member = findMember(MODEL_MEMBERS, COUNT(MODEL_MEMBERS), name);
  const MdlField* const f = findField(mdl_modelFields, mdl_nmodelFields, name);
  if (member) {
    fromMember(member, &a);
  } else if (f) {
    fromField(f, m, mdl_rows(f, m, NULL), &a);
  } else {
    // a size
    int i = 0;
    while (i < mdl_nsizes && strcmp(mdl_sizes[i].name, name)) i++;
    if (i == mdl_nsizes) return SN_ERROR;
    fromMember(&(Member){mdl_sizes[i].name, mdl_sizes[i].offset, SN_INT64, 0}, &a);
  }

  showOne(&a, (char*)m, field);
  field->writable = member != NULL || f != NULL;
  return SN_OK;
}

snStatus sn_dataField(const mjModel* m, const mjData* d, const char* name, snField* field) {
  char text[BAT_NMESSAGE];
  BatArray a;
  if (!m || !name || !field || !bat_describe(m, name, 0, &a, text)) return SN_ERROR;
  showOne(&a, (char*)d, field);
  return SN_OK;
}
