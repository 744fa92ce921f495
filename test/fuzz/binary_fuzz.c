// The loader of binary models on arbitrary bytes: it returns a model or warns, and what it returns can be copied, saved
// to the bytes it came from, and started. The seeds are made from models of the tests.
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// saves some models to the corpus, which is the first argument that is not an option; runs in the root of the
// repository
int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static const char* const names[] = {"assets", "chain", "flex", "pendulum", "shapes"};
  const char* corpus = NULL;
  for (int i = 1; i < *argc && !corpus; i++) corpus = (*argv)[i][0] == '-' ? NULL : (*argv)[i];
  for (size_t i = 0; corpus && i < sizeof(names) / sizeof(names[0]); i++) {
    char path[1000], error[500] = "";
    snprintf(path, sizeof(path), "test/models/%s.xml", names[i]);
    mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
    if (!m) {
      fprintf(stderr, "%s\n", error);
      exit(1);
    }
    snprintf(path, sizeof(path), "%s/%s.mjb", corpus, names[i]);
    mj_saveModel(m, path, NULL, 0);
    mj_deleteModel(m);
  }
  return 0;
}

static jmp_buf back;
static void leave(const char* message) {
  (void)message;
  longjmp(back, 1);
}
static void ignore(const char* message) {
  (void)message;
}

// 1: no size asks for more memory than the file itself explains
static int isSmall(const mjModel* m) {
  return m->nuserdata < 100000 && m->narena < (mjtSize)1 << 30 && m->nv < 2000;
}

// what was loaded is what was in the file
static void checkRoundTrip(const mjModel* m, const uint8_t* data, size_t size) {
  if ((size_t)mj_sizeModel(m) != size) abort();
  void* const bytes = malloc(size);
  mj_saveModel(m, NULL, bytes, (int)size);
  if (memcmp(bytes, data, size) != 0) abort();
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mju_user_error = leave;
  mju_user_warning = ignore;
  mjModel* const m = mj_loadModelBuffer(data, (int)size);
  if (!m) return 0;
  checkRoundTrip(m, data, size);

  // errors of the start are fine, faults are not
  mjData* volatile d = NULL;
  if (isSmall(m) && !setjmp(back)) d = mj_makeData(m);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
