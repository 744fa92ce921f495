// Bounding spheres and boxes of several simulations side by side, as col_spheresApart and col_geomsApart.
#pragma once

#include "model/lanes.h"

// res = a' * b
static MTH_ALWAYS_INLINE void col_laneMulT3(MthLane res[9], const MthLane a[9], const MthLane b[9]) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) res[3 * r + c] = b[c] * a[r] + b[3 + c] * a[r + 3] + b[6 + c] * a[r + 6];
  }
}

// coordinate k of a point in a frame
static MTH_ALWAYS_INLINE MthLane col_laneAlong(const MthLane mat[9], const MthLane pos[3], int k) {
  return mat[k] * pos[0] + mat[3 + k] * pos[1] + mat[6 + k] * pos[2];
}

// lanes in which an axis of the first geom's box separates the boxes; step: how far the numbers of an axis are apart in
// cross
static MTH_ALWAYS_INLINE MthMask col_laneParted(const mjtNum a[6], const mjtNum b[6], const MthLane* cross, int step,
                                                MthLane at1, MthLane at2, mjtNum margin, int k) {
  const MthLane x = cross[0], y = cross[step], z = cross[2 * step];
  const MthLane pos1 = a[k] + at1, pos2 = b[0] * x + b[1] * y + b[2] * z + at2;
  const MthLane radius = mth_laneAbs(b[3] * x) + mth_laneAbs(b[4] * y) + mth_laneAbs(b[5] * z);
  return (MthMask)(a[3 + k] + radius + margin < mth_laneAbs(pos2 - pos1));
}

// lanes in which the boxes of two geoms are apart, which have no infinite sides
static inline unsigned col_laneBoxesApart(const MdlLanes* w, const MdlLanePair* pair) {
  const mjModel* const m = w->plan->m;
  const mjtNum *a = m->geom_aabb + 6 * pair->g1, *b = m->geom_aabb + 6 * pair->g2;
  const MthLane *pos1 = w->geom_xpos + 3 * pair->g1, *pos2 = w->geom_xpos + 3 * pair->g2;
  const MthLane *mat1 = w->geom_xmat + 9 * pair->g1, *mat2 = w->geom_xmat + 9 * pair->g2;
  MthLane cross[9];
  col_laneMulT3(cross, mat1, mat2);
  MthMask apart = {0};
  for (int k = 0; k < 3; k++) {
    apart |= col_laneParted(a, b, cross + 3 * k, 1, col_laneAlong(mat1, pos1, k), col_laneAlong(mat1, pos2, k),
                            pair->margin, k);
    apart |=
        col_laneParted(b, a, cross + k, 3, col_laneAlong(mat2, pos2, k), col_laneAlong(mat2, pos1, k), pair->margin, k);
  }
  return mth_laneBits(apart);
}

// lanes in which the geoms of a pair may touch
static MTH_ALWAYS_INLINE unsigned col_laneNear(const MdlLanes* w, const MdlLanePair* pair) {
  const mjModel* const m = w->plan->m;
  const int g1 = pair->g1, g2 = pair->g2;
  const mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  const MthLane *pos1 = w->geom_xpos + 3 * g1, *pos2 = w->geom_xpos + 3 * g2;
  const MthLane offset[3] = {pos2[0] - pos1[0], pos2[1] - pos1[1], pos2[2] - pos1[2]};
  if (r1 > 0 && r2 > 0) {
    const mjtNum reach = r1 + r2 + pair->margin;
    const unsigned near = ~mth_laneBits((MthMask)(mth_laneDot3(offset, offset) > reach * reach)) & MTH_ALL_LANES;

    // listed pairs are not looked at by boxes
    return near && pair->boxes ? near & ~col_laneBoxesApart(w, pair) : near;
  }
  if (m->geom_type[g1] == mjGEOM_PLANE && r2 > 0) {
    const MthLane* const mat = w->geom_xmat + 9 * g1;
    const MthLane height = offset[0] * mat[2] + offset[1] * mat[5] + offset[2] * mat[8];
    return ~mth_laneBits((MthMask)(height > pair->margin + r2)) & MTH_ALL_LANES;
  }
  return MTH_ALL_LANES;
}
