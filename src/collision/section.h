// What collision keeps in mjData's private block: the order of the last sweep or the pairs that may collide, for
// each mesh vertices where support
// searches begin and whether they may, for pairs of convex geoms the direction along which they were apart, and whether
// rays have marked boxes of meshes.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

// directions are cells on the faces of a cube
enum { COL_HINT_SIDE = 8, COL_HINT_CELLS = 6 * COL_HINT_SIDE * COL_HINT_SIDE };

size_t col_sectionSize(const mjModel* m);
void col_sectionInit(const mjModel* m, void* memory);

// bodies and flexes in the order of the last sweep
int* col_sweepOrder(const mjData* d);

// what few.c keeps, NULL: the model has too many bodies
void* col_fewPlan(const mjModel* m, const mjData* d);

// 1: a walk on the hull of the mesh ends at the highest vertex wherever it begins (see hull.h). Looked at when first
// asked for; 0 for an mjData that mj_makeData did not make.
int col_meshConvex(const mjModel* m, const mjData* d, int mesh);

// The two below are NULL for an mjData that mj_makeData did not make.
// One hint per cell of directions (see ColConvex). Queries on one mjData may run in parallel, hence atomic.
_Atomic uint16_t* col_hints(const mjModel* m, const mjData* d, int mesh);

// two geoms and a direction along which the first was beyond the second; g1 < 0: empty
typedef struct {
  int g1;
  int g2;
  float axis[3];
} ColSeparation;

// the place for a pair, which may hold another one
ColSeparation* col_separation(const mjModel* m, const mjData* d, int g1, int g2);

// Boxes of meshes in bvh_active are marked by rays only, but there are a hundred thousand of them in a robot with
// detailed meshes: clearing them in every step would cost as much as the rest of its collisions.
void col_meshBoxesMarked(const mjModel* m, const mjData* d);

// clears the marks of all boxes, leaving out what cannot have been marked since the last time
void col_clearBoxes(const mjModel* m, mjData* d);
