// Rows of the arrays of mjModel and mjData by the names of what they belong to: `qpos` of a joint, `xpos` of a body.
#pragma once

#include <mujoco/mujoco.h>

// What the rows of an array belong to that are counted by a size of mjModel ("nq": joints); mjOBJ_UNKNOWN: nothing
// that has names.
mjtObj viw_rowsOwner(const char* size);

// The first row of an object and how many it has; most have one.
void viw_rowsOf(const mjModel* m, const char* size, int id, int* first, int* n);
