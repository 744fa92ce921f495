// Sleeping under the reference's internal names.
#include "sleep/sleep.h"

#include "compat/engine.h"

void mj_updateSleep(const mjModel* m, mjData* d) {
  slp_update(m, d, 0);
}

int mj_wakeTree(int* tree_asleep, int ntree, int i, int wakeval) {
  return slp_wakeCycle(tree_asleep, ntree, i, wakeval);
}

mjtSleepState mj_sleepState(const mjModel* m, const mjData* d, mjtObj type, int i) {
  return slp_state(m, d, type, i);
}
