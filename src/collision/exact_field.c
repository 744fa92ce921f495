// Height fields as surfaces: the triangles under a box, with the tree and the neighbours that exact meshes have. They
// are those of the reference's prisms. Beyond the border of the field there is nothing: its sides are open.
#include <math.h>
#include <stddef.h>

#include "base/stack.h"
#include "collision/exact.h"
#include "math/vec.h"

// a part of the grid: cells from row and column, how many, and the surface that is made of it
typedef struct {
  const float* data;
  int ncol, nrow;        // of the field
  int row, col, nr, nc;  // cells of the part
  float* vert;
  int *face, *other;
  mjtNum *plane, *aabb;
  mjtByte* feature;
  int *child, *nodeid, nnode;
} Patch;

// first cell at a coordinate, or the one behind the last, with one more around
static int cellAt(mjtNum coordinate, mjtNum half, int ncell, int end) {
  const mjtNum at = floor((coordinate + half) / (2 * half) * ncell);
  return (int)mth_clip(at + (end ? 2 : -1), 0, ncell);
}

static int vertexAt(const Patch* p, int r, int c) {
  return r * (p->nc + 1) + c;
}

// the two faces of a cell, as row and column of the part: (r, c) (r+1, c+1) (r+1, c) and (r, c) (r, c+1) (r+1, c+1)
static void makeCell(Patch* p, int r, int c) {
  const int f = 2 * (r * p->nc + c), up = 2 * p->nc, a = vertexAt(p, r, c), b = a + p->nc + 1;
  const int corner[6] = {a, b + 1, b, a, a + 1, b + 1};
  const int top = p->row + p->nr == p->nrow - 1 ? -2 : -1, bottom = p->row == 0 ? -2 : -1;
  const int right = p->col + p->nc == p->ncol - 1 ? -2 : -1, left = p->col == 0 ? -2 : -1;
  const int beyond[6] = {3 * (f + 1) + 2,
                         r + 1 < p->nr ? 3 * (f + up + 1) : top,
                         c > 0 ? 3 * (f - 1) + 1 : left,
                         r > 0 ? 3 * (f - up) + 1 : bottom,
                         c + 1 < p->nc ? 3 * (f + 2) + 2 : right,
                         3 * f};
  for (int k = 0; k < 6; k++) {
    p->face[3 * f + k] = corner[k];
    p->other[3 * f + k] = beyond[k];
  }
}

static mjtNum heightAt(const Patch* p, int r, int c) {
  return p->data[(p->row + r) * p->ncol + p->col + c];
}

// What is at a vertex of the part: a tip unless it lies in a hollow along one of the three lines of the grid; heights
// beyond the part count as those of a hollow.
static int vertexFeature(const Patch* p, int r, int c) {
  static const int line[3][2] = {
      {1, 0},
      {0, 1},
      {1, 1}
  };
  const int row = p->row + r, col = p->col + c;
  const int rim = row == 0 || col == 0 || row == p->nrow - 1 || col == p->ncol - 1;
  int flat = 1;
  for (int k = 0; k < 3; k++) {
    const int dr = line[k][0], dc = line[k][1];
    if (row - dr < 0 || row + dr >= p->nrow || col - dc < 0 || col + dc >= p->ncol) {
      flat = 0;
      continue;
    }
    const mjtNum sink = heightAt(p, r - dr, c - dc) + heightAt(p, r + dr, c + dc) - 2 * heightAt(p, r, c);
    if (sink > 1e-6) return rim ? COL_RIM : 0;
    if (sink < 0) flat = 0;
  }
  return (rim ? COL_RIM : 0) | (flat ? 0 : COL_TIP);
}

// tree over cells, the longer side halved; the number of its node
static int makeTree(Patch* p, int r, int c, int nr, int nc) {
  const int node = p->nnode++;
  int child[2];
  p->nodeid[node] = -1;
  if (nr == 1 && nc == 1) {
    for (int k = 0; k < 2; k++) {
      const int leaf = child[k] = p->nnode++, f = 2 * (r * p->nc + c) + k;
      mjtNum low[3], high[3];
      for (int i = 0; i < 9; i++) {
        const mjtNum x = p->vert[3 * p->face[3 * f + i / 3] + i % 3];
        low[i % 3] = i < 3 ? x : mth_min(low[i % 3], x);
        high[i % 3] = i < 3 ? x : mth_max(high[i % 3], x);
      }
      for (int i = 0; i < 3; i++) {
        p->aabb[6 * leaf + i] = (low[i] + high[i]) / 2;
        p->aabb[6 * leaf + 3 + i] = (high[i] - low[i]) / 2;
      }
      p->nodeid[leaf] = f;
      p->child[2 * leaf] = p->child[2 * leaf + 1] = -1;
    }
  } else if (nr >= nc) {
    child[0] = makeTree(p, r, c, nr / 2, nc);
    child[1] = makeTree(p, r + nr / 2, c, nr - nr / 2, nc);
  } else {
    child[0] = makeTree(p, r, c, nr, nc / 2);
    child[1] = makeTree(p, r, c + nc / 2, nr, nc - nc / 2);
  }
  const mjtNum *a = p->aabb + 6 * child[0], *b = p->aabb + 6 * child[1];
  for (int i = 0; i < 3; i++) {
    const mjtNum low = mth_min(a[i] - a[3 + i], b[i] - b[3 + i]), high = mth_max(a[i] + a[3 + i], b[i] + b[3 + i]);
    p->aabb[6 * node + i] = (low + high) / 2;
    p->aabb[6 * node + 3 + i] = (high - low) / 2;
  }
  p->child[2 * node] = child[0];
  p->child[2 * node + 1] = child[1];
  return node;
}

int col_openField(const mjModel* m, mjData* d, int geom, const mjtNum box[6], ColExact* x) {
  const int id = m->geom_dataid[geom];
  const mjtNum* size = m->hfield_size + 4 * id;
  Patch p = {.data = m->hfield_data + m->hfield_adr[id], .ncol = m->hfield_ncol[id], .nrow = m->hfield_nrow[id]};
  if (!(box[0] <= size[0] && box[3] >= -size[0] && box[1] <= size[1] && box[4] >= -size[1])) return 0;
  if (!(box[2] <= size[2] && box[5] >= -size[3])) return 0;
  p.col = cellAt(box[0], size[0], p.ncol - 1, 0);
  p.row = cellAt(box[1], size[1], p.nrow - 1, 0);
  p.nc = cellAt(box[3], size[0], p.ncol - 1, 1) - p.col;
  p.nr = cellAt(box[4], size[1], p.nrow - 1, 1) - p.row;
  const size_t nvert = (size_t)(p.nr + 1) * (size_t)(p.nc + 1), nface = 2 * (size_t)p.nr * (size_t)p.nc;
  p.vert = mj_stackAllocByte(d, 3 * sizeof(float) * nvert, sizeof(float));
  p.face = mj_stackAllocInt(d, 3 * nface);
  p.other = mj_stackAllocInt(d, 3 * nface);
  p.plane = mj_stackAllocNum(d, 4 * nface);
  p.feature = mj_stackAllocByte(d, 3 * nface, 1);
  p.aabb = mj_stackAllocNum(d, 12 * nface);
  p.child = mj_stackAllocInt(d, 4 * nface);
  p.nodeid = mj_stackAllocInt(d, 2 * nface);
  for (int i = 0; i < (int)nvert; i++) {
    const int r = i / (p.nc + 1), c = i % (p.nc + 1);
    p.vert[3 * i] = (float)(2 * size[0] * (p.col + c) / (p.ncol - 1) - size[0]);
    p.vert[3 * i + 1] = (float)(2 * size[1] * (p.row + r) / (p.nrow - 1) - size[1]);
    p.vert[3 * i + 2] = (float)(heightAt(&p, r, c) * size[2]);
  }
  for (int i = 0; i < p.nr * p.nc; i++) makeCell(&p, i / p.nc, i % p.nc);
  *x = (ColExact){.m = m,
                  .nface = (int)nface,
                  .nvert = (int)nvert,
                  .vert = p.vert,
                  .face = p.face,
                  .other = p.other,
                  .plane = p.plane,
                  .feature = p.feature,
                  .aabb = p.aabb,
                  .child = p.child,
                  .nodeid = p.nodeid,
                  .pos = d->geom_xpos + 3 * geom,
                  .mat = d->geom_xmat + 9 * geom,
                  .reach = m->geom_rbound[geom]};
  for (int f = 0; f < x->nface; f++) col_facePlane(p.plane + 4 * f, x, f);
  for (int i = 0; i < 3 * x->nface; i++) {
    const int v = p.face[i];
    p.feature[i] = (mjtByte)((col_isSharp(x, i) ? COL_EDGE : 0) | vertexFeature(&p, v / (p.nc + 1), v % (p.nc + 1)));
  }
  makeTree(&p, 0, 0, p.nr, p.nc);
  return 1;
}
