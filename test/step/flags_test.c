// Every option flag alone, in a scene where it matters: ten steps as the reference took them (golden data).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"

enum { STEPS = 10, SETTINGS = 1 + mjNDISABLE + mjNENABLE };

// flags whose effect is not on qacc: sensors, mid phase, resets, islands, energy, statistics and inverse dynamics;
// discrete inverse dynamics and reference safety do nothing here
static int changesMotion(int setting) {
  static const int silent[] = {1 + 12, 1 + 13, 1 + 14, 1 + 16, 1 + 18, 20 + 1, 20 + 2, 20 + 3, 20 + 5};
  for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
    if (setting == silent[i]) return 0;
  }
  return 1;
}

static void setFlags(mjModel* m, int setting) {
  m->opt.disableflags = setting >= 1 && setting <= mjNDISABLE ? 1 << (setting - 1) : 0;
  m->opt.enableflags = setting > mjNDISABLE ? 1 << (setting - 1 - mjNDISABLE) : 0;
}

static void start(const mjModel* m, mjData* d) {
  const mjtNum ctrl[3] = {0.5, 0.4, 1};
  memcpy(d->ctrl, ctrl, sizeof(ctrl));
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.1 * sin(i + 1.0);
}

static void trajectoriesAreTheReferences(void** state) {
  (void)state;
  mjModel* m = tst_model("flags");
  int size = 0;
  double* golden = (double*)(void*)tst_readFile("test/golden/flags.bin", &size);
  const size_t row = (size_t)STEPS * (size_t)m->nv;
  assert_int_equal(size, SETTINGS * row * sizeof(double));
  for (int setting = 0; setting < SETTINGS; setting++) {
    setFlags(m, setting);
    mjData* d = mj_makeData(m);
    start(m, d);
    const double* expected = golden + (size_t)setting * row;
    for (int step = 0; step < STEPS; step++) {
      mj_step(m, d);

      // relative to the step's largest acceleration: its rounding reaches all dofs of the same contacts
      const double* theirs = expected + step * m->nv;
      double largest = 0;
      for (int i = 0; i < m->nv; i++) largest = fmax(largest, fabs(theirs[i]));
      for (int i = 0; i < m->nv; i++) {
        if (!(fabs(d->qacc[i] - theirs[i]) <= 1e-10 * (1 + largest))) {
          fail_msg("setting %d, step %d, dof %d: %.15g, reference %.15g (largest %g)", setting, step, i, d->qacc[i],
                   theirs[i], largest);
        }
      }
    }
    if (setting && changesMotion(setting)) assert_memory_not_equal(expected, golden, row * sizeof(double));
    mj_deleteData(d);
  }
  free(golden);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(trajectoriesAreTheReferences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
