// Simulations of one model on a device, in the precision of the file that includes this.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/build.h"
#include "cuda/sims.h"
#include "cuda/watch.h"

// parts of the state and inputs: field, part of mjtState
#define STATE(X)                                   \
  X(time, 1, mjSTATE_TIME)                         \
  X(qpos, nq, mjSTATE_QPOS)                        \
  X(qvel, nv, mjSTATE_QVEL)                        \
  X(act, na, mjSTATE_ACT)                          \
  X(qacc_warmstart, nv, mjSTATE_WARMSTART)         \
  X(ctrl, nu, mjSTATE_CTRL)                        \
  X(qfrc_applied, nv, mjSTATE_QFRC_APPLIED)        \
  X(xfrc_applied, 6 * nbody, mjSTATE_XFRC_APPLIED) \
  X(mocap_pos, 3 * nmocap, mjSTATE_MOCAP_POS)      \
  X(mocap_quat, 4 * nmocap, mjSTATE_MOCAP_QUAT)

// bundles of rays
enum { MAXBUNDLE = 16, MAXOWN = 100 };

// numbers of the models of simulations: which pointer, where its rows begin, numbers of a row
typedef struct {
  size_t offset;
  Real* rows;
  int count;
} Own;

struct CudSims_ {
  const CudDevice* device;
  CudTask task;
  const mjModel* m;             // the caller's, for as long as the simulations exist
  int n;                        // simulations
  int width;                    // lanes of each
  size_t bytes;                 // on the device
  void* block;                  // the model's arrays
  CudModel base;                // what the models of simulations have in common
  Own own[MAXOWN];              // where they differ
  int nown, written;            // written: they are on the device
  CudBundle bundle[MAXBUNDLE];  // rays
  CudTable table[CUD_NLIST];    // lists
  int* list;                    // room for a selection
  void* owned[300];             // everything to release
  int nowned;
};

//---------------------------------- memory ----------------------------------

static void* take(CudSims* s, size_t bytes, char message[CUD_MESSAGE]) {
  void* memory = NULL;
  if (s->device->allocate(&memory, bytes ? bytes : 1, message)) return NULL;
  s->owned[s->nowned++] = memory;
  s->bytes += bytes;
  return memory;
}

static void delete (CudSims* s) {
  if (!s) return;
  for (int i = 0; i < s->nowned; i++) s->device->release(s->owned[i]);
  free(s);
}

static size_t memory(const CudSims* s, int* workspace) {
  *workspace = s->task.m.far ? 0 : s->task.m.at.total * (int)sizeof(Real);
  return s->bytes;
}

//---------------------------------- make ----------------------------------

// workspace: how large one should be; most: how large it can be on a processor, else it lies in the memory of the
// device
static int uploadModel(CudSims* s, const mjModel* m, int workspace, int most, char message[CUD_MESSAGE]) {
  size_t bytes;
  char* block = makeModel(&s->task.m, m, m->nflex ? 0 : workspace, &bytes);
  if (block && !s->task.m.far && s->task.m.at.total > most / (int)sizeof(Real)) {
    free(block);
    block = makeModel(&s->task.m, m, 0, &bytes);
  }
  s->block = block ? take(s, bytes, message) : NULL;
  const int bad =
      !s->block || s->device->write(s->block, block, bytes, NULL, message) || s->device->wait(NULL, message);
  free(block);
  if (bad) return 0;
  place(&s->task.m, s->block);
  return 1;
}

// 1: something is asked for besides the state, or resets happen on the device
static int asksMore(const CudTask* t) {
  int asks = t->watching || t->reset.now != -2 || t->reset.automatic;
#define X(name, count) asks |= t->out.name != NULL;
  CUD_OUTPUTS(X)
  CUD_FORCE_OUTPUTS(X)
  CUD_LATE_OUTPUTS(X)
  CUD_INNER_OUTPUTS(X)
#undef X
  return asks;
}

static CudKernel kernelOf(const CudSims* s) {
  const CudModel* const m = &s->task.m;
  const int own = s->task.own.model != NULL, solids = m->nplain < m->npair;
  if (m->far) return (CudKernel){CU_DOUBLE, 32, 3, 0};
  const int kind = own ? 2 : m->rare || asksMore(&s->task) ? 1 : solids ? 4 : 0;
  return (CudKernel){CU_DOUBLE, own ? 32 : s->width, kind, m->at.total * (int)sizeof(Real)};
}

// bytes of directions that are kept, at most
enum { MOSTAXES = 1 << 30 };

// How many simulations can run at a time, whichever kernel the batch will come to use: with fewer pieces than that,
// groups of a block could wait for each other. 0: the device has failed.
static int mostGroups(const CudSims* s, char message[CUD_MESSAGE]) {
  int most = 0, groups;
  if (s->task.m.far) return s->device->groups(kernelOf(s), &groups, message) ? 0 : groups;
  for (int kind = 0; kind < 5; kind++) {
    if (kind == 3) continue;
    CudKernel kernel = kernelOf(s);
    kernel.kind = kind;
    kernel.width = kind == 2 ? 32 : s->width;
    if (s->device->groups(kernel, &groups, message)) return 0;
    most = groups > most ? groups : most;
  }
  return most;
}

// Workspaces in the memory of the device, with a piece of the pool for each: as many as simulations run at a time, or
// as half of the memory holds. A simulation uses one after another.
static int makeFar(CudSims* s, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  if (!t->m.far) return 1;
  const size_t each = sizeof(Real) * (size_t)t->m.at.total;
  const size_t fit = s->device->available() / 2 / (each + sizeof(Real) * (size_t)t->piece);
  if (fit < (size_t)t->npiece) t->npiece = fit ? (int)fit : 1;
  t->nfar = t->npiece;
  return (t->far = take(s, each * (size_t)t->nfar, message)) != NULL;
}

// pieces for contacts and rows that the workspace has no room for
static int makePool(CudSims* s, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  const int groups = mostGroups(s, message);
  if (!groups) return 0;
  t->npiece = groups < s->n ? groups : s->n;
  t->piece = (CUD_CONTACT * t->m.morecon + t->m.morerow * (t->m.nrownum + t->m.nrowvec) + 3) / 4 * 4;
  t->piece += t->m.scratch / (int)sizeof(Real);
  if (!makeFar(s, message)) return 0;
  t->pool = take(s, sizeof(Real) * (size_t)t->piece * (size_t)t->npiece, message);
  t->taken = take(s, sizeof(int) * (size_t)t->npiece, message);
  return t->pool && t->taken;
}

static size_t axesOfEach(const CudModel* c) {
  return sizeof(float) * 3 * (size_t)(c->nsolid - c->nclosed);
}

// a direction for each pair of convex queries, unless that takes too much
static int makeAxes(CudSims* s, char message[CUD_MESSAGE]) {
  const size_t axes = axesOfEach(&s->task.m) * (size_t)s->n;
  if (!axes || axes > MOSTAXES) return 1;
  return (s->task.axes = take(s, axes, message)) != NULL;
}

// part of the state: rows of numbers, to or from the device
static int part(CudSims* s, int sig, mjtNum* values, int write, void* stream, char message[CUD_MESSAGE]) {
  const CudModel* const c = &s->task.m;
  const int nq = c->nq, nv = c->nv, na = c->na, nu = c->nu, nbody = c->nbody, nmocap = c->nmocap;
  char* data = NULL;
  int count = 0, integer = 0;
#define X(name, number, bit)          \
  if (sig == (bit)) {                 \
    data = (char*)s->task.state.name; \
    count = (number);                 \
  }
  STATE(X)
#undef X
  if (sig == mjSTATE_EQ_ACTIVE) data = (char*)s->task.state.eq_active, count = c->neq, integer = 1;
  const size_t n = (size_t)count * (size_t)s->n, size = integer ? sizeof(int) : sizeof(Real);
  if (!n) return 1;
  void* const host = malloc(n * size);
  if (!host) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), 0;
  int bad = 0;
  if (write) {
    for (size_t i = 0; i < n; i++) {
      if (integer) {
        ((int*)host)[i] = values[i] != 0;
      } else {
        ((Real*)host)[i] = (Real)values[i];
      }
    }
    bad = s->device->write(data, host, n * size, stream, message) || s->device->wait(stream, message);
  } else {
    bad = s->device->read(host, data, n * size, stream, message) || s->device->wait(stream, message);
    for (size_t i = 0; i < n && !bad; i++) values[i] = integer ? ((int*)host)[i] : (mjtNum)((Real*)host)[i];
  }
  free(host);
  return !bad;
}

// the same values for all simulations
static int fill(CudSims* s, const mjModel* m, const mjData* d, int sig, char message[CUD_MESSAGE]) {
  const int count = mj_stateSize(m, sig);
  mjtNum* const values = malloc(sizeof(mjtNum) * ((size_t)count * (size_t)s->n + 1));
  if (!values) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), 0;
  if (count) mj_getState(m, d, values, sig);
  for (int i = 1; i < s->n; i++) memcpy(values + (size_t)i * (size_t)count, values, sizeof(mjtNum) * (size_t)count);
  const int good = part(s, sig, values, 1, NULL, message);
  free(values);
  return good;
}

static int makeState(CudSims* s, const mjModel* m, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  const size_t n = (size_t)s->n;
  const int nq = t->m.nq, nv = t->m.nv, na = t->m.na, nu = t->m.nu, nbody = t->m.nbody, nmocap = t->m.nmocap;
#define X(name, number, bit) \
  if (!(t->state.name = take(s, sizeof(Real) * n * (size_t)(number), message))) return 0;
  STATE(X)
#undef X
  t->state.eq_active = take(s, sizeof(int) * n * (size_t)t->m.neq, message);
  t->status = take(s, sizeof(int) * n, message);
  s->list = take(s, sizeof(int) * n, message);
  if (!t->state.eq_active || !t->status || !s->list) return 0;
  mjData* const d = mj_makeData(m);
  int good = d != NULL;
#define X(name, number, bit) good = good && fill(s, m, d, bit, message);
  STATE(X)
#undef X
  good = good && fill(s, m, d, mjSTATE_EQ_ACTIVE, message);
  mj_deleteData(d);
  return good;
}

// Shared memory for a simulation: small enough that a processor has many of them in flight, large enough for the rows
// that most steps have. In double precision, where registers allow for fewer, a part of the memory stays a cache for
// the model. A block takes a kilobyte for itself.
enum { WARPS_DOUBLE = 8, WARPS = 19, WARPS_NARROW = 20, CACHE = 33 * 1024, OWN = 1024 };

static int roomFor(int width, int shared) {
  const int each = 32 / width;
  if (CU_DOUBLE) return (shared - CACHE) / (WARPS_DOUBLE * each);
  return (shared - OWN) / ((each > 1 ? WARPS_NARROW : WARPS) * each);
}

// Lanes of a simulation: as many as the factor of H has rows, since more would idle and fewer would take turns; but
// more where the workspaces of so many simulations would leave a processor with fewer warps.
static int widthOf(const mjModel* m, int shared) {
  if (m->nflex) return 32;
  int width = m->nv <= 8 ? 8 : m->nv <= 16 ? 16 : 32;
  for (; width < 32; width *= 2) {
    CudModel c;
    size_t bytes;
    free(makeModel(&c, m, roomFor(width, shared), &bytes));
    if (c.at.total * (int)sizeof(Real) <= roomFor(width, shared)) break;
  }
  return width;
}

// bytes of the arrays over simulations that every batch has, for each, with those of resets
static size_t bytesOfEach(const CudModel* c) {
  const int nq = c->nq, nv = c->nv, na = c->na, nu = c->nu, nbody = c->nbody, nmocap = c->nmocap;
  size_t numbers = 0;
#define X(name, number, bit) numbers += (size_t)(number);
  STATE(X)
#undef X
  return sizeof(Real) * numbers + sizeof(int) * (size_t)(c->neq + 5) + axesOfEach(c);
}

// how many simulations the device would have room for, behind the reason why it has none for n
static void sayHowMany(size_t room, size_t shared, size_t each, char message[CUD_MESSAGE]) {
  const size_t used = strlen(message), fit = room > shared ? (room - shared) / each : 0;
  snprintf(message + used, CUD_MESSAGE - used, "; about %zu simulations of this model would fit", fit);
}

static CudSims* make(const CudDevice* device, const mjModel* m, int n, char message[CUD_MESSAGE]) {
  int most, shared;
  if (device->open(&most, &shared, message)) return NULL;
  CudSims* s = calloc(1, sizeof(*s));
  if (!s) return snprintf(message, CUD_MESSAGE, "Could not allocate memory"), NULL;
  s->task.reset.now = -2;
  s->device = device;
  s->m = m;
  s->n = n;
  s->width = widthOf(m, shared);
  size_t common = 0;
  if (uploadModel(s, m, roomFor(s->width, shared), most / (32 / s->width), message) && makePool(s, message)) {
    common = s->bytes;
    if (makeAxes(s, message) && makeState(s, m, message)) return s;
  }
  const size_t each = bytesOfEach(&s->task.m);
  const int full = common && s->bytes < common + each * (size_t)n;
  delete (s);
  if (full) sayHowMany(device->available(), common, each, message);
  return NULL;
}

//---------------------------------- fields ----------------------------------

// a derived field gets its memory when it is first asked for
static int bind(CudSims* s, void** where, size_t size, int count, char message[CUD_MESSAGE]) {
  if (*where) return 1;
  return (*where = take(s, size * (size_t)count * (size_t)s->n, message)) != NULL;
}

// what sensors and rays read of the model
static int uploadWatch(CudSims* s, char message[CUD_MESSAGE]) {
  CudWatch* const w = &s->task.watch;
  if (w->sensor_type) return 1;
  const size_t bytes = placeWatch(w, s->m, NULL);
  char* const host = calloc(1, bytes);
  void* const device = host ? take(s, bytes, message) : NULL;
  if (!host) snprintf(message, CUD_MESSAGE, "Could not allocate memory");
  if (host) {
    placeWatch(w, s->m, host);
    fillWatch(w, s->m);
  }
  const int bad = !device || s->device->write(device, host, bytes, NULL, message) || s->device->wait(NULL, message);
  free(host);
  if (bad) {
    memset(w, 0, sizeof(*w));
    return 0;
  }
  placeWatch(w, s->m, device);
  return 1;
}

static int bindByName(CudSims* s, const char* name, CudField* f, char message[CUD_MESSAGE]);

static int bindAll(CudSims* s, const char* const* names, char message[CUD_MESSAGE]) {
  CudField unused;
  for (int i = 0; names && names[i]; i++) {
    if (!bindByName(s, names[i], &unused, message)) return 0;
  }
  return 1;
}

static int bindSensors(CudSims* s, char message[CUD_MESSAGE]) {
  char missing[CUD_MESSAGE];
  if (!cud_sensorsSupported(s->m, missing, sizeof(missing))) {
    snprintf(message, CUD_MESSAGE, "the kernels for GPUs do not have %.150s", missing);
    return 0;
  }
  for (int i = 0; i < s->m->nsensor; i++) {
    const int type = s->m->sensor_type[i];
    if (type == mjSENS_RANGEFINDER) s->task.watch.casts = 1;
    if (!bindAll(s, sensorNeeds(type), message)) return 0;
  }
  return 1;
}

// what a field is computed from
static int bindNeeds(CudSims* s, const char* name, char message[CUD_MESSAGE]) {
  for (int i = 0; i < NNEEDS; i++) {
    if (strcmp(NEEDS[i].name, name)) continue;
    s->task.watching = 1;
    if (NEEDS[i].watch && !uploadWatch(s, message)) return 0;
    if (!strcmp(name, "sensordata") && !bindSensors(s, message)) return 0;
    return bindAll(s, NEEDS[i].needs, message);
  }
  return 1;
}

// a field of any kind; what it needs is bound after it, so that fields may need each other
static int bindByName(CudSims* s, const char* name, CudField* f, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  const CudModel* const c = &t->m;
  const int nq = c->nq, nv = c->nv, na = c->na, nu = c->nu, nbody = c->nbody, nmocap = c->nmocap, ngeom = c->ngeom;
  const int nflexvert = c->nflexvert, nflexedge = c->nflexedge;
  const int ntendon = c->ntendon, njnt = c->njnt, neq = c->neq, nsite = c->nsite, ncam = (int)s->m->ncam;
  const int nsensordata = (int)s->m->nsensordata, nkept = (c->maxcon + c->morecon) * CUD_KEPT;
  const snType real = CU_DOUBLE ? SN_FLOAT64 : SN_FLOAT32;
#define X(member, number, bit)                                                    \
  if (!strcmp(name, #member)) {                                                   \
    *f = (CudField){t->state.member, real, (int)sizeof(Real), (number), 1, 0, 0}; \
    return 1;                                                                     \
  }
  STATE(X)
#undef X
#define X(member, number)                                                            \
  if (!strcmp(name, #member)) {                                                      \
    const int known = t->out.member != NULL;                                         \
    if (!bind(s, (void**)&t->out.member, sizeof(Real), (number), message)) return 0; \
    *f = (CudField){t->out.member, real, (int)sizeof(Real), (number), 0, 0, 0};      \
    return known || bindNeeds(s, name, message);                                     \
  }
  CUD_OUTPUTS(X)
  CUD_FORCE_OUTPUTS(X)
  CUD_LATE_OUTPUTS(X)
  CUD_INNER_OUTPUTS(X)
#undef X
#define X(member, text)                                                      \
  if (!strcmp(name, text)) {                                                 \
    if (!bind(s, (void**)&t->out.member, sizeof(int), 1, message)) return 0; \
    *f = (CudField){t->out.member, SN_INT32, (int)sizeof(int), 1, 0, 0, 0};  \
    return 1;                                                                \
  }
  X(ncon, "ncon")
  X(nefc, "nefc")
  X(niter, "solver_niter")
#undef X
  if (t->reset.done && (!strcmp(name, "done") || !strcmp(name, "episode"))) {
    const int done = !strcmp(name, "done");
    *f = (CudField){done ? t->reset.done : t->reset.episode, SN_INT32, (int)sizeof(int), 1, done, 0, 0};
    return 1;
  }
  if (!strcmp(name, "eq_active")) {
    *f = (CudField){t->state.eq_active, SN_INT32, (int)sizeof(int), c->neq, 1, 0, 0};
    return 1;
  }
  snprintf(message, CUD_MESSAGE, "the kernels for GPUs do not compute '%s'", name);
  return 0;
}

static int findList(const char* name, int* columns, int* integer);

// inner fields have no names outside
static int field(CudSims* s, const char* name, CudField* f, char message[CUD_MESSAGE]) {
  int columns, integer;
  if (findList(name, &columns, &integer) >= 0) {
    snprintf(message, CUD_MESSAGE, "'%.100s' is a list: sn_batchList says how many rows it may have", name);
    return 0;
  }
#define X(member, number) \
  if (!strcmp(name, #member)) name = "";
  CUD_INNER_OUTPUTS(X)
#undef X
  return bindByName(s, name, f, message);
}

//---------------------------------- lists ----------------------------------

// what of a list there is by that name, -1: nothing
static int findList(const char* name, int* columns, int* integer) {
#define X(member, n, isinteger)            \
  if (!strcmp(name, "contact." #member)) { \
    *columns = (n);                        \
    *integer = (isinteger);                \
    return CUD_LIST_##member;              \
  }
  CUD_CONTACT_LISTS(X)
#undef X
#define X(member, n, isinteger) \
  if (!strcmp(name, #member)) { \
    *columns = (n);             \
    *integer = (isinteger);     \
    return CUD_LIST_##member;   \
  }
  CUD_ROW_LISTS(X)
#undef X
  return -1;
}

// the least room that contacts and rows have; a Jacobian has nv numbers for a row
static void leastRoom(CudSims* s) {
  CudTask* const t = &s->task;
  t->leastcon = t->leastrow = 0x7fffffff;
  for (int i = 0; i < t->ntable; i++) {
    const CudTable* const table = s->table + i;
    const int nv = t->m.nv > 1 ? t->m.nv : 1, room = table->capacity / (table->what == CUD_LIST_efc_J ? nv : 1);
    int* const least = table->what < CUD_LIST_efc_type ? &t->leastcon : &t->leastrow;
    if (room < *least) *least = room;
  }
}

static int list(CudSims* s, const char* name, int capacity, CudField* f, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  CudTable table = {.capacity = capacity};
  table.what = findList(name, &table.columns, &table.integer);
  if (table.what < 0) {
    const char* const hint = strcmp(name, "contact") ? "" : ", but one of each member: 'contact.dist' ...";
    snprintf(message, CUD_MESSAGE, "the kernels for GPUs have no list '%.100s'%s", name, hint);
    return 0;
  }
  if (table.what == CUD_LIST_efc_J && kin_isSparse(s->m)) {
    snprintf(message, CUD_MESSAGE, "the kernels for GPUs have no list 'efc_J' of models with sparse Jacobians");
    return 0;
  }
  int k = 0;
  while (k < t->ntable && s->table[k].what != table.what) k++;
  if (k < t->ntable && s->table[k].capacity != capacity) {
    snprintf(message, CUD_MESSAGE, "'%.100s' is bound with another capacity", name);
    return 0;
  }

  // a new one
  const int size = table.integer ? (int)sizeof(int) : (int)sizeof(Real);
  if (k == t->ntable) {
    const size_t bytes = (size_t)size * (size_t)table.columns * (size_t)capacity * (size_t)s->n;
    if (!(table.data = take(s, bytes, message)) || !bindAll(s, CONTACTS, message)) return 0;
    if (!t->table && !(t->table = take(s, sizeof(s->table), message))) return 0;
    s->table[k] = table;
    if (s->device->write((void*)t->table, s->table, sizeof(s->table), NULL, message) || s->device->wait(NULL, message))
      return 0;
    t->ntable++;
    t->watching = 1;
    leastRoom(s);
  }
  const snType type = table.integer ? SN_INT32 : CU_DOUBLE ? SN_FLOAT64 : SN_FLOAT32;
  *f = (CudField){s->table[k].data, type, size, capacity * table.columns, 0, capacity, 0};
  f->columns = table.columns > 1 ? table.columns : 0;
  return 1;
}

//---------------------------------- rays ----------------------------------

// numbers of the caller in the memory of the device, NULL: there is none
static Real* upload(CudSims* s, const mjtNum* values, int n, char message[CUD_MESSAGE]) {
  Real* const device = take(s, sizeof(Real) * (size_t)n, message);
  Real* const host = device ? malloc(sizeof(Real) * (size_t)n + 1) : NULL;
  for (int i = 0; host && i < n; i++) host[i] = (Real)values[i];
  const int bad = !host || s->device->write(device, host, sizeof(Real) * (size_t)n, NULL, message) ||
                  s->device->wait(NULL, message);
  free(host);
  return bad ? NULL : device;
}

static int rays(CudSims* s, const snRays* r, CudField* f, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  CudBundle* const b = s->bundle + t->nbundle;
  if (t->nbundle == MAXBUNDLE) {
    snprintf(message, CUD_MESSAGE, "there are %d fields of rays already, more are not for GPUs", MAXBUNDLE);
    return 0;
  }
  for (int g = 0; g < s->m->ngeom; g++) {
    if (s->m->geom_type[g] != mjGEOM_SDF) continue;
    snprintf(message, CUD_MESSAGE, "the kernels for GPUs do not have rays that meet signed distance fields");
    return 0;
  }

  // the description
  *b = (CudBundle){.nray = r->nray, .objtype = r->objtype, .objid = r->objid, .upright = r->upright, .groups = ~0};
  b->statics = r->flg_static;
  b->except = r->bodyexclude;
  b->cutoff = r->cutoff > 0 ? (Real)r->cutoff : (Real)mjMAXVAL;
  for (int i = 0; r->geomgroup && i < mjNGROUP; i++) b->groups &= r->geomgroup[i] ? ~0 : ~(1 << i);
  b->pnt = upload(s, r->pnt, 3 * r->nray, message);
  b->vec = upload(s, r->vec, 3 * r->nray, message);
  b->dist = take(s, sizeof(Real) * (size_t)r->nray * (size_t)s->n, message);
  if (!t->bundle) t->bundle = take(s, sizeof(s->bundle), message);

  // what rays need
  static const char* const COM[] = {"subtree_com", NULL};
  if (!b->pnt || !b->vec || !b->dist || !t->bundle || !uploadWatch(s, message) || !bindAll(s, RAYS, message) ||
      !bindAll(s, COM, message)) {
    return 0;
  }
  if (s->device->write((void*)t->bundle, s->bundle, sizeof(s->bundle), NULL, message) ||
      s->device->wait(NULL, message)) {
    return 0;
  }
  t->nbundle++;
  t->watching = t->watch.casts = 1;
  *f = (CudField){b->dist, CU_DOUBLE ? SN_FLOAT64 : SN_FLOAT32, (int)sizeof(Real), r->nray, 0, 0, 0};
  return 1;
}

#include "cuda/params.h"

//---------------------------------- runs ----------------------------------

// the kernel on all, or on the listed simulations
static int start(CudSims* s, const int* list, int n, void* stream, char message[CUD_MESSAGE]) {
  CudTask* const t = &s->task;
  t->n = list ? n : s->n;
  t->list = list ? s->list : NULL;
  if (!t->n) return 1;
  if (list && s->device->write(s->list, list, sizeof(int) * (size_t)n, stream, message)) return 0;
  return !s->device->run(t, kernelOf(s), t->n, stream, message);
}

static int run(CudSims* s, int substeps, const int* list, int n, void* stream, char message[CUD_MESSAGE]) {
  s->task.substeps = substeps;
  s->task.reset.now = -2;
  return start(s, list, n, stream, message);
}

//---------------------------------- resets ----------------------------------

// numbers that a reset gives
enum { START = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_CTRL | mjSTATE_EQ_ACTIVE };

// a start in the order in which kernels read it
static void writeStart(const mjModel* m, mjData* d, int key, mjtNum* to) {
  static const int PARTS[] = {mjSTATE_TIME, mjSTATE_QPOS,      mjSTATE_QVEL,       mjSTATE_ACT,
                              mjSTATE_CTRL, mjSTATE_MOCAP_POS, mjSTATE_MOCAP_QUAT, mjSTATE_EQ_ACTIVE};
  mj_resetDataKeyframe(m, d, key);
  for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
    mj_getState(m, d, to, PARTS[i]);
    to += mj_stateSize(m, PARTS[i]);
  }
}

static int plan(CudSims* s, const snBatchOptions* o, const int* sim, char message[CUD_MESSAGE]) {
  CudReset* const r = &s->task.reset;
  const mjModel* const m = s->m;
  const size_t n = (size_t)s->n;
  r->row = mj_stateSize(m, START | mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT);
  mjData* const d = mj_makeData(m);
  mjtNum* const starts = malloc(sizeof(mjtNum) * (size_t)r->row * (size_t)(m->nkey + 1));
  for (int key = -1; d && starts && key < m->nkey; key++) writeStart(m, d, key, starts + (key + 1) * r->row);
  if (!d || !starts) snprintf(message, CUD_MESSAGE, "Could not allocate memory");
  r->start = d && starts ? upload(s, starts, r->row * (int)(m->nkey + 1), message) : NULL;
  free(starts);
  mj_deleteData(d);
  r->done = r->start ? take(s, sizeof(int) * n, message) : NULL;
  r->episode = r->done ? take(s, sizeof(int) * n, message) : NULL;
  int* const sims = r->episode ? take(s, sizeof(int) * n, message) : NULL;
  r->sim = sims;
  if (!sims || s->device->write(sims, sim, sizeof(int) * n, NULL, message) || s->device->wait(NULL, message)) return 0;
  r->seed[0] = (uint32_t)o->seed;
  r->seed[1] = (uint32_t)(o->seed >> 32);
  r->qpos = (Real)o->reset_qpos;
  r->qvel = (Real)o->reset_qvel;
  r->automatic = o->autoreset == SN_RESET_NEXT;
  r->key = o->autoreset_key;
  return 1;
}

static int reset(CudSims* s, int key, const int* list, int n, void* stream, char message[CUD_MESSAGE]) {
  s->task.reset.now = key;
  return start(s, list, n, stream, message);
}

static int episodes(CudSims* s, int* values, int write, void* stream, char message[CUD_MESSAGE]) {
  int* const at = s->task.reset.episode;
  const size_t bytes = sizeof(int) * (size_t)s->n;
  return !(write ? s->device->write(at, values, bytes, stream, message)
                 : s->device->read(values, at, bytes, stream, message)) &&
         !s->device->wait(stream, message);
}

static int status(CudSims* s, int* bits, void* stream, char message[CUD_MESSAGE]) {
  return !s->device->read(bits, s->task.status, sizeof(int) * (size_t)s->n, stream, message) &&
         !s->device->wait(stream, message);
}

static int cycles(CudSims* s, int64_t* values, char message[CUD_MESSAGE]) {
  const size_t bytes = sizeof(int64_t) * CUD_NSTAGE;
  memset(values, 0, bytes);
  if (!s->task.cycles) return (s->task.cycles = take(s, bytes, message)) != NULL;
  static const int64_t zero[CUD_NSTAGE];
  return !s->device->wait(NULL, message) && !s->device->read(values, s->task.cycles, bytes, NULL, message) &&
         !s->device->write(s->task.cycles, zero, bytes, NULL, message) && !s->device->wait(NULL, message);
}

#define API \
  { make, plan, delete, field, list, rays, expand, param, run, reset, episodes, status, part, memory, cycles }
