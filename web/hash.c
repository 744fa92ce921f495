// Runs models for a thousand steps and hashes the last state: the same on every machine. `hash [--threads N] MODEL...`
// prints a line for each, `hash --kernels` which vector kernels are used; the page calls webHash and webKernels.
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#else
#define EMSCRIPTEN_KEEPALIVE
#endif

enum { STEPS = 1000 };

// FNV-1a over the bytes of the whole state
static uint64_t hashState(const mjModel* m, const mjData* d) {
  const int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* const state = mju_malloc((size_t)n * sizeof(mjtNum));
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < (size_t)n * sizeof(mjtNum); i++) {
    hash = (hash ^ ((const unsigned char*)state)[i]) * 1099511628211u;
  }
  mju_free(state);
  return hash;
}

// "humanoid.xml 0123456789abcdef", or the error. threads: that help with the islands of constraints
const char* webHash(const char* path, int threads);
EMSCRIPTEN_KEEPALIVE const char* webHash(const char* path, int threads) {
  static char text[600];
  char error[400] = "";
  const char* const slash = strrchr(path, '/');
  const char* const name = slash ? slash + 1 : path;
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    snprintf(text, sizeof(text), "%.100s %s", name, error);
    return text;
  }
  mjData* const d = mj_makeData(m);
  mjThreadPool* const pool = threads > 0 ? mju_threadPoolCreate((size_t)threads) : NULL;
  if (pool) mju_bindThreadPool(d, pool);
  for (int k = 0; k < STEPS; k++) mj_step(m, d);
  snprintf(text, sizeof(text), "%.100s %016llx", name, (unsigned long long)hashState(m, d));
  mj_deleteData(d);
  mj_deleteModel(m);
  mju_threadPoolDestroy(pool);
  return text;
}

const char* webKernels(void);
EMSCRIPTEN_KEEPALIVE const char* webKernels(void) {
  return sn_kernels();
}

#ifndef SINEW_PAGE
int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--kernels") == 0) {
    printf("%s\n", webKernels());
    return 0;
  }
  const int given = argc > 2 && strcmp(argv[1], "--threads") == 0, threads = given ? atoi(argv[2]) : 0;
  for (int i = given ? 3 : 1; i < argc; i++) printf("%s\n", webHash(argv[i], threads));
  return 0;
}
#endif
