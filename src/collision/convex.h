// Contacts of convex shapes, shared by the pairs that are not two geoms.
#pragma once

#include <mujoco/mujoco.h>

#include "collision/support.h"

// overlap of two convex shapes by the algorithm that the model selects
typedef struct {
  mjtNum depth;
  mjtNum normal[3];  // from the first shape to the second
  mjtNum pos[3];
} ColOverlap;

// 1 if the shapes overlap with a defined normal. The first one may be a prism, which is searched from above.
int col_overlap(const mjModel* m, mjData* d, ColOverlap* res, ColConvex* a, ColConvex* b);

// replaces the normal by that of the round surfaces at the contact point; a is the first geom, b the second, NULL for
// one that is not round anyway
void col_fixNormal(mjContact* con, const ColConvex* a, const ColConvex* b);
