// Models with random changes that pass the loader's checks can be run: whatever numbers they hold, no stage leaves its
// arrays (this test is worth most under the sanitizers) and errors leave by the error handler.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/model.h"
#include "support/random.h"

static jmp_buf back;
static void raise(const char* message) {
  (void)message;
  longjmp(back, 1);
}
static void ignore(const char* message) {
  (void)message;
}

// a bit, an int or a number somewhere behind the header
static void mutate(Rnd* rnd, unsigned char* bytes, int size) {
  static const int INTS[] = {-1, 0, 1, 2, 3, 1000};
  const double numbers[] = {0, -1, 1e300, NAN, 1e-300, 1e10};
  const int at = 20 + rnd_below(rnd, size - 28), start = at & ~3;
  switch (rnd_below(rnd, 3)) {
    case 0:
      bytes[at] ^= (unsigned char)(1 << rnd_below(rnd, 8));
      break;
    case 1:
      memcpy(bytes + start, INTS + rnd_below(rnd, 6), 4);
      break;
    default:
      memcpy(bytes + start, numbers + rnd_below(rnd, 6), 8);
  }
}

// 1: running it takes little time and memory, which no check can promise
static int isSmall(const mjModel* m) {
  const mjOption* o = &m->opt;
  return m->nuserdata < 100000 && m->nsensordata < 100000 && m->nhistory < 100000 && m->nJmom < 1000000 &&
         m->narena < (mjtSize)1 << 32 && o->iterations < 1000 && o->ls_iterations < 1000 &&
         o->noslip_iterations < 1000 && o->ccd_iterations < 1000 && o->sdf_iterations < 1000 &&
         o->sdf_initpoints < 1000;
}

// forward dynamics, twice: the second pass starts from the first one's results
static void run(const mjModel* m) {
  mjData* volatile d = NULL;
  if (!setjmp(back)) {
    d = mj_makeData(m);
    mj_forward(m, d);
    mj_forward(m, d);
  }
  mj_deleteData(d);
}

// $SINEW_MUTANTS sets the number per model; the default keeps the test quick
static void acceptedModelsRun(void** state) {
  (void)state;
  const char* wanted = getenv("SINEW_MUTANTS");
  const int total = wanted ? atoi(wanted) : 40;
  mju_user_error = raise;
  mju_user_warning = ignore;
  int accepted = 0;
  for (int i = 0; tst_binaries[i]; i++) {
    int size;
    unsigned char* bytes = tst_binary(tst_binaries[i], &size);
    unsigned char* changed = malloc((size_t)size);
    Rnd rnd = {(uint64_t)i};
    for (int k = 0; k < total; k++) {
      memcpy(changed, bytes, (size_t)size);
      mutate(&rnd, changed, size);
      mjModel* m = mj_loadModelBuffer(changed, size);
      if (m && isSmall(m)) {
        accepted++;
        run(m);
      }
      mj_deleteModel(m);
    }
    free(changed);
    free(bytes);
  }
  assert_true(accepted > total);
  mju_user_error = NULL;
  mju_user_warning = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(acceptedModelsRun)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
