// Plane and ellipsoid: one contact at the point of the ellipsoid that is deepest along the normal.
// One that was fitted to a mesh can have more (plane_convex.c).
// With S = diag(size) the support point in direction v is S·(S·v)/|S·v| in the ellipsoid's frame.
#include "collision/narrow.h"
#include "math/vec.h"

int col_planeEllipsoid(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  if (m->geom_dataid[g2] >= 0) return col_planeConvex(m, d, con, g1, g2, margin);
  const ColShape plane = col_geomShape(m, d, g1);
  const ColShape body = col_geomShape(m, d, g2);
  mjtNum normal[3], down[3], local[3], deepest[3], toDeepest[3];
  mth_col3(normal, plane.mat, 2);

  // support point against the normal
  mth_neg3(down, normal);
  mth_mulMatTVec3(local, body.mat, down);
  for (int i = 0; i < 3; i++) local[i] *= body.size[i];
  mth_normalize3(local);
  for (int i = 0; i < 3; i++) local[i] *= body.size[i];
  mth_mulMatVec3(deepest, body.mat, local);
  mth_addTo3(deepest, body.pos);

  // its height above the plane
  mth_sub3(toDeepest, deepest, plane.pos);
  const mjtNum height = mth_dot3(normal, toDeepest);
  if (height > margin) return 0;

  con->dist = height;
  mth_addScl3(con->pos, deepest, normal, -0.5 * height);
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);
  return 1;
}
