// Plane and cylinder: up to four contacts. The rim point nearest to the plane on the near cap, the one on the far cap
// (a cylinder lying on its side), and two more on the near cap that complete an equilateral triangle (a cylinder
// standing on it).
#include "collision/narrow.h"
#include "math/vec.h"

// contact at height `dist` over the plane whose point on the cylinder is `pos`
static void setContact(mjContact* con, mjtNum dist, const mjtNum pos[3], const mjtNum normal[3]) {
  con->dist = dist;
  mth_addScl3(con->pos, pos, normal, -dist * 0.5);
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);
}

// vector of length `radius` across the axis that points most steeply towards the plane
static void steepestRadius(mjtNum res[3], const mjtNum normal[3], const mjtNum axis[3], const ColShape* cylinder) {
  const mjtNum radius = cylinder->size[0];
  mth_scl3(res, axis, mth_dot3(normal, axis));
  mth_subFrom3(res, normal);
  const mjtNum lengthSqr = mth_dot3(res, res);

  if (lengthSqr >= mjMINVAL * mjMINVAL) {
    mth_scl3(res, res, radius / sqrt(lengthSqr));
  } else {
    // caps parallel to the plane: every direction is as steep, take the cylinder's x axis
    mth_col3(res, cylinder->mat, 0);
    mth_scl3(res, res, radius);
  }
}

int col_planeCylinder(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape plane = col_geomShape(m, d, g1);
  const ColShape cylinder = col_geomShape(m, d, g2);
  const mjtNum radius = cylinder.size[0], half = cylinder.size[1];
  mjtNum normal[3], axis[3], down[3], toCentre[3], point[3];
  mth_col3(normal, plane.mat, 2);

  // the half of the axis that points towards the plane
  mth_col3(axis, cylinder.mat, 2);
  if (mth_dot3(normal, axis) > 0) mth_neg3(axis, axis);

  // heights over the plane: centre, half-axis, steepest radius
  mth_sub3(toCentre, cylinder.pos, plane.pos);
  const mjtNum centreHeight = mth_dot3(toCentre, normal);
  steepestRadius(down, normal, axis, &cylinder);
  const mjtNum downHeight = mth_dot3(down, normal);
  const mjtNum axisHeight = mth_dot3(normal, axis) * half;
  mth_scl3(axis, axis, half);

  // lowest point of all
  if (centreHeight + axisHeight + downHeight > margin) return 0;
  mth_add3(point, cylinder.pos, down);
  mth_addTo3(point, axis);
  setContact(con, centreHeight + axisHeight + downHeight, point, normal);
  int n = 1;

  // its counterpart on the far cap
  if (centreHeight - axisHeight + downHeight <= margin) {
    mth_add3(point, cylinder.pos, down);
    mth_subFrom3(point, axis);
    setContact(con + n++, centreHeight - axisHeight + downHeight, point, normal);
  }

  // the other two corners of the triangle on the near cap
  const mjtNum cornerHeight = centreHeight + axisHeight - downHeight * 0.5;
  if (cornerHeight <= margin) {
    mjtNum across[3];
    mth_cross3(across, down, axis);
    mth_normalize3(across);
    mth_scl3(across, across, radius * sqrt(3.0) / 2);
    for (int side = 1; side >= -1; side -= 2) {
      mth_addScl3(point, cylinder.pos, across, side);
      mth_addTo3(point, axis);
      mth_addToScl3(point, down, -0.5);
      setContact(con + n++, cornerHeight, point, normal);
    }
  }
  return n;
}
