// mj_loadXML, and the spec of the last model that was loaded, which can still be saved.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/cache.h"
#include "compile/compile.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjSpec* last;
static char* lastFile;  // the last model was found compiled: its spec is made when it is asked for

static void setLast(mjSpec* spec, char* file) {
  pthread_mutex_lock(&lock);
  mjSpec* const oldSpec = last;
  char* const oldFile = lastFile;
  last = spec;
  lastFile = file;
  pthread_mutex_unlock(&lock);
  mj_deleteSpec(oldSpec);
  free(oldFile);
}

void mj_freeLastXML(void) {
  setLast(NULL, NULL);
}

// a spec that was compiled; error has what is wrong, or a warning about a model that is good
static mjSpec* compileFile(const char* filename, const mjVFS* vfs, mjModel** m, char* error, int error_sz) {
  mjSpec* const spec = mj_parseXML(filename, vfs, error, error_sz);
  if (!spec) return NULL;
  *m = mj_compile(spec, vfs);
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", mjs_getError(spec));
  if (*m) return spec;
  mj_deleteSpec(spec);
  return NULL;
}

typedef struct {
  const char* filename;
  const mjModel* m;
  char* error;
  int error_sz;
  int saved;
} Saving;

// with the lock held, so that what it raises is caught
static void save(void* arg) {
  Saving* const s = arg;
  if (lastFile) {
    mjModel* m = NULL;
    last = compileFile(lastFile, NULL, &m, s->error, s->error_sz);
    mj_deleteModel(m);
    if (!last) return;
    free(lastFile);
    lastFile = NULL;
  }
  if (!last) {
    if (s->error && s->error_sz > 0) snprintf(s->error, (size_t)s->error_sz, "No XML model loaded");
  } else if (s->m && !mj_copyBack(last, s->m)) {
    if (s->error && s->error_sz > 0) snprintf(s->error, (size_t)s->error_sz, "%s", mjs_getError(last));
  } else {
    s->saved = !mj_saveXML(last, s->filename, s->error, s->error_sz);
  }
}

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  Saving s = {filename, m, error, error_sz, 0};
  char raised[BAS_MESSAGE];
  pthread_mutex_lock(&lock);
  const int came = bas_attempt(save, &s, raised);
  pthread_mutex_unlock(&lock);
  if (!came && error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", raised);
  return came && s.saved;
}

typedef struct {
  const char* filename;
  mjModel* m;
  mjSpec* spec;
  char message[BAS_MESSAGE];
} Loading;

// A warning of this thread while a model is loaded: handed on, and remembered.
static _Thread_local struct {
  BasHandler outer;
  int count;
} warnings;

static void noteWarning(const char* message) {
  warnings.count++;
  _mjPRIVATE__set_tls_warning_fn(warnings.outer);
  mju_warning("%s", message);
  _mjPRIVATE__set_tls_warning_fn(noteWarning);
}

static void load(void* arg) {
  Loading* const l = arg;
  l->spec = compileFile(l->filename, NULL, &l->m, l->message, sizeof(l->message));
}

// mj_loadXML with the folder of compiled models; files of a VFS may be gone when they are needed again, so they do not
// get here
static mjModel* loadThroughCache(const char* filename, char* error, int error_sz) {
  mjModel* const found = cmp_cacheFind(filename, error, error_sz);
  char* const file = found ? strdup(filename) : NULL;
  if (file) {
    setLast(NULL, file);
    return found;
  }
  mj_deleteModel(found);

  // what is raised waits until the list of reads is closed
  Loading l = {.filename = filename};
  BasReads reads = {0};
  char raised[BAS_MESSAGE];
  warnings.outer = _mjPRIVATE__get_tls_warning_fn();
  warnings.count = 0;
  _mjPRIVATE__set_tls_warning_fn(noteWarning);
  bas_startReads(&reads);
  const int came = bas_attempt(load, &l, raised);
  bas_stopReads(&reads);
  _mjPRIVATE__set_tls_warning_fn(warnings.outer);

  // a model that is warned of is compiled each time, so that the warning is heard each time
  if (came && l.m && !warnings.count) cmp_cacheKeep(filename, &reads, l.m, l.message);
  bas_freeReads(&reads);
  if (!came) {
    mju_error("%s", raised);
    return NULL;
  }
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", l.message);
  if (l.spec) setLast(l.spec, NULL);
  return l.m;
}

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  if (filename && !vfs && cmp_cacheOn()) return loadThroughCache(filename, error, error_sz);
  mjModel* m = NULL;
  mjSpec* const spec = compileFile(filename, vfs, &m, error, error_sz);
  if (spec) setLast(spec, NULL);
  return m;
}
