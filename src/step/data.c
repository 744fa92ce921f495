// mjData as a memory object: make, copy, delete.
//
//   d->buffer: public arrays in the order of the field table | MdlTail | MdlBlock with the sections of the stages
//   d->arena:  contacts, constraint rows and islands growing up, the scratch stack growing down
#include "step/data.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sanitize.h"
#include "collision/continuous.h"
#include "collision/exact.h"
#include "model/fields.h"
#include "model/private.h"
#include "physics/physics.h"

//---------------------------------- make --------------------------------------------------------------------------

// no array lives in the arena yet; contacts will start at its beginning
static void clearArenaPointers(mjData* d) {
  for (int i = 0; i < mdl_narenaFields; i++) *mdl_pointer(mdl_arenaFields + i, d) = NULL;
  d->contact = d->arena;
}

// allocates buffer and arena and points the arrays into them; 0 when a size is impossible or there is no memory, and
// *missing is how much would have been needed
static int takeBuffers(const mjModel* m, mjData* d, long long* missing) {
  // measure the public arrays and the private sections
  const char* culprit = "";
  d->nbuffer = mdl_layoutSize(mdl_dataFields, mdl_ndataFields, m, &culprit);
  if (d->nbuffer < 0) {
    mju_warning("Invalid data: the size of %s is negative or too large", culprit);
    return 0;
  }
  size_t sections[MDL_NSECTION];
  stp_sectionSizes(m, sections);

  // one block for both, zeroed by the reset
  const size_t behind = ((size_t)d->nbuffer + 63) & ~(size_t)63;
  d->buffer = bas_tryMalloc(behind + sizeof(MdlTail) + mdl_blockSize(sections));
  size_t narena = mdl_arenaSize(m);
  d->arena = bas_arenaReserveUpTo(&narena, m->narena > 0 ? (size_t)m->narena : narena / 64);
  d->narena = (mjtSize)narena;
  if (!d->buffer || !d->arena) {
    mju_free(d->buffer);
    bas_arenaRelease(d->arena);
    d->buffer = d->arena = NULL;
    *missing = (long long)d->nbuffer + (long long)d->narena;
    return 0;
  }
  mdl_layoutPlace(mdl_dataFields, mdl_ndataFields, m, d, d->buffer);
  clearArenaPointers(d);

  // private block
  MdlTail* const tail = mdl_tail(d);
  memset(tail, 0, sizeof(*tail));
  tail->block = (MdlBlock*)(tail + 1);
  mdl_blockInit(tail->block, sections);
  stp_sectionInit(m, d);
  return 1;
}

void stp_releaseBuffers(mjData* d) {
  if (!d->buffer) return;
  for (int i = 0; i < d->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (plugin && plugin->destroy) plugin->destroy(d, i);
  }
  // with threads, scratch lies all over the upper half
  mdl_rememberUse(d);
  const size_t touched = d->threadpool ? SIZE_MAX : (size_t)mdl_tail(d)->touched;
  mdl_blockFree(d);
  mju_free(d->buffer);
  bas_arenaReleaseUsed(d->arena, touched);
}

// creates the plugin instances; d remembers their slots because deletion has no model at hand
typedef struct {
  const mjModel* m;
  mjData* d;
  int failed;  // -1, or the instance that failed
} PluginInit;

static void initPlugins(void* arg) {
  PluginInit* const p = arg;
  for (int i = 0; i < p->m->nplugin; i++) {
    p->d->plugin[i] = p->m->plugin[i];
    const mjpPlugin* plugin = mjp_getPluginAtSlot(p->m->plugin[i]);
    if (plugin && plugin->init && plugin->init(p->m, p->d, i) < 0) {
      p->failed = i;
      return;
    }
    p->d->nplugin = i + 1;
  }
}

// zeroes the struct except its statistics, nearly all of it, which a reset clears and a copy overwrites
static void zeroStruct(mjData* d) {
  const size_t statistics = offsetof(mjData, maxuse_stack), behind = offsetof(mjData, ncon);
  memset(d, 0, statistics);
  memset((char*)d + behind, 0, sizeof(*d) - behind);
  d->maxuse_arena = 0;
}

int stp_takeBuffers(const mjModel* m, mjData* d, int zeroed, long long* missing) {
  zeroStruct(d);
  if (!takeBuffers(m, d, missing)) return 0;

  // plugins see zeroed arrays and statistics
  if (zeroed || m->nplugin) memset(d->buffer, 0, (size_t)d->nbuffer);
  if (m->nplugin) memset(&d->maxuse_stack, 0, offsetof(mjData, ncon) - offsetof(mjData, maxuse_stack));
  return 1;
}

int stp_initPlugins(const char* caller, const mjModel* m, mjData* d) {
  char error[BAS_MESSAGE];
  PluginInit init = {m, d, -1};
  const int came = !m->nplugin || bas_attempt(initPlugins, &init, error);
  if (came && init.failed < 0) return 1;
  stp_releaseBuffers(d);
  mju_free(d);
  if (!came) {
    mju_error("%s", error);
  } else {
    mju_error("%s: plugin->init failed for plugin id %d", caller, init.failed);
  }
  return 0;
}

// a fresh mjData with buffers and plugins, not yet reset, its arrays zeroed only if asked; NULL when that is impossible
static mjData* makeRaw(const mjModel* m, int zeroed) {
  long long missing = 0;
  mjData* const d = mju_malloc(sizeof(mjData));
  if (!d) return NULL;
  if (!stp_takeBuffers(m, d, zeroed, &missing)) {
    mju_free(d);
    if (missing) mju_error("mj_makeData: could not allocate %lld bytes", missing);
    return NULL;
  }
  return stp_initPlugins("mj_makeData", m, d) ? d : NULL;
}

// first reset of data that nobody else holds yet: errors come back as text, so that it can be freed before they are
// raised
typedef struct {
  const mjModel* m;
  mjData* d;
  char* error;
  int good;
} FirstReset;

static void runFirstReset(void* arg) {
  FirstReset* const first = arg;
  first->good = stp_reset(first->m, first->d, 0, first->error, BAS_MESSAGE);
}

static int resetFresh(const mjModel* m, mjData* d, char error[BAS_MESSAGE]) {
  FirstReset first = {m, d, error, 0};
  return bas_attempt(runFirstReset, &first, error) && first.good;
}

mjData* mj_makeData(const mjModel* m) {
  if (!m) {
    mju_error("mj_makeData: m is NULL");
    return NULL;
  }
  char text[200];
  const char* wrong = phy_check(m);
  if (!wrong) wrong = col_exactCheck(m, text);
  if (!wrong) wrong = col_continuousCheck(m, text);
  if (wrong) {
    mju_error("mj_makeData: %s", wrong);
    return NULL;
  }
  mjData* const d = makeRaw(m, 0);
  if (!d) return NULL;

  // nothing is left behind when an error handler does not return
  char error[BAS_MESSAGE];
  if (!resetFresh(m, d, error)) {
    mj_deleteData(d);
    mju_error("mj_makeData: %.900s", error);
    return NULL;
  }
  return d;
}

void stp_remakeData(const mjModel* m, mjData* d) {
  mjData* const fresh = mj_makeData(m);
  if (!fresh) return;
  stp_releaseBuffers(d);
  *d = *fresh;
  mju_free(fresh);
}

void mj_deleteData(mjData* d) {
  if (!d) return;
  stp_releaseBuffers(d);
  mju_free(d);
}

//---------------------------------- copy --------------------------------------------------------------------------

// arrays of the fixed buffer; plugin_data belongs to dest's own plugin instances
static void copyBuffer(mjData* dest, const mjModel* m, const mjData* src, int visual_only) {
  // everything: as one block, around plugin_data
  if (!visual_only) {
    const char* const from = src->buffer;
    const size_t before = (size_t)((const char*)src->plugin_data - from);
    const size_t behind = before + (size_t)m->nplugin * sizeof(*src->plugin_data);
    memcpy(dest->buffer, from, before);
    memcpy((char*)dest->buffer + behind, from + behind, (size_t)src->nbuffer - behind);
    return;
  }
  for (int i = 0; i < mdl_ndataFields; i++) {
    const MdlField* f = mdl_dataFields + i;
    const size_t bytes = mdl_bytes(f, m, NULL);
    if (!bytes || !f->visual || f->pointer == offsetof(mjData, plugin_data)) continue;
    memcpy(*mdl_pointer(f, dest), *mdl_pointer(f, src), bytes);
  }
}

// arrays of the arena, at the places they have in src
static void copyArena(mjData* dest, const mjModel* m, const mjData* src, int visual_only) {
  for (int i = 0; i < mdl_narenaFields; i++) {
    const MdlField* f = mdl_arenaFields + i;
    const char* const from = *mdl_pointer(f, src);
    if (!from || (visual_only && !f->visual)) continue;
    char* const to = (char*)dest->arena + (from - (char*)src->arena);
    const size_t bytes = mdl_bytes(f, m, src);
    *mdl_pointer(f, dest) = to;
    bas_unpoison(to, bytes);
    if (bytes) memcpy(to, from, bytes);
  }
  dest->contact = dest->arena;
}

// prepares dest for what src holds; 0: it cannot take it, and error says why
static int makeRoom(mjData* dest, const mjData* src, char error[BAS_MESSAGE]) {
  if (dest->nbuffer != src->nbuffer) {
    snprintf(error, BAS_MESSAGE, "dest and src data buffers have different size (%lld and %lld)",
             (long long)dest->nbuffer, (long long)src->nbuffer);
    return 0;
  }
  if (src->pstack) {
    snprintf(error, BAS_MESSAGE, "src has scratch memory in use");
    return 0;
  }
  if ((mjtSize)src->parena > dest->narena) {
    snprintf(error, BAS_MESSAGE, "the arena of dest (%lld bytes) cannot hold what src uses (%lld bytes)",
             (long long)dest->narena, (long long)src->parena);
    return 0;
  }
  snprintf(error, BAS_MESSAGE, "could not allocate memory");
  return mdl_blockCopy(dest, src);
}

void stp_copyArrays(mjData* dest, const mjModel* m, const mjData* src) {
  if (!mdl_blockCopy(dest, src)) mju_error("could not allocate memory");
  copyBuffer(dest, m, src, 0);
}

void stp_copyPlugins(mjData* dest, const mjModel* m, const mjData* src) {
  for (int i = 0; i < dest->nplugin; i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin && plugin->copy) plugin->copy(dest, m, src, i);
  }
}

// the same where errors come back
typedef struct {
  mjData* dest;
  const mjModel* m;
  const mjData* src;
} PluginCopy;

static void copyPlugins(void* arg) {
  const PluginCopy* const c = arg;
  stp_copyPlugins(c->dest, c->m, c->src);
}

static mjData* copyData(const char* caller, mjData* dest, const mjModel* m, const mjData* src, int visual_only) {
  if (!m || !src) {
    mju_error("%s: %s is NULL", caller, m ? "src" : "m");
    return NULL;
  }
  mjData* const d = dest ? dest : makeRaw(m, visual_only);
  if (!d || d == src) return d;
  char error[BAS_MESSAGE];
  if (!makeRoom(d, src, error)) {
    if (!dest) mj_deleteData(d);
    mju_error("%s: %.900s", caller, error);
    return dest;
  }

  // the struct, except what belongs to this mjData's own memory
  void *const buffer = d->buffer, *const arena = d->arena;
  const mjtSize narena = d->narena;
  mdl_rememberUse(d);
  *d = *src;
  d->buffer = buffer;
  d->arena = arena;
  d->narena = narena;
  d->threadpool = 0;
  mdl_layoutPlace(mdl_dataFields, mdl_ndataFields, m, d, buffer);
  clearArenaPointers(d);

  // arrays
  copyBuffer(d, m, src, visual_only);
  copyArena(d, m, src, visual_only);

  // data that nobody else holds yet goes when a plugin raises
  d->nplugin = (int)m->nplugin;
  PluginCopy plugins = {d, m, src};
  if (dest || !m->nplugin) {
    stp_copyPlugins(d, m, src);
  } else if (!bas_attempt(copyPlugins, &plugins, error)) {
    mj_deleteData(d);
    mju_error("%s", error);
    return NULL;
  }
  return d;
}

mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return copyData("mj_copyData", dest, m, src, 0);
}

mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return copyData("mjv_copyData", dest, m, src, 1);
}
