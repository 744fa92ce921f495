// Meshes that collide with their true surface.
//
// mjModel says which in the numeric entry sinew:shape:meshes: a kind (0 hull, 1 solid, 2 shell) and a thickness for
// each mesh. The private block keeps, for every edge of such a mesh, the edge of the face on its other side.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#include "model/private.h"

#define COL_EXACT_ENTRY "sinew:shape:meshes"

typedef enum { COL_HULL = 0, COL_SOLID = 1, COL_SHELL = 2 } ColShapeKind;

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

// a mesh in space; points are in its frame
typedef struct {
  const mjModel* m;
  int mesh, shell;
  mjtNum half;  // of the thickness
  int nface;
  const float* vert;
  const int* face;
  const int* other;  // (3·nface) edge beyond each edge, 3·face + corner where it begins; -1: none
  const mjtNum *pos, *mat;
  mjtNum reach;  // how deep things may be in it
} ColExact;

// 1: the geom has such a mesh
int col_openExact(const mjModel* m, const mjData* d, int geom, ColExact* x);

void col_exactLocal(mjtNum res[3], const ColExact* x, const mjtNum world[3]);
void col_exactWorld(mjtNum res[3], const ColExact* x, const mjtNum local[3]);
void col_exactCorner(mjtNum res[3], const ColExact* x, int face, int corner);
void col_exactNormal(mjtNum res[3], const ColExact* x, int face);

// nearest point of the surface: corners 0 to 2, edges 3 to 5 (01, 12, 20), inside 6
typedef struct {
  int face, feature;  // face -1: nothing is within the bound
  mjtNum point[3], square;
} ColNearest;
ColNearest col_exactNearest(const ColExact* x, const mjtNum point[3], mjtNum bound);
int col_nearestOnFace(const ColExact* x, int face, const mjtNum p[3], mjtNum near[3]);

// direction outwards at the feature of a nearest point, of any length
void col_exactOutwards(mjtNum res[3], const ColExact* x, const ColNearest* n);

// faces around a corner; returns how many, at most 64
int col_exactFan(const ColExact* x, int face, int corner, int fan[64]);

// faces whose box meets a box (smallest, then largest coordinates); returns how many were written, most at most
int col_exactFaces(const ColExact* x, const mjtNum box[6], int* list, int most);

// contacts of two geoms, one of which is exact, as an mjfCollision; -1: none is, or the other has no such contacts
int col_exactPair(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin);
