// A plane and an ellipsoid or a mesh on the CPU.
#include "collision/plane_convex_body.h"

int col_planeConvex(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape plane = col_geomShape(m, d, g1);
  ColConvex s;
  col_convexGeom(&s, m, d, g2, 0);
  return planeContacts(con, &plane, &s, m->geom_dataid[g2], m->geom_rbound[g2], margin);
}
