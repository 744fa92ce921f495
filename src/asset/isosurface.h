// The surface where a field sampled on a regular grid changes its sign.
#pragma once

#include <stddef.h>

// n[0] * n[1] * n[2] samples, x runs fastest; negative is inside
typedef struct {
  int n[3];
  const float* value;
} AstGrid;

// Coordinates are in grid cells. Faces turn outwards, normals are area-weighted means of the faces around a vertex
// (not a number where those cancel). Freed also after a failure.
typedef struct {
  int nvert, nface;
  float *vert, *normal;  // 3 each
  int* face;             // 3 each
} AstIsosurface;

// 0: no memory
int ast_makeIsosurface(AstIsosurface* surface, const AstGrid* grid);
void ast_freeIsosurface(AstIsosurface* surface);
