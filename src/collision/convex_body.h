// Contacts from the points of a convex query, and whether shapes that were apart still are.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

// distance beyond which shapes are apart whatever rounding does
#define COL_APART 1e-6

// pair i of a query as normal and midpoint
COL_FN void pairToContact(mjtNum normal[3], mjtNum pos[3], const ColQuery* q, int i) {
  const mjtNum *x1 = q->x1 + 3 * i, *x2 = q->x2 + 3 * i;
  mth_sub3(normal, x1, x2);
  mth_normalize3(normal);
  mth_add3(pos, x1, x2);
  mth_scl3(pos, pos, 0.5);
}

COL_FN void setContact(ColContact* con, mjtNum dist, const mjtNum normal[3], const mjtNum pos[3]) {
  con->dist = dist;
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);
  mth_copy3(con->pos, pos);
}

// Along the direction of the last query the geoms are still apart, by more than what the algorithm may take for a
// touch. Then it would find no contact either.
COL_FN int stillSeparate(const float last[3], ColConvex* a, ColConvex* b, mjtNum tolerance) {
  const mjtNum axis[3] = {last[0], last[1], last[2]};
  const mjtNum opposite[3] = {-axis[0], -axis[1], -axis[2]};
  ColVertex v;
  col_supportPair(&v, a, b, opposite, axis);
  return mth_dot3(axis, v.p) > 10 * tolerance + COL_APART;
}
