// A batch as an object: make, delete, and what simulations it has.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "batch/batch.h"
#include "batch/cuda.h"
#include "batch/lanes.h"
#include "physics/stick.h"
#include "sleep/sleep.h"

// more threads than this are more than mjData's own statistics know of
#define NTHREAD mjMAXTHREAD

void sn_defaultBatchOptions(snBatchOptions* options) {
  if (!options) return;
  *options = (snBatchOptions){.device = SN_CPU, .autoreset_key = -1};
}

//---------------------------------- data and models ----------------------------------
// Both functions return NULL where memory is missing, if errors come back to them instead of jumping away: then nothing
// of a half-made object is left behind. The error is raised afterwards.

mjData* bat_makeData(const mjModel* m) {
  BasDeferral deferral = {0};
  BasDeferral* const outer = bas_setDeferral(&deferral);
  mjData* const d = mj_makeData(m);
  bas_setDeferral(outer);
  if (!d) mju_error_raw(deferral.message);
  return d;
}

mjModel* bat_copyModel(const mjModel* m) {
  BasDeferral deferral = {0};
  BasDeferral* const outer = bas_setDeferral(&deferral);
  mjModel* const copy = mj_copyModel(NULL, m);
  bas_setDeferral(outer);
  if (!copy) mju_error_raw(deferral.message);
  return copy;
}

//---------------------------------- groups ----------------------------------

// every part of the state gets its array, and its values after a reset
static void makeState(BatGroup* g) {
  const mjData* const d = g->slot[0].d;
  for (int i = 0; i < BAT_NSTATE; i++) {
    BatArray* const a = g->state + i;
    bat_describeState(g->m, i, a);
    bat_allocate(a, g->n);
    if (!a->bytes) continue;
    g->live[g->nlive++] = i;
    g->initial[i] = bat_zeroed(a->bytes);
    bat_fetch(a, g->m, d, g->initial[i]);
    for (int row = 0; row < g->n; row++) memcpy(a->data + (size_t)row * a->bytes, g->initial[i], a->bytes);
  }
}

// tables of what is copied
static void makeMoves(BatGroup* g) {
  for (int given = 0; given < 2; given++) {
    for (int k = 0; k < g->nlive; k++) {
      const BatArray* const a = g->state + g->live[k];
      if (a->given != given) continue;
      g->move[g->nmove++] = (BatMove){a->data, a->bytes, a->offset, a->kind == BAT_MEMBER};
    }
    if (!given) g->nchanged = g->nmove;
  }
}

static void makeSlots(snBatch* b, BatGroup* g) {
  const int most = b->nthread < g->n ? b->nthread : g->n;
  g->slot = bat_zeroed(sizeof(BatSlot) * (size_t)most);
  while (g->nslot < most) {
    BatSlot* const slot = g->slot + g->nslot++;
    slot->m = mju_malloc(sizeof(mjModel));
    *slot->m = *g->m;
    slot->d = bat_makeData(g->m);
    sn_setHooks(slot->d, &b->hooks);
  }
}

// whether the state is not all that a step depends on: then there is an mjData per simulation
static int isPersistent(const snBatch* b, BatGroup* g) {
  g->sticks = phy_hasStick(g->m);
  if (!b->options.persistent && !g->m->nplugin && !slp_enabled(g->m) && !g->sticks) return 0;
  const double each = (double)(sizeof(mjData) + (size_t)g->slot[0].d->nbuffer);
  bat_checkMemory("an mjData per simulation", each * g->n);
  return 1;
}

static void makePersistent(const snBatch* b, BatGroup* g) {
  g->persistent = bat_zeroed(sizeof(mjData*) * (size_t)g->n);
  for (int i = 0; i < g->nslot; i++) g->slot[i].asleep = bat_zeroed(sizeof(int) * (size_t)(g->m->ntree + 1));
  for (int i = 0; i < g->n; i++) {
    g->persistent[i] = bat_makeData(g->m);
    sn_setHooks(g->persistent[i], &b->hooks);
  }

  // an mjData is needed only for what sleeps
  if (b->options.persistent || g->m->nplugin || g->sticks) return;
  const size_t ntree = (size_t)g->m->ntree;
  g->asleep = bat_zeroed(sizeof(int) * (ntree * (size_t)g->n + 1));
  g->resting = bat_zeroed((size_t)g->n);
  g->still = bat_zeroed((size_t)g->n);
  for (int i = 0; i < g->n; i++) {
    const mjData* const d = g->persistent[i];
    memcpy(g->asleep + ntree * (size_t)i, d->tree_asleep, sizeof(int) * ntree);
    g->resting[i] = d->ntree_awake < g->m->ntree;
  }

  // callbacks would have their part in what a reset leaves; values that sensors keep between samples are not the
  // state's
  if (bat_isForeign(b) || g->m->nhistory) return;
  g->start = bat_makeData(g->m);
  g->intact = bat_zeroed((size_t)g->n);
  memset(g->intact, 1, (size_t)g->n);
}

static void freeArrays(BatArray* list, int n) {
  for (int i = 0; i < n; i++) {
    mju_free(list[i].data);
    mju_free(list[i].rays);
  }
}

static void freeGroup(BatGroup* g) {
  bat_freeLanes(g);
  freeArrays(g->state, BAT_NSTATE);
  freeArrays(g->bound, g->nbound);
  freeArrays(g->expanded, g->nexpanded);
  mju_free(g->bound);
  mju_free(g->expanded);
  for (int i = 0; i < BAT_NSTATE; i++) mju_free(g->initial[i]);

  for (int i = 0; i < g->nslot; i++) {
    mj_deleteData(g->slot[i].d);
    mju_free(g->slot[i].m);
    mju_free(g->slot[i].asleep);
  }
  mju_free(g->slot);
  for (int i = 0; g->persistent && i < g->n; i++) mj_deleteData(g->persistent[i]);
  mju_free(g->persistent);
  mju_free(g->asleep);
  mju_free(g->resting);
  mju_free(g->still);
  mju_free(g->intact);
  if (g->start) mj_deleteData(g->start);
  if (g->m) mj_deleteModel(g->m);
}

//---------------------------------- make ----------------------------------

typedef struct {
  snBatch* b;
  const mjModel* const* models;
  const int* which;
} Making;

// bytes that a simulation of any model holds
static const size_t COMMON = (6 + mjNWARNING) * sizeof(int) + 1 + sizeof(char*);

// refuses, before anything is made, what cannot be there
static void checkStates(const Making* making) {
  const snBatch* const b = making->b;
  double bytes = (double)COMMON * b->n;
  for (int i = 0; i < (making->which ? b->n : 1); i++) {
    const int size = mj_stateSize(making->models[making->which ? making->which[i] : 0], (1 << mjNSTATE) - 1);
    bytes += (double)sizeof(mjtNum) * size * (making->which ? 1 : b->n);
  }
  char what[BAT_NMESSAGE];
  snprintf(what, sizeof(what), "a batch of %d simulations", b->n);
  bat_checkMemory(what, bytes);
}

// arrays over all simulations
static void makeCommon(snBatch* b, const int* which) {
  const size_t n = (size_t)b->n;
  b->which = bat_zeroed(n * sizeof(int));
  b->row = bat_zeroed(n * sizeof(int));
  b->status = bat_zeroed(n * sizeof(int));
  b->episode = bat_zeroed(n * sizeof(int));
  b->warning = bat_zeroed(n * mjNWARNING * sizeof(int));
  b->done = bat_zeroed(n);
  b->message = bat_zeroed(n * sizeof(char*));
  b->index = bat_zeroed(n * sizeof(int));
  b->stamp = bat_zeroed(n * sizeof(int));
  b->group = bat_zeroed(sizeof(BatGroup) * (size_t)b->ngroup);
  for (int i = 0; i < b->n; i++) {
    b->which[i] = which ? which[i] : 0;
    b->row[i] = b->group[b->which[i]].n++;
  }
}

// threads that wait for work, besides the caller
static void makeThreads(snBatch* b) {
  b->thread = bat_zeroed(sizeof(BatThread) * (size_t)b->nthread);
  if (b->nthread > 1) b->pool = mju_threadPoolCreate((size_t)b->nthread - 1);
}

static void makeAll(void* argument) {
  const Making* const making = argument;
  snBatch* const b = making->b;
  checkStates(making);
  makeCommon(b, making->which);
  for (int i = 0; i < b->ngroup; i++) {
    BatGroup* const g = b->group + i;
    g->m = bat_copyModel(making->models[i]);
    if (b->options.device == SN_CUDA) {
      // on a GPU everything stays awake
      g->dropped = g->m->opt.enableflags & mjENBL_SLEEP;
      g->m->opt.enableflags &= ~mjENBL_SLEEP;
    }
    if (!g->n) continue;
    makeSlots(b, g);
    const int persistent = isPersistent(b, g);
    makeState(g);
    makeMoves(g);
    if (persistent) makePersistent(b, g);
    bat_makeLanes(g, b->options.device != SN_CPU || bat_isForeign(b) ? -1 : b->options.lanes);
  }
  makeThreads(b);

  if (b->options.device == SN_CUDA) bat_makeCuda(b);

  // the first call finds the queue of the pool already made
  b->count = 0;
  bat_runAll(b);
}

// what is wrong with the arguments, NULL: nothing
static const char* wrongArguments(const mjModel* const* models, int nmodel, const int* which, int n,
                                  char text[BAT_NMESSAGE]) {
  if (!models || nmodel < 1) return "a batch needs a model";
  for (int i = 0; i < nmodel; i++) {
    snprintf(text, BAT_NMESSAGE, "models[%d] is NULL", i);
    if (!models[i]) return text;
  }
  snprintf(text, BAT_NMESSAGE, "a batch needs at least one simulation, not %d", n);
  if (n < 1) return text;
  for (int i = 0; which && i < n; i++) {
    snprintf(text, BAT_NMESSAGE, "which[%d] = %d is none of %d models", i, which[i], nmodel);
    if (which[i] < 0 || which[i] >= nmodel) return text;
  }
  return NULL;
}

static const char* wrongOptions(const mjModel* const* models, int nmodel, const snBatchOptions* o,
                                char text[BAT_NMESSAGE]) {
  if (o->device != SN_CPU && o->device != SN_CUDA) return "options.device is none of snDevice";
  if (o->real != SN_FLOAT64 && o->real != SN_FLOAT32) return "options.real must be SN_FLOAT64 or SN_FLOAT32";
  if (o->device == SN_CPU && o->real != SN_FLOAT64) return "options.real must be SN_FLOAT64 on the CPU";
  if (o->device == SN_CUDA && !bat_cudaSupports(models, nmodel, o, text)) return text;
  snprintf(text, BAT_NMESSAGE, "options.nthread must be 0 to %d, not %d", NTHREAD, o->nthread);
  if (o->nthread < 0 || o->nthread > NTHREAD) return text;
  if (o->autoreset < SN_RESET_NEVER || o->autoreset > SN_RESET_NEXT) return "options.autoreset is none of snAutoReset";
  if (o->autoreset == SN_RESET_SAME && !o->done) return "options.autoreset SN_RESET_SAME needs options.done";
  if (!(o->reset_qpos >= 0 && o->reset_qpos <= mjMAXVAL) || !(o->reset_qvel >= 0 && o->reset_qvel <= mjMAXVAL)) {
    return "options.reset_qpos and reset_qvel must be numbers from 0 to 1e10";
  }
  for (int i = 0; i < nmodel; i++) {
    snprintf(text, BAT_NMESSAGE, "options.autoreset_key %d is none of the %d keyframes of models[%d]", o->autoreset_key,
             (int)models[i]->nkey, i);
    if (o->autoreset_key < -1 || o->autoreset_key >= models[i]->nkey) return text;
  }
  return NULL;
}

snBatch* sn_makeBatch(const mjModel* const* models, int nmodel, const int* which, int n, const snBatchOptions* options,
                      char* message, int size) {
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  if (options) o = *options;
  char text[BAT_NMESSAGE] = "";
  const char* wrong = wrongArguments(models, nmodel, which, n, text);
  if (!wrong) wrong = wrongOptions(models, nmodel, &o, text);

  // everything that can fail in one place
  snBatch* b = wrong ? NULL : aligned_alloc(64, sizeof(snBatch));
  if (!wrong && !b) wrong = "Could not allocate memory";
  if (b) {
    const long ncpu = sysconf(_SC_NPROCESSORS_ONLN);
    memset(b, 0, sizeof(*b));
    b->options = o;
    if (o.hooks) b->hooks = *o.hooks;
    b->n = n;
    b->ngroup = nmodel;
    b->nthread = o.nthread ? o.nthread : ncpu < 1 ? 1 : ncpu > NTHREAD ? NTHREAD : (int)ncpu;
    b->process = getpid();
    Making making = {b, models, which};
    if (!bat_guard(makeAll, &making, text)) {
      sn_deleteBatch(b);
      b = NULL;
      wrong = text;
    }
  }
  if (message && size > 0) snprintf(message, (size_t)size, "%s", wrong ? wrong : "");
  return b;
}

void sn_deleteBatch(snBatch* b) {
  if (!b) return;

  // a forked process has none of the threads
  if (b->pool && b->process == getpid()) mju_threadPoolDestroy(b->pool);
  bat_deleteCuda(b);
  for (int i = 0; b->group && i < b->ngroup; i++) freeGroup(b->group + i);
  for (int i = 0; b->message && i < b->n; i++) free(b->message[i]);
  void* const blocks[] = {b->group, b->which,   b->row,   b->status, b->episode, b->warning,
                          b->done,  b->message, b->index, b->stamp,  b->thread};
  for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) mju_free(blocks[i]);
  free(b);
}

//---------------------------------- sizes ----------------------------------

int sn_batchSize(const snBatch* b) {
  return b ? b->n : 0;
}

int sn_batchThreads(const snBatch* b) {
  return b ? b->nthread : 0;
}

int sn_batchLanes(const snBatch* b, int model) {
  if (!b || model < 0 || model >= b->ngroup) return 0;
  const BatGroup* const g = b->group + model;
  int together = 0;
  for (int i = 0; g->lanes && i < g->nslot; i++) together |= !g->slot[i].alone;
  return together ? g->lanes->width : 1;
}

static int64_t arrayBytes(const BatArray* list, int n) {
  int64_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += (int64_t)list[i].bytes;
  return bytes;
}

int64_t sn_batchMemory(const snBatch* b) {
  if (!b) return 0;
  if (b->cuda) return bat_cudaMemory(b);
  int64_t bytes = (int64_t)b->n * (int64_t)COMMON;
  for (int i = 0; i < b->ngroup; i++) {
    const BatGroup* const g = b->group + i;
    bytes += g->n * (arrayBytes(g->state, BAT_NSTATE) + arrayBytes(g->bound, g->nbound) +
                     arrayBytes(g->expanded, g->nexpanded));
    for (int k = 0; g->persistent && k < g->n; k++) {
      const mjData* const d = g->persistent[k];
      bytes += (int64_t)(sizeof(*d) + sizeof(mjData*)) + d->nbuffer + d->maxuse_arena;
    }
  }
  return bytes;
}

int sn_batchStateSize(const snBatch* b, int sig) {
  if (!b || sig < 0 || sig >= 1 << mjNSTATE) return -1;
  int most = 0;
  for (int i = 0; i < b->ngroup; i++) {
    const int size = mj_stateSize(b->group[i].m, sig);
    if (size > most) most = size;
  }
  return most;
}
