// Edges of the faces of a mesh, sorted so that those at one place follow each other. Vertices at one place are one.
#pragma once

#include <mujoco/mujoco.h>

typedef struct {
  int low, high;  // vertices
  int code;       // 3·face + corner where it begins
  int forward;    // 1: it begins at low
} ColSide;

// all 3·facenum of them, to be freed; NULL: no memory
ColSide* col_meshSides(const mjModel* m, int mesh);

// where the sides end that are at the place of side i
static inline int col_sameSides(const ColSide* side, int n, int i) {
  int end = i + 1;
  while (end < n && side[end].low == side[i].low && side[end].high == side[i].high) end++;
  return end;
}

// for each vertex the first one at its place, to be freed; NULL: no memory
int* col_meshPlaces(const mjModel* m, int mesh);
