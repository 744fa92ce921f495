// Meshes that collide with their true surface.
//
// mjModel says which in the numeric entry sinew:shape:meshes: a kind (ColShapeKind) and a thickness for each mesh. The
// private block keeps, for the faces of such a mesh, their normals, for every edge the edge of the face on its other
// side, and which corners and edges may be the first to touch something.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#include "collision/support.h"
#include "model/private.h"

#define COL_EXACT_ENTRY "sinew:shape:meshes"

typedef enum {
  COL_HULL = 0,
  COL_SOLID = 1,
  COL_SHELL = 2,
  COL_CUT = 3,   // parts collide instead; distances and rays are those of the surface
  COL_PART = 4,  // of such a mesh, which rays do not see
  COL_NSHAPE
} ColShapeKind;

// NULL, or what is wrong with the entry; text has room for 200 characters
const char* col_exactCheck(const mjModel* m, char* text);

// section of the private block
typedef struct {
  uintptr_t buffer;  // of the mjModel that this was made from
  mjtSize nnumeric;
  int entry;  // numeric entry, -1: all meshes are hulls
  int pad;
} ColExactHead;
size_t col_exactSize(const mjModel* m);
void col_exactInit(const mjModel* m, void* memory);

// made anew where the model is another one
const ColExactHead* col_exactRefresh(const mjModel* m, mjData* d);

// NULL: all meshes are hulls
static inline const ColExactHead* col_exactHead(const mjModel* m, const mjData* d) {
  const ColExactHead* s = mdl_section(d, MDL_EXACT);
  if (s->buffer != (uintptr_t)m->buffer || s->nnumeric != m->nnumeric) s = col_exactRefresh(m, (mjData*)d);
  return s->entry < 0 ? NULL : s;
}

// what a face says about one of its corners and the edge that begins there
enum {
  COL_EDGE = 1,  // the edge may be the first to touch something, and this face, of the two at it, stands for it
  COL_TIP = 2,   // the corner may be the first to touch something
  COL_OWN = 4,   // this face, of those around the corner, stands for it
  COL_RIM = 8    // the corner is at the border of a height field
};

// cosine above which an edge is flat, and how far a neighbour may stand out as a part of its distance
#define COL_FLAT     (1 - 1e-8)
#define COL_STANDOUT 1e-4

// a surface in space; points are in its frame
typedef struct {
  const mjModel* m;
  int shell;    // it has two sides
  mjtNum half;  // of the thickness
  int nface, nvert;
  const float* vert;
  const int* face;
  const int* other;        // (3·nface) edge beyond each edge, 3·face + corner where it begins; -1: none,
                           // -2: none, and what is beyond is outside
  const mjtNum* plane;     // (4·nface) normal of each face, and how far along it the face is
  const mjtByte* feature;  // (3·nface) of each corner of each face
  const mjtNum* aabb;      // tree of faces, as that of meshes in mjModel
  const int *child, *nodeid;
  const mjtNum *pos, *mat;
  mjtNum reach;  // how deep things may be in it
} ColExact;

// 1: the geom has such a mesh; with any also where only distances are those of the surface
int col_openExact(const mjModel* m, const mjData* d, int geom, int any, ColExact* x);

// the part of a height field that a box may touch (smallest, then largest coordinates in its frame), as a surface on
// the stack of d; 0: there is none
int col_openField(const mjModel* m, mjData* d, int geom, const mjtNum box[6], ColExact* x);

// a box as a surface, on the stack of d
void col_openBox(const mjModel* m, mjData* d, int geom, ColExact* x);

// x->feature of a surface that has all else, x->plane of one that has faces
void col_exactFeatures(const ColExact* x, mjtByte* feature);
int col_isSharp(const ColExact* x, int code);  // 1: an edge has COL_EDGE
void col_facePlane(mjtNum plane[4], const ColExact* x, int face);

// 1: rays do not see the geom: a part of a mesh that they see itself
int col_isPart(const mjModel* m, const ColExactHead* s, int geom);

// the geom of which this one is a part, else itself
int col_wholeGeom(const mjModel* m, const mjData* d, int geom);

void col_exactLocal(mjtNum res[3], const ColExact* x, const mjtNum world[3]);
void col_exactWorld(mjtNum res[3], const ColExact* x, const mjtNum local[3]);
static inline void col_exactCorner(mjtNum res[3], const ColExact* x, int face, int corner) {
  const float* v = x->vert + 3 * (size_t)x->face[3 * face + corner];
  res[0] = v[0];
  res[1] = v[1];
  res[2] = v[2];
}

// nearest point of the surface: corners 0 to 2, edges 3 to 5 (01, 12, 20), inside 6
typedef struct {
  int face, feature;  // face -1: nothing is within the bound
  mjtNum point[3], square;
} ColNearest;
ColNearest col_exactNearest(const ColExact* x, const mjtNum point[3], mjtNum bound);
// the same, with a face that is known to be near
ColNearest col_exactNearestFrom(const ColExact* x, const mjtNum point[3], mjtNum bound, int face);
int col_nearestOnFace(const ColExact* x, int face, const mjtNum p[3], mjtNum near[3]);

// direction outwards at the feature of a nearest point, of any length
void col_exactOutwards(mjtNum res[3], const ColExact* x, const ColNearest* n);

// faces around a corner; returns how many, at most 64
int col_exactFan(const ColExact* x, int face, int corner, int fan[64]);

// faces whose box meets a box (smallest, then largest coordinates); returns how many were written, most at most
int col_exactFaces(const ColExact* x, const mjtNum box[6], int* list, int most);

// box of a convex shape in the frame of the surface, with more around it
void col_exactBounds(const ColExact* x, ColConvex* other, mjtNum more, mjtNum box[6]);

// contacts of two geoms, one of which is exact, as an mjfCollision; -1: none is
int col_exactPair(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin);
// the same; with any, for distances, however deep, and also of meshes that are cut into parts
int col_surfacePair(const mjModel* m, const mjData* d, mjContact* con, const int geom[2], int any, mjtNum margin);

// The nearest points of a surface and of a convex shape, or of another surface, in space: 1 where they are nearer than
// bound. Surfaces that cross have the distance 0. Thickness counts.
typedef struct {
  mjtNum dist, point[2][3], normal[3];  // from the surface to the other
} ColGap;
int col_exactGap(mjData* d, const ColExact* x, ColConvex* other, mjtNum bound, ColGap* gap);
int col_exactGaps(mjData* d, const ColExact* x, const ColExact* other, mjtNum bound, ColGap* gap);

// 1: a point in space is within a solid
int col_exactContains(const ColExact* x, const mjtNum point[3]);
