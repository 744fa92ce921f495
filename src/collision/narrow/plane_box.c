// Plane and box: the first four corners, in the order of their sign bits (x fastest), that are on the plane's side of
// the centre and below the margin.
#include "collision/narrow.h"
#include "math/vec.h"

enum { MAX_CORNERS = 4 };

int col_planeBox(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape plane = col_geomShape(m, d, g1);
  const ColShape box = col_geomShape(m, d, g2);
  mjtNum normal[3], toCentre[3];
  mth_col3(normal, plane.mat, 2);
  mth_sub3(toCentre, box.pos, plane.pos);
  const mjtNum centreHeight = mth_dot3(toCentre, normal);

  int n = 0;
  for (int bits = 0; bits < 8 && n < MAX_CORNERS; bits++) {
    // corner relative to the centre
    const mjtNum local[3] = {bits & 1 ? box.size[0] : -box.size[0], bits & 2 ? box.size[1] : -box.size[1],
                             bits & 4 ? box.size[2] : -box.size[2]};
    mjtNum corner[3];
    mth_mulMatVec3(corner, box.mat, local);

    // skip one that is out of reach or above the centre
    const mjtNum height = mth_dot3(normal, corner);
    if (centreHeight + height > margin || height > 0) continue;

    con[n].dist = centreHeight + height;
    mth_addTo3(corner, box.pos);
    mth_addScl3(con[n].pos, corner, normal, -con[n].dist / 2);
    mth_copy3(con[n].frame, normal);
    mth_zero3(con[n].frame + 3);
    n++;
  }
  return n;
}
