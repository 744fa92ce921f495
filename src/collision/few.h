// Broad phase of models with few bodies, of which none sleeps: which pairs may collide at all is found out once, then
// only their boxes are compared.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "collision/broad.h"

// the pairs that col_broad has to return; false: this is not such a model
bool col_fewBodies(const mjModel* m, mjData* d, ColPairs* pairs);

// the part of collision's section that holds the plan (section.h)
size_t col_fewSize(const mjModel* m);
