// Support functions of the shapes: the point that is farthest in a direction.
//
// For a polytope this is a vertex. On the graph of a convex hull a vertex whose neighbours are not farther is the
// farthest of all, so walking uphill from any vertex finds it in about sqrt(n) steps. Which of several equally far
// vertices is returned depends on the start and on the order of the walk; both are part of the behaviour. So is the
// vertex where a walk ends on a hull that is not quite convex.
#pragma once

#include <float.h>

#include "collision/ccd.h"
#include "math/vec.h"

// meshes with fewer vertices are scanned: cheaper than walking, and ties resolve by vertex number
enum { COL_CLIMB_MIN = 10 };

// res = mat * local + pos
COL_FN void toGlobal(mjtNum res[3], const ColConvex* s, const mjtNum local[3]) {
  const mjtNum* mat = s->mat;
  res[0] = mat[0] * local[0] + mat[1] * local[1] + mat[2] * local[2] + s->pos[0];
  res[1] = mat[3] * local[0] + mat[4] * local[1] + mat[5] * local[2] + s->pos[1];
  res[2] = mat[6] * local[0] + mat[7] * local[1] + mat[8] * local[2] + s->pos[2];
}

// height of a mesh vertex along a direction
COL_FN mjtNum height(const float v[3], const mjtNum dir[3]) {
  return dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2];
}

// position of a mesh vertex
COL_FN void meshVertex(mjtNum res[3], const ColConvex* s, int id) {
  const float* v = s->vert + 3 * id;
  const mjtNum local[3] = {v[0], v[1], v[2]};
  toGlobal(res, s, local);
}

//---------------------------------- smooth shapes -------------------------------------------------

COL_API void col_supportPoint(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  (void)dir;
  mth_copy3(res, s->pos);
}

COL_API void col_supportSegment(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  const mjtNum* mat = s->mat;
  const mjtNum along = mat[2] * dir[0] + mat[5] * dir[1] + mat[8] * dir[2];
  const mjtNum half = along >= 0 ? s->size[1] : -s->size[1];
  res[0] = mat[2] * half + s->pos[0];
  res[1] = mat[5] * half + s->pos[1];
  res[2] = mat[8] * half + s->pos[2];
}

COL_FN void supportSphere(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mth_addScl3(res, s->pos, dir, s->size[0]);
}

COL_FN void supportCapsule(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // sphere at the end that is nearer to the direction
  const mjtNum end = local[2] >= 0 ? s->size[1] : -s->size[1];
  mth_scl3(local, local, s->size[0]);
  local[2] += end;
  toGlobal(res, s, local);
}

// in the frame of the ellipsoid: a direction becomes the point farthest along it
COL_FN void ellipsoidPoint(mjtNum local[3], const mjtNum size[3]) {
  // the direction seen by the unit sphere; no loop, which would be made wide and wait for the single stores before it
  const mjtNum x = local[0] * size[0], y = local[1] * size[1], z = local[2] * size[2];
  const mjtNum sqr = x * x + y * y + z * z;

  // no direction left: a point on the first axis
  if (sqr < mjMINVAL * mjMINVAL) {
    mth_set3(local, size[0], 0, 0);
    return;
  }

  // point on the unit sphere, mapped to the ellipsoid
  const mjtNum inv = COL_DIV(1, COL_SQRT(sqr));
  mth_set3(local, x * (inv * size[0]), y * (inv * size[1]), z * (inv * size[2]));
}

COL_FN void supportEllipsoid(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  ellipsoidPoint(local, s->size);
  toGlobal(res, s, local);
}

COL_FN void supportCylinder(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // rim in the plane, one of the two discs along the axis
  const mjtNum sqr = local[0] * local[0] + local[1] * local[1];
  const mjtNum scale = sqr >= mjMINVAL * mjMINVAL ? s->size[0] / sqrt(sqr) : 0;
  local[0] *= scale;
  local[1] *= scale;
  local[2] = local[2] >= 0 ? s->size[1] : -s->size[1];
  toGlobal(res, s, local);
}

//---------------------------------- polytopes -----------------------------------------------------

// corner in the octant of a direction, in the frame of the box; its number has one bit per axis
COL_FN void boxCorner(mjtNum local[3], ColConvex* s) {
  int corner = 0;
  for (int i = 0; i < 3; i++) {
    local[i] = local[i] >= 0 ? s->size[i] : -s->size[i];
    corner |= (local[i] > 0) << i;
  }
  s->vertid = corner;
}

COL_FN void supportBox(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  boxCorner(local, s);
  toGlobal(res, s, local);
}

// all vertices, beginning with the last result so that it wins ties
COL_FN void supportScan(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  int best = 0;
  mjtNum top = -FLT_MAX;
  if (s->vertid >= 0) {
    best = s->vertid;
    top = height(s->vert + 3 * best, local);
  }
  const float* v = s->vert;
  for (int i = 0; i < s->nvert; i++, v += 3) {
    const mjtNum h = height(v, local);
    if (h > top) {
      top = h;
      best = i;
    }
  }

  s->vertid = best;
  meshVertex(res, s, best);
}

// result of a walk: the vertex, its height and that of its highest neighbour
typedef struct {
  int at;
  mjtNum top;
  mjtNum next;
} Peak;

// uphill on the hull graph, always to the highest neighbour
COL_FN Peak climb(const ColConvex* s, const mjtNum dir[3], int start) {
  Peak p = {.at = start, .top = height(s->vert + 3 * s->globalid[start], dir)};
  for (;;) {
    int best = p.at;
    p.next = -FLT_MAX;
    for (const int* e = s->edge + s->edgeadr[p.at]; *e >= 0; e++) {
      const mjtNum h = height(s->vert + 3 * s->globalid[*e], dir);
      if (h > p.next) {
        p.next = h;
        best = *e;
      }
    }
    if (!(p.next > p.top)) return p;
    p.at = best;
    p.top = p.next;
  }
}

// The walk whose result counts when vertices are equally far: uphill from the last result, but the start itself is not
// measured: the first step goes to its highest neighbour even when that is lower, and the walk comes back if need be.
COL_FN int climbFromLast(const ColConvex* s, const mjtNum dir[3]) {
  mjtNum top = -FLT_MAX;
  int at = s->hullid >= 0 ? s->hullid : 0;
  int from;
  do {
    from = at;
    for (const int* e = s->edge + s->edgeadr[at]; *e >= 0; e++) {
      const mjtNum h = height(s->vert + 3 * s->globalid[*e], dir);
      if (h > top) {
        top = h;
        at = *e;
      }
    }
  } while (at != from);
  return at;
}

// prism: the top or bottom triangle, whichever the direction points to
COL_FN void supportPrism(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  const mjtNum(*corner)[3] = (const mjtNum(*)[3])(dir[2] < 0 ? s->prism : s->prism + 3);
  int best = 0;
  mjtNum top = mth_dot3(corner[0], dir);
  for (int i = 1; i < 3; i++) {
    const mjtNum h = mth_dot3(corner[i], dir);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  mth_copy3(res, corner[best]);
}

COL_API void col_convexCenter(mjtNum res[3], const ColConvex* s) {
#ifndef COL_GPU
  if (s->type == mjGEOM_FLEX) {
    mth_copy3(res, s->center);
    return;
  }
#endif
  if (s->type == mjGEOM_HFIELD) {
    mth_zero3(res);
    for (int i = 0; i < 6; i++) mth_addTo3(res, s->prism[i]);
    mth_scl3(res, res, 1.0 / 6.0);
  } else {
    mth_copy3(res, s->pos);
  }
}

//---------------------------------- libccd rules --------------------------------------------------

// highest vertex, the first one of equals
COL_FN int scanMesh(ColConvex* s, const mjtNum local[3]) {
  mjtNum top = -mjMAXVAL;
  int best = -1;
  for (int i = 0; i < s->nvert; i++) {
    const mjtNum h = height(s->vert + 3 * i, local);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  s->hullid = best;
  return best;
}

// farthest point in the geom's frame
COL_FN void supportLocal(mjtNum res[3], ColConvex* s, const mjtNum local[3]) {
  const mjtNum* size = s->size;
  switch (s->type) {
    case mjGEOM_SPHERE:
      mth_scl3(res, local, size[0]);
      return;

    case mjGEOM_CAPSULE:
      mth_scl3(res, local, size[0]);
      res[2] += mth_sign(local[2]) * size[1];
      return;

    case mjGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) res[i] = local[i] * size[i];
      mth_normalize3(res);
      for (int i = 0; i < 3; i++) res[i] *= size[i];
      return;

    case mjGEOM_CYLINDER: {
      const mjtNum len = sqrt(local[0] * local[0] + local[1] * local[1]);
      res[0] = len > mjMINVAL ? local[0] / len * size[0] : 0;
      res[1] = len > mjMINVAL ? local[1] / len * size[0] : 0;
      res[2] = mth_sign(local[2]) * size[1];
      return;
    }

    case mjGEOM_BOX:
      for (int i = 0; i < 3; i++) res[i] = mth_sign(local[i]) * size[i];
      return;

    case mjGEOM_MESH:
    case mjGEOM_SDF: {
      if (s->edge) s->hullid = climb(s, local, s->hullid >= 0 ? s->hullid : 0).at;
      const int id = s->edge ? s->globalid[s->hullid] : scanMesh(s, local);
      if (id < 0) {
        COL_WARN("mesh has no vertex in the search direction");
        mth_zero3(res);
        return;
      }
      for (int i = 0; i < 3; i++) res[i] = s->vert[3 * id + i];
      return;
    }

    default:
      COL_ERROR("convex collision: no support function for geom type %d", s->type);
  }
}

COL_API void col_supportCentred(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  // shapes without a frame of their own
  if (s->type == mjGEOM_FLEX || s->type == mjGEOM_HFIELD) {
    COL_SUPPORT(res, s, dir);
    if (s->inflate != 0) mth_addToScl3(res, dir, s->inflate);
    return;
  }

  mjtNum local[3], point[3];
  mth_mulMatTVec3(local, s->mat, dir);
  supportLocal(point, s, local);
  for (int i = 0; i < 3; i++) point[i] += local[i] * s->margin / 2;
  toGlobal(res, s, point);
}
