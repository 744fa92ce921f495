// A surface with fewer triangles that is as closed as the original.
#pragma once

#include "asset/soup.h"

typedef struct {
  const double* vert;
  int nvert;
  const int* face;  // three vertices each
  int nface;
} AstTriangles;

// Adds at most `most` triangles that stand for those of a surface. The same surface gives the same ones. 0: no memory
int ast_coarsen(AstSoup* soup, const AstTriangles* surface, int most);
