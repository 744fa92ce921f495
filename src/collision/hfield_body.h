// A height field as prisms: two per cell of its grid, and which of them are under a box.
#pragma once

#include "collision/support.h"
#include "math/vec.h"

typedef struct {
  const mjtNum* pos;  // frame of the geom
  const mjtNum* mat;
  const mjtNum* size;  // x, y, height, base
  const float* data;
  int nrow;
  int ncol;
} Field;

// bounding box in the frame of the field
typedef struct {
  mjtNum min[3];
  mjtNum max[3];
} Bounds;

COL_FN void toField(mjtNum res[3], const Field* f, const mjtNum point[3]) {
  mth_sub3(res, point, f->pos);
  mth_mulMatTVec3(res, f->mat, res);
}

// the box is out of reach of the field's own
COL_FN int isApart(const Field* f, const Bounds* b, mjtNum margin) {
  const mjtNum* size = f->size;
  return b->min[0] - margin > size[0] || b->max[0] + margin < -size[0] || b->min[1] - margin > size[1] ||
         b->max[1] + margin < -size[1] || b->min[2] - margin > size[2] || b->max[2] + margin < -size[3];
}

// grid line at a coordinate, limited to the grid
COL_FN int gridLine(mjtNum line, int nline) {
  if (!(line > 0)) return 0;
  return line < nline - 1 ? (int)line : nline - 1;
}

// the strip above row r moves on: the oldest of the three columns is dropped, number i is added, at the grid points of
// the upper and the lower row in turn
COL_FN void addColumn(ColConvex* prism, const Field* f, int row, int i, mjtNum margin) {
  const int r = i % 2 ? row : row + 1, c = i / 2;
  mjtNum(*bottom)[3] = prism->prism;
  mjtNum(*top)[3] = prism->prism + 3;
  for (int k = 0; k < 2; k++) {
    mth_copy3(bottom[k], bottom[k + 1]);
    mth_copy3(top[k], top[k + 1]);
  }
  const mjtNum dx = 2.0 * f->size[0] / (f->ncol - 1);
  const mjtNum dy = 2.0 * f->size[1] / (f->nrow - 1);
  const mjtNum x = dx * c - f->size[0];
  const mjtNum y = dy * r - f->size[1];
  mth_set3(bottom[2], x, y, -f->size[3]);
  mth_set3(top[2], x, y, f->data[r * f->ncol + c] * f->size[2] + margin);
}

COL_FN int isBelow(const ColConvex* prism, mjtNum z) {
  return prism->prism[3][2] < z && prism->prism[4][2] < z && prism->prism[5][2] < z;
}

// rows and columns of cells
typedef struct {
  int rmin, rmax, cmin, cmax;
} Cells;

COL_FN Cells cellsUnder(const Field* f, const Bounds* b) {
  const mjtNum* size = f->size;
  Cells cell;
  cell.cmin = gridLine(floor((b->min[0] + size[0]) / (2 * size[0]) * (f->ncol - 1)), f->ncol);
  cell.cmax = gridLine(ceil((b->max[0] + size[0]) / (2 * size[0]) * (f->ncol - 1)), f->ncol);
  cell.rmin = gridLine(floor((b->min[1] + size[1]) / (2 * size[1]) * (f->nrow - 1)), f->nrow);
  cell.rmax = gridLine(ceil((b->max[1] + size[1]) / (2 * size[1]) * (f->nrow - 1)), f->nrow);
  return cell;
}

// the field's box and the bounding sphere of a geom at pos in its frame do not meet
COL_FN int sphereApart(const Field* f, const mjtNum pos[3], mjtNum radius) {
  const mjtNum* size = f->size;
  return size[0] < pos[0] - radius || -size[0] > pos[0] + radius || size[1] < pos[1] - radius ||
         -size[1] > pos[1] + radius || size[2] < pos[2] - radius || -size[3] > pos[2] + radius;
}

COL_FN Bounds boundsOf(ColConvex* s) {
  Bounds b = {{0}, {0}};
  for (int i = 0; i < 3; i++) {
    mjtNum point[3], dir[3] = {0, 0, 0};
    dir[i] = 1;
    COL_SUPPORT(point, s, dir);
    b.max[i] = point[i];
    dir[i] = -1;
    COL_SUPPORT(point, s, dir);
    b.min[i] = point[i];
  }
  return b;
}
