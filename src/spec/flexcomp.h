// A flexcomp while it is read: what its files share.
//
// The shape is a list of points and of elements between them, from a grid, the surface of a box, a file or the text.
// Points then become bodies with sliders, except pinned ones, which stay in the parent body.
#pragma once

#include "spec/read.h"

typedef enum {
  FLEX_GRID,
  FLEX_BOX,
  FLEX_CYLINDER,
  FLEX_ELLIPSOID,
  FLEX_SQUARE,
  FLEX_DISC,
  FLEX_CIRCLE,
  FLEX_MESH,
  FLEX_GMSH,
  FLEX_DIRECT
} SpcFlexShape;
typedef enum { FLEX_FULL, FLEX_RADIAL, FLEX_TRILINEAR, FLEX_QUADRATIC } SpcFlexDof;

typedef struct {
  SpcReader* r;
  const XmlNode* node;
  SpcBody* body;    // parent
  SpcFrame* frame;  // around the element, NULL: none
  mjsFlex* flex;    // its vert and elem hold the points and elements
  SpcFlexShape shape;
  SpcFlexDof dof;
  int count[3];
  double spacing[3], scale[3], mass, inertiabox, pos[3], quat[4], origin[3];
  const char* file;
  int rigid, equality;
  mjsPlugin* plugin;  // of the first body: the others use the same instance
} SpcFlexcomp;

static inline int spc_flexPoints(const SpcFlexcomp* f) {
  return (int)spc_vecCount(f->flex->vert, 3 * sizeof(double));
}

// number of a point of a grid
static inline int spc_gridId(const SpcFlexcomp* f, int x, int y, int z) {
  return (x * f->count[1] + y) * f->count[2] + z;
}

// ---- flexcomp_shape.c
void spc_flexGrid(SpcFlexcomp* f);
void spc_flexBox(SpcFlexcomp* f);
void spc_flexSquare(SpcFlexcomp* f);
// ---- flexcomp_file.c
void spc_flexMesh(SpcFlexcomp* f);
void spc_flexGmsh(SpcFlexcomp* f);
