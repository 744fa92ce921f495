// Rays and height fields: the base box, the triangles of the surface, and the side walls between them.
#include <math.h>
#include <stddef.h>

#include "collision/ray.h"
#include "math/vec.h"

typedef struct {
  const mjtNum* size;  // x, y, height, base
  const float* data;
  int nrow;
  int ncol;
  mjtNum dx;  // size of a cell
  mjtNum dy;
} Field;

// the best hit so far, normal in the frame of the field
typedef struct {
  mjtNum x;
  mjtNum normal[3];
} Hit;

// box whose centre is z above the origin of the field
static mjtNum rayBoxAt(const mjtNum pos[3], const mjtNum mat[9], const ColRay* world, const mjtNum size[3],
                       mjtNum all[6], mjtNum normal[3]) {
  const ColRay r = col_rayLocal(pos, mat, world->pnt, world->vec);
  return col_rayBox(&r, size, all, normal);
}

static void gridPoint(mjtNum res[3], const Field* f, int r, int c) {
  mth_set3(res, f->dx * c - f->size[0], f->dy * r - f->size[1], f->data[r * f->ncol + c] * f->size[2]);
}

// grid line below a coordinate, limited to the grid
static int gridLine(mjtNum line, int nline) {
  if (!(line > 0)) return 0;
  return line < nline - 1 ? (int)line : nline - 1;
}

// range of cells under a segment of the ray, one more on each side
static void cellRange(int range[2], mjtNum s0, mjtNum s1, int nline) {
  range[0] = gridLine(floor(mth_min(s0, s1)) - 1, nline);
  range[1] = gridLine(ceil(mth_max(s0, s1)) + 1, nline);
}

// triangles of the surface between the two places where the ray crosses the top box
static void raySurface(Hit* hit, const Field* f, const ColRay* ray, const mjtNum seg[2]) {
  const ColRayPlane plane = col_rayPlane(ray);
  mjtNum sx[2], sy[2];
  for (int i = 0; i < 2; i++) {
    sx[i] = (ray->pnt[0] + seg[i] * ray->vec[0] + f->size[0]) / f->dx;
    sy[i] = (ray->pnt[1] + seg[i] * ray->vec[1] + f->size[1]) / f->dy;
  }
  int col[2], row[2];
  cellRange(col, sx[0], sx[1], f->ncol);
  cellRange(row, sy[0], sy[1], f->nrow);

  for (int r = row[0]; r < row[1]; r++) {
    for (int c = col[0]; c < col[1]; c++) {
      // two triangles on either side of the diagonal
      mjtNum corner[4][3], tri[2][3][3];
      for (int i = 0; i < 4; i++) gridPoint(corner[i], f, r + i / 2, c + i % 2);
      static const int vert[2][3] = {
          {0, 1, 3},
          {0, 3, 2}
      };
      for (int i = 0; i < 2; i++) {
        mjtNum n[3];
        for (int j = 0; j < 3; j++) mth_copy3(tri[i][j], corner[vert[i][j]]);
        const mjtNum s = col_rayTriangle((const mjtNum(*)[3])tri[i], &plane, n);
        if (s >= 0 && (hit->x < 0 || s < hit->x)) {
          hit->x = s;
          mth_copy3(hit->normal, n);
        }
      }
    }
  }
}

// a wall of the top box is solid below the line between two grid points
static int hitsWall(const Field* f, const ColRay* ray, int side, mjtNum x) {
  const int along = side < 2 ? 1 : 0;
  const int n = along ? f->nrow : f->ncol;
  const int stride = along ? f->ncol : 1;
  const int start = side == 1 ? f->ncol - 1 : side == 3 ? (f->nrow - 1) * f->ncol : 0;
  const mjtNum z = (ray->pnt[2] + x * ray->vec[2]) / f->size[2];
  const mjtNum y = (ray->pnt[along] + x * ray->vec[along] + f->size[along]) / (along ? f->dy : f->dx);
  const int cell = gridLine(floor(y), n - 1);
  const mjtNum z0 = f->data[start + cell * stride];
  const mjtNum z1 = f->data[start + (cell + 1) * stride];
  return z < z0 * (cell + 1 - y) + z1 * (y - cell);
}

// normal of the best hit in the world
static mjtNum finish(const Hit* hit, mjtNum normal[3], const mjtNum mat[9]) {
  if (normal && hit->x >= 0) mth_mulMatVec3(normal, mat, hit->normal);
  return hit->x;
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3],
                    mjtNum normal[3]) {
  if (normal) mth_zero3(normal);
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("mj_rayHfield: geom with hfield type expected");
    return -1;
  }
  const int id = m->geom_dataid[geomid];
  const mjtNum *pos = d->geom_xpos + 3 * geomid, *mat = d->geom_xmat + 9 * geomid;
  Field f = {.size = m->hfield_size + 4 * id, .data = m->hfield_data + m->hfield_adr[id]};
  f.nrow = m->hfield_nrow[id];
  f.ncol = m->hfield_ncol[id];
  f.dx = 2.0 * f.size[0] / (f.ncol - 1);
  f.dy = 2.0 * f.size[1] / (f.nrow - 1);

  // boxes below and above the origin of the field
  const ColRay world = {
      {pnt[0], pnt[1], pnt[2]},
      {vec[0], vec[1], vec[2]}
  };
  const mjtNum base[3] = {f.size[0], f.size[1], f.size[3] * 0.5}, top[3] = {f.size[0], f.size[1], f.size[2] * 0.5};
  mjtNum basepos[3], toppos[3], all[6];
  for (int i = 0; i < 3; i++) {
    basepos[i] = pos[i] - mat[3 * i + 2] * f.size[3] * 0.5;
    toppos[i] = pos[i] + mat[3 * i + 2] * f.size[2] * 0.5;
  }
  Hit hit;
  hit.x = rayBoxAt(basepos, mat, &world, base, NULL, hit.normal);
  const mjtNum enter = rayBoxAt(toppos, mat, &world, top, all, NULL);
  if (enter < 0) return finish(&hit, normal, mat);

  // part of the ray inside the top box
  mjtNum seg[2] = {0, enter};
  for (int i = 0; i < 6; i++) {
    if (all[i] > seg[1]) {
      seg[0] = enter;
      seg[1] = all[i];
    }
  }
  const ColRay ray = col_rayLocal(pos, mat, pnt, vec);
  raySurface(&hit, &f, &ray, seg);

  for (int i = 0; i < 4; i++) {
    if (all[i] >= 0 && (hit.x < 0 || all[i] < hit.x) && hitsWall(&f, &ray, i, all[i])) {
      hit.x = all[i];
      mth_zero3(hit.normal);
      hit.normal[i / 2] = i % 2 ? 1 : -1;
    }
  }
  return finish(&hit, normal, mat);
}
