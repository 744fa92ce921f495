// Octree of signed distances to a mesh: cells that the surface crosses are divided to a fixed depth, then neighbours
// are divided until depths across a face differ by one at most, so that the interpolated distance can be made
// continuous: a corner in the middle of a coarser neighbour's edge or face takes the mean of that edge's or face's
// corners.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/distance.h"
#include "asset/mesh.h"
#include "math/vec.h"
#include "base/assert.h"

enum {
  MAXDEPTH = 6,
  GRID = 1 << MAXDEPTH,  // finest cells along an axis
  LINE = GRID + 1,       // corners along an axis
};

static const double MARGIN = 1.1;  // of the root's half sizes

// a cell: depth, and place among the cells of its depth
typedef struct {
  int depth, place[3];
  int child;          // first of eight, -1: none
  int first, ncross;  // triangles that cross the parent, in Builder.list
  int marked;         // to be divided for a neighbour's sake
} Cell;

typedef struct {
  AstSurface* surface;
  double low[3], half[3];  // root
  Cell* cell;
  int ncell, ccell;
  int* list;
  int nlist, clist;
  int* todo;  // marked cells
  int ntodo, ctodo;
} Builder;

// -------------------------------------------------------------------------------------------- cells

static int growArray(AstSurface* s, void** at, int needed, int* capacity, size_t size) {
  if (needed <= *capacity) return 1;
  const int larger = 2 * needed;
  void* const memory = realloc(*at, (size_t)larger * size);
  if (!memory) return ast_fail(s, "out of memory");
  *at = memory;
  *capacity = larger;
  return 1;
}

static void boxOf(const Builder* b, const Cell* cell, double center[3], double half[3]) {
  for (int k = 0; k < 3; k++) {
    half[k] = ldexp(b->half[k], -cell->depth);
    center[k] = b->low[k] + (2 * cell->place[k] + 1) * half[k];
  }
}

// separating axes of a triangle (relative to the box's center) and a box
static int crosses(const double v[3][3], const double half[3]) {
  for (int k = 0; k < 3; k++) {
    const double low = mth_min(v[0][k], mth_min(v[1][k], v[2][k])), high = mth_max(v[0][k], mth_max(v[1][k], v[2][k]));
    if (low > half[k] || high < -half[k]) return 0;
  }
  double edge[3][3], axis[10][3];
  for (int e = 0; e < 3; e++) mth_sub3(edge[e], v[(e + 1) % 3], v[e]);
  mth_cross3(axis[0], edge[0], edge[1]);
  for (int e = 0; e < 3; e++) {
    for (int k = 0; k < 3; k++) {
      double unit[3] = {k == 0, k == 1, k == 2};
      mth_cross3(axis[1 + 3 * e + k], unit, edge[e]);
    }
  }
  for (int a = 0; a < 10; a++) {
    const double p[3] = {mth_dot3(axis[a], v[0]), mth_dot3(axis[a], v[1]), mth_dot3(axis[a], v[2])};
    const double reach = half[0] * fabs(axis[a][0]) + half[1] * fabs(axis[a][1]) + half[2] * fabs(axis[a][2]);
    if (mth_min(p[0], mth_min(p[1], p[2])) > reach || mth_max(p[0], mth_max(p[1], p[2])) < -reach) return 0;
  }
  return 1;
}

// appends the triangles among the parent's that cross the cell
static int findCrossing(Builder* b, Cell* cell) {
  const AstSurface* const s = b->surface;
  const int first = cell->first, n = cell->ncross;
  double center[3], half[3];
  boxOf(b, cell, center, half);
  cell->first = b->nlist;
  cell->ncross = 0;
  if (!growArray(b->surface, (void**)&b->list, b->nlist + n, &b->clist, sizeof(int))) return 0;
  for (int i = 0; i < n; i++) {
    const int face = b->list[first + i];
    double v[3][3];
    for (int k = 0; k < 3; k++) mth_sub3(v[k], s->vert.at + 3 * (size_t)s->face.at[3 * face + k], center);
    if (!crosses(v, half)) continue;
    b->list[b->nlist++] = face;
    cell->ncross++;
  }
  return 1;
}

static int divide(Builder* b, int at) {
  if (!growArray(b->surface, (void**)&b->cell, b->ncell + 8, &b->ccell, sizeof(Cell))) return 0;
  Cell* const parent = &b->cell[at];
  parent->child = b->ncell;
  for (int c = 0; c < 8; c++) {
    Cell* const child = &b->cell[b->ncell++];
    *child = (Cell){.depth = parent->depth + 1, .child = -1, .first = parent->first, .ncross = parent->ncross};
    for (int k = 0; k < 3; k++) child->place[k] = 2 * parent->place[k] + (c >> k & 1);
  }
  return 1;
}

// the deepest cell down to a depth that holds a place of that depth, -1: outside
static int cellAt(const Builder* b, int depth, const int place[3]) {
  for (int k = 0; k < 3; k++) {
    if (place[k] < 0 || place[k] >= 1 << depth) return -1;
  }
  int at = 0;
  for (int d = 1; d <= depth && b->cell[at].child >= 0; d++) {
    const int shift = depth - d;
    const int c = (place[0] >> shift & 1) | (place[1] >> shift & 1) << 1 | (place[2] >> shift & 1) << 2;
    at = b->cell[at].child + c;
  }
  return at;
}

// notes that a cell is to be divided at the end of the round
static int mark(Builder* b, int at) {
  if (b->cell[at].marked) return 1;
  if (!growArray(b->surface, (void**)&b->todo, b->ntodo + 1, &b->ctodo, sizeof(int))) return 0;
  b->cell[at].marked = 1;
  b->todo[b->ntodo++] = at;
  return 1;
}

// Marks a leaf that is too coarse for a neighbour, or a neighbour that is too coarse for the leaf. A leaf looks at the
// lowest of a finer neighbour's cells on the common face only; the others find the leaf when it is their turn. This
// fixes the order in which cells are divided, and so their numbers.
static int markAround(Builder* b, int leaf) {
  const int depth = b->cell[leaf].depth;
  for (int side = 0; side < 6; side++) {
    const int axis = side / 2, up = side % 2;
    int place[3] = {b->cell[leaf].place[0], b->cell[leaf].place[1], b->cell[leaf].place[2]};
    place[axis] += up ? 1 : -1;
    const int n = cellAt(b, depth, place);
    if (n < 0) continue;
    const int child = b->cell[n].child;
    const int coarse = child < 0 ? (b->cell[n].depth < depth - 1 ? n : -1)
                                 : (b->cell[child + (up ? 0 : 1 << axis)].child >= 0 ? leaf : -1);
    if (coarse >= 0 && !mark(b, coarse)) return 0;
  }
  return 1;
}

// In rounds, divides leaves until none is two or more levels above a neighbour across a face: first all that are too
// coarse are found, then they are divided.
static int balance(Builder* b) {
  for (;;) {
    b->ntodo = 0;
    for (int i = 0; i < b->ncell; i++) {
      if (b->cell[i].child < 0 && !markAround(b, i)) return 0;
    }
    if (!b->ntodo) return 1;
    for (int i = 0; i < b->ntodo; i++) {
      if (!divide(b, b->todo[i])) return 0;
    }
  }
}

static int makeCells(Builder* b) {
  const int nface = b->surface->face.n / 3;
  if (!growArray(b->surface, (void**)&b->list, nface, &b->clist, sizeof(int))) return 0;
  if (!growArray(b->surface, (void**)&b->cell, 1, &b->ccell, sizeof(Cell))) return 0;
  BAS_ASSERT(b->cell && (b->list || !nface));
  for (int i = 0; i < nface; i++) b->list[i] = i;
  b->nlist = nface;
  b->cell[0] = (Cell){.child = -1, .ncross = nface};
  b->ncell = 1;
  for (int i = 0; i < b->ncell; i++) {
    if (b->cell[i].depth == MAXDEPTH) continue;
    if (!findCrossing(b, &b->cell[i])) return 0;
    if (b->cell[i].ncross && !divide(b, i)) return 0;
  }
  return balance(b);
}

// -------------------------------------------------------------------------------------------- distances

// corner c of a cell on the finest grid
static void cornerPlace(const Cell* cell, int c, int place[3]) {
  const int step = GRID >> cell->depth;
  for (int k = 0; k < 3; k++) place[k] = (cell->place[k] + (c >> k & 1)) * step;
}

static int cornerIndex(const int place[3]) {
  return (place[2] * LINE + place[1]) * LINE + place[0];
}

// Mean over the corners of a coarser leaf's edge or face in whose middle the corner lies; 0: there is none.
static int hangingValue(const Builder* b, const int place[3], int depth, const double* value, double* mean) {
  for (int around = 0; around < 8; around++) {
    // the finest cell in this octant around the corner, and the leaf that holds it
    int fine[3];
    for (int k = 0; k < 3; k++) fine[k] = place[k] - (around >> k & 1);
    const int at = cellAt(b, MAXDEPTH, fine);
    if (at < 0 || b->cell[at].depth >= depth) continue;
    const Cell* const leaf = &b->cell[at];
    const int size = GRID >> leaf->depth;
    int low[3], middle[3], nmiddle = 0, between = 0;
    for (int k = 0; k < 3; k++) {
      low[k] = leaf->place[k] * size;
      middle[k] = 2 * (place[k] - low[k]) == size;
      nmiddle += middle[k];
      between += !middle[k] && place[k] != low[k] && place[k] != low[k] + size;
    }
    if (!nmiddle || between) continue;
    double sum = 0;
    for (int c = 0; c < 1 << nmiddle; c++) {
      int corner[3];
      for (int k = 0, bit = 0; k < 3; k++) {
        corner[k] = middle[k] ? low[k] + (c >> bit++ & 1) * size : place[k];
      }
      sum += value[cornerIndex(corner)];
    }
    *mean = sum / (1 << nmiddle);
    return 1;
  }
  return 0;
}

// breadth first, so that the corners of coarse cells are known before those that depend on them
static int fillCoefficients(Builder* b, const AstMesh* mesh, double* coeff) {
  AstDistance* const field = ast_makeDistance(b->surface, &mesh->bvh);
  double* const value = ast_alloc(b->surface, LINE * LINE * LINE, sizeof(double));
  unsigned char* const known = calloc(LINE * LINE * LINE, 1);
  const int good = field && value && known;
  for (int depth = 0; good && depth <= MAXDEPTH; depth++) {
    for (int i = 0; i < b->ncell; i++) {
      if (b->cell[i].depth != depth) continue;
      for (int c = 0; c < 8; c++) {
        int place[3];
        cornerPlace(&b->cell[i], c, place);
        const int at = cornerIndex(place);
        if (!known[at] && !hangingValue(b, place, depth, value, &value[at])) {
          double point[3];
          for (int k = 0; k < 3; k++) point[k] = b->low[k] + 2 * b->half[k] * place[k] / GRID;
          value[at] = ast_signedDistance(field, point);
        }
        known[at] = 1;
        coeff[8 * i + c] = value[at];
      }
    }
  }
  ast_freeDistance(field);
  free(value);
  free(known);
  return good;
}

int ast_makeOctree(AstSurface* s, AstMesh* mesh) {
  Builder b = {.surface = s};
  for (int k = 0; k < 3; k++) {
    b.half[k] = MARGIN * (mesh->aamm[3 + k] - mesh->aamm[k]) / 2;
    b.low[k] = (mesh->aamm[3 + k] + mesh->aamm[k]) / 2 - b.half[k];
  }
  int good = makeCells(&b);
  AstOctree* const oct = &mesh->octree;
  if (good) {
    oct->n = b.ncell;
    oct->depth = ast_alloc(s, b.ncell, sizeof(int));
    oct->child = ast_alloc(s, b.ncell, 8 * sizeof(int));
    oct->aabb = ast_alloc(s, b.ncell, 6 * sizeof(double));
    oct->coeff = ast_alloc(s, b.ncell, 8 * sizeof(double));
    good = oct->depth && oct->child && oct->aabb && oct->coeff;
  }
  for (int i = 0; good && i < b.ncell; i++) {
    oct->depth[i] = b.cell[i].depth;
    for (int c = 0; c < 8; c++) oct->child[8 * i + c] = b.cell[i].child < 0 ? -1 : b.cell[i].child + c;
    boxOf(&b, &b.cell[i], oct->aabb + 6 * (size_t)i, oct->aabb + 6 * (size_t)i + 3);
  }
  good = good && fillCoefficients(&b, mesh, oct->coeff);
  free(b.cell);
  free(b.list);
  free(b.todo);
  return good;
}
