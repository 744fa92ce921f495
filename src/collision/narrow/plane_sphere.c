// Plane and sphere: one contact under the centre, along the plane's normal.
// dist = n·(c - p) - r; the position is halfway between the plane and the lowest point of the sphere.
#include "collision/narrow.h"
#include "math/vec.h"

int col_rawPlaneSphere(mjContact* con, mjtNum margin, const ColShape* plane, const ColShape* sphere) {
  const mjtNum radius = sphere->size[0];
  mjtNum normal[3], toCentre[3];
  mth_col3(normal, plane->mat, 2);

  // height of the centre above the plane
  mth_sub3(toCentre, sphere->pos, plane->pos);
  const mjtNum height = mth_dot3(toCentre, normal);
  if (height > margin + radius) return 0;

  con->dist = height - radius;
  mth_addScl3(con->pos, sphere->pos, normal, -con->dist / 2 - radius);
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);
  return 1;
}

int col_planeSphere(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape plane = col_geomShape(m, d, g1);
  const ColShape sphere = col_geomShape(m, d, g2);
  return col_rawPlaneSphere(con, margin, &plane, &sphere);
}
