// Sphere and cylinder: the feature nearest to the sphere's centre decides. Side: a sphere around the axis point; cap:
// a plane; rim: a point.
#include "collision/narrow.h"
#include "math/vec.h"

// against the cap on the side of `height`, which is a plane that faces the sphere
static int collideCap(mjContact* con, mjtNum margin, const ColShape* sphere, const ColShape* cylinder, int side) {
  mjtNum pos[3], axis[3];
  mth_col3(axis, cylinder->mat, 2);
  mth_addScl3(pos, cylinder->pos, axis, side * cylinder->size[1]);

  // only the third column, the cap's outward normal, is read
  const mjtNum mat[9] = {0, 0, side * axis[0], 0, 0, side * axis[1], 0, 0, side * axis[2]};
  const ColShape cap = {pos, mat, cylinder->size};
  const int n = col_rawPlaneSphere(con, margin, &cap, sphere);

  // the normal points from the sphere to the cylinder
  if (n) mth_neg3(con->frame, con->frame);
  return n;
}

int col_sphereCylinder(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape sphere = col_geomShape(m, d, g1);
  const ColShape cylinder = col_geomShape(m, d, g2);
  const mjtNum radius = cylinder.size[0], half = cylinder.size[1];
  mjtNum axis[3], fromCentre[3], along[3], across[3];
  mth_col3(axis, cylinder.mat, 2);

  // split the centre's position into a part along the axis and one across
  mth_sub3(fromCentre, sphere.pos, cylinder.pos);
  const mjtNum x = mth_dot3(axis, fromCentre);
  mth_scl3(along, axis, x);
  mth_sub3(across, fromCentre, along);
  const mjtNum acrossSqr = mth_dot3(across, across);

  // which features face the centre; when it is inside, the nearer surface wins
  int onSide = fabs(x) < half;
  int onCap = acrossSqr < radius * radius;
  if (onSide && onCap) {
    if (half - fabs(x) < radius - sqrt(acrossSqr)) {
      onSide = 0;
    } else {
      onCap = 0;
    }
  }

  // side
  if (onSide) {
    mth_addTo3(along, cylinder.pos);
    const ColShape ball = {along, cylinder.mat, cylinder.size};
    return col_rawSphereSphere(con, margin, &sphere, &ball);
  }

  // cap
  if (onCap) return collideCap(con, margin, &sphere, &cylinder, x > 0 ? 1 : -1);

  // rim: the centre is outside the cylinder's radius, so acrossSqr > 0
  mjtNum rim[3];
  mth_scl3(across, across, radius / sqrt(acrossSqr));
  mth_scl3(rim, axis, x > 0 ? half : -half);
  mth_addTo3(rim, across);
  mth_addTo3(rim, cylinder.pos);
  const mjtNum none[1] = {0};
  const ColShape point = {rim, cylinder.mat, none};
  return col_rawSphereSphere(con, margin, &sphere, &point);
}
