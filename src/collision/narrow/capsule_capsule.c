// Two capsules: spheres around the nearest points of the two segments; two contacts when the axes are parallel.
// With half-axes a1, a2 and centres p1, p2 the squared distance of p1 + x1 a1 and p2 + x2 a2 is minimal where
//   [a1·a1  -a1·a2] [x1]   [-a1·(p1 - p2)]
//   [-a1·a2  a2·a2] [x2] = [ a2·(p1 - p2)],   then clipped to -1 <= x1, x2 <= 1 one after the other.
#include "collision/narrow.h"
#include "math/vec.h"

// the 2x2 system above
typedef struct {
  mjtNum m11, m12, m22;
  mjtNum v1, v2;
} System;

// the two capsules and their half-axes
typedef struct {
  const ColShape* shape[2];
  mjtNum axis[2][3];
} Pair;

// spheres at the points x1 and x2 of the segments
static int collideAt(mjContact* con, mjtNum margin, const Pair* pair, mjtNum x1, mjtNum x2) {
  mjtNum pos1[3], pos2[3];
  mth_addScl3(pos1, pair->shape[0]->pos, pair->axis[0], x1);
  mth_addScl3(pos2, pair->shape[1]->pos, pair->axis[1], x2);
  const ColShape ball1 = {pos1, pair->shape[0]->mat, pair->shape[0]->size};
  const ColShape ball2 = {pos2, pair->shape[1]->mat, pair->shape[1]->size};
  return col_rawSphereSphere(con, margin, &ball1, &ball2);
}

// nearest points of two segments that are not parallel
static int collideGeneral(mjContact* con, mjtNum margin, const Pair* pair, const System* s, mjtNum det) {
  mjtNum x1 = (s->m22 * s->v1 - s->m12 * s->v2) / det;
  mjtNum x2 = (s->m11 * s->v2 - s->m12 * s->v1) / det;

  // clip the first, which moves the second; then clip that one, which moves the first again
  if (x1 > 1) {
    x1 = 1;
    x2 = (s->v2 - s->m12) / s->m22;
  } else if (x1 < -1) {
    x1 = -1;
    x2 = (s->v2 + s->m12) / s->m22;
  }
  if (x2 > 1) {
    x2 = 1;
    x1 = mth_clip((s->v1 - s->m12) / s->m11, -1, 1);
  } else if (x2 < -1) {
    x2 = -1;
    x1 = mth_clip((s->v1 + s->m12) / s->m11, -1, 1);
  }
  return collideAt(con, margin, pair, x1, x2);
}

// clipped coordinate num/den on a segment; a segment without length has its only point at 0
static mjtNum clippedAt(mjtNum num, mjtNum den) {
  return den > 0 ? mth_clip(num / den, -1, 1) : 0;
}

// parallel segments: the ends of the first against the second, then the ends of the second, until there are two
static int collideParallel(mjContact* con, mjtNum margin, const Pair* pair, const System* s) {
  int n = 0;
  for (int side = 1; side >= -1; side -= 2) {
    n += collideAt(con + n, margin, pair, side, clippedAt(s->v2 - side * s->m12, s->m22));
  }
  for (int side = 1; side >= -1 && n < 2; side -= 2) {
    n += collideAt(con + n, margin, pair, clippedAt(s->v1 - side * s->m12, s->m11), side);
  }
  return n;
}

int col_rawCapsuleCapsule(mjContact* con, mjtNum margin, const ColShape* a, const ColShape* b) {
  Pair pair = {
      .shape = {a, b}
  };
  for (int i = 0; i < 2; i++) {
    mth_col3(pair.axis[i], pair.shape[i]->mat, 2);
    mth_scl3(pair.axis[i], pair.axis[i], pair.shape[i]->size[1]);
  }

  mjtNum offset[3];
  mth_sub3(offset, a->pos, b->pos);
  const System s = {
      .m11 = mth_dot3(pair.axis[0], pair.axis[0]),
      .m12 = -mth_dot3(pair.axis[0], pair.axis[1]),
      .m22 = mth_dot3(pair.axis[1], pair.axis[1]),
      .v1 = -mth_dot3(pair.axis[0], offset),
      .v2 = mth_dot3(pair.axis[1], offset),
  };

  const mjtNum det = s.m11 * s.m22 - s.m12 * s.m12;
  if (fabs(det) >= mjMINVAL) return collideGeneral(con, margin, &pair, &s, det);
  return collideParallel(con, margin, &pair, &s);
}

int col_capsuleCapsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape a = col_geomShape(m, d, g1);
  const ColShape b = col_geomShape(m, d, g2);
  return col_rawCapsuleCapsule(con, margin, &a, &b);
}
