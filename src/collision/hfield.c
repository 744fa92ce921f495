// Contacts of a height field with a convex shape.
//
// The field is a stack of triangular prisms, two per grid cell, from its base to the surface. The shape is looked at in
// the frame of the field; every prism below its bounding box that reaches up to it is a convex pair of its own and
// gives one contact.
#include <math.h>
#include <stddef.h>

#include "collision/convex.h"
#include "collision/hfield_body.h"
#include "collision/narrow.h"
#include "math/vec.h"

static Field fieldOf(const mjModel* m, const mjData* d, int g) {
  const int id = m->geom_dataid[g];
  return (Field){.pos = d->geom_xpos + 3 * g,
                 .mat = d->geom_xmat + 9 * g,
                 .size = m->hfield_size + 4 * id,
                 .data = m->hfield_data + m->hfield_adr[id],
                 .nrow = m->hfield_nrow[id],
                 .ncol = m->hfield_ncol[id]};
}

//---------------------------------- prisms --------------------------------------------------------

static void setContact(mjContact* con, const Field* f, const ColOverlap* o) {
  con->dist = -o->depth;
  mth_mulMatVec3(con->frame, f->mat, o->normal);
  mth_zero3(con->frame + 3);
  mth_mulMatVec3(con->pos, f->mat, o->pos);
  mth_addTo3(con->pos, f->pos);
}

// contacts of the prisms under the box b of a shape; the surface is raised by the margin
static int collidePrisms(const mjModel* m, mjData* d, mjContact* con, const Field* f, const Bounds* b, ColConvex* s) {
  const mjtNum margin = s->margin;
  const Cells cell = cellsUnder(f, b);

  ColConvex prism;
  col_convexPrism(&prism, m);
  int ncon = 0;
  for (int r = cell.rmin; r < cell.rmax; r++) {
    // a strip of triangles between two rows; two columns start it
    for (int i = 0; i < 3; i++) mth_zero3(prism.prism[2 * i]), mth_zero3(prism.prism[2 * i + 1]);
    addColumn(&prism, f, r, 2 * cell.cmin, margin);
    addColumn(&prism, f, r, 2 * cell.cmin + 1, margin);
    for (int i = 2 * (cell.cmin + 1); i < 2 * (cell.cmax + 1); i++) {
      addColumn(&prism, f, r, i, margin);
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
