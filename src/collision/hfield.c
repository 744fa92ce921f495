// Contacts of a height field with a convex shape.
//
// The field is a stack of triangular prisms, two per grid cell, from its base to the surface. The shape is looked at in
// the frame of the field; every prism below its bounding box that reaches up to it is a convex pair of its own and
// gives one contact.
#include <math.h>
#include <stddef.h>

#include "collision/convex.h"
#include "collision/narrow.h"
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

static Field fieldOf(const mjModel* m, const mjData* d, int g) {
  const int id = m->geom_dataid[g];
  return (Field){.pos = d->geom_xpos + 3 * g,
                 .mat = d->geom_xmat + 9 * g,
                 .size = m->hfield_size + 4 * id,
                 .data = m->hfield_data + m->hfield_adr[id],
                 .nrow = m->hfield_nrow[id],
                 .ncol = m->hfield_ncol[id]};
}

static void toField(mjtNum res[3], const Field* f, const mjtNum point[3]) {
  mth_sub3(res, point, f->pos);
  mth_mulMatTVec3(res, f->mat, res);
}

// the box is out of reach of the field's own
static int isApart(const Field* f, const Bounds* b, mjtNum margin) {
  const mjtNum* size = f->size;
  return b->min[0] - margin > size[0] || b->max[0] + margin < -size[0] || b->min[1] - margin > size[1] ||
         b->max[1] + margin < -size[1] || b->min[2] - margin > size[2] || b->max[2] + margin < -size[3];
}

//---------------------------------- prisms --------------------------------------------------------

// grid line at a coordinate, limited to the grid
static int gridLine(mjtNum line, int nline) {
  if (!(line > 0)) return 0;
  return line < nline - 1 ? (int)line : nline - 1;
}

// the strip moves on: the oldest of the three columns is dropped, a new one is added at a grid point
static void addColumn(ColConvex* prism, const Field* f, int r, int c, mjtNum margin) {
  mjtNum(*bottom)[3] = prism->prism;
  mjtNum(*top)[3] = prism->prism + 3;
  for (int i = 0; i < 2; i++) {
    mth_copy3(bottom[i], bottom[i + 1]);
    mth_copy3(top[i], top[i + 1]);
  }
  const mjtNum dx = 2.0 * f->size[0] / (f->ncol - 1);
  const mjtNum dy = 2.0 * f->size[1] / (f->nrow - 1);
  const mjtNum x = dx * c - f->size[0];
  const mjtNum y = dy * r - f->size[1];
  mth_set3(bottom[2], x, y, -f->size[3]);
  mth_set3(top[2], x, y, f->data[r * f->ncol + c] * f->size[2] + margin);
}

static int isBelow(const ColConvex* prism, mjtNum z) {
  return prism->prism[3][2] < z && prism->prism[4][2] < z && prism->prism[5][2] < z;
}

static void setContact(mjContact* con, const Field* f, const ColOverlap* o) {
  con->dist = -o->depth;
  mth_mulMatVec3(con->frame, f->mat, o->normal);
  mth_zero3(con->frame + 3);
  mth_mulMatVec3(con->pos, f->mat, o->pos);
  mth_addTo3(con->pos, f->pos);
}

// contacts of the prisms under the box b of a shape; the surface is raised by the margin
static int collidePrisms(const mjModel* m, mjData* d, mjContact* con, const Field* f, const Bounds* b, ColConvex* s) {
  const mjtNum* size = f->size;
  const mjtNum margin = s->margin;
  const int cmin = gridLine(floor((b->min[0] + size[0]) / (2 * size[0]) * (f->ncol - 1)), f->ncol);
  const int cmax = gridLine(ceil((b->max[0] + size[0]) / (2 * size[0]) * (f->ncol - 1)), f->ncol);
  const int rmin = gridLine(floor((b->min[1] + size[1]) / (2 * size[1]) * (f->nrow - 1)), f->nrow);
  const int rmax = gridLine(ceil((b->max[1] + size[1]) / (2 * size[1]) * (f->nrow - 1)), f->nrow);

  ColConvex prism;
  col_convexPrism(&prism, m);
  int ncon = 0;
  for (int r = rmin; r < rmax; r++) {
    // a strip of triangles between two rows; two columns start it
    for (int i = 0; i < 3; i++) mth_zero3(prism.prism[2 * i]), mth_zero3(prism.prism[2 * i + 1]);
    addColumn(&prism, f, r + 1, cmin, margin);
    addColumn(&prism, f, r, cmin, margin);
    for (int i = 2 * (cmin + 1); i < 2 * (cmax + 1); i++) {
      addColumn(&prism, f, i % 2 ? r : r + 1, i / 2, margin);
      if (isBelow(&prism, b->min[2])) continue;

      ColOverlap o;
      if (!col_overlap(m, d, &o, &prism, s)) continue;
      setContact(con + ncon++, f, &o);
      if (ncon == mjMAXCONPAIR) return ncon;
    }
  }
  return ncon;
}

//---------------------------------- pairs ---------------------------------------------------------

// the field's box and the bounding sphere of a geom at pos in its frame do not meet
static int sphereApart(const Field* f, const mjtNum pos[3], mjtNum radius) {
  const mjtNum* size = f->size;
  return size[0] < pos[0] - radius || -size[0] > pos[0] + radius || size[1] < pos[1] - radius ||
         -size[1] > pos[1] + radius || size[2] < pos[2] - radius || -size[3] > pos[2] + radius;
}

static Bounds boundsOf(ColConvex* s) {
  Bounds b = {{0}, {0}};
  for (int i = 0; i < 3; i++) {
    mjtNum point[3], dir[3] = {0, 0, 0};
    dir[i] = 1;
    s->support(point, s, dir);
    b.max[i] = point[i];
    dir[i] = -1;
    s->support(point, s, dir);
    b.min[i] = point[i];
  }
  return b;
}

int col_convexHfield(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const Field f = fieldOf(m, d, g1);
  mjtNum pos[3], mat[9];
  toField(pos, &f, d->geom_xpos + 3 * g2);
  if (sphereApart(&f, pos, m->geom_rbound[g2] + margin)) return 0;

  // the geom in the frame of the field
  ColConvex s;
  col_convexGeom(&s, m, d, g2, margin);
  mth_mulMatTMat3(mat, f.mat, s.mat);
  s.pos = pos;
  s.mat = mat;
  const Bounds b = boundsOf(&s);
  if (isApart(&f, &b, margin)) return 0;
  const int ncon = collidePrisms(m, (mjData*)d, con, &f, &b, &s);

  // libccd's normals
  if (m->opt.disableflags & mjDSBL_NATIVECCD) {
    s.pos = d->geom_xpos + 3 * g2;
    s.mat = d->geom_xmat + 9 * g2;
    for (int i = 0; i < ncon; i++) col_fixNormal(con + i, NULL, &s);
  }
  return ncon;
}

int col_hfieldElem(const mjModel* m, const mjData* d, mjContact* con, const ColObject* field, const ColObject* elem,
                   mjtNum margin) {
  const Field f = fieldOf(m, d, field->geom);
  ColConvex s;
  col_convexObject(&s, m, d, elem, margin);

  // the element in the frame of the field
  mjtNum corner[4][3], center[3];
  toField(center, &f, s.center);
  s.center = center;
  Bounds b = {{0}, {0}};
  for (int i = 0; i < s.npoint; i++) {
    toField(corner[i], &f, s.point[i]);
    s.point[i] = corner[i];
    for (int j = 0; j < 3; j++) {
      b.min[j] = i ? mth_min(b.min[j], corner[i][j]) : corner[i][j];
      b.max[j] = i ? mth_max(b.max[j], corner[i][j]) : corner[i][j];
    }
  }
  if (isApart(&f, &b, margin)) return 0;
  return collidePrisms(m, (mjData*)d, con, &f, &b, &s);
}
