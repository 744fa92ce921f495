// mj_loadXML, and the spec of the last model that was loaded, which can still be saved.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  pthread_mutex_lock(&lock);
  int saved = 0;
  if (!last) {
    if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "No XML model loaded");
  } else if (m && !mj_copyBack(last, m)) {
    if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", mjs_getError(last));
  } else {
    saved = !mj_saveXML(last, filename, error, error_sz);
  }
  pthread_mutex_unlock(&lock);
  return saved;
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
