// Two spheres: one contact on the line of centres. The other round pairs end here with the nearest points of their
// skeletons as centres.
#include "collision/narrow.h"
#include "math/vec.h"

int col_rawSphereSphere(mjContact* con, mjtNum margin, const ColShape* a, const ColShape* b) {
  const mjtNum radius1 = a->size[0], radius2 = b->size[0];
  mjtNum normal[3];
  mth_sub3(normal, b->pos, a->pos);
  const mjtNum distSqr = mth_dot3(normal, normal);
  const mjtNum reach = margin + radius1 + radius2;
  if (distSqr > reach * reach) return 0;

  const mjtNum length = mth_normalize3(normal);
  con->dist = length - radius1 - radius2;

  // coincident centres: any normal will do, take one across both z axes
  if (length < mjMINVAL) {
    mjtNum axis1[3], axis2[3];
    mth_col3(axis1, a->mat, 2);
    mth_col3(axis2, b->mat, 2);
    mth_cross3(normal, axis1, axis2);
    mth_normalize3(normal);
  }

  // halfway between the two surfaces
  mth_addScl3(con->pos, a->pos, normal, radius1 + con->dist / 2);
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);
  return 1;
}

int col_sphereSphere(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape a = col_geomShape(m, d, g1);
  const ColShape b = col_geomShape(m, d, g2);
  return col_rawSphereSphere(con, margin, &a, &b);
}
