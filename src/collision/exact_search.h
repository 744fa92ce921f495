// A search for the contacts of an exact mesh: what exact.c and exact_surface.c share.
#pragma once

#include "collision/exact.h"
#include "collision/reduce.h"

// sides this near are flush, as a part of the size
#define COL_FLUSH 1e-6

typedef struct {
  const mjModel* m;
  mjData* d;
  ColExact x;
  int geom[2];  // of the mesh, and the other one
  int second;   // 1: the mesh is the second geom of the pair
  mjtNum margin, depth;
  ColTouch* found;  // COL_TOUCHES; normals: from the first geom to the second
  int n;
  int* face;  // (x.nface) those near the other geom
  int nface;
} ColSearch;

// a contact at a point of the surface, with the direction out of the mesh, in the frame of the mesh
void col_addTouch(ColSearch* s, const mjtNum point[3], const mjtNum out[3], mjtNum dist);

// directions in which the other shape goes on from one of its points, in the frame of the mesh
enum { COL_ARMS = 32 };
typedef struct {
  mjtNum way[COL_ARMS][3];
  int n;
} ColArms;

// the direction from a point to another place of the shape; more than there is room for are left out
void col_addArm(ColArms* arms, const mjtNum from[3], const mjtNum to[3]);

// a point of the other shape with a ball around it, in the frame of the mesh; depth: how deep it may be; face: one that
// is near, -1: none is known; arms: NULL where any direction will do
void col_addPoint(ColSearch* s, const mjtNum p[3], mjtNum radius, mjtNum depth, int face, const ColArms* arms);

// direction from a nearest point to p, outwards where they are the same; returns how far
mjtNum col_towards(mjtNum res[3], const ColExact* x, const ColNearest* n, const mjtNum p[3], int* inside);

// 1: a corner or an edge is in front of what is around it, seen along out
int col_standsOut(const ColExact* x, const mjtNum point[3], const int* around, int n, const mjtNum out[3]);

// contacts with another surface
void col_addSurface(ColSearch* s, const ColExact* other);
