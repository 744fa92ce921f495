// Rays pnt + x*vec, x >= 0: the smallest x at which a ray meets a shape, -1 when it does not. A normal is the outward
// unit normal there, zero without a hit; its pointer may be NULL.
#pragma once

#include <mujoco/mujoco.h>

#include "collision/exact.h"

// a ray in some frame
typedef struct {
  mjtNum pnt[3];
  mjtNum vec[3];
} ColRay;

// two directions across a ray; triangles are tested in the plane they span
typedef struct {
  ColRay ray;
  mjtNum u[3];
  mjtNum v[3];
} ColRayPlane;

// the ray in the frame (pos, mat)
ColRay col_rayLocal(const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3], const mjtNum vec[3]);

ColRayPlane col_rayPlane(const ColRay* ray);

// triangle; the normal is that of the vertices' order
mjtNum col_rayTriangle(const mjtNum vert[3][3], const ColRayPlane* r, mjtNum normal[3]);

// box; all gets x for each of its six sides (-x, +x, -y …), -1 for sides that are not hit, and may be NULL
mjtNum col_rayBox(const ColRay* local, const mjtNum size[3], mjtNum all[6], mjtNum normal[3]);

// the ray misses the sphere around the origin
int col_rayMissesSphere(const ColRay* local, mjtNum radiussqr);

// which geoms rays look at
typedef struct {
  const mjtByte* group;        // (mjNGROUP) groups that are looked at; NULL: all
  mjtByte withStatic;          // also geoms that cannot move
  int bodyexclude;             // body that is not looked at; -1: none
  mjtNum cutoff;               // greatest distance
  const ColExactHead* shapes;  // which meshes are parts of others, that rays do not see; NULL: none
} ColRayFilter;

// 1: no ray from pnt can meet the geom. Otherwise, if its body has a bounding box, range gets the directions in which
// the geom can be seen: azimuth and elevation from, then to
int col_rayRange(mjtNum range[4], const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                 const ColRayFilter* filter);

// signed distance field of a geom
mjtNum col_raySdf(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                  mjtNum normal[3]);
