// Plane and capsule: the two end spheres against the plane. The first tangent follows the capsule, so that its two
// contacts share one friction frame.
#include "collision/narrow.h"
#include "math/vec.h"

int col_planeCapsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape plane = col_geomShape(m, d, g1);
  ColShape end = col_geomShape(m, d, g2);
  const mjtNum* centre = end.pos;
  const mjtNum half = end.size[1];
  mjtNum axis[3], pos[3];
  mth_col3(axis, end.mat, 2);
  end.pos = pos;

  // the upper end of the axis, then the lower one
  int n = 0;
  for (int side = 1; side >= -1; side -= 2) {
    mth_addScl3(pos, centre, axis, side * half);
    if (col_rawPlaneSphere(con + n, margin, &plane, &end)) {
      mth_copy3(con[n++].frame + 3, axis);
    }
  }
  return n;
}
