// Finds and wraps the reference library; see oracle.h.
#include "support/oracle.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mjxmacro.h>

#include "support/bits.h"

void* mj_arenaAllocByte(mjData* d, size_t bytes, size_t alignment);

static const char* INSTALLED = "build/oracle/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0";

// It has names of its own for what both libraries define, also where ours is a shared one. Sanitizers cannot have that.
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { HOW = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND };
#else
enum { HOW = RTLD_NOW | RTLD_LOCAL };
#endif

static void* openLibrary(void) {
  const char* path = getenv("SINEW_ORACLE");
  if (path) return *path ? dlopen(path, HOW) : NULL;

  glob_t found;
  void* handle = NULL;
  if (glob(INSTALLED, 0, NULL, &found) == 0) handle = dlopen(found.gl_pathv[0], HOW);
  globfree(&found);
  return handle;
}

static void* library(void) {
  static void* handle = NULL;
  static int tried = 0;
  if (!tried) {
    tried = 1;
    handle = openLibrary();
  }
  return handle;
}

int orc_isThere(void) {
  return library() != NULL;
}

// places that asked in vain
#define NPLACE 512
static struct {
  const char* file;
  int line;
} places[NPLACE];
static int nplace;

int orc_availableAt(const char* file, int line) {
  if (library()) return 1;
  for (int i = 0; i < nplace; i++) {
    if (places[i].line == line && !strcmp(places[i].file, file)) return 0;
  }
  if (nplace < NPLACE) {
    places[nplace].file = file;
    places[nplace++].line = line;
    printf("left out without the reference: %s:%d\n", file, line);
    fflush(stdout);
  }
  return 0;
}

void* orc_symbol(const char* name) {
  void* address = library() ? dlsym(library(), name) : NULL;
  if (!address) {
    fprintf(stderr, "oracle: no symbol %s\n", name);
    abort();
  }
  return address;
}

// what took the reference's place was hashed up to here, for one model
static struct {
  uint32_t model;
  uint64_t hash;
} stood;

static void finishStood(void) {
  if (stood.hash) bit_check(stood.hash, stood.model);
  stood.hash = 0;
}

static void beginStood(uint32_t model) {
  static int registered = 0;
  if (!registered) atexit(finishStood);
  registered = 1;
  if (model != stood.model) finishStood();
  stood.model = model;
}

int orc_trials(int n) {
  return library() ? n : (n + 7) / 8;
}

void orc_result(const mjtNum* numbers, size_t n) {
  if (library()) return;
  beginStood(stood.model);
  stood.hash = bit_addNumbers(stood.hash + 1, numbers, n);
}

void orc_bytes(const void* bytes, size_t n) {
  if (library()) return;
  beginStood(stood.model);
  stood.hash = bit_addBytes(stood.hash + 1, bytes, n);
}

void* orc_orOurs(const char* name, const void* ours) {
  return library() ? orc_symbol(name) : (void*)(uintptr_t)ours;
}

mjModel* orc_compile(const char* xml) {
  char error[1000] = "";
  mjSpec* spec = ORC(mj_parseXMLString)(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? ORC(mj_compile)(spec, NULL) : NULL;
  if (!m) {
    fprintf(stderr, "oracle: %s\n%s\n", spec ? ORC(mjs_getError)(spec) : error, xml);
    abort();
  }
  ORC(mj_deleteSpec)(spec);
  if (!library()) bit_checkModel(m, bit_key(xml));
  return m;
}

void orc_mirror(const mjModel* m, mjData* d, const mjData* reference) {
  if (!library()) {
    beginStood(bit_ofModel(m));
    stood.hash = (stood.hash + 1) * 1099511628211u + bit_ofData(m, reference);
  }

  // the arrays of the fixed buffer have the same sizes in both libraries
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nr, nc)                                      \
  if (m->nr) {                                                     \
    memcpy(d->name, reference->name, sizeof(type) * m->nr * (nc)); \
  }
  {
    MJDATA_POINTERS_PREAMBLE(m)
    (void)nv;
    MJDATA_POINTERS
  }
#undef X

  // scalars and statistics, without the two libraries' memory bookkeeping
  memcpy(d->solver, reference->solver, sizeof(d->solver));
  memcpy(d->solver_niter, reference->solver_niter, sizeof(d->solver_niter));
  memcpy(d->solver_nnz, reference->solver_nnz, sizeof(d->solver_nnz));
  memcpy(&d->ncon, &reference->ncon, (char*)&d->buffer - (char*)&d->ncon);

  // arrays of the arena, in the reference's order
  d->parena = 0;
#undef MJ_D
#define MJ_D(n) reference->n
#define X(type, name, nr, nc)                                                           \
  d->name = NULL;                                                                       \
  if (reference->name && (nr) * (nc) > 0) {                                             \
    d->name = mj_arenaAllocByte(d, sizeof(type) * (size_t)(nr) * (nc), _Alignof(type)); \
    memcpy(d->name, reference->name, sizeof(type) * (size_t)(nr) * (nc));               \
  }
  MJDATA_ARENA_POINTERS
#undef X
#undef MJ_M
#undef MJ_D
}
