// mj_loadXML, and the spec of the last model that was loaded, which can still be saved.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "compile/compile.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mjSpec* last;

static void setLast(mjSpec* spec) {
  pthread_mutex_lock(&lock);
  mjSpec* const old = last;
  last = spec;
  pthread_mutex_unlock(&lock);
  mj_deleteSpec(old);
}

void mj_freeLastXML(void) {
  setLast(NULL);
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

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjSpec* const spec = mj_parseXML(filename, vfs, error, error_sz);
  if (!spec) return NULL;
  mjModel* const m = mj_compile(spec, vfs);

  // an error, or a warning about a model that is good
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", mjs_getError(spec));
  if (!m) {
    mj_deleteSpec(spec);
    return NULL;
  }
  setLast(spec);
  return m;
}
