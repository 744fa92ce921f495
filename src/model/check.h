// Consistency of a model that comes from outside.
#pragma once

#include <mujoco/mujoco.h>

// 1: every type is known, every index is in range and every address range lies inside its target, so that no stage can
// leave its arrays. 0: error says which array, element and value is wrong. The sizes and the arrays' memory must be
// those of mdl_make.
int mdl_check(const mjModel* m, char* error, int error_sz);

// number of objects of a type (mjtObj); -1 for a type of which a model holds no list
mjtSize mdl_objectCount(const mjModel* m, int objtype);
