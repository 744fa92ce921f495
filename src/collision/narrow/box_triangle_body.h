// Box and triangle with a radius: the triangle's vertices against the box's nearest face, then the box's corners, as
// points, against the triangle. Up to eleven contacts; crossing edges alone make none.
#pragma once

#ifdef COL_GPU
#include "collision/narrow/sphere_triangle_body.h"
#else
#include "collision/narrow.h"
#endif
#include "math/vec.h"

// a vertex over (or inside) the box: pushed out through the face that it is least deep under
COL_FN int boxVertex(ColContact* con, mjtNum margin, const ColShape* box, const mjtNum vert[3], mjtNum radius) {
  mjtNum offset[3], local[3];
  mth_sub3(offset, vert, box->pos);
  mth_mulMatTVec3(local, box->mat, offset);

  // height over the faces, and the highest
  int axis = 0;
  mjtNum height = fabs(local[0]) - box->size[0];
  for (int i = 0; i < 3; i++) {
    const mjtNum h = fabs(local[i]) - box->size[i];
    if (fabs(local[i]) > box->size[i] + margin + radius || h - radius > margin) return 0;
    if (h > height) {
      height = h;
      axis = i;
    }
  }

  mjtNum normal[3] = {0, 0, 0};
  normal[axis] = local[axis] > 0 ? 1 : -1;
  mth_mulMatVec3(con->frame, box->mat, normal);
  mth_zero3(con->frame + 3);
  con->dist = height - radius;
  mth_addScl3(con->pos, vert, con->frame, -(radius + con->dist * 0.5));
  return 1;
}

COL_API int col_boxTriangle(ColContact* con, mjtNum margin, const ColShape* box, const mjtNum* const vert[3],
                            mjtNum radius) {
  int n = 0;
  for (int i = 0; i < 3; i++) n += boxVertex(con + n, margin, box, vert[i], radius);

  // corners in the order of their sign bits
  for (int bits = 0; bits < 8; bits++) {
    const mjtNum local[3] = {bits & 1 ? box->size[0] : -box->size[0], bits & 2 ? box->size[1] : -box->size[1],
                             bits & 4 ? box->size[2] : -box->size[2]};
    const mjtNum none[1] = {0};
    mjtNum corner[3];
    mth_mulMatVec3(corner, box->mat, local);
    mth_addTo3(corner, box->pos);
    const ColShape point = {corner, box->mat, none};
    n += col_sphereTriangle(con + n, margin, &point, vert, radius);
  }
  return n;
}
