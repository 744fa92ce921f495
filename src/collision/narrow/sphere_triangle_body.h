// Sphere and triangle with a radius: one contact towards the point of the triangle nearest to the sphere's centre. That
// is the centre's projection when it falls inside the triangle, else the nearest point of the three sides.
#pragma once

#include "collision/narrow.h"
#include "math/vec.h"

// nearest point to p on the segment from a to b; returns the squared distance
COL_FN mjtNum nearestOnSide(mjtNum res[3], const mjtNum p[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum side[3], toPoint[3];
  mth_sub3(side, b, a);
  mth_sub3(toPoint, p, a);
  const mjtNum x = mth_dot3(side, toPoint) / mth_max(mjMINVAL, mth_dot3(side, side));
  if (x <= 0) {
    mth_copy3(res, a);
  } else if (x >= 1) {
    mth_copy3(res, b);
  } else {
    mth_addScl3(res, a, side, x);
  }
  return mth_distSqr3(res, p);
}

// on which side of the line from a to b, within the plane of that normal, p is
COL_FN mjtNum sideOfLine(const mjtNum p[3], const mjtNum a[3], const mjtNum b[3], const mjtNum normal[3]) {
  mjtNum side[3], toPoint[3], cross[3];
  mth_sub3(side, b, a);
  mth_sub3(toPoint, p, a);
  mth_cross3(cross, side, toPoint);
  return mth_sign(mth_dot3(cross, normal));
}

// nearest point of the triangle to p, which lies in its plane
COL_FN void nearestInTriangle(mjtNum res[3], const mjtNum p[3], const mjtNum* const vert[3], const mjtNum normal[3]) {
  const mjtNum first = sideOfLine(p, vert[0], vert[1], normal);
  if (first == sideOfLine(p, vert[1], vert[2], normal) && first == sideOfLine(p, vert[2], vert[0], normal)) {
    mth_copy3(res, p);
    return;
  }
  mjtNum best = nearestOnSide(res, p, vert[0], vert[1]);
  for (int i = 1; i < 3; i++) {
    mjtNum point[3];
    const mjtNum distSqr = nearestOnSide(point, p, vert[i], vert[(i + 1) % 3]);
    if (distSqr < best) {
      best = distSqr;
      mth_copy3(res, point);
    }
  }
}

COL_API int col_sphereTriangle(ColContact* con, mjtNum margin, const ColShape* sphere, const mjtNum* const vert[3],
                               mjtNum radius) {
  const mjtNum reach = margin + sphere->size[0] + radius;
  mjtNum edge1[3], edge2[3], normal[3], toCentre[3], projected[3], nearest[3];

  // height over the triangle's plane
  mth_sub3(edge1, vert[1], vert[0]);
  mth_sub3(edge2, vert[2], vert[0]);
  mth_cross3(normal, edge1, edge2);
  mth_normalize3(normal);
  mth_sub3(toCentre, sphere->pos, vert[0]);
  const mjtNum height = mth_dot3(normal, toCentre);
  if (fabs(height) > reach) return 0;

  // nearest point
  mth_addScl3(projected, sphere->pos, normal, -height);
  nearestInTriangle(nearest, projected, vert, normal);
  mth_sub3(con->frame, nearest, sphere->pos);
  const mjtNum dist = mth_normalize3(con->frame);
  if (dist > reach) return 0;

  con->dist = dist - sphere->size[0] - radius;
  mth_addScl3(con->pos, sphere->pos, con->frame, sphere->size[0] + con->dist / 2);
  mth_zero3(con->frame + 3);
  return 1;
}
