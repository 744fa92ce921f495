// The loader of binary models on arbitrary bytes: it returns a model or warns, and what it returns can be copied, saved
// to the bytes it came from, and started. The seeds are the golden models.
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

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
