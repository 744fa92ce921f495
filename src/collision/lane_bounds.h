// Bounding spheres of several simulations side by side, as col_spheresApart.
#pragma once

#include "model/lanes.h"

// lanes in which the geoms of a pair may touch
static MTH_ALWAYS_INLINE unsigned col_laneNear(const MdlLanes* w, const MdlLanePair* pair) {
  const mjModel* const m = w->plan->m;
  const int g1 = pair->g1, g2 = pair->g2;
  const mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  const MthLane *pos1 = w->geom_xpos + 3 * g1, *pos2 = w->geom_xpos + 3 * g2;
  const MthLane offset[3] = {pos2[0] - pos1[0], pos2[1] - pos1[1], pos2[2] - pos1[2]};
  if (r1 > 0 && r2 > 0) {
    const mjtNum reach = r1 + r2 + pair->margin;
    return ~mth_laneBits((MthMask)(mth_laneDot3(offset, offset) > reach * reach)) & MTH_ALL_LANES;
  }
  if (m->geom_type[g1] == mjGEOM_PLANE && r2 > 0) {
    const MthLane* const mat = w->geom_xmat + 9 * g1;
    const MthLane height = offset[0] * mat[2] + offset[1] * mat[5] + offset[2] * mat[8];
    return ~mth_laneBits((MthMask)(height > pair->margin + r2)) & MTH_ALL_LANES;
  }
  return MTH_ALL_LANES;
}
