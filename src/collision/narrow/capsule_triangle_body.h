// Capsule and triangle with a radius: the capsule's end spheres against the triangle, then the triangle's vertices
// against the inside of the capsule's segment. Up to five contacts.
#pragma once

#ifdef COL_GPU
#include "collision/narrow/sphere_triangle_body.h"
#else
#include "collision/narrow.h"
#endif
#include "math/vec.h"

// a vertex beside the segment from `start` over `dir`
COL_FN int capsuleVertex(ColContact* con, mjtNum margin, const ColShape* capsule, const mjtNum start[3],
                         const mjtNum dir[3], const ColShape* vertex) {
  const mjtNum radius = capsule->size[0], half = capsule->size[1], thickness = vertex->size[0];
  mjtNum offset[3], nearest[3], normal[3];
  mth_sub3(offset, vertex->pos, start);
  const mjtNum x = mth_dot3(offset, dir) / (4 * half * half);
  if (!(x > mjMINVAL && x < 1 - mjMINVAL)) return 0;

  mth_addScl3(nearest, start, dir, x);
  mth_sub3(normal, vertex->pos, nearest);
  const mjtNum dist = mth_normalize3(normal);
  if (dist > radius + thickness + margin) return 0;

  con->dist = dist - radius - thickness;
  mth_copy3(con->frame, normal);
  mth_zero3(con->frame + 3);

  // halfway between the surfaces
  mth_add3(con->pos, nearest, vertex->pos);
  mth_addToScl3(con->pos, normal, radius - thickness);
  mth_scl3(con->pos, con->pos, 0.5);
  return 1;
}

COL_API int col_capsuleTriangle(ColContact* con, mjtNum margin, const ColShape* capsule, const mjtNum* const vert[3],
                                mjtNum radius) {
  const mjtNum half = capsule->size[1];
  mjtNum axis[3], end[2][3], dir[3];
  mth_col3(axis, capsule->mat, 2);
  mth_addScl3(end[0], capsule->pos, axis, -half);
  mth_addScl3(end[1], capsule->pos, axis, half);
  mth_sub3(dir, end[1], end[0]);

  int n = 0;
  for (int i = 0; i < 2; i++) {
    const ColShape ball = {end[i], capsule->mat, capsule->size};
    n += col_sphereTriangle(con + n, margin, &ball, vert, radius);
  }
  for (int i = 0; i < 3; i++) {
    const ColShape vertex = {vert[i], capsule->mat, &radius};
    n += capsuleVertex(con + n, margin, capsule, end[0], dir, &vertex);
  }
  return n;
}
