// What the CPU's convex query finds, for tests that cannot include its headers since they compile the code for GPUs.
#pragma once

#include <mujoco/mujoco.h>

typedef struct {
  mjtNum dist, x1[3], x2[3];
  int npoint, separate;
  mjtNum axis[3];
  int grown, outcome;
} TstQuery;

// geoms 0 and 1 at their poses
TstQuery tst_query(const mjModel* m, mjData* d, mjtNum margin);

// The same by the search of the kernels (cuda/gjk.h, cuda/epa.h) compiled as C, with all loops over lanes forwards or
// backwards. room: how often a polytope may grow in the memory of the query, beyond which it gets more
TstQuery tst_searchForward(const mjModel* m, const mjData* d, mjtNum margin, int room);
TstQuery tst_searchBackward(const mjModel* m, const mjData* d, mjtNum margin, int room);
