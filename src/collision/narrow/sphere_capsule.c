// Sphere and capsule: the sphere against the sphere around the nearest point of the capsule's segment.
#include "collision/narrow.h"
#include "math/vec.h"

int col_rawSphereCapsule(mjContact* con, mjtNum margin, const ColShape* sphere, const ColShape* capsule) {
  const mjtNum half = capsule->size[1];
  mjtNum axis[3], fromCentre[3], nearest[3];
  mth_col3(axis, capsule->mat, 2);

  // nearest point of the segment
  mth_sub3(fromCentre, sphere->pos, capsule->pos);
  mth_addScl3(nearest, capsule->pos, axis, mth_clip(mth_dot3(axis, fromCentre), -half, half));

  const ColShape ball = {nearest, capsule->mat, capsule->size};
  return col_rawSphereSphere(con, margin, sphere, &ball);
}

int col_sphereCapsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape sphere = col_geomShape(m, d, g1);
  const ColShape capsule = col_geomShape(m, d, g2);
  return col_rawSphereCapsule(con, margin, &sphere, &capsule);
}
