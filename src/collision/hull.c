// Is the graph of a hull convex: the neighbours of every face lie under its plane.
#include "collision/hull.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/vec.h"

// Larger hulls are not looked at: the table below lies on the stack.
enum { COL_HULL_MAX = 4096, COL_HULL_TABLE = 2 * COL_HULL_MAX };

// How far above a plane a point may be by rounding, relative to the size of the hull. Coordinates have 24 bits, so
// edges are longer than 1e-7 of it and angles wrong by 1e-7 at most.
static const mjtNum COL_HULL_ROUNDING = 1e-14;

// mesh vertex -> hull vertex, by hashing; 0: empty, else hull vertex + 1
typedef struct {
  const int* globalid;
  uint16_t entry[COL_HULL_TABLE];
} Table;

static int placeOf(const Table* t, int mesh) {
  int place = (int)((uint32_t)mesh * 0x9E3779B1u >> 8) % COL_HULL_TABLE;
  while (t->entry[place] && t->globalid[t->entry[place] - 1] != mesh) place = (place + 1) % COL_HULL_TABLE;
  return place;
}

static void fillTable(Table* t, const int* globalid, int n) {
  t->globalid = globalid;
  memset(t->entry, 0, sizeof(t->entry));
  for (int i = 0; i < n; i++) t->entry[placeOf(t, globalid[i])] = (uint16_t)(i + 1);
}

static void vertexAt(mjtNum res[3], const float* vert, int id) {
  for (int i = 0; i < 3; i++) res[i] = vert[3 * id + i];
}

// largest coordinate
static mjtNum reachOf(const float* vert, const int* globalid, int n) {
  mjtNum reach = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) reach = mth_max(reach, fabs((mjtNum)vert[3 * globalid[i] + k]));
  }
  return reach;
}

// 1: the neighbours of two of its corners, so those across all three edges, are not above the plane of a face
static int faceConvex(const float* vert, const int* graph, const Table* table, const int face[3], mjtNum rounding) {
  const int nvert = graph[0], *edgeadr = graph + 2, *edge = graph + 2 + 2 * nvert;
  mjtNum corner[3][3], side[2][3], normal[3];
  for (int i = 0; i < 3; i++) vertexAt(corner[i], vert, face[i]);
  mth_sub3(side[0], corner[1], corner[0]);
  mth_sub3(side[1], corner[2], corner[0]);
  mth_cross3(normal, side[0], side[1]);
  if (mth_normalize3(normal) < mjMINVAL) return 0;
  for (int i = 0; i < 2; i++) {
    const int at = table->entry[placeOf(table, face[i])] - 1;
    if (at < 0) return 0;
    for (const int* e = edge + edgeadr[at]; *e >= 0; e++) {
      mjtNum to[3];
      vertexAt(to, vert, table->globalid[*e]);
      mth_subFrom3(to, corner[0]);
      if (!(mth_dot3(normal, to) <= rounding)) return 0;
    }
  }
  return 1;
}

int col_hullConvex(const float* vert, const int* graph) {
  const int nvert = graph[0], nface = graph[1];
  if (nvert > COL_HULL_MAX) return 0;
  const int *globalid = graph + 2 + nvert, *face = graph + 2 + 3 * nvert + 3 * nface;
  Table table;
  fillTable(&table, globalid, nvert);
  const mjtNum rounding = COL_HULL_ROUNDING * reachOf(vert, globalid, nvert);
  for (int f = 0; f < nface; f++) {
    if (!faceConvex(vert, graph, &table, face + 3 * f, rounding)) return 0;
  }
  return nface > 0;
}
