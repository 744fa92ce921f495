// Contacts from the points of a convex query.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

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
