// Vertex clustering: vertices in the same cell of a grid become one of them, the farthest from the middle, so that the
// outside stays outside. Triangles with two corners in a cell vanish, and with them both of their sides that meet: each
// edge of what is left has as many triangles on either side as before, a closed surface stays closed (Rossignac and
// Borrel, Multi-resolution 3D approximations for rendering complex scenes, 1993). The grid is the finest that leaves
// few enough triangles; a grid of one cell leaves none.
#include "asset/coarse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "math/elem.h"
#include "math/vec.h"

enum {
  FINEST = 256,  // cells along the longest side; finer ones than this would leave more triangles than anyone asks for
};

typedef struct {
  int cell, vert;
  double far;  // squared distance to the middle
} Entry;

typedef struct {
  const AstTriangles* surface;
  double low[3], middle[3], size;
  int n;         // vertices of triangles
  Entry* entry;  // of each of them
  int* stand;    // of each vertex: the one that stands for it; negative: no triangle has it
} Clusters;

static int compareEntries(const void* a, const void* b) {
  const Entry *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  if (x->far != y->far) return x->far > y->far ? -1 : 1;
  return x->vert - y->vert;
}

// vertices of triangles, and the box around them
static void openClusters(Clusters* c) {
  const AstTriangles* s = c->surface;
  double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (int k = 0; k < 3; k++) c->low[k] = DBL_MAX;
  for (int i = 0; i < s->nvert; i++) c->stand[i] = -1;
  for (int i = 0; i < 3 * s->nface; i++) {
    const int v = s->face[i];
    if (c->stand[v] >= 0) continue;
    c->stand[v] = v;
    c->entry[c->n++].vert = v;
    for (int k = 0; k < 3; k++) {
      c->low[k] = mth_min(c->low[k], s->vert[3 * (size_t)v + k]);
      high[k] = mth_max(high[k], s->vert[3 * (size_t)v + k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    c->middle[k] = (c->low[k] + high[k]) / 2;
    c->size = mth_max(c->size, high[k] - c->low[k]);
  }
  for (int i = 0; i < c->n; i++) c->entry[i].far = mth_distSqr3(s->vert + 3 * (size_t)c->entry[i].vert, c->middle);
}

// for each vertex the one that stands for its cell
static void cluster(Clusters* c, int grid) {
  for (int i = 0; i < c->n; i++) {
    const double* x = c->surface->vert + 3 * (size_t)c->entry[i].vert;
    int cell = 0;
    for (int k = 0; k < 3; k++) {
      const int place = c->size > 0 ? (int)((x[k] - c->low[k]) / c->size * grid) : 0;
      cell = cell * grid + (place < grid ? place : grid - 1);
    }
    c->entry[i].cell = cell;
  }
  qsort(c->entry, (size_t)c->n, sizeof(Entry), compareEntries);
  for (int i = 0, first = 0; i < c->n; i++) {
    if (c->entry[i].cell != c->entry[first].cell) first = i;
    c->stand[c->entry[i].vert] = c->entry[first].vert;
  }
}

// corners of a triangle in the clusters; 0: it has vanished
static int cornersOf(const Clusters* c, int face, int corner[3]) {
  for (int k = 0; k < 3; k++) corner[k] = c->stand[c->surface->face[3 * (size_t)face + k]];
  return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

static int countLeft(const Clusters* c) {
  int n = 0, corner[3];
  for (int i = 0; i < c->surface->nface; i++) n += cornersOf(c, i, corner);
  return n;
}

int ast_coarsen(AstSoup* soup, const AstTriangles* surface, int most) {
  Clusters c = {.surface = surface};
  c.entry = malloc(sizeof(Entry) * ((size_t)surface->nvert + 1));
  c.stand = malloc(sizeof(int) * ((size_t)surface->nvert + 1));
  int good = c.entry && c.stand;
  if (good) {
    openClusters(&c);
    cluster(&c, FINEST);
    int grid = FINEST, left = countLeft(&c);
    while (left > most) {
      // a surface has as many as the square of the cells along a side
      const int next = (int)(grid * sqrt((double)most / left));
      grid = next < 15 * grid / 16 ? next : 15 * grid / 16;
      if (grid < 1) grid = 1;
      cluster(&c, grid);
      left = countLeft(&c);
    }
  }
  for (int i = 0, v[3]; i < surface->nface && good; i++) {
    if (!cornersOf(&c, i, v)) continue;
    const double* x[3];
    for (int k = 0; k < 3; k++) x[k] = surface->vert + 3 * (size_t)v[k];
    good = ast_soupAdd(soup, x[0], x[1], x[2]);
  }
  free(c.entry);
  free(c.stand);
  return good;
}
