// Batches on a GPU. Steps run there; the arrays over simulations that users see lie there too. What concerns single
// simulations in ways of their own (resets with functions of the user, whole states as numbers) is done on the CPU by
// the code for batches there, between a copy from the device and a copy back.
//
// The kernels are in a library of their own, which is opened when the first such batch is made: this one needs no CUDA.
#include "batch/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/check.h"
#include "cuda/sims.h"

struct BatCuda_ {
  const CudDevice* device;
  const CudApi* api;
  CudSims** sims;  // over groups, NULL where a group is empty
  int* rows;       // selection of a group
  int* bits;       // what simulations came to
};

static const CudDevice* chosen;

void bat_setCudaDevice(const void* device) {
  chosen = device;
}

//---------------------------------- library ----------------------------------

// beside this library, or where the system looks
static void* openLibrary(char text[BAT_NMESSAGE]) {
  const char* const given = getenv("SINEW_CUDA");
  if (given) {
    void* const library = dlopen(given, RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(text, BAT_NMESSAGE, "SINEW_CUDA: %.250s", dlerror());
    return library;
  }
  Dl_info here;
  char path[1024];
  void* library = NULL;
  if (dladdr((const void*)bat_setCudaDevice, &here) && here.dli_fname) {
    const char* const slash = strrchr(here.dli_fname, '/');
    const int folder = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    snprintf(path, sizeof(path), "%.*slibsinew_cuda.so", folder, here.dli_fname);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) library = dlopen("libsinew_cuda.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(text, BAT_NMESSAGE, "batches on a GPU need libsinew_cuda.so ('make cuda'): %.200s", dlerror());
  return library;
}

static const CudDevice* findDevice(char text[BAT_NMESSAGE]) {
  if (chosen) return chosen;
  void* const library = openLibrary(text);
  if (!library) return NULL;
  const CudDevice* (*entry)(void) = NULL;
  *(void**)&entry = dlsym(library, CUD_ENTRY);
  const CudDevice* const device = entry ? entry() : NULL;
  if (!device || device->version != CUD_VERSION) {
    snprintf(text, BAT_NMESSAGE, "libsinew_cuda.so is not of this version of the library");
    return NULL;
  }
  return device;
}

//---------------------------------- make ----------------------------------

int bat_cudaSupports(const mjModel* const* models, int nmodel, const snBatchOptions* o, char text[BAT_NMESSAGE]) {
  const char* const option = o->hooks        ? "options.hooks"
                             : o->done       ? "options.done"
                             : o->persistent ? "options.persistent"
                                             : NULL;
  if (option) snprintf(text, BAT_NMESSAGE, "batches on a GPU do not have %s", option);
  if (option) return 0;
  for (int i = 0; i < nmodel; i++) {
    char missing[BAT_NMESSAGE];
    if (cud_supported(models[i], missing, sizeof(missing))) continue;
    snprintf(text, BAT_NMESSAGE, "batches on a GPU do not have what models[%d] uses: %.200s", i, missing);
    return 0;
  }
  return 1;
}

void bat_makeCuda(snBatch* b) {
  char text[BAT_NMESSAGE] = "";
  BatCuda* const c = b->cuda = bat_zeroed(sizeof(BatCuda));
  c->device = findDevice(text);
  if (!c->device) mju_error("%s", text);
  c->api = b->options.real == SN_FLOAT32 ? &cud_single : &cud_double;
  c->sims = bat_zeroed(sizeof(CudSims*) * (size_t)b->ngroup);
  c->rows = bat_zeroed(sizeof(int) * (size_t)b->n);
  c->bits = bat_zeroed(sizeof(int) * (size_t)b->n);
  for (int i = 0; i < b->ngroup; i++) {
    BatGroup* const g = b->group + i;
    char message[CUD_MESSAGE] = "";
    if (g->n) c->sims[i] = c->api->make(c->device, g->m, g->n, message);
    if (g->n && !c->sims[i]) mju_error("%s", message);

    // rows are in the order of simulations
    int n = 0;
    for (int k = 0; k < b->n; k++) {
      if (b->which[k] == i) c->rows[n++] = k;
    }
    if (g->n && !c->api->plan(c->sims[i], &b->options, c->rows, message)) mju_error("%s", message);
  }
}

void bat_deleteCuda(snBatch* b) {
  BatCuda* const c = b->cuda;
  if (!c) return;
  for (int i = 0; c->sims && i < b->ngroup; i++) c->api->del(c->sims[i]);
  mju_free(c->sims);
  mju_free(c->rows);
  mju_free(c->bits);
  mju_free(c);
}

int64_t bat_cudaMemory(const snBatch* b) {
  int64_t bytes = 0;
  int workspace;
  for (int i = 0; i < b->ngroup; i++) {
    if (b->cuda->sims[i]) bytes += (int64_t)b->cuda->api->memory(b->cuda->sims[i], &workspace);
  }
  return bytes;
}

//---------------------------------- fields ----------------------------------

// what a user sees of a field
static void show(const snBatch* b, int model, const CudField* f, snField* field) {
  *field = (snField){.data = f->data, .type = f->type, .itemsize = f->itemsize, .ndim = 2, .writable = f->writable};
  field->device = SN_CUDA;
  field->shape[0] = b->group[model].n;
  field->shape[1] = f->rows ? f->rows : f->count;
  field->stride[1] = f->itemsize;
  field->stride[0] = (int64_t)f->itemsize * f->count;
  if (!f->columns) return;
  field->ndim = 3;
  field->shape[2] = f->columns;
  field->stride[2] = f->itemsize;
  field->stride[1] = (int64_t)f->itemsize * f->columns;
}

int bat_cudaExpand(snBatch* b, int model, const char* name, snField* field) {
  CudField f;
  if (!b->cuda->sims[model]) return snprintf(b->complaint, sizeof(b->complaint), "the model has no simulations"), 0;
  if (!b->cuda->api->expand(b->cuda->sims[model], name, &f, b->complaint)) return 0;
  show(b, model, &f, field);
  return 1;
}

// 1: steps depend on the field, but the device has no values of it for each simulation
static int isLost(const BatArray* a) {
  static const char* const COMMON[] = {"pair_",       "hfield_",     "flex_solmix", "flex_solref",
                                       "flex_solimp", "flex_margin", "flex_gap",    "flex_friction"};
  const int integer = a->type == SN_INT32 || a->type == SN_UINT8, policy = !strcmp(a->name, "tree_sleep_policy");
  int common = integer && !policy;
  for (size_t i = 0; i < sizeof(COMMON) / sizeof(COMMON[0]); i++) {
    common |= !strncmp(a->name, COMMON[i], strlen(COMMON[i]));
  }
  return a->bytes && common;
}

int bat_cudaParams(snBatch* b, int write) {
  BatCuda* const c = b->cuda;
  for (int i = 0; i < b->ngroup; i++) {
    const BatGroup* const g = b->group + i;
    for (int k = 0; c->sims[i] && k < g->nexpanded; k++) {
      const BatArray* const a = g->expanded + k;
      if (write && isLost(a)) {
        snprintf(b->complaint, sizeof(b->complaint), "'%s' cannot differ between simulations on a GPU", a->name);
        return 0;
      }
      if (a->type != SN_FLOAT64 || !a->bytes) continue;
      if (!c->api->param(c->sims[i], a->name, (mjtNum*)a->data, write, b->options.stream, b->complaint)) return 0;
    }
  }
  return 1;
}

int bat_cudaRays(snBatch* b, int model, const snRays* rays, snField* field) {
  CudField f;
  if (!b->cuda->sims[model]) return snprintf(b->complaint, sizeof(b->complaint), "the model has no simulations"), 0;
  if (!b->cuda->api->rays(b->cuda->sims[model], rays, &f, b->complaint)) return 0;
  show(b, model, &f, field);
  return 1;
}

int bat_cudaField(snBatch* b, int model, const char* name, int capacity, snField* field) {
  CudField f;
  char message[CUD_MESSAGE] = "the model has no simulations";
  if (model < 0) {
    snprintf(b->complaint, sizeof(b->complaint), "'%s' over all models is not on the GPU", name);
    return 0;
  }
  CudSims* const s = b->cuda->sims[model];
  const CudApi* const api = b->cuda->api;
  if (!s || !(capacity ? api->list(s, name, capacity, &f, message) : api->field(s, name, &f, message))) {
    snprintf(b->complaint, sizeof(b->complaint), "%s", message);
    return 0;
  }
  show(b, model, &f, field);
  return 1;
}

int bat_cudaCopy(snBatch* b, const snField* field, void* host, int write) {
  const CudDevice* const d = b->cuda->device;
  const size_t bytes = (size_t)(field->shape[0] * field->stride[0]);
  void* const stream = b->options.stream;
  const int bad = write ? d->write(field->data, host, bytes, stream, b->complaint)
                        : d->read(host, field->data, bytes, stream, b->complaint);
  return !bad && !d->wait(stream, b->complaint);
}

//---------------------------------- states ----------------------------------

// part of the state of a group between the arrays of the CPU and the device
static int movePart(snBatch* b, int group, int part, int write) {
  BatArray* const a = b->group[group].state + part;
  BatCuda* const c = b->cuda;
  if (!a->bytes) return 1;
  if (a->type == SN_FLOAT64) {
    return c->api->part(c->sims[group], 1 << part, (mjtNum*)a->data, write, b->options.stream, b->complaint);
  }

  // bytes travel as numbers
  const size_t n = (size_t)b->group[group].n * a->bytes;
  mjtNum* const values = malloc(sizeof(mjtNum) * n);
  if (!values) return snprintf(b->complaint, sizeof(b->complaint), "Could not allocate memory"), 0;
  for (size_t i = 0; i < n; i++) values[i] = ((mjtByte*)a->data)[i];
  const int good = c->api->part(c->sims[group], 1 << part, values, write, b->options.stream, b->complaint);
  for (size_t i = 0; good && !write && i < n; i++) ((mjtByte*)a->data)[i] = values[i] != 0;
  free(values);
  return good;
}

int bat_cudaState(snBatch* b, int write) {
  for (int i = 0; i < b->ngroup; i++) {
    for (int part = 0; b->cuda->sims[i] && part < mjNSTATE; part++) {
      // user data and the like take no part in a step: they stay with the CPU
      const int known = mjSTATE_INTEGRATION & ~(mjSTATE_HISTORY | mjSTATE_PLUGIN | mjSTATE_USERDATA);
      if ((known >> part & 1) && !movePart(b, i, part, write)) return 0;
    }
  }
  return 1;
}

//---------------------------------- runs ----------------------------------

// the listed simulations of one group as rows; returns how many
static int rowsOf(snBatch* b, int group) {
  int n = 0;
  for (int i = 0; i < b->count; i++) {
    if (b->which[b->list[i]] == group) b->cuda->rows[n++] = b->row[b->list[i]];
  }
  return n;
}

int bat_cudaRun(snBatch* b, int substeps) {
  BatCuda* const c = b->cuda;
  for (int i = 0; i < b->ngroup; i++) {
    if (!c->sims[i]) continue;
    const int n = b->list ? rowsOf(b, i) : 0;
    if (b->list && !n) continue;
    if (!c->api->run(c->sims[i], substeps, b->list ? c->rows : NULL, n, b->options.stream, b->complaint)) return 0;

    // the list is read when the copy runs
    if (b->list && c->device->wait(b->options.stream, b->complaint)) return 0;
  }
  return 1;
}

int bat_cudaReset(snBatch* b, int key) {
  BatCuda* const c = b->cuda;
  for (int i = 0; i < b->ngroup; i++) {
    const int n = b->list && c->sims[i] ? rowsOf(b, i) : 0;
    if (!c->sims[i] || (b->list && !n)) continue;
    if (!c->api->reset(c->sims[i], key, b->list ? c->rows : NULL, n, b->options.stream, b->complaint)) return 0;
    if (b->list && c->device->wait(b->options.stream, b->complaint)) return 0;
  }
  return 1;
}

int bat_cudaEpisodes(snBatch* b, int write) {
  BatCuda* const c = b->cuda;
  for (int i = 0; i < b->ngroup; i++) {
    if (!c->sims[i]) continue;
    for (int k = 0; k < b->n; k++) {
      if (b->which[k] == i) c->rows[b->row[k]] = b->episode[k];
    }
    if (!c->api->episodes(c->sims[i], c->rows, write, b->options.stream, b->complaint)) return 0;
    for (int k = 0; k < b->n; k++) {
      if (b->which[k] == i) b->episode[k] = c->rows[b->row[k]];
    }
  }
  return 1;
}

int bat_cudaWait(snBatch* b) {
  return !b->cuda->device->wait(b->options.stream, b->complaint);
}

// what bits of a simulation say
static const char* meaning(int bits) {
  if (bits & CUD_BAD_QPOS) return "qpos is no usable number";
  if (bits & CUD_BAD_QVEL) return "qvel is no usable number";
  if (bits & CUD_BAD_QACC) return "qacc is no usable number";
  if (bits & CUD_FULL) return "more contacts or constraint rows than there is room for on the GPU";
  if (bits & CUD_BAD_CTRL) return "ctrl is no usable number: all controls were taken as zero";
  if (bits & CUD_SHORT) return "a list has no room for all contacts or constraint rows";
  if (bits & CUD_DISTANT)
    return "the model is too large for a processor of the GPU: it works in the GPU's memory, slower";
  if (bits & CUD_SPILLED) return "some contacts or constraint rows were in the GPU's memory, slower than the others";
  return "";
}

snStatus bat_cudaStatus(snBatch* b, int sim, const char** text) {
  BatCuda* const c = b->cuda;
  const int group = b->which[sim];
  *text = b->complaint;
  if (!c->api->status(c->sims[group], c->bits, b->options.stream, b->complaint)) return SN_ERROR;
  const int bits = c->bits[b->row[sim]];
  *text = meaning(bits);
  if (!bits && b->group[group].dropped) *text = "sleeping is left out on a GPU: everything stays awake";
  if (bits & (CUD_BAD_QPOS | CUD_BAD_QVEL | CUD_BAD_QACC | CUD_FULL)) return SN_ERROR;
  return bits & (CUD_BAD_CTRL | CUD_SHORT) ? SN_WARNING : SN_OK;
}
