// Sphere and box: one contact at the point of the box nearest to the centre, or, when the centre is inside, through
// the nearest face.
#pragma once

#include "collision/narrow.h"
#include "math/vec.h"

// centre inside: leaves through the nearest face. Writes the normal and the position in the box's frame, returns the
// signed distance of the centre to that face.
COL_FN mjtNum leaveBox(mjtNum normal[3], mjtNum pos[3], const mjtNum centre[3], const ColShape* box, mjtNum radius) {
  // faces in the order -x, +x, -y, +y, -z, +z; the first of equals wins
  mjtNum depth = (box->size[0] + box->size[1] + box->size[2]) * 2;
  int face = 0;
  for (int i = 0; i < 6; i++) {
    const mjtNum gap = fabs((i % 2 ? 1 : -1) * box->size[i / 2] - centre[i / 2]);
    if (depth > gap) {
      depth = gap;
      face = i;
    }
  }

  mth_zero3(normal);
  normal[face / 2] = face % 2 ? -1 : 1;
  mth_addScl3(pos, centre, normal, (radius - depth) / 2);
  return -depth;
}

COL_API int col_rawSphereBox(ColContact* con, mjtNum margin, const ColShape* sphere, const ColShape* box) {
  const mjtNum radius = sphere->size[0];
  mjtNum offset[3], centre[3], nearest[3], normal[3], pos[3];

  // centre in the box's frame and the nearest point of the box
  mth_sub3(offset, sphere->pos, box->pos);
  mth_mulMatTVec3(centre, box->mat, offset);
  for (int i = 0; i < 3; i++) {
    nearest[i] = box->size[i] > 0 ? mth_clip(centre[i], -box->size[i], box->size[i]) : centre[i];
  }
  mth_sub3(normal, nearest, centre);
  mjtNum dist = mth_normalize3(normal);
  if (dist - radius > margin) return 0;

  if (dist <= mjMINVAL) {
    dist = leaveBox(normal, pos, centre, box, radius);
  } else {
    // halfway between the deepest point of the sphere and the box
    mjtNum deepest[3];
    mth_addScl3(deepest, centre, normal, radius);
    for (int i = 0; i < 3; i++) pos[i] = 0.5 * nearest[i] + 0.5 * deepest[i];
  }

  // to the world
  con->dist = dist - radius;
  mth_mulMatVec3(con->frame, box->mat, normal);
  mth_zero3(con->frame + 3);
  mth_mulMatVec3(con->pos, box->mat, pos);
  mth_addTo3(con->pos, box->pos);
  return 1;
}
