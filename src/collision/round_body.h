// Normals of round surfaces near a contact point.
#pragma once

#include "collision/support.h"
#include "math/vec.h"

// normal of an ellipsoid where the ray from an inner point along it leaves; iterated from a first guess
COL_FN int ellipsoidFromInside(mjtNum nrm[3], const mjtNum pos[3], const mjtNum size[3]) {
  mjtNum inv[3];
  for (int i = 0; i < 3; i++) inv[i] = 1 / (size[i] * size[i]);
  const mjtNum c = pos[0] * pos[0] * inv[0] + pos[1] * pos[1] * inv[1] + pos[2] * pos[2] * inv[2] - 1;
  if (c > 0) return 0;
  mth_normalize3(nrm);

  for (int iter = 0; iter < 30; iter++) {
    // crossing: a x^2 + 2 b x + c = 0
    const mjtNum a = nrm[0] * nrm[0] * inv[0] + nrm[1] * nrm[1] * inv[1] + nrm[2] * nrm[2] * inv[2];
    const mjtNum b = pos[0] * nrm[0] * inv[0] + pos[1] * nrm[1] * inv[1] + pos[2] * nrm[2] * inv[2];
    const mjtNum det = b * b - a * c;
    if (det < mjMINVAL || a < mjMINVAL) return iter > 0;
    const mjtNum x = (-b + sqrt(det)) / a;
    if (x < 0) return iter > 0;

    // the surface's normal there
    mjtNum next[3];
    mth_addScl3(next, pos, nrm, x);
    for (int i = 0; i < 3; i++) next[i] *= inv[i];
    mth_normalize3(next);
    const mjtNum change = mth_dist3(nrm, next);
    mth_copy3(nrm, next);
    if (change < 1e-6) break;
  }
  return 1;
}

// normal of an ellipsoid at the point nearest to an outer one: Newton on the multiplier of the constraint
COL_FN void ellipsoidFromOutside(mjtNum nrm[3], const mjtNum pos[3], const mjtNum size[3]) {
  mjtNum sqr[3], ps[3], la = 0;
  for (int i = 0; i < 3; i++) {
    sqr[i] = size[i] * size[i];
    ps[i] = pos[i] * pos[i] * sqr[i];
  }
  for (int iter = 0; iter < 30; iter++) {
    const mjtNum r[3] = {1 / (sqr[0] + la), 1 / (sqr[1] + la), 1 / (sqr[2] + la)};
    const mjtNum value = ps[0] * r[0] * r[0] + ps[1] * r[1] * r[1] + ps[2] * r[2] * r[2] - 1;
    if (value < 1e-6) break;
    const mjtNum slope = -2 * (ps[0] * r[0] * r[0] * r[0] + ps[1] * r[1] * r[1] * r[1] + ps[2] * r[2] * r[2] * r[2]);
    if (slope > -mjMINVAL) break;
    const mjtNum step = -value / slope;
    if (step < 1e-6) break;
    la += step;
  }
  for (int i = 0; i < 3; i++) nrm[i] = pos[i] / (sqr[i] + la);
  mth_normalize3(nrm);
}

COL_FN int ellipsoidNormal(mjtNum nrm[3], const mjtNum pos[3], const mjtNum size[3]) {
  if (size[0] < mjMINVAL || size[1] < mjMINVAL || size[2] < mjMINVAL) return 0;
  const mjtNum level = pos[0] * pos[0] / (size[0] * size[0]) + pos[1] * pos[1] / (size[1] * size[1]) +
                       pos[2] * pos[2] / (size[2] * size[2]);
  if (level <= 1) return ellipsoidFromInside(nrm, pos, size);
  ellipsoidFromOutside(nrm, pos, size);
  return 1;
}

// only well inside the round wall
COL_FN int cylinderNormal(mjtNum nrm[3], const mjtNum pos[3], const mjtNum size[3]) {
  if (fabs(pos[2]) > 0.95 * size[1]) return 0;
  const mjtNum flat = fabs(size[1] - fabs(pos[2]));
  const mjtNum round = fabs(size[0] - sqrt(pos[0] * pos[0] + pos[1] * pos[1]));
  if (flat < 0.25 * round) return 0;
  mth_set3(nrm, pos[0], pos[1], 0);
  return 1;
}

// outward normal of the surface near a contact point; 0 if the shape is not round there
COL_FN int roundNormal(mjtNum normal[3], const ColConvex* s, const mjtNum point[3]) {
  if (!s) return 0;
  mjtNum rel[3], pos[3], nrm[3];
  mth_sub3(rel, point, s->pos);
  mth_mulMatTVec3(pos, s->mat, rel);
  mth_mulMatTVec3(nrm, s->mat, normal);

  int ok = 1;
  switch (s->type) {
    case mjGEOM_SPHERE:
      mth_copy3(nrm, pos);
      break;
    case mjGEOM_CAPSULE:
      mth_set3(nrm, pos[0], pos[1], pos[2] - mth_clip(pos[2], -s->size[1], s->size[1]));
      break;
    case mjGEOM_ELLIPSOID:
      ok = ellipsoidNormal(nrm, pos, s->size);
      break;
    case mjGEOM_CYLINDER:
      ok = cylinderNormal(nrm, pos, s->size);
      break;
    default:
      ok = 0;
  }
  if (!ok) return 0;
  mth_normalize3(nrm);
  mth_mulMatVec3(normal, s->mat, nrm);
  return 1;
}
