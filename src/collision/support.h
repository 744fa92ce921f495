// Convex shapes as the iterative algorithms see them: a centre and the farthest point in a direction.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#include "collision/narrow.h"

typedef struct ColConvex_ ColConvex;

// how the support function of a shape is named and called, and where meshes are read
#ifdef COL_GPU
typedef int ColSupport;
#define COL_SUPPORT(res, s, dir) supportOf(res, s, dir)
#define COL_ERROR(...)           ((void)0)
#else
typedef void (*ColSupport)(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);
typedef mjModel ColModel;
#define COL_SUPPORT(res, s, dir) (s)->support(res, s, dir)
#define COL_ERROR(...)           mju_error(__VA_ARGS__)
#define COL_POINT                col_supportPoint
#define COL_SEGMENT              col_supportSegment
#endif

// Everything a support call needs is resolved when the shape is set up, so that the inner loops read no model tables.
// pos and mat may be redirected by the caller to look at the shape from another frame.
struct ColConvex_ {
  ColSupport support;
  const mjtNum* pos;  // frame and size of a geom
  const mjtNum* mat;
  const mjtNum* size;
  mjtNum inflate;  // distance by which the boundary is moved outwards
  mjtNum margin;   // as given; a non-zero margin makes the shape smooth
  int type;        // mjtGeom
  int vertid;      // vertex of the last support point: box corner or mesh vertex; -1: none

#ifndef COL_GPU
  int sure;  // 1: the support point is the farthest wherever a search for it begins
#endif

  // mesh
  int mesh;
  int nhull;   // vertices of the hull
  int hullid;  // last support point in the numbering of the hull graph
  int nvert;
  const float* vert;
#ifndef COL_GPU
  float blur;  // small hulls: vertices this much below the highest do not matter
#endif
  const int* edgeadr;   // hull graph: first edge of each hull vertex,
  const int* globalid;  // hull vertex -> mesh vertex,
  const int* edge;      // neighbours, a negative number ends each list
#ifndef COL_GPU
  _Atomic uint16_t* hint;  // hull vertex + 1 for each cell of directions, 0: not yet known; NULL: not kept
#endif

  // flex element or vertex: its corners; height field prism: three bottom and three top corners
#ifdef COL_GPU
  mjtNum (*prism)[3];
#else
  const mjtNum* center;
  int npoint;
  const mjtNum* point[4];
  mjtNum prism[6][3];
#endif

  const ColModel* model;
};

#ifndef COL_GPU

// shape of a geom at its current pose, widened by margin/2
void col_convexGeom(ColConvex* s, const mjModel* m, const mjData* d, int g, mjtNum margin);

// shape of a geom or of a flex object
void col_convexObject(ColConvex* s, const mjModel* m, const mjData* d, const ColObject* o, mjtNum margin);

// hull of up to four points, which are not copied; center is within
void col_convexPoints(ColConvex* s, const mjModel* m, const mjtNum* const* point, int n, const mjtNum* center);

// empty prism of a height field: the caller writes the corners
void col_convexPrism(ColConvex* s, const mjModel* m);

// a point inside
void col_convexCenter(mjtNum res[3], const ColConvex* s);

// farthest point of the core of a sphere (its centre) and of a capsule (its segment)
void col_supportPoint(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);
void col_supportSegment(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);

// farthest point including the inflation, by the rules of the libccd path: a coordinate of dir that is zero gives the
// middle of a flat side, and meshes climb their graph whatever their size
void col_supportCentred(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);
#endif
