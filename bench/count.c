// What scripts/bench_count.py counts instructions of: one library, one model, a number of steps.
//
//   bench_count LIBRARY.so MODEL.xml STEPS     0 steps: only the load
//
// Controls are drawn from a generator with a fixed seed, so that every run executes the same instructions.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

#include "support.h"

// the next number in [0, 1) of a sequence that is the same everywhere
static double draw(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: bench_count LIBRARY.so MODEL.xml STEPS\n");
    return 2;
  }
  void* const library = bch_open(argv[1]);
  __typeof__(&mj_loadXML) load = bch_symbol(library, "mj_loadXML");
  __typeof__(&mj_makeData) makeData = bch_symbol(library, "mj_makeData");
  __typeof__(&mj_step) step = bch_symbol(library, "mj_step");

  char error[1000] = "";
  mjModel* const m = load(argv[2], NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "bench_count: %s\n", error);
    return 1;
  }
  mjData* const d = makeData(m);
  uint64_t seed = 1;
  for (int i = 0; i < atoi(argv[3]); i++) {
    for (int k = 0; k < m->nu; k++) {
      const mjtNum* const range = m->actuator_ctrlrange + 2 * k;
      d->ctrl[k] = m->actuator_ctrllimited[k] ? range[0] + (range[1] - range[0]) * draw(&seed) : 2 * draw(&seed) - 1;
    }
    step(m, d);
  }
  return 0;
}
